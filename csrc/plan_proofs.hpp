// Finds the exact weight of the layouts that the best plan wins, between the bounds.
#pragma once

#include "plan_mixing.hpp"

namespace spadille::plans {

class Proofs : public Mixing {
public:
    using Mixing::Mixing;

    // Proves the value of a card. Most values are proved at once. For the others, closer bounds
    // come first, then a search that has one layout for each group, and both again without limits.
    void prove(Tree& tree, PlanValue& value) {
        begin(tree);
        Node& root = *tree.root;
        const First first = decision_.first;
        if (first == First::fronts) pause_after(kSearching, [&] { search(root, value); });
        if (value.least == value.most) return;
        Game game;
        std::unique_ptr<Tree> few;
        bool laid_out = false;
        pause_after(std::max(kLayingOut, kPasses * root.list.size()), [&] {
            find_groups(root);
            if (2 * root.play->count() <= root.list.size() || first == First::groups)
                few = merged(tree);
            turn_to(tree);
            laid_out = lay_out(game, root);
            if (laid_out) allocate(game.bytes());
        });
        const auto mix = [&](bool divide) {
            if (!laid_out) return;
            this->mix(game, root, value, value.most, divide);
            // The bound falls below the best plan found if only worse plans remain.
            value.most = std::max(value.most, value.least);
        };
        const auto search_few = [&] {
            if (few) search_groups(root, *few, value);
        };
        if (first != First::groups) pause_after(kMixing, [&] { mix(false); });
        if (value.least < value.most) pause_after(kSearchingGroups, search_few);
        turn_to(tree);
        if (value.least < value.most) pause_after(kMixing, [&] { mix(true); });
        if (value.least < value.most)
            pause_after(kForever, [&] { few ? search_few() : search(root, value); });
    }

protected:
    // Looks for a plan whose loss is within a limit, and raises the limit until it finds one.
    void search(Node& root, PlanValue& value) {
        const Set all = all_of(root.list.size());
        const u64 more = 1 + (value.open - value.least) / 16;
        u64 budget = value.open - value.most;
        for (; value.least < value.most; budget += more) {
            budget = std::min(budget, value.open - value.least - 1);
            Set best;
            if (least(root, all, budget, best)) improve(value, root, best);
            value.most = std::max(value.least, value.open - budget - 1);  // no other plan wins more
        }
    }

    // Searches in the same way, with one layout for each group of a root's layouts that can be
    // lost.
    void search_groups(const Node& root, Tree& few, PlanValue& value) {
        turn_to(few);
        PlanValue part;
        for (u64 weight : few.weights) part.open += weight;
        const u64 rest = value.open - part.open;  // every plan wins these layouts
        part.least = std::max(value.least, rest) - rest;
        part.most = value.most - rest;
        const auto finish = [&] {
            value.most = part.most + rest;
            if (part.least + rest <= value.least) return;
            std::vector<bool> won(few.root->list.size());
            for (std::size_t i = 0; i < won.size(); ++i)
                won[i] =
                    std::binary_search(part.layouts.begin(), part.layouts.end(), few.root->list[i]);
            Set set = none_of(root.list.size());
            for (std::size_t i = 0; i < root.list.size(); ++i)
                if (root.groups[i] == Play::kWon || won[root.groups[i]]) put(set, i);
            value.least = part.least + rest;
            value.layouts.clear();
            each(set, [&](std::size_t i) { value.layouts.push_back(root.list[i]); });
        };
        try {
            search(*few.root, part);
        } catch (...) {
            finish();
            throw;
        }
        finish();
    }

    // Limits on the work, in layouts: on fronts, on finding groups (a minimum, and the work for
    // each layout), on mixed strategies, and on fronts of groups.
    static constexpr u64 kSearching = 1'000'000, kLayingOut = 3'000'000, kPasses = 100,
                         kMixing = 100'000'000, kSearchingGroups = 3'000'000;

    // Whether some plan loses at most `limit` of the weight of the wanted layouts. If so, `best` is
    // the set won by a plan that loses least.
    bool least(Node& node, const Set& wanted, u64 limit, Set& best) {
        if (settled(node, wanted) || single(wanted)) {
            best = wanted;
            return true;
        }
        may_pause();
        expand(node);
        work(wanted.size());
        auto known = std::find_if(node.least.begin(), node.least.end(),
                                  [&](const Node::Least& l) { return l.wanted == wanted; });
        Node::Least bounds;
        if (known != node.least.end()) {
            bounds = *known;
        } else {
            bounds.wanted = wanted;
            bounds.won = greedy(node, wanted);
            bounds.most = weight(node, without(wanted, bounds.won));
            bounds.least = bounds.most ? std::min(relaxed(node, wanted), bounds.most) : 0;
        }
        if (bounds.least < bounds.most && bounds.least <= limit) {
            if (node.kind == Node::own) narrow_own(node, bounds, limit);
            else narrow_others(node, bounds, limit);
        }
        best = bounds.won;
        const bool found = bounds.most <= limit;
        known = std::find_if(node.least.begin(), node.least.end(),
                             [&](const Node::Least& l) { return l.wanted == wanted; });
        if (known != node.least.end()) {
            *known = std::move(bounds);
        } else if (node.least.size() < kNoted) {
            allocate(2 * bytes(wanted));
            node.least.push_back(std::move(bounds));
        }
        return found;
    }

    static void better(Node::Least& bounds, Set won, u64 loss) {
        if (loss >= bounds.most) return;
        bounds.won = std::move(won);
        bounds.most = loss;
    }

    // Finds the least loss if it is at most the limit; otherwise, finds only that it is higher.
    void narrow_own(Node& node, Node::Least& bounds, u64 limit) {
        struct Try {
            u64 least, lost;
            const Branch* branch;
            Set here;
        };
        std::vector<Try> tries;
        for (Branch& branch : node.branches) {
            attempt(node, branch);
            if (!branch.node) continue;
            const u64 lost = weight(node, without(bounds.wanted, branch.open));
            if (lost >= bounds.most) continue;
            Set here = narrow(branch, bounds.wanted);
            const u64 low = lost + relaxed(*branch.node, here);
            if (low < bounds.most) tries.push_back({low, lost, &branch, std::move(here)});
        }
        std::stable_sort(tries.begin(), tries.end(),
                         [](const Try& a, const Try& b) { return a.least < b.least; });
        u64 low = bounds.most;
        for (const Try& one : tries) {
            const u64 most = std::min(limit, bounds.most - 1);
            low = std::min(low, std::max(one.least, most + 1));
            Set won;
            if (one.least > most || !least(*one.branch->node, one.here, most - one.lost, won))
                continue;
            const u64 loss = one.lost + weight(*one.branch->node, without(one.here, won));
            better(bounds, widen(*one.branch, won), loss);
        }
        bounds.least = std::max(bounds.least, std::min(low, bounds.most));
    }

    void narrow_others(Node& node, Node::Least& bounds, u64 limit) {
        // The opponents play a single card in each layout.
        const std::vector<Part> parts = this->parts(node, without(bounds.wanted, node.free));
        u64 sum = loss(parts), most = std::min(limit, bounds.most - 1);
        for (std::size_t i = 0; i < parts.size() && sum <= most; ++i) {
            Node& next = *parts[i].branch->node;
            sum -= parts[i].loss;
            Set won;
            sum += least(next, parts[i].set, most - sum, won)
                       ? weight(next, without(parts[i].set, won))
                       : most - sum + 1;
        }
        bounds.least = std::max(bounds.least, std::min(sum, bounds.most));
        if (bounds.least > most) return;
        // A plan that wins as much as possible after one card, and then after the next.
        if (empty(both(bounds.wanted, node.free))) {
            std::vector<const Branch*> order;
            for (const Part& part : parts) order.push_back(part.branch);
            for (const Branch& branch : node.branches)
                if (std::find(order.begin(), order.end(), &branch) == order.end())
                    order.push_back(&branch);
            Set rest = bounds.wanted;
            u64 lost = 0;
            bool found = true;
            for (const Branch* branch : order) {
                const Set here = narrow(*branch, rest);
                Set won;
                found = least(*branch->node, here, most - lost, won);
                if (!found) break;
                const Set loses = without(here, won);
                lost += weight(*branch->node, loses);
                rest = without(rest, widen(*branch, loses));
            }
            if (found) better(bounds, std::move(rest), lost);
            if (bounds.least >= bounds.most) return;
            most = std::min(limit, bounds.most - 1);
            if (bounds.least > most) return;
        }
        for (Combination& way : combinations(node, bounds.wanted, bounds.wanted,
                                             none_of(node.list.size()), most, false)) {
            const u64 loss = weight(node, without(bounds.wanted, way.won));
            better(bounds, std::move(way.won), loss);
        }
        bounds.least = std::max(bounds.least, std::min(most + 1, bounds.most));
    }

    // The best sets of wanted layouts that can be won. For any other winnable set, one of these is
    // at least as good: it contains all the named layouts of that set, and its unnamed layouts
    // weigh at least as much. Sets that lose more than the budget are left out. Only the loss of
    // `counted` layouts costs anything, since a partner may have a better card in the others.
    Front front(Node& node, const Set& wanted, const Set& counted, const Set& named, u64 budget) {
        if (settled(node, wanted) || single(wanted)) return {wanted};
        may_pause();
        expand(node);
        work(wanted.size());
        for (const Node::Fronts& known : node.fronts)
            if (known.budget == budget && known.wanted == wanted && known.counted == counted &&
                known.named == named)
                return known.front;
        Set best;
        if (!least(node, counted, budget, best)) return {};
        if (greedy(node, wanted) == wanted) return {wanted};
        if (wanted == counted && empty(both(wanted, named))) return {best};
        Front result;
        if (node.kind == Node::own) {
            result = own(node, wanted, counted, named, budget);
        } else {
            for (Combination& way : combinations(node, wanted, counted, named, budget, false))
                result.push_back(std::move(way.won));
        }
        if (result.size() == 1) note_won(node, result[0]);
        if (node.fronts.size() < kNoted) {
            allocate((3 + result.size()) * bytes(wanted));
            node.fronts.push_back({wanted, counted, named, budget, result});
        }
        return result;
    }

    // A set that can be won.
    struct Winnable {
        Set won;
        u64 rest;  // weight of its layouts that are not named

        // Whether this set is at least as good as another one: it contains all the other's named
        // layouts, and its unnamed layouts weigh at least as much as the other's. Adds the number
        // of compared words to `words`.
        bool covers(const Winnable& other, const Set& named, u64& words) const {
            ++words;
            if (other.rest > rest) return false;
            std::size_t i = 0;
            while (i < won.size() && !(other.won[i] & named[i] & ~won[i])) ++i;
            words += i;
            return i == won.size();
        }
    };

    Front own(Node& node, const Set& wanted, const Set& counted, const Set& named, u64 budget) {
        std::vector<std::pair<u64, const Branch*>> cards;
        for (Branch& branch : node.branches) {
            attempt(node, branch);
            if (!branch.node) continue;
            const u64 loss = weight(node, without(counted, branch.open));
            if (loss <= budget) cards.emplace_back(loss, &branch);
        }
        std::stable_sort(cards.begin(), cards.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<Winnable> found;
        for (const auto& [loss, branch] : cards) {
            const Set here = both(wanted, branch->open);
            if (std::any_of(found.begin(), found.end(),
                            [&](const Winnable& w) { return within(here, w.won); }))
                continue;
            for (const Set& set :
                 front(*branch->node, narrow(*branch, wanted), narrow(*branch, counted),
                       narrow(*branch, named), budget - loss)) {
                Set won = widen(*branch, set);
                const u64 rest = weight(node, without(won, named));
                u64 words = won.size();
                add(found, Winnable{std::move(won), rest},
                    [&](const Winnable& a, const Winnable& b) {
                        return a.covers(b, named, words);
                    });
                compared(words);
            }
            if (found.size() == 1 && found[0].won == wanted) break;
        }
        Front result;
        for (Winnable& one : found) result.push_back(std::move(one.won));
        return result;
    }

    // A set that can be won and, if requested, its layouts after each card.
    struct Combination : Winnable {
        std::vector<Set> parts;
    };

    std::vector<Combination> combinations(Node& node, const Set& wanted, const Set& counted,
                                          const Set& named, u64 budget, bool parts) {
        // For a partner, the number of cards left to try in each layout. For opponents, the minimum
        // loss caused by the cards left; each layout counts only for its first card. The cards that
        // lose most come first.
        std::vector<u8> options(node.list.size(), 0);
        std::vector<u64> losses;
        std::vector<Set> firsts;
        std::vector<const Branch*> order;
        u64 later = 0;
        Set rest = without(counted, node.free);
        if (!parts) {
            for (const Part& part : this->parts(node, rest)) {
                order.push_back(part.branch);
                firsts.push_back(widen(*part.branch, part.set));
                rest = without(rest, part.branch->open);
                u64 loss = part.loss;
                for (const Node::Least& known : part.branch->node->least)
                    if (known.wanted == part.set) loss = std::max(loss, known.least);
                losses.push_back(loss);
                later += loss;
            }
        }
        if (later > budget) return {};
        for (const Branch& branch : node.branches) {
            each(both(branch.open, node.partners), [&](std::size_t i) { ++options[i]; });
            if (std::find(order.begin(), order.end(), &branch) != order.end()) continue;
            order.push_back(&branch);
            firsts.push_back(both(rest, branch.open));
            rest = without(rest, branch.open);
            losses.push_back(0);
        }
        std::vector<Set> singly(order.size(), named);  // named here, or open after a later card
        for (std::size_t b = order.size(); b-- > 1;) {
            singly[b - 1] = singly[b];
            for (std::size_t i = 0; i < named.size(); ++i) singly[b - 1][i] |= order[b]->open[i];
        }

        // Against opponents, a layout is won until a card loses it; with partners, none is won
        // until a card wins it.
        std::vector<Combination> so_far{{{without(wanted, node.partners), 0}, {}}};
        // The layouts that count. Layouts in which a partner plays count only when no card is left
        // to try.
        Set decided = without(counted, node.partners);
        Set to_come = decided;  // layouts whose first card is still to come
        for (std::size_t at = 0; at < order.size(); ++at) {
            const Branch& branch = *order[at];
            later -= losses[at];
            to_come = without(to_come, firsts[at]);
            // Layouts that are lost in all combinations (or, for a partner, won in all) are not
            // searched again.
            Set some(wanted.size(), 0), every = wanted;
            for (const Combination& way : so_far)
                for (std::size_t i = 0; i < some.size(); ++i) {
                    some[i] |= way.won[i];
                    every[i] &= way.won[i];
                }
            Set here = both(wanted, branch.open), needed(wanted.size(), 0);
            for (std::size_t i = 0; i < here.size(); ++i) {
                here[i] &= (some[i] & ~node.partners[i]) | (~every[i] & node.partners[i]);
                needed[i] = here[i] & counted[i] & ~(some[i] & node.partners[i]);
            }
            each(both(needed, node.partners), [&](std::size_t i) {
                if (options[i] != 1) take(needed, i);
            });
            each(both(branch.open, node.partners), [&](std::size_t i) {
                if (!--options[i] && has(counted, i)) put(decided, i);
            });
            if (empty(here)) {
                if (parts)
                    for (Combination& way : so_far) way.parts.push_back(here);
                continue;
            }
            const Set elsewhere = without(without(decided, here), to_come);
            u64 least = ~0ull;
            for (const Combination& way : so_far)
                least = std::min(least, weight(node, without(elsewhere, way.won)));
            if (least + later > budget) return {};
            Set single = named;
            for (std::size_t i = 0; i < single.size(); ++i) single[i] |= node.shared[i];
            const Front below = front(*branch.node, narrow(branch, here), narrow(branch, needed),
                                      narrow(branch, single), budget - least - later);
            const Set closed = without(decided, to_come);
            std::vector<Combination> next;
            for (const Set& below_set : below) {
                const Set won = widen(branch, below_set);
                for (const Combination& way : so_far) {
                    may_pause();
                    u64 words = 4 * way.won.size();
                    Set sum = way.won;
                    for (std::size_t i = 0; i < sum.size(); ++i) {
                        const u64 friendly = node.partners[i];
                        sum[i] |= won[i] & friendly;
                        sum[i] &= ~(here[i] & ~won[i] & ~friendly);
                    }
                    if (weight(node, without(closed, sum)) + later > budget) {
                        compared(words);
                        continue;
                    }
                    const u64 rest = weight(node, without(sum, singly[at]));
                    Combination way_on{{std::move(sum), rest}, {}};
                    if (parts) {
                        way_on.parts = way.parts;
                        way_on.parts.push_back(won);
                    }
                    add(next, std::move(way_on), [&](const Combination& a, const Combination& b) {
                        return a.covers(b, singly[at], words);
                    });
                    compared(words);
                }
            }
            so_far = std::move(next);
            if (so_far.empty()) return {};
        }
        return so_far;
    }
};

}  // namespace spadille::plans
