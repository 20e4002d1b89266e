#include "input_faults.hpp"

#include <bitset>

#include "cards.hpp"

namespace spadille {

namespace {

constexpr u64 kSuit = bit(kMaxTricks) - 1;  // a suit has no more cards than a hand
constexpr u64 kDeck = kSuit | kSuit << 16 | kSuit << 32 | kSuit << 48;

// The states of a level are compared pairwise.
constexpr std::size_t kMostStates = 1 << 14;

int count(u64 cards) { return static_cast<int>(std::bitset<64>(cards).count()); }

bool is_card(int card) { return card >= 0 && card < 64 && (kDeck >> card & 1); }

bool has_players(int players) { return players >= 3 && players <= kMaxPlayers; }

}  // namespace

int tricks_left(const Problem& p) {
    // The leader has already played to the current trick.
    return count(p.hands[p.leader]) + (p.on_table > 0);
}

const char* fault(const Problem& p) {
    if (!has_players(p.players)) return "expected 3 to 5 players";
    if (p.trump < -1 || p.trump > 3) return "the trump is not a suit";
    if (p.leader < 0 || p.leader >= p.players) return "the leader is not a player";
    if (p.on_table < 0 || p.on_table >= p.players) return "the current trick is already complete";
    if (p.matadors & ~(trump_lane(p.trump) & kDeck)) return "a matador is not a trump";
    if (count(p.matadors) > kMostMatadors) return "there are more than 3 matadors";

    u64 held = 0, seen = 0;
    int cards = p.on_table;
    for (int i = 0; i < p.on_table; ++i) {
        if (!is_card(p.table[i])) return "a card on the table is invalid";
        seen |= bit(p.table[i]);
    }
    const int tricks = tricks_left(p);
    for (int i = 0; i < p.players; ++i) {
        const int place = (i + p.players - p.leader) % p.players;
        const int length = count(p.hands[i]);
        if (length + (place < p.on_table) != tricks) return "the hands have different lengths";
        held |= p.hands[i];
        cards += length;
    }
    if (held & ~kDeck) return "a suit has more than 13 cards";
    if (count(held | seen) != cards) return "a card is held twice";
    if (tricks > kMaxTricks) return "a hand has more than 13 cards";
    if (p.called & (p.called - 1)) return "there is more than one called card";
    if (p.called & ~held) return "the called card is not in a hand";
    return nullptr;
}

const char* fault(const Sides& sides, int players) {
    return (sides.side | sides.credited) >> players ? "a side has more players than the hand"
                                                    : nullptr;
}

const char* fault(const Automaton::Source& source) {
    if (!has_players(source.players)) return "expected 3 to 5 players";
    const std::size_t width = 2 * static_cast<std::size_t>(source.players);
    const std::size_t levels = source.levels.size();
    if (!levels || levels > kMaxTricks + 1) return "the levels must cover 0 to at most 13 tricks";
    if (!source.levels[0].empty()) return "there are steps after the last trick";
    if (!source.stop.empty() && source.stop.size() != levels)
        return "the stops do not match the levels";
    std::size_t below = source.worth.size(), states = below;
    for (std::size_t k = 1; k < levels; ++k) {
        const auto& steps = source.levels[k];
        if (steps.size() % width) return "a state needs a step for each winner, marked or not";
        const std::size_t here = steps.size() / width;
        for (int step : steps)
            if (step < 0 || static_cast<std::size_t>(step) >= below)
                return "a step leads to an unknown state";
        if (!source.stop.empty() && !source.stop[k].empty() && source.stop[k].size() != here)
            return "the stops of a level do not match its states";
        if (here > kMostStates) return "a level has too many states";
        below = here;
        states += here;
    }
    return states < Automaton::kNone ? nullptr : "there are too many states";
}

}  // namespace spadille
