// What the engine is asked: a position, the rules of following, the sides.
//
// Cards are bits of a 64-bit board: four lanes of 16 bits, one lane an effective suit, rank 0 (the
// lowest) at bit 0 of its lane.  A suit has at most 13 cards, so the top bits of a lane stay free
// and lane-wise arithmetic needs no masks.  Players are numbered in order of play.
#pragma once

#include <cstdint>

#include "following.hpp"

namespace spadille {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int kMaxPlayers = 5;
constexpr int kMaxTricks = 13;
constexpr int kMostMatadors = 3;  // Spadille, Manille, Basta: what a table's key has room for

struct Problem {
    int players = 4;
    int trump = -1;            // lane, or -1
    int leader = 0;            // of the running trick
    int on_table = 0;
    int table[kMaxPlayers] = {};  // card numbers, in order of play
    u64 hands[kMaxPlayers] = {};
    u64 matadors = 0;
    u64 called = 0;            // a called card under duty, still out
    Following following;
};

inline int to_play(const Problem& p) { return (p.leader + p.on_table) % p.players; }

// S plays in concert against everybody else for the tricks of the credited players W.
struct Sides {
    u32 side = 0;
    u32 credited = 0;
    bool operator==(const Sides&) const = default;
};

// The needs of a lone player in the tricks left, where one number is not enough.
struct Needs {
    // More tricks than each rival, and so many; that, or so many; clean tricks, which hold no card
    // of `marked`, whole suits.
    enum Kind : u8 { most, either, clean };
    Kind kind = most;
    // So many tricks, then so many more than each rival, in order of their numbers.  Of clean ones
    // so many while all his are clean, then so many, no fewer, once they are not.
    int of[kMaxPlayers] = {};
    u64 marked = 0;
};

}  // namespace spadille
