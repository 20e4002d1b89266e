#include "plans.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <numeric>
#include <system_error>
#include <unordered_map>

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

bool single(const Set& set) {
    u64 seen = 0;
    for (u64 word : set) {
        if (seen ? word : word & (word - 1)) return false;
        seen |= word;
    }
    return true;
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

// Adds an item unless another one covers it, and drops items that it covers.
template <class Item, class Covers>
void add(std::vector<Item>& items, Item item, Covers covers) {
    for (const Item& other : items)
        if (covers(other, item)) return;
    items.erase(std::remove_if(items.begin(), items.end(),
                               [&](const Item& other) { return covers(item, other); }),
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
    Node* node = nullptr;  // null until the player's own card is tried, or if no layout is open
    bool tried = false;
};

// A position as everybody sees it, with the layouts in which it arises and the aim can be reached
// with all hands seen. Sets are sets of positions in this list.
//
// Courses of play that leave the same cards, up to ranks that nobody holds any more, in the same
// order of layouts share a node; its cards are those of one of them.
struct Node {
    enum Kind { fresh, over, own, others };

    // Results for sets of its layouts.
    struct Greedy {
        Set wanted, won;
    };
    struct Relaxed {
        Set wanted;
        u64 loss;
    };
    struct Least {
        Set wanted, won;
        u64 least,
            most;  // bounds of the weight that the best plan loses; `won` loses the upper one
    };
    struct Fronts {
        Set wanted, counted, named;
        u64 budget;
        Front front;
    };

    Public seen;
    List list;
    int blind = 0;  // the player's choices before they see all hands
    Kind kind = fresh;
    std::vector<Branch> branches;
    Set partners;  // where the player to move is a partner
    std::vector<Set> won;  // sets that a plan wins
    std::vector<Greedy> greedy;
    std::vector<Relaxed> relaxed;
    std::vector<Least> least;
    std::vector<Fronts> fronts;
    Set shared;  // where the player to move may play several of the cards
    Set free;  // where that player is a partner

    Node(Public s, List l, int b) : seen(std::move(s)), list(std::move(l)), blind(b) {}
};

// The identity of a node. Two of them are equal by chance with a probability below 2^-70.
struct Key {
    u64 low = 0x9E3779B97F4A7C15ull, high = 0xC2B2AE3D27D4EB4Full;

    void add(u64 word) {
        low = (low ^ word) * 0xD6E8FEB86659FD93ull;
        low ^= low >> 32;
        high = (high + word) * 0xA0761D6478BD642Full;
        high ^= high >> 29;
    }
    bool operator==(const Key&) const = default;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.low); }
};

// The nodes of one card.
struct Tree {
    std::unordered_map<Key, std::unique_ptr<Node>, KeyHash> nodes;
    std::unique_ptr<Node> single;  // any node of one layout
    Node* root = nullptr;
    std::size_t bytes = 0;
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
        most_bytes_ /= cards().size();
        uniform_ = std::equal(weights.begin() + 1, weights.end(), weights.begin());
    }

    // The cards the player to move may play; of equivalent cards, the lowest.
    std::vector<std::pair<int, u64>> cards() const { return choices(start()); }

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

    // Fills in bounds on the value of a card, and returns its tree if they differ.
    std::unique_ptr<Tree> bound(int blind, PlanValue& value) {
        done_ = 0;
        auto tree = std::make_unique<Tree>();
        tree_ = tree.get();
        Public first = after(start(), value.card, 0);
        List list;
        for (u32 i = 0; i < search_.layouts_.count(); ++i)
            if (open(first, i)) list.push_back(i);
        for (u32 i : list) value.open += search_.layouts_.weights[i];
        value.most = value.open;
        value.known = true;
        if (list.empty()) return nullptr;
        Node& root = *(tree->root = node(std::move(first), std::move(list), blind));
        const Set all = all_of(root.list.size());
        improve(value, root, greedy(root, all));
        value.most = value.open - relaxed(root, all);
        return value.least < value.most ? std::move(tree) : nullptr;
    }

    // Proves the value of a card.
    void prove(Tree& tree, PlanValue& value) {
        done_ = 0;
        tree_ = &tree;
        Node& root = *tree.root;
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

    // Fills in the steps of a plan that wins these layouts; false if there are more than `most`.
    bool plan(const PlanValue& value, std::size_t most, std::vector<PlanStep>& steps) {
        Tree tree;
        tree_ = &tree;
        whole_ = true;
        const Public first = after(start(), value.card, value.layouts[0]);
        Node& root = *node(first, value.layouts, kNever);
        const Set all = all_of(root.list.size());
        steps.push_back({-1, {}, value.card, weight(root, all)});
        return follow(root, all, alive(first), 0, {}, most, steps);
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

    // The cards in no player's sight but their holder's, and the player's own.
    u64 alive(const Public& seen) const {
        u64 out = 0;
        for (int i = 0; i < seen.p.players; ++i) out |= seen.played[i];
        return (search_.unseen_ | search_.base_.hands[search_.player_]) & ~out;
    }

    // The node of a position and its layouts.
    Node* node(Public seen, List list, int blind) {
        // Which layout it is does not matter: a plan wins it.
        if (list.size() == 1 && !whole_ && tree_->single) return tree_->single.get();
        auto& place =
            list.size() == 1 && !whole_ ? tree_->single : tree_->nodes[key(seen, list, blind)];
        if (!place) {
            work(kNode + list.size());
            allocate(sizeof(Node) + list.size() * sizeof(u32));
            place = std::make_unique<Node>(std::move(seen), std::move(list), blind);
            Node& made = *place;
            if (!blind || over(made.seen) || (made.list.size() == 1 && !whole_))
                made.kind = Node::over;
        }
        return place.get();
    }

    // Everything that later play depends on, with cards numbered by their order among those alive.
    Key key(const Public& seen, const List& list, int blind) const {
        const Problem& p = seen.p;
        const u64 cards = alive(seen);
        u8 place[64] = {};
        u8 next = 0;
        for (u64 left = cards; left; left &= left - 1) place[lowest_index(left)] = next++;
        const auto compressed = [&](u64 set) {
            u64 result = 0;
            for (set &= cards; set; set &= set - 1) result |= 1ull << place[lowest_index(set)];
            return result;
        };
        Key key;
        for (int suit = 0; suit < 4; ++suit)
            key.add(static_cast<u64>(std::popcount(cards & lane(suit))));
        key.add(compressed(search_.base_.hands[search_.player_]));
        key.add(compressed(p.matadors));
        key.add(compressed(p.called));
        key.add(static_cast<u64>(p.leader * 8 + p.on_table));
        key.add(static_cast<u64>(blind));
        key.add(list.size());
        for (int state : seen.states) key.add(static_cast<u64>(static_cast<std::int64_t>(state)));
        if (p.on_table) {
            // Of the trick, the suit led, the winning card and its player, and marks matter; and
            // matadors, which may compel others.
            int best = 0;
            for (int i = 1; i < p.on_table; ++i) {
                const int suit = suit_of(p.table[i]), leading = suit_of(p.table[best]);
                if (suit == leading ? p.table[i] > p.table[best] : suit == p.trump) best = i;
            }
            const u64 first = bit(p.table[0]), winning = bit(p.table[best]);
            key.add(static_cast<u64>(suit_of(p.table[0])));
            key.add(static_cast<u64>(best * 4 + suit_of(p.table[best])));
            key.add(static_cast<u64>(std::popcount(cards & (winning - 1))));
            key.add(first & p.matadors);
            key.add(winning & p.matadors);
            for (const Aim& aim : search_.aims_) {
                bool marked = false;
                for (int i = 0; i < p.on_table; ++i)
                    marked |= aim.objective->marked >> p.table[i] & 1;
                key.add(marked);
            }
        }
        const WeighedLayouts& layouts = search_.layouts_;
        const std::size_t players = static_cast<std::size_t>(p.players);
        for (u32 layout : list) {
            const u64* hands = &layouts.hands[layout * players];
            u64 word = 0;
            for (int i = 0; i < p.players; ++i) {
                if (i == search_.player_) continue;
                u64 hand = 0;
                for (u64 left = hands[i] & cards; left; left &= left - 1)
                    hand |= 1ull << place[lowest_index(left)];
                if (next * (players - 1) <= 64) word = word << next | hand;
                else key.add(hand);
            }
            if (!uniform_) key.add(layouts.weights[layout]);
            if (search_.aims_.size() > 1) key.add(layouts.aims[layout]);
            key.add(word);
        }
        return key;
    }

    void expand(Node& node) {
        if (node.kind != Node::fresh) return;
        if (to_play(node.seen.p) == search_.player_) {
            node.kind = Node::own;
            for (const auto& [card, equals] : choices(node.seen))
                node.branches.push_back({card, equals, {}});
            if (node.blind != kNever)  // the number of open cards matters
                for (Branch& branch : node.branches) attempt(node, branch);
        } else {
            node.kind = Node::others;
            expand_others(node);
        }
    }

    // Finds the layouts that stay open after the player's own card.
    void attempt(Node& node, Branch& branch) {
        if (branch.tried) return;
        branch.tried = true;
        branch.open = none_of(node.list.size());
        allocate(sizeof(Branch) + bytes(branch.open));
        const bool only = node.branches.size() == 1;
        if (!only) work(node.list.size());
        Public next = after(node.seen, branch.card, node.list[0]);
        List list;
        for (std::size_t i = 0; i < node.list.size(); ++i) {
            if (!only && !open(next, node.list[i])) continue;
            put(branch.open, i);
            list.push_back(node.list[i]);
        }
        if (list.empty()) return;
        int rest = node.blind;
        if (rest != kNever) {
            const Public& seen = node.seen;
            rest -=
                (std::count_if(node.branches.begin(), node.branches.end(), [&](const Branch& b) {
                     if (&b == &branch) return true;
                     const Public other = after(seen, b.card, node.list[0]);
                     return std::any_of(node.list.begin(), node.list.end(),
                                        [&](u32 layout) { return open(other, layout); });
                 }) > 1);
        }
        branch.node = this->node(std::move(next), std::move(list), rest);
    }

    void expand_others(Node& node) {
        const std::size_t count = node.list.size();
        work(count);
        node.partners = none_of(count);
        allocate(3 * bytes(node.partners));
        std::vector<u64> legal(count);
        u64 any = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (partner(node.seen, node.list[i])) put(node.partners, i);
            any |= legal[i] = solvers_[0]->choice(dealt(node.seen, node.list[i])).legal;
        }
        for (u64 left = any; left; left &= left - 1) {
            Branch branch{lowest_index(left), 0, none_of(count)};
            Public next;
            List list;
            for (std::size_t i = 0; i < count; ++i) {
                if (!(legal[i] & lowest(left))) continue;
                if (list.empty()) next = after(node.seen, branch.card, node.list[i]);
                if (has(node.partners, i) && !open(next, node.list[i])) continue;
                put(branch.open, i);
                list.push_back(node.list[i]);
            }
            if (list.empty()) continue;
            allocate(sizeof(Branch) + bytes(branch.open));
            branch.node = this->node(std::move(next), std::move(list), node.blind);
            branch.tried = true;
            node.branches.push_back(std::move(branch));
        }
        Set one = none_of(count);
        node.shared = one;
        for (const Branch& branch : node.branches)
            for (std::size_t i = 0; i < one.size(); ++i) {
                node.shared[i] |= one[i] & branch.open[i];
                one[i] |= branch.open[i];
            }
        node.free = both(node.partners, node.shared);
        // Cards with the most layouts first.
        std::stable_sort(node.branches.begin(), node.branches.end(),
                         [](const Branch& a, const Branch& b) {
                             return a.node->list.size() > b.node->list.size();
                         });
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
                // The layouts still won against opponents, and those not yet won by partners.
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

    // A lower bound on the weight that every plan loses: opponents play a single card in each
    // layout (see `parts`), and layouts in which a partner has a choice are won.
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

    // Some of a branch's layouts, as a set of its node, and a bound on the weight lost.
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

    // Distributes the layouts of opponents among the cards they allow, so that plans lose many.
    // Layouts without such a card are left out.
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

    // The card that most layouts allow gets them all, then the next card the rest; or the reverse.
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

    // Each time, the card after which the greedy plan loses most gets all layouts that are left.
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

    // Whether a plan loses at most `limit` of the wanted layouts' weight; then `best` is the set
    // won by a plan that loses least.
    bool least(Node& node, const Set& wanted, u64 limit, Set& best) {
        if (settled(node, wanted) || single(wanted)) {
            best = wanted;
            return true;
        }
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

    // Finds the least loss if it is at most the limit, or that it is higher.
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

    // The best sets of wanted layouts that can be won: for any other, one of them has all its named
    // layouts, and at least the weight of its others. Sets that lose more than the budget are left
    // out; losing layouts that are not `counted` costs nothing, since a partner may have a better
    // card.
    Front front(Node& node, const Set& wanted, const Set& counted, const Set& named, u64 budget) {
        if (settled(node, wanted) || single(wanted)) return {wanted};
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

        // Whether it is at least as good as another one, if only the named layouts matter one by
        // one. Adds the words it compares to `words`.
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
                work(1 + words / kWords);
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
        // The number of a partner's cards left to try, and the minimum loss by those of opponents,
        // counting each layout at its first card. The cards that lose most come first.
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
        // The layouts that count; those of partners only once no card is left to try.
        Set decided = without(counted, node.partners);
        Set to_come = decided;  // layouts whose first card is still to come
        for (std::size_t at = 0; at < order.size(); ++at) {
            const Branch& branch = *order[at];
            later -= losses[at];
            to_come = without(to_come, firsts[at]);
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
            Set single = named;
            for (std::size_t i = 0; i < single.size(); ++i) single[i] |= node.shared[i];
            const Front below = front(*branch.node, narrow(branch, here), narrow(branch, needed),
                                      narrow(branch, single), budget - least - later);
            const Set closed = without(decided, to_come);
            std::vector<Combination> next;
            for (const Set& below_set : below) {
                const Set won = widen(branch, below_set);
                for (const Combination& way : so_far) {
                    u64 words = 4 * way.won.size();
                    Set sum = way.won;
                    for (std::size_t i = 0; i < sum.size(); ++i) {
                        const u64 friendly = node.partners[i];
                        sum[i] |= won[i] & friendly;
                        sum[i] &= ~(here[i] & ~won[i] & ~friendly);
                    }
                    if (weight(node, without(closed, sum)) + later > budget) {
                        work(1 + words / kWords);
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
                    work(1 + words / kWords);
                }
            }
            so_far = std::move(next);
            if (so_far.empty()) return {};
        }
        return so_far;
    }

    // Whether a plan wins all of these layouts after a card.
    bool wins(const Branch& branch, const Set& here) {
        Set won;
        return greedy(*branch.node, here) == here || least(*branch.node, here, 0, won);
    }

    // Whether all the wanted layouts are won whatever the player plays.
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

    // The card of a course of play in which `cards` are alive that a node's card stands for.
    int named(const Node& node, int card, u64 cards) const {
        const u64 below = alive(node.seen) & (bit(card) - 1);
        for (int left = std::popcount(below); left; --left) cards &= cards - 1;
        return lowest_index(cards);
    }

    // Adds the steps, from a position on, of a plan that wins all the wanted layouts. `cards` are
    // those alive.
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

    // For each card of another player, the layouts that a plan winning all of them has to win after
    // it: a partner plays one card in each.
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

    // ---- limits

    static constexpr u64 kOften = 256;
    static constexpr u64 kNode = 16;  // layouts that take as long as a node without any
    static constexpr u64 kWords = 128;  // words of sets that take as long as a layout
    static constexpr std::size_t kNoted = 16;  // sets of a node
    static constexpr std::size_t kMostBytes = std::size_t{2} << 30;  // of all cards

    static std::size_t bytes(const Set& set) { return set.size() * sizeof(u64); }

    // Counts what the nodes of a card store. The limit is the same on every machine, and for any
    // number of threads.
    void allocate(std::size_t bytes) {
        tree_->bytes += bytes;
        if (tree_->bytes > most_bytes_) throw Stopped{Stop::budget};
    }

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
    Tree* tree_ = nullptr;
    std::size_t most_bytes_ = kMostBytes;
    bool whole_ = false;  // whether a node of a single layout is searched to the end, for its cards
    bool cut_ = false;  // whether a plan is larger than its limit
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
    std::vector<std::unique_ptr<Tree>> trees(cards.size());
    std::vector<std::size_t> order(cards.size());
    std::iota(order.begin(), order.end(), 0);
    const auto bound = [&](Worker& worker, std::size_t i) {
        trees[i] = worker.bound(blind ? blind - 1 : Worker::kNever, cards[i]);
    };
    const auto prove = [&](Worker& worker, std::size_t i) {
        if (trees[i]) worker.prove(*trees[i], cards[i]);
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
