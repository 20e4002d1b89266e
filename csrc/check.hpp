// What the engine refuses to look at: nothing behind this door checks its arguments again.
#pragma once

#include "automaton.hpp"
#include "problem.hpp"

namespace spadille {

// What is wrong, in words for the caller; null where nothing is.
const char* fault(const Problem& p);
const char* fault(const Sides& sides, int players);
const char* fault(const Automaton::Source& source);

// Tricks still to play, the running one included.
int tricks_left(const Problem& p);

}  // namespace spadille
