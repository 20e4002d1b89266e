// What the side tries to reach, as states that change with each trick.
//
// The search asks one yes-or-no question: from this state, can side S reach the goal whatever the
// others do?  A goal says how a trick changes the state, which states are settled, how many sure
// tricks settle one, and which proofs carry over from one state to another.
#pragma once

#include "automaton.hpp"
#include "bits.hpp"

namespace spadille::SPADILLE_ISA {

// T: the credited players win at least `state` of the tricks left.
class TrickGoal {
public:
    static constexpr bool kSeesCards = false;
    static constexpr u16 kNoWin = 0;
    static constexpr u16 kNoLoss = 0xFFFF;

    explicit TrickGoal(const Sides& sides, int players)
        : credited_(sides.credited),
          ours_(sides.side & sides.credited),
          theirs_(~(sides.side | sides.credited) & ((1u << players) - 1)) {}

    int after(int state, int winner, bool) const {
        return state - static_cast<int>(credited_ >> winner & 1);
    }
    bool won(int state, int) const { return state <= 0; }
    bool lost(int state, int tricks) const { return state > tricks; }

    // Players whose tricks S can count on, and those whose tricks it cannot have.
    u32 ours() const { return ours_; }
    u32 theirs() const { return theirs_; }
    u32 credited() const { return credited_; }

    // So many sure tricks of ours() win, so many of theirs() lose, in any order.
    int enough(int state, int) const { return state; }
    int too_many(int state, int tricks) const { return tricks - state + 1; }

    bool proves_win(u16 proved, int state) const { return state <= proved; }
    bool proves_loss(u16 proved, int state) const { return state >= proved; }
    void add_win(u16& proved, int state) const {
        if (state > proved) proved = static_cast<u16>(state);
    }
    void add_loss(u16& proved, int state) const {
        if (state < proved) proved = static_cast<u16>(state);
    }

private:
    u32 credited_, ours_, theirs_;
};

// Everything else: a finite automaton over the winners of the tricks.
class AutomatonGoal {
public:
    static constexpr bool kSeesCards = true;
    static constexpr u16 kNoWin = Automaton::kNone;
    static constexpr u16 kNoLoss = Automaton::kNone;

    AutomatonGoal(const Automaton& a, const Sides& sides, int players)
        : a_(&a),
          credited_(sides.credited),
          ours_(sides.side & sides.credited),
          theirs_(~(sides.side | sides.credited) & ((1u << players) - 1)) {}

    int after(int state, int winner, bool marked) const { return a_->after(state, winner, marked); }
    bool won(int state, int) const { return state == Automaton::kWon; }
    bool lost(int state, int) const { return state == Automaton::kLost; }
    u32 ours() const { return ours_; }
    u32 theirs() const { return theirs_; }
    u32 credited() const { return credited_; }
    int enough(int state, int) const { return a_->enough(state); }
    int too_many(int state, int) const { return a_->too_many(state); }
    bool proves_win(u16 proved, int state) const {
        return proved != kNoWin && a_->at_least(state, proved);
    }
    bool proves_loss(u16 proved, int state) const {
        return proved != kNoLoss && a_->at_least(proved, state);
    }
    void add_win(u16& proved, int state) const { proved = static_cast<u16>(state); }
    void add_loss(u16& proved, int state) const { proved = static_cast<u16>(state); }

private:
    const Automaton* a_;
    u32 credited_, ours_, theirs_;
};

}  // namespace spadille::SPADILLE_ISA
