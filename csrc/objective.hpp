// The aim of a side in a hand, as a value of which more is better.
//
// Values are whole numbers: tricks, minus tricks in Misère, or places in a list of payoffs from low
// to high.  A state holds the effect of the tricks so far, so that a position keeps its value as
// long as everybody plays well.  Objectives never change; threads may share one.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "solver.hpp"

namespace spadille {

class Objective {
public:
    virtual ~Objective() = default;

    // Whether there is such a state in this position.
    virtual bool knows(const Problem& p, int state) const = 0;
    // The state after a trick that began with `left` tricks to play; `marked`: it held such a card.
    virtual int after(int left, int state, int winner, bool marked) const = 0;
    // The state once somebody has led to the next trick.
    virtual int led(int left, int state) const {
        (void)left;
        return state;
    }
    // Whether the side ends the hand here for this value.
    virtual bool stops(int left, int state, int value) const {
        (void)left, (void)state, (void)value;
        return false;
    }
    // The least and the greatest value there can be with so many tricks to play.
    virtual void span(int left, int state, int& low, int& high) const = 0;

    // Is the value at least `need`?  The answer counts only if nothing stopped the search.
    virtual Stop ask(Solver& solver, const Problem& p, int state, int need, bool& answer) const = 0;
    // Narrows the bounds to the value, `guess` being tried first; they stay apart if stopped.
    virtual Stop bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                        int guess) const;

    // The least value that is shown in the same words, and the least in better ones.
    virtual int grade(int value) const { return value; }
    virtual int next_grade(int value) const { return value + 1; }

    Sides sides;
    u64 marked = 0;  // whole suits

protected:
    explicit Objective(const Sides& s, u64 marks = 0) : sides(s), marked(marks) {}
};

// Tricks of the credited players, all of the hand together, plus an offset; or what they pay.
class TrickObjective final : public Objective {
public:
    // `steps` are, for each value from the second on, the tricks it needs; none: a value is a
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
    bool made_or_not_;  // of a Misère: 0 if it makes, otherwise -1
};

// A payoff that does not follow from a number of tricks, as states of an automaton.
class PayoffObjective : public Objective {
public:
    struct Source {
        Automaton::Source states;  // `worth` and `stop` are places in the list of payoffs
        std::vector<std::vector<int>> led;  // the state after leading on, per level; may be empty
        std::vector<int> grades;  // the least values that are shown in words of their own
        int values = 0;  // how many payoffs there are
    };
    PayoffObjective(const Sides& s, Source source, u64 marks = 0);
    // The fault of these payoffs, or nullptr.
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
    mutable std::mutex lock_;  // guards goals_, which are compiled when they are first asked for
    mutable std::vector<std::shared_ptr<const Automaton>> goals_;
};

// A lone player's payoff that depends on needs: most tricks, or clean ones.
class NeedsObjective final : public PayoffObjective {
public:
    // What he needs of the whole hand for a value, and what a state has of it: for most tricks his
    // own tricks, then those of each rival in order of their numbers; of clean ones how many, and
    // whether one of his tricks is not.
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
    // From so many tricks on, his own are counted before those of the rivals.
    static constexpr int kLong = 6;

    std::vector<Terms> terms_;
    Counts counts_;
};

}  // namespace spadille
