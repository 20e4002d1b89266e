// The best plan of a player who sees only his own hand and the cards that are played.
//
// A layout is a way the cards he cannot see may lie.  All others see everything: his opponents play
// against the plan, his partners for it.  A plan chooses a card for every course of play as he sees
// it, and wins the layouts in which his aim is reached whatever his opponents do.  This is the
// best-defence model (Frank and Basin 1998); the search goes over sets of layouts (Ginsberg 2001;
// alpha-mu: Cazenave and Ventos, arXiv 1911.07960 and 2101.12639):
//
// - Where he plays, one card serves all layouts that look alike: a set can be won if it can be won
//   after one of his cards.
// - Where an opponent plays, each layout may go its own way: a set is won if it is won after every
//   card he may play in each of its layouts.  Where a partner plays, one such card is enough.
//
// The front of a position holds the greatest sets that can be won.  Double-dummy values bound it:
// what is lost with all hands seen is lost, and what is won then is won where he has no choice
// left.  Only the heaviest set is wanted, so a set that loses more weight than a budget is dropped.
// The budget is nothing at first, which is enough for most decisions, and grows until there is a
// plan; the heaviest set within it is then the heaviest of all.
#pragma once

#include <atomic>
#include <vector>

#include "question.hpp"

namespace spadille {

// What the player wants: a value of the objective of at least `need`, or one below it.
struct Aim {
    std::shared_ptr<const Objective> objective;
    int state = 0;
    int need = 0;
    bool at_least = true;
};

// The layouts of one decision: a hand for each player, one layout after another; what each of them
// weighs; and the number of its aim, since sides may differ from one to another.
struct WeighedLayouts {
    std::vector<u64> hands, weights;
    std::vector<u8> aims;

    std::size_t count() const { return aims.size(); }
};

// The value of a card to a player who does not see the other hands.
struct PlanValue {
    int card = 0;
    u64 equals = 0;  // his cards that are worth the same, this one among them
    u64 open = 0;  // the weight of the layouts that are won with all hands seen
    u64 least = 0, most = 0;  // bounds of the weight that one plan wins, equal if it is proved
    std::vector<u32> layouts;  // of the weight `least`: those a plan wins, ascending
    bool known = false;  // false if a limit stopped the search before there were bounds
};

// A choice of a plan: after `seen`, the cards of the others since his last one, he plays `card`.
struct PlanStep {
    int parent = -1;  // the step before, -1: the first card of the plan
    std::vector<int> seen;
    int card = 0;
    u64 weight = 0;  // of the layouts that come here and are won
};

class PlanSearch {
public:
    // The player to move holds the same in all layouts.
    PlanSearch(const Problem& p, std::vector<Aim> aims, WeighedLayouts layouts, std::size_t memory,
               bool plain);
    // Why these are no layouts of the position, nullptr if they are.
    static const char* fault(const Problem& p, const std::vector<Aim>& aims,
                             const WeighedLayouts& layouts);

    // The value of each card the player to move may play, one of those that are equal for all.
    // After `blind` choices of his, this one included, he sees all hands; 0: he never does.  All
    // cards get bounds before the first is proved, so that a limit leaves something of each.  The
    // limit of nodes is one of work on each card, in layouts, the same on all machines.
    Stop values(int blind, int threads, const Limits& limits, std::vector<PlanValue>& cards) const;

    // The plan that wins the layouts of a value found with `blind` 0.  It ends where every card
    // wins.  At most so many steps: the rest of a larger plan is left out, and `whole` is false.
    Stop plan(const PlanValue& value, std::size_t most, const Limits& limits,
              std::vector<PlanStep>& steps, bool& whole) const;

private:
    class Worker;

    // Has threads work on the cards in this order.
    template <class Work>
    Stop each_card(const Work& work, const std::vector<std::size_t>& order, Worker& first,
                   int threads, const Limits& limits, std::atomic<bool>& stopping) const;

    const Problem base_;
    const std::vector<Aim> aims_;
    const WeighedLayouts layouts_;
    const std::size_t memory_;
    const bool plain_;
    const int player_;
    u64 unseen_ = 0;  // the cards that another player holds in some layout
};

}  // namespace spadille
