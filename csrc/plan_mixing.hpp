// Bounds from mixed strategies, and a search for the best plan that uses them.
//
// The opponents choose between their cards at random, with separate odds in each group of layouts.
// On average, a plan loses at most as much weight against them as against best play, so the best
// response to any odds bounds all plans. plan_regret_matching.hpp finds good odds. The cards that
// the player prefers in its rounds form a plan, whose value is the other bound.
//
// If the bounds do not meet, plans that use one of the player's cards and plans that do not are
// bounded separately. Cards that no better plan can use are dropped on the way.
//
// The odds are floating-point numbers and need no precision, because the bounds for given odds are
// computed with whole numbers.
#pragma once

#include <cmath>

#include "plan_regret_matching.hpp"

namespace spadille::plans {

class Mixing : public Rounds {
public:
    using Rounds::Rounds;

protected:
    // Narrows the bounds on the plans in these courses until no plan can be better than the best
    // one found. If the bounds stop getting closer, plans that use a certain card and plans that do
    // not are bounded separately, or the bounds stay apart if `divide` is false.
    void mix(Game& all, const Node& root, PlanValue& value, u64& most, bool divide) {
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
        if (!divide) return;
        const u32 at = most_doubtful(all);
        if (at == kNone) {  // one plan is left, whose value is known
            most = value.least;
            return;
        }
        u32 card = kNone;
        all.each_child(all.courses[at], [&](const Course& child, u32) {
            if (card == kNone || child.sum > all.courses[card].sum) card = all.number(child);
        });
        const std::size_t mark = all.changes.size();
        for (const bool with : {true, false}) {
            drop_if(all, all.courses[at], [&](u32 child) { return (child == card) != with; });
            u64 part = most;
            mix(all, root, value, part, true);
            undo(all, mark);
        }
        most = value.least;
    }

private:
    static constexpr int kRoundsPerBound = 10, kPatience = 30, kRemembered = 50;
    static constexpr u32 kNone = ~0u;

    // Reduces the weight of the odds summed so far, so that later rounds count for more.
    static void forget(Game& all) {
        if (all.rounds <= kRemembered) return;
        const float share = static_cast<float>(kRemembered) / static_cast<float>(all.rounds);
        const float factor = share * share * share;
        for (Course& course : all.courses) course.sum *= factor;
        for (float& sum : all.sum) sum *= factor;
        for (Game::Part& part : all.part) {
            part.sum *= factor;
            part.all *= factor;
        }
        all.rounds = kRemembered;
    }

    // The choice whose outcome is uncertain for the most weight, or kNone if there is none.
    static u32 most_doubtful(Game& all) {
        u32 result = kNone;
        double most = -1;
        for (const u32 c : all.live) {
            const Course& course = all.courses[c];
            if (!course.play->own) continue;
            double sum = 0, best = 0, weight = 0;
            int count = 0;
            all.each_child(course, [&](const Course& child, u32) {
                const double often = static_cast<double>(child.sum);
                sum += often;
                best = std::max(best, often);
                ++count;
            });
            if (count < 2) continue;
            for (u32 g = 0; g < course.play->count(); ++g)
                weight += static_cast<double>(all.reach[course.groups + g]);
            const double doubt = (sum - best) * weight;
            if (doubt <= most) continue;
            most = doubt;
            result = c;
        }
        return result;
    }

    // Removes some of the player's cards after a course; the changes can be undone.
    template <class Condition>
    static void drop_if(Game& all, const Course& course, Condition condition) {
        all.each_child(course, [&](Course& child, u32) {
            const u32 number = all.number(child);
            if (!condition(number)) return;
            child.dropped = true;
            all.changes.push_back(number);
        });
    }

    static void undo(Game& all, std::size_t mark) {
        for (; all.changes.size() > mark; all.changes.pop_back())
            all.courses[all.changes.back()].dropped = false;
    }

    // Finds the courses that can still arise, in order.
    static void find_live(Game& all) {
        std::vector<u8> reached(all.courses.size(), 0);
        reached[0] = 1;
        all.live.clear();
        all.live_size = 0;
        for (u32 c = 0; c < all.courses.size(); ++c) {
            if (!reached[c]) continue;
            const Course& course = all.courses[c];
            all.live.push_back(c);
            all.live_size += course.play->count() + course.play->steps.size();
            all.each_child(course,
                           [&](const Course& child, u32) { reached[all.number(child)] = 1; });
        }
    }

    // Computes the bounds from the mean odds so far, and drops cards that no better plan uses.
    // Returns the upper bound before rounding.
    double get_closer(Game& all, const Node& root, PlanValue& value, u64& most) {
        std::vector<u32> answers;
        std::vector<i64> losses;
        answer(all, answers, losses);
        const i64 lost = (losses[0] + (i64{1} << all.shift) - 1) >> all.shift;
        if (lost > 0) most = std::min(most, value.open - static_cast<u64>(lost));
        improve(value, root, won(all, root, answers));
        for (const u32 c : all.live) {
            const Course& course = all.courses[c];
            if (!course.play->own) continue;
            float often = -1;
            all.each_child(course, [&](const Course& child, u32 way) {
                if (child.sum <= often) return;
                often = child.sum;
                answers[c] = way;
            });
        }
        improve(value, root, won(all, root, answers));
        const double bound = static_cast<double>(value.open) -
                             std::ldexp(static_cast<double>(losses[0]), -all.shift);
        if (most <= value.least) return bound;
        // The least loss of a plan that reaches the course.
        const i64 limit = static_cast<i64>((value.open - value.least - 1) << all.shift);
        std::vector<i64> through(all.courses.size(), losses[0]);
        bool dropped = false;
        for (const u32 c : all.live) {
            const Course& course = all.courses[c];
            const i64 rest = through[c] - losses[c];
            all.each_child(course, [&](const Course& child, u32) {
                const u32 i = all.number(child);
                through[i] = course.play->own ? rest + all.after[i] : through[c];
                dropped |= through[i] > limit;
            });
            if (course.play->own) drop_if(all, course, [&](u32 i) { return through[i] > limit; });
        }
        if (dropped) find_live(all);
        return bound;
    }

    // Finds the best plan against the opponents' mean odds: the player's choices, and the weight
    // (in units) that it loses after each course. Weights in units are whole numbers, so they are
    // exact.
    void answer(Game& all, std::vector<u32>& choices, std::vector<i64>& losses) {
        work(work_of(all));
        choices.assign(all.courses.size(), 0);
        losses.assign(all.courses.size(), 0);
        for (const u32 c : all.live) {
            const Course& course = all.courses[c];
            const Play& play = *course.play;
            if (play.ways.empty()) continue;
            clear_after(all, course, all.units);
            if (play.own) answer_own(all, course);
            else losses[c] = answer_others(all, course);
        }
        for (std::size_t i = all.live.size(); i-- > 0;) {
            const u32 c = all.live[i];
            const Course& course = all.courses[c];
            if (!course.play->own) {
                all.each_child(course, [&](const Course& child, u32) {
                    losses[c] += losses[all.number(child)];
                });
                continue;
            }
            bool any = false;
            all.each_child(course, [&](const Course& child, u32 way) {
                const u32 next = all.number(child);
                all.after[next] += losses[next];
                if (any && all.after[next] >= losses[c]) return;
                any = true;
                losses[c] = all.after[next];
                choices[c] = way;
            });
        }
    }

    static void answer_own(Game& all, const Course& course) {
        const Play& play = *course.play;
        for (u32 way = 0; way < play.ways.size(); ++way) all.after[course.child + way] = 0;
        for (u32 g = 0; g < play.count(); ++g) {
            const i64 units = all.units[course.groups + g];
            each_step(play, g, [&](u32, u32 way, u32 to) {
                if (to == Play::kLost) all.after[course.child + way] += units;
                else if (to != Play::kWon)
                    all.units[all.courses[course.child + way].groups + to] += units;
            });
        }
    }

    // Returns the weight that is lost whatever the player does. It is negative: the part that
    // counts is added after each card of a partner, so all but one of these parts are subtracted
    // here.
    static i64 answer_others(Game& all, const Course& course) {
        const Play& play = *course.play;
        const auto after = [&](const Step& step) -> i64& {
            return all.units[all.courses[course.child + step.way].groups + step.group];
        };
        i64 lost = 0;
        for (u32 g = 0; g < play.count(); ++g) {
            const u32 first = play.starts[g], last = play.starts[g + 1] - 1;
            const i64 units = all.units[course.groups + g];
            if (play.free[g]) {
                const i64 counts = counted(all.part[course.groups + g], units);
                for (u32 s = first; s <= last; ++s) after(play.steps[s]) += counts;
                lost -= static_cast<i64>(last - first) * counts;
                continue;
            }
            double sum = 0;
            for (u32 s = first; s <= last; ++s)
                sum += static_cast<double>(all.sum[course.steps + s]);
            i64 left = units;
            for (u32 s = first; s < last; ++s) {
                const double share = sum > 0 ? static_cast<double>(all.sum[course.steps + s]) / sum
                                             : 1 / static_cast<double>(last - first + 1);
                const i64 part =
                    std::min(left, static_cast<i64>(share * static_cast<double>(units)));
                after(play.steps[s]) += part;
                left -= part;
            }
            after(play.steps[last]) += left;
        }
        return lost;
    }

    // The part of a group's weight that counts once for each card of a partner.
    static i64 counted(const Game::Part& part, i64 units) {
        const double sum = static_cast<double>(part.sum), whole = static_cast<double>(part.all);
        if (whole <= 0) return 0;
        const double share = std::min(1.0, sum / whole);
        return std::min(units, static_cast<i64>(share * static_cast<double>(units)));
    }

    // The layouts that a plan wins whatever the others do.
    static Set won(Game& all, const Node& root, const std::vector<u32>& choices) {
        for (std::size_t i = all.live.size(); i-- > 0;) {
            const Course& course = all.courses[all.live[i]];
            const Play& play = *course.play;
            const auto lost = [&](const Step& step) -> u8 {
                return step.group == Play::kWon ? 0
                       : step.group == Play::kLost
                           ? 1
                           : all.lost[all.courses[course.child + step.way].groups + step.group];
            };
            for (u32 g = 0; g < play.count(); ++g) {
                u8& result = all.lost[course.groups + g];
                if (play.own) {
                    result = lost(play.steps[play.starts[g] + choices[all.live[i]]]);
                    continue;
                }
                result = play.free[g];
                for (u32 s = play.starts[g]; s < play.starts[g + 1]; ++s)
                    result =
                        play.free[g] ? result & lost(play.steps[s]) : result | lost(play.steps[s]);
            }
        }
        Set set = none_of(root.list.size());
        for (std::size_t i = 0; i < root.list.size(); ++i)
            if (root.groups[i] == Play::kWon || !all.lost[root.groups[i]]) put(set, i);
        return set;
    }
};

}  // namespace spadille::plans
