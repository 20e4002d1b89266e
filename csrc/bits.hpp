// Bit operations on boards. Everything here is in a namespace of the instruction set it is compiled
// for (SPADILLE_ISA), so that the linker never mixes code of two instruction sets.
#pragma once

#include "instruction_set.hpp"

namespace spadille::SPADILLE_ISA {

constexpr u64 kLaneTop = 0x8000800080008000ull;

// The n-th highest card of a set in one lane (n >= 1, at most the size of the set).
inline u64 nth_highest(u64 set, int n) {
    assert(n >= 1 && n <= popcount(set));
    for (;;) {
        const u64 top = highest(set);
        if (--n == 0) return top;
        set ^= top;
    }
}

// Every card of `within` that is at least as high as the lowest card of `set` in the same lane. The
// top bit of a lane is free, so 0x8000 - x cannot borrow from the neighboring lane.
inline u64 close_up(u64 set, u64 within) {
    assert(!(set & kLaneTop));
    return (set | (kLaneTop - set)) & within;
}

// Every card of `within` that is at most as high as the highest card of `set` in the same lane.
inline u64 close_down(u64 set, u64 within) {
    set |= (set >> 1) & 0x7FFF7FFF7FFF7FFFull;
    set |= (set >> 2) & 0x3FFF3FFF3FFF3FFFull;
    set |= (set >> 4) & 0x0FFF0FFF0FFF0FFFull;
    set |= (set >> 8) & 0x00FF00FF00FF00FFull;
    return set & within;
}

// The next card of `within` above each card of `set` (a subset of `within`). In the addition, the
// carry crosses a run of missing cards and stops at the top bit of the lane.
inline u64 next_above(u64 set, u64 within) {
    assert(!(set & ~within) && !(within & kLaneTop));
    const u64 gone = ~(within | kLaneTop);
    const u64 step = set << 1;
    return (((step & gone) + gone) & ~gone) | (step & ~gone);
}

// ---- Four numbers or answers at once, one per lane: numbers are below 2^15, and 1 means yes.

constexpr u64 kEach = 0x0001000100010001ull;

// The lanes that are not empty (or not 0).
inline u64 some(u64 lanes) { return (lanes + (kLaneTop - kEach)) >> 15 & kEach; }

// The lanes in which the first number is greater than the second.
inline u64 greater(u64 a, u64 b) { return (a + (kLaneTop - kEach) - b) >> 15 & kEach; }

// All bits of the lanes whose answer is yes.
inline u64 whole(u64 yes) { return (yes << 16) - yes; }

inline u64 most_each(u64 a, u64 b) { return b ^ ((a ^ b) & whole(greater(a, b))); }
inline u64 least_each(u64 a, u64 b) { return a ^ ((a ^ b) & whole(greater(a, b))); }

// The highest card of each suit.
inline u64 tops(u64 cards) {
    const u64 under = close_down(cards, ~0ull);
    return under & ~(under >> 1 & ~kLaneTop);
}

// The cards of each suit from the highest to the lowest: rank r at bit 13 - r.
inline u64 reversed(u64 cards) {
    cards = (cards >> 1 & 0x5555555555555555ull) | (cards & 0x5555555555555555ull) << 1;
    cards = (cards >> 2 & 0x3333333333333333ull) | (cards & 0x3333333333333333ull) << 2;
    cards = (cards >> 4 & 0x0F0F0F0F0F0F0F0Full) | (cards & 0x0F0F0F0F0F0F0F0Full) << 4;
    cards = (cards >> 8 & 0x00FF00FF00FF00FFull) | (cards & 0x00FF00FF00FF00FFull) << 8;
    return cards >> 2 & 0x3FFF * kEach;
}

// The number of cards of each suit.
inline u64 sizes(u64 cards) {
    cards -= cards >> 1 & 0x5555555555555555ull;
    cards = (cards & 0x3333333333333333ull) + (cards >> 2 & 0x3333333333333333ull);
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return (cards + (cards >> 8)) & 31 * kEach;
}

// The number of binary digits of a value.
inline int digits(u64 x) { return x ? 1 + highest_index(x) : 0; }

// The sum of small numbers.
inline int total(u64 lanes) { return static_cast<int>(lanes * kEach >> 48); }

// An index into a table of 2^bits entries.
inline std::size_t place_of(u64 key, int bits) {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ull >> (64 - bits));
}

}  // namespace spadille::SPADILLE_ISA
