// What a result of the loose game (loose.hpp) rests on.
//
// A position of that game is told by the suit lengths of all hands and by how many cards each of the
// others has below each of the declarer's: the counts.  Greater counts are never better for him, so
// that he holds his tricks rests on upper limits of some counts, that he does not on lower ones.
#pragma once

#include <cstring>

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

constexpr int kOwnCards = 16;  // room for the declarer's, 13 at most
constexpr int kNoLimit = 255;

// The declarer's cards, numbered suit by suit from the lowest.
class OwnCards {
public:
    explicit OwnCards(u64 hand) {
        int n = 0;
        for (int s = 0; s < 4; ++s) {
            first_[s] = n;
            for (u64 left = hand & lane(s); left; left &= left - 1) number_[lowest_index(left)] = n++;
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

// The counts of a position.  The others are numbered in order of play after the declarer.
template <int P>
struct Counts {
    alignas(16) u8 below[P - 1][kOwnCards] = {};

    Counts(const Board<P>& b, int declarer, const OwnCards& own) {
        for (u64 left = b.hands[declarer]; left; left &= left - 1) {
            const u64 card = lowest(left);
            const u64 under = (card - 1) & lane(suit_of(lowest_index(card)));
            for (int o = 0; o < P - 1; ++o)
                below[o][own[card]] = static_cast<u8>(popcount(b.hands[player(declarer, o)] & under));
        }
    }

    static int player(int declarer, int other) {
        const int p = declarer + 1 + other;
        return p < P ? p : p - P;
    }
};

// Limits of the counts: where he holds his tricks of the counts themselves, where he does not of
// what they lack of 255, so that all are upper limits.
template <int P>
struct LooseProof {
    alignas(16) u8 limit[P - 1][kOwnCards];

    LooseProof() { std::memset(limit, kNoLimit, sizeof limit); }

    void add(const LooseProof& other) {
        for (int o = 0; o < P - 1; ++o)
            for (int j = 0; j < kOwnCards; ++j)
                limit[o][j] = limit[o][j] < other.limit[o][j] ? limit[o][j] : other.limit[o][j];
    }

    void at_most(int other, int own, int count) { limit[other][own] = static_cast<u8>(count); }
    void at_least(int other, int own, int count) { limit[other][own] = static_cast<u8>(255 - count); }

    // What rests on these limits when one of the others has played the `place`-th lowest card of a
    // suit, rests on the limits after this before he plays it: the card counted where it lay below.
    void before(bool holds, int other, int place, int first, int end) {
        for (int j = first; j < end; ++j) {
            u8& now = limit[other][j];
            if (now == kNoLimit) continue;
            if (holds) now = static_cast<u8>(now + (place <= now + 1));
            else now = static_cast<u8>(now - (place <= 255 - now));
        }
    }
};

}  // namespace spadille::SPADILLE_ISA
