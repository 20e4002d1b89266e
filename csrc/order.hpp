// Which card to try first.  Ordering changes no value, only how many positions are visited.
#pragma once

#include "board.hpp"
#include "weights.hpp"

namespace spadille::SPADILLE_ISA {

// The running trick.
struct Trick {
    u64 all = 0;        // cards in play when it began
    u64 led = 0;        // lane of the led suit
    u64 first = 0;      // the card led
    u64 best = 0;       // the card that wins so far
    int best_player = 0;
    int leader = 0;
    int tricks = 0;     // to play, this one included
    int state = 0;
    bool contested = false;  // another card of the winning card's suit lies beside it
    bool marked = false;
};

// Rates the cards of the K-th player of a trick by weighted features.
template <int P, int K>
class Order {
public:
    bool rated() const { return count_ != 0; }

    // `left` are the candidates; the player belongs to the side iff `wants`.
    void rate(const Board<P>& b, const Trick& t, int player, bool wants, u32 side, u32 credited,
              u64 left, const Weights& w) {
        const u32 friends = wants ? side : ~side;
        const u32 good = wants ? credited : ~credited;
        if constexpr (K == 0)
            rate_leads(b, player, friends, good, left, w.lead);
        else
            rate_answers(b, t, player, friends, good, left, w);
    }

    u64 best(u64 left) const {
        int at = -1;
        for (int i = 0; i < count_; ++i)
            if ((left & cards_[i]) && (at < 0 || scores_[i] > scores_[at])) at = i;
        return cards_[at];
    }

private:
    void add(u64 card, int score) {
        cards_[count_] = card;
        scores_[count_++] = score;
    }

    void rate_leads(const Board<P>& b, int player, u32 friends, u32, u64 left, const int* w) {
        for (int s = 0; s < 4; ++s) {
            const u64 here = left & lane(s);
            if (!here) continue;
            const u64 all = b.all & lane(s);
            const u64 top = highest(all);
            bool friend_ruffs = false, foe_ruffs = false, friend_top = false, foe_void = false;
            bool next_foe_void = false;
            int friend_length = 0, foe_length = 0;
            for (int i = 1; i < P; ++i) {
                const int p = player + i < P ? player + i : player + i - P;
                const int length = b.length(p, s);
                const bool can_ruff = !length && b.trumps && s != b.trump && (b.hands[p] & b.trumps);
                if (friends >> p & 1) {
                    friend_ruffs = friend_ruffs || can_ruff;
                    friend_top = friend_top || (b.hands[p] & top);
                    if (length > friend_length) friend_length = length;
                } else {
                    foe_ruffs = foe_ruffs || can_ruff;
                    foe_void = foe_void || !length;
                    if (i == 1 && !length) next_foe_void = true;
                    if (length > foe_length) foe_length = length;
                }
            }
            const int length = b.length(player, s);
            const bool own_top = b.hands[player] & top;
            int base = w[kLeadLength] * length + w[kLeadFoeLength] * foe_length +
                       w[kLeadFriendLength] * friend_length;
            if (s == b.trump) base += w[kLeadTrump];
            if (friend_top) base += w[kLeadFriendTop];
            if (!friend_top && !own_top) base += w[kLeadFoeTop];
            if (friend_ruffs) base += w[kLeadFriendRuffs];
            if (foe_ruffs) base += w[kLeadFoeRuffs];
            if (foe_void) base += w[kLeadFoeVoid];
            if (next_foe_void) base += w[kLeadNextFoeVoid];
            if (length == 1) base += w[kLeadSingleton];
            const u64 foes = all & ~b.hands[player];
            for (u64 rest = here; rest; rest &= rest - 1) {
                const u64 card = lowest(rest);
                const int above = popcount(foes & ~(card | (card - 1)));
                const int under = popcount(foes & (card - 1));
                int score = base + w[kLeadAbove] * above + w[kLeadUnder] * under;
                if (!above) score += foe_ruffs ? w[kLeadWinnerRuffed] : w[kLeadWinner];
                if (!under) score += w[kLeadLowest];
                add(card, score);
            }
        }
    }

    void rate_answers(const Board<P>& b, const Trick& t, int player, u32 friends, u32 good, u64 left,
                      const Weights& weights) {
        // What the players still to come can do to a card that wins now.
        u64 foe_over[4] = {};  // the cards with which foes behind may beat, by suit of the winner
        u64 foe_trumps = 0;
        for (int i = K + 1; i < P; ++i) {
            const int p = t.leader + i < P ? t.leader + i : t.leader + i - P;
            if (friends >> p & 1) continue;
            const u64 follow = b.hands[p] & t.led;
            if (follow)
                foe_over[0] |= follow;
            else
                foe_trumps |= b.hands[p] & b.trumps;
        }
        const auto safe = [&](u64 card) {
            if (card & b.trumps)
                return !((t.led == b.trumps ? foe_over[0] : foe_trumps) & ~(card | (card - 1)));
            return !foe_trumps && !(foe_over[0] & ~(card | (card - 1)));
        };
        const bool held = good >> t.best_player & 1;     // a good player wins so far
        const bool held_safe = held && safe(t.best);
        const bool self_good = good >> player & 1;
        const int* w = weights.answer;
        const bool follows = left & t.led;
        for (u64 rest = left; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int s = suit_of(lowest_index(card));
            const u64 suit = lane(s);
            const u64 others = t.all & suit & ~b.hands[player];
            const int under = popcount(others & (card - 1));
            const int above = popcount(others & ~(card | (card - 1)));
            int score;
            const bool beats = (suit & t.best) ? card > t.best : suit == b.trumps;
            if (beats) {
                score = w[kWin] - w[kWinRank] * under;
                if (K + 1 == P || safe(card)) score += w[kWinSafe];
                if (held) score += w[kWinOverFriend];
                if (held_safe) score += w[kWinOverSafeFriend];
                if (suit != t.led) score += w[kRuff];
                if (!self_good) score += w[kWinBad];
            } else if (follows || (suit & t.led)) {
                score = -w[kLoseRank] * under;
                if (held) score += w[kDuckFriend];
                if (held_safe) score += w[kDuckSafeFriend];
                if (!above) score += w[kLoseTop];
            } else {
                const int length = b.length(player, s);
                score = w[kThrow] - w[kThrowRank] * under + w[kThrowLength] * length;
                if (held) score += w[kDuckFriend];
                if (held_safe) score += w[kDuckSafeFriend];
                if (!above) score += w[kThrowTop];
                if (length == 1) score += w[kThrowSingleton];
                if (length == 2 && above == 1) score += w[kThrowGuard];
                if (suit == b.trumps) score += w[kUnderruff];
            }
            add(card, score);
        }
    }

    u64 cards_[kMaxTricks + 3];
    int scores_[kMaxTricks + 3];
    int count_ = 0;
};

}  // namespace spadille::SPADILLE_ISA
