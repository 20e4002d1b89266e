// Bounds from mixed strategies, and a search for the best plan that uses them.
//
// The opponents choose between their cards at random, with separate odds in each layout. On
// average, a plan loses at most as much weight against them as against best play, so the best
// response to any odds bounds all plans. Good odds are found by regret matching (Zinkevich et al.
// 2007; Tammelin 2014; Farina et al. 2021), in which the player mixes cards as well. The cards that
// the player prefers are a plan, whose value is the other bound.
//
// A layout in which a partner may play several cards is lost only if all of them lose. This is not
// linear in the player's odds. It is replaced by a bound: the loss is at least the sum of the
// losses after each of the k cards, less k - 1. It is also at least any part of this, because it is
// not negative. The opponents choose the part in each layout; if it is zero, the layout counts as
// won.
//
// If the bounds do not meet, plans that use one of the player's cards and plans that do not are
// bounded separately. Cards that no better plan can use are dropped on the way.
//
// The odds are floating-point numbers and need no precision, because the bounds for given odds are
// computed with whole numbers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "plan_bounds.hpp"

namespace spadille::plans {

class Mixing : public Bounds {
public:
    using Bounds::Bounds;

protected:
    // Narrows the bounds on the value of a card until they meet, or until that takes too long.
    void mix(Tree& tree, PlanValue& value) {
        Courses all;
        bool few = false;
        try {
            pause_after(kLayingOut);
            few = lay_out(all, *tree.root);
            if (few) {
                allocate(all.bytes());
                pause_after(kMixing);
                solve(all, *tree.root, value, value.most);
            }
        } catch (Paused) {}
        if (few) tree.bytes -= all.bytes();
    }

    // Allows this much more work on a card before it pauses.
    void pause_after(u64 much) { pause_ = much == kForever ? much : done() + much; }

    // Throws if the work on a card should pause. It is called only while all nodes are complete.
    void may_pause() const {
        if (done() > pause_) throw Paused{};
    }

    struct Paused {};
    static constexpr u64 kForever = ~0ull;

private:
    using i64 = std::int64_t;

    static constexpr int kRoundsPerBound = 10, kPatience = 30, kRemembered = 50;
    static constexpr u64 kLayingOut = 3'000'000, kMixing = 100'000'000;
    static constexpr std::size_t kEntries = 8'000'000;
    static constexpr u64 kEntriesPerLayout = 64;  // that take as long as a layout

    static constexpr u32 kNone = ~0u;
    static constexpr u8 kPartner = 1, kFree = 2, kSafe = 4;
    static constexpr std::size_t kEntryBytes = sizeof(u32) + 1 + 5 * sizeof(float) + sizeof(i64);

    // A course of play. It has an entry for each layout in which it can arise and which may be
    // lost.
    struct Course {
        u32 first, count;  // its entries
        bool own = false;  // whether the player has a choice
        bool free = false;  // whether a partner has a choice in some layout
        u32 next = 0;  // the course after another card in the same position, or 0
        u32 child = 0;  // a course that continues it, or 0 if it always wins
        float regret = 0, odds = 0, sum = 0;  // of the player's card that leads to it
    };

    // All courses, each before those that continue it, and their entries.
    struct Courses {
        std::vector<Course> courses;
        std::vector<u32> up;  // the entry of the course before
        std::vector<u8> flags;  // whether a partner plays, has several cards, and has one that wins
        // For entries in which a partner has several cards: the part of the losses that counts, the
        // loss if all of it counts, the regrets of counting it and of not counting it, and the sums
        // of the weight over the rounds, with and without this part.
        struct Part {
            float odds = 1, loss = 0, counting = 0, not_counting = 0, sum = 0, all = 0;
        };
        std::vector<Part> free;
        // For each entry of a course: the odds with which the opponents choose it, and their regret
        // for not choosing it more often; its share of the weight, and the sum of these shares; and
        // how often the player loses.
        std::vector<float> odds, regret, reach, sum, loss;
        std::vector<i64> parts;  // units of weight
        std::vector<u32> live;  // the courses that may still come up
        std::size_t live_entries = 0;
        std::vector<i64> after;  // what the player loses after a card, in units
        std::vector<std::pair<u32*, u32>> changes;  // links to courses before they changed
        int rounds = 0;  // of play
        bool partners = false;  // whether a partner has several cards somewhere
        int shift = 0;  // units of a weight, as a power of two

        std::size_t bytes() const {
            return up.size() * (kEntryBytes + (partners ? sizeof(Part) : 0)) +
                   courses.size() * (sizeof(Course) + sizeof(i64));
        }
    };

    // Calls `visit` with each course that directly continues `course`.
    template <class Visit>
    static void each_child(std::vector<Course>& courses, const Course& course, Visit visit) {
        for (u32 child = course.child; child; child = courses[child].next) visit(courses[child]);
    }

    // Finds the courses, or returns false if there are too many.
    bool lay_out(Courses& all, Node& root) {
        const std::size_t count = root.list.size();
        std::vector<u32> entries(count);
        u64 sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            all.up.push_back(entries[i] = static_cast<u32>(i));
            sum += decision_.layouts.weights[root.list[i]];
        }
        all.flags.resize(count);
        if (!continue_course(all, root, 0, entries)) return false;
        const std::size_t size = all.up.size();
        for (std::vector<float>* floats : {&all.odds, &all.regret, &all.reach, &all.sum, &all.loss})
            floats->resize(size);
        all.parts.resize(size);
        if (all.partners) all.free.resize(size);
        all.after.resize(all.courses.size());
        // A layout counts once for each card of a partner.
        const int copies = std::bit_width(static_cast<u64>(most_copies(all)));
        all.shift = std::min(28, 61 - copies - static_cast<int>(std::bit_width(sum)));
        if (all.shift < 0) return false;
        for (std::size_t i = 0; i < count; ++i) {
            const u64 weight = decision_.layouts.weights[root.list[i]];
            all.reach[i] = static_cast<float>(weight);
            all.parts[i] = static_cast<i64>(weight << all.shift);
        }
        return true;
    }

    // The maximum number of courses in which a layout counts at the same time, one for each card of
    // a partner.
    static float most_copies(Courses& all) {
        if (!all.partners) return 1;
        std::fill(all.loss.begin(), all.loss.end(), 1.0f);
        for (std::size_t c = all.courses.size(); c-- > 0;) {
            const Course& course = all.courses[c];
            if (course.free)
                for (u32 e = course.first; e < course.first + course.count; ++e)
                    if (all.flags[e] & kFree) all.loss[e] = 0;
            each_child(all.courses, course, [&](const Course& child) {
                for (u32 e = child.first; e < child.first + child.count; ++e) {
                    float& copies = all.loss[all.up[e]];
                    copies = all.flags[all.up[e]] & kFree ? copies + all.loss[e]
                                                          : std::max(copies, all.loss[e]);
                }
            });
        }
        const auto begin = all.loss.begin();
        return std::max(1.0f, *std::max_element(begin, begin + all.courses[0].count));
    }

    static bool always_wins(const Node& node) { return settled(node, all_of(node.list.size())); }

    // The layouts that are won regardless of how everybody plays.
    const Set& sure(Node& node) {
        if (!node.sure.empty()) return node.sure;
        may_pause();
        Set set = all_of(node.list.size());
        if (!always_wins(node)) {
            expand(node);
            work(node.list.size());
            Set choice = none_of(node.list.size());  // of partners
            for (Branch& branch : node.branches) {
                attempt(node, branch);
                if (!branch.node) {
                    set = none_of(node.list.size());
                    break;
                }
                const Set won = widen(branch, sure(*branch.node));
                if (node.kind == Node::own) {
                    set = both(std::move(set), won);
                } else {
                    for (std::size_t i = 0; i < set.size(); ++i) {
                        set[i] &= won[i] | ~branch.open[i] | node.partners[i];
                        choice[i] |= won[i] & node.partners[i];
                    }
                }
            }
            if (node.kind != Node::own)
                for (std::size_t i = 0; i < set.size(); ++i)
                    set[i] &= choice[i] | ~node.partners[i];
        }
        allocate(bytes(set));
        return node.sure = std::move(set);
    }

    // Adds a course and those that continue it. `entries` has the entry of each of the node's
    // layouts, or kNone for a layout whose further play does not matter. Returns false if there are
    // too many.
    bool continue_course(Courses& all, Node& node, u32 first, const std::vector<u32>& entries) {
        const std::size_t at = all.courses.size();
        all.courses.push_back({first, static_cast<u32>(all.up.size()) - first});
        Set open = none_of(entries.size());
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (entries[i] != kNone) put(open, i);
        if (empty(open) || always_wins(node)) return true;
        expand(node);
        work(1 + entries.size() / kEntriesPerLayout);
        const bool own = all.courses[at].own = node.kind == Node::own;
        if (!own) {
            each(both(open, node.partners),
                 [&](std::size_t i) { all.flags[entries[i]] |= kPartner; });
            each(both(open, node.free), [&](std::size_t i) {
                all.flags[entries[i]] |= kFree;
                all.courses[at].free = all.partners = true;
            });
        }
        for (Branch& branch : node.branches) {
            attempt(node, branch);
            if (!branch.node || (own && dominated(node, branch, open))) continue;
            const Set& sure = this->sure(*branch.node);
            const bool again = branch.node->kind == Node::own;  // the next choice covers all
            const u32 next = static_cast<u32>(all.up.size());
            std::vector<u32> below(branch.node->list.size(), kNone);
            std::size_t place = 0;
            each(branch.open, [&](std::size_t i) {
                const std::size_t j = place++;
                if (entries[i] == kNone) return;
                if (has(sure, j) && !own) {
                    all.flags[entries[i]] |= kSafe;
                    return;
                }
                if (!has(sure, j) || again) below[j] = static_cast<u32>(all.up.size());
                all.up.push_back(entries[i]);
                all.flags.push_back(0);
            });
            if (all.up.size() > kEntries || !room_for(all.bytes())) return false;
            if (all.up.size() == next) continue;
            const u32 child = static_cast<u32>(all.courses.size());
            if (!continue_course(all, *branch.node, next, below)) return false;
            all.courses[child].next = std::exchange(all.courses[at].child, child);
        }
        return true;
    }

    // Whether another of the player's cards wins all the open layouts that this card can win.
    static bool dominated(const Node& node, const Branch& branch, const Set& open) {
        const Set here = both(open, branch.open);
        return std::any_of(node.branches.begin(), node.branches.end(), [&](const Branch& other) {
            if (&other == &branch || !other.node || !within(here, other.open)) return false;
            if (!always_wins(*other.node)) return false;
            return &other < &branch || !always_wins(*branch.node) ||
                   !within(both(open, other.open), branch.open);
        });
    }

    // Lets both sides play a round, and shifts their odds towards the cards that would have done
    // better.
    void improve_odds(Courses& all) {
        may_pause();
        work(1 + all.live_entries / kEntriesPerLayout);
        const float round = static_cast<float>(++all.rounds), times = round * round;
        std::vector<float> sums, played(all.courses.size());
        played[0] = 1;
        for (const u32 c : all.live) {
            Course& course = all.courses[c];
            if (!course.child) continue;
            if (course.own) {
                set_odds(all.courses, course);
                each_child(all.courses, course, [&](Course& child) {
                    const float often = played[c] * child.odds;
                    played[number(all, child)] = often;
                    child.sum += times * often;
                    for (u32 e = child.first; e < child.first + child.count; ++e)
                        all.reach[e] = all.reach[all.up[e]];
                });
                continue;
            }
            predict(all, course, sums);
            if (course.free) set_parts(all, course, times);
            each_child(all.courses, course, [&](Course& child) {
                played[number(all, child)] = played[c];
                for (u32 e = child.first; e < child.first + child.count; ++e) {
                    const u32 up = all.up[e];
                    const float sum = sums[up - course.first];
                    all.odds[e] = all.flags[up] & kFree ? all.free[up].odds
                                  : sum < 0             ? -1 / sum
                                                        : all.odds[e] / sum;
                    all.reach[e] = all.reach[up] * all.odds[e];
                    all.sum[e] += times * all.reach[e];
                }
            });
        }
        for (std::size_t i = all.live.size(); i-- > 0;) {
            const Course& course = all.courses[all.live[i]];
            if (course.own) regret_own(all, course);
            else regret_others(all, course);
        }
    }

    // Sets the opponents' odds after a course to their predicted regrets, as if the last round were
    // repeated (Farina et al. 2021), and sums these up.
    static void predict(Courses& all, const Course& course, std::vector<float>& sums) {
        each_child(all.courses, course, [&](const Course& child) {
            for (u32 e = child.first; e < child.first + child.count; ++e)
                all.odds[e] = std::max(0.0f, all.regret[e] + all.loss[e] - all.loss[all.up[e]]);
        });
        sum_up(all, course, all.odds, sums);
    }

    // For each entry of a course: the sum of `values` over the entries that continue it, or minus
    // their number if the sum is zero.
    static void sum_up(Courses& all, const Course& course, const std::vector<float>& values,
                       std::vector<float>& sums) {
        sums.assign(course.count, 0);
        each_child(all.courses, course, [&](const Course& child) {
            for (u32 e = child.first; e < child.first + child.count; ++e)
                sums[all.up[e] - course.first] += values[e];
        });
        each_child(all.courses, course, [&](const Course& child) {
            for (u32 e = child.first; e < child.first + child.count; ++e)
                if (float& sum = sums[all.up[e] - course.first]; sum <= 0) --sum;
        });
    }

    // Where a partner has several cards, sets the part of the losses that counts.
    static void set_parts(Courses& all, const Course& course, float times) {
        for (u32 e = course.first; e < course.first + course.count; ++e) {
            if (!(all.flags[e] & kFree)) continue;
            Courses::Part& part = all.free[e];
            // As in `predict`.
            const float loss = part.odds * part.loss;
            const float more = std::max(0.0f, part.counting + part.loss - loss);
            const float sum = more + std::max(0.0f, part.not_counting - loss);
            part.odds = all.flags[e] & kSafe ? 0 : sum > 0 ? more / sum : 0.5f;
            part.sum += times * all.reach[e] * part.odds;
            part.all += times * all.reach[e];
        }
    }

    static void set_odds(std::vector<Course>& courses, const Course& course) {
        float sum = 0, count = 0;
        each_child(courses, course, [&](const Course& child) {
            sum += child.regret;
            ++count;
        });
        each_child(courses, course,
                   [&](Course& child) { child.odds = sum > 0 ? child.regret / sum : 1 / count; });
    }

    static void regret_own(Courses& all, const Course& course) {
        double whole = 0, mean = 0;
        for (u32 e = course.first; e < course.first + course.count; ++e) {
            all.loss[e] = 1;
            whole += static_cast<double>(all.reach[e]);
        }
        const auto lost = [&](const Course& child) {
            double loss = whole;
            for (u32 e = child.first; e < child.first + child.count; ++e)
                loss -= static_cast<double>(all.reach[e] * (1 - all.loss[e]));
            return loss;
        };
        std::vector<double> losses;
        each_child(all.courses, course, [&](const Course& child) {
            losses.push_back(lost(child));
            mean += losses.back() * static_cast<double>(child.odds);
        });
        std::size_t at = 0;
        each_child(all.courses, course, [&](Course& child) {
            child.regret = std::max(0.0f, child.regret + static_cast<float>(mean - losses[at++]));
        });
        set_odds(all.courses, course);  // the others know the new ones
        each_child(all.courses, course, [&](const Course& child) {
            for (u32 e = child.first; e < child.first + child.count; ++e)
                all.loss[all.up[e]] -= child.odds * (1 - all.loss[e]);
        });
    }

    static void regret_others(Courses& all, const Course& course) {
        for (u32 e = course.first; e < course.first + course.count; ++e) all.loss[e] = 0;
        if (course.free) {
            regret_parts(all, course);
            return;
        }
        each_child(all.courses, course, [&](const Course& child) {
            for (u32 e = child.first; e < child.first + child.count; ++e)
                all.loss[all.up[e]] += all.odds[e] * all.loss[e];
        });
        each_child(all.courses, course, [&](const Course& child) {
            for (u32 e = child.first; e < child.first + child.count; ++e)
                all.regret[e] = std::max(0.0f, all.regret[e] + all.loss[e] - all.loss[all.up[e]]);
        });
    }

    // The same if a partner has a choice in some layouts.
    static void regret_parts(Courses& all, const Course& course) {
        for (u32 e = course.first; e < course.first + course.count; ++e)
            if (all.flags[e] & kFree) all.loss[e] = 1;
        each_child(all.courses, course, [&](const Course& child) {
            for (u32 e = child.first; e < child.first + child.count; ++e) {
                const u32 up = all.up[e];
                all.loss[up] += all.flags[up] & kFree ? all.loss[e] - 1 : all.odds[e] * all.loss[e];
            }
        });
        each_child(all.courses, course, [&](const Course& child) {
            for (u32 e = child.first; e < child.first + child.count; ++e)
                if (const u32 up = all.up[e]; !(all.flags[up] & kFree))
                    all.regret[e] = std::max(0.0f, all.regret[e] + all.loss[e] - all.loss[up]);
        });
        for (u32 e = course.first; e < course.first + course.count; ++e) {
            if (!(all.flags[e] & kFree)) continue;
            Courses::Part& part = all.free[e];
            part.loss = all.loss[e];
            all.loss[e] = part.odds * part.loss;
            part.counting = std::max(0.0f, part.counting + part.loss - all.loss[e]);
            part.not_counting = std::max(0.0f, part.not_counting - all.loss[e]);
        }
    }

    // Narrows the bounds on the plans in these courses until no plan can be better than the best
    // one found. If the bounds stop getting closer, plans that use a certain card and plans that do
    // not are bounded separately.
    void solve(Courses& all, const Node& root, PlanValue& value, u64& most) {
        find_live(all);
        forget(all);
        double bound = static_cast<double>(most + 1);
        double goal = bound - static_cast<double>(value.least);  // the gap to reach in time
        for (int round = 1, last = 0; round <= last + kPatience; ++round) {
            improve_odds(all);
            if (round % kRoundsPerBound) continue;
            bound = std::min(bound, get_closer(all, root, value, most));
            if (most <= value.least) return;
            const double gap = bound - static_cast<double>(value.least);
            if (gap >= goal) continue;
            goal = gap - gap / 16;
            last = round;
        }
        const u32 at = most_doubtful(all);
        if (at == kNone) {  // one plan is left, whose value is known
            most = value.least;
            return;
        }
        u32 card = all.courses[at].child;
        each_child(all.courses, all.courses[at], [&](const Course& child) {
            if (child.sum > all.courses[card].sum) card = number(all, child);
        });
        const std::size_t mark = all.changes.size();
        for (const bool with : {true, false}) {
            drop_if(all, all.courses[at], [&](u32 child) { return (child == card) != with; });
            u64 part = most;
            solve(all, root, value, part);
            undo(all, mark);
        }
        most = value.least;
    }

    // Reduces the weight of the mean odds so far to that of the first rounds.
    static void forget(Courses& all) {
        if (all.rounds <= kRemembered) return;
        const float share = static_cast<float>(kRemembered) / static_cast<float>(all.rounds);
        const float factor = share * share * share;
        for (Course& course : all.courses) course.sum *= factor;
        for (float& sum : all.sum) sum *= factor;
        for (Courses::Part& part : all.free) {
            part.sum *= factor;
            part.all *= factor;
        }
        all.rounds = kRemembered;
    }

    static u32 number(const Courses& all, const Course& course) {
        return static_cast<u32>(&course - all.courses.data());
    }

    // The choice whose outcome is uncertain for the most weight, or kNone if there is none.
    static u32 most_doubtful(const Courses& all) {
        u32 result = kNone;
        double most = -1;
        for (const u32 c : all.live) {
            const Course& course = all.courses[c];
            if (!course.own || !all.courses[course.child].next) continue;
            double sum = 0, best = 0, weight = 0;
            for (u32 child = course.child; child; child = all.courses[child].next) {
                const double often = static_cast<double>(all.courses[child].sum);
                sum += often;
                best = std::max(best, often);
            }
            for (u32 e = course.first; e < course.first + course.count; ++e)
                weight += static_cast<double>(all.reach[e]);
            const double doubt = (sum - best) * weight;
            if (doubt <= most) continue;
            most = doubt;
            result = c;
        }
        return result;
    }

    // Drops cards of the player after a course; the changes can be undone.
    template <class Condition>
    static void drop_if(Courses& all, Course& course, Condition condition) {
        for (u32* link = &course.child; *link;) {
            u32& next = all.courses[*link].next;
            if (condition(*link)) {
                all.changes.emplace_back(link, *link);
                *link = next;
            } else {
                link = &next;
            }
        }
    }

    static void undo(Courses& all, std::size_t mark) {
        for (; all.changes.size() > mark; all.changes.pop_back())
            *all.changes.back().first = all.changes.back().second;
    }

    // Finds the courses that can still arise, in order.
    static void find_live(Courses& all) {
        std::vector<u8> reached(all.courses.size(), 0);
        reached[0] = 1;
        all.live.clear();
        all.live_entries = 0;
        for (u32 c = 0; c < all.courses.size(); ++c) {
            if (!reached[c]) continue;
            all.live.push_back(c);
            all.live_entries += all.courses[c].count;
            each_child(all.courses, all.courses[c],
                       [&](const Course& child) { reached[number(all, child)] = 1; });
        }
    }

    // Computes the bounds from the mean odds so far, and drops cards that no better plan uses.
    // Returns the upper bound before rounding.
    double get_closer(Courses& all, const Node& root, PlanValue& value, u64& most) {
        std::vector<u32> answers;
        std::vector<i64> losses;
        answer(all, answers, losses);
        const i64 lost = (losses[0] + (i64{1} << all.shift) - 1) >> all.shift;
        if (lost > 0) most = std::min(most, value.open - static_cast<u64>(lost));
        improve(value, root, won(all, answers));
        for (const u32 c : all.live) {
            if (!all.courses[c].own) continue;
            float often = -1;
            each_child(all.courses, all.courses[c], [&](const Course& child) {
                if (child.sum <= often) return;
                often = child.sum;
                answers[c] = number(all, child);
            });
        }
        improve(value, root, won(all, answers));
        const double bound = static_cast<double>(value.open) -
                             std::ldexp(static_cast<double>(losses[0]), -all.shift);
        if (most <= value.least) return bound;
        // The least loss of a plan that reaches the course.
        const i64 limit = static_cast<i64>((value.open - value.least - 1) << all.shift);
        std::vector<i64> through(all.courses.size(), losses[0]);
        bool dropped = false;
        for (const u32 c : all.live) {
            Course& course = all.courses[c];
            const i64 rest = through[c] - losses[c];
            each_child(all.courses, course, [&](const Course& child) {
                const u32 i = number(all, child);
                through[i] = course.own ? rest + all.after[i] : through[c];
                dropped |= through[i] > limit;
            });
            if (course.own) drop_if(all, course, [&](u32 i) { return through[i] > limit; });
        }
        if (dropped) find_live(all);
        return bound;
    }

    // Finds the best plan against the opponents' mean odds: the player's choices, and the weight
    // (in parts) that it loses after each course. Parts are whole numbers, so they are exact.
    void answer(Courses& all, std::vector<u32>& choices, std::vector<i64>& losses) {
        work(1 + all.live_entries / kEntriesPerLayout);
        choices.assign(all.courses.size(), 0);
        losses.assign(all.courses.size(), 0);
        std::vector<float> sums;
        std::vector<i64> rest;
        for (const u32 c : all.live) {
            const Course& course = all.courses[c];
            if (!course.child) continue;
            if (course.own) {
                each_child(all.courses, course, [&](const Course& child) {
                    for (u32 e = child.first; e < child.first + child.count; ++e)
                        all.parts[e] = all.parts[all.up[e]];
                });
                continue;
            }
            sum_up(all, course, all.sum, sums);
            const auto begin = all.parts.begin() + course.first;
            rest.assign(begin, begin + course.count);
            if (course.free) {
                // Each of a partner's cards gets the part that counts; all but one of these parts
                // are subtracted from the losses.
                for (u32 e = course.first; e < course.first + course.count; ++e)
                    if (all.flags[e] & kFree) losses[c] += rest[e - course.first] = counted(all, e);
            }
            each_child(all.courses, course, [&](const Course& child) {
                for (u32 e = child.first; e < child.first + child.count; ++e) {
                    const u32 up = all.up[e];
                    i64& left = rest[up - course.first];
                    if (all.flags[up] & kFree) {
                        losses[c] -= all.parts[e] = left;
                        continue;
                    }
                    const double sum = static_cast<double>(sums[up - course.first]);
                    const double share = sum < 0 ? -1 / sum : static_cast<double>(all.sum[e]) / sum;
                    const i64 part = static_cast<i64>(share * static_cast<double>(all.parts[up]));
                    left -= all.parts[e] = std::min(left, part);
                }
            });
        }
        for (std::size_t i = all.live.size(); i-- > 0;) {
            const u32 c = all.live[i];
            const Course& course = all.courses[c];
            if (!course.own) {
                each_child(all.courses, course,
                           [&](const Course& child) { losses[c] += losses[number(all, child)]; });
                continue;
            }
            const auto total = [&](const Course& of) {
                const auto begin = all.parts.begin() + of.first;
                return std::accumulate(begin, begin + of.count, i64{0});
            };
            const i64 whole = total(course);
            each_child(all.courses, course, [&](const Course& child) {
                const u32 next = number(all, child);
                all.after[next] = whole - total(child) + losses[next];
                if (choices[c] && all.after[next] >= losses[c]) return;
                losses[c] = all.after[next];
                choices[c] = next;
            });
        }
    }

    // The part of a layout's weight that counts once for each card of a partner.
    static i64 counted(const Courses& all, u32 entry) {
        const Courses::Part& part = all.free[entry];
        const double sum = static_cast<double>(part.sum), whole = static_cast<double>(part.all);
        if (all.flags[entry] & kSafe || whole <= 0) return 0;
        const double share = std::min(1.0, sum / whole);
        return std::min(all.parts[entry],
                        static_cast<i64>(share * static_cast<double>(all.parts[entry])));
    }

    // The layouts that a plan wins whatever the others do.
    Set won(Courses& all, const std::vector<u32>& choices) {
        for (std::size_t i = all.live.size(); i-- > 0;) {
            const u32 c = all.live[i];
            const Course& course = all.courses[c];
            const auto entry = all.odds.begin() + course.first;
            std::fill(entry, entry + course.count, 0.0f);
            if (!course.child) continue;
            if (course.own) {
                std::fill(entry, entry + course.count, 1.0f);
                const Course& child = all.courses[choices[c]];
                for (u32 e = child.first; e < child.first + child.count; ++e)
                    all.odds[all.up[e]] = all.odds[e];
                continue;
            }
            for (u32 e = course.first; e < course.first + course.count; ++e)
                if ((all.flags[e] & (kPartner | kSafe)) == kPartner) all.odds[e] = 1;
            each_child(all.courses, course, [&](const Course& child) {
                for (u32 e = child.first; e < child.first + child.count; ++e) {
                    float& loss = all.odds[all.up[e]];
                    loss = all.flags[all.up[e]] & kPartner ? std::min(loss, all.odds[e])
                                                           : std::max(loss, all.odds[e]);
                }
            });
        }
        const Course& root = all.courses[0];
        Set set = none_of(root.count);
        for (u32 i = 0; i < root.count; ++i)
            if (all.odds[i] <= 0) put(set, i);
        return set;
    }

    u64 pause_ = kForever;
};

}  // namespace spadille::plans
