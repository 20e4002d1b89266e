#include "goal_automaton.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace spadille {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Automaton::Automaton(const Source& source, long long threshold, u32 ours, u32 theirs)
    : width_(2 * source.players) {
    for (int settled_state : {kWon, kLost}) {
        steps_.insert(steps_.end(), at(width_), settled_state);
        enough_.push_back(settled_state == kWon ? 0 : kNever);
        too_many_.push_back(settled_state == kLost ? 0 : kNever);
        local_.push_back(0);
        first_order_.push_back(0);
    }
    if (tells_apart(source.players)) apart_.resize(2 * kApart * kApart);
    names_.resize(source.levels.size());
    for (long long worth : source.worth) names_[0].push_back(worth >= threshold ? kWon : kLost);
    for (std::size_t left = 1; left < source.levels.size(); ++left)
        add_level(source, left, threshold, ours, theirs);
}

void Automaton::add_level(const Source& source, std::size_t left, long long threshold, u32 ours,
                          u32 theirs) {
    const auto& table = source.levels[left];
    std::map<std::vector<int>, int> known;
    std::vector<int> level;
    for (std::size_t first = 0, state = 0; first < table.size(); first += at(width_), ++state) {
        std::vector<int> step;
        for (int i = 0; i < width_; ++i) step.push_back(names_[left - 1][at(table[first + at(i)])]);
        const bool stops = !source.stop.empty() && !source.stop[left].empty() &&
                           source.stop[left][state] >= threshold;
        int name = -1;
        if (stops) name = kWon;
        else if (settled(step[0]) &&
                 // rule: automaton-merge
                 std::all_of(step.begin(), step.end(), [&](int x) { return x == step[0]; }))
            name = step[0];
        else if (auto it = known.find(step); it != known.end()) name = it->second;
        if (name < 0) {
            name = static_cast<int>(enough_.size());
            known.emplace(step, name);
            local_.push_back(static_cast<int>(level.size()));
            level.push_back(name);
            add_state(step, static_cast<int>(left), ours, theirs);
        }
        names_[left].push_back(name);
    }
    order_level(level);
    assert(enough_.size() <= kNone);  // a state takes half of a table entry
}

// Adds a state with `left` tricks to play, and the states that follow it for each winner.
void Automaton::add_state(const std::vector<int>& step, int left, u32 ours, u32 theirs) {
    steps_.insert(steps_.end(), step.begin(), step.end());
    // The lowest number j such that winning any j of the `left` tricks settles the state for our
    // side (left + 1 if there is none). In the worst case, j - 1 tricks must suffice after a trick
    // of ours, and j after any other trick.
    int enough = 0, too_many = 0;
    for (int i = 0; i < width_; ++i) {
        const std::size_t next = at(step[at(i)]);
        const int e = std::min(enough_[next], left), l = std::min(too_many_[next], left);
        // rule: automaton-enough
        enough = std::max(enough, e && (ours >> (i / 2) & 1) ? e + 1 : e);
        // rule: automaton-too-many
        too_many = std::max(too_many, l && (theirs >> (i / 2) & 1) ? l + 1 : l);
    }
    enough_.push_back(enough);
    too_many_.push_back(too_many);
    if (tells_apart(width_ / 2)) tell_apart(step.data(), left, ours, theirs);
    first_order_.push_back(0);
}

// Like enough_ and too_many_, but given that each opponent wins at least the certain tricks. This
// applies to the two opponents of a lone player.
void Automaton::tell_apart(const int* step, int tricks, u32 ours, u32 theirs) {
    for (int first = 0; first < kApart; ++first) {
        for (int second = 0; second < kApart; ++second) {
            int enough = 0, too_many = 0;
            for (int i = 0; i < width_; ++i) {
                int left[2] = {first, second};
                const bool good = ours >> (i / 2) & 1, bad = theirs >> (i / 2) & 1;
                int& his = left[(theirs & ((1u << (i / 2)) - 1)) != 0];  // rule: certain-other
                if (bad && his) --his;
                const int free = tricks - 1 - left[0] - left[1], next = step[i];
                if (free < 0) continue;  // more than the tricks left
                int e = next == kWon ? 0 : free + 1, l = next == kLost ? 0 : tricks;
                if (!settled(next)) {
                    e = apart(next, left).enough;
                    l = apart(next, left).too_many;
                }
                enough = std::max(enough, e && good ? e + 1 : e);
                too_many = std::max(too_many, l && bad ? l + 1 : l);
            }
            enough = std::min(enough, std::max(tricks - first - second, 0) + 1);
            if (too_many <= first + second) too_many = 0;
            apart_.push_back({static_cast<u8>(enough), static_cast<u8>(too_many)});
        }
    }
}

bool Automaton::implies(int strong, int weak) const {
    if (strong == weak || strong == kWon || weak == kLost) return true;
    if (strong == kLost || weak == kWon) return false;
    return at_least(strong, weak);
}

void Automaton::order_level(const std::vector<int>& level) {
    const std::size_t n = level.size();
    for (std::size_t a = 0; a < n; ++a) {
        const std::size_t row = at(level[a]);
        first_order_[row] = order_.size();
        for (std::size_t b = 0; b < n; ++b) {
            const std::size_t other = at(level[b]);
            bool all = true;
            // rule: automaton-all-winners, automaton-marked
            for (int i = 0; all && i < width_; ++i)
                all = implies(steps_[row * at(width_) + at(i)], steps_[other * at(width_) + at(i)]);
            order_.push_back(all);
        }
    }
}

}  // namespace spadille
