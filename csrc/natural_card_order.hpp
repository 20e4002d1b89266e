// The order in which a player would try cards of equal value.
//
// A player follows with the lowest card. If the player's side could then no longer take the trick,
// the player follows with the cheapest card that nobody can beat. Players lead and discard low
// cards first, and trumps last. In Misère, the declarer discards the highest losing card.
#pragma once

#include <vector>

#include "problem.hpp"

namespace spadille {

// The player who is winning the current trick.
int winner(const Problem& p);

std::vector<int> by_taste(const Problem& p, const Sides& sides, u64 cards);

// The card among `cards` that rules of thumb suggest to the player to move, based only on that
// player's hand, the trick and the sides. The rules are those of `by_habit` in
// analysis/chances/player.py, but every player of the declaring side leads trumps.
int by_habit(const Problem& p, const Sides& sides, u64 cards);

}  // namespace spadille
