// Sets of layouts, and lists of sets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "cards.hpp"

namespace spadille::plans {

using List = std::vector<u32>;  // numbers of layouts, ascending

// A set of layouts from a list, as a bit set of positions in the list.
using Set = std::vector<u64>;

inline Set none_of(std::size_t count) { return Set((count + 63) / 64, 0); }

inline Set all_of(std::size_t count) {
    Set set((count + 63) / 64, ~0ull);
    if (count % 64) set.back() = (1ull << count % 64) - 1;
    return set;
}

inline bool has(const Set& set, std::size_t i) { return set[i / 64] >> (i % 64) & 1; }
inline void put(Set& set, std::size_t i) { set[i / 64] |= 1ull << i % 64; }
inline void take(Set& set, std::size_t i) { set[i / 64] &= ~(1ull << i % 64); }

inline bool within(const Set& set, const Set& other) {
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i] & ~other[i]) return false;
    return true;
}

inline bool empty(const Set& set) {
    return std::all_of(set.begin(), set.end(), [](u64 word) { return !word; });
}

inline bool single(const Set& set) {
    u64 seen = 0;
    for (u64 word : set) {
        if (seen ? word : word & (word - 1)) return false;
        seen |= word;
    }
    return true;
}

inline Set both(Set set, const Set& other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] &= other[i];
    return set;
}

inline Set without(Set set, const Set& other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] &= ~other[i];
    return set;
}

// Calls `visit` with each position in a set, ascending.
template <class Visit>
void each(const Set& set, Visit visit) {
    for (std::size_t word = 0; word < set.size(); ++word)
        for (u64 left = set[word]; left; left &= left - 1)
            visit(64 * word + static_cast<std::size_t>(lowest_index(left)));
}

using Front = std::vector<Set>;

// Adds an item unless another one covers it, and drops items that it covers.
template <class Item, class Covers>
void add(std::vector<Item>& items, Item item, Covers covers) {
    for (const Item& other : items)
        if (covers(other, item)) return;
    items.erase(std::remove_if(items.begin(), items.end(),
                               [&](const Item& other) { return covers(item, other); }),
                items.end());
    items.push_back(std::move(item));
}

}  // namespace spadille::plans
