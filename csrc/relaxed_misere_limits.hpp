// The limits on which a result of the relaxed Misère game (relaxed_misere.hpp) depends.
//
// A position of that game is identified by the suit lengths of all hands and by the counts: the
// number of cards that each of the others has below each of the declarer's cards. Greater counts
// are never better for the declarer, so a proof depends on upper limits on some counts, a
// refutation on lower ones.
#pragma once

#include <cstring>

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

constexpr int kOwnCards = 13;
constexpr int kOthers = kMaxPlayers - 1;
constexpr int kNoLimit = 255;
constexpr int kOtherSuit = 255;  // not below any count

// A number for each of the declarer's cards and each of the other players, who are in order of play
// after the declarer.
struct CountTable {
    alignas(16) u8 of[16][kOthers];

    // The counts after each of the others has played a card above `under` of the same player.
    SPADILLE_APART CountTable after(const CountTable& under) const {
        CountTable out = *this;
        change(out.of[0], under.of[0], [](u8 count, u8 below) { return count - (below < count); });
        return out;
    }

protected:
    // Changes all numbers, several at once as vectors.
    template <class Change>
    static void change(u8* __restrict to, const u8* __restrict by, Change how) {
        for (int i = 0; i < static_cast<int>(sizeof of); ++i)
            to[i] = static_cast<u8>(how(to[i], by[i]));
    }
};

// The declarer's cards, numbered suit by suit from the lowest.
class OwnCards {
public:
    explicit OwnCards(u64 hand) {
        int n = 0;
        for (int s = 0; s < 4; ++s) {
            first_[s] = n;
            for (u64 left = hand & lane(s); left; left &= left - 1)
                number_[lowest_index(left)] = n++;
            for (int j = first_[s]; j < n; ++j) std::memset(suits_.of[j], s, kOthers);
        }
        first_[4] = n;
    }
    int operator[](u64 card) const { return number_[lowest_index(card)]; }
    int first(int suit) const { return first_[suit]; }
    int end(int suit) const { return first_[suit + 1]; }

    // For each of these cards and each of the other players: the number of cards below the card
    // that this player has played, if it is of the same suit, else kOtherSuit. A place is one more
    // than this number, or 0 if there is no such player.
    CountTable under(const u8 (&suits)[kOthers], const u8 (&places)[kOthers]) const {
        CountTable played, out;
        for (u8(&each)[kOthers] : played.of) std::memcpy(each, suits, kOthers);
        for (u8(&each)[kOthers] : out.of) std::memcpy(each, places, kOthers);
        u8* const to = out.of[0];
        const u8 *const their = played.of[0], *const own = suits_.of[0];
        for (int i = 0; i < static_cast<int>(sizeof out.of); ++i)
            to[i] = static_cast<u8>((to[i] - 1) | -static_cast<int>(their[i] != own[i]));
        return out;
    }

private:
    int number_[64] = {};
    int first_[5];
    CountTable suits_ = {};  // the suit of each card, once for each of the others
};

// The counts of a position.
template <int P>
struct Counts : CountTable {
    Counts(const Board<P>& b, int declarer, const OwnCards& own) : CountTable() {
        u64 hands[P - 1];
        for (int o = 0; o < P - 1; ++o) hands[o] = b.hands[player(declarer, o)];
        for (u64 left = b.hands[declarer]; left; left &= left - 1) {
            const u64 card = lowest(left);
            const u64 under = (card - 1) & lane(suit_of(lowest_index(card)));
            u8(&numbers)[kOthers] = of[own[card]];
            for (int o = 0; o < kOthers; ++o)
                numbers[o] = o < P - 1 ? static_cast<u8>(popcount(hands[o] & under)) : 0;
        }
    }

    static int player(int declarer, int other) { return next<P>(declarer, 1 + other); }
};

// Limits on the counts. In a proof, they limit the counts themselves; in a refutation, their
// difference from 255, so that all are upper limits.
struct RelaxedProof : CountTable {
    RelaxedProof() { std::memset(of, kNoLimit, sizeof of); }

    void add(const RelaxedProof& other) {
        u8* const to = of[0];
        const u8* const from = other.of[0];
        for (int i = 0; i < static_cast<int>(sizeof of); ++i)
            to[i] = to[i] < from[i] ? to[i] : from[i];
    }

    void at_most(int other, int own, int count) { of[own][other] = static_cast<u8>(count); }
    void at_least(int other, int own, int count) { of[own][other] = static_cast<u8>(255 - count); }

    // Converts the limits after a trick to the limits before it, given that each of the others
    // played a card above that player's `under`. The card is counted if it is below the declarer's.
    SPADILLE_APART void before(bool holds, const CountTable& under) {
        const auto raise = [](u8 limit, u8 below) {
            // rule: relaxed-counted
            return limit + static_cast<int>((below <= limit) & (limit != kNoLimit));
        };
        const auto lower = [](u8 limit, u8 below) {
            return limit - (below < static_cast<u8>(255 - limit));
        };
        if (holds) change(of[0], under.of[0], raise);
        else change(of[0], under.of[0], lower);
    }
};

}  // namespace spadille::SPADILLE_ISA
