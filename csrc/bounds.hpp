// Static bounds: tricks a group of players is sure of, with the cards the proof rests on.
//
// Each function counts towards `want` and stops there, so that the proof rests on as few cards as
// may be.  `used` receives the lowest card of each suit the proof needs; suit lengths are part of
// every table key and need no mention.
#pragma once

#include "board.hpp"
#include "duel.hpp"

namespace spadille::SPADILLE_ISA {

// The n-th highest card of a set that lies in one lane (n >= 1, at most the size of the set).
inline u64 nth_highest(u64 set, int n) {
    for (;;) {
        const u64 top = highest(set);
        if (--n == 0) return top;
        set ^= top;
    }
}

// Tricks the group takes at once when `leader`, one of it, is on lead: his own winners suit by
// suit, then those of one partner he can reach.  Trumps he draws first shorten the others' ruffs.
template <int P>
class QuickTricks {
public:
    QuickTricks(const Board<P>& board, u32 group, int leader, TrumpDuel& duel)
        : b(board), group_(group), leader_(leader), foreign_(board.foreign(group)), duel_(duel) {}

    // `trump_led`: he gets on lead by the top trump only, so he cannot cash plain winners first.
    int count(int want, u64& used, bool trump_led = false) {
        used = 0;
        int total = 0;
        const int cap = unforced(group_ & ~(1u << leader_));
        for (int s = 0; s < 4; ++s) look(s);
        if (b.trumps) {
            if (!trump_led && cashed_then_trumps(want, cap, used)) return want;
            total = own_winners(b.trump, want, used);
            drawn_ = rounds_[b.trump];
        }
        for (int s = 0; s < 4 && total < want; ++s)
            if (s != b.trump) total += own_winners(s, want - total, used);
        if (total >= want) return least(total, cap);
        if (group_ == 1u << leader_ || cap <= total) return least(total, cap);
        return cross(total, want, used);
    }

private:
    static int least(int a, int c) { return a < c ? a : c; }

    // Plain winners nobody can ruff as things stand; all trumps are still there then, and give what
    // the duel says.
    bool cashed_then_trumps(int want, int cap, u64& used) {
        u64 proof = 0, trumps = 0;
        int cashed = 0;
        for (int s = 0; s < 4 && cashed < want; ++s)
            if (s != b.trump) cashed += own_winners(s, want - cashed, proof);
        if (!cashed || cashed >= cap) return false;
        const bool stuck = b.called || popcount(b.hands[leader_] & ~b.trumps) <= cashed;
        if (cashed < want && !duel_.sure(b, group_, stuck ? leader_ : -1, want - cashed, trumps))
            return false;
        used = proof | trumps;
        return true;
    }

    // Tricks for which none of these partners, short of plain cards to throw, must ruff; the trick
    // in which one does is still the group's, but it ends the run.
    int unforced(u32 partners) const {
        int limit = 99;
        if (!b.trumps) return limit;
        for (int p = 0; p < P; ++p)
            if ((partners >> p & 1) && (b.hands[p] & b.trumps))
                limit = least(limit, popcount(b.hands[p] & ~b.trumps & ~b.called) + 1);
        return limit;
    }

    // How often a plain suit can be led before somebody foreign may ruff it.
    int unruffed(int suit) const {
        if (!b.trumps || suit == b.trump) return 99;
        int limit = 99;
        for (int p = 0; p < P; ++p) {
            const bool may = !(group_ >> p & 1) & (b.length(p, b.trump) > drawn_);
            limit = least(limit, may ? b.length(p, suit) : 99);
        }
        return limit;
    }

    // The leader's winners in a suit as long as nobody ruffs: his cards above all others, or above
    // the foreign ones if his partners can keep theirs out of the way; all when they outlast.
    void look(int suit) {
        const u64 own = b.hands[leader_] & lane(suit);
        winners_[suit] = 0;
        if (!own || (b.called_lane & own)) return;
        const u64 cards = b.all & lane(suit);
        u64 tops = above(own, cards & ~own);
        const u64 joint = above(own, cards & foreign_);
        if (joint != tops && ducked(suit, joint)) tops = joint;
        if (!tops) return;
        int longest = 0;
        for (int p = 0; p < P; ++p) {
            const int length = p == leader_ ? 0 : b.length(p, suit);
            longest = length > longest ? length : longest;
        }
        const int winners = popcount(tops);
        tops_[suit] = tops;
        longest_[suit] = longest;
        winners_[suit] = winners >= longest ? popcount(own) : winners;
    }

    int own_winners(int suit, int want, u64& used) {
        rounds_[suit] = 0;
        if (!winners_[suit]) return 0;
        const int winners = least(winners_[suit], unruffed(suit));
        rounds_[suit] = winners;
        const int needed = least(least(winners, want), longest_[suit]);
        if (needed) used |= nth_highest(tops_[suit], needed);
        return winners;
    }

    // Cards of `set` above all of `others`, within one lane.
    static u64 above(u64 set, u64 others) {
        return others ? set & ~((highest(others) << 1) - 1) : set;
    }

    // Can every partner with a higher card play a lower one whenever one of `tops` is led?
    bool ducked(int suit, u64 tops) const {
        const int rounds = popcount(tops);
        const u64 last = lowest(tops);
        for (int p = 0; p < P; ++p) {
            if (p == leader_ || !(group_ >> p & 1)) continue;
            const u64 held = b.hands[p] & lane(suit);
            if (held >= last && popcount(held & (last - 1)) < rounds) return false;
        }
        return true;
    }

    // The leader has cashed his winners; one of his low cards goes to a partner's top card, and the
    // partner cashes what is good then.  The partner must have had low cards to play meanwhile.
    int cross(int total, int want, u64& used) {
        int best = total;
        u64 best_used = used;
        for (int p = 0; p < P; ++p) {
            if (p == leader_ || !(group_ >> p & 1)) continue;
            bool reached = false;
            for (int s = 0; s < 4 && !reached; ++s) reached = crossing(s, p);
            if (!reached) continue;
            u64 mine = used;
            const int sum = least(total + partners_winners(p, total, mine),
                                  unforced(group_ & ~(1u << leader_ | 1u << p)));
            if (sum > best) {
                best = sum;
                best_used = mine;
                if (best >= want) break;
            }
        }
        used = best_used;
        return best;
    }

    bool crossing(int suit, int p) const {
        if (b.length(leader_, suit) <= rounds_[suit]) return false;
        const u64 cards = b.all & lane(suit);
        if (!(highest(cards & ~gone(suit)) & b.hands[p]) || (cards & b.called_lane)) return false;
        if (suit == b.trump) return !(b.matadors & foreign_);
        return unruffed(suit) > rounds_[suit];
    }

    int partners_winners(int p, int total, u64& used) const {
        int sum = 0, spare = 0, discards = 0;
        bool reached = false;
        for (int s = 0; s < 4; ++s) {
            const int rounds = rounds_[s];
            const int length = b.length(p, s);
            const bool plain = s != b.trump;
            if (length <= rounds) {
                discards += rounds - length;
                continue;
            }
            const u64 own = b.hands[p] & lane(s);
            const u64 tops = above(own, b.all & lane(s) & ~gone(s) & ~own);
            int winners = least(popcount(tops), length - rounds);
            if (b.called_lane & own) winners = 0;
            if (winners) {
                int longest = 0;
                for (int o = 0; o < P; ++o)
                    if (o != p && b.length(o, s) - rounds > longest) longest = b.length(o, s) - rounds;
                const int counted = winners;
                if (winners >= longest) winners = length - rounds;
                winners = least(winners, unruffed(s) - rounds);
                if (winners < 0) winners = 0;
                const int needed = least(least(winners, longest), counted);
                if (needed) used |= nth_highest(tops, needed);
                if (winners && crossing(s, p)) {
                    if (!needed) used |= nth_highest(tops, 1);
                    reached = true;
                }
            }
            sum += winners;
            if (plain) spare += length - rounds - winners - popcount(own & b.called);
        }
        // Trumps of his would ruff our own winners, so only plain cards can be thrown.
        if (!reached || discards > spare) return 0;
        // The leader becomes the partner: he must have plain cards for the rest.
        if (b.trumps && (b.hands[leader_] & b.trumps)) {
            const int left = popcount(b.hands[leader_] & ~b.trumps) + rounds_[b.trump] + 1 - total;
            sum = least(sum, left > 0 ? left : 0);
        }
        return sum;
    }

    // The top cards the leader has cashed.
    u64 gone(int suit) const {
        u64 left = tops_[suit];
        for (int n = rounds_[suit]; n > 0 && left; --n) left ^= highest(left);
        return tops_[suit] ^ left;
    }

    const Board<P>& b;
    const u32 group_;
    const int leader_;
    const u64 foreign_;
    TrumpDuel& duel_;
    int drawn_ = 0;
    int winners_[4] = {};
    int longest_[4] = {};
    int rounds_[4] = {};
    u64 tops_[4] = {};
};

// A lone player, void in a plain suit that is led, ruffs as low as nobody foreign can ruff higher and
// goes on with quick tricks.  One who could ruff, too, may discard instead and ruff a round earlier
// later on, so then only the ruff itself counts.
template <int P>
bool ruffs(const Board<P>& b, u32 group, int suit, int want, TrumpDuel& duel, u64& used) {
    if (suit == b.trump || b.called || (group & (group - 1))) return false;
    const int p = lowest_index(group);
    const u64 own = b.hands[p] & b.trumps;
    if (!own || b.length(p, suit)) return false;
    u64 over = 0;
    for (int q = 0; q < P; ++q)
        if (q != p && !b.length(q, suit)) over |= b.hands[q] & b.trumps;
    if (over && want > 1) return false;
    const u64 able = over ? own & ~((highest(over) << 1) - 1) : own;
    if (!able) return false;
    const u64 card = lowest(able);
    if (want > 1) {
        Board<P> after = b;
        after.take(p, card);
        after.all ^= card;
        if (QuickTricks<P>(after, group, p, duel).count(want - 1, used) < want - 1) return false;
    } else if (over) {
        used = card;
    }
    return true;
}

// Tricks the group is sure of when one of `leaders`, foreign, leads: whatever suit he leads, one of the group
// has its top card, nobody can ruff it, and goes on as if he had led it.
template <int P>
bool later_tricks(const Board<P>& b, u32 group, u32 leaders, int want, TrumpDuel& duel, u64& used) {
    u64 proof = 0, leads = 0;
    for (; leaders; leaders &= leaders - 1) leads |= b.hands[lowest_index(leaders)];
    for (int s = 0; s < 4; ++s) {
        if (!(leads & lane(s))) continue;
        const u64 cards = b.all & lane(s);
        if (cards & b.called_lane) return false;
        const u64 top = highest(cards);
        int holder = -1;
        bool ruffed = false;
        for (int p = 0; p < P; ++p) {
            if (!(group >> p & 1))
                ruffed = ruffed || (b.trumps && s != b.trump && !b.length(p, s) && (b.hands[p] & b.trumps));
            else if (b.hands[p] & top)
                holder = p;
        }
        if (holder < 0 || ruffed) {
            u64 rest = 0;
            if (!ruffs(b, group, s, want, duel, rest)) return false;
            proof |= rest;
            continue;
        }
        u64 run = top;
        if (want > 1) {
            // His trump may exempt a foreign matador, which is not drawn then and may ruff later.
            if (s == b.trump && (b.matadors & b.foreign(group))) return false;
            u64 rest = 0;
            QuickTricks<P> quick(b, group, holder, duel);
            if (quick.count(want, rest, s == b.trump) < want) return false;
            run |= rest;
        }
        proof |= run;
    }
    used = proof;
    return true;
}

// One trick for the group, whoever leads, when the others have no trumps: in a suit whose top card
// one of the group keeps the others win nothing, and in any other suit at most as often as one of
// them can follow.  Each of the group can keep two tops to the end: he must part with one of them
// only at the last trick but one, when each of the others has at most one card of the suit led, so
// that who wins it, and what he leads to the last, is settled.  With three tops he could be
// squeezed by three opponents who settle that after his discard.
template <int P>
bool one_trick(const Board<P>& b, u32 group, int tricks, u64& used) {
    u64 tops = 0;
    int theirs = 0;
    int kept[P] = {};
    for (int p = 0; p < P; ++p)
        if (b.hands[p] & (group >> p & 1 ? b.called : b.trumps)) return false;
    for (int s = 0; s < 4; ++s) {
        const u64 cards = b.all & lane(s);
        if (!cards) continue;
        const u64 top = highest(cards);
        int most = 0;
        bool held = false;
        for (int p = 0; p < P; ++p) {
            if (!(group >> p & 1)) {
                if (b.length(p, s) > most) most = b.length(p, s);
            } else if ((b.hands[p] & top) && !(cards & b.called_lane) && kept[p] < 2) {
                held = true;
                ++kept[p];
            }
        }
        if (held)
            tops |= top;
        else
            theirs += most;
        if (theirs >= tricks) return false;
    }
    used = tops;
    return true;
}

}  // namespace spadille::SPADILLE_ISA
