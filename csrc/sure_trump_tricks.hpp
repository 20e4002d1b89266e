// Tricks that one player is sure to take with trumps, determined only by the ranks of the trumps
// and the order of play.
//
// A player, here called the holder, plays a trumps-only game against everybody outside the holder's
// group; those opponents may play without restrictions. In each round, these opponents choose the
// leader, and each of them may play a trump or keep it; the holder must play one, knowing the cards
// played before. The holder's trump wins unless a higher one is played.
//
// Tricks the holder is sure of in this game are sure for the group in the actual play: a trick in
// which the holder plays a plain card takes none of the holder's trumps, and trumps that others
// play to it are simply gone afterwards. A trick that the group wins without the holder's trump may
// also put the holder on lead. That serves the others no better than a round in which they play no
// trumps and the holder wins with one, because losing a trump never helps the holder. The holder
// gets the lead only after the group has won a trick. If the holder is on lead now and has a plain
// card, that card is led, so the holder never has to lead a trump to the first trick. Exempt
// matadors give the holder more choice than the game does; the others may keep theirs anyway.
//
// Each trump of the others beats at most one of the holder's, so this includes the matching bound
// (the holder's trumps minus the largest matching to higher trumps of the others). It also takes
// the order of play into account: a guarded king may be sure of a trick, depending on which
// opponent has the ace.
//
// A lone player has more options. After winning a trick, the lone player leads, and may lead a
// trump. If no matador can be kept, each of the others must follow with a trump. Alternatively, the
// lone player leads a winner, a plain card that only a ruff beats. If one of the others ruffs it,
// this draws a trump that could not be drawn otherwise. The others may also lead the suit of a
// winner themselves and ruff it. As long as they have trumps, the others need not let a winner win.
// The reason: if they let it win, the holder needs w - 1 more tricks, on lead; if they ruff it with
// any player's lowest trump, the holder needs w more, off lead. A holder who can win w after the
// ruff can also win w - 1 in the first case, by leading the lowest trump. If one of the others
// beats it, the holder is off lead as after the ruff, with one trump fewer, which costs at most one
// trick. If nobody does, the holder has won a trick, and goes on in the same way. A holder who has
// winners and cannot follow suit plays a trump, and therefore never discards a winner while holding
// trumps.
#pragma once

#include <vector>

#include "board.hpp"
#include "following.hpp"
#include "trump_ranks.hpp"

namespace spadille::SPADILLE_ISA {

class TrumpDuel {
public:
    static constexpr unsigned kAssumes = kFreePlay;

    TrumpDuel() : denied_(kSize), asked_(kSize) {}

    void load_into_caches() const {
        SPADILLE_ISA::load_into_caches(denied_.data(), kSize);
        SPADILLE_ISA::load_into_caches(asked_.data(), kSize);
    }

    // Whether the player is off lead, on lead with plain cards, or on lead without any (stuck).
    enum class Lead : u8 { off, free, stuck };

    struct Question {
        u32 group;
        int leader;
        Lead lead;  // of the leader, if the leader is in the group
        int want;
        int winners = 0;  // of a lone player
    };

    // Whether one member of the group is sure of `want` tricks, alone or with the group's help.
    // `used` is the lowest trump the proof needs.
    template <int P>
    bool sure(const Board<P>& b, const Question& q, u64& used) {
        // A called trump could not be played freely. rule: duel-called
        if (!may_win(b, q) || (b.called & b.trumps)) return false;
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
    // Four bits for each player of a set.
    static constexpr u16 kMembers[16] = {0x0000, 0x000F, 0x00F0, 0x00FF, 0x0F00, 0x0F0F,
                                         0x0FF0, 0x0FFF, 0xF000, 0xF00F, 0xF0F0, 0xF0FF,
                                         0xFF00, 0xFF0F, 0xFFF0, 0xFFFF};

    // Whether one member of the group has at least as many trumps and winners as tricks wanted.
    template <int P>
    static bool may_win(const Board<P>& b, const Question& q) {
        const int least = q.want - q.winners;
        if (least <= 0) return true;
        if constexpr (P == 5) {
            if ((q.group >> 4 & 1) && b.length(4, b.trump) >= least) return true;
        }
        // Four bits per player. A length that is high enough carries to the next four bits, so the
        // lengths of two players next to each other are tested apart.
        const u32 lengths = static_cast<u32>(b.lengths >> (16 * b.trump)) & kMembers[q.group & 15];
        const u32 missing = static_cast<u32>(16 - least) * 0x0101;
        return (((lengths & 0x0F0F) + missing) | ((lengths >> 4 & 0x0F0F) + missing)) & 0x1010;
    }

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

    // kSure, the player, and the minimum number of top trumps that the proof needs.
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

    // The number of a player's top trumps that must be known; the player's other trumps count as
    // the lowest. If the player is not sure of the tricks, the number is too large to be reached.
    template <int P>
    int proof(const Board<P>& b, const Question& q, int player, bool draws) {
        Holding all = holding(b, player, q.group, draws);
        all.winners = q.winners;
        int theirs[P] = {};
        for (int k = 1; k < P; ++k) {
            const int p = next<P>(player, k);
            if (!(q.group >> p & 1)) theirs[k] = b.length(p, b.trump);
        }
        const Lead lead = player == q.leader ? q.lead : Lead::off;
        const auto lost = [&](const Holding& h) {
            if (lead == Lead::free && h.alone)
                return denied(h, q.want, true) && denied(h, q.want, false);
            return denied(h, q.want, lead == Lead::stuck);  // rule: duel-stuck
        };
        if (lost(all)) return kMaxTricks + 1;
        for (int known = 0; known < all.trumps; ++known) {
            if (!lost(all.knowing(known, theirs))) return known;
        }
        return all.trumps;
    }

    // Whether the others can keep the player from `want` tricks. A lone player leads; a player in a
    // group may have to lead.
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

    // The player is on lead and may lead anything.
    bool led(const Holding& h, int want) {
        if (h.draws) {
            for (int i = 0; i < h.trumps; ++i)
                if (!followed(h, want, i)) return false;
        } else if (!all_beaten(h, want, false, 0, h.trumps)) {
            return false;
        }
        return !h.winners || ruffed(h, want);
    }

    // Another player is on lead.
    bool unled(const Holding& h, int want, bool may_lead) {
        if (h.winners && ruffed(h, want)) return true;  // rule: duel-winner-led
        for (int leader = may_lead ? 0 : 1; leader < h.players; ++leader)
            if (round(h, want, may_lead, leader)) return true;
        return false;
    }

    // A winner is led, and one of the others ruffs with the lowest trump.
    bool ruffed(const Holding& h, int want) {
        Holding less = h;
        --less.winners;
        for (int k = 1; k < h.players; ++k)
            if (h.has(k) && denied(less.without_lowest(k), want, false)) return true;
        return false;
    }

    // The player leads the i-th trump, and all follow.
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

    // Another player leads a round; one of the others plays a trump before the player's turn, or
    // nobody does.
    bool round(const Holding& h, int want, bool may_lead, int leader) {
        for (int k = leader ? leader : h.players; k < h.players; ++k) {  // rule: duel-before
            const u64 foreign = h.foreign(k);
            // Of equivalent trumps, only the lowest (the one just above the trump that it beats) is
            // tried.
            for (u64 left = foreign & ~(foreign >> 1); left; left &= left - 1) {
                const u64 card = lowest(left);
                const int beats = h.beats(card, k);
                if (all_beaten(h.without_foreign(card, k), want, may_lead, leader, beats))
                    return true;
            }
        }
        return all_beaten(h, want, may_lead, leader, h.trumps);
    }

    // A round in which a trump was played before the player's turn. This trump beats the player's
    // trumps with numbers of at least `beats`; those who play later may beat the others. Returns
    // whether the others succeed, whatever the player plays.
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
