// The static bound at Misère, where one player, the declarer, avoids tricks, with the limits it
// depends on (relaxed_misere_limits.hpp).
#pragma once

#include "relaxed_misere_limits.hpp"

namespace spadille::SPADILLE_ISA {

// The declarer, off lead at no trump, wins none of the next `tricks` if in each suit the declarer's
// i-th lowest card has at most i - 1 cards of other players below it, for every i up to `tricks`
// and to the greatest length of the suit in another hand. Proof: the declarer plays the highest
// card below each led card, which preserves the condition; each lead shortens that length by one;
// and the declarer discards from the top.
constexpr unsigned kNeverWinsAssumes = kAnyOfTheSuit | kAnyDiscard;
template <int P>
bool never_wins(const Board<P>& b, int declarer, const OwnCards& own, const CountTable& counts,
                int tricks, RelaxedProof& proof) {
    RelaxedProof limits;
    for (int s = 0; s < 4; ++s) {
        int longest = 0, foreign = 0;
        for (int o = 0; o < P - 1; ++o) {
            const int length = b.length(Counts<P>::player(declarer, o), s);
            longest = length > longest ? length : longest;
            foreign += length;
        }
        if (longest > tricks) longest = tricks;  // rule: never-tricks
        int rank = 0;
        // rule: never-longest
        for (u64 left = b.hands[declarer] & lane(s); left && rank < longest && rank < foreign;
             left &= left - 1, ++rank) {
            const int j = own[left];
            int smaller = 0;
            for (int o = 0; o < P - 1; ++o) {
                smaller += counts.of[j][o];
                limits.at_most(o, j, counts.of[j][o]);  // rule: never-limits
            }
            if (smaller > rank) return false;  // rule: never-below
        }
    }
    proof = limits;
    return true;
}

}  // namespace spadille::SPADILLE_ISA
