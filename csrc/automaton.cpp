#include "automaton.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace spadille {

Automaton::Automaton(const Source& source, long long threshold, u32 ours, u32 theirs) {
    const int players = source.players;
    const int levels = static_cast<int>(source.levels.size());
    width_ = 2 * players;
    for (int settled_state : {kWon, kLost}) {
        steps_.insert(steps_.end(), static_cast<std::size_t>(width_), settled_state);
        enough_.push_back(settled_state == kWon ? 0 : kNever);
        too_many_.push_back(settled_state == kLost ? 0 : kNever);
        local_.push_back(0);
        first_order_.push_back(0);
    }
    if (tells_apart(players)) apart_.resize(2 * kApart * kApart);
    names_.resize(static_cast<std::size_t>(levels));
    for (long long worth : source.worth) names_[0].push_back(worth >= threshold ? kWon : kLost);

    for (int k = 1; k < levels; ++k) {
        const auto& table = source.levels[static_cast<std::size_t>(k)];
        const auto& below = names_[static_cast<std::size_t>(k - 1)];
        const int count = static_cast<int>(table.size()) / width_;
        std::map<std::vector<int>, int> known;
        std::vector<int> level;
        for (int s = 0; s < count; ++s) {
            std::vector<int> step(static_cast<std::size_t>(width_));
            for (int i = 0; i < width_; ++i)
                step[static_cast<std::size_t>(i)] = below[static_cast<std::size_t>(
                    table[static_cast<std::size_t>(s * width_ + i)])];
            const bool stops =
                !source.stop.empty() && !source.stop[static_cast<std::size_t>(k)].empty() &&
                source.stop[static_cast<std::size_t>(k)][static_cast<std::size_t>(s)] >= threshold;
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
                level.push_back(name);
                steps_.insert(steps_.end(), step.begin(), step.end());
                // Least j such that any k winners with at least j of ours settle it (k + 1: none).
                // After one of ours j - 1 must do, after another j: the worst way counts.
                int enough = 0, too_many = 0;
                for (int i = 0; i < width_; ++i) {
                    const std::size_t next =
                        static_cast<std::size_t>(step[static_cast<std::size_t>(i)]);
                    const int e = std::min(enough_[next], k), l = std::min(too_many_[next], k);
                    // rule: automaton-enough
                    enough = std::max(enough, e && (ours >> (i / 2) & 1) ? e + 1 : e);
                    // rule: automaton-too-many
                    too_many = std::max(too_many, l && (theirs >> (i / 2) & 1) ? l + 1 : l);
                }
                enough_.push_back(enough);
                too_many_.push_back(too_many);
                if (tells_apart(players)) tell_apart(step.data(), k, ours, theirs);
                local_.push_back(static_cast<int>(level.size()) - 1);
                first_order_.push_back(0);
            }
            names_[static_cast<std::size_t>(k)].push_back(name);
        }
        order_level(level);
        assert(enough_.size() <= kNone);  // a state takes half of a table's entry
    }
}

// As enough_ and too_many_, of those ways only in which each opponent wins what is certain.  There
// are two where a lone player is asked about.
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
                if (free < 0) continue;  // more than there are tricks
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
        const std::size_t row = static_cast<std::size_t>(level[a]);
        first_order_[row] = order_.size();
        for (std::size_t b = 0; b < n; ++b) {
            const std::size_t other = static_cast<std::size_t>(level[b]);
            bool all = true;
            // rule: automaton-all-winners, automaton-marked
            for (int i = 0; all && i < width_; ++i)
                all = implies(
                    steps_[row * static_cast<std::size_t>(width_) + static_cast<std::size_t>(i)],
                    steps_[other * static_cast<std::size_t>(width_) + static_cast<std::size_t>(i)]);
            order_.push_back(all);
        }
    }
}

}  // namespace spadille
