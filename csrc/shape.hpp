// What a position is looked up by: its shape, and the owners of its cards.
#pragma once

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

template <int P>
inline constexpr int kPlanes = P == 5 ? 3 : 2;
template <int P>
inline constexpr int kSummaryBits = P == 5 ? 5 : 8;

// What the shape holds beside the lengths of four players' suits.
template <int P>
u32 rest_of_shape(const Board<P>& b, u32 leaders) {
    u32 rest = leaders | static_cast<u32>(popcount(b.matadors & b.all)) << 3;
    if (b.called) {
        const int at = lowest_index(b.called);
        const int above = popcount(b.all & lane(suit_of(at)) & ~(b.called | (b.called - 1)));
        rest |= static_cast<u32>(1 + suit_of(at) * 13 + above) << 5;
    }
    return rest | b.fifth << 11;
}

// Bit k of each card's owner.
template <int P>
void find_owners(const Board<P>& b, u64 (&owners)[kPlanes<P>]) {
    for (u64& owner : owners) owner = 0;
    for (int p = 1; p < P; ++p)
        for (int k = 0; k < kPlanes<P>; ++k)
            if (p >> k & 1) owners[k] |= b.hands[p];
}

// Where the cards lie in the relative order whose owners a pattern's summary tells: the two highest of
// each suit, with three planes the highest and one more.  It follows from the shape.
template <int P>
u64 summary_places(u64 all) {
    u64 out = 0;
    for (int s = 0; s < 4; ++s) {
        const int end = popcount(all & (~0ull >> (48 - 16 * s)));
        const int cards = P < 5 || s == 3 ? 2 : 1;
        out |= ((1ull << cards) - 1) << end >> cards;
    }
    return out;
}

}  // namespace spadille::SPADILLE_ISA
