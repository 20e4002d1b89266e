// The rules for following suit as one value (RULES 2 and, for called cards, 3), and what the engine
// may assume about them.
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

namespace spadille {

enum class MatadorRule : std::uint8_t { none, any_matador_led, higher_only };

// The freedoms that a bound, a relaxed game or an equivalence may assume. Each of these lists its
// assumptions, and is skipped if the rules do not grant them (Following::grants); the search is
// then slower but still correct. The list does not contain the duties of matadors and of a called
// card, because all code that they affect takes them into account.
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

}  // namespace spadille
