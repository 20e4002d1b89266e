// A player's trumps and those of the others, as used by the duel (sure_trump_tricks.hpp).
#pragma once

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

// Each other player has a lane of bits; the lanes are in turn order after the owner. In the lane,
// the owner's trumps are zeros, from high to low. Each of the other player's trumps is a one,
// before the first zero that it beats.
struct Holding {
    u64 lanes = 0;
    int trumps = 0;  // of the owner
    int known = 0;  // the number of the owner's top trumps with a known rank
    int players = 0;
    bool alone = false;  // the owner has no partners
    bool draws = false;  // when the owner leads a trump, all who have trumps follow
    int winners = 0;  // the owner's plain cards that only a ruff beats
    u32 low = 0;  // if alone: foreign trumps below all of the owner's, four bits per distance

    static constexpr u64 kFirst = kEach;
    static constexpr u64 kLast = kFirst << 15;

    static u64 lane(int distance) { return spadille::lane(distance - 1); }

    u64 foreign(int distance) const { return lanes & lane(distance); }
    int low_of(int distance) const { return static_cast<int>(low >> 4 * (distance - 1)) & 15; }
    bool has(int distance) const { return foreign(distance) || low_of(distance); }

    // The owner's i-th trump in a lane, and all bits before it in all lanes.
    u64 own(int i, int distance) const { return deposit(1ull << i, lane(distance) & ~lanes); }
    u64 before(int i) const { return (own(i, 1) | own(i, 2) | own(i, 3) | own(i, 4)) - kFirst; }
    // The trumps of another player that beat the owner's i-th trump.
    u64 over(int i, int distance) const { return foreign(distance) & (own(i, distance) - 1); }

    // The first of the owner's trumps that a trump of another player beats.
    int beats(u64 card, int distance) const {
        return popcount(lane(distance) & ~lanes & (card - 1));
    }
    // Whether no trump of another player ranks between the owner's i-th trump and the next.
    bool same(int i) const {
        if (i + 1 >= trumps) return false;
        u64 between = 0;
        for (int k = 1; k < players; ++k) between |= own(i + 1, k) ^ own(i, k) << 1;
        return !between;
    }

    // The same with only the ranks of the owner's top `number` trumps known: all trumps of the
    // others that beat none of these beat the rest. `theirs` has the others' numbers of trumps.
    Holding knowing(int number, const int* theirs) const {
        Holding h = *this;
        h.known = number;
        h.low = 0;
        h.lanes = number ? lanes & before(number - 1) : 0;
        for (int k = 1; k < players; ++k) {
            const u64 from = number ? own(number - 1, k) << 1 : lane(k) & kFirst;
            const int rest = theirs[k] - popcount(h.foreign(k));
            h.lanes |= (from << rest) - from;  // rule: duel-unknown
        }
        return h;
    }

    Holding without_own(int i) const {
        Holding h = *this;
        --h.trumps;
        if (i < known) --h.known;
        if (i + 1 < trumps) {
            const u64 kept = before(i);
            h.lanes = (lanes & kept) | (lanes >> 1 & ~(kept | kLast));
            return h;
        }
        h.lanes = i ? lanes & before(i - 1) : 0;
        if (alone)
            for (int k = 1; k < players; ++k)  // rule: duel-low
                h.low += static_cast<u32>(popcount((lanes ^ h.lanes) & lane(k))) << 4 * (k - 1);
        return h;
    }

    Holding without_foreign(u64 card, int distance) const {
        Holding h = *this;
        const u64 from = foreign(distance) & ~(card - 1);
        h.lanes = lanes ^ from ^ ((from ^ card) >> 1);
        return h;
    }

    // The holding after another player has played the lowest trump.
    Holding without_lowest(int distance) const {
        if (!low_of(distance)) return without_foreign(highest(foreign(distance)), distance);
        Holding h = *this;
        h.low -= 1u << 4 * (distance - 1);
        return h;
    }

    // The holding after the owner leads the i-th trump and all follow: the player `beaten_by` (0:
    // nobody) plays the lowest trump that beats it, and the others play their lowest.
    Holding drawn(int i, int beaten_by) const {
        Holding h = *this;
        for (int k = 1; k < players; ++k) {
            if (k == beaten_by) h = h.without_foreign(highest(over(i, k)), k);
            else if (has(k)) h = h.without_lowest(k);
        }
        return h.without_own(i);
    }
};

// The trumps of a player, and those of everybody outside the player's group.
template <int P>
Holding holding(const Board<P>& b, int player, u32 group, bool draws) {
    const auto trumps = [&](int p) { return b.hands[p] >> (16 * b.trump) & kLane; };
    const auto at = [](int distance) { return 16 * (distance - 1); };
    u64 others = 0;
    for (int k = 1; k < P; ++k) {
        const int p = next<P>(player, k);  // rule: duel-turn
        if (!(group >> p & 1)) others |= trumps(p) << at(k);
    }
    others = reversed(others);
    const u64 own = reversed(trumps(player));
    const u64 useful = own ? 2 * highest(own) - 1 : 0;  // not below all of the player's
    Holding h;
    h.trumps = h.known = popcount(own);
    h.players = P;
    h.alone = !(group & (group - 1));
    h.draws = draws;
    for (int k = 1; k < P; ++k) {
        const u64 his = others >> at(k) & kLane;
        h.lanes |= extract(his & useful, (his | own) & useful) << at(k);
        if (h.alone) h.low |= static_cast<u32>(popcount(his & ~useful)) << 4 * (k - 1);
    }
    return h;
}

}  // namespace spadille::SPADILLE_ISA
