// Bounds on the weight of the layouts that a plan can win: from a greedy plan, and from a game in
// which the opponents play a single card in each layout.
#pragma once

#include "plan_positions.hpp"

namespace spadille::plans {

class Bounds : public Positions {
public:
    using Positions::Positions;

    // Fills in the bounds on the value of a card, and returns the card's tree if the bounds differ.
    std::unique_ptr<Tree> bound(int blind, PlanValue& value) {
        auto tree = std::make_unique<Tree>();
        begin(*tree);
        Public first = after(start(), value.card, 0);
        List list;
        for (u32 i = 0; i < decision_.layouts.count(); ++i)
            if (open(first, i)) list.push_back(i);
        for (u32 i : list) value.open += decision_.layouts.weights[i];
        value.most = value.open;
        value.known = true;
        if (list.empty()) return nullptr;
        Node& root = *(tree->root = node(std::move(first), std::move(list), blind));
        if (decision_.first != First::fronts) return tree;
        const Set all = all_of(root.list.size());
        improve(value, root, greedy(root, all));
        value.most = value.open - relaxed(root, all);
        return value.least < value.most ? std::move(tree) : nullptr;
    }

protected:
    static constexpr std::size_t kNoted = 16;  // sets kept for a node

    // Keeps the set of layouts that a plan wins if it weighs more than the best set so far.
    void improve(PlanValue& value, const Node& root, const Set& set) {
        const u64 sum = weight(root, set);
        if (sum <= value.least) return;
        value.least = sum;
        value.layouts.clear();
        each(set, [&](std::size_t i) { value.layouts.push_back(root.list[i]); });
    }

    // Whether a plan is known to win all the wanted layouts.
    static bool settled(const Node& node, const Set& wanted) {
        if (node.kind == Node::over) return true;
        return std::any_of(node.won.begin(), node.won.end(),
                           [&](const Set& set) { return within(wanted, set); });
    }

    void note_won(Node& node, const Set& set) {
        if (node.won.size() >= kNoted) return;
        allocate(bytes(set));
        add(node.won, set, [](const Set& a, const Set& b) { return within(b, a); });
    }

    // The layouts won by a plan built card by card: at each choice, the player plays the card after
    // which such a plan wins the most.
    Set greedy(Node& node, const Set& wanted) {
        if (settled(node, wanted) || single(wanted)) return wanted;
        expand(node);
        work(wanted.size());
        for (const Node::Greedy& known : node.greedy)
            if (known.wanted == wanted) return known.won;
        Set result(wanted.size(), 0);
        if (node.kind == Node::own) {
            u64 most = 0;
            const u64 whole = weight(node, wanted);
            for (Branch& branch : node.branches) {
                attempt(node, branch);
                const Set here = both(wanted, branch.open);
                if (weight(node, here) <= most) continue;
                Set won = widen(branch, greedy(*branch.node, narrow(branch, here)));
                const u64 sum = weight(node, won);
                if (sum <= most) continue;
                most = sum;
                result = std::move(won);
                if (most == whole) break;
            }
        } else {
            result = without(wanted, node.partners);
            for (const Branch& branch : node.branches) {
                // If an opponent moves, the layouts still won; if a partner moves, those not yet
                // won.
                Set here = both(wanted, branch.open);
                for (std::size_t i = 0; i < here.size(); ++i)
                    here[i] &= result[i] ^ node.partners[i];
                if (empty(here)) continue;
                const Set won = widen(branch, greedy(*branch.node, narrow(branch, here)));
                for (std::size_t i = 0; i < here.size(); ++i)
                    result[i] ^= here[i] & ~(won[i] ^ node.partners[i]);
            }
        }
        note_won(node, result);
        if (node.greedy.size() < kNoted) {
            allocate(2 * bytes(wanted));
            node.greedy.push_back({wanted, result});
        }
        return result;
    }

    // A lower bound on the weight that every plan loses. Opponents play a single card in each
    // layout (see `parts`), and layouts in which a partner has a choice count as won.
    u64 relaxed(Node& node, const Set& wanted) {
        if (settled(node, wanted) || single(wanted)) return 0;
        expand(node);
        work(wanted.size());
        for (const Node::Relaxed& known : node.relaxed)
            if (known.wanted == wanted) return known.loss;
        u64 result = 0;
        if (node.kind == Node::own) {
            result = weight(node, wanted);
            for (Branch& branch : node.branches) {
                attempt(node, branch);
                const u64 loss = weight(node, without(wanted, branch.open));
                if (loss < result)
                    result = std::min(result, loss + relaxed(*branch.node, narrow(branch, wanted)));
            }
        } else {
            result = loss(parts(node, without(wanted, node.free)));
        }
        if (node.relaxed.size() < kNoted) {
            allocate(bytes(wanted));
            node.relaxed.push_back({wanted, result});
        }
        return result;
    }

    // Some of a branch's layouts (numbered as in its node), and a bound on the weight lost in them.
    struct Part {
        const Branch* branch;
        Set set;
        u64 loss;
    };

    static u64 loss(const std::vector<Part>& parts) {
        u64 sum = 0;
        for (const Part& part : parts) sum += part.loss;
        return sum;
    }

    // Assigns each layout to one of the opponents' cards that are legal in it, so that plans lose
    // many layouts. Layouts without such a card are left out.
    std::vector<Part> parts(Node& node, const Set& layouts) {
        std::vector<Part> best = worst_first(node, layouts);
        const u64 most = weight(node, without(layouts, greedy(node, layouts)));
        for (const bool back : {false, true}) {
            if (loss(best) >= most) break;
            std::vector<Part> other = in_order(node, layouts, back);
            if (loss(other) > loss(best)) best = std::move(other);
        }
        return best;
    }

    // The card that most layouts allow gets all of them, the next card gets those that are left,
    // and so on; or the cards are taken in reverse order.
    std::vector<Part> in_order(Node& node, Set rest, bool back) {
        std::vector<Part> result;
        const std::size_t count = node.branches.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Branch& branch = node.branches[back ? count - 1 - i : i];
            const Set here = both(rest, branch.open);
            rest = without(rest, branch.open);
            if (single(here)) continue;
            Set set = narrow(branch, here);
            if (const u64 loss = relaxed(*branch.node, set))
                result.push_back({&branch, std::move(set), loss});
        }
        return result;
    }

    // Each time, the card after which the greedy plan loses most gets all the remaining layouts.
    std::vector<Part> worst_first(Node& node, Set rest) {
        std::vector<Part> result;
        std::vector<const Branch*> left;
        for (const Branch& branch : node.branches) left.push_back(&branch);
        while (!left.empty()) {
            u64 most = 0;
            const Branch* worst = nullptr;
            Set taken;
            std::vector<const Branch*> still;
            for (const Branch* branch : left) {
                const Set here = both(rest, branch->open);
                if (single(here)) continue;
                Set set = narrow(*branch, here);
                const u64 loss =
                    weight(*branch->node, set) - weight(*branch->node, greedy(*branch->node, set));
                if (!loss) continue;
                still.push_back(branch);
                if (loss <= most) continue;
                most = loss;
                worst = branch;
                taken = std::move(set);
            }
            if (!worst) break;
            const u64 loss = relaxed(*worst->node, taken);
            result.push_back({worst, std::move(taken), loss});
            rest = without(rest, worst->open);
            still.erase(std::find(still.begin(), still.end(), worst));
            left = std::move(still);
        }
        return result;
    }
};

}  // namespace spadille::plans
