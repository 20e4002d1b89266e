// The rules of following suit as one value (RULES 2 and, for called cards, 3), and what the engine
// may assume of them.
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

namespace spadille {

enum class MatadorRule : std::uint8_t { none, any_matador_led, higher_only };

// What a bound, a relaxed game or an equivalence may assume about following suit.  Each of them
// names its assumptions, and is left out where the rules do not grant them (Following::grants): the
// search is then slower, and as correct.  The duties of matadors and of a called card are no part
// of this: whatever they touch knows them.
enum Freedom : unsigned {
    kAnyLead = 1,  // the leader may lead any card
    kAnyOfTheSuit = 2,  // a player who can follow suit may play any card of it
    kAnyDiscard = 4,  // a player who cannot follow suit may play any card
    kRanksDoNotBind = 8  // what is legal depends on the suits in the hand and in the trick alone
};
constexpr unsigned kFreePlay = kAnyLead | kAnyOfTheSuit | kAnyDiscard;

struct Following {
    MatadorRule matador_rule = MatadorRule::none;
    bool highest_so_far = false;  // matador_trigger
    bool free_unless_all_lower = false;  // mixed_matadors
    bool free_called_lead = false;  // called_partner_lead
    bool early_discard = false;  // called_early_discard

    bool operator==(const Following&) const = default;

    // A rule that adds a duty, or a ban, takes the freedom it limits from this list.
    constexpr unsigned freedoms() const { return kFreePlay | kRanksDoNotBind; }
    constexpr bool grants(unsigned assumed) const { return !(assumed & ~freedoms()); }

    // The fields as hosts write them, in this order; returns what is wrong, or null.
    struct Field {
        const char* name;
        int most;
    };
    static constexpr Field kFields[] = {{"matador_rule", 2},
                                        {"highest_so_far", 1},
                                        {"free_unless_all_lower", 1},
                                        {"free_called_lead", 1},
                                        {"early_discard", 1}};
    const char* set(const std::vector<int>& fields);
};

}  // namespace spadille
