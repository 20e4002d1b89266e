// The loose game: Misère made harder for the declarer, and far easier to search.
//
// When the declarer has won a trick the others may lead instead of him; when he has not, whoever of
// them followed suit may lead next, as they like.  They can always do what they could in Misère, so
// whatever the declarer holds his tricks to here he does there.  Who of the others wins a trick no
// longer matters, and a proof rests on the cards around the declarer's alone.  Only what is proved for
// him is used: a refutation here settles nothing in Misère.
//
// Lower cards are better for the others and higher ones worse for the declarer: let Y be a position
// that differs from X in that he has a higher card of some suit, or one of the others a lower one.
// Then he takes in Y at least as many tricks.  For let the changed card be played as the other would
// be.  Who may lead stays the same, the declarer wins each trick in Y that he wins in X, and if he
// wins one only in Y, the others are a trick ahead and may lead as they like.
#pragma once

#include "order.hpp"

namespace spadille::SPADILLE_ISA {

// The cards of `left` that need a try in the loose game, `declarer` being on the one side: where the
// trick ends the same, the highest card of a suit is best played.
//
// A table entry that rests on this holds wherever it matches.  Let y be a card left out for c there.
// Either y is relevant, then so are the cards on its side of c, and c is known to be higher; or it is
// not, and it stands where c or another card that was tried stands.  And the trick ends with y as with
// c: of the declarer's card and the one that beats him, or of his winner, the rank is relevant.
template <int P, int K>
u64 undominated(const Board<P>& b, const Trick& t, int player, int declarer, u64 left) {
    const auto tops = [](u64 cards) {
        u64 out = 0;
        for (int s = 0; s < 4; ++s) out |= highest(cards & lane(s));
        return out;
    };
    if (!(left & t.led)) return tops(left);  // a discard changes no trick
    const u64 under = left & (t.best - 1), over = left & ~(t.best - 1);
    if (player == declarer) return highest(under) | over;  // he loses with all of `under`
    int place = declarer - t.leader;
    if (place < 0) place += P;
    const bool played = place < K;
    const bool lost = played ? t.best_player != declarer : !b.length(declarer, suit_of(lowest_index(t.led)));
    if (lost) return highest(left);
    return highest(under) | (played ? highest(over) : over);
}

}  // namespace spadille::SPADILLE_ISA
