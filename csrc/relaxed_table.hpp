// The table of the games that bound others: positions by the suit lengths of all hands and who may lead,
// and for each of these a list of what was proved and one of what was refuted, as limits of the counts
// (relaxed_proof.hpp, relaxed_lone.hpp).
//
// An entry serves every position whose counts keep within its limits.  A row holds one number for the
// tricks asked for and one for each count; a row of limits serves a row of counts that is nowhere
// greater.  Rows lie in chained blocks.  When the memory limit is reached everything is forgotten.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "bits.hpp"

namespace spadille::SPADILLE_ISA {

class RelaxedTable {
public:
    static constexpr int kUnit = 16;  // bytes; rows take one to four units

    struct Shape {
        u64 lengths = 0;
        u32 rest = 0;
    };
    struct Lists {  // what was refuted, what was proved; 0 for none
        u32 head[2] = {0, 0};
    };
    struct alignas(kUnit) Row {
        u8 bytes[4 * kUnit];
    };

    // Forget everything; keeps the memory of one small search.
    void clear() {
        if (!shapes_) return;
        std::vector<Slot>(kFirstSlots).swap(slots_);
        if (chunks_.size() > kKeepChunks) chunks_.resize(kKeepChunks);
        shapes_ = 0;
        chunk_ = 0;
        used_ = 1;  // unit 0 stands for "none"
    }

    void limit(std::size_t bytes) { limit_ = bytes; }
    std::size_t bytes() const {
        return slots_.capacity() * sizeof(Slot) + chunks_.size() * kChunk * kUnit;
    }

    Lists find(const Shape& shape) const { return slots_[locate(shape)].lists; }

    // Whether some row of a list is nowhere less than `row`; that one then, moved to the front.
    bool probe(u32 head, const Row& row, int units, Row& found) {
        for (u32 at = head; at; ) {
            const Block b = block(at);
            for (u32 i = 0; i < b.used(); ++i) {
                u8* const limits = b.row(i, units);
                if (!within(row.bytes, limits, units)) continue;
                std::memcpy(found.bytes, limits, units * kUnit);
                u8* const first = block(head).row(0, units);
                if (first != limits) {
                    std::memcpy(limits, first, units * kUnit);
                    std::memcpy(first, found.bytes, units * kUnit);
                }
                return true;
            }
            at = b.next();
        }
        return false;
    }

    // Adds a row in the place of those that it covers.
    void store(const Shape& shape, bool proved, const Row& row, int units) {
        std::size_t slot = locate(shape);
        u32 head = slots_[slot].lists.head[proved];
        for (u32 at = head; at; at = block(at).next()) {
            const Block b = block(at);
            for (u32 i = 0; i < b.used(); ) {
                if (within(b.row(i, units), row.bytes, units)) {
                    b.used() -= 1;
                    std::memmove(b.row(i, units), b.row(b.used(), units), units * kUnit);
                } else {
                    ++i;
                }
            }
        }
        if (!head || block(head).used() == kBlock) {
            const u32 size = 1 + kBlock * units;
            if (!make_room(size)) {
                clear();
                make_room(size);
            } else if (4 * (shapes_ + 1) > 3 * slots_.size()) {
                grow();
            }
            Slot& at = slots_[locate(shape)];
            if (!at.used()) {
                ++shapes_;
                at.lengths = shape.lengths;
                at.rest = shape.rest;
            }
            const u32 first = chunk_ * kChunk + used_;
            used_ += size;
            const Block fresh = block(first);
            fresh.next() = at.lists.head[proved];
            fresh.used() = 0;
            at.lists.head[proved] = head = first;
        }
        const Block b = block(head);
        assert(b.used() < kBlock && units >= 1 && units <= 4);
        std::memmove(b.row(b.used(), units), b.row(0, units), units * kUnit);
        std::memcpy(b.row(0, units), row.bytes, units * kUnit);
        b.used() += 1;
    }

private:
    struct Slot {
        u64 lengths = 0;
        u32 rest = 0;
        Lists lists;
        bool used() const { return lists.head[0] || lists.head[1]; }
    };

    struct alignas(kUnit) Unit {
        u32 head[2];
        u32 more[2];
    };

    // A unit with the next block and the number of rows, then the rows.
    struct Block {
        Unit* at;
        u32& next() const { return at->head[0]; }
        u32& used() const { return at->head[1]; }
        u8* row(u32 i, int units) const {
            return reinterpret_cast<u8*>(at + 1) + i * static_cast<u32>(units * kUnit);
        }
    };

    static constexpr u32 kBlock = 8;
    static constexpr u32 kChunk = 1 << 14;  // units
    static constexpr std::size_t kFirstSlots = 1024;
    static constexpr std::size_t kKeepChunks = 4;

    static bool within(const u8* row, const u8* limits, int units) {
        for (; units; --units, row += kUnit, limits += kUnit) {
            u8 beyond = 0;
            for (int i = 0; i < kUnit; ++i) beyond |= static_cast<u8>(row[i] > limits[i]);
            if (beyond) return false;
        }
        return true;
    }

    static_assert(1 + kBlock * 4 < kChunk, "a block lies in one chunk");

    Block block(u32 at) const { return {&chunks_[at / kChunk][at % kChunk]}; }

    std::size_t locate(const Shape& s) const {
        const std::size_t last = slots_.size() - 1;
        std::size_t at = hash(s.lengths, s.rest) & last;
        while (slots_[at].used() &&
               (slots_[at].lengths != s.lengths || slots_[at].rest != s.rest))
            at = (at + 1) & last;
        return at;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& s : old)
            if (s.used()) slots_[locate({s.lengths, s.rest})] = s;
    }

    // So many units in one chunk, unless the limit is reached.
    bool make_room(u32 units) {
        if (!chunks_.empty()) {
            if (used_ + units <= kChunk) return true;
            if (chunk_ + 1 == chunks_.size() &&
                bytes() + kChunk * kUnit + 2 * slots_.size() * sizeof(Slot) > limit_)
                return false;
            ++chunk_;
            used_ = 0;
        }
        if (chunk_ == chunks_.size()) chunks_.emplace_back(new Unit[kChunk]);
        return true;
    }

    std::size_t limit_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(kFirstSlots);
    std::vector<std::unique_ptr<Unit[]>> chunks_;
    std::size_t shapes_ = 0;
    u32 chunk_ = 0, used_ = 1;
};

}  // namespace spadille::SPADILLE_ISA
