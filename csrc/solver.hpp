// The engine's interface: one object, one table, one thread.
#pragma once

#include <cstddef>
#include <memory>

#include "goal_automaton.hpp"
#include "problem.hpp"

namespace spadille {

struct Limits {
    u64 nodes = 0;                          // 0: none
    double seconds = 0;                     // 0: none
    bool (*interrupted)(void*) = nullptr;  // called every few milliseconds
    void* context = nullptr;
    // nodes before the search tries bounds that do not pay off in short searches
    u64 patience = kPatience;
    static constexpr u64 kPatience = 10'000;
};

enum class Stop { none, nodes, time, interrupt, budget };

// Thrown only inside the search.
struct Stopped {
    Stop why;
};

// The cards that the player to move may play; of equivalent neighbors in the hand, only the lowest.
struct Choice {
    u64 legal, equivalents;
};

class Solver {
public:
    virtual ~Solver() = default;

    // Whether `sides.side` can make sure that the credited players win at least `need` of the
    // tricks not yet completed. The answer is valid only if no limit stopped the search.
    virtual Stop takes(const Problem& p, const Sides& sides, int need, bool& answer) = 0;
    // Whether `sides.side` can reach the goal of an automaton from this state.
    virtual Stop reaches(const Problem& p, const Sides& sides,
                         const std::shared_ptr<const Automaton>& goal, int state, u64 marked,
                         bool& answer) = 0;

    // Whether a lone player can meet the needs.
    virtual Stop meets(const Problem& p, int player, const Needs& needs, bool& answer) = 0;

    virtual Choice choice(const Problem& p) = 0;
    // The reason why the player to move may not play a card of the hand.
    virtual Refusal refusal(const Problem& p, int card) = 0;

    virtual void clear() = 0;
    virtual std::size_t bytes() const = 0;

    // Limits apply to all later questions until they are set again.
    virtual void limit(const Limits& limits) = 0;
    // An additional limit: a question stops after `nodes` more nodes (0: no such limit). limit()
    // removes it.
    virtual void budget(u64 nodes) = 0;
    virtual u64 nodes() const = 0;  // since the last call of limit()

    static std::unique_ptr<Solver> make(std::size_t memory, bool plain);
    static bool has_fast_path();
};
}  // namespace spadille
