// Tricks that a lone player is sure to take by keeping the trumps to the end.
//
// As long as the player has plain cards, the player ruffs nothing: plain cards are played to all
// plain leads, and trumps only if trumps are led. Once the player has only trumps, a trump wins
// every trick, so whoever wins a trick with a trump leads to the next. The trump duel
// (sure_trump_tricks.hpp) leaves this out: there, the others choose the leader of every round. For
// example, a player who holds AKJ982 is sure of four tricks if the next player has QT643 and a
// third one 75: in the end, a player who has beaten a trump must lead, and has hardly any cards to
// lead but trumps.
//
// The others have every freedom that plain cards might give them. While the player waits, any of
// them may lead a trump, they may get rid of any trumps, and any of them may lead when the player
// runs out of plain cards. They may also let a plain card of the player win: the player counts the
// trick and leads. If the player has plain cards left, that is one more trick in a position no
// worse than before, so only the last plain card matters; after it, the player has to lead a trump.
// In the end, each of the others has as many cards as the player has trumps. Those that are not
// trumps are plain cards, which they may lead or play to any plain lead, and they may ruff a plain
// lead even if they could follow suit. If all must follow when trumps are led, they do.
//
// The player has fewer options than in the actual play: on lead while waiting, the player leads a
// trump, or a plain card, which gives up the lead.
//
// In the relaxed lone game (relaxed_lone.hpp), the bound must still hold if trumps of the others
// become lower. So any of them who played a trump to a trick that they won may lead next, although
// in that game only those who beat the player's trump may lead. Or they may give the trick to the
// player, who then leads.
//
// The proof depends on the lengths, the leader, and the ranks of as few of the player's top trumps
// as possible. The ranks of the player's other trumps, and of the others' trumps below the known
// ones, are unknown: between two of these, the others choose each time which one wins. (It is not
// enough to let theirs win, because the winner has to lead.)
#pragma once

#include <vector>

#include "board.hpp"
#include "following.hpp"
#include "trump_ranks.hpp"

namespace spadille::SPADILLE_ISA {

class TrumpEndgame {
public:
    static constexpr unsigned kAssumes = kFreePlay;

    struct Question {
        int player;
        u32 leaders;  // one of them leads; the others choose which
        int tricks;  // left to play
        int want;
        bool relaxed;  // in the relaxed lone game
    };

    // Whether the player is sure of `want` tricks. `used` is the lowest trump the proof needs.
    // Worth its cost in long searches only.
    template <int P>
    bool sure(const Board<P>& b, const Question& q, u64& used) {
        const int trumps = b.length(q.player, b.trump);
        if (b.called) return false;  // rule: endgame-called
        if (q.want > trumps) return false;
        const u64 own = b.hands[q.player] & b.trumps;
        const u64 over = (b.all ^ b.hands[q.player]) & b.trumps & ~(2 * highest(own) - 1);
        if (popcount(over) > trumps - q.want) return false;
        const int known = proof(b, q, trumps);
        if (known > trumps) return false;
        used = 0;
        u64 left = own;
        for (int n = 0; n < known; ++n) left ^= used = highest(left);  // rule: endgame-rank
        return true;
    }

private:
    static constexpr int kBits = 15;
    static constexpr u64 kLow = 1ull << 63;  // a card that beats none of the player's

    // A trick to which some have played. Players are numbered by their distance from the player.
    struct Round {
        int leader;
        bool waits;  // the player still has plain cards
        bool trump_led = false;
        int played = 0;  // cards
        int own = -1;  // the number of the player's trump
        int beats = kMaxTricks;  // the highest of the player's trumps that a card beats
        u32 winners = 0;  // the others who may win, if the player does not
        u64 cards[kMaxPlayers] = {};  // trumps of the others
    };

    // The number of the player's top trumps that must be known, or a greater number than the
    // player's trumps if the player is not sure of the tricks.
    template <int P>
    SPADILLE_APART int proof(const Board<P>& b, const Question& q, int trumps) {
        if (seen_.empty()) seen_.resize(std::size_t{1} << kBits);
        relaxed_ = q.relaxed;
        const bool draws = !(b.matadors & ~b.hands[q.player]);  // rule: endgame-matadors
        const Holding all = holding(b, q.player, 1u << q.player, draws);
        if (!solved<P>(all, q)) return trumps + 1;
        int theirs[P] = {};
        for (int k = 1; k < P; ++k) theirs[k] = b.length(next<P>(q.player, k), b.trump);
        for (int known = 0; known < trumps; ++known)
            if (solved<P>(all.knowing(known, theirs), q)) return known;
        return trumps;
    }

    template <int P>
    bool solved(const Holding& h, const Question& q) {
        if (h.trumps < q.tricks) return !denied_waiting(h, q.want, q.leaders == 1u << q.player);
        for (u32 left = q.leaders; left; left &= left - 1) {
            const int distance = lowest_index(left) - q.player;
            if (denied(h, distance < 0 ? distance + P : distance, q.want)) return false;
        }
        return true;
    }

    static Holding without(const Holding& h, u64 card, int distance) {
        if (card != kLow) return h.without_foreign(card, distance);
        Holding less = h;
        less.low -= 1u << 4 * (distance - 1);
        return less;
    }

    // Calls `use` with each different trump of another player, until it returns true.
    template <class Use>
    static bool any_trump(const Holding& h, int distance, Use use) {
        const u64 foreign = h.foreign(distance);
        for (u64 left = foreign & ~(foreign >> 1); left; left &= left - 1)
            if (use(lowest(left))) return true;
        return h.low_of(distance) && use(kLow);
    }

    // Whether the others can keep the player from `want` tricks while the player has plain cards.
    bool denied_waiting(const Holding& h, int want, bool leads) {
        constexpr int kWaiting = 8;
        return remembered(h, want, kWaiting + leads, [&] {
            if (leads)
                for (int i = 0; i < h.trumps; ++i)
                    if (!denied_by(h, want, led(i))) return false;
            for (int k = 1; k < h.players; ++k)
                if (denied(h, k, want)) return true;  // rule: endgame-first-leader
            // rule: endgame-last-plain
            if (want > 1 && denied(h, 0, want - 1)) return true;
            for (int k = 1; k < h.players; ++k) {
                // rule: endgame-thrown
                if (any_trump(h, k, [&](u64 card) {
                        return denied_waiting(without(h, card, k), want, false);
                    }))
                    return true;
                // rule: endgame-trump-led
                if (h.has(k) && denied_by(h, want, {.leader = k, .waits = true})) return true;
            }
            return false;
        });
    }

    // The same once the player has only trumps, and the player at `leader` leads.
    bool denied(const Holding& h, int leader, int want) {
        return remembered(h, want, leader,
                          [&] { return denied_by(h, want, {.leader = leader, .waits = false}); });
    }

    static Round led(int i) {
        return {.leader = 0, .waits = true, .trump_led = true, .played = 1, .own = i};
    }

    // Whether the others succeed from this point in a trick.
    bool denied_by(const Holding& h, int want, const Round& r) {
        if (r.played == h.players) return denied_after(h, want, r);
        const int k = (r.leader + r.played) % h.players;
        Round next = r;
        ++next.played;
        if (k == 0) {
            next.trump_led |= r.leader == 0;
            for (next.own = 0; next.own < h.trumps; ++next.own)
                if (!h.same(next.own) && !denied_by(h, want, next)) return false;
            return true;
        }
        const bool leads = r.leader == k;
        const int trumps = popcount(h.foreign(k)) + h.low_of(k);
        const bool follows = r.trump_led && h.draws && trumps;  // rule: endgame-follows
        // rule: endgame-plain
        const bool plain = r.waits ? !leads : h.trumps > trumps;
        if (plain && !follows && denied_by(h, want, next)) return true;
        next.trump_led |= leads;
        return any_trump(h, k, [&](u64 card) {
            Round with = next;
            with.cards[k] = card;
            const int beats = card == kLow ? kMaxTricks : h.beats(card, k);
            if (beats < r.beats) with.winners = 0;
            if (beats <= r.beats) with.winners |= 1u << k;
            if (relaxed_) with.winners = r.winners | 1u << k;  // rule: endgame-relaxed-leaders
            with.beats = beats < r.beats ? beats : r.beats;
            return denied_by(h, want, with);
        });
    }

    bool denied_after(const Holding& h, int want, const Round& r) {
        Holding after = h;
        for (int k = 1; k < h.players; ++k)
            if (r.cards[k]) after = without(after, r.cards[k], k);
        after = after.without_own(r.own);
        const auto won = [&] {
            return want > 1 &&
                   (r.waits ? denied_waiting(after, want - 1, true) : denied(after, 0, want - 1));
        };
        if (r.own < r.beats) return won();
        if (relaxed_ && won()) return true;  // rule: endgame-relaxed-given
        // rule: endgame-unknown
        if (r.own >= h.known && r.beats == h.known && won()) return true;
        if (r.waits) return denied_waiting(after, want, false);
        for (u32 left = r.winners; left; left &= left - 1)  // rule: endgame-leader
            if (denied(after, lowest_index(left), want)) return true;
        return false;
    }

    // The remembered answer for a state of the game (waiting, on lead, or the leader), or a new
    // one.
    template <class Answer>
    bool remembered(const Holding& h, int want, int state, Answer answer) {
        if (h.trumps < want) return true;
        if (popcount(h.lanes) <= h.trumps - want) return false;
        // Such questions are hardly ever worth an answer.
        if (popcount(h.lanes & h.before(0)) > h.trumps - want) return true;
        u64 question = static_cast<u64>(h.trumps << 4 | want);
        question = question << 4 | static_cast<u64>(state);
        question = question << 2 | static_cast<u64>(h.players - 3);
        question = question << 2 | static_cast<u64>(h.draws << 1 | relaxed_);
        question = (question << 4 | static_cast<u64>(h.known)) << 16 | h.low;
        const std::size_t place = place_of(h.lanes ^ question * 0xD6E8FEB86659FD93ull, kBits);
        const Seen& known = seen_[place];
        if (known.lanes == h.lanes && known.question >> 1 == question) return known.question & 1;
        const bool denied = answer();
        seen_[place] = {h.lanes, question << 1 | static_cast<u64>(denied)};
        return denied;
    }

    struct Seen {
        u64 lanes = 0, question = 0;
    };

    std::vector<Seen> seen_;  // empty until the first question; short searches ask none
    bool relaxed_ = false;  // in the question asked now
};

}  // namespace spadille::SPADILLE_ISA
