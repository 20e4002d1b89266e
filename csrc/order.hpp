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

// Cards with their scores.
class RatedCards {
public:
    u64 best(u64 left) const {
        int at = -1;
        for (int i = 0; i < count_; ++i)
            if ((left & cards_[i]) && (at < 0 || scores_[i] > scores_[at])) at = i;
        return cards_[at];
    }

protected:
    void add(u64 card, int score, int hint_weight) {
        cards_[count_] = card;
        scores_[count_++] = card == hint_ ? score + hint_weight : score;
    }

    u64 hint_ = 0;

private:
    u64 cards_[kMaxTricks + 3];
    int scores_[kMaxTricks + 3];
    int count_ = 0;
};

// Rates the cards of the K-th player of a trick by weighted features.
template <int P, int K>
class Order : public RatedCards {
public:
    // `left` are the candidates, `hint` a card that did well before; the player belongs to the side
    // iff `wants`.
    void rate(const Board<P>& b, const Trick& t, int player, bool wants, u32 side, u32 credited,
              u64 left, u64 hint, const Weights& w) {
        hint_ = hint;
        const u32 friends = wants ? side : ~side;
        if constexpr (K == 0)
            rate_leads(b, player, friends, left, w.lead);
        else
            rate_answers(b, t, player, friends, wants ? credited : ~credited, left,
                         w.answer[K == 1 ? 0 : K + 1 < P ? 1 : 2]);
    }

private:
    void rate_leads(const Board<P>& b, int player, u32 friends, u64 left, const int* w) {
        const int next = player + 1 < P ? player + 1 : 0;
        const bool next_foe = !(friends >> next & 1);
        for (int s = 0; s < 4; ++s) {
            const u64 here = left & lane(s);
            if (!here) continue;
            const u64 all = b.all & lane(s);
            const u64 own = b.hands[player];
            const u64 top = highest(all), second = highest(all ^ top);
            u64 friendly = 0;
            bool friend_ruffs = false, foe_ruffs = false;
            int friend_length = 0, foe_length = 0;
            for (int p = 0; p < P; ++p) {
                if (p == player) continue;
                const int length = b.length(p, s);
                const bool can_ruff = !length && s != b.trump && (b.hands[p] & b.trumps);
                if (friends >> p & 1) {
                    friendly |= b.hands[p];
                    friend_ruffs = friend_ruffs || can_ruff;
                    if (length > friend_length) friend_length = length;
                } else {
                    foe_ruffs = foe_ruffs || can_ruff;
                    if (length > foe_length) foe_length = length;
                }
            }
            const int length = b.length(player, s);
            int base = w[kLeadLength] * length + w[kLeadFoeLength] * foe_length +
                       w[kLeadFriendLength] * friend_length;
            base += w[kLeadSpan] * popcount(all);
            if (s == b.trump) base += w[kLeadTrump];
            if (own & top) {
                base += w[kLeadOwnTop];
                if (own & second) base += w[kLeadTwoTops];
            } else {
                if (friendly & top)
                    base += w[kLeadFriendTop];
                else if (next_foe && (b.hands[next] & top))
                    base += w[kLeadNextTop];
                if (own & second)
                    base += w[kLeadOwnSecond];
                else if (!(friendly & (top | second)))
                    base += w[kLeadFoeTops];
            }
            if (friendly & second) base += w[kLeadFriendSecond];
            if (friend_ruffs) base += w[kLeadFriendRuffs];
            if (foe_ruffs) base += w[kLeadFoeRuffs];
            if (next_foe && !b.length(next, s)) base += w[kLeadNextVoid];
            if (length == 1) base += w[kLeadSingleton];
            if (length == 2) base += w[kLeadDoubleton];
            const u64 foreign = all & ~own;
            for (u64 rest = here; rest; rest &= rest - 1) {
                const u64 card = lowest(rest);
                const int above = popcount(foreign & ~(card | (card - 1)));
                const int under = popcount(foreign & (card - 1));
                int score = base + w[kLeadAbove] * above + w[kLeadUnder] * under;
                if (!above) score += foe_ruffs ? w[kLeadWinnerRuffed] : w[kLeadWinner];
                if (!under) score += w[kLeadLowest];
                add(card, score, w[kLeadHint]);
            }
        }
    }

    void rate_answers(const Board<P>& b, const Trick& t, int player, u32 friends, u32 good, u64 left,
                      const int* w) {
        // What the players still to come can do: follow, or ruff when they cannot.
        u64 foe_cards = 0, foe_ruffs = 0, friend_cards = 0, friend_ruffs = 0;
        u64 friendly = 0;
        for (int i = 0; i < P; ++i) {
            const int p = t.leader + i < P ? t.leader + i : t.leader + i - P;
            if (p == player) continue;
            const bool is_friend = friends >> p & 1;
            if (is_friend) friendly |= b.hands[p];
            if (i <= K) continue;
            const u64 follow = b.hands[p] & t.led;
            u64& cards = is_friend ? friend_cards : foe_cards;
            u64& ruffs = is_friend ? friend_ruffs : foe_ruffs;
            if (follow)
                cards |= follow;
            else
                ruffs |= b.hands[p] & b.trumps;
        }
        const auto beaten = [&](u64 card, u64 cards, u64 ruffs) {
            const u64 over = ~(card | (card - 1));
            if (card & b.trumps) return ((t.led == b.trumps ? cards : ruffs) & over) != 0;
            return ruffs || (card & t.led ? (cards & over) != 0 : cards != 0);
        };
        const bool held = good >> t.best_player & 1;  // a good player wins so far
        const bool safe = held && !beaten(t.best, foe_cards, foe_ruffs);
        const bool behind = beaten(t.best, friend_cards, friend_ruffs);
        for (u64 rest = left; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int s = suit_of(lowest_index(card));
            const u64 suit = lane(s);
            const u64 others = t.all & suit & ~b.hands[player];
            const int under = popcount(others & (card - 1));
            const int above = popcount(others & ~(card | (card - 1)));
            const bool top = !above;
            int score;
            if ((suit & t.best) ? card > t.best : suit == b.trumps) {
                score = w[kWin] - w[kWinRank] * under;
                if (top) score += w[kWinTop];
                if (!beaten(card, foe_cards, foe_ruffs))
                    score += w[kWinSafe];
                else
                    score -= w[kWinUnsafeRank] * under;
                if (held) score += w[kWinOverFriend];
                if (safe) score += w[kWinOverSafeFriend];
                if (behind) score += w[kWinFriendBehind];
                if (suit != t.led) score += w[kRuff];
            } else {
                score = 0;
                if (held) score += w[kLoseFriendWins];
                if (safe) score += w[kLoseFriendSafe];
                if (behind) score += w[kLoseFriendBehind];
                if (suit == t.led) {
                    score += w[kLose] - w[kLoseRank] * under;
                    if (top) score += w[kLoseTop];
                } else {
                    const int length = b.length(player, s);
                    score += w[kThrow] - w[kThrowRank] * under + w[kThrowLength] * length;
                    if (top) score += w[kThrowTop];
                    if (length == 1) score += w[kThrowSingleton];
                    if (length == 2 && !top && above <= 2) score += w[kThrowGuard];
                    if (above == 1) score += w[kThrowSecond];
                    if (friendly & highest(others)) score += w[kThrowFriendTop];
                    if (suit == b.trumps) score += w[kUnderruff];
                }
            }
            add(card, score, w[kHint]);
        }
    }
};

}  // namespace spadille::SPADILLE_ISA
