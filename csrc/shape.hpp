// What a position is looked up by: its shape, and the owners of its cards.
#pragma once

#include "board.hpp"
#include "table.hpp"

namespace spadille::SPADILLE_ISA {

template <int P>
inline constexpr int kSummaryBits = P == 5 ? 5 : 8;

static_assert(kMaxPlayers <= 1 << 3, "bits 0 to 2 are the leader");
static_assert(kMostMatadors < 1 << 2, "bits 3 and 4 are the matadors left");
static_assert(4 * kMaxTricks < 1 << 6, "bits 5 to 10 are the called card, 0 if none is out");

// What the shape holds beside the lengths of four players' suits.
template <int P>
u32 rest_of_shape(const Board<P>& b, u32 leaders) {
    assert(leaders < 1 << 3 && popcount(b.matadors & b.all) < 1 << 2);
    // rule: matadors-in-key
    u32 rest = leaders | static_cast<u32>(popcount(b.matadors & b.all)) << 3;
    if (b.called) {  // rule: called-in-key
        const int at = lowest_index(b.called);
        const int above = popcount(b.all & lane(suit_of(at)) & ~(b.called | (b.called - 1)));
        rest |= static_cast<u32>(1 + suit_of(at) * 13 + above) << 5;  // rule: called-rank-in-key
    }
    return rest | b.fifth << 11;  // rule: fifth-hand-in-key
}

// A position as the table compares it: bit k of each card's owner, in the relative order of the cards.
template <int P>
struct Owners {
    static constexpr int kPlanes = SPADILLE_ISA::kPlanes<P>;

    const u64 all;
    const u64 places;
    u64 planes[kPlanes] = {};
    u16 summary = 0;

    explicit Owners(const Board<P>& b) : all(b.all), places(summary_places(b.all)) {
        b.owners(planes);
        for (int k = 0; k < kPlanes; ++k) {
            planes[k] = extract(planes[k], all);
            summary |= part(extract(planes[k], places), k);
        }
    }

    // Of these cards alone.
    Pattern<kPlanes> pattern(u64 cards) const {
        Pattern<kPlanes> out;
        out.mask = extract(cards, all);
        const u64 cared = extract(out.mask, places);
        out.summary_mask = 0;
        for (int k = 0; k < kPlanes; ++k) {
            out.plane[k] = planes[k] & out.mask;
            out.summary_mask |= part(cared, k);
        }
        out.summary = summary & out.summary_mask;
        return out;
    }

private:
    static u16 part(u64 owners, int k) { return static_cast<u16>(owners << (k * kSummaryBits<P>)); }

    // The places a pattern's summary tells the owners of: the two highest of each suit, with three
    // planes the highest and one more.  They follow from the shape.
    static u64 summary_places(u64 all) {
        u64 out = 0;
        for (int s = 0; s < 4; ++s) {
            const int end = popcount(all & (~0ull >> (48 - 16 * s)));
            const int cards = P < 5 || s == 3 ? 2 : 1;
            out |= ((1ull << cards) - 1) << end >> cards;
        }
        return out;
    }
};

}  // namespace spadille::SPADILLE_ISA
