// The gift game: the tricks of a lone player made harder to get for him, and far easier to search.
//
// When the others have won a trick, whoever of them ruffed it may lead next, or, if nobody did, whoever
// followed suit, as they like; and if the lone player's card was of the suit of the winning one, they
// may give him the trick instead: it is his, and he leads.  They can always do what they could in the
// real play, so the tricks he is sure of here he is sure of there.  Who of the others wins no longer
// matters.  Only what is proved for him is used: a refutation here settles nothing in the real play.
//
// Higher cards are better for the others and lower ones worse for him: let Y be a position that
// differs from X in that he has a lower card of some suit, or one of the others a higher one.  Then he
// takes in Y no more tricks than in X.  For let the changed card be played as the other would be.  Suits
// are followed and ruffed as in X, the others win each trick in Y that they win in X, and a trick they
// win only in Y is one they may give to him.  (Exempt matadors and called cards would spoil this.)
//
// So of the tricks in a proof that he takes his, only those he wins are relevant: with all his other
// cards at the bottom of their suits he could play the same.  Of those in a refutation, only the ones
// that a higher card than his has won.
#pragma once

#include "order.hpp"

namespace spadille::SPADILLE_ISA {

// The cards of `left` that need a try in the gift game, `declarer` being alone: where the trick ends
// the same, the lowest card of a suit is best played.  A table entry that rests on this holds wherever
// it matches: with his irrelevant cards at the bottom (in a refutation right below the relevant ones)
// the trick ends the same with a card left out as with the one tried.
template <int P, int K>
u64 undominated_gifts(const Board<P>& b, const Trick& t, int player, int declarer, u64 left) {
    const bool played = t.his, lost = played && t.best_player != declarer;
    const u64 his = b.hands[declarer];
    const u64 contested = played ? ~0ull : his & t.led ? t.led : his & b.trumps ? b.trumps : 0;
    u64 out = 0;
    for (int s = 0; s < 4; ++s) {
        const u64 cards = left & lane(s);
        const u64 over = t.best & lane(s) ? cards & ~(t.best | (t.best - 1)) : cards & b.trumps;
        const u64 under = cards & ~over;
        if (player == declarer)
            out |= lowest(under) | (K + 1 == P ? lowest(over) : over);
        else if (lost || !(contested & lane(s)))
            out |= lowest(cards);
        else
            out |= lowest(under) | (played ? lowest(over) : over);
    }
    return out;
}

}  // namespace spadille::SPADILLE_ISA
