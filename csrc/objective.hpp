// A side's aim in a hand, expressed as a value; higher is better.
//
// Values are integers: tricks, minus tricks in Misère, or indexes into a list of payoffs from low
// to high. A state holds the effect of the tricks so far; values are for the whole hand, so best
// play does not change a position's value. Objectives never change; threads may share one.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "solver.hpp"

namespace spadille {

class Objective {
public:
    virtual ~Objective() = default;

    // Whether the state is possible in this position.
    virtual bool knows(const Problem& p, int state) const = 0;
    // The state after a trick that began with `left` tricks to play; `marked` if it held a marked
    // card.
    virtual int after(int left, int state, int winner, bool marked) const = 0;
    // The state after the lead to the next trick.
    virtual int led(int left, int state) const {
        (void)left;
        return state;
    }
    // Whether the side gets at least this value if it ends the hand here.
    virtual bool stops(int left, int state, int value) const {
        (void)left, (void)state, (void)value;
        return false;
    }
    // The lowest and the highest possible value with `left` tricks to play.
    virtual void span(int left, int state, int& low, int& high) const = 0;

    // Asks whether the value is at least `need`. The answer counts only if no limit stopped the
    // search.
    virtual Stop ask(Solver& solver, const Problem& p, int state, int need, bool& answer) const = 0;
    // Narrows the bounds to the value, trying `guess` first; if a limit stops the search, they stay
    // apart.
    virtual Stop bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                        int guess) const;

    // The lowest value in the same grade (values described with the same words), and the lowest
    // value in the next grade.
    virtual int grade(int value) const { return value; }
    virtual int next_grade(int value) const { return value + 1; }

    Sides sides;
    u64 marked = 0;  // whole suits

protected:
    explicit Objective(const Sides& s, u64 marks = 0) : sides(s), marked(marks) {}
};

// The credited players' tricks in the whole hand plus an offset, or the payoff for these tricks.
class TrickObjective final : public Objective {
public:
    // `steps` lists the tricks needed for each value from the second on; if empty, the value is a
    // count.
    explicit TrickObjective(const Sides& s, std::vector<int> steps = {}, bool made_or_not = false)
        : Objective(s), steps_(std::move(steps)), made_or_not_(made_or_not) {}

    bool knows(const Problem& p, int state) const override;
    int after(int left, int state, int winner, bool marked) const override;
    void span(int left, int state, int& low, int& high) const override;
    Stop ask(Solver& solver, const Problem& p, int state, int need, bool& answer) const override;
    Stop bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                int guess) const override;

private:
    int value_of(int count) const;

    std::vector<int> steps_;
    bool made_or_not_;  // for a Misère: 0 if it makes, otherwise -1
};

// A payoff that depends on several separate trick counts, as states of an automaton.
class PayoffObjective : public Objective {
public:
    struct Source {
        Automaton::Source states;  // `worth` and `stop` are indexes into the list of payoffs
        std::vector<std::vector<int>> led;  // the state after going on, per level; may be empty
        std::vector<int> grades;  // the lowest value of each grade
        int values = 0;  // the number of payoffs
    };
    PayoffObjective(const Sides& s, Source source, u64 marks = 0);
    // The error in these payoffs, or nullptr.
    static const char* fault(const Source& source);

    bool knows(const Problem& p, int state) const override;
    int after(int left, int state, int winner, bool marked) const override;
    int led(int left, int state) const override;
    bool stops(int left, int state, int value) const override;
    void span(int left, int state, int& low, int& high) const override;
    Stop ask(Solver& solver, const Problem& p, int state, int need, bool& answer) const override;
    Stop bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                int guess) const override;
    int grade(int value) const override;
    int next_grade(int value) const override;

private:
    std::shared_ptr<const Automaton> goal(int need) const;

    Source source_;
    mutable std::mutex lock_;  // guards goals_, which are compiled on first use
    mutable std::vector<std::shared_ptr<const Automaton>> goals_;
};

// A lone player's payoff that depends on needs: most tricks, or clean ones.
class NeedsObjective final : public PayoffObjective {
public:
    // The player's needs in the whole hand for a value, and a state's contribution to them. If the
    // goal is the most tricks, these are the player's own tricks, then those of each rival in order
    // of player number. If the goal is clean tricks, these are their number, and whether one of the
    // player's tricks is not clean.
    struct Terms {
        Needs::Kind kind = Needs::most;
        int of[2] = {};
    };
    using Counts = std::vector<std::vector<std::vector<int>>>;  // per level and state

    NeedsObjective(const Sides& s, Source source, std::vector<Terms> terms, Counts counts,
                   u64 marks = 0);
    static const char* fault(const Sides& s, const Source& source, const std::vector<Terms>& terms,
                             const Counts& counts);

    Stop ask(Solver& solver, const Problem& p, int state, int need, bool& answer) const override;
    Stop bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                int guess) const override;

private:
    // With at least this many tricks left, the player's own tricks are searched before those of the
    // rivals.
    static constexpr int kLong = 6;

    std::vector<Terms> terms_;
    Counts counts_;
};

}  // namespace spadille
