// Move ordering: it changes no value, only the number of positions visited.
#pragma once

#include <limits>

#include "trick.hpp"
#include "move_order_weights.hpp"

namespace spadille::SPADILLE_ISA {

// Whether at most forty cards are in play, the number in a short game.
inline bool is_short(const Problem& p) {
    int cards = p.on_table;
    for (int i = 0; i < p.players; ++i) cards += popcount(p.hands[i]);
    return cards <= 40;
}

// The weights for the members of a group, which plays against all other players.
inline const Weights& weights_of(const Problem& p, u32 group) {
    const int members = popcount(group);
    const bool alone = members == 1, against = members == p.players - 1, few = is_short(p);
    const bool two = p.players == 4 && members == 2 && !few;
    if (p.trump < 0) return two ? kPlainTwoWeights : kPlainWeights;
    if (two) return kTwoWeights;
    if (few && p.players == 3) return alone ? kThreeAloneWeights : kThreeAgainstWeights;
    if (!few && p.players == 5 && alone) return kFiveAloneWeights;
    if (!few && p.players == 5 && against) return kFiveAgainstWeights;
    if (alone) return few ? kShortAloneWeights : kTrumpAloneWeights;
    if (against) return few ? kShortAgainstWeights : kTrumpAgainstWeights;
    return few ? kShortPairWeights : kTrumpWeights;
}

// Cards with their scores.
class RatedCards {
public:
    // The best card; it settles most positions.
    u64 first() const { return first_; }

    // Nemo: a trick with one of these cards is worth less to its winner.
    void mark(u64 cards, bool welcome) {
        marked_ = cards;
        mark_ = welcome ? kMark : -kMark;
    }

    bool rated() const { return count_; }
    void forget() {
        count_ = 0;
        top_ = std::numeric_limits<int>::min();
    }

    u64 best(u64 left) const {
        u64 card = 0;
        int top = std::numeric_limits<int>::min();
        for (int i = 0; i < count_; ++i) {
            const bool better = (left & cards_[i]) && scores_[i] > top;
            card = better ? cards_[i] : card;
            top = better ? scores_[i] : top;
        }
        return card;
    }

protected:
    void add(u64 card, int score) {
        score += card & marked_ ? mark_ : 0;
        first_ = score > top_ ? card : first_;
        top_ = score > top_ ? score : top_;
        cards_[count_] = card;
        scores_[count_++] = score;
    }

private:
    u64 marked_ = 0;
    int mark_ = 0;
    u64 first_ = 0;
    int top_ = std::numeric_limits<int>::min();
    int count_ = 0;
    u64 cards_[kMaxTricks + 3];
    int scores_[kMaxTricks + 3];
};

// The best card if the last player follows suit: the lowest winning card if no partner is winning,
// else the lowest card. A hint that is one of these cards replaces this choice.
inline u64 last_answer(const Trick& t, bool held, u64 left, u64 hint) {
    const u64 over = held || !(t.best & t.led) ? 0 : left & ~(t.best | (t.best - 1));
    const u64 good = over ? over : left;
    return lowest(good & hint ? hint : good);
}

// The player to move and the cards to choose from.
struct Turn {
    int player;
    u32 friends;  // the players on the same side, as a set
    u32 good;     // the players whose tricks are good for this side, as a set
    u64 left;     // the candidates
};

// Rates the cards of the K-th player of a trick by weighted features.
template <int P, int K>
class Order : public RatedCards {
public:
    void rate(const Board<P>& b, const Trick& t, const Turn& turn, const Weights& w) {
        if constexpr (K == 0) rate_leads(b, turn, w);
        else rate_answers(b, t, turn, w.answer[K == 1 ? 0 : K + 1 < P ? 1 : 2]);
    }

private:
    // Everything below is added up without branches, which would be hard to predict.
    static int when(bool condition, int weight) { return weight & -static_cast<int>(condition); }

    // The values shared by the ratings of all leads. Weights that are the same for all cards in a
    // suit are added up for all suits at once, a lane each.
    struct Leads {
        u64 bases = kLaneTop;  // so that no lane borrows from the next
        u64 foes = 0, foe_ruffs = 0;
        u64 seats[3] = {};  // the hands of the other players in order, if their seats matter
    };

    void rate_leads(const Board<P>& b, const Turn& turn, const Weights& weights) {
        const int* w = weights.lead;
        const bool places = P == 4 && weights.places;
        const Leads leads = leads_of(b, turn, w, places);
        const u64 own = b.hands[turn.player];
        u64 left = turn.left;
        while (left) {
            const int s = suit_of(lowest_index(left));
            const u64 all = b.all & lane(s), foreign = all & ~own, above_foes = leads.foes & all;
            const int base = static_cast<int>(leads.bases >> (16 * s) & kLane);
            const int out = popcount(foreign);
            const int winner = leads.foe_ruffs & lane(s) ? w[kLeadWinnerRuffed] : w[kLeadWinner];
            u64 here = left & lane(s);
            left ^= here;
            for (; here; here &= here - 1) {
                const u64 card = lowest(here);
                const int under = popcount(foreign & (card - 1));
                const int above = out - under;
                const int equal = when(next_above(card, all) & own, w[kLeadEquals]);
                const int over = when(above_foes < card, w[kLeadOverFoes]);
                int placed = 0;
                if (places) {
                    const u64 higher = all & (0 - 2 * card);
                    for (int i = 0; i < 3; ++i)
                        placed += w[kLeadNextAbove + i] * popcount(leads.seats[i] & higher);
                    placed += w[kLeadOwnAbove] * popcount(own & higher);
                }
                add(card, base + equal + over + placed + w[kLeadAbove] * above +
                              w[kLeadUnder] * under + when(!above, winner) +
                              when(!under, w[kLeadLowest]));
            }
        }
    }

    static Leads leads_of(const Board<P>& b, const Turn& turn, const int* w, bool places) {
        Leads leads;
        const int player = turn.player;
        const u64 own = b.hands[player], length = b.suits(player);
        u64 friendly = 0, foes = 0, friend_ruffs = 0, foe_ruffs = 0, last_ruffs = 0;
        u64 friend_length = 0, foe_length = 0, span = length, next_hand = 0, next_void = 0;
        for (int i = 1; i < P; ++i) {
            const int p = next<P>(player, i);
            const u64 is_friend = 0 - static_cast<u64>(turn.friends >> p & 1);
            const u64 hand = b.hands[p], lengths = b.suits(p);
            const u64 voids = kEach ^ some(lengths), ruffs = hand & b.trumps ? voids : 0;
            friendly |= hand & is_friend;
            foes |= hand & ~is_friend;
            friend_ruffs |= ruffs & is_friend;
            foe_ruffs |= ruffs & ~is_friend;
            friend_length = most_each(friend_length, lengths & is_friend);
            foe_length = most_each(foe_length, lengths & ~is_friend);
            span += lengths;
            if (i == 1) {
                next_hand = foes;
                next_void = voids & ~is_friend;
            }
            if (i == P - 1) last_ruffs = ruffs & ~is_friend;
        }
        const u64 top = tops(b.all), second = tops(b.all ^ top);
        const u64 own_top = some(own & top), own_second = some(own & second);
        const u64 friend_top = some(friendly & top), friend_second = some(friendly & second);
        const u64 next_top = some(next_hand & top), next_second = some(next_hand & second);
        const u64 trump = b.trumps & kEach, plain = kEach ^ trump;
        const u64 single = kEach ^ some(length ^ kEach);
        const bool trumps = own & b.trumps, friend_trumps = friendly & b.trumps;
        const bool drawn = b.trumps && !(foes & b.trumps);
        const auto add_up = [&](LeadWeight name, u64 lanes) {
            leads.bases += static_cast<u64>(w[name]) * lanes;
        };
        add_up(kLeadLength, length);
        add_up(kLeadFoeLength, foe_length);
        add_up(kLeadFriendLength, friend_length);
        add_up(kLeadSpan, span);
        add_up(kLeadTrump, trump);
        add_up(kLeadOwnTop, own_top);
        add_up(kLeadTwoTops, own_top & own_second);
        add_up(kLeadFriendTop, friend_top);
        add_up(kLeadNextTop, next_top);
        add_up(kLeadOwnSecond, own_second & ~own_top);
        add_up(kLeadFoeTops, kEach & ~(own_top | own_second | friend_top | friend_second));
        add_up(kLeadFriendSecond, friend_second);
        add_up(kLeadFriendRuffs, friend_ruffs);
        add_up(kLeadFoeRuffs, foe_ruffs);
        add_up(kLeadNextVoid, next_void);
        add_up(kLeadSingleton, single);
        add_up(kLeadDoubleton, kEach ^ some(length ^ 2 * kEach));
        add_up(kLeadLastRuffs, last_ruffs);
        add_up(kLeadFriendShort, friend_trumps ? plain & ~some(friend_length ^ kEach) : 0);
        add_up(kLeadLong, plain & greater(length, foe_length));
        add_up(kLeadDrawn, drawn ? plain : 0);
        add_up(kLeadTrumpsOut, foe_length & b.trumps);
        add_up(kLeadToRuff, trumps ? plain & single : 0);
        add_up(kLeadThrough, (friend_top & next_second) | (friend_second & next_top));
        if (places) {
            const u64 third = tops(b.all ^ top ^ second);
            add_up(kLeadOwnHonors, own_top + own_second + some(own & third));
            add_up(kLeadFriendHonors, friend_top + friend_second + some(friendly & third));
            for (int i = 0; i < 3; ++i) {
                const int p = next<P>(player, i + 1);
                const u64 lengths = b.suits(p);
                leads.seats[i] = b.hands[p];
                leads.bases += static_cast<u64>(w[kLeadNextLength + i]) * lengths;
                leads.bases += static_cast<u64>(w[kLeadNextEmpty + i]) * (kEach ^ some(lengths));
            }
        }
        leads.foes = foes;
        leads.foe_ruffs = foe_ruffs;
        return leads;
    }

    void rate_answers(const Board<P>& b, const Trick& t, const Turn& turn, const int* w) {
        // The cards that the remaining players may play: those that follow suit, or trumps if they
        // cannot follow.
        u64 foe_cards = 0, foe_ruffs = 0, friend_cards = 0, friend_ruffs = 0;
        for (int i = K + 1; i < P; ++i) {
            const int p = next<P>(t.leader, i);
            const u64 is_friend = 0 - static_cast<u64>(turn.friends >> p & 1);
            const u64 follow = b.hands[p] & t.led;
            const u64 ruffs = follow ? 0 : b.hands[p] & b.trumps;
            friend_cards |= follow & is_friend;
            friend_ruffs |= ruffs & is_friend;
            foe_cards |= follow & ~is_friend;
            foe_ruffs |= ruffs & ~is_friend;
        }
        const bool trick_ruffed = !(t.best & t.led);
        const u64 own = b.hands[turn.player];
        const bool held = turn.good >> t.best_player & 1;  // a friendly player is winning
        const bool safe =
            held & !(trick_ruffed ? foe_ruffs > t.best : foe_ruffs || foe_cards > t.best);
        const bool behind =
            trick_ruffed ? friend_ruffs > t.best : friend_ruffs || friend_cards > t.best;
        const int win = w[kWin] + when(held, w[kWinOverFriend]) +
                        when(safe, w[kWinOverSafeFriend]) + when(behind, w[kWinFriendBehind]);
        const int lose = when(held, w[kLoseFriendWins]) + when(safe, w[kLoseFriendSafe]) +
                         when(behind, w[kLoseFriendBehind]);
        const auto winning = [&](int under, bool top, bool beaten) {
            return win - w[kWinRank] * under + when(top, w[kWinTop]) +
                   (beaten ? -w[kWinUnsafeRank] * under : w[kWinSafe]);
        };
        const u64 others = b.all & t.led & ~own;
        for (u64 rest = turn.left & t.led; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int under = popcount(others & (card - 1));
            const bool top = others < card;
            const int won = winning(under, top, foe_ruffs || foe_cards > card) +
                            w[kWinFoeCards] * popcount(foe_cards & (0 - card));
            const int lost = lose + w[kLose] - w[kLoseRank] * under + when(top, w[kLoseTop]);
            add(card, !trick_ruffed && card > t.best ? won : lost);
        }
        if (turn.left & ~t.led)
            rate_discards(b, t, turn, lose, w, [&](u64 card, int under, bool top) {
                return winning(under, top, foe_ruffs > card) + w[kRuff];
            });
    }

    // Cards outside the led suit; trumps among them may win. Among the cards that do not win, only
    // the lowest of each suit is rated at first; the others are rated only after these have failed.
    template <class Ruffing>
    void rate_discards(const Board<P>& b, const Trick& t, const Turn& turn, int lose, const int* w,
                       Ruffing ruffing) {
        const int player = turn.player;
        u64 left = turn.left & ~t.led, friendly = 0;
        for (int p = 0; p < P; ++p)
            friendly |= p != player && (turn.friends >> p & 1) ? b.hands[p] : 0;
        const u64 over = t.best & b.trumps;
        const u64 ruffs = left & b.trumps & ~(over | (over - (over != 0)));
        for (u64 rest = ruffs; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const u64 others = b.all & b.trumps & ~b.hands[player];
            add(card, ruffing(card, popcount(others & (card - 1)), others < card));
        }
        left ^= ruffs;
        while (left) {
            const u64 low = lowest(left);
            const int s = suit_of(lowest_index(low));
            const u64 others = b.all & lane(s) & ~b.hands[player];
            const int length = b.length(player, s);
            const int under = popcount(others & (low - 1));
            const int above = popcount(others) - under;
            const bool top = !above;
            add(low, lose + w[kThrow] + w[kThrowLength] * length +
                         when(length == 1, w[kThrowSingleton]) +
                         when(friendly & highest(others), w[kThrowFriendTop]) +
                         when(s == b.trump, w[kUnderruff]) - w[kThrowRank] * under +
                         when(top, w[kThrowTop]) +
                         when((length == 2) & !top & (above <= 2), w[kThrowGuard]) +
                         when(above == 1, w[kThrowSecond]));
            left &= ~lane(s);
        }
    }
};

}  // namespace spadille::SPADILLE_ISA
