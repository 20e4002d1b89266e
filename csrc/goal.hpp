// A side's goal, as states that change with each trick.
//
// The search asks one yes-or-no question: from this state, can side S reach the goal whatever the
// others do? A goal defines how a trick changes the state, which states are settled, how many sure
// tricks settle one, and which proofs carry over from one state to another.
#pragma once

#include "goal_automaton.hpp"
#include "quick_tricks.hpp"
#include "multi_count_goal.hpp"

namespace spadille::SPADILLE_ISA {

// The credited players win at least `state` of the remaining tricks.
class TrickGoal {
public:
    static constexpr bool kSeesCards = false;
    static constexpr bool kAvoids = false;
    static constexpr u32 kUnknown = 0xFFFF'0000;
    using Limits = NoLimits;

    explicit TrickGoal(const Sides& sides, int players)
        : credited_(sides.credited), ours_(sides.side & sides.credited),
          theirs_(~(sides.side | sides.credited) & ((1u << players) - 1)) {}

    int after(int state, int winner, bool) const {
        return state - static_cast<int>(credited_ >> winner & 1);
    }
    static void before(bool, int, bool, Limits) {}
    template <class Board>
    bool won(int state, int, const Board&, Limits) const {
        return state <= 0;
    }
    bool lost(int state, int tricks, Limits) const { return state > tricks; }

    // The credited players of S, and the opponents of S who are not credited.
    u32 ours() const { return ours_; }
    u32 theirs() const { return theirs_; }
    u32 credited() const { return credited_; }

    // The goal is reached with `enough` sure tricks of ours(), and lost with `too_many` of
    // theirs(), in any order.
    template <class Board>
    int enough(int state, int, const Board&, Limits) const {
        return state;
    }
    // rule: too-many
    int too_many(int state, int tricks, Limits) const { return tricks - state + 1; }

    // The lower half of `known` is the highest proved state, and the upper half the lowest refuted
    // one.
    bool answers(u32 known, int state, bool& result) const {
        result = state <= proved(known);  // rule: state-win
        return result || state >= refuted(known);  // rule: state-loss
    }
    bool add(u32& known, bool result, int state, Limits) const {
        int from = refuted(known), upto = proved(known);
        if (result) upto = state > upto ? state : upto;
        else from = state < from ? state : from;
        known = static_cast<u32>(from) << 16 | static_cast<u32>(upto);
        return true;
    }
    static Limits limits(u32) { return {}; }

private:
    static int proved(u32 known) { return known & 0xFFFF; }
    static int refuted(u32 known) { return known >> 16; }

    u32 credited_, ours_, theirs_;
};

// All other goals: a finite automaton over the winners of the tricks.
class AutomatonGoal {
public:
    static constexpr bool kSeesCards = true;
    static constexpr bool kAvoids = false;
    static constexpr u32 kUnknown = Automaton::kNone << 16 | Automaton::kNone;
    using Limits = NoLimits;

    AutomatonGoal(const Automaton& a, const Sides& sides, int players)
        : a_(&a), credited_(sides.credited), ours_(sides.side & sides.credited),
          theirs_(~(sides.side | sides.credited) & ((1u << players) - 1)) {}

    int after(int state, int winner, bool marked) const { return a_->after(state, winner, marked); }
    static void before(bool, int, bool, Limits) {}
    template <class Board>
    bool won(int state, int, const Board&, Limits) const {
        return state == Automaton::kWon;
    }
    bool lost(int state, int, Limits) const { return state == Automaton::kLost; }
    u32 ours() const { return ours_; }
    u32 theirs() const { return theirs_; }
    u32 credited() const { return credited_; }
    template <class Board>
    int enough(int state, int, const Board&, Limits) const {
        return a_->enough(state);
    }
    int too_many(int state, int, Limits) const { return a_->too_many(state); }
    // The halves of `known` are as in TrickGoal.
    bool answers(u32 known, int state, bool& result) const {
        const u16 proved = static_cast<u16>(known), refuted = static_cast<u16>(known >> 16);
        result = proved != Automaton::kNone && a_->at_least(state, proved);
        return result || (refuted != Automaton::kNone && a_->at_least(refuted, state));
    }
    bool add(u32& known, bool result, int state, Limits) const {
        const u32 bits = static_cast<u32>(state);
        known = result ? (known & 0xFFFF'0000) | bits : (known & 0xFFFF) | bits << 16;
        return true;
    }
    static Limits limits(u32) { return {}; }

    // Whether the certain tricks of a lone player's two opponents lower `enough` or `too_many` (to
    // 0 if they settle the state). `used` is the lowest trump on which this depends.
    template <class Board>
    bool apart(int state, const Board& b, int& enough, int& too_many, u64& used) const {
        int certain[2] = {}, seen = 0;
        used = 0;
        for (u32 left = theirs_; left && seen < 2; left &= left - 1)
            certain[seen++] = certain_tricks(b, lowest_index(left), Automaton::kMostCertain, used);
        if (!used) return false;
        const int before = enough + too_many;
        enough = a_->enough(state, certain);
        too_many = a_->too_many(state, certain);
        return enough + too_many < before;
    }

private:
    const Automaton* a_;
    u32 credited_, ours_, theirs_;
};

}  // namespace spadille::SPADILLE_ISA
