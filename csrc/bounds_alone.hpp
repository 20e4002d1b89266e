// Tricks in a row for a player alone: nobody crosses to him and he throws nothing, so the rounds he wins can
// be counted, where a group must try out plans (bounds.hpp).
//
// Of each suit he leads his highest cards as long as they win.  In round r of a suit (from 0) only who
// began with more than r cards of it can beat one; only who did not, and has more trumps than rounds of
// trumps were led, could ruff.  He cashes plain suits until somebody may ruff, and leaves the rest to the
// trump duel; or he draws trumps first.
#pragma once

#include "board.hpp"
#include "duel.hpp"

namespace spadille::SPADILLE_ISA {

template <int P>
class TricksAlone {
public:
    TricksAlone(const Board<P>& board, int player, TrumpDuel& duel)
        : b(board), player_(player), hand_(b.hands[player]), foreign_(b.foreign(1u << player)),
          duel_(duel), ruffers_(b.trumps ? ruffers(0) : 0),
          draws_(b.trumps && !(b.matadors & foreign_)) {  // rule: alone-matadors
        for (int s = 0; s < 4; ++s) {
            cash_[s] = to_[s] = 0;
            if (!beats(s) || (lane(s) & b.called_lane)) continue;  // rule: alone-called-suit
            to_[s] = by_rank(s);
            if (s == b.trump) continue;
            most_ += to_[s];
            plain_ += cash_[s] = cashed(s, ruffers_);
        }
    }

    // He is on lead.
    bool led(int, int want, u64& used) {
        used = 0;
        return run(kHimself, want, used);
    }

    // Somebody foreign leads the suit.
    bool answered(int s, int want, u64& used) {
        used = 0;
        if (s == b.trump && want > 1 && !draws_) return false;  // rule: alone-trump-led
        if (hand_ & lane(s)) return (s == b.trump ? to_ : cash_)[s] && run(s, want, used);
        const u64 card = lowest(hand_ & b.trumps & ~b.called);  // rule: alone-called-ruff
        if (!card || !unruffed(s, ruffers_)) return false;  // rule: alone-overruffed
        if (want == 1) return true;
        const int kept = to_[b.trump];
        hand_ ^= card;
        to_[b.trump] = least(kept, popcount(hand_ & b.trumps));  // rule: alone-spent
        const bool ok = run(s, want - 1, used);
        to_[b.trump] = kept;
        hand_ ^= card;
        return ok;
    }

    bool hopeless(int) const { return false; }  // it is soon told

private:
    static constexpr int kHimself = -2;  // no suit, nor no trump

    static int least(int a, int c) { return a < c ? a : c; }

    // Has he the highest card of the suit?  Sets without a common card compare by their highest.
    bool beats(int s) const { return (hand_ & lane(s)) > (foreign_ & lane(s)); }

    // Those of the others who have trumps once so many rounds of them have been led.
    u32 ruffers(int drawn) const {
        u32 who = 0;
        for (int p = 0; p < P; ++p)
            who |= static_cast<u32>(b.length(p, b.trump) > drawn) << p;  // rule: alone-drawn
        return who & ~(1u << player_);
    }

    // Rounds of a suit before one of these may ruff.
    int unruffed(int s, u32 who) const {
        int rounds = kMaxTricks;
        for (; who; who &= who - 1) rounds = least(rounds, b.length(lowest_index(who), s));
        return rounds;
    }

    // Rounds of a plain suit that he wins while these may ruff; of all of them.
    int cashed(int s, u32 who) const {
        return to_[s] ? least(to_[s], unruffed(s, who)) : 0;  // rule: alone-ruffed
    }
    int plain(u32 who) const {
        int sum = 0;
        for (int s = 0; s < 4; ++s) sum += s == b.trump ? 0 : cashed(s, who);
        return sum;
    }

    // Cards of the others that may be played to a round of a suit.
    u64 over(int s, int round) const {
        u64 cards = 0;
        for (int p = 0; p < P; ++p)
            cards |= b.length(p, s) > round ? b.hands[p] : 0;  // rule: alone-followed
        return cards & foreign_ & lane(s);
    }

    // How many rounds of a suit he wins by rank, of which he wins the first.
    int by_rank(int s) const {
        u64 own = hand_ & lane(s);
        if (!(foreign_ & lane(s))) return popcount(own);
        int round = 1;
        for (; (own ^= highest(own)) != 0; ++round)
            if (own < over(s, round)) break;  // rule: alone-beaten
        return round;
    }

    // What winning so many rounds of each suit rests on.
    u64 ranks(const int (&rounds)[4]) const {
        u64 used = 0;
        for (int s = 0; s < 4; ++s) {
            u64 own = hand_ & lane(s), last = 0;
            for (int round = 0; round < rounds[s] && over(s, round); ++round)
                own ^= last = highest(own);
            used |= last;  // rule: alone-rank
        }
        return used;
    }

    // He leads, or wins a round of the suit `led`, which counts if he follows to it, and leads.
    bool run(int led, int want, u64& used) {
        const bool follows = led >= 0 && (hand_ & lane(led));
        int drawn = 0, left = want;
        u32 who = ruffers_;
        if (led == b.trump ||
            (plain_ < want && !(left = by_duel(follows || led == kHimself, want, used)))) {
            if (led != b.trump && !draws_) return false;  // rule: alone-undrawn
            if (to_[b.trump] + most_ < want || to_[b.trump] + plain(ruffers(to_[b.trump])) < want)
                return false;
            // The fewest rounds that will do.
            do who = ruffers(++drawn);
            while (drawn + plain(who) < want);
            left = want - drawn;
        }
        int rounds[4] = {};
        if (drawn) rounds[b.trump] = drawn;  // rule: alone-drawn-rank
        if (follows && led != b.trump) {
            rounds[led] = 1;  // rule: alone-led-rank
            --left;
        }
        for (int s = 0; s < 4 && left > 0; ++s) {
            if (s == b.trump) continue;
            const int more = least(cashed(s, who) - rounds[s], left);
            rounds[s] += more;
            left -= more;
        }
        used |= ranks(rounds);
        return true;
    }

    // Does the duel give what the plain suits leave to win?  All plain tricks if so, else 0; `used` are the
    // trumps that rests on.  No trump of his may have been played.
    int by_duel(bool whole, int want, u64& used) {
        if (!b.trumps || !plain_ || !whole) return 0;  // rule: alone-trumps
        const bool stuck = b.called || popcount(hand_ & ~b.trumps) <= plain_;
        const int leads = stuck ? player_ : -1;  // rule: alone-stuck
        return duel_.sure(b, 1u << player_, leads, want - plain_, used) ? plain_ : 0;
    }

    const Board<P>& b;
    const int player_;
    u64 hand_;
    const u64 foreign_;
    TrumpDuel& duel_;
    const u32 ruffers_;  // the others who have trumps
    const bool draws_;  // whether he may draw them
    int to_[4];  // rounds he wins by rank
    int cash_[4];  // of plain suits, before somebody may ruff
    int plain_ = 0, most_ = 0;  // sums over plain suits: of `cash_`, of `to_`
};

}  // namespace spadille::SPADILLE_ISA
