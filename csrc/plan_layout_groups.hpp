// The courses of play that a plan may meet, with layouts in groups.
//
// If play goes on alike in two layouts, every plan wins both or neither: after the same cards, the
// same players have the same cards to choose from, and the same choices win. Such layouts form a
// group. The groups of a position depend only on the position, not on how it arose. Later positions
// have fewer groups.
//
// Cards of several other players in a row count as one choice, unless a partner has a choice among
// them. The player's cards that are covered by another card are left out.
#pragma once

#include <unordered_map>
#include <utility>

#include "plan_bounds.hpp"

namespace spadille::plans {

// Courses of play, each before those that continue it. Figures for groups and steps are kept in
// lists shared by all courses.
struct Courses {
    struct Course {
        const Play* play;
        u32 groups = 0, steps = 0;  // the numbers of its first group and its first step
        u32 child = 0;  // the course after the first way; those after the other ways follow it
        bool dropped = false;  // whether no better plan plays the player's card that leads to it
        float regret = 0, odds = 0, sum = 0;  // for the player's card that leads to it
    };

    std::vector<Course> courses;
    u32 groups = 0, steps = 0;
    bool partners = false;  // whether a partner has several cards somewhere

    // Calls `visit` with each course that continues this one, and with the number of the way to it.
    template <class Visit>
    void each_child(const Course& course, Visit visit) {
        const u32 ways = static_cast<u32>(course.play->ways.size());
        for (u32 way = 0; way < ways; ++way)
            if (Course& child = courses[course.child + way]; !child.dropped) visit(child, way);
    }

    u32 number(const Course& course) const { return static_cast<u32>(&course - courses.data()); }
};

class LayingOut : public Bounds {
public:
    using Bounds::Bounds;

protected:
    static constexpr u64 kForever = ~0ull;

    // Does some of the work on a card, and pauses once this takes more than `much`.
    template <class Work>
    void pause_after(u64 much, Work part) {
        pause_ = much == kForever ? much : done() + much;
        try {
            part();
        } catch (Paused) {}
    }

    // Throws if the work on a card should pause. Called only while all nodes are complete.
    void may_pause() const {
        if (done() > pause_) throw Paused{};
    }

    // Finds the courses that continue this one, or returns false if there are too many. `fits`
    // returns whether there is room for the courses so far.
    template <class Fits>
    bool continue_course(Courses& all, u32 number, Fits fits) {
        const Play& play = *all.courses[number].play;
        const u32 first = static_cast<u32>(all.courses.size());
        all.courses[number].child = first;
        all.partners |= play.partners;
        for (const Play* next : play.ways) {
            all.courses.push_back({next, all.groups, all.steps});
            all.groups += next->count();
            if (!next->own) all.steps += static_cast<u32>(next->steps.size());
        }
        work(1 + (all.groups - all.courses[first].groups) / kGroupsPerLayout);
        if (!fits()) return false;
        for (u32 way = 0; way < play.ways.size(); ++way)
            if (!all.courses[first + way].play->ways.empty() &&
                !continue_course(all, first + way, fits))
                return false;
        return true;
    }

    // A tree in which each group of another tree's root is represented by one layout with the
    // group's weight.
    std::unique_ptr<Tree> merged(const Tree& tree) {
        const Node& root = *tree.root;
        auto result = std::make_unique<Tree>();
        result->bytes = tree.bytes;
        result->weights.resize(decision_.layouts.count());
        turn_to(*result);
        allocate(result->weights.size() * sizeof(u64));
        List list;
        for (std::size_t i = 0; i < root.list.size(); ++i) {
            if (root.groups[i] == Play::kWon) continue;
            if (root.groups[i] == list.size()) list.push_back(root.list[i]);
            result->weights[list[root.groups[i]]] += decision_.layouts.weights[root.list[i]];
        }
        if (list.empty()) return nullptr;
        result->root = node(root.seen, std::move(list), root.blind);
        return result;
    }

    // Finds how play goes on from a node, and the group of each of its layouts.
    void find_groups(Node& node) {
        static const Play settled;
        if (node.play) return;
        may_pause();
        const std::size_t count = node.list.size();
        std::vector<Next> nexts;
        if (!always_wins(node)) {
            expand(node);
            nexts = node.kind == Node::own ? after_own(node) : after_others(node);
        }
        allocate(count * sizeof(u32));
        if (nexts.empty()) {
            node.groups.assign(count, Play::kWon);
            node.play = &settled;
            return;
        }
        work(1 + nexts.size() * count / kGroupsPerLayout);
        if (nexts.size() == 1 && std::none_of(nexts[0].after.begin(), nexts[0].after.end(),
                                              [](u32 group) { return group == Play::kLost; })) {
            node.groups = std::move(nexts[0].after);
            node.play = nexts[0].play;
            return;
        }
        auto play = std::make_unique<Play>();
        play->own = node.kind == Node::own;
        const std::vector<u32> samples = group_layouts(node, *play, nexts);
        if (samples.empty()) {
            node.play = &settled;
            return;
        }
        add_steps(*play, nexts, samples);
        node.play = keep(std::move(play));
    }

    static constexpr u64 kGroupsPerLayout = 64;  // groups that take as long as a layout

private:
    struct Paused {};

    // A card, and the group of each layout after it. For the player's card, kLost if it loses; for
    // the card of another player, kLost if it is not played.
    struct Next {
        const Play* play;
        std::vector<u32> after;
    };

    static bool always_wins(const Node& node) { return settled(node, all_of(node.list.size())); }

    Next next(const Node& node, const Branch& branch) {
        find_groups(*branch.node);
        Next result{branch.node->play, std::vector<u32>(node.list.size(), Play::kLost)};
        std::size_t place = 0;
        each(branch.open, [&](std::size_t i) { result.after[i] = branch.node->groups[place++]; });
        return result;
    }

    std::vector<Next> after_own(Node& node) {
        for (Branch& branch : node.branches) attempt(node, branch);
        std::vector<Next> all;
        for (const Branch& branch : node.branches)
            if (branch.node && !dominated(node, branch)) all.push_back(next(node, branch));
        const auto covers = [](const Next& a, const Next& b) {
            for (std::size_t i = 0; i < a.after.size(); ++i)
                if (a.after[i] != Play::kWon && b.after[i] != Play::kLost) return false;
            return true;
        };
        std::vector<Next> result;
        for (Next& one : all) add(result, std::move(one), covers);
        return result;
    }

    // Whether another of the player's cards surely wins all the layouts that this card can win.
    static bool dominated(const Node& node, const Branch& branch) {
        return std::any_of(node.branches.begin(), node.branches.end(), [&](const Branch& other) {
            if (&other == &branch || !other.node || !within(branch.open, other.open)) return false;
            if (!always_wins(*other.node)) return false;
            return &other < &branch || !always_wins(*branch.node) ||
                   !within(other.open, branch.open);
        });
    }

    std::vector<Next> after_others(Node& node) {
        std::vector<Next> result;
        for (const Branch& branch : node.branches) result.push_back(next(node, branch));
        return result;
    }

    // Sets the groups of a node's layouts; returns one layout of each group.
    std::vector<u32> group_layouts(Node& node, Play& play, const std::vector<Next>& nexts) {
        std::unordered_map<Key, u32, KeyHash> numbers;
        std::vector<u32> samples;
        node.groups.resize(node.list.size());
        for (u32 i = 0; i < node.list.size(); ++i) {
            Key key;
            u32 open = 0, won = 0;
            for (const Next& next : nexts) {
                const u32 group = next.after[i];
                key.add(!play.own && group == Play::kWon ? Play::kLost : group);
                open += group != Play::kLost;
                won += group == Play::kWon;
            }
            // A partner needs only one card that surely wins.
            const bool partner = !play.own && has(node.partners, i);
            if (partner ? won : play.own ? won == nexts.size() : won == open) {
                node.groups[i] = Play::kWon;
                continue;
            }
            const bool free = partner && open > 1;
            key.add(free);
            const auto [place, made] = numbers.try_emplace(key, static_cast<u32>(samples.size()));
            node.groups[i] = place->second;
            if (!made) continue;
            samples.push_back(i);
            play.free.push_back(free);
            play.partners |= free;
        }
        return samples;
    }

    // Whether the other players' cards that follow a way are counted as part of that way.
    static bool joins(const Play& play, const Play& next) {
        return !play.own && !play.partners && !next.own && !next.partners && !next.ways.empty();
    }

    static void add_steps(Play& play, const std::vector<Next>& nexts,
                          const std::vector<u32>& samples) {
        std::vector<u32> first;  // the way, or the first of the ways, after each card
        for (const Next& next : nexts) {
            first.push_back(static_cast<u32>(play.ways.size()));
            if (!play.own && next.play->ways.empty()) continue;  // no step leads there
            if (joins(play, *next.play))
                play.ways.insert(play.ways.end(), next.play->ways.begin(), next.play->ways.end());
            else play.ways.push_back(next.play);
        }
        for (u32 sample : samples) {
            for (std::size_t n = 0; n < nexts.size(); ++n) {
                const Play& next = *nexts[n].play;
                const u32 group = nexts[n].after[sample];
                if (play.own || group < Play::kLost) {
                    if (!joins(play, next)) {
                        play.steps.push_back({first[n], group});
                        continue;
                    }
                    for (u32 s = next.starts[group]; s < next.starts[group + 1]; ++s)
                        play.steps.push_back({first[n] + next.steps[s].way, next.steps[s].group});
                }
            }
            play.starts.push_back(static_cast<u32>(play.steps.size()));
        }
    }

    u64 pause_ = kForever;
};

}  // namespace spadille::plans
