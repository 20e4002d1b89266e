// The engine's door: one object, one table, one thread.
#pragma once

#include <cstddef>
#include <memory>

#include "automaton.hpp"
#include "problem.hpp"

namespace spadille {

struct Limits {
    u64 nodes = 0;                          // 0: none
    double seconds = 0;                     // 0: none
    bool (*interrupted)(void*) = nullptr;   // asked every few milliseconds
    void* context = nullptr;
    u64 patience = kPatience;  // nodes before bounds that short searches do not repay
    static constexpr u64 kPatience = 10'000;
};

enum class Stop { none, nodes, time, interrupt, budget };

// Thrown inside the search only.
struct Stopped {
    Stop why;
};

// The cards the player to move may play, and of neighbours in his hand that are worth the same all
// but the lowest.
struct Choice {
    u64 legal, equivalents;
};

class Solver {
public:
    virtual ~Solver() = default;

    // Can `sides.side` win at least `need` of the tricks not yet completed for the credited
    // players?  The answer counts only if nothing stopped the search.
    virtual Stop takes(const Problem& p, const Sides& sides, int need, bool& answer) = 0;
    // The same for a state of an automaton.
    virtual Stop reaches(const Problem& p, const Sides& sides,
                         const std::shared_ptr<const Automaton>& goal, int state, u64 marked,
                         bool& answer) = 0;

    // Whether a player alone can have what he needs.
    virtual Stop meets(const Problem& p, int player, const Needs& needs, bool& answer) = 0;

    virtual Choice choice(const Problem& p) = 0;

    virtual void clear() = 0;
    virtual std::size_t bytes() const = 0;

    // Limits hold for all questions from here on until they are set anew.
    virtual void limit(const Limits& limits) = 0;
    // A limit within them: a question stops after so many more nodes; 0: none.  limit() ends it.
    virtual void budget(u64 nodes) = 0;
    virtual u64 nodes() const = 0;  // since limit() was called last

    static std::unique_ptr<Solver> make(std::size_t memory, bool plain);
    static bool has_fast_path();
};
}  // namespace spadille
