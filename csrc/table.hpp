// The transposition table: positions by shape, and under a shape a list of patterns.
//
// A shape is the exact suit lengths of all hands, the leader, and what else the rules depend on.
// A pattern says who owns the cards that matter (Ginsberg's partition search, "Partition Search",
// AAAI 1996), in the relative order of the cards still in play, so that one pattern serves every
// position that agrees on those cards.  It carries what was proved, of which states the goal is
// reached from, or is not (see goal.hpp and needs.hpp).
//
// Patterns lie in blocks of fourteen; blocks of a shape are chained, so a list grows as long as it must.
// A block begins with a summary of its patterns, the owners of the highest cards of each suit, that
// rules out most of them at once.  When the memory limit is reached everything is forgotten: the
// search refills what it needs, and no value depends on what the table holds.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "bits.hpp"

namespace spadille::SPADILLE_ISA {

template <int Planes>
struct Pattern {
    u64 mask;
    u64 plane[Planes];
    u32 known;
    u16 summary;       // owners of the suits' highest cards
    u16 summary_mask;  // which of them the pattern cares for
};

template <int Planes>
class Table {
public:
    static constexpr u32 kBlock = 14;

    // The first cache line is all a probe needs of a block without candidates.
    struct alignas(64) Block {
        u16 summary[kBlock];
        u32 next;
        u16 summary_mask[kBlock];
        u32 used;
        Pattern<Planes> pattern[kBlock];
    };
    static_assert(offsetof(Block, pattern) == 64, "a line of the cache");
    static_assert(offsetof(Block, summary_mask) == 32, "sixteen at a time: the summaries and `next`");

    struct Shape {
        u64 lengths = 0;
        u32 rest = 0;
    };

    Table() { clear(); }

    void limit(std::size_t bytes) { limit_ = bytes; }

    // Forget everything; keeps the memory of one small search.
    void clear() {
        if (!shapes_ && !slots_.empty()) return;
        if (slots_.capacity() > kKeepSlots) std::vector<Slot>().swap(slots_);
        slots_.assign(kFirstSlots, Slot{});
        if (chunks_.size() > kKeepChunks) chunks_.resize(kKeepChunks);
        shapes_ = 0;
        blocks_ = 1;  // block 0 stands for "none"
    }

    std::size_t bytes() const {
        return slots_.capacity() * sizeof(Slot) + chunks_.size() * kChunk * sizeof(Block);
    }

    // The list of a shape, 0 if there is none; its patterns are on their way when this returns.
    u32 find(const Shape& shape) {
        const u32 head = slots_[locate(shape)].head;
        if (head) prefetch(&block(head));
        return head;
    }

    Block& block(u32 index) { return chunks_[index / kChunk][index % kChunk]; }

    // Calls answers(known) on the patterns that fit, block by block, until one does; of those in its
    // block that do, the one with the fewest cards moves to the front of the list.  Returns whether
    // there was one, its mask and what it knows.
    template <class Answers>
    bool probe(u32 head, const u64 (&planes)[Planes], u16 summary, u64& mask, u32& known,
               Answers answers) {
        for (u32 at = head; at; ) {
            Block& b = block(at);
            if (b.next) prefetch(&block(b.next));
            int best = -1, fewest = 65;
            for (unsigned maybe = candidates(b, summary); maybe; maybe &= maybe - 1) {
                const int i = lowest_index(maybe);
                const Pattern<Planes>& p = b.pattern[i];
                u64 diff = 0;
                for (int k = 0; k < Planes; ++k) diff |= p.plane[k] ^ planes[k];
                if ((diff & p.mask) || !answers(p.known)) continue;
                const int cards = popcount(p.mask);
                if (cards >= fewest) continue;
                fewest = cards;
                best = i;
            }
            if (best >= 0) {
                mask = b.pattern[best].mask;
                known = b.pattern[best].known;
                Block& first = block(head);
                if (&first != &b || best != 0) swap(first, 0, b, best);
                return true;
            }
            at = b.next;
        }
        return false;
    }

    // Adds a pattern, unless merge(known) adds what was proved to the same pattern.
    template <class Merge>
    void store(const Shape& shape, const Pattern<Planes>& p, Merge merge) {
        std::size_t slot = locate(shape);
        for (u32 at = slots_[slot].head; at; ) {
            Block& b = block(at);
            for (unsigned maybe = candidates(b, p.summary); maybe; maybe &= maybe - 1) {
                Pattern<Planes>& known = b.pattern[lowest_index(maybe)];
                bool same = known.mask == p.mask;
                for (int k = 0; k < Planes; ++k) same = same && known.plane[k] == p.plane[k];
                if (same && merge(known.known)) return;
            }
            at = b.next;
        }
        if (!slots_[slot].head || block(slots_[slot].head).used == kBlock) {
            if (!make_room()) {
                clear();
                make_room();
            } else if (!slots_[slot].head && 4 * (shapes_ + 1) > 3 * slots_.size()) {
                grow();
            }
            slot = locate(shape);
            Block& fresh = block(blocks_);
            fresh.next = slots_[slot].head;
            fresh.used = 0;
            if (!slots_[slot].head) {
                ++shapes_;
                slots_[slot].lengths = shape.lengths;
                slots_[slot].rest = shape.rest;
            }
            slots_[slot].head = blocks_++;
        }
        Block& b = block(slots_[slot].head);
        assert(b.used < kBlock && !(p.summary & ~p.summary_mask));
        const u32 i = b.used++;
        b.summary[i] = p.summary;
        b.summary_mask[i] = p.summary_mask;
        b.pattern[i] = p;
        if (i) swap(b, 0, b, static_cast<int>(i));
    }

private:
    struct Slot {
        u64 lengths = 0;
        u32 rest = 0;
        u32 head = 0;
    };

    static constexpr std::size_t kFirstSlots = 1024;
    static constexpr std::size_t kKeepSlots = 1 << 16;
    static constexpr u32 kChunk = 256;
    static constexpr std::size_t kKeepChunks = 64;
    static unsigned candidates(const Block& b, u16 summary) {
#if defined(SPADILLE_BMI2)
        const __m256i diff = _mm256_xor_si256(
            _mm256_load_si256(reinterpret_cast<const __m256i*>(b.summary)),
            _mm256_set1_epi16(static_cast<short>(summary)));
        const __m256i masked = _mm256_and_si256(
            diff, _mm256_load_si256(reinterpret_cast<const __m256i*>(b.summary_mask)));
        const __m256i fits = _mm256_cmpeq_epi16(masked, _mm256_setzero_si256());
        const unsigned all =
            _pext_u32(static_cast<unsigned>(_mm256_movemask_epi8(fits)), 0x55555555u);
        return all & ((1u << b.used) - 1);
#else
        unsigned out = 0;
        for (u32 i = 0; i < b.used; ++i)
            out |= static_cast<unsigned>(((b.summary[i] ^ summary) & b.summary_mask[i]) == 0) << i;
        return out;
#endif
    }

    static void swap(Block& a, int i, Block& b, int j) {
        std::swap(a.summary[i], b.summary[j]);
        std::swap(a.summary_mask[i], b.summary_mask[j]);
        std::swap(a.pattern[i], b.pattern[j]);
    }

    std::size_t locate(const Shape& s) const {
        const std::size_t last = slots_.size() - 1;
        std::size_t at = hash(s.lengths, s.rest) & last;
        while (slots_[at].head &&
               (slots_[at].lengths != s.lengths || slots_[at].rest != s.rest))
            at = (at + 1) & last;
        return at;
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& s : old)
            if (s.head) slots_[locate({s.lengths, s.rest})] = s;
    }

    // A block for the next pattern, unless the limit is reached.
    bool make_room() {
        if (blocks_ / kChunk < chunks_.size()) return true;
        const std::size_t slots = slots_.capacity() * sizeof(Slot);
        if (!chunks_.empty() && (chunks_.size() + 1) * kChunk * sizeof(Block) + 3 * slots > limit_)
            return false;
        chunks_.emplace_back(new Block[kChunk]);
        return true;
    }

    std::size_t limit_ = 0;
    std::vector<Slot> slots_;
    std::vector<std::unique_ptr<Block[]>> chunks_;
    std::size_t shapes_ = 0;
    u32 blocks_ = 1;
};

}  // namespace spadille::SPADILLE_ISA
