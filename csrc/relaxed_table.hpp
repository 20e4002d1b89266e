// The table of the relaxed games: positions by the suit lengths of all hands and the possible
// leaders, each with a list of proofs and one of refutations, as limits on the counts
// (relaxed_misere_limits.hpp, relaxed_lone.hpp).
//
// An entry serves every position whose counts are within its limits. A row has the number of tricks
// asked for, then one number for each count. A row of limits answers a row of counts that is not
// greater in any place. Rows are kept in chained blocks. Most lists have a single row, so a new
// block has room for one only. When it is full, a block of twice its size replaces it, up to eight
// rows.
#pragma once

#include <cstring>

#include "table_store.hpp"

namespace spadille::SPADILLE_ISA {

class RelaxedTable {
public:
    static constexpr int kUnit = 16;  // bytes
    static constexpr int kMostUnits = 4;  // of a row

    struct Lists {  // refutations and proofs; 0 for none
        u32 head[2] = {0, 0};
        bool used() const { return head[0] | head[1]; }
    };
    struct alignas(kUnit) Row {
        u8 bytes[kMostUnits * kUnit];
    };

    explicit RelaxedTable(Memory& memory) : store_(memory) {}
    void clear() { store_.clear(); }

    Lists find(const Shape& shape) const { return store_.find(shape); }

    // Whether some row in a list is at least `row` in every place; if so, moves it to the front and
    // returns it.
    bool probe(u32 head, const Row& row, int units, Row& match) {
        for (u32 at = head; at;) {
            const Block b = block(at);
            for (u32 i = 0; i < b.used(); ++i) {
                u8* const limits = b.row(i, units);
                if (!within(row.bytes, limits, units)) continue;
                b.answers() += b.answers() < 0xFFFF;
                copy(match.bytes, limits, units);
                u8* const first = block(head).row(0, units);
                if (first != limits) {
                    copy(limits, first, units);
                    copy(first, match.bytes, units);
                }
                return true;
            }
            at = b.next();
        }
        return false;
    }

    // Adds a row, and removes those that it covers.
    void store(const Shape& shape, bool proved, const Row& row, int units, int tricks) {
        u32 head = store_.find(shape).head[proved];
        for (u32 at = head; at; at = block(at).next()) {
            const Block b = block(at);
            for (u32 i = 0; i < b.used();) {
                if (within(b.row(i, units), row.bytes, units)) {
                    --b.used();
                    std::memmove(b.row(i, units), b.row(b.used(), units), units * kUnit);
                } else {
                    ++i;
                }
            }
        }
        if (!head || block(head).used() == block(head).room()) {
            const int room = head && block(head).room() < kBlock ? 2 * block(head).room() : 1;
            const u32 fresh = store_.fresh(entries(room, units));
            u32& first = store_.add(shape).head[proved];  // it may have moved, or been dropped
            const Block b = block(fresh);
            *b.at = {first,
                     0,
                     static_cast<u16>(room),
                     0,
                     static_cast<u16>(tricks),
                     static_cast<u16>(units)};
            if (first && block(first).room() < room) {
                const Block old = block(first);
                b.next() = old.next();
                b.used() = old.used();
                b.answers() = old.answers();
                std::memcpy(b.row(0, units), old.row(0, units),
                            static_cast<std::size_t>(old.used() * units * kUnit));
            }
            head = first = fresh;
        }
        const Block b = block(head);
        assert(b.used() < b.room() && units >= 1 && units <= kMostUnits);
        std::memmove(b.row(b.used(), units), b.row(0, units), units * kUnit);
        std::memcpy(b.row(0, units), row.bytes, units * kUnit);
        ++b.used();
    }

    // The rows of a block share a rating.
    void count(Ratings& ratings) {
        store_.each([&](const Lists& lists) {
            for (u32 at : lists.head)
                for (; at; at = block(at).next())
                    ratings.count[block(at).rating()] += block(at).used();
        });
    }

    // Drops all blocks below a rating.
    void keep(int least) {
        store_.move_together(
            [&](Lists& lists, auto& moves) {
                for (u32& head : lists.head) {
                    u32* last = &head;
                    for (u32 at = head; at; at = block(at).next()) {
                        const Block b = block(at);
                        if (b.rating() < least) continue;
                        b.answers() /= 2;
                        *last = at;
                        last = &b.next();
                        moves[at] = entries(b.room(), b.units());
                    }
                    *last = 0;
                }
            },
            [&](Lists& lists, const auto& moves) {
                for (u32& head : lists.head)
                    for (u32* index = &head; *index; index = &block(*index).next())
                        *index = moves[*index];
            });
    }

private:
    struct alignas(kUnit) Unit {
        u32 next;
        u16 used, room;  // rows
        u32 answers;
        u16 tricks, units;
    };

    // A block: one unit that describes its rows, then the rows.
    struct Block {
        Unit* at;
        u32& next() const { return at->next; }
        u16& used() const { return at->used; }
        u16& room() const { return at->room; }
        u32& answers() const { return at->answers; }
        u16& tricks() const { return at->tricks; }
        u16& units() const { return at->units; }
        int rating() const { return Ratings::of(tricks(), answers()); }
        u8* row(u32 i, int units) const {
            return reinterpret_cast<u8*>(at + 1) + i * static_cast<u32>(units * kUnit);
        }
    };

    static constexpr int kBlock = 8;  // the most rows of a block
    static constexpr u32 kChunk = 1 << 14;  // units

    static u32 entries(int room, int units) { return static_cast<u32>(1 + room * units); }

    // Unit by unit, because compilers make one copy of unknown length a slow instruction or call.
    static void copy(u8* to, const u8* from, int units) {
        for (int i = 0; i < kMostUnits && i < units; ++i)
            std::memcpy(to + i * kUnit, from + i * kUnit, kUnit);
    }

    static bool within(const u8* row, const u8* limits, int units) {
        for (; units; --units, row += kUnit, limits += kUnit) {
            u8 beyond = 0;
            for (int i = 0; i < kUnit; ++i) beyond |= static_cast<u8>(row[i] > limits[i]);
            if (beyond) return false;
        }
        return true;
    }

    static_assert(1 + kBlock * kMostUnits < kChunk, "a block lies in one chunk");

    Block block(u32 at) const { return {&store_[at]}; }

    Store<Lists, Unit, kChunk, 4> store_;
};

}  // namespace spadille::SPADILLE_ISA
