// A goal that depends on more than one trick count, as a finite automaton over trick winners.
//
// The caller describes levels of states (level k: k tricks still to play), the effect of a trick on
// each state (by winner, and by whether the trick held a marked card, Nemo's penalty), and the
// worth of each final state. For one threshold ("worth at least v?"), the description is minimized
// from the end. Equivalent states are merged, and settled ones become kWon or kLost. The states of
// a level are ordered: if the goal can be reached from one, it can be reached from all better ones.
// The engine needs no knowledge of payoffs.
#pragma once

#include <vector>

#include "problem.hpp"

namespace spadille {

class Automaton {
public:
    static constexpr int kWon = 0;
    static constexpr int kLost = 1;
    static constexpr u32 kNone = 0xFFFF;

    struct Source {
        int players = 0;
        // levels[k][state * 2 * players + 2 * winner + marked] = state of level k - 1; level 0 has
        // no steps.
        std::vector<std::vector<int>> levels;
        std::vector<long long> worth;  // of each state of level 0
        // Level by level, the payoff for stopping in each state (kNoStop: the side cannot stop);
        // may be empty.
        std::vector<std::vector<long long>> stop;
    };
    static constexpr long long kNoStop = -(1ll << 62);

    // The source must have passed the checks in input_faults.hpp. `ours` and `theirs` are the
    // players whose sure tricks the bounds may count.
    Automaton(const Source& source, long long threshold, u32 ours, u32 theirs);

    int start(int tricks, int state) const { return names_[tricks][state]; }
    int after(int state, int winner, bool marked) const {
        return steps_[static_cast<std::size_t>(state) * width_ + 2 * winner + marked];
    }
    int enough(int state) const { return enough_[state]; }
    int too_many(int state) const { return too_many_[state]; }

    // The same if each of two opponents has sure tricks; `certain` holds the two counts. The result
    // is 0 if these tricks settle the state.
    static constexpr bool tells_apart(int players) { return players == 3; }
    static constexpr int kMostCertain = 3;  // for each opponent; higher numbers hardly ever matter
    int enough(int state, const int (&certain)[2]) const { return apart(state, certain).enough; }
    int too_many(int state, const int (&certain)[2]) const {
        return apart(state, certain).too_many;
    }
    // Whether reaching the goal from `weak` implies reaching it from `strong` (same level).
    bool at_least(int strong, int weak) const {
        if (strong == weak) return true;
        const std::size_t row = static_cast<std::size_t>(strong);
        // rule: automaton-order
        return order_[first_order_[row] + static_cast<std::size_t>(local_[weak])];
    }

private:
    struct Settles {
        u8 enough, too_many;
    };
    const Settles& apart(int state, const int (&certain)[2]) const {
        return apart_[(static_cast<std::size_t>(state) * kApart +
                       static_cast<std::size_t>(certain[0])) *
                          kApart +
                      static_cast<std::size_t>(certain[1])];
    }
    void add_level(const Source& source, std::size_t left, long long threshold, u32 ours,
                   u32 theirs);
    void add_state(const std::vector<int>& step, int left, u32 ours, u32 theirs);
    void tell_apart(const int* step, int tricks, u32 ours, u32 theirs);

    static constexpr int kApart = 1 + kMostCertain;
    // More tricks than are ever played; used if no number of tricks settles the state.
    static constexpr int kNever = kMaxTricks + 1;
    bool settled(int state) const { return state <= kLost; }
    void order_level(const std::vector<int>& level);
    bool implies(int strong, int weak) const;

    int width_ = 0;
    std::vector<std::vector<int>> names_;  // source state -> state, per level
    std::vector<int> steps_, enough_, too_many_, local_;
    std::vector<Settles> apart_;  // per state, with certain tricks
    std::vector<std::size_t> first_order_;
    std::vector<bool> order_;
};

}  // namespace spadille
