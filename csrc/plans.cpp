#include "plans.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <exception>
#include <future>
#include <map>
#include <memory>
#include <numeric>
#include <system_error>

#include "cards.hpp"

namespace spadille {

namespace {

// A set of layouts in a list, as a bit set of positions in the list.
using Set = std::vector<u64>;

Set none_of(std::size_t count) { return Set((count + 63) / 64, 0); }

Set all_of(std::size_t count) {
    Set set((count + 63) / 64, ~0ull);
    if (count % 64) set.back() = (1ull << count % 64) - 1;
    return set;
}

bool has(const Set& set, std::size_t i) { return set[i / 64] >> (i % 64) & 1; }
void put(Set& set, std::size_t i) { set[i / 64] |= 1ull << i % 64; }
void take(Set& set, std::size_t i) { set[i / 64] &= ~(1ull << i % 64); }

bool within(const Set& set, const Set& other) {
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i] & ~other[i]) return false;
    return true;
}

bool empty(const Set& set) {
    return std::all_of(set.begin(), set.end(), [](u64 word) { return !word; });
}

Set both(Set set, const Set& other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] &= other[i];
    return set;
}

Set without(Set set, const Set& other) {
    for (std::size_t i = 0; i < set.size(); ++i) set[i] &= ~other[i];
    return set;
}

// Calls `visit` with each position in a set, ascending.
template <class Visit>
void each(const Set& set, Visit visit) {
    for (std::size_t word = 0; word < set.size(); ++word)
        for (u64 left = set[word]; left; left &= left - 1)
            visit(64 * word + static_cast<std::size_t>(lowest_index(left)));
}

using Front = std::vector<Set>;

// Adds an item unless its set is part of another item's, and drops items whose sets are part of its
// set.
template <class Item, class SetOf>
void add(std::vector<Item>& items, Item item, SetOf set_of) {
    for (const Item& other : items)
        if (within(set_of(item), set_of(other))) return;
    items.erase(std::remove_if(items.begin(), items.end(),
                               [&](const Item& i) { return within(set_of(i), set_of(item)); }),
                items.end());
    items.push_back(std::move(item));
}

using List = std::vector<u32>;  // numbers of layouts, ascending

// The public part of a position.
struct Public {
    Problem p;  // the hands are those of any layout
    u64 played[kMaxPlayers] = {};
    std::vector<int> states;  // one for each aim
};

struct Node;

// A card, and the layouts in which play continues after it: for an opponent's card, those in which
// it is legal; for a partner's or the player's own, those in which it keeps the aim with all hands
// seen.
struct Branch {
    int card = 0;
    u64 equals = 0;  // for the player's own card: the equivalent cards
    Set open;
    std::unique_ptr<Node> node;
};

// A position as everybody sees it, with the layouts in which it arises and the aim can be reached
// with all hands seen. Sets are sets of positions in this list.
struct Node {
    enum Kind { fresh, over, own, others };

    Public seen;
    List list;
    Kind kind = fresh;
    std::vector<Branch> branches;
    Set partners;  // where the player to move is a partner

    explicit Node(Public s) : seen(std::move(s)) {}
};

}  // namespace

// The work of one thread, with a solver for each aim, since their proofs are not shared.
class PlanSearch::Worker {
public:
    static constexpr int kNever = 1 << 30;  // the player never sees all hands

    Worker(const PlanSearch& search, const Limits& limits, const std::atomic<bool>* stopping)
        : search_(search), limits_(limits), stopping_(stopping) {
        for (std::size_t i = 0; i < search.aims_.size(); ++i) {
            solvers_.push_back(Solver::make(search.memory_ / search.aims_.size(), search.plain_));
            Limits unlimited = limits;
            unlimited.nodes = 0;
            solvers_.back()->limit(unlimited);
        }
        const std::vector<u64>& weights = search.layouts_.weights;
        uniform_ = std::equal(weights.begin() + 1, weights.end(), weights.begin());
    }

    // The cards the player to move may play; of equivalent cards, the lowest.
    std::vector<std::pair<int, u64>> cards() const { return choices(start()); }

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

    // Fills in bounds on the value of a card, and returns its tree if they differ.
    std::unique_ptr<Node> bound(int blind, PlanValue& value) {
        done_ = 0;
        auto root = std::make_unique<Node>(after(start(), value.card, 0));
        for (u32 i = 0; i < search_.layouts_.count(); ++i)
            if (open(root->seen, i)) root->list.push_back(i);
        const Set all = all_of(root->list.size());
        value.open = value.most = weight(*root, all);
        value.known = true;
        if (root->list.empty()) return nullptr;
        improve(value, *root, greedy(*root, all, blind));
        value.most = value.open - relaxed(*root, all, blind);
        return value.least < value.most ? std::move(root) : nullptr;
    }

    // Proves the value of a card.
    void prove(int blind, Node& root, PlanValue& value) {
        done_ = 0;
        const Set all = all_of(root.list.size());
        const u64 more = 1 + (value.open - value.least) / 16;
        u64 budget = value.open - value.most;
        for (; value.least < value.most; budget += more) {
            budget = std::min(budget, value.open - value.least - 1);
            for (const Set& set : front(root, all, all, budget, blind)) improve(value, root, set);
            value.most = std::max(value.least, value.open - budget - 1);  // no other plan wins more
        }
    }

    // Fills in the steps of a plan that wins these layouts; false if there are more than `most`.
    bool plan(const PlanValue& value, std::size_t most, std::vector<PlanStep>& steps) {
        Node root(after(start(), value.card, value.layouts[0]));
        root.list = value.layouts;
        const Set all = all_of(root.list.size());
        steps.push_back({-1, {}, value.card, weight(root, all)});
        return follow(root, all, 0, {}, most, steps);
    }

private:
    // Keeps the set of layouts that a plan wins if it weighs more than the best set so far.
    void improve(PlanValue& value, const Node& root, const Set& set) {
        const u64 sum = weight(root, set);
        if (sum <= value.least) return;
        value.least = sum;
        value.layouts.clear();
        each(set, [&](std::size_t i) { value.layouts.push_back(root.list[i]); });
    }

    // ---- positions

    Public start() const {
        Public seen;
        seen.p = search_.base_;
        for (const Aim& aim : search_.aims_) seen.states.push_back(aim.state);
        return seen;
    }

    Problem dealt(const Public& seen, u32 layout) const {
        Problem p = seen.p;
        const u64* hands = &search_.layouts_.hands[layout * static_cast<std::size_t>(p.players)];
        u64 held = 0;
        for (int i = 0; i < p.players; ++i) held |= p.hands[i] = hands[i] & ~seen.played[i];
        p.called &= held;
        return p;
    }

    Question question(std::size_t aim) const {
        return {*solvers_[aim], *search_.aims_[aim].objective};
    }

    Public after(const Public& seen, int card, u32 layout) const {
        const Problem before = dealt(seen, layout);
        Public next = seen;
        for (std::size_t i = 0; i < next.states.size(); ++i)
            next.states[i] = question(i).step(before, seen.states[i], card);
        next.p = played(before, card);
        next.played[to_play(before)] |= bit(card);
        return next;
    }

    // Whether the aim is reached in a layout with all hands seen.
    bool open(const Public& seen, u32 layout) {
        const u8 number = search_.layouts_.aims[layout];
        const Aim& aim = search_.aims_[number];
        bool answer = false;
        const Stop why =
            question(number).reaches(dealt(seen, layout), seen.states[number], aim.need, answer);
        if (why != Stop::none) throw Stopped{why};
        return answer == aim.at_least;
    }

    // The cards the player may play: of equivalent cards, the lowest, each with its equivalents.
    std::vector<std::pair<int, u64>> choices(const Public& seen) const {
        Problem p = seen.p;
        u64 out = 0;
        for (int i = 0; i < p.players; ++i) out |= seen.played[i];
        // Cards held by anybody else separate the player's cards.
        for (int i = 0; i < p.players; ++i)
            if (i != search_.player_) p.hands[i] = 0;
        p.hands[(search_.player_ + 1) % p.players] = search_.unseen_ & ~out;
        const Choice choice = solvers_[0]->choice(p);
        std::vector<std::pair<int, u64>> cards;
        for (u64 left = choice.legal; left; left &= left - 1) {
            const u64 card = lowest(left);
            if (cards.empty() || !(choice.equivalents & card))
                cards.emplace_back(lowest_index(card), card);
            else cards.back().second |= card;
        }
        return cards;
    }

    bool partner(const Public& seen, u32 layout) const {
        const u32 side = search_.aims_[search_.layouts_.aims[layout]].objective->sides.side;
        return !((side >> to_play(seen.p) ^ side >> search_.player_) & 1);
    }

    // Whether the player has no choice left, or no aim depends on the remaining play.
    bool over(const Public& seen) const {
        const u64 hand = search_.base_.hands[search_.player_] & ~seen.played[search_.player_];
        if (!(hand & (hand - 1))) return true;
        const int left = tricks_left(seen.p);
        for (std::size_t i = 0; i < seen.states.size(); ++i) {
            const Aim& aim = search_.aims_[i];
            int low = 0, high = 0;
            aim.objective->span(left, seen.states[i], low, high);
            if (low < aim.need && high >= aim.need) return false;
        }
        return true;
    }

    void expand(Node& node) {
        if (node.kind != Node::fresh) return;
        work(kOften + node.list.size());  // every layout is solved after every card
        if (over(node.seen)) {
            node.kind = Node::over;
        } else if (to_play(node.seen.p) == search_.player_) {
            node.kind = Node::own;
            const auto cards = choices(node.seen);
            for (const auto& [card, equals] : cards) {
                Branch branch{card, equals, none_of(node.list.size()),
                              std::make_unique<Node>(after(node.seen, card, node.list[0]))};
                for (std::size_t i = 0; i < node.list.size(); ++i)
                    if (cards.size() == 1 || open(branch.node->seen, node.list[i]))
                        enter(branch, node, i);
                if (!branch.node->list.empty()) node.branches.push_back(std::move(branch));
            }
        } else {
            node.kind = Node::others;
            expand_others(node);
        }
    }

    void expand_others(Node& node) {
        node.partners = none_of(node.list.size());
        std::map<int, Branch> branches;
        for (std::size_t i = 0; i < node.list.size(); ++i) {
            const u32 layout = node.list[i];
            const bool friendly = partner(node.seen, layout);
            if (friendly) put(node.partners, i);
            const Choice choice = solvers_[0]->choice(dealt(node.seen, layout));
            for (u64 left = choice.legal; left; left &= left - 1) {
                const int card = lowest_index(left);
                Branch& branch = branches[card];
                if (!branch.node) {
                    branch.card = card;
                    branch.open = none_of(node.list.size());
                    branch.node = std::make_unique<Node>(after(node.seen, card, layout));
                }
                if (!friendly || open(branch.node->seen, layout)) enter(branch, node, i);
            }
        }
        for (auto& [card, branch] : branches)
            if (!branch.node->list.empty()) node.branches.push_back(std::move(branch));
        // Cards with the most layouts first.
        std::stable_sort(node.branches.begin(), node.branches.end(),
                         [](const Branch& a, const Branch& b) {
                             return a.node->list.size() > b.node->list.size();
                         });
    }

    static void enter(Branch& branch, const Node& node, std::size_t place) {
        put(branch.open, place);
        branch.node->list.push_back(node.list[place]);
    }

    // ---- sets

    u64 weight(const Node& node, const Set& set) const {
        u64 sum = 0;
        if (uniform_) {
            for (u64 word : set) sum += static_cast<u64>(std::popcount(word));
            return sum * search_.layouts_.weights[0];
        }
        each(set, [&](std::size_t i) { sum += search_.layouts_.weights[node.list[i]]; });
        return sum;
    }

    // Converts a set of a node's positions to one of a branch's, and back.
    static Set narrow(const Branch& branch, const Set& set) {
        Set result = none_of(branch.node->list.size());
        std::size_t at = 0;
        each(branch.open, [&](std::size_t i) {
            if (has(set, i)) put(result, at);
            ++at;
        });
        return result;
    }

    static Set widen(const Branch& branch, const Set& set) {
        Set result(branch.open.size(), 0);
        std::size_t at = 0;
        each(branch.open, [&](std::size_t i) {
            if (has(set, at++)) put(result, i);
        });
        return result;
    }

    // ---- plans

    // The layouts won by a plan built card by card: at each choice, the player plays the card after
    // which such a plan wins the most.
    Set greedy(Node& node, const Set& wanted, int blind) {
        expand(node);
        if (node.kind == Node::over || !blind) return wanted;
        Set result(wanted.size(), 0);
        if (node.kind == Node::own) {
            u64 most = 0;
            const int rest = node.branches.size() > 1 ? blind - 1 : blind;
            for (const Branch& branch : node.branches) {
                const Set here = both(wanted, branch.open);
                if (weight(node, here) <= most) continue;
                Set won = widen(branch, greedy(*branch.node, narrow(branch, here), rest));
                const u64 sum = weight(node, won);
                if (sum <= most) continue;
                most = sum;
                result = std::move(won);
            }
            return result;
        }
        result = without(wanted, node.partners);
        for (const Branch& branch : node.branches) {
            // The layouts still won against opponents, and those not yet won by partners.
            Set here = both(wanted, branch.open);
            for (std::size_t i = 0; i < here.size(); ++i) here[i] &= result[i] ^ node.partners[i];
            if (empty(here)) continue;
            const Set won = widen(branch, greedy(*branch.node, narrow(branch, here), blind));
            for (std::size_t i = 0; i < here.size(); ++i)
                result[i] ^= here[i] & ~(won[i] ^ node.partners[i]);
        }
        return result;
    }

    // A lower bound on the weight that every plan loses: opponents play a single card in each
    // layout (the one that most layouts allow), and layouts with a partner to move are won.
    u64 relaxed(Node& node, const Set& wanted, int blind) {
        expand(node);
        if (node.kind == Node::over || !blind || empty(wanted)) return 0;
        if (node.kind == Node::own) {
            u64 least = weight(node, wanted);
            const int rest = node.branches.size() > 1 ? blind - 1 : blind;
            for (const Branch& branch : node.branches) {
                const u64 loss = weight(node, without(wanted, branch.open));
                if (loss < least)
                    least =
                        std::min(least, loss + relaxed(*branch.node, narrow(branch, wanted), rest));
            }
            return least;
        }
        u64 sum = 0;
        Set rest = without(wanted, node.partners);
        for (const Branch& branch : node.branches) {
            if (empty(rest)) break;
            const Set here = both(rest, branch.open);
            if (!empty(here)) sum += relaxed(*branch.node, narrow(branch, here), blind);
            rest = without(rest, branch.open);
        }
        return sum;
    }

    // The maximal sets of wanted layouts that can be won. Sets that lose more than the budget are
    // left out; losing layouts that are not `counted` costs nothing, since a partner may have a
    // better card.
    Front front(Node& node, const Set& wanted, const Set& counted, u64 budget, int blind) {
        expand(node);
        work(wanted.size());
        if (node.kind == Node::over || !blind) return {wanted};
        if (node.kind == Node::own) return own(node, wanted, counted, budget, blind);
        Front result;
        for (Combination& way : combinations(node, wanted, counted, budget, blind, false))
            result.push_back(std::move(way.won));
        return result;
    }

    Front own(Node& node, const Set& wanted, const Set& counted, u64 budget, int blind) {
        const int rest = node.branches.size() > 1 ? blind - 1 : blind;
        std::vector<std::pair<u64, const Branch*>> cards;
        for (const Branch& branch : node.branches) {
            const u64 loss = weight(node, without(counted, branch.open));
            if (loss <= budget) cards.emplace_back(loss, &branch);
        }
        std::stable_sort(cards.begin(), cards.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        Front result;
        for (const auto& [loss, branch] : cards) {
            const Set here = both(wanted, branch->open);
            if (std::any_of(result.begin(), result.end(),
                            [&](const Set& set) { return within(here, set); }))
                continue;
            for (const Set& set : front(*branch->node, narrow(*branch, wanted),
                                        narrow(*branch, counted), budget - loss, rest))
                add(result, widen(*branch, set), [](const Set& s) -> const Set& { return s; });
            if (result.size() == 1 && result[0] == wanted) break;
        }
        return result;
    }

    // A set that can be won and, if requested, its layouts after each card.
    struct Combination {
        Set won;
        std::vector<Set> parts;
    };

    std::vector<Combination> combinations(Node& node, const Set& wanted, const Set& counted,
                                          u64 budget, int blind, bool parts) {
        // The number of a partner's cards left to try, and the minimum loss by those of opponents,
        // counting each layout at its first card.
        std::vector<u8> options(node.list.size(), 0);
        std::vector<u64> losses;
        std::vector<Set> firsts;
        u64 later = 0;
        Set rest = without(counted, node.partners);
        for (const Branch& branch : node.branches) {
            each(both(branch.open, node.partners), [&](std::size_t i) { ++options[i]; });
            firsts.push_back(both(rest, branch.open));
            rest = without(rest, branch.open);
            losses.push_back(relaxed(*branch.node, narrow(branch, firsts.back()), blind));
            later += losses.back();
        }
        if (later > budget) return {};

        // Against opponents, a layout is won until a card loses it; with partners, none is won
        // until a card wins it.
        std::vector<Combination> so_far{{without(wanted, node.partners), {}}};
        // The layouts that count; those of partners only once no card is left to try.
        Set decided = without(counted, node.partners);
        Set to_come = decided;  // layouts whose first card is still to come
        for (std::size_t b = 0; b < node.branches.size(); ++b) {
            const Branch& branch = node.branches[b];
            later -= losses[b];
            to_come = without(to_come, firsts[b]);
            // Layouts lost in all combinations, or won in all with a partner, are not searched
            // again.
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
            const Front below = front(*branch.node, narrow(branch, here), narrow(branch, needed),
                                      budget - least - later, blind);
            const Set closed = without(decided, to_come);
            std::vector<Combination> next;
            for (const Set& below_set : below) {
                const Set won = widen(branch, below_set);
                for (const Combination& way : so_far) {
                    work(way.won.size());
                    Set sum = way.won;
                    for (std::size_t i = 0; i < sum.size(); ++i) {
                        const u64 friendly = node.partners[i];
                        sum[i] |= won[i] & friendly;
                        sum[i] &= ~(here[i] & ~won[i] & ~friendly);
                    }
                    if (weight(node, without(closed, sum)) + later > budget) continue;
                    Combination way_on{std::move(sum), {}};
                    if (parts) {
                        way_on.parts = way.parts;
                        way_on.parts.push_back(won);
                    }
                    add(next, std::move(way_on),
                        [](const Combination& c) -> const Set& { return c.won; });
                }
            }
            so_far = std::move(next);
            if (so_far.empty()) return {};
        }
        return so_far;
    }

    // Whether a plan wins all of these layouts after a card.
    bool wins(const Branch& branch, const Set& here) {
        return greedy(*branch.node, here, kNever) == here ||
               !front(*branch.node, here, here, 0, kNever).empty();
    }

    // Whether all the wanted layouts are won whatever the player plays.
    bool sure(Node& node, const Set& wanted) {
        expand(node);
        work(wanted.size());
        if (node.kind == Node::over || empty(wanted)) return true;
        if (node.kind == Node::own && node.branches.size() < choices(node.seen).size())
            return false;
        for (const Branch& branch : node.branches)
            if (node.kind == Node::own && !within(wanted, branch.open)) return false;
        return std::all_of(node.branches.begin(), node.branches.end(), [&](const Branch& branch) {
            return sure(*branch.node, narrow(branch, both(wanted, branch.open)));
        });
    }

    // Adds the steps, from a position on, of a plan that wins all the wanted layouts.
    bool follow(Node& node, const Set& wanted, int parent, const std::vector<int>& seen,
                std::size_t most, std::vector<PlanStep>& steps) {
        expand(node);
        if (node.kind == Node::over) return true;
        if (node.kind == Node::own) {
            if (sure(node, wanted)) return true;
            for (const Branch& branch : node.branches) {
                if (!within(wanted, branch.open)) continue;
                const Set here = narrow(branch, wanted);
                if (!wins(branch, here)) continue;
                if (steps.size() >= most) return false;
                const int number = static_cast<int>(steps.size());
                steps.push_back({parent, seen, branch.card, weight(node, wanted)});
                return follow(*branch.node, here, number, {}, most, steps);
            }
            assert(false);  // the layouts can be won
            return false;
        }
        const std::vector<Set> parts = layouts_after(node, wanted);
        bool whole = true;
        for (std::size_t b = 0; b < node.branches.size(); ++b) {
            if (empty(parts[b])) continue;
            const Branch& branch = node.branches[b];
            std::vector<int> more = seen;
            more.push_back(branch.card);
            whole &= follow(*branch.node, narrow(branch, parts[b]), parent, more, most, steps);
        }
        return whole;
    }

    // For each card of another player, the layouts that a plan winning all of them has to win after
    // it: a partner plays one card in each.
    std::vector<Set> layouts_after(Node& node, const Set& wanted) {
        std::vector<Set> parts;
        Set left = wanted;
        for (const Branch& branch : node.branches) {
            const Set here = both(left, branch.open);
            parts.push_back(widen(branch, greedy(*branch.node, narrow(branch, here), kNever)));
            if (!empty(without(without(here, parts.back()), node.partners)))
                return combinations(node, wanted, wanted, 0, kNever, true).at(0).parts;
            left = without(left, both(parts.back(), node.partners));
        }
        if (!empty(both(left, node.partners)))
            return combinations(node, wanted, wanted, 0, kNever, true).at(0).parts;
        return parts;
    }

    // ---- limits

    static constexpr u64 kOften = 256;

    // Counts the work on a card, in layouts or words of sets, which does not depend on the machine,
    // and checks the clock now and then.
    void work(u64 much) {
        done_ += much;
        if (limits_.nodes && done_ > limits_.nodes) throw Stopped{Stop::nodes};
        if ((unpolled_ += much) < kOften * kOften) return;
        unpolled_ = 0;
        if (stopping_ && *stopping_) throw Stopped{Stop::interrupt};
        if (limits_.interrupted && limits_.interrupted(limits_.context))
            throw Stopped{Stop::interrupt};
        if (limits_.seconds > 0 && seconds() > limits_.seconds) throw Stopped{Stop::time};
    }

    const PlanSearch& search_;
    const Limits limits_;
    const std::atomic<bool>* stopping_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::vector<std::unique_ptr<Solver>> solvers_;
    bool uniform_;
    u64 done_ = 0, unpolled_ = 0;
};

PlanSearch::PlanSearch(const Problem& p, std::vector<Aim> aims, WeighedLayouts layouts,
                       std::size_t memory, bool plain)
    : base_(p), aims_(std::move(aims)), layouts_(std::move(layouts)), memory_(memory),
      plain_(plain), player_(to_play(p)) {
    const std::size_t players = static_cast<std::size_t>(p.players);
    for (std::size_t i = 0; i < layouts_.hands.size(); ++i)
        if (i % players != static_cast<std::size_t>(player_)) unseen_ |= layouts_.hands[i];
}

const char* PlanSearch::fault(const Problem& p, const std::vector<Aim>& aims,
                              const WeighedLayouts& layouts) {
    if (const char* wrong = spadille::fault(p)) return wrong;
    if (!tricks_left(p)) return "the hand is over";
    if (aims.empty() || aims.size() > 255) return "expected 1 to 255 aims";
    for (const Aim& aim : aims)
        if (!aim.objective || !aim.objective->knows(p, aim.state))
            return "a state does not belong to the objective of its aim here";
    const std::size_t players = static_cast<std::size_t>(p.players), count = layouts.count();
    if (!count) return "there are no layouts";
    if (layouts.hands.size() != count * players || layouts.weights.size() != count)
        return "each layout needs a hand for each player, a weight and an aim";
    for (std::size_t i = 0; i < count; ++i) {
        if (layouts.aims[i] >= aims.size()) return "a layout has no aim";
        Problem layout = p;
        u64 held = 0;
        for (std::size_t k = 0; k < players; ++k)
            held |= layout.hands[k] = layouts.hands[i * players + k];
        layout.called &= held;
        if (const char* wrong = spadille::fault(layout)) return wrong;
        if (layout.hands[to_play(p)] != p.hands[to_play(p)])
            return "the player to move has another hand";
        if (tricks_left(layout) != tricks_left(p)) return "the number of tricks left differs";
    }
    return nullptr;
}

Stop PlanSearch::values(int blind, int threads, const Limits& limits,
                        std::vector<PlanValue>& cards) const {
    cards.clear();
    std::atomic<bool> stopping{false};
    Worker first(*this, limits, &stopping);
    const auto choices = first.cards();
    for (const auto& [card, equals] : choices) {
        PlanValue value;
        value.card = card;
        value.equals = equals;
        cards.push_back(value);
    }
    std::vector<std::unique_ptr<Node>> trees(cards.size());
    std::vector<std::size_t> order(cards.size());
    std::iota(order.begin(), order.end(), 0);
    const auto bound = [&](Worker& worker, std::size_t i) {
        trees[i] = worker.bound(blind ? blind - 1 : Worker::kNever, cards[i]);
    };
    const auto prove = [&](Worker& worker, std::size_t i) {
        if (trees[i]) worker.prove(blind ? blind - 1 : Worker::kNever, *trees[i], cards[i]);
        trees[i] = nullptr;
    };
    const Stop bounded = each_card(bound, order, first, threads, limits, stopping);
    if (bounded == Stop::time || bounded == Stop::interrupt) return bounded;
    // The cards most likely to be best come first.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cards[a].most > cards[b].most; });
    const Stop proved = each_card(prove, order, first, threads, limits, stopping);
    return proved == Stop::none ? bounded : proved;
}

template <class Work>
Stop PlanSearch::each_card(const Work& work, const std::vector<std::size_t>& order, Worker& first,
                           int threads, const Limits& limits, std::atomic<bool>& stopping) const {
    std::atomic<std::size_t> next{0};
    std::vector<Stop> stops(order.size(), Stop::none);
    const auto run = [&](Worker& worker) {
        for (std::size_t i = next++; i < order.size(); i = next++) {
            try {
                work(worker, order[i]);
            } catch (const Stopped& stopped) {
                stops[i] = stopped.why;
                if (stopped.why == Stop::interrupt) stopping = true;
            }
        }
    };
    // Only the first thread may ask whether it is interrupted; it informs the others.
    Limits unasked = limits;
    unasked.interrupted = nullptr;
    if (limits.seconds > 0) unasked.seconds = std::max(limits.seconds - first.seconds(), 1e-3);
    std::vector<std::future<void>> others;
    try {
        for (std::size_t i = 1; i < std::min(static_cast<std::size_t>(threads), order.size()); ++i)
            others.push_back(std::async(std::launch::async, [&] {
                Worker worker(*this, unasked, &stopping);
                run(worker);
            }));
    } catch (const std::system_error&) {}  // no more threads are available; fewer do the same work
    std::exception_ptr failed;
    try {
        run(first);
    } catch (...) {
        failed = std::current_exception();
        stopping = true;
    }
    for (std::future<void>& other : others) {
        while (other.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready)
            if (limits.interrupted && limits.interrupted(limits.context)) stopping = true;
        try {
            other.get();
        } catch (...) {
            failed = std::current_exception();
            stopping = true;
        }
    }
    if (failed) std::rethrow_exception(failed);
    for (Stop stop : stops)
        if (stop != Stop::none) return stop;
    return Stop::none;
}

Stop PlanSearch::plan(const PlanValue& value, std::size_t most, const Limits& limits,
                      std::vector<PlanStep>& steps, bool& whole) const {
    steps.clear();
    whole = true;
    if (value.layouts.empty()) {
        steps.push_back({-1, {}, value.card, 0});
        return Stop::none;
    }
    Worker worker(*this, limits, nullptr);
    try {
        whole = worker.plan(value, most, steps);
    } catch (const Stopped& stopped) { return stopped.why; }
    return Stop::none;
}

}  // namespace spadille
