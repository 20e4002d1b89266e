// The cards of a plan, step by step.
#pragma once

#include <cassert>

#include "plan_proofs.hpp"

namespace spadille::plans {

class Steps : public Proofs {
public:
    using Proofs::Proofs;

    // Fills in the steps of a plan that wins these layouts; false if there are more than `most`.
    bool plan(const PlanValue& value, std::size_t most, std::vector<PlanStep>& steps) {
        Tree tree;
        begin(tree);
        whole_ = true;
        const Public first = after(start(), value.card, value.layouts[0]);
        Node& root = *node(first, value.layouts, kNever);
        const Set all = all_of(root.list.size());
        steps.push_back({-1, {}, value.card, weight(root, all)});
        return follow(root, all, alive(first), 0, {}, most, steps);
    }

private:
    // Whether a plan wins all of these layouts after a card.
    bool wins(const Branch& branch, const Set& here) {
        Set won;
        return greedy(*branch.node, here) == here || least(*branch.node, here, 0, won);
    }

    // Whether all the wanted layouts are won, whatever the player plays.
    bool sure(Node& node, const Set& wanted) {
        if (node.kind == Node::over || empty(wanted)) return true;
        expand(node);
        work(wanted.size());
        return std::all_of(node.branches.begin(), node.branches.end(), [&](Branch& branch) {
            if (node.kind == Node::own) attempt(node, branch);
            const Set here = both(wanted, branch.open);
            if (node.kind == Node::own && here != wanted) return false;
            return empty(here) || sure(*branch.node, narrow(branch, here));
        });
    }

    // The card that corresponds to a node's card in a course of play with these `cards` left.
    int named(const Node& node, int card, u64 cards) const {
        const u64 below = alive(node.seen) & (bit(card) - 1);
        for (int left = std::popcount(below); left; --left) cards &= cards - 1;
        return lowest_index(cards);
    }

    // Adds the steps of a plan that starts in a position and wins all the wanted layouts. `cards`
    // are those left.
    bool follow(Node& node, const Set& wanted, u64 cards, int parent, const std::vector<int>& seen,
                std::size_t most, std::vector<PlanStep>& steps) {
        if (cut_) return false;
        if (node.kind == Node::over) return true;
        expand(node);
        if (node.kind == Node::own) {
            if (sure(node, wanted)) return true;
            for (Branch& branch : node.branches) {
                attempt(node, branch);
                if (!within(wanted, branch.open)) continue;
                const Set here = narrow(branch, wanted);
                if (!wins(branch, here)) continue;
                if (steps.size() >= most) {
                    cut_ = true;
                    return false;
                }
                const int number = static_cast<int>(steps.size());
                const int card = named(node, branch.card, cards);
                steps.push_back({parent, seen, card, weight(node, wanted)});
                return follow(*branch.node, here, cards ^ bit(card), number, {}, most, steps);
            }
            assert(false);  // the layouts can be won
            return false;
        }
        const std::vector<Set> parts = layouts_after(node, wanted);
        bool whole = true;
        for (std::size_t b = 0; b < node.branches.size(); ++b) {
            if (empty(parts[b])) continue;
            const Branch& branch = node.branches[b];
            const int card = named(node, branch.card, cards);
            std::vector<int> more = seen;
            more.push_back(card);
            whole &= follow(*branch.node, narrow(branch, parts[b]), cards ^ bit(card), parent, more,
                            most, steps);
        }
        return whole;
    }

    // For each card of another player, the layouts that a plan has to win after that card in order
    // to win all the wanted layouts. A partner plays only one card in each layout.
    std::vector<Set> layouts_after(Node& node, const Set& wanted) {
        std::vector<Set> parts;
        Set left = wanted;
        for (const Branch& branch : node.branches) {
            const Set here = both(left, branch.open);
            parts.push_back(widen(branch, greedy(*branch.node, narrow(branch, here))));
            if (!empty(without(without(here, parts.back()), node.partners)))
                return combinations(node, wanted, wanted, wanted, 0, true).at(0).parts;
            left = without(left, both(parts.back(), node.partners));
        }
        if (!empty(both(left, node.partners)))
            return combinations(node, wanted, wanted, wanted, 0, true).at(0).parts;
        return parts;
    }

    bool cut_ = false;  // whether a plan is larger than its limit
};

}  // namespace spadille::plans
