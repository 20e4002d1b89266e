// The two keys of a position in the table: its shape, and the owners of its cards.
#pragma once

#include "board.hpp"
#include "table.hpp"
#include "trick.hpp"

namespace spadille::SPADILLE_ISA {

template <int P>
inline constexpr int kSummaryBits = P == 5 ? 5 : 8;

static_assert(kMaxPlayers <= 1 << 3, "bits 0 to 2 are the leader");
static_assert(kMostMatadors < 1 << 2, "bits 3 and 4 are the matadors left");
static_assert(4 * kMaxTricks < 1 << 6, "bits 5 to 10 are the called card, 0 if none is out");

// The part of the shape other than the suit lengths of four players.
template <int P>
u32 rest_of_shape(const Board<P>& b, u32 leaders, u64 all) {
    assert(leaders < 1 << 3 && popcount(b.matadors & all) < 1 << 2);
    // rule: matadors-in-key
    u32 rest = leaders | static_cast<u32>(popcount(b.matadors & all)) << 3;
    if (b.called) {  // rule: called-in-key
        const int at = lowest_index(b.called);
        const int above = popcount(all & lane(suit_of(at)) & ~(b.called | (b.called - 1)));
        rest |= static_cast<u32>(1 + suit_of(at) * 13 + above) << 5;  // rule: called-rank-in-key
    }
    return rest | b.fifth << 11;  // rule: fifth-hand-in-key
}

// Whether rest_within() captures everything that matters. Two things are missing from it if the
// lead is beaten: whether the lead was a matador that others may have to follow, and the place of a
// called card still in play.
template <int P>
bool tells_within(const Board<P>& b, const Trick& t) {
    if (t.best == t.first) return true;
    // rule: within-matador-led, within-called
    return !(t.first & b.matadors) && !b.called;
}

// The rest of the shape after some cards of a trick: apart from the remaining hands, only
// this and the rank of the winning card matter.
template <int P>
u32 rest_within(const Board<P>& b, const Trick& t, u64 all) {
    u32 rest = rest_of_shape(b, static_cast<u32>(t.leader), all);
    rest |= static_cast<u32>(suit_of(lowest_index(t.led))) << 27;  // rule: within-led
    rest |= static_cast<u32>(t.marked) << 29;  // rule: within-marked
    rest |= static_cast<u32>(t.contested) << 30;  // rule: within-contested
    if (t.best == t.first) return rest;
    assert(!b.called && t.best_player < 1 << 3);  // the winner takes the place of the called card
    rest |= static_cast<u32>(t.best_player) << 5;  // rule: within-winner
    rest |= static_cast<u32>(!(t.best & t.led)) << 8;  // rule: within-trumped
    return rest | 1u << 31;  // rule: within-beaten
}

// A position as the table compares it: bit k of each card's owner, in the relative order of the
// cards. Within a trick, there is one more plane, for the winning card; other played cards are
// gone.
template <int P, int Planes = kPlanes<P>>
struct Owners {
    static constexpr int kPlayers = SPADILLE_ISA::kPlanes<P>;

    const u64 all;
    const u64 places;
    u64 planes[Planes] = {};
    u16 summary = 0;

    explicit Owners(const Board<P>& b) : all(b.all), places(summary_places(all)) {
        b.owners(planes);
        settle();
    }

    Owners(const Board<P>& b, u64 best) : all(b.held() | best), places(summary_places(all)) {
        static_assert(Planes == kPlayers + 1);
        b.owners(planes);
        planes[kPlayers] = best;  // rule: within-card
        settle();
    }

    // The pattern of these cards alone.
    Summarized<Planes> pattern(u64 cards) const {
        Summarized<Planes> out;
        out.mask = extract(cards, all);
        const u64 cared = extract(out.mask, places);
        out.summary_mask = 0;
        for (int k = 0; k < Planes; ++k) out.plane[k] = planes[k] & out.mask;
        for (int k = 0; k < kPlayers; ++k) out.summary_mask |= part(cared, k);
        out.summary = summary & out.summary_mask;
        return out;
    }

private:
    void settle() {
        for (u64& plane : planes) plane = extract(plane, all);
        for (int k = 0; k < kPlayers; ++k) summary |= part(extract(planes[k], places), k);
    }

    static u16 part(u64 owners, int k) { return static_cast<u16>(owners << (k * kSummaryBits<P>)); }

    // The card positions whose owners are in a pattern's summary: the two highest in each suit or,
    // with three planes, the highest and one more. They are determined by the shape.
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
