// A position as everybody sees it, and the results about plans that start there.
#pragma once

#include <memory>
#include <unordered_map>

#include "layout_sets.hpp"
#include "problem.hpp"

namespace spadille::plans {

// The public part of a position.
struct Public {
    Problem p;  // with the hands of any layout
    u64 played[kMaxPlayers] = {};
    std::vector<int> states;  // one for each aim
};

struct Node;

// How play goes on from a position, for each group of its layouts (see plan_layout_groups.hpp).
struct Play {
    static constexpr u32 kWon = ~0u, kLost = kWon - 1;  // used in place of a group

    // A way that play may take, and the group that its layouts then belong to.
    struct Step {
        u32 way, group;
    };

    bool own = false;  // whether the player has a choice; if so, each group has a step for each way
    bool partners = false;  // whether a partner has several cards in some group
    std::vector<const Play*> ways;  // the play after a card, or several cards of other players
    std::vector<u32> starts{0};  // the number of each group's first step, and the number of steps
    std::vector<Step> steps;
    std::vector<u8> free;  // for each group, whether a partner has several cards

    u32 count() const { return static_cast<u32>(starts.size() - 1); }
    std::size_t bytes() const {
        return sizeof(Play) + ways.size() * sizeof(Play*) + steps.size() * sizeof(Step) +
               starts.size() * (sizeof(u32) + 1);
    }
};

// A card, and the layouts in which play continues after it. For an opponent's card, these are the
// layouts in which it is legal. For a card of a partner or of the player, they are those in which
// the aim can still be reached with all hands seen.
struct Branch {
    int card = 0;
    u64 equals = 0;  // for the player's own card: the equivalent cards
    Set open;
    Node* node = nullptr;  // null until the player's own card is tried, or if no layout is open
    bool tried = false;
};

// A position as everybody sees it, with the layouts in which it arises and in which the aim can be
// reached with all hands seen. Each set of a node is a set of indexes into its list of layouts.
//
// Courses of play share a node if they leave the same layouts, in the same order, and equivalent
// cards; only ranks that nobody holds any more may differ. The node has the cards of one of these
// courses.
struct Node {
    enum Kind { fresh, over, own, others };

    // Results for sets of the node's layouts.
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
            most;  // bounds on the weight that the best plan loses; winning `won` loses `most`
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
    const Play* play = nullptr;  // null until it is needed
    std::vector<u32> groups;  // of the layouts, or kWon: won regardless of how everybody plays

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
    std::vector<std::unique_ptr<Play>> plays;
    std::unique_ptr<Node> single;  // any node of one layout
    Node* root = nullptr;
    std::vector<u64> weights;  // of the layouts if they stand for others, too; otherwise empty
    std::size_t bytes = 0;
};

}  // namespace spadille::plans
