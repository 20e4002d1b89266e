// The positions that plans are made of, each with the layouts in which it arises.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <memory>

#include "plan_nodes.hpp"
#include "plans.hpp"

namespace spadille::plans {

// Finds positions and keeps them in a tree, within limits. Each thread has its own object of this
// class, with a solver for each aim, since aims do not share proofs.
class Positions {
public:
    static constexpr int kNever = 1 << 30;  // the player never sees all hands

    Positions(const PlanDecision& decision, const Limits& limits, const std::atomic<bool>* stopping)
        : decision_(decision), limits_(limits), stopping_(stopping) {
        for (std::size_t i = 0; i < decision.aims.size(); ++i) {
            solvers_.push_back(
                Solver::make(decision.memory / decision.aims.size(), decision.plain));
            Limits unlimited = limits;
            unlimited.nodes = 0;
            solvers_.back()->limit(unlimited);
        }
        most_bytes_ /= cards().size();
    }

    // The cards the player to move may play; of equivalent cards, the lowest.
    std::vector<std::pair<int, u64>> cards() const { return choices(start()); }

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

protected:
    // Begins the work on another card.
    void begin(Tree& tree) {
        done_ = 0;
        turn_to(tree);
    }

    // Goes on with another tree of the same card.
    void turn_to(Tree& tree) {
        tree_ = &tree;
        weights_ = tree.weights.empty() ? &decision_.layouts.weights : &tree.weights;
        uniform_ = tree.weights.empty() &&
                   std::equal(weights_->begin() + 1, weights_->end(), weights_->begin());
    }

    Public start() const {
        Public seen;
        seen.p = decision_.position;
        for (const Aim& aim : decision_.aims) seen.states.push_back(aim.state);
        return seen;
    }

    Problem dealt(const Public& seen, u32 layout) const {
        Problem p = seen.p;
        const u64* hands = &decision_.layouts.hands[layout * static_cast<std::size_t>(p.players)];
        u64 held = 0;
        for (int i = 0; i < p.players; ++i) held |= p.hands[i] = hands[i] & ~seen.played[i];
        p.called &= held;
        return p;
    }

    Question question(std::size_t aim) const {
        return {*solvers_[aim], *decision_.aims[aim].objective};
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
        const u8 number = decision_.layouts.aims[layout];
        const Aim& aim = decision_.aims[number];
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
        // Cards of other players separate the player's cards.
        for (int i = 0; i < p.players; ++i)
            if (i != decision_.player) p.hands[i] = 0;
        p.hands[(decision_.player + 1) % p.players] = decision_.unseen & ~out;
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
        const u32 side = decision_.aims[decision_.layouts.aims[layout]].objective->sides.side;
        return !((side >> to_play(seen.p) ^ side >> decision_.player) & 1);
    }

    // Whether the player has no choice left, or the remaining play affects no aim.
    bool over(const Public& seen) const {
        const u64 hand =
            decision_.position.hands[decision_.player] & ~seen.played[decision_.player];
        if (!(hand & (hand - 1))) return true;
        const int left = tricks_left(seen.p);
        for (std::size_t i = 0; i < seen.states.size(); ++i) {
            const Aim& aim = decision_.aims[i];
            int low = 0, high = 0;
            aim.objective->span(left, seen.states[i], low, high);
            if (low < aim.need && high >= aim.need) return false;
        }
        return true;
    }

    // The cards not played yet: those that the player cannot see, and the player's own.
    u64 alive(const Public& seen) const {
        u64 out = 0;
        for (int i = 0; i < seen.p.players; ++i) out |= seen.played[i];
        return (decision_.unseen | decision_.position.hands[decision_.player]) & ~out;
    }

    // The node of a position and its layouts.
    Node* node(Public seen, List list, int blind) {
        // Some plan always wins a single layout, so all single layouts can share a node.
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

    // A key of everything that affects later play, with cards numbered by their order among those
    // still in play.
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
        key.add(compressed(decision_.position.hands[decision_.player]));
        key.add(compressed(p.matadors));
        key.add(compressed(p.called));
        key.add(static_cast<u64>(p.leader * 8 + p.on_table));
        key.add(static_cast<u64>(blind));
        key.add(list.size());
        for (int state : seen.states) key.add(static_cast<u64>(static_cast<std::int64_t>(state)));
        if (p.on_table) {
            // Of the current trick, only these matter: the suit led, the winning card and its
            // player, marked cards, and matadors, which may compel others.
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
            for (const Aim& aim : decision_.aims) {
                bool marked = false;
                for (int i = 0; i < p.on_table; ++i)
                    marked |= aim.objective->marked >> p.table[i] & 1;
                key.add(marked);
            }
        }
        const WeighedLayouts& layouts = decision_.layouts;
        const std::size_t players = static_cast<std::size_t>(p.players);
        for (u32 layout : list) {
            const u64* hands = &layouts.hands[layout * players];
            u64 word = 0;
            for (int i = 0; i < p.players; ++i) {
                if (i == decision_.player) continue;
                u64 hand = 0;
                for (u64 left = hands[i] & cards; left; left &= left - 1)
                    hand |= 1ull << place[lowest_index(left)];
                if (next * (players - 1) <= 64) word = word << next | hand;
                else key.add(hand);
            }
            if (!uniform_) key.add((*weights_)[layout]);
            if (decision_.aims.size() > 1) key.add(layouts.aims[layout]);
            key.add(word);
        }
        return key;
    }

    void expand(Node& node) {
        if (node.kind != Node::fresh) return;
        if (to_play(node.seen.p) == decision_.player) {
            node.kind = Node::own;
            for (const auto& [card, equals] : choices(node.seen))
                node.branches.push_back({card, equals, {}});
            if (node.blind != kNever)  // the number of cards with open layouts matters
                for (Branch& branch : node.branches) attempt(node, branch);
        } else {
            node.kind = Node::others;
            expand_others(node);
        }
    }

    // Finds the layouts in which the aim can still be reached after the player's own card.
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
        // Cards with the most layouts come first.
        std::stable_sort(node.branches.begin(), node.branches.end(),
                         [](const Branch& a, const Branch& b) {
                             return a.node->list.size() > b.node->list.size();
                         });
    }

    u64 weight(const Node& node, const Set& set) const {
        u64 sum = 0;
        if (uniform_) {
            for (u64 word : set) sum += static_cast<u64>(std::popcount(word));
            return sum * (*weights_)[0];
        }
        each(set, [&](std::size_t i) { sum += (*weights_)[node.list[i]]; });
        return sum;
    }

    // Converts a set of the node's layouts to a set of those after a branch, and back.
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

    static std::size_t bytes(const Set& set) { return set.size() * sizeof(u64); }

    // Adds to the memory used by the nodes of a card. The limit is the same on every machine, and
    // for any number of threads.
    void allocate(std::size_t bytes) {
        tree_->bytes += bytes;
        if (tree_->bytes > most_bytes_) throw Stopped{Stop::budget};
    }

    const Play* keep(std::unique_ptr<Play> play) {
        allocate(play->bytes());
        tree_->plays.push_back(std::move(play));
        return tree_->plays.back().get();
    }

    bool room_for(std::size_t bytes) const { return tree_->bytes + bytes <= most_bytes_; }

    // Counts the work on a card, and checks the clock now and then. Work is counted in layouts or
    // words of sets, so it does not depend on the machine.
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

    u64 done() const { return done_; }

    // Counts the work of comparing words of sets.
    void compared(u64 words) { work(1 + words / kWords); }

    const PlanDecision& decision_;
    bool whole_ = false;  // whether even single layouts are searched, to find a plan's cards

private:
    static constexpr u64 kOften = 256;
    static constexpr u64 kNode = 16;  // cost of a node, apart from its layouts, in layouts
    static constexpr u64 kWords = 128;  // words of sets that cost as much as a layout
    static constexpr std::size_t kMostBytes = std::size_t{2} << 30;  // for all cards together

    const Limits limits_;
    const std::atomic<bool>* stopping_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::vector<std::unique_ptr<Solver>> solvers_;
    Tree* tree_ = nullptr;
    const std::vector<u64>* weights_ = nullptr;
    bool uniform_ = false;
    std::size_t most_bytes_ = kMostBytes;
    u64 done_ = 0, unpolled_ = 0;
};

}  // namespace spadille::plans
