#include "question.hpp"

#include <algorithm>
#include <bit>

#include "cards.hpp"
#include "natural_card_order.hpp"

namespace spadille {

namespace {

Problem named(const Problem& p, int lane) {
    Problem after = p;
    after.trump = lane;
    return after;
}

// The same position with trumps in the last lane, so that positions that differ only in the trump
// suit share the engine's table.
Problem normal(const Problem& p) {
    constexpr int kLast = 3;
    if (p.trump < 0 || p.trump == kLast) return p;
    const int low = 16 * p.trump, high = 16 * kLast;
    Problem after = named(p, kLast);
    for (u64& hand : after.hands) {
        const u64 both = (hand >> low ^ hand >> high) & kLane;
        hand ^= both << low ^ both << high;
    }
    for (int i = 0; i < p.on_table; ++i) {
        const int suit = suit_of(p.table[i]);
        const int now = suit == p.trump ? kLast : suit == kLast ? p.trump : suit;
        after.table[i] = 16 * now + rank_of(p.table[i]);
    }
    return after;
}

// The node budget for one question.
class Within {
public:
    Within(Solver& solver, u64 nodes) : solver_(solver) { solver_.budget(nodes); }
    ~Within() { solver_.budget(0); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

private:
    Solver& solver_;
};

}  // namespace

Problem played(const Problem& p, int card) {
    Problem after = p;
    after.hands[to_play(p)] ^= bit(card);
    if (p.called == bit(card)) after.called = 0;
    after.table[after.on_table++] = card;
    if (after.on_table == p.players) {
        after.leader = winner(after);
        after.on_table = 0;
    }
    return after;
}

std::vector<Problem> Question::namings(const Problem& p) const {
    if (!names(p)) return {p};
    std::vector<Problem> problems;
    for (int lane : open_.lanes) problems.push_back(named(p, lane));
    return problems;
}

Stop Question::ask(const Problem& p, int state, int need, bool& answer) const {
    if (names(p)) {
        for (int lane : open_.lanes) {
            const Stop why = ask(named(p, lane), state, need, answer);
            if (why != Stop::none || answer) return why;
        }
        return Stop::none;
    }
    if (!open(p)) {
        int low = need - 1, high = need;
        const Stop why = bounds(p, state, low, high, need);
        answer = low == need;
        return why;
    }
    // No trump has been named, so each card must be good, or bad, against all possible trumps.
    const Choice choice = solver_.choice(p);
    answer = !gains(p);
    for (u64 left = choice.legal & ~choice.equivalents; left; left &= left - 1) {
        const int card = lowest_index(left);
        bool reached = false;
        const Stop why = ask(played(p, card), step(p, state, card), need, reached);
        if (why != Stop::none) return why;
        if (reached == answer) continue;
        answer = reached;
        break;
    }
    return Stop::none;
}

Stop Question::bounds(const Problem& p, int state, int& low, int& high, int guess) const {
    if (open(p))
        return narrow(low, high, guess,
                      [&](int need, bool& answer) { return ask(p, state, need, answer); });
    return objective_.bounds(solver_, open_.declarer < 0 ? p : normal(p), state, low, high, guess);
}

Stop Question::reaches(const Problem& p, int state, int need, bool& answer) const {
    int low = 0, high = 0;
    objective_.span(tricks_left(p), state, low, high);
    if (need <= low || need > high) {
        answer = need <= low;
        return Stop::none;
    }
    return ask(p, state, need, answer);
}

int Question::step(const Problem& p, int state, int card) const {
    const int left = tricks_left(p);
    if (!p.on_table) state = objective_.led(left, state);
    if (p.on_table + 1 < p.players) return state;
    bool marked = objective_.marked >> card & 1;
    for (int i = 0; i < p.on_table; ++i) marked |= objective_.marked >> p.table[i] & 1;
    return objective_.after(left, state, played(p, card).leader, marked);
}

// Whether the value after a card is at least `need`.
Stop Question::ask_after(const Problem& p, int state, int card, int need, bool& answer) const {
    for (const Problem& naming : namings(p)) {
        const Stop why = reaches(played(naming, card), step(naming, state, card), need, answer);
        if (why != Stop::none || answer) return why;
    }
    return Stop::none;
}

Stop Question::card_values(const Problem& p, int state, int value,
                           std::vector<CardValue>& values) const {
    values.clear();
    if (!tricks_left(p)) return Stop::none;  // a host may call this once too often
    const bool wants = gains(p);
    const Choice choice = solver_.choice(p);
    const u64 different = choice.legal & ~choice.equivalents;
    for (u64 left = choice.legal; left; left &= left - 1)
        values.push_back({lowest_index(left), 0, false});
    const int going_on = p.on_table ? state : objective_.led(tricks_left(p), state);
    if (going_on != state) {
        // The side may end the hand here, which can be worth more than any card.
        int low = 0, high = 0;
        objective_.span(tricks_left(p), going_on, low, high);
        high = value;
        if (const Stop why = bounds(p, going_on, low, high, value); low < high) return why;
        state = going_on;
        value = low;
    }
    // A card has the value of the lower one that represents it.
    const auto settle = [&](std::size_t i, int worth) {
        do {
            values[i].value = worth;
            values[i].known = true;
            ++i;
        } while (i < values.size() && choice.equivalents >> values[i].card & 1);
    };
    if (!(different & (different - 1))) {
        settle(0, value);
        return Stop::none;
    }
    // Each question is settled for all cards before the next one, which may need another table.
    // High cards come first, because more of their proofs help with the other cards.
    for (bool left = true; left;) {
        left = false;
        const int need = wants ? objective_.grade(value) : objective_.next_grade(value);
        for (std::size_t i = values.size(); i-- > 0;) {
            if (values[i].known || !(different >> values[i].card & 1)) continue;
            bool answer = false;
            const Stop why = ask_after(p, state, values[i].card, need, answer);
            if (why != Stop::none) return why;
            if (answer == wants) settle(i, value);
            else left = true;
        }
        value = wants ? need - 1 : need;
    }
    return Stop::none;
}

void Question::playouts(const Problem& p, int state, std::vector<CardValue>& values) const {
    values.clear();
    for (u64 left = tricks_left(p) ? solver_.choice(p).legal : 0; left; left &= left - 1) {
        const int card = lowest_index(left);
        values.push_back({card, played_out(p, state, card), true});
    }
}

// The value if the player to move plays a card, and everybody plays by rules of thumb from then on.
int Question::played_out(Problem p, int state, int card) const {
    const auto name = [&] {
        if (!names(p)) return;
        const u64 hand = p.hands[to_play(p)];
        p.trump = *std::max_element(open_.lanes.begin(), open_.lanes.end(), [&](int a, int b) {
            return std::popcount(hand & lane(a)) < std::popcount(hand & lane(b));
        });
    };
    name();
    while (true) {
        state = step(p, state, card);
        p = played(p, card);
        const int left = tricks_left(p);
        int low = 0, high = 0;
        objective_.span(left, state, low, high);
        if (!left) objective_.bounds(solver_, p, state, low, high, low);
        if (low == high) return low;
        for (int value = high; !p.on_table && value >= low; --value)
            if (objective_.stops(left, state, value)) return value;
        name();
        card = by_habit(p, objective_.sides, solver_.choice(p).legal);
    }
}

// The first card, in order of preference, that keeps the value. A card that is slow to judge is
// postponed, because another may be settled at once. Showing the card that people would play is not
// worth many times the cost of finding the value.
Stop Question::choose(const Problem& p, int state, int value, u64 taste, int& card) const {
    constexpr u64 kMore = 4;
    const bool wants = gains(p);
    const int need = wants ? value : value + 1;
    const Choice choice = solver_.choice(p);
    auto cards = by_taste(p, objective_.sides, choice.legal & ~choice.equivalents);
    // One of the cards keeps the value; if all others are known to be worse, it is the last one.
    for (u64 budget = taste; cards.size() > 1; budget *= kMore) {
        for (auto it = cards.begin(); it != cards.end() && cards.size() > 1;) {
            bool answer = false;
            const Within within(solver_, budget);
            const Stop why = ask_after(p, state, *it, need, answer);
            if (why == Stop::budget) {
                ++it;
            } else if (why != Stop::none) {
                return why;
            } else if (answer == wants) {
                card = *it;
                return Stop::none;
            } else {
                it = cards.erase(it);
            }
        }
    }
    card = cards.front();
    return Stop::none;
}

Stop Question::best_line(Problem p, int state, int value, std::vector<int>& line, int& named,
                         u64 taste) const {
    line.clear();
    named = -1;
    while (tricks_left(p) && !objective_.stops(tricks_left(p), state, value)) {
        if (names(p)) {
            for (const Problem& naming : namings(p)) {
                bool answer = false;
                const Stop why = reaches(naming, state, value, answer);
                if (why != Stop::none) return why;
                p = naming;
                if (answer) break;
            }
            named = p.trump;
        }
        int card = 0;
        if (const Stop why = choose(p, state, value, taste, card); why != Stop::none) return why;
        line.push_back(card);
        state = step(p, state, card);
        p = played(p, card);
    }
    return Stop::none;
}

}  // namespace spadille
