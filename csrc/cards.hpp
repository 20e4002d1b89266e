// Cards as bits of a 64-bit board: four lanes of 16 bits, one lane per effective suit, rank 0 (the
// lowest) at bit 0 of its lane. A suit has at most 13 cards, so the top bits of a lane stay free
// and lane-wise arithmetic needs no masks.
//
// This code is shared by all instruction sets. search_fast.cpp includes it before enabling newer
// instructions, so only inlined copies can use them.
#pragma once

#include <cassert>
#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace spadille {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kLane = 0xFFFFull;

constexpr int suit_of(int card) { return card >> 4; }
constexpr int rank_of(int card) { return card & 15; }
constexpr u64 lane(int suit) { return kLane << (16 * suit); }
constexpr u64 trump_lane(int trump) { return trump < 0 ? 0 : lane(trump); }
constexpr u64 bit(int card) { return 1ull << card; }

inline int lowest_index(u64 x) {
    assert(x);
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long i;
    _BitScanForward64(&i, x);
    return static_cast<int>(i);
#else
    return __builtin_ctzll(x);
#endif
}

inline int highest_index(u64 x) {
    assert(x);
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long i;
    _BitScanReverse64(&i, x);
    return static_cast<int>(i);
#else
    return 63 - __builtin_clzll(x);
#endif
}

constexpr u64 lowest(u64 x) { return x & (0 - x); }
// Avoids a branch on whether there is a card, which would be hard to predict.
inline u64 highest(u64 x) { return x & 1ull << highest_index(x | 1); }

}  // namespace spadille
