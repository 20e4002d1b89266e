// The rules for following suit as one value (RULES 2 and, for called cards, 3), the legal cards
// under them, and what the engine may assume about them.
#pragma once

#include <iterator>
#include <vector>

#include "cards.hpp"

namespace spadille {

enum class MatadorRule : u8 { none, any_matador_led, higher_only };

// The freedoms of choice that a bound, a relaxed game or an equivalence may rely on. Each of these
// lists its assumptions, and is skipped if the rules do not grant them (Following::grants); the
// search is then slower but still correct. The list does not contain the duties of matadors and of
// a called card, because all code that they affect takes them into account.
enum Freedom : unsigned {
    kAnyLead = 1,  // the leader may lead any card
    kAnyOfTheSuit = 2,  // a player who can follow suit may play any card of it
    kAnyDiscard = 4,  // a player who cannot follow suit may play any card
    kRanksDoNotBind = 8  // the legal cards depend only on the suits in the hand and in the trick
};
constexpr unsigned kFreePlay = kAnyLead | kAnyOfTheSuit | kAnyDiscard;

struct Following {
    MatadorRule matador_rule = MatadorRule::none;
    bool highest_so_far = false;  // matador_trigger
    bool free_unless_all_lower = false;  // mixed_matadors
    bool free_called_lead = false;  // called_partner_lead
    bool early_discard = false;  // called_early_discard

    bool operator==(const Following&) const = default;

    // A rule that adds a duty or a ban removes from this list the freedom that it limits.
    constexpr unsigned freedoms() const { return kFreePlay | kRanksDoNotBind; }
    constexpr bool grants(unsigned assumed) const { return !(assumed & ~freedoms()); }

    // The fields in the order in which callers pass them; the first is the matador rule.
    struct Field {
        const char* name;
        bool Following::* flag;
    };
    static constexpr Field kFields[] = {
        {"matador_rule", nullptr},
        {"highest_so_far", &Following::highest_so_far},
        {"free_unless_all_lower", &Following::free_unless_all_lower},
        {"free_called_lead", &Following::free_called_lead},
        {"early_discard", &Following::early_discard}};

    // Returns an error message, or null.
    const char* set(const std::vector<int>& numbers) {
        if (numbers.size() != std::size(kFields))
            return "the engine expects other rules of following suit: rebuild it";
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto most = kFields[i].flag ? 1 : static_cast<int>(MatadorRule::higher_only);
            if (numbers[i] < 0 || numbers[i] > most) return "no such rule of following suit";
            if (kFields[i].flag) this->*kFields[i].flag = numbers[i] != 0;
            else matador_rule = static_cast<MatadorRule>(numbers[i]);
        }
        return nullptr;
    }
};

// The reasons why a card may not be played. `LegalCards` gives those of the rules for following
// suit, which have the same numbers in `REFUSALS` of core/position.py; wasm.cpp gives the others.
enum class Refusal {
    none = 0,
    hand_over = 1,
    not_in_hand = 2,
    must_follow = 3,
    called_duty = 4,
    trump_not_named = 5
};

// The legal cards. `Board` and `Trick` are those of an instruction set (board.hpp, trick.hpp).
template <class Board, class Trick>
struct LegalCards {
    const Board& b;
    const Following rules;

    u64 leads(u64 hand) const {
        if ((hand & b.called) && !rules.free_called_lead)  // rule: called-led-first
            return hand & ~(b.called_lane & ~b.called);
        return hand;
    }

    u64 legal(u64 hand, const Trick& t) const {
        const u64 suit = hand & t.led;
        // Most hands have no duties but to follow suit.
        if (!((hand & b.called) | (suit & b.matadors))) return suit ? suit : hand;
        if (!suit) return thrown(hand);
        if (t.led & b.called & hand) return b.called;  // rule: called-follows
        if (!(suit & ~b.matadors) && exempt(suit, t)) return thrown(hand);  // rule: privilege
        return suit;
    }

    Refusal refusal(u64 hand, const Trick& t, u64 card) const {
        if ((t.led ? legal(hand, t) : leads(hand)) & card) return Refusal::none;
        Board uncalled = b;
        uncalled.called = uncalled.called_lane = 0;
        const bool follows = LegalCards{uncalled, rules}.legal(hand, t) & card;
        return !t.led || follows ? Refusal::called_duty : Refusal::must_follow;
    }

private:
    // A called card may be discarded only if it is the last card in the hand.
    u64 thrown(u64 hand) const {
        if (rules.early_discard || hand == b.called) return hand;  // rule: called-no-discard
        return hand & ~b.called;
    }

    // Whether a player whose only trumps are matadors may keep them when a trump was led.
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

}  // namespace spadille
