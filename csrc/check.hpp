// Arguments that the engine refuses; no code called later checks them again.
#pragma once

#include "automaton.hpp"
#include "problem.hpp"

namespace spadille {

// The fault, in words for the caller, or null.
const char* fault(const Problem& p);
const char* fault(const Sides& sides, int players);
const char* fault(const Automaton::Source& source);

// Tricks still to play, the running one included.
int tricks_left(const Problem& p);

}  // namespace spadille
