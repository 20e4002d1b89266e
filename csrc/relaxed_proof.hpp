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

// A number for each pair of one of the declarer's cards and one of the others, in order of play
// after the declarer.
struct CountTable {
    alignas(16) u8 of[16][kOthers];
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
        }
        first_[4] = n;
    }
    int operator[](u64 card) const { return number_[lowest_index(card)]; }
    int first(int suit) const { return first_[suit]; }
    int end(int suit) const { return first_[suit + 1]; }

private:
    int number_[64] = {};
    int first_[5];
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

    // If one of the others plays the `place`-th lowest card of a suit, converts the limits after
    // this card to the limits before it. The card counts if it is below the declarer's.
    void before(bool holds, int other, int place, int first, int end) {
        for (int j = first; j < end; ++j) {
            u8& now = of[j][other];
            if (now == kNoLimit) continue;
            if (holds) now = static_cast<u8>(now + (place <= now + 1));  // rule: relaxed-counted
            else now = static_cast<u8>(now - (place <= 255 - now));
        }
    }
};

}  // namespace spadille::SPADILLE_ISA
