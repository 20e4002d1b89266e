// The base of both tables: lists by shape, found by a hash, and memory for their entries in chunks
// that never move. At the memory limit, everything is cleared: the search refills what it needs,
// and no value depends on the contents of a table.
#pragma once

#include <memory>
#include <vector>

#include "bits.hpp"

namespace spadille::SPADILLE_ISA {

// The exact part of a position's key.
struct Shape {
    u64 lengths = 0;
    u32 rest = 0;
    bool operator==(const Shape& o) const { return lengths == o.lengths && rest == o.rest; }
};

// `Lists` has the indexes of a shape's first entries, which are all 0 if there are none; `used()`
// tests for this.
template <class Lists, class Entry, u32 kChunk, std::size_t kKeepChunks>
class Store {
public:
    void limit(std::size_t bytes) { limit_ = bytes; }
    std::size_t bytes() const { return index_bytes() + chunks_.size() * kChunk * sizeof(Entry); }

    // Clears the table, but keeps the memory of one small search.
    void clear() {
        if (!shapes_) return;
        if (slots_.capacity() > kKeepSlots) std::vector<Slot>().swap(slots_);
        slots_.assign(kFirstSlots, Slot{});
        if (chunks_.size() > kKeepChunks) chunks_.resize(kKeepChunks);
        shapes_ = 0;
        next_ = 1;  // entry 0 means "none"
    }

    Lists find(const Shape& shape) const { return slots_[locate(shape)].lists; }

    // The same for modification; the caller must add something to the list.
    Lists& add(const Shape& shape) {
        std::size_t at = locate(shape);
        if (!slots_[at].lists.used()) {
            if (4 * ++shapes_ > 3 * slots_.size()) {
                grow();
                at = locate(shape);
            }
            slots_[at].lengths = shape.lengths;
            slots_[at].rest = shape.rest;
        }
        return slots_[at].lists;
    }

    Entry& operator[](u32 entry) const { return chunks_[entry / kChunk][entry % kChunk]; }

    // Allocates `entries` new entries side by side and returns the first; may clear all others.
    u32 fresh(u32 entries) {
        u32 first = room(entries);
        if (!first) {
            clear();
            first = room(entries);
        }
        next_ = first + entries;
        return first;
    }

private:
    struct Slot {
        u64 lengths = 0;
        u32 rest = 0;
        Lists lists;
    };

    static constexpr std::size_t kFirstSlots = 1024;
    static constexpr std::size_t kKeepSlots = 1 << 16;
    static_assert(kKeepChunks > 0, "where everything is forgotten there is room");

    std::size_t index_bytes() const { return slots_.capacity() * sizeof(Slot); }

    std::size_t locate(const Shape& s) const {
        const std::size_t last = slots_.size() - 1;
        std::size_t at = hash(s) & last;
        while (slots_[at].lists.used() &&
               (slots_[at].lengths != s.lengths || slots_[at].rest != s.rest))
            at = (at + 1) & last;
        return at;
    }

    static std::size_t hash(const Shape& s) {
        u64 h = s.lengths * 0x9E3779B97F4A7C15ull ^ s.rest * 0xC2B2AE3D27D4EB4Full;
        h ^= h >> 29;
        h *= 0xBF58476D1CE4E5B9ull;
        return static_cast<std::size_t>(h >> 32);
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& s : old)
            if (s.lists.used()) slots_[locate({s.lengths, s.rest})] = s;
    }

    // Returns 0 if the limit is reached; the index must also have room to grow.
    u32 room(u32 entries) {
        assert(entries <= kChunk - 1);
        u32 first = next_;
        if (first % kChunk + entries > kChunk) first += kChunk - first % kChunk;
        if (first / kChunk == chunks_.size()) {
            if (!chunks_.empty() && bytes() + kChunk * sizeof(Entry) + 2 * index_bytes() > limit_)
                return 0;
            chunks_.emplace_back(new Entry[kChunk]);
        }
        return first;
    }

    std::size_t limit_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(kFirstSlots);
    std::vector<std::unique_ptr<Entry[]>> chunks_;
    std::size_t shapes_ = 0;
    u32 next_ = 1;
};

}  // namespace spadille::SPADILLE_ISA
