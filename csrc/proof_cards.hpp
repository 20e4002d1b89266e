// The cards whose owners and ranks an answer of the search needs, and the state it depends on.
//
// A position that agrees on these cards, this state and the shape has the same answer, with any
// owners of the other cards.
#pragma once

#include "following.hpp"
#include "multi_count_goal.hpp"

namespace spadille::SPADILLE_ISA {

// `up` has cards whose rank matters together with everything above them, `down` those with
// everything below (for Misère and Nemo). `won` has the cards that won the current trick by rank;
// their effect on `up` is determined where the card is chosen.
struct Cards {
    u64 up = 0;
    u64 down = 0;
    u64 won = 0;
};

// The cards, and limits of the state (multi_count_goal.hpp).
template <class Limits>
struct Proof : Cards, Limits {
    Limits& limits() { return *this; }
    const Limits& limits() const { return *this; }
    void add(const Proof& other) {
        up |= other.up;
        down |= other.down;
        won |= other.won;
        Limits::add(other);  // rule: needs-lines
    }
};

// Adds a further condition, for proofs of any kind.
template <class Proof, class Ask>
bool and_also(Proof& proof, Ask ask) {
    Proof more;
    const bool result = ask(more);
    // rule: relaxed-all-leads
    if (result) proof.add(more);
    else proof = more;
    return result;
}

// All cards of a proof, closed. Matadors and the called card always matter, and if ranks affect
// legality, all cards do.
constexpr unsigned kProofsAssume = kRanksDoNotBind;
template <bool Low, int P>
u64 closed(const Board<P>& b, const Following& rules, const Cards& p, u64 all) {
    if (!rules.grants(kProofsAssume)) return all;
    // rule: matadors-in-mask, called-in-mask
    u64 cards = close_up(p.up, all) | (all & b.matadors) | b.called;
    if constexpr (Low) cards |= close_down(p.down, all);  // rule: closed-downward
    return cards;
}

// Converts a stored mask to a proof: the shape shows which cards are closed upward.
template <bool Low>
void split(u64 mask, u64 all, Cards& proof) {
    const u64 cards = deposit(mask, all);
    if constexpr (Low) {
        // The top block of relevant cards in a lane is `up`, the others are `down`; a full lane is
        // both.
        const u64 missing = all & ~cards;
        const u64 below_gap = close_down(missing, all);
        proof.up |= cards & ~below_gap;  // rule: split-upward
        proof.down |= cards & below_gap;  // rule: split-downward
    } else {
        proof.up |= cards;
    }
}

// ---- Equivalents: neighbors in one hand, represented by the lowest.

// The cards of a hand that a lower card represents. A matador follows different rules from the
// ordinary trump below it, and a called card follows different rules from every other card.
constexpr unsigned kEquivalentsAssume = kRanksDoNotBind;
template <int P>
u64 equivalents(const Board<P>& b, const Following& rules, u64 cards, u64 all) {
    if (!rules.grants(kEquivalentsAssume)) return 0;
    // rule: matador-ordinary-equivalents, called-equivalents
    const u64 ordinary = ~((b.matadors & all) | b.called);
    const u64 matadors = b.matadors & ~b.called;
    return cards & ((next_above(cards & ordinary, all) & ordinary) |
                    (next_above(cards & matadors, all) & matadors));
}

// The highest card of the hand below the next card that is not in the hand.
inline u64 top_of_run(u64 card, u64 hand, u64 all) {
    const u64 stop = lowest(((all & ~hand) | kLaneTop) & ~(card | (card - 1)));
    return highest((card | hand) & (stop - 1));
}

// The rank that must be known if a player chose a card and it won. The player could just as well
// play the highest equivalent card or, if equivalents above are needed later, the one below these.
inline u64 highest_spare(u64 card, u64 own, u64 needed, u64 all) {
    if (!(card & own)) return card;  // rule: winner-without-equivalents
    // rule: winner-of-equivalents-needed-later
    return top_of_run(card, own & ~needed, all);
}

}  // namespace spadille::SPADILLE_ISA
