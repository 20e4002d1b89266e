// The transposition table: positions by shape, and under each shape a list of patterns.
//
// A shape is the exact suit lengths of all hands, the leader, and anything else on which the rules
// depend. A pattern holds the owners of the cards that matter (Ginsberg's partition search,
// "Partition Search", AAAI 1996), in the relative order of the cards still in play, so that one
// pattern serves every position that agrees on those cards. It records what was proved: the states
// from which the goal can, or cannot, be reached (see goal.hpp and multi_count_goal.hpp).
//
// Patterns are kept in blocks of fourteen. A block begins with a summary of its patterns (the
// owners of the highest cards in each suit) that rules out most of them at once. The blocks of a
// shape, newest first, are stored side by side in runs, each twice as long as the previous one.
// Runs are chained, so a list can grow without limit. Within a run, the processor prefetches the
// blocks, while in a chain it would have to wait for each. This makes reading long lists twice as
// fast.
#pragma once

#include <cstddef>
#include <utility>

#include "table_store.hpp"

namespace spadille::SPADILLE_ISA {

template <int Planes>
struct Pattern {
    u64 mask;
    u64 plane[Planes];
    u32 known;
    u16 answers = 0;  // how often it has answered, with recent answers counting more
    u16 tricks;  // left to play

    int rating() const { return Ratings::of(tricks, answers); }
};

// A new pattern. A summary has the owners of the highest cards of each suit, if they matter.
template <int Planes>
struct Summarized : Pattern<Planes> {
    u16 summary, summary_mask;
};

template <int Planes>
class Table {
public:
    static constexpr u32 kBlock = 14;

    // If a block has no candidates, a probe reads only its first cache line.
    struct alignas(64) Block {
        u16 summary[kBlock];
        u32 next;
        u16 summary_mask[kBlock];
        u8 used;
        u8 behind;  // blocks of the run after this one, followed by the run `next`
        u8 room;  // unused blocks before it
        Pattern<Planes> pattern[kBlock];
    };
    static_assert(offsetof(Block, pattern) == 64, "a line of the cache");
    static_assert(offsetof(Block, summary_mask) == 32,
                  "sixteen at a time: the summaries and `next`");

    explicit Table(Memory& memory) : store_(memory) {}
    void clear() {
        store_.clear();
        turn_ = 0;
    }

    // The list for a shape, or 0 if there is none; starts prefetching its patterns.
    u32 find(const Shape& shape) {
        const u32 head = store_.find(shape).head;
        if (head) prefetch(&store_[head]);
        return head;
    }

    // Calls answers(known) on the matching patterns, block by block, until one answers. If several
    // patterns in a block answer, the one with the fewest cards is used. It moves to the first
    // block of the list, in exchange for another pattern. Within a block, the order hardly matters.
    // Returns whether a pattern answered, with its mask and its knowledge.
    template <class Answers>
    bool probe(u32 head, const u64 (&planes)[Planes], u16 summary, u64& mask, u32& known,
               Answers answers) {
        for (u32 at = head; at;) {
            Block* const run = &store_[at];
            const Block* const last = run + run->behind;
            if (run->next) prefetch(&store_[run->next]);
            for (Block* b = run; b <= last; ++b) {
                int best = -1, fewest = 65;
                for (unsigned maybe = candidates(*b, summary); maybe; maybe &= maybe - 1) {
                    const int i = lowest_index(maybe);
                    const Pattern<Planes>& p = b->pattern[i];
                    u64 diff = 0;
                    for (int k = 0; k < Planes; ++k) diff |= p.plane[k] ^ planes[k];
                    if ((diff & p.mask) || !answers(p.known)) continue;
                    const int cards = popcount(p.mask);
                    if (cards >= fewest) continue;
                    fewest = cards;
                    best = i;
                }
                if (best < 0) continue;
                mask = b->pattern[best].mask;
                known = b->pattern[best].known;
                b->pattern[best].answers += b->pattern[best].answers < 0xFFFF;
                Block& first = store_[head];
                if (&first != b) swap(first, static_cast<int>(turn_++ % first.used), *b, best);
                return true;
            }
            at = run->next;
        }
        return false;
    }

    // Adds a pattern, unless merge(known) adds the proof to an identical pattern. A bounded list
    // has one block, in which the new pattern replaces another, because longer lists of positions
    // within a trick would not be worth their cost.
    template <bool kBounded = false, class Merge>
    void store(const Shape& shape, const Summarized<Planes>& p, Merge merge) {
        u32 head = store_.find(shape).head;
        for (u32 at = head; at;) {
            Block* const run = &store_[at];
            for (Block* b = run; b <= run + run->behind; ++b) {
                for (unsigned maybe = candidates(*b, p.summary); maybe; maybe &= maybe - 1) {
                    Pattern<Planes>& known = b->pattern[lowest_index(maybe)];
                    bool same = known.mask == p.mask;
                    for (int k = 0; k < Planes; ++k) same = same && known.plane[k] == p.plane[k];
                    if (same && merge(known.known)) return;
                }
            }
            at = run->next;
        }
        if constexpr (kBounded) {
            if (head && store_[head].used == kBlock) return replace(store_[head], p);
        }
        if (!head || store_[head].used == kBlock) head = grow(shape, head);
        Block& b = store_[head];
        assert(b.used < kBlock && !(p.summary & ~p.summary_mask));
        const u32 i = b.used++;
        b.summary[i] = p.summary;
        b.summary_mask[i] = p.summary_mask;
        b.pattern[i] = p;
    }

    void count(Ratings& ratings) {
        store_.each([&](const List& list) {
            for (u32 at = list.head; at; at = after(at)) {
                const Block& b = store_[at];
                for (u32 i = 0; i < b.used; ++i) ++ratings.count[b.pattern[i].rating()];
            }
        });
    }

    // Drops all patterns below a rating, and moves the others to the first blocks of their lists.
    void keep(int least) {
        store_.move_together(
            [&](List& list, auto& moves) {
                u32 to = list.head, kept = 0;
                const auto close = [&](u32 next) {
                    Block& b = store_[to];
                    b.used = static_cast<u8>(kept);
                    b.behind = b.room = 0;
                    b.next = next;
                    moves[to] = 1;
                };
                for (u32 at = to, next; at; at = next) {
                    next = after(at);
                    const Block& from = store_[at];
                    for (u32 i = 0; i < from.used; ++i) {
                        if (from.pattern[i].rating() < least) continue;
                        if (kept == kBlock) {
                            const u32 more = after(to);
                            close(more);
                            to = more;
                            kept = 0;
                        }
                        Block& b = store_[to];
                        b.summary[kept] = from.summary[i];
                        b.summary_mask[kept] = from.summary_mask[i];
                        b.pattern[kept] = from.pattern[i];
                        b.pattern[kept++].answers /= 2;
                    }
                }
                if (kept) close(0);
                else list.head = 0;
            },
            [&](List& list, const auto& moves) {
                for (u32* index = &list.head; *index; index = &store_[*index].next)
                    *index = moves[*index];
            });
    }

private:
    struct List {
        u32 head = 0;
        bool used() const { return head; }
    };

    // The block after this one in its list, or 0.
    u32 after(u32 block) const {
        const Block& b = store_[block];
        return b.behind ? block + 1 : b.next;
    }

    static constexpr u32 kRun = 8;  // blocks; one page of memory

    // Replaces a pattern of a full block, each time at another index.
    void replace(Block& b, const Summarized<Planes>& p) {
        const u32 i = turn_++ % kBlock;
        b.summary[i] = p.summary;
        b.summary_mask[i] = p.summary_mask;
        b.pattern[i] = p;
    }

    // Inserts an empty block before a list; returns its index.
    u32 grow(const Shape& shape, u32 head) {
        if (head && store_[head].room) {
            const Block& before = store_[head];
            Block& b = store_[head - 1];
            b.next = before.next;
            b.behind = static_cast<u8>(before.behind + 1);
            b.room = static_cast<u8>(before.room - 1);
            b.used = 0;
            return store_.add(shape).head = head - 1;
        }
        const u32 longer = head ? 2u * (store_[head].behind + 1) : 1;
        const u32 blocks = longer < kRun ? longer : kRun;
        const u32 fresh = store_.fresh(blocks) + blocks - 1;
        Block& b = store_[fresh];
        u32& first = store_.add(shape).head;  // it may have moved
        b.next = first;
        b.behind = 0;
        b.room = static_cast<u8>(blocks - 1);
        b.used = 0;
        return first = fresh;
    }

    static unsigned candidates(const Block& b, u16 summary) {
#if defined(SPADILLE_BMI2)
        const __m256i diff =
            _mm256_xor_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(b.summary)),
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

    Store<List, Block, 256, 64> store_;
    u32 turn_ = 0;  // chooses the pattern to be replaced or exchanged
};

}  // namespace spadille::SPADILLE_ISA
