#include "objective.hpp"

#include <algorithm>
#include <bit>

#include "cards.hpp"
#include "question.hpp"

namespace spadille {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::size_t size(const Automaton::Source& states, std::size_t level) {
    const std::size_t width = 2 * at(states.players);
    return level ? states.levels[level].size() / width : states.worth.size();
}

}  // namespace

Stop Objective::bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                       int guess) const {
    return narrow(low, high, guess,
                  [&](int need, bool& answer) { return ask(solver, p, state, need, answer); });
}

// Tricks

int TrickObjective::value_of(int count) const {
    if (made_or_not_) return -(count < 0);
    if (steps_.empty()) return count;
    return static_cast<int>(std::upper_bound(steps_.begin(), steps_.end(), count) - steps_.begin());
}

bool TrickObjective::knows(const Problem& p, int state) const {
    return state >= -kMaxTricks && state <= kMaxTricks && !fault(sides, p.players);
}

int TrickObjective::after(int, int state, int winner, bool) const {
    return state + static_cast<int>(sides.credited >> winner & 1);
}

void TrickObjective::span(int left, int state, int& low, int& high) const {
    low = value_of(state);
    high = value_of(state + left);
}

// Two partners win a number of tricks if and only if the other two do not win the rest. Both pairs
// ask about the pair with player 0, and so share the engine's table.
Stop TrickObjective::ask(Solver& solver, const Problem& p, int state, int need,
                         bool& answer) const {
    constexpr u32 kFour = 0b1111;
    const int wanted = (steps_.empty() ? need : steps_[at(need - 1)]) - state;
    if (p.players != 4 || sides.side != sides.credited || sides.side & 1 ||
        std::popcount(sides.side) != 2)
        return solver.takes(p, sides, wanted, answer);
    const u32 others = kFour ^ sides.side;
    const Stop why = solver.takes(p, {others, others}, tricks_left(p) + 1 - wanted, answer);
    answer = !answer;
    return why;
}

Stop TrickObjective::bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                            int guess) const {
    return Objective::bounds(solver, p, state, low, high, made_or_not_ ? 0 : guess);
}

// Payoffs

PayoffObjective::PayoffObjective(const Sides& s, Source source, u64 marks)
    : Objective(s, marks), source_(std::move(source)), goals_(at(source_.values)) {}

bool PayoffObjective::knows(const Problem& p, int state) const {
    const std::size_t left = at(tricks_left(p));
    return p.players == source_.states.players && state >= 0 &&
           left < source_.states.levels.size() && at(state) < size(source_.states, left);
}

const char* PayoffObjective::fault(const Source& source) {
    const Automaton::Source& states = source.states;
    if (const char* problem = spadille::fault(states)) return problem;
    const auto is_value = [&](long long value) { return value >= 0 && value < source.values; };
    if (!std::all_of(states.worth.begin(), states.worth.end(), is_value))
        return "the index of a payoff is invalid";
    for (const auto& level : states.stop)
        for (long long value : level)
            if (value != Automaton::kNoStop && !is_value(value))
                return "the payoff of a stop is invalid";
    if (!source.led.empty() && source.led.size() != states.levels.size())
        return "the states after going on do not match the levels";
    for (std::size_t k = 0; k < source.led.size(); ++k) {
        if (source.led[k].size() != size(states, k))
            return "the states after going on do not match their level";
        for (int next : source.led[k])
            if (next < 0 || at(next) >= size(states, k))
                return "going on leads to an unknown state";
    }
    if (!source.grades.empty() && source.grades.front() != 0) return "the grades do not begin at 0";
    return std::is_sorted(source.grades.begin(), source.grades.end()) ? nullptr
                                                                      : "the grades are not sorted";
}

int PayoffObjective::after(int left, int state, int winner, bool marks) const {
    const int width = 2 * source_.states.players;
    return source_.states.levels[at(left)][at(state * width + 2 * winner + marks)];
}

int PayoffObjective::led(int left, int state) const {
    return source_.led.empty() ? state : source_.led[at(left)][at(state)];
}

bool PayoffObjective::stops(int left, int state, int value) const {
    // If the side cannot stop in a state, the entry (kNoStop) is below any payoff.
    return !source_.states.stop.empty() && source_.states.stop[at(left)][at(state)] >= value;
}

void PayoffObjective::span(int, int, int& low, int& high) const {
    low = 0;
    high = source_.values - 1;
}

std::shared_ptr<const Automaton> PayoffObjective::goal(int need) const {
    const std::lock_guard<std::mutex> guard(lock_);
    auto& automaton = goals_[at(need)];
    if (!automaton) {
        const u32 others = ((1u << source_.states.players) - 1) ^ sides.credited;
        automaton = std::make_shared<const Automaton>(source_.states, need, sides.credited, others);
    }
    return automaton;
}

Stop PayoffObjective::ask(Solver& solver, const Problem& p, int state, int need,
                          bool& answer) const {
    const auto asked = goal(need);
    return solver.reaches(p, sides, asked, asked->start(tricks_left(p), state), marked, answer);
}

Stop PayoffObjective::bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                             int guess) const {
    if (!tricks_left(p)) {
        const int worth = static_cast<int>(source_.states.worth[at(state)]);
        low = high = std::min(std::max(worth, low), high);
    }
    return Objective::bounds(solver, p, state, low, high, guess);
}

int PayoffObjective::grade(int value) const {
    const auto& grades = source_.grades;
    if (grades.empty()) return value;
    return *(std::upper_bound(grades.begin(), grades.end(), value) - 1);
}

int PayoffObjective::next_grade(int value) const {
    const auto& grades = source_.grades;
    if (grades.empty()) return value + 1;
    const auto better = std::upper_bound(grades.begin(), grades.end(), value);
    return better == grades.end() ? source_.values : *better;
}

// A lone player's needs

NeedsObjective::NeedsObjective(const Sides& s, Source source, std::vector<Terms> terms,
                               Counts counts, u64 marks)
    : PayoffObjective(s, std::move(source), marks), terms_(std::move(terms)),
      counts_(std::move(counts)) {}

const char* NeedsObjective::fault(const Sides& s, const Source& source,
                                  const std::vector<Terms>& terms, const Counts& counts) {
    if (!s.side || s.side & (s.side - 1) || s.credited != s.side || s.side >> source.states.players)
        return "only one player can have needs";
    if (terms.size() != at(source.values)) return "the needs do not match the payoffs";
    const bool clean = terms.back().kind == Needs::clean;
    for (const Terms& value : terms)
        if ((value.kind == Needs::clean) != clean) return "the needs are of different kinds";
    if (counts.size() != source.states.levels.size()) return "the counts do not match the levels";
    for (std::size_t k = 0; k < counts.size(); ++k) {
        if (counts[k].size() != size(source.states, k))
            return "the counts of a level do not match its states";
        for (const auto& has : counts[k])
            if (has.size() != (clean ? 2 : at(source.states.players)))
                return "a state has the wrong number of counts";
    }
    return nullptr;
}

Stop NeedsObjective::ask(Solver& solver, const Problem& p, int state, int need,
                         bool& answer) const {
    const Terms& terms = terms_[at(need)];
    const std::vector<int>& has = counts_[at(tricks_left(p))][at(state)];
    Needs needs;
    needs.kind = terms.kind;
    needs.marked = marked;
    if (terms.kind == Needs::clean) {
        for (int dirty = 0; dirty < 2; ++dirty)
            needs.of[dirty] = terms.of[has[1] ? 1 : dirty] - has[0];
    } else {
        needs.of[0] = terms.of[0] - has[0];
        for (std::size_t rival = 1; rival < has.size(); ++rival)
            needs.of[rival] = has[rival] - has[0] + 1;
    }
    return solver.meets(p, lowest_index(sides.side), needs, answer);
}

// Finding how many tricks the player can take is far easier than finding how the others share
// theirs. This leaves two outcomes: the worst one with at least this number, and the best one with
// at most this number. The value is nearly always one of them.
Stop NeedsObjective::bounds(Solver& solver, const Problem& p, int state, int& low, int& high,
                            int guess) const {
    const int left = tricks_left(p);
    if (terms_.back().kind == Needs::clean || left < kLong || high - low < 2)
        return PayoffObjective::bounds(solver, p, state, low, high, guess);
    const int won = counts_[at(left)][at(state)][0];
    int least = 0, most = left;
    const TrickObjective own({sides.side, sides.side});
    Stop why = own.bounds(solver, p, 0, least, most, left / 2);
    int worst = 0, best = static_cast<int>(terms_.size()) - 1;
    while (terms_[at(worst)].of[0] < won + least) ++worst;
    while (terms_[at(best)].of[0] > won + most) --best;
    const int floor = low;
    low = std::max(low, std::min(worst, high));
    high = std::min(high, std::max(best, floor));
    if (why != Stop::none || low >= high) return why;
    bool reached = false;
    why = ask(solver, p, state, high, reached);
    if (why != Stop::none) return why;
    if (reached) low = high;
    else --high;
    return Objective::bounds(solver, p, state, low, high, low + 1);
}

}  // namespace spadille
