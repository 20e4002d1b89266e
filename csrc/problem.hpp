// The engine's input: a position, the rules for following suit, and the sides.
//
// Cards are bits of a board (cards.hpp). Players are numbered in order of play.
#pragma once

#include "cards.hpp"
#include "following.hpp"

namespace spadille {

constexpr int kMaxPlayers = 5;
constexpr int kMaxTricks = 13;
constexpr int kMostMatadors = 3;  // Spadille, Manille, Basta: the limit of a table key

struct Problem {
    int players = 4;
    int trump = -1;  // lane, or -1
    int leader = 0;  // of the current trick
    int on_table = 0;
    int table[kMaxPlayers] = {};  // card numbers, in order of play
    u64 hands[kMaxPlayers] = {};
    u64 matadors = 0;
    u64 called = 0;  // a called card under duty that has not been played
    Following following;
};

inline int to_play(const Problem& p) { return (p.leader + p.on_table) % p.players; }

// The players S cooperate against all others for the tricks of the credited players W.
struct Sides {
    u32 side = 0;
    u32 credited = 0;
    bool operator==(const Sides&) const = default;
};

// A lone player's needs in the remaining tricks, if a single number cannot express them.
struct Needs {
    // most: a number of tricks, and a lead over each rival. either: one of these two is enough.
    // clean: a number of tricks without a card of `marked` (whole suits).
    enum Kind : u8 { most, either, clean };
    Kind kind = most;
    // The number of tricks needed, then the lead needed over each rival, in order of player number.
    // For clean tricks: the number needed while all of the player's tricks are clean, and the
    // number needed once one is not (at least as high).
    int of[kMaxPlayers] = {};
    u64 marked = 0;
};

}  // namespace spadille
