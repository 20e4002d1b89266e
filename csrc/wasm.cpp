// The engine for a host without Python: a hand being played, and the values of its objectives.
//
// wasm.py builds the module for the pages from this file; setup.py leaves it out. All data passes
// through a buffer of integers that the host writes before a call and reads after it. A set of
// cards is two integers, low half first; a list begins with its length. Functions that return text
// return an error message, or null.
#include <memory>
#include <vector>

#include "cards.hpp"
#include "question.hpp"
#include "natural_card_order.hpp"

#if defined(__wasm__)
#define SPADILLE_EXPORT(name) __attribute__((export_name(#name), used))
#else
#define SPADILLE_EXPORT(name)
#endif

namespace spadille {

namespace {

constexpr std::size_t kMemory = std::size_t{256} << 20;

struct Asked {
    std::unique_ptr<Objective> objective;
    int start, state;
};

std::vector<int> buffer(1 << 10);
const std::unique_ptr<Solver> solver = Solver::make(kMemory, true);
Problem first, now;
OpenTrump naming;
std::vector<Asked> asked;

class Reader {
public:
    int whole() { return at_ < buffer.size() ? buffer[at_++] : 0; }
    u64 cards() {
        const u64 low = static_cast<u32>(whole());
        return low | static_cast<u64>(static_cast<u32>(whole())) << 32;
    }
    // No list may be longer than the buffer.
    std::vector<int> list() {
        std::vector<int> numbers(static_cast<std::size_t>(whole()));
        for (int& number : numbers) number = whole();
        return numbers;
    }

private:
    std::size_t at_ = 0;
};

class Writer {
public:
    Writer() { buffer.clear(); }
    Writer& whole(int value) {
        buffer.push_back(value);
        return *this;
    }
    Writer& cards(u64 set) {
        return whole(static_cast<int>(static_cast<u32>(set))).whole(static_cast<int>(set >> 32));
    }
};

const int* written(const std::vector<CardValue>& values) {
    Writer to;
    to.whole(static_cast<int>(values.size()));
    for (const CardValue& card : values) to.whole(card.card).whole(card.value).whole(card.known);
    return buffer.data();
}

Question question(int i) {
    return {*solver, *asked[static_cast<std::size_t>(i)].objective, naming};
}

const char* add(std::unique_ptr<Objective> objective, int state) {
    if (!objective->knows(first, state)) return "the state does not belong to this objective here";
    asked.push_back({std::move(objective), state, state});
    return nullptr;
}

Refusal refusal_of(int card) {
    if (!tricks_left(now)) return Refusal::hand_over;
    if (card < 0 || card >= 64 || !(now.hands[to_play(now)] & bit(card)))
        return Refusal::not_in_hand;
    if (now.trump < 0 && to_play(now) == naming.declarer) return Refusal::trump_not_named;
    return solver->refusal(now, card);
}

}  // namespace

// Makes room for this many numbers; the address may change with every call.
SPADILLE_EXPORT(room) int* room(int numbers) {
    buffer.resize(static_cast<std::size_t>(numbers));
    return buffer.data();
}

// Begins a hand: players, trump, leader, matadors, the rules for following suit, hands, the cards
// on the table, the called card, and who may later name which trumps.
SPADILLE_EXPORT(begin) const char* begin() {
    Reader from;
    Problem p;
    p.players = from.whole();
    p.trump = from.whole();
    p.leader = from.whole();
    p.matadors = from.cards();
    if (const char* refused = p.following.set(from.list())) return refused;
    for (u64& hand : p.hands) hand = from.cards();
    const std::vector<int> table = from.list();
    if (table.size() >= kMaxPlayers) return "the current trick is already complete";
    for (int card : table) p.table[p.on_table++] = card;
    p.called = from.cards();
    naming.declarer = from.whole();
    naming.lanes = from.list();
    asked.clear();
    solver->clear();
    first = now = Problem{};
    if (const char* refused = fault(p)) return refused;
    for (int lane : naming.lanes)
        if (lane < 0 || lane > 3) return "the trump is not a suit";
    first = now = p;
    return nullptr;
}

// Adds a number of tricks as an objective: the side, the players whose tricks count, whether only
// making counts, and the state.
SPADILLE_EXPORT(add_tricks) const char* add_tricks() {
    Reader from;
    Sides sides;
    sides.side = static_cast<u32>(from.whole());
    sides.credited = static_cast<u32>(from.whole());
    const bool made_or_not = from.whole();
    const int state = from.whole();
    if (const char* refused = fault(sides, first.players)) return refused;
    return add(std::make_unique<TrickObjective>(sides, std::vector<int>{}, made_or_not), state);
}

// Adds a payoff as an objective: the player, marked cards, the state, the steps of each level, the
// worth of final states, the number of values, and grades. For a lone player's needs, these follow:
// the kind, two numbers for each value, and the counts in each state of each level.
SPADILLE_EXPORT(add_payoff) const char* add_payoff() {
    Reader from;
    Sides sides;
    sides.side = sides.credited = static_cast<u32>(from.whole());
    const u64 marked = from.cards();
    const int state = from.whole();
    PayoffObjective::Source source;
    source.states.players = first.players;
    for (int levels = from.whole(); levels > 0; --levels)
        source.states.levels.push_back(from.list());
    for (int worth : from.list()) source.states.worth.push_back(worth);
    source.values = from.whole();
    source.grades = from.list();
    if (const char* refused = PayoffObjective::fault(source)) return refused;
    if (const char* refused = fault(sides, first.players)) return refused;
    std::vector<NeedsObjective::Terms> terms;
    for (int values = from.whole(); values > 0; --values)
        terms.push_back({static_cast<Needs::Kind>(from.whole()), {from.whole(), from.whole()}});
    if (terms.empty())
        return add(std::make_unique<PayoffObjective>(sides, std::move(source), marked), state);
    NeedsObjective::Counts counts;
    for (int levels = from.whole(); levels > 0; --levels) {
        counts.emplace_back();
        for (int states = from.whole(); states > 0; --states) counts.back().push_back(from.list());
    }
    if (const char* refused = NeedsObjective::fault(sides, source, terms, counts)) return refused;
    return add(std::make_unique<NeedsObjective>(sides, std::move(source), std::move(terms),
                                                std::move(counts), marked),
               state);
}

SPADILLE_EXPORT(rewind) void rewind_hand() {
    now = first;
    for (Asked& question : asked) question.state = question.start;
}

// The number of the `Refusal` that says why a card cannot be played now; 0 if it can be.
SPADILLE_EXPORT(refusal) int refusal(int card) { return static_cast<int>(refusal_of(card)); }

// Plays a legal card; returns the winner of the trick, or -1.
SPADILLE_EXPORT(play) int play(int card) {
    if (refusal(card)) return -1;
    for (std::size_t i = 0; i < asked.size(); ++i)
        asked[i].state = question(static_cast<int>(i)).step(now, asked[i].state, card);
    now = played(now, card);
    return now.on_table ? -1 : now.leader;
}

// Names the declarer's trumps.
SPADILLE_EXPORT(name) void name(int lane) {
    if (now.trump < 0 && to_play(now) == naming.declarer) now.trump = lane;
}

// The position: tricks left, the leader, the player to move, the player winning the trick or -1,
// the trump, the legal cards, those represented by a lower neighbor, and the state of each
// objective.
SPADILLE_EXPORT(position) const int* position() {
    const Choice choice = tricks_left(now) ? solver->choice(now) : Choice{0, 0};
    Writer to;
    to.whole(tricks_left(now)).whole(now.leader).whole(to_play(now));
    to.whole(now.on_table ? winner(now) : -1).whole(now.trump);
    to.cards(choice.legal).cards(choice.equivalents);
    for (const Asked& question : asked) to.whole(question.state);
    return buffer.data();
}

// Stops later questions after this many nodes or milliseconds (0: no limit).
SPADILLE_EXPORT(limit) void limit(double nodes, double ms) {
    Limits limits;
    limits.nodes = static_cast<u64>(nodes);
    limits.seconds = ms / 1000;
    solver->limit(limits);
}

SPADILLE_EXPORT(nodes) double nodes() { return static_cast<double>(solver->nodes()); }

SPADILLE_EXPORT(forget) void forget() { solver->clear(); }

// The lowest and the highest possible value.
SPADILLE_EXPORT(span) const int* span(int i) {
    int low = 0, high = 0;
    const Asked& from = asked[static_cast<std::size_t>(i)];
    from.objective->span(tricks_left(now), from.state, low, high);
    Writer().whole(low).whole(high);
    return buffer.data();
}

// Bounds on the value, narrowed from the given ones; they are equal unless a limit stopped the
// search.
SPADILLE_EXPORT(bounds) const int* bounds(int i, int low, int high, int guess) {
    question(i).bounds(now, asked[static_cast<std::size_t>(i)].state, low, high, guess);
    Writer().whole(low).whole(high);
    return buffer.data();
}

// The values of the legal cards, given the value of the position: their number and, for each, the
// card, its value, and whether the value is known.
SPADILLE_EXPORT(cards) const int* cards(int i, int value) {
    std::vector<CardValue> values;
    question(i).card_values(now, asked[static_cast<std::size_t>(i)].state, value, values);
    return written(values);
}

// The same, if everybody plays by rules of thumb after the card.
SPADILLE_EXPORT(playouts) const int* playouts(int i) {
    std::vector<CardValue> values;
    question(i).playouts(now, asked[static_cast<std::size_t>(i)].state, values);
    return written(values);
}

// An optimal line, given the value of the position: whether it is complete (no limit stopped the
// search), the trump named in it or -1, the number of cards, and the cards.
SPADILLE_EXPORT(line) const int* line(int i, int value) {
    std::vector<int> best;
    int named = -1;
    const Stop why =
        question(i).best_line(now, asked[static_cast<std::size_t>(i)].state, value, best, named);
    Writer to;
    to.whole(why == Stop::none).whole(named).whole(static_cast<int>(best.size()));
    for (int card : best) to.whole(card);
    return buffer.data();
}

}  // namespace spadille
