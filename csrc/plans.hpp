// Finds the best plan for a player who sees only their own hand and the cards played.
//
// A layout is a possible distribution of the cards the player cannot see. All others see
// everything: the opponents play to defeat the plan, and partners play to help it. A plan chooses a
// card for every course of play that the player can see. It wins the layouts in which the aim is
// reached, whatever the opponents do. This is the best-defense model (Frank and Basin 1998); the
// search works on sets of layouts (Ginsberg 2001; alpha-mu: Cazenave and Ventos, arXiv 1911.07960
// and 2101.12639):
//
// - When it is the player's turn, the same card must be played in all layouts that look alike: a
//   set can be won if it can be won after one of the player's cards.
// - Where an opponent plays, each layout may go its own way: a set is won if it is won after every
//   card the opponent may play in each of its layouts. Where a partner plays, a set is won if each
//   of its layouts is won after one such card.
//
// Double-dummy values bound the sets: a layout that is lost with all hands seen is lost, and one
// that is won with all hands seen is won as soon as the player has no choice left. Only the
// heaviest set is wanted. Its weight is bounded by a greedy plan, and by a game in which the
// opponents play a single card in each layout. Between these bounds, the search looks for a plan
// whose loss is within a limit, and raises the limit until it finds one. If several of the
// opponents' cards lead to the same layouts, the search needs the front of a position: the maximal
// sets that can be won. For layouts that can arise only after a single card, it needs only their
// weight.
//
// Courses of play that leave the same problem share a position (see Node in plan_nodes.hpp).
//
// If the search takes long, closer bounds are computed by letting the opponents choose at random.
//
// The work is done in layers: plan_positions.hpp, plan_bounds.hpp, plan_layout_groups.hpp,
// plan_regret_matching.hpp, plan_mixing.hpp, plan_proofs.hpp and plan_steps.hpp.
#pragma once

#include <utility>
#include <vector>

#include "question.hpp"

namespace spadille {

// The player's aim: a value of at least `need` (or, if not `at_least`, a lower one) in an
// objective.
struct Aim {
    std::shared_ptr<const Objective> objective;
    int state = 0;
    int need = 0;
    bool at_least = true;
};

// The layouts in one decision: the hands, layout by layout, with one for each player; the weight of
// each layout; and the number of its aim, since sides may differ between layouts.
struct WeighedLayouts {
    std::vector<u64> hands, weights;
    std::vector<u8> aims;

    std::size_t count() const { return aims.size(); }
};

// The step at which the work on a card begins. Tests start at a later step to skip the earlier
// ones.
enum class First { fronts, mixing, groups };

// A decision of a player, who must hold the same cards in all layouts.
struct PlanDecision {
    PlanDecision(const Problem& p, std::vector<Aim> aims, WeighedLayouts layouts,
                 std::size_t memory, bool plain, First first);

    const Problem position;
    const std::vector<Aim> aims;
    const WeighedLayouts layouts;
    const std::size_t memory;  // bytes for double-dummy values
    const bool plain;  // whether the search for every processor is used
    const First first;
    const int player;
    u64 unseen = 0;  // the cards another player holds in some layout
};

// The value of a card for a player who does not see the other hands.
struct PlanValue {
    int card = 0;
    u64 equals = 0;  // the player's equivalent cards, including this one
    u64 open = 0;  // weight of the layouts won with all hands seen
    u64 least = 0, most = 0;  // bounds on the weight one plan wins, equal if proved
    std::vector<u32> layouts;  // the layouts, ascending, that make up `least`
    bool known = false;  // false if a limit stopped the search before it had bounds
};

// A choice in a plan: the player plays `card` after `seen`, the cards the others have played since
// the player's last choice.
struct PlanStep {
    int parent = -1;  // previous step; -1 for the first card of the plan
    std::vector<int> seen;
    int card = 0;
    u64 weight = 0;  // weight of the layouts that reach this step and are won
};

class PlanSearch {
public:
    PlanSearch(const Problem& p, std::vector<Aim> aims, WeighedLayouts layouts, std::size_t memory,
               bool plain, First first)
        : decision_(p, std::move(aims), std::move(layouts), memory, plain, first) {}
    // The reason why these layouts do not fit the position, or nullptr if they do.
    static const char* fault(const Problem& p, const std::vector<Aim>& aims,
                             const WeighedLayouts& layouts);

    // The value of each card the player to move may play, one for each class of equivalent cards.
    // The player sees all hands after `blind` choices, including this one; 0 means never. All cards
    // get bounds before the first value is proved, so that each has bounds if a limit stops the
    // search. The node limit applies to the work on each card, counted in layouts, so it does not
    // depend on the machine.
    Stop values(int blind, int threads, const Limits& limits, std::vector<PlanValue>& cards) const;

    // The plan that wins the layouts of a value that was found with `blind` = 0. The plan ends
    // where every card wins. It has at most `most` steps; further steps are left out, and `whole`
    // is then false.
    Stop plan(const PlanValue& value, std::size_t most, const Limits& limits,
              std::vector<PlanStep>& steps, bool& whole) const;

private:
    const PlanDecision decision_;
};

}  // namespace spadille
