// Checks the engine's arguments; no code called later checks them again.
#pragma once

#include "goal_automaton.hpp"
#include "problem.hpp"

namespace spadille {

// An error message for the caller, or null.
const char* fault(const Problem& p);
const char* fault(const Sides& sides, int players);
const char* fault(const Automaton::Source& source);

// The tricks still to play, including the current one.
int tricks_left(const Problem& p);

}  // namespace spadille
