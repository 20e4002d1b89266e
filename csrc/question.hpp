// A question about a position, for any objective: its value, the value of every legal card, or a
// best line of play. The declarer may not have named trumps yet.
//
// Python, batches of deals and builds for other hosts all use this interface.
#pragma once

#include <vector>

#include "input_faults.hpp"
#include "objective.hpp"

namespace spadille {

// The position after the player to move has played a card; a full trick is removed, and its winner
// leads.
Problem played(const Problem& p, int card);

// Narrows the bounds on a value step by step from the guess; `ask(need, answer)` finds whether the
// value is at least `need`. The bounds stay apart if a limit stops the search.
template <class Ask>
Stop narrow(int& low, int& high, int guess, Ask ask) {
    int need = guess;
    while (low < high) {
        need = need > low ? need : low + 1;
        need = need < high ? need : high;
        bool answer = false;
        if (const Stop why = ask(need, answer); why != Stop::none) return why;
        if (answer) low = need++;
        else high = --need;
    }
    return Stop::none;
}

// A declarer who names one of these lanes as trumps just before their first card (RULES 8). Until
// then, a position has no trump, and everybody follows the printed suits.
struct OpenTrump {
    int declarer = -1;  // nobody
    std::vector<int> lanes;
};

struct CardValue {
    int card;
    int value;
    bool known;  // false if a limit stopped the search
};

class Question {
public:
    Question(Solver& solver, const Objective& objective, OpenTrump open = {})
        : solver_(solver), objective_(objective), open_(std::move(open)) {}

    // Whether the value is at least `need`. `answer` is valid only if no limit stopped the search.
    Stop reaches(const Problem& p, int state, int need, bool& answer) const;
    // Narrows the bounds to the value; they stay apart if a limit stops the search.
    Stop bounds(const Problem& p, int state, int& low, int& high, int guess) const;

    // The values of all legal cards, ascending and exact up to grades; `value` is that of the
    // position.
    Stop card_values(const Problem& p, int state, int value, std::vector<CardValue>& values) const;

    // The values of all legal cards, ascending, if everybody then plays by rules of thumb (see
    // `by_habit`) and the hand ends as soon as it may.
    void playouts(const Problem& p, int state, std::vector<CardValue>& values) const;

    // An optimal line to the end; `value` is that of the position. Among the cards that keep it,
    // the line plays the one that people would choose, ignoring cards that take more than `taste`
    // nodes to settle (0: no limit). `named` is the lane of the trump named in the line, or -1.
    Stop best_line(Problem p, int state, int value, std::vector<int>& line, int& named,
                   u64 taste = kTaste) const;
    static constexpr u64 kTaste = 200'000;

    // The state after the player to move has played a card.
    int step(const Problem& p, int state, int card) const;

private:
    bool open(const Problem& p) const { return open_.declarer >= 0 && p.trump < 0; }
    bool names(const Problem& p) const { return open(p) && to_play(p) == open_.declarer; }
    bool gains(const Problem& p) const { return objective_.sides.side >> to_play(p) & 1; }
    // The position after each trump that the player to move may name before playing.
    std::vector<Problem> namings(const Problem& p) const;
    int played_out(Problem p, int state, int card) const;
    Stop ask(const Problem& p, int state, int need, bool& answer) const;
    Stop ask_after(const Problem& p, int state, int card, int need, bool& answer) const;
    Stop choose(const Problem& p, int state, int value, u64 taste, int& card) const;

    Solver& solver_;
    const Objective& objective_;
    OpenTrump open_;
};

}  // namespace spadille
