// Quick tricks of a lone player. Without entries to a partner and without discards, the rounds the
// player wins can be counted, while a group must try out plans (quick_tricks.hpp).
//
// The player leads the highest cards of each suit as long as they win. In round r of a suit (from
// 0), only a player who began with more than r cards of it can beat a card. Only a player who began
// with at most r cards of the suit, and has more trumps than rounds of trumps led, could ruff. The
// lone player either draws trumps first, or cashes plain suits until somebody may ruff and leaves
// the other tricks to the trump duel. A matador cannot escape: the lone player wins with trumps
// above all of the others', so a higher trump draws it. A matador may escape only if
// another player leads.
#pragma once

#include "board.hpp"
#include "sure_trump_tricks.hpp"

namespace spadille::SPADILLE_ISA {

template <int P>
class TricksAlone {
public:
    static constexpr unsigned kAssumes = kFreePlay | TrumpDuel::kAssumes;

    TricksAlone(const Board<P>& board, int player, TrumpDuel& duel)
        : b(board), player_(player), hand_(b.hands[player]), foreign_(b.all ^ hand_), duel_(duel),
          wins_(by_rank()), unruffed_(unruffed(0)), cash_(cashed(unruffed_)), plain_(total(cash_)) {
        assert(b.all == b.held());
    }

    // The lone player is on lead.
    bool led(int, int want, u64& used) {
        used = 0;
        return run(kHimself, want, used) || with_winners(true, want, used);
    }

    // Another player leads any suit.
    bool unled(int want, u64& used) {
        used = 0;
        return with_winners(false, want, used);
    }

    // Another player leads the suit.
    bool answered(int s, int want, u64& used) {
        used = 0;
        // rule: alone-trump-led
        if (s == b.trump && want > 1 && (b.matadors & foreign_)) return false;
        if (hand_ & lane(s)) return ((cash_ | (wins_ & b.trumps)) & lane(s)) && run(s, want, used);
        const u64 card = lowest(hand_ & b.trumps & ~b.called);  // rule: alone-called-ruff
        if (!card || !(unruffed_ & lane(s))) return false;  // rule: alone-overruffed
        if (want == 1) return true;
        const u64 kept = wins_;
        hand_ ^= card;
        // rule: alone-spent
        if (total(wins_ & b.trumps) > popcount(hand_ & b.trumps)) wins_ -= b.trumps & kEach;
        const bool ok = run(s, want - 1, used);
        wins_ = kept;
        hand_ ^= card;
        return ok;
    }

    bool hopeless(int) const { return false; }  // no test is needed: counting is fast

private:
    static constexpr int kHimself = -2;  // neither a suit's number nor -1 (no trump)

    // Cards of the others that may be played to a round of a suit.
    u64 over(int s, int round) const {
        u64 cards = 0;
        for (int p = 0; p < P; ++p)
            cards |= b.length(p, s) > round ? b.hands[p] : 0;  // rule: alone-followed
        return cards & foreign_ & lane(s);
    }

    // The number of rounds of each suit won by rank: none if another player has the highest card.
    u64 by_rank() const {
        u64 rounds = 0;
        // Disjoint sets compare by their highest card. rule: alone-called-suit
        for (u64 suits = greater(hand_, foreign_) & ~b.called_lane; suits; suits &= suits - 1)
            rounds |= lowest(suits) * static_cast<u64>(by_rank(suit_of(lowest_index(suits))));
        return rounds;
    }
    int by_rank(int s) const {
        u64 own = hand_ & lane(s);
        if (!(foreign_ & lane(s))) return popcount(own);
        int round = 1;
        for (; (own ^= highest(own)) != 0; ++round)
            if (own < over(s, round)) break;  // rule: alone-beaten
        return round;
    }

    // The number of rounds of each suit that the others cannot ruff once `drawn` rounds of trumps
    // have been led.
    u64 unruffed(int drawn) const {
        u64 rounds = kMaxTricks * kEach;
        if (!b.trumps) return rounds;
        for (int i = 1; i < P; ++i) {
            const int p = next<P>(player_, i);
            // rule: alone-drawn
            const bool ruffs = b.length(p, b.trump) > drawn;
            rounds = ruffs ? least_each(rounds, b.suits(p)) : rounds;
        }
        return rounds;
    }

    // Rounds of plain suits that the player wins.
    u64 cashed(u64 unruffed) const {
        return least_each(wins_ & ~b.trumps, unruffed);  // rule: alone-ruffed
    }

    // The lowest card of each suit with which the player wins one of these rounds.
    u64 ranks(u64 rounds) const {
        u64 used = 0;
        while (rounds) {
            const int s = suit_of(lowest_index(rounds));
            const int wins = static_cast<int>(rounds >> (16 * s) & kLane);
            u64 own = hand_ & lane(s), last = 0;
            for (int round = 0; round < wins && over(s, round); ++round) own ^= last = highest(own);
            used |= last;  // rule: alone-rank
            rounds &= ~lane(s);
        }
        return used;
    }

    // The player leads, or first wins a round of the suit `led`. This round counts if the player
    // follows to it.
    bool run(int led, int want, u64& used) {
        const bool follows = led >= 0 && (hand_ & lane(led));
        int drawn = 0, left = want;
        u64 cash = cash_;
        if (led == b.trump ||
            (plain_ < want && !(left = by_duel(follows || led == kHimself, want, used)))) {
            const int most = total(wins_ & b.trumps);
            if (total(wins_) < want || most + total(cashed(unruffed(most))) < want) return false;
            // The smallest number of rounds that is enough.
            do cash = cashed(unruffed(++drawn));
            while (drawn + total(cash) < want);
            left = want - drawn;
        }
        u64 rounds = (b.trumps & kEach) * static_cast<u64>(drawn);  // rule: alone-drawn-rank
        if (follows && led != b.trump) {
            const u64 first = lane(led) & kEach;
            rounds += first;  // rule: alone-led-rank
            cash -= first;
            --left;
        }
        while (cash && left > 0) {
            const int s = suit_of(lowest_index(cash));
            const int wins = static_cast<int>(cash >> (16 * s) & kLane);
            const int more = wins < left ? wins : left;
            rounds += static_cast<u64>(more) << (16 * s);
            left -= more;
            cash &= ~lane(s);
        }
        used |= ranks(rounds);
        return true;
    }

    // Returns the number of plain tricks if the duel then wins the tricks that are still needed,
    // else 0. `used` has the trumps on which this depends. None of the player's trumps may have
    // been played.
    int by_duel(bool whole, int want, u64& used) {
        if (!b.trumps || !plain_ || !whole) return 0;  // rule: alone-trumps
        const bool stuck = b.called || popcount(hand_ & ~b.trumps) <= plain_;
        const auto lead =
            stuck ? TrumpDuel::Lead::stuck : TrumpDuel::Lead::free;  // rule: alone-stuck
        return duel_.sure(b, {1u << player_, player_, lead, want - plain_}, used) ? plain_ : 0;
    }

    // Whether the duel wins if the plain cards that win by rank count as winners. On lead, the
    // player first cashes the winners that nobody can ruff.
    bool with_winners(bool leads, int want, u64& used) {
        if (!b.trumps) return false;
        const u64 plain = wins_ & ~b.trumps;
        const int cash = leads ? plain_ : 0, winners = total(plain) - cash;
        if (!winners || want <= cash) return false;
        // The player has a winner to lead, even if there is no other plain card.
        const auto lead = leads ? TrumpDuel::Lead::stuck : TrumpDuel::Lead::off;
        if (!duel_.sure(b, {1u << player_, player_, lead, want - cash, winners}, used))
            return false;
        used |= ranks(plain);  // rule: winners-rank
        return true;
    }

    const Board<P>& b;
    const int player_;
    u64 hand_;
    const u64 foreign_;
    TrumpDuel& duel_;
    // Rounds of each suit:
    u64 wins_;  // won by rank
    const u64 unruffed_;  // before somebody may ruff
    const u64 cash_;  // rounds of plain suits with both properties
    const int plain_;  // their sum
};

}  // namespace spadille::SPADILLE_ISA
