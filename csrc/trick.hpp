// The current trick, card by card.
#pragma once

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

struct Trick {
    u64 led = 0;    // lane of the led suit
    u64 first = 0;  // the card led
    u64 best = 0;  // the card that is winning
    int state = 0;
    int tricks = 0;  // left to play, including this one
    int leader = 0;
    int best_player = 0;
    bool contested = false;  // the trick has another card of the winning card's suit
    bool marked = false;

    void add(int player, u64 card, u64 trumps) {
        assert(card && !(card & (card - 1)));
        const u64 suit = lane(suit_of(lowest_index(card)));
        if (!led) {
            led = suit;
            first = best = card;
            best_player = player;
            contested = false;
            return;
        }
        // Avoids branches, which would be hard to predict.
        const bool same = suit & best;
        const bool wins = same ? card > best : suit == trumps;
        contested = same | (contested & !wins);
        best = wins ? card : best;
        best_player = wins ? player : best_player;
    }
};

// The current trick in a relaxed game of a declarer against the others.
struct BoundTrick : Trick {
    u64 lanes = ~0ull;  // the suits that may be led
    u64 his = 0;  // the declarer's card
    u32 followed = 0;  // others who may lead next if the declarer does not win
    bool ruffed = false;  // whether `followed` has the players who ruffed

    void add(int player, u64 card, u64 trumps, int declarer) {
        // The first ruff takes the lead away from players who follow suit.
        const bool ruffs = led && (card & trumps & ~led);  // rule: lone-game-ruffed
        if (player == declarer) {
            his = card;
        } else if (!led || (ruffs && !ruffed)) {
            followed = 1u << player;
            ruffed = ruffs;
        } else if (ruffs || (!ruffed && (card & led))) {
            followed |= 1u << player;
        }
        Trick::add(player, card, trumps);
    }

    // Whether the declarer has played a card of the winning suit.
    bool contests() const { return his & lane(suit_of(lowest_index(best))); }
};

// When one of the others leads in a relaxed game: whether something holds for each of them and each
// suit in `t.lanes`. Of the holders of a suit, only the last before the declarer needs to lead it.
// If an earlier one leads, the same cards could be played with the last one leading, and the
// declarer would then see no more of them before playing.
template <int P, class Holds>
bool any_lead(const Board<P>& b, int declarer, u32 leaders, BoundTrick& t, Holds holds) {
    u64 open = ~0ull;
    bool result = true;
    for (int i = P - 1; i > 0 && result; --i) {  // rule: relaxed-last-before
        t.leader = next<P>(declarer, i);
        if (!(leaders >> t.leader & 1)) continue;
        t.lanes = whole(some(b.suits(t.leader))) & open;
        open &= ~t.lanes;
        if (t.lanes) result = holds();
    }
    return result;
}

}  // namespace spadille::SPADILLE_ISA
