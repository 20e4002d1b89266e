// Bit work on boards.  Everything here stands in a namespace of the instruction set it is compiled
// for (SPADILLE_ISA), so that the linker never mixes code of two instruction sets.
#pragma once

#include "isa.hpp"

namespace spadille::SPADILLE_ISA {

constexpr u64 kLaneTop = 0x8000800080008000ull;

// The n-th highest card of a set that lies in one lane (n >= 1, at most the size of the set).
inline u64 nth_highest(u64 set, int n) {
    assert(n >= 1 && n <= popcount(set));
    for (;;) {
        const u64 top = highest(set);
        if (--n == 0) return top;
        set ^= top;
    }
}

// Every card of `within` that is at least as high as the lowest card of `set` in the same lane.
// The top bit of a lane is free, so 0x8000 - x cannot borrow from the neighbour.
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

// The cards of `within` that come next above a card of `set` (a subset of `within`).  A run of
// cards that are gone is crossed by the carry of one addition; the top bit of each lane stops it.
inline u64 next_above(u64 set, u64 within) {
    assert(!(set & ~within) && !(within & kLaneTop));
    const u64 gone = ~(within | kLaneTop);
    const u64 step = set << 1;
    return (((step & gone) + gone) & ~gone) | (step & ~gone);
}

// A place in a table of 2^bits entries.
inline std::size_t place_of(u64 key, int bits) {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ull >> (64 - bits));
}

}  // namespace spadille::SPADILLE_ISA
