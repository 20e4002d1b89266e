// The legal cards (RULES 2 and, for called cards, 3).
#pragma once

#include "trick.hpp"

namespace spadille::SPADILLE_ISA {

template <int P>
struct LegalCards {
    const Board<P>& b;
    const Following rules;

    u64 leads(u64 hand) const {
        if ((hand & b.called) && !rules.free_called_lead)  // rule: called-led-first
            return hand & ~(b.called_lane & ~b.called);
        return hand;
    }

    u64 legal(u64 hand, const Trick& t) const {
        const u64 suit = hand & t.led;
        if (!suit) return thrown(hand);
        if (t.led & b.called & hand) return b.called;  // rule: called-follows
        if (!(suit & ~b.matadors) && exempt(suit, t)) return thrown(hand);  // rule: privilege
        return suit;
    }

private:
    // A called card may be discarded only if it is the last card in the hand.
    u64 thrown(u64 hand) const {
        if (rules.early_discard || hand == b.called) return hand;  // rule: called-no-discard
        return hand & ~b.called;
    }

    // Whether a player who has no trumps but matadors may keep them when a trump was led.
    bool exempt(u64 matadors, const Trick& t) const {
        const u64 against = rules.highest_so_far ? t.best : t.first;  // rule: trigger
        if (!(against & b.matadors)) return true;
        // rule: higher-matador-compels
        if (rules.matador_rule == MatadorRule::any_matador_led) return false;
        // rule: free-unless-all-lower
        return rules.free_unless_all_lower ? highest(matadors) > against
                                           : lowest(matadors) > against;
    }
};

}  // namespace spadille::SPADILLE_ISA
