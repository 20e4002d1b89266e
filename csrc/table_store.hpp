// The base of both tables: lists by shape, found by a hash, and memory for their entries in chunks.
// At the memory limit, some entries are dropped and the others compacted. The search
// computes dropped entries again if it needs them, and no value depends on the contents of a table.
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

// The memory that all tables of a solver share.
struct Memory {
    std::size_t limit = 0, used = 0;

    // Drops entries of all tables, and keeps at most share / 256 of those that can be rated.
    virtual void make_room(u32 share) = 0;

protected:
    ~Memory() = default;
};

// The number of entries with each rating. An entry with a higher rating saves more nodes: it
// answers more often, or replaces a longer search.
struct Ratings {
    static constexpr int kMost = 31;
    u32 count[kMost + 1] = {};

    static_assert(kMaxTricks + 2 + 16 <= kMost, "the highest rating");

    static int of(int tricks, u32 answers) { return tricks + (answers ? 2 + digits(answers) : 0); }

    // The lowest rating for which at most share / 256 of the entries are rated at least as high.
    int least(u32 share) const {
        u64 all = 0, kept = 0;
        for (u32 each : count) all += each;
        int least = kMost + 1;
        while (least && (kept += count[least - 1]) * 256 <= all * share) --least;
        return least;
    }
};

// `Lists` has the indexes of a shape's first entries, all 0 if there are none (see `used()`).
template <class Lists, class Entry, u32 kChunk, std::size_t kKeepChunks>
class Store {
public:
    explicit Store(Memory& memory) : memory_(memory) { memory_.used += bytes(); }
    Store(const Store&) = delete;
    std::size_t bytes() const { return index_bytes() + chunks_.size() * kChunk * sizeof(Entry); }

    // Clears the table, but keeps enough memory allocated for one small search.
    void clear() {
        if (!shapes_) return;
        memory_.used -= bytes();
        if (slots_.capacity() > kKeepSlots) std::vector<Slot>().swap(slots_);
        slots_.assign(kFirstSlots, Slot{});
        if (chunks_.size() > kKeepChunks) chunks_.resize(kKeepChunks);
        shapes_ = 0;
        next_ = 1;  // entry 0 means "none"
        memory_.used += bytes();
    }

    Lists find(const Shape& shape) const { return slots_[locate(shape)].lists; }

    // Finds the lists of a shape in order to modify them; the caller must add an entry.
    Lists& add(const Shape& shape) {
        std::size_t at = locate(shape);
        if (!slots_[at].lists.used()) {
            if (4 * ++shapes_ > 3 * slots_.size()) {
                memory_.used -= index_bytes();
                rehash(2 * slots_.size());
                memory_.used += index_bytes();
                at = locate(shape);
            }
            slots_[at].lengths = shape.lengths;
            slots_[at].rest = shape.rest;
        }
        return slots_[at].lists;
    }

    Entry& operator[](u32 entry) const { return chunks_[entry / kChunk][entry % kChunk]; }

    // Allocates `entries` new entries side by side and returns the first; may move or drop others.
    u32 fresh(u32 entries) {
        u32 first;
        for (u32 share = 192; !(first = room(entries)); share /= 2) memory_.make_room(share);
        next_ = first + entries;
        return first;
    }

    template <class Visit>
    void each(Visit visit) {
        for (Slot& s : slots_) visit(s.lists);
    }

    // Moves together the entries that stay. choose(lists, moves) sets moves[i] to the number of
    // entries that stay side by side from i on; then relink(lists, moves) replaces each index i by
    // moves[i]. Lists without entries are forgotten.
    template <class Choose, class Relink>
    void move_together(Choose choose, Relink relink) {
        if (chunks_.empty()) return;
        memory_.used -= bytes();
        std::vector<u32> moves(next_);
        shapes_ = 0;
        each([&](Lists& lists) {
            choose(lists, moves);
            shapes_ += lists.used();
        });
        u32 end = 1;
        for (u32 i = 1; i < next_; ++i) {
            const u32 number = moves[i];
            if (!number) continue;
            const u32 to = moves[i] = fitting(end, number);
            end = to + number;
            for (u32 j = 0; to != i && j < number; ++j) (*this)[to + j] = (*this)[i + j];
        }
        next_ = end;
        chunks_.resize((end - 1) / kChunk + 1);
        each([&](Lists& lists) { relink(lists, moves); });
        rehash(slots_.size());
        memory_.used += bytes();
    }

private:
    struct Slot {
        u64 lengths = 0;
        u32 rest = 0;
        Lists lists;
    };

    static constexpr std::size_t kFirstSlots = 1024;
    static constexpr std::size_t kKeepSlots = 1 << 16;

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

    void rehash(std::size_t slots) {
        std::vector<Slot> old(slots);
        old.swap(slots_);
        for (const Slot& s : old)
            if (s.lists.used()) slots_[locate({s.lengths, s.rest})] = s;
    }

    // The first index, at or after `at`, at which this many entries fit into one chunk.
    static u32 fitting(u32 at, u32 entries) {
        return at % kChunk + entries > kChunk ? at + kChunk - at % kChunk : at;
    }

    // Returns 0 if the limit is reached; the index must also have room to grow.
    u32 room(u32 entries) {
        assert(entries <= kChunk - 1);
        const u32 first = fitting(next_, entries);
        if (first / kChunk == chunks_.size()) {
            constexpr std::size_t more = kChunk * sizeof(Entry);
            if (!chunks_.empty() && memory_.used + more + 2 * index_bytes() > memory_.limit)
                return 0;
            memory_.used += more;
            chunks_.emplace_back(new Entry[kChunk]);
        }
        return first;
    }

    Memory& memory_;
    std::vector<Slot> slots_ = std::vector<Slot>(kFirstSlots);
    std::vector<std::unique_ptr<Entry[]>> chunks_;
    std::size_t shapes_ = 0;
    u32 next_ = 1;
};

}  // namespace spadille::SPADILLE_ISA
