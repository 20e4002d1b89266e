#include "natural_card_order.hpp"

#include <algorithm>
#include <bit>

#include "cards.hpp"

namespace spadille {

namespace {

bool beats(const Problem& p, int card, int best) {
    return suit_of(card) == suit_of(best) ? card > best : suit_of(card) == p.trump;
}

int best_place(const Problem& p) {
    int best = 0;
    for (int i = 1; i < p.on_table; ++i)
        if (beats(p, p.table[i], p.table[best])) best = i;
    return best;
}

// Whether a player who has yet to play to the trick could beat the card if it were winning.
bool beatable(const Problem& p, int card) {
    const u64 led = lane(suit_of(p.table[0]));
    const u64 higher = lane(suit_of(card)) & (0 - 2 * bit(card));
    const u64 from_void = suit_of(card) == p.trump ? higher : trump_lane(p.trump);
    for (int i = p.on_table + 1; i < p.players; ++i) {
        const u64 hand = p.hands[(p.leader + i) % p.players];
        if (hand & led ? hand & led & higher : hand & from_void) return true;
    }
    return false;
}

}  // namespace

int winner(const Problem& p) { return (p.leader + best_place(p)) % p.players; }

std::vector<int> by_taste(const Problem& p, const Sides& sides, u64 cards) {
    std::vector<int> low_first;
    for (; cards; cards &= cards - 1) low_first.push_back(lowest_index(cards));
    std::stable_sort(low_first.begin(), low_first.end(), [&](int a, int b) {
        const bool trumps = suit_of(a) == p.trump, others = suit_of(b) == p.trump;
        return trumps != others ? others : rank_of(a) < rank_of(b);
    });
    if (!p.on_table || low_first.size() == 1) return low_first;

    const int mover = to_play(p), best = p.table[best_place(p)];
    const bool wants = sides.side >> mover & 1;
    const u32 wins_for = wants ? sides.credited : ~sides.credited;
    const auto wins = [&](int card) { return beats(p, card, best); };
    if (wants && !(wins_for >> mover & 1) && sides.side == 1u << mover) {
        std::vector<int> high_first(low_first.rbegin(), low_first.rend());
        std::stable_partition(high_first.begin(), high_first.end(),
                              [&](int card) { return !wins(card); });
        // Of the winning cards, the lowest comes first.
        const auto first = std::find_if(high_first.begin(), high_first.end(), wins);
        std::reverse(first, high_first.end());
        return high_first;
    }
    bool later = !(wins_for >> mover & 1);
    for (int i = p.on_table + 1; i < p.players; ++i)
        later |= wins_for >> (p.leader + i) % p.players & 1;
    if (later || (wins_for >> winner(p) & 1 && !beatable(p, best))) return low_first;
    std::stable_partition(low_first.begin(), low_first.end(),
                          [&](int card) { return wins(card) && !beatable(p, card); });
    return low_first;
}

int by_habit(const Problem& p, const Sides& sides, u64 cards) {
    const int mover = to_play(p);
    const bool declares = sides.side >> mover & 1;
    const bool misere = !(sides.side & sides.credited);
    const u64 trumps = cards & trump_lane(p.trump);
    const auto length = [&](int card) {
        return std::popcount(p.hands[mover] & lane(suit_of(card)));
    };
    const auto best = [](u64 among, auto rating) {
        int chosen = lowest_index(among);
        for (u64 left = among; left; left &= left - 1)
            if (rating(lowest_index(left)) > rating(chosen)) chosen = lowest_index(left);
        return chosen;
    };
    const auto low = [](int card) { return -rank_of(card); };
    if (!p.on_table) {
        if (misere) return best(cards, low);
        if (declares && trumps) return highest_index(trumps);
        const u64 plain = cards & ~trumps;
        return best(plain ? plain : cards,
                    [&](int card) { return 16 * length(card) + rank_of(card); });
    }
    const int leading = p.table[best_place(p)];
    u64 takes = 0;
    for (u64 left = cards; left; left &= left - 1)
        if (beats(p, lowest_index(left), leading)) takes |= lowest(left);
    const u64 loses = cards & ~takes ? cards & ~takes : cards;
    if (misere) return declares ? best(loses, rank_of) : best(cards, low);
    const bool together = declares == static_cast<bool>(sides.side >> winner(p) & 1);
    if (takes && !together) return best(takes, low);
    return best(loses, [&](int card) {
        return 1024 * (suit_of(card) != p.trump) - 16 * length(card) - rank_of(card);
    });
}

}  // namespace spadille
