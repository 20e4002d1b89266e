// In which order a player would try cards that are worth the same.
//
// He follows with his lowest card, unless his side can no longer take the trick after him: then
// with the cheapest that nobody can beat.  He leads and discards low, trumps last.  In Misère the
// declarer throws his highest card that loses.
#pragma once

#include <vector>

#include "problem.hpp"

namespace spadille {

// The player who wins the running trick so far.
int winner(const Problem& p);

std::vector<int> by_taste(const Problem& p, const Sides& sides, u64 cards);

}  // namespace spadille
