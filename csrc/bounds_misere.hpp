// Static bounds at Misère, where one player, the declarer, avoids tricks: what he is sure of, with the
// cards the proof rests on.  `below` receives the highest card of each suit it needs.
#pragma once

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

// The declarer, off lead at no trumps, wins none of the next `tricks` if in each suit his i-th lowest
// card has at most i - 1 foreign cards below it, for every i up to `tricks` and to the greatest
// foreign length: to a card led he plays his highest card below it, which keeps the condition, each
// lead shortens that length by one, and he discards from the top.
template <int P>
bool never_wins(const Board<P>& b, int declarer, int tricks, u64& below) {
    u64 proof = 0;
    for (int s = 0; s < 4; ++s) {
        const u64 own = b.hands[declarer] & lane(s);
        u64 foreign = b.all & lane(s) & ~own;
        if (!own || !foreign) continue;
        int longest = 0;
        for (int p = 0; p < P; ++p)
            if (p != declarer && b.length(p, s) > longest) longest = b.length(p, s);
        if (longest > tricks) longest = tricks;
        int smaller = 0, rank = 0;
        u64 last = 0;
        for (u64 left = own; left && rank < longest; left &= left - 1) {
            const u64 card = lowest(left);
            smaller += popcount(foreign & (card - 1));
            foreign &= ~(card - 1);
            if (smaller > rank++) return false;
            if (!foreign) break;
            last = card;
        }
        proof |= last;
    }
    below = proof;
    return true;
}

// The declarer must win this very trick at no trumps: every foreign holder of the suit has a card
// below his lowest.  Off lead one such suit is enough that one of `leaders` has, on lead all must be.
template <int P>
bool must_win(const Board<P>& b, int declarer, u32 leaders, u64& below) {
    const bool on_lead = leaders >> declarer & 1;
    u64 proof = 0;
    for (int s = 0; s < 4; ++s) {
        const u64 own = b.hands[declarer] & lane(s);
        if (!own) continue;
        const u64 card = lowest(own);
        bool led = on_lead, forced = true;
        for (int p = 0; p < P; ++p) {
            if (p == declarer || !b.length(p, s)) continue;
            led = led || (leaders >> p & 1);
            forced = forced && (b.hands[p] & lane(s) & (card - 1));
        }
        if (on_lead) {
            if (!forced) return false;
            proof |= card;
        } else if (led && forced) {
            below = card;
            return true;
        }
    }
    below = proof;
    return on_lead;
}

}  // namespace spadille::SPADILLE_ISA
