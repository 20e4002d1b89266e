// Tricks one player is sure to take with his trumps, from their ranks and the order of play alone.
//
// He is set against everybody outside his group in a game of trumps only, in which the others have
// every freedom.  Each round they name who leads; each of them may play a trump or keep it; he must
// play one, knowing what was played before his turn.  His trump wins unless a higher one is played.
// They may also give him a trick for nothing.  What he is sure of there, his group is sure of in the
// real play: a trick in which he plays a plain card takes no trump of his, and foreign trumps that
// fall in it are only missing afterwards; a trick his group wins without his trump is such a gift.
// He is on lead only after his group has won a trick, and if he is now, he leads a plain card while
// he has one: so for the first trick the others never make him lead.  Exempt matadors give him more
// choice than the game does; the others have the choice to keep theirs anyway.
//
// Each foreign trump beats one of his at most, so this contains the matching bound (his trumps less
// the largest matching to higher foreign ones); it adds what is behind whom: a guarded king on the
// right side of the ace.
#pragma once

#include <vector>

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

class TrumpDuel {
public:
    TrumpDuel() : denied_(kSize), asked_(kSize) {}

    // Is one of the group sure of so many tricks, or with his help the group?  `stuck` (-1: nobody)
    // is on lead and must lead a trump.  `used` is the lowest trump the proof needs.
    template <int P>
    bool sure(const Board<P>& b, u32 group, int stuck, int want, u64& used) {
        int longest = 0;
        for (u32 left = group; left; left &= left - 1) {
            const int length = b.length(lowest_index(left), b.trump);
            longest = length > longest ? length : longest;
        }
        // A called trump could not be played freely.
        if (longest < want || (b.called & b.trumps)) return false;  // rule: duel-called
        const u64 key = question(b, group, stuck, want);
        u64& slot = asked_[place_of(key, kBits)];
        if (slot >> 8 != key) slot = key << 8 | answer(b, group, stuck, want);
        if (!(slot & kSure)) return false;
        used = 0;
        u64 left = b.hands[slot >> 4 & 7] & b.trumps;
        for (int n = slot & 15; n > 0; --n) left ^= used = highest(left);  // rule: duel-rank
        return true;
    }

private:
    static constexpr int kBits = 12;
    static constexpr std::size_t kSize = std::size_t{1} << kBits;
    static constexpr u64 kSure = 128;

    // Who owns the trumps, from low to high, and what is asked.
    template <int P>
    static u64 question(const Board<P>& b, u32 group, int stuck, int want) {
        const u64 cards = b.held() & b.trumps;
        u64 owner[kPlanes<P>] = {};
        b.owners(owner);
        static_assert(1 + kPlanes<P> * kMaxTricks + P + 3 + 4 + 2 + 8 <= 64, "beside the answer");
        static_assert(P < 1 << 3 && kMaxTricks < 1 << 4 && P - 3 < 1 << 2);
        assert(popcount(cards) <= kMaxTricks && stuck >= -1 && stuck < P && want <= kMaxTricks);
        u64 key = 1ull << popcount(cards) | extract(owner[0], cards);
        for (int k = 1; k < kPlanes<P>; ++k) key = key << kMaxTricks | extract(owner[k], cards);
        key = key << P | (group & ((1u << P) - 1));  // rule: duel-group
        key = key << 3 | static_cast<u64>(stuck + 1);
        key = key << 4 | static_cast<u64>(want);
        return key << 2 | static_cast<u64>(P - 3);
    }

    // kSure, who, and how many of his trumps from the top the proof needs: the fewest.
    template <int P>
    u64 answer(const Board<P>& b, u32 group, int stuck, int want) {
        u64 best = 0;
        int fewest = kMaxTricks + 1;
        for (int p = 0; p < P; ++p) {
            if (!(group >> p & 1) || b.length(p, b.trump) < want) continue;
            const int needed = proof(b, group, p, want, p == stuck);  // rule: duel-stuck
            if (needed >= fewest) continue;
            fewest = needed;
            best = kSure | static_cast<u64>(p) << 4 | static_cast<u64>(needed);
        }
        return best;
    }

    // A player's trumps and the foreign ones that count against them.  Each other player has a lane
    // of bits, by his distance in turn: the trumps of the one as zeros, from high to low, and before
    // each of them as many ones as the other has trumps that beat it but not the one before.
    struct Holding {
        u64 lanes = 0;
        int trumps = 0;
        int players = 0;

        static constexpr int kWidth = kMaxTricks;
        static constexpr u64 kFirst = 1 | 1ull << kWidth | 1ull << 2 * kWidth | 1ull << 3 * kWidth;
        static constexpr u64 kLast = kFirst << (kWidth - 1);
        static u64 lane(int distance) { return ((1ull << kWidth) - 1) << (distance - 1) * kWidth; }

        int foreign() const { return popcount(lanes); }

        // His i-th trump in a lane, and all that stands before it in all lanes.
        u64 own(int i, int distance) const { return deposit(1ull << i, lane(distance) & ~lanes); }
        u64 before(int i) const { return (own(i, 1) | own(i, 2) | own(i, 3) | own(i, 4)) - kFirst; }

        Holding without_own(int i) const {
            if (i + 1 == trumps) return {i ? lanes & before(i - 1) : 0, i, players};
            const u64 kept = before(i);
            return {(lanes & kept) | (lanes >> 1 & ~(kept | kLast)), trumps - 1, players};
        }

        Holding without_foreign(u64 card, int distance) const {
            const u64 from = lanes & lane(distance) & ~(card - 1);
            return {lanes ^ from ^ ((from ^ card) >> 1), trumps, players};
        }
    };

    // How many of a player's trumps, from the top, must be known; the others count as the lowest of
    // all.  Out of reach if he is not sure.
    template <int P>
    int proof(const Board<P>& b, u32 group, int player, int want, bool on_lead) {
        const u64 own = b.hands[player] & b.trumps;
        Holding all{0, popcount(own), P};
        int theirs[P] = {};
        for (int distance = 1; distance < P; ++distance) {
            const int p = next<P>(player, distance);  // rule: duel-turn
            if (group >> p & 1) continue;
            const u64 his = b.hands[p] & b.trumps;
            theirs[distance] = popcount(his);
            u64 at = Holding::lane(distance) & Holding::kFirst;
            for (u64 left = own | (his & ~(lowest(own) - 1)); left; left ^= highest(left), at <<= 1)
                if (his & highest(left)) all.lanes |= at;
        }
        if (denied(all, want, on_lead)) return kMaxTricks + 1;
        for (int known = 0; known < all.trumps; ++known) {
            Holding some = all;
            some.lanes = known ? all.lanes & all.before(known - 1) : 0;
            for (int k = 1; k < P; ++k) {
                const u64 at =
                    known ? all.own(known - 1, k) << 1 : Holding::lane(k) & Holding::kFirst;
                const int rest = theirs[k] - popcount(some.lanes & Holding::lane(k));
                some.lanes |= (at << rest) - at;  // rule: duel-unknown
            }
            if (!denied(some, want, on_lead)) return known;
        }
        return all.trumps;
    }

    // Can the others keep him from so many tricks?
    bool denied(const Holding& h, int want, bool may_lead) {
        if (h.trumps < want) return true;
        if (h.foreign() <= h.trumps - want) return false;  // rule: duel-number
        static_assert(4 * Holding::kWidth + 4 + 4 + 2 + 1 + 1 <= 64, "beside the answer");
        assert(!(h.lanes >> 4 * Holding::kWidth) && h.trumps <= kMaxTricks && want >= 1);
        const u64 question =
            static_cast<u64>((h.trumps << 4 | want) << 3 | (h.players - 3) << 1 | may_lead);
        const u64 key = question << 4 * Holding::kWidth | h.lanes;
        const std::size_t at = place_of(key, kBits);
        if (denied_[at] >> 1 == key) return denied_[at] & 1;
        bool answer = want > 1 && denied(h, want - 1, true);  // rule: duel-gift
        for (int leader = may_lead ? 0 : 1; leader < h.players && !answer; ++leader) {
            answer = all_beaten(h, want, may_lead, leader, h.trumps);
            if (!leader) continue;
            for (int k = leader; k < h.players && !answer; ++k) {  // rule: duel-before
                const u64 lane = h.lanes & Holding::lane(k);
                // Of equal ones the lowest, next to the trump it beats.
                for (u64 left = lane & ~(lane >> 1); left && !answer; left &= left - 1) {
                    const u64 card = lowest(left);
                    const int beats = popcount(Holding::lane(k) & ~lane & (card - 1));
                    answer = all_beaten(h.without_foreign(card, k), want, may_lead, leader, beats);
                }
            }
        }
        denied_[at] = key << 1 | static_cast<u64>(answer);
        return answer;
    }

    // A round: the trump played before his turn beats his trumps from number `beats` on, those that
    // follow him in the round may beat the others.  Do they deny him whatever he plays?
    bool all_beaten(const Holding& h, int want, bool may_lead, int leader, int beats) {
        for (int x = 0; x < h.trumps; ++x) {
            const Holding after = h.without_own(x);
            if (x >= beats) {
                if (!denied(after, want, may_lead)) return false;
                continue;
            }
            bool beaten = want > 1 && denied(after, want - 1, true);  // rule: duel-on-lead
            // rule: duel-behind, duel-led-trump
            for (int k = 1; k < (leader ? leader : h.players) && !beaten; ++k) {
                // Their lowest that is high enough.
                const u64 card = highest(h.lanes & Holding::lane(k) & (h.own(x, k) - 1));
                beaten = card && denied(h.without_foreign(card, k).without_own(x), want, may_lead);
            }
            if (!beaten) return false;
        }
        return true;
    }

    std::vector<u64> denied_;
    std::vector<u64> asked_;
};

}  // namespace spadille::SPADILLE_ISA
