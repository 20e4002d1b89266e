// Tricks one player is sure to take with his trumps, from their ranks and the order of play alone.
//
// He is set against everybody outside his group in a game of trumps only, in which the others have
// every freedom.  Each round they name who leads; each of them may play a trump or keep it; he must
// play one, knowing what was played before his turn.  His trump wins unless a higher one is played.
// What he is sure of there, his group is sure of in the real play: a trick in which he plays a
// plain card takes no trump of his, and foreign trumps that fall in it are only missing afterwards.
// A trick his group wins without his trump puts him on lead, too; that serves the others no better
// than a round in which they play no trumps and he wins with one, as a trump less never helps him.
// He is on lead only after his group has won a trick, and if he is now, he leads a plain card while
// he has one: so for the first trick the others never make him lead.  Exempt matadors give him more
// choice than the game does; the others have the choice to keep theirs anyway.
//
// Each foreign trump beats one of his at most, so this contains the matching bound (his trumps less
// the largest matching to higher foreign ones); it adds the order of play: a guarded king on the
// right side of the ace.
//
// A player alone has more.  After a trick he has won he is on lead himself, and may lead a trump;
// where no matador can be kept the others must follow to it, each with one of theirs.  Or he leads
// a plain card that nothing but a ruff beats, a winner, and one of them ruffs it, so that a trump
// that he cannot draw is drawn.  They may lead its suit themselves and ruff it.  Where they have
// trumps they need not let a winner win.  For let him win w - 1 tricks, on lead, after that, but w,
// off lead, after a ruff with the lowest trump of any of them: then he wins w - 1 in the first
// case, too.  He leads his lowest trump.  If one of them beats it he is off lead as after the ruff,
// with one trump less, which costs a trick at most; if none does he has won it, and goes on
// likewise. Who has winners plays a trump whenever he cannot follow, so he never throws one while
// he has trumps.
#pragma once

#include <vector>

#include "board.hpp"
#include "following.hpp"
#include "holding.hpp"

namespace spadille::SPADILLE_ISA {

class TrumpDuel {
public:
    static constexpr unsigned kAssumes = kFreePlay;

    TrumpDuel() : denied_(kSize), asked_(kSize) {}

    // Whether he is on lead: with plain cards that he may lead, or with none.
    enum class Lead : u8 { off, free, stuck };

    struct Question {
        u32 group;
        int leader;
        Lead lead;  // of the leader, if he is one of the group
        int want;
        int winners = 0;  // of a player alone
    };

    // Is one of the group sure of so many tricks, or with his help the group?  `used` is the lowest
    // trump the proof needs.
    template <int P>
    bool sure(const Board<P>& b, const Question& q, u64& used) {
        int longest = 0;
        for (u32 left = q.group; left; left &= left - 1) {
            const int length = b.length(lowest_index(left), b.trump);
            longest = length > longest ? length : longest;
        }
        // A called trump could not be played freely.  rule: duel-called
        if (longest + q.winners < q.want || (b.called & b.trumps)) return false;
        const bool alone = !(q.group & (q.group - 1));
        const bool draws = alone && !(b.matadors & ~b.held(q.group));  // rule: duel-matadors
        const u64 key = asked(b, q);
        const u64 more = static_cast<u64>(q.winners << 1 | draws);  // rule: duel-more
        Asked& slot = asked_[place_of(key ^ more << 56, kBits)];
        if (slot.key != key || slot.answer >> 8 != more)
            slot = {key, more << 8 | answer(b, q, draws)};
        if (!(slot.answer & kSure)) return false;
        used = 0;
        u64 left = b.hands[slot.answer >> 4 & 7] & b.trumps;
        for (u64 n = slot.answer & 15; n > 0; --n) left ^= used = highest(left);  // rule: duel-rank
        return true;
    }

private:
    static constexpr int kBits = 13;
    static constexpr std::size_t kSize = std::size_t{1} << kBits;
    static constexpr u64 kSure = 128;

    // The owners of the trumps, from low to high, and the question.
    template <int P>
    static u64 asked(const Board<P>& b, const Question& q) {
        const u64 cards = b.held() & b.trumps;
        u64 owner[kPlanes<P>] = {};
        b.owners(owner);
        static_assert(1 + kPlanes<P> * kMaxTricks + P + 3 + 2 + 4 + 2 <= 64, "one key");
        static_assert(P < 1 << 3 && kMaxTricks < 1 << 4 && P - 3 < 1 << 2);
        assert(popcount(cards) <= kMaxTricks && q.want <= kMaxTricks);
        const bool counts = q.lead == Lead::stuck || !(q.group & (q.group - 1));
        const Lead lead = counts ? q.lead : Lead::off;
        u64 key = 1ull << popcount(cards) | extract(owner[0], cards);
        for (int k = 1; k < kPlanes<P>; ++k) key = key << kMaxTricks | extract(owner[k], cards);
        key = key << P | (q.group & ((1u << P) - 1));  // rule: duel-group
        key = key << 3 | static_cast<u64>(lead == Lead::off ? 0 : q.leader + 1);
        key = key << 2 | static_cast<u64>(lead);  // rule: duel-lead
        key = key << 4 | static_cast<u64>(q.want);
        return key << 2 | static_cast<u64>(P - 3);
    }

    // kSure, who, and how many of his trumps from the top the proof needs: the fewest.
    template <int P>
    SPADILLE_APART u64 answer(const Board<P>& b, const Question& q, bool draws) {
        u64 best = 0;
        int fewest = kMaxTricks + 1;
        for (int p = 0; p < P; ++p) {
            if (!(q.group >> p & 1) || b.length(p, b.trump) + q.winners < q.want) continue;
            const int needed = proof(b, q, p, draws);
            if (needed >= fewest) continue;
            fewest = needed;
            best = kSure | static_cast<u64>(p) << 4 | static_cast<u64>(needed);
        }
        return best;
    }

    // How many of a player's trumps, from the top, must be known; the others count as the lowest of
    // all.  Out of reach if he is not sure.
    template <int P>
    int proof(const Board<P>& b, const Question& q, int player, bool draws) {
        const auto trumps = [&](int p) { return b.hands[p] >> (16 * b.trump) & kLane; };
        const auto at = [](int distance) { return 16 * (distance - 1); };
        u64 others = 0;
        for (int k = 1; k < P; ++k) {
            const int p = next<P>(player, k);  // rule: duel-turn
            if (!(q.group >> p & 1)) others |= trumps(p) << at(k);
        }
        others = reversed(others);
        const u64 own = reversed(trumps(player));
        const u64 useful = own ? 2 * highest(own) - 1 : 0;  // not below all of his
        Holding all;
        all.trumps = popcount(own);
        all.players = P;
        all.alone = !(q.group & (q.group - 1));
        all.draws = draws;
        all.winners = q.winners;
        int theirs[P] = {};
        for (int k = 1; k < P; ++k) {
            const u64 his = others >> at(k) & kLane;
            theirs[k] = popcount(his);
            all.lanes |= extract(his & useful, (his | own) & useful) << at(k);
            if (all.alone) all.low |= static_cast<u32>(popcount(his & ~useful)) << 4 * (k - 1);
        }
        const Lead lead = player == q.leader ? q.lead : Lead::off;
        const auto lost = [&](const Holding& h) {
            if (lead == Lead::free && h.alone)
                return denied(h, q.want, true) && denied(h, q.want, false);
            return denied(h, q.want, lead == Lead::stuck);  // rule: duel-stuck
        };
        if (lost(all)) return kMaxTricks + 1;
        for (int known = 0; known < all.trumps; ++known) {
            Holding some = all;
            some.low = 0;
            some.lanes = known ? all.lanes & all.before(known - 1) : 0;
            for (int k = 1; k < P; ++k) {
                const u64 from =
                    known ? all.own(known - 1, k) << 1 : Holding::lane(k) & Holding::kFirst;
                const int rest = theirs[k] - popcount(some.foreign(k));
                some.lanes |= (from << rest) - from;  // rule: duel-unknown
            }
            if (!lost(some)) return known;
        }
        return all.trumps;
    }

    // Can the others keep him from so many tricks?  A player alone leads; one of a group may have
    // to lead.
    bool denied(const Holding& h, int want, bool leads) {
        if (h.trumps + h.winners < want) return true;
        if (popcount(h.lanes) <= h.trumps - want) return false;  // rule: duel-number
        if (h.alone && !h.trumps) return !leads || h.low;  // rule: duel-no-trumps
        if (h.alone && !h.lanes && !h.low) return false;
        u64 question = static_cast<u64>((h.trumps << 4 | want) << 4 | h.winners);
        question = question << 2 | static_cast<u64>(h.players - 3);
        question = question << 3 | static_cast<u64>(leads << 2 | h.alone << 1 | h.draws);
        question = question << 16 | h.low;
        const u64 key = h.lanes ^ question * 0xD6E8FEB86659FD93ull;
        Denied& slot = denied_[place_of(key, kBits)];
        if (slot.lanes == h.lanes && slot.question >> 1 == question) return slot.question & 1;
        const bool answer = h.alone && leads ? led(h, want) : unled(h, want, leads);
        slot = {h.lanes, question << 1 | static_cast<u64>(answer)};
        return answer;
    }

    // He is on lead: whatever he leads.
    bool led(const Holding& h, int want) {
        if (h.draws) {
            for (int i = 0; i < h.trumps; ++i)
                if (!followed(h, want, i)) return false;
        } else if (!all_beaten(h, want, false, 0, h.trumps)) {
            return false;
        }
        return !h.winners || ruffed(h, want);
    }

    // Somebody else is.
    bool unled(const Holding& h, int want, bool may_lead) {
        if (h.winners && ruffed(h, want)) return true;  // rule: duel-winner-led
        for (int leader = may_lead ? 0 : 1; leader < h.players; ++leader)
            if (round(h, want, may_lead, leader)) return true;
        return false;
    }

    // A winner is led, and one of them ruffs with his lowest.
    bool ruffed(const Holding& h, int want) {
        Holding less = h;
        --less.winners;
        for (int k = 1; k < h.players; ++k)
            if (h.has(k) && denied(less.without_lowest(k), want, false)) return true;
        return false;
    }

    // He leads his i-th trump, and all follow.
    bool followed(const Holding& h, int want, int i) {
        bool wins = true;
        for (int k = 1; k < h.players; ++k) {
            const u64 over = h.over(i, k);
            if (!over) continue;
            if (denied(h.drawn(i, k), want, false)) return true;  // rule: duel-drawn-beaten
            wins = wins && (over != h.foreign(k) || h.low_of(k));
        }
        return wins && want > 1 && denied(h.drawn(i, 0), want - 1, true);  // rule: duel-drawn
    }

    // A round that somebody else leads: one of those before his turn plays a trump, or none does.
    bool round(const Holding& h, int want, bool may_lead, int leader) {
        for (int k = leader ? leader : h.players; k < h.players; ++k) {  // rule: duel-before
            const u64 foreign = h.foreign(k);
            // Of equal ones the lowest, next to the trump it beats.
            for (u64 left = foreign & ~(foreign >> 1); left; left &= left - 1) {
                const u64 card = lowest(left);
                const int beats = popcount(Holding::lane(k) & ~foreign & (card - 1));
                if (all_beaten(h.without_foreign(card, k), want, may_lead, leader, beats))
                    return true;
            }
        }
        return all_beaten(h, want, may_lead, leader, h.trumps);
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
                const u64 card = highest(h.over(x, k));  // their lowest that is high enough
                beaten = card && denied(h.without_foreign(card, k).without_own(x), want, may_lead);
            }
            if (!beaten) return false;
        }
        return true;
    }

    struct Denied {
        u64 lanes = 0, question = 0;
    };
    struct Asked {
        u64 key = 0, answer = 0;
    };

    std::vector<Denied> denied_;
    std::vector<Asked> asked_;
};

}  // namespace spadille::SPADILLE_ISA
