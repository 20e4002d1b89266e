// Plays rounds between the player and the opponents, in which both sides choose their cards at
// random.
//
// Opponents have separate odds in each group of layouts. In each round, both sides shift their odds
// to the cards that would have done better so far (regret matching: Zinkevich et al. 2007; Tammelin
// 2014; Farina et al. 2021). Their mean odds approach best play.
//
// A layout in which a partner may play several cards is lost only if all of them lose. This is not
// linear in the player's odds, so a bound replaces it: the loss is at least the sum of the losses
// after each of the k cards, less k - 1. Because a loss is not negative, it is also at least any
// fraction of this sum less k - 1. The opponents choose the fraction for each group; if it is zero,
// the group counts as won.
#pragma once

#include <bit>
#include <cstdint>

#include "plan_layout_groups.hpp"

namespace spadille::plans {

class Rounds : public LayingOut {
public:
    using LayingOut::LayingOut;

protected:
    using i64 = std::int64_t;
    using Course = Courses::Course;
    using Step = Play::Step;

    // All courses, with figures for their groups and steps.
    struct Game : Courses {
        // For groups in which a partner has several cards: the part of the losses that counts, the
        // loss if all of it counts, the regrets of counting it and of not counting it, and the sums
        // of the weight over the rounds, with and without this part.
        struct Part {
            float odds = 1, loss = 0, counting = 0, not_counting = 0, sum = 0, all = 0;
        };

        // For each group: how often, by weight, the opponents choose a course that leads to it, and
        // how often the player then loses.
        std::vector<float> reach, loss;
        std::vector<Part> part;
        std::vector<i64> units;  // of weight
        std::vector<u8> lost;  // whether a plan loses it
        // For each step: the probability that the opponents take it, their regret for not taking it
        // more often, and the total weight, over all rounds, with which they took it.
        std::vector<float> odds, regret, sum;
        std::vector<u32> live;  // the courses that may still come up
        std::size_t live_size = 0;
        std::vector<i64> after;  // the player's loss after a card, in units
        std::vector<u32> changes;  // the courses dropped so far
        int rounds = 0;  // of play
        int shift = 0;  // a weight of 1 is 2^shift units

        std::size_t bytes() const {
            return groups * (2 * sizeof(float) + sizeof(i64) + 1 + (partners ? sizeof(Part) : 0)) +
                   steps * (3 * sizeof(float)) + courses.size() * (sizeof(Course) + sizeof(i64));
        }
    };

    // Finds the courses of play after a root that has groups, or returns false if there are too
    // many.
    bool lay_out(Game& all, const Node& root) {
        const Play& play = *root.play;
        all.courses.push_back({&play});
        all.groups = play.count();
        if (!play.own) all.steps = static_cast<u32>(play.steps.size());
        const auto fits = [&] {
            return all.groups + all.steps <= kEntries && room_for(all.bytes());
        };
        if (!fits() || (!play.ways.empty() && !continue_course(all, 0, fits))) return false;
        for (std::vector<float>* floats : {&all.reach, &all.loss}) floats->resize(all.groups);
        for (std::vector<float>* floats : {&all.odds, &all.regret, &all.sum})
            floats->resize(all.steps);
        all.units.resize(all.groups);
        all.lost.resize(all.groups);
        if (all.partners) all.part.resize(all.groups);
        all.after.resize(all.courses.size());
        u64 sum = 0;
        for (std::size_t i = 0; i < root.list.size(); ++i) {
            if (root.groups[i] == Play::kWon) continue;
            const u64 weight = decision_.layouts.weights[root.list[i]];
            sum += weight;
            all.units[root.groups[i]] += static_cast<i64>(weight);
        }
        // A group counts once for each card of a partner.
        const int copies = static_cast<int>(std::bit_width(static_cast<u64>(most_copies(all))));
        all.shift = std::min(28, 61 - copies - static_cast<int>(std::bit_width(sum)));
        if (all.shift < 0) return false;
        for (u32 g = 0; g < play.count(); ++g) {
            all.reach[g] = static_cast<float>(all.units[g]);
            all.units[g] <<= all.shift;
        }
        return true;
    }

    // Calls `visit` with the number of each step of a group, and the way and group it leads to.
    template <class Visit>
    static void each_step(const Play& play, u32 group, Visit visit) {
        for (u32 s = play.starts[group]; s < play.starts[group + 1]; ++s)
            visit(s, play.steps[s].way, play.steps[s].group);
    }

    // The maximum number of courses in which a group counts at the same time, one for each card of
    // a partner.
    static float most_copies(Game& all) {
        if (!all.partners) return 1;
        for (std::size_t c = all.courses.size(); c-- > 0;) {
            const Course& course = all.courses[c];
            const Play& play = *course.play;
            for (u32 g = 0; g < play.count(); ++g) {
                float copies = 1, sum = 0;
                each_step(play, g, [&](u32, u32 way, u32 to) {
                    if (to >= Play::kLost) return;
                    const float after = all.loss[all.courses[course.child + way].groups + to];
                    copies = std::max(copies, after);
                    sum += after;
                });
                all.loss[course.groups + g] = play.free[g] ? sum : copies;
            }
        }
        const auto begin = all.loss.begin();
        const float most = all.courses[0].play->count()
                               ? *std::max_element(begin, begin + all.courses[0].play->count())
                               : 1;
        std::fill(all.loss.begin(), all.loss.end(), 0.0f);
        return std::max(1.0f, most);
    }

    // Sets a value to zero for all groups after a course.
    template <class Value>
    static void clear_after(Courses& all, const Course& course, std::vector<Value>& values) {
        all.each_child(course, [&](const Course& child, u32) {
            const auto begin = values.begin() + child.groups;
            std::fill(begin, begin + child.play->count(), Value{});
        });
    }

    static u64 work_of(const Game& all) { return 1 + all.live_size / kGroupsPerLayout; }

    // Lets both sides play a round, and shifts their odds towards the cards that would have done
    // better.
    void improve_odds(Game& all) {
        may_pause();
        work(work_of(all));
        const float round = static_cast<float>(++all.rounds), times = round * round;
        std::vector<float> played(all.courses.size());
        played[0] = 1;
        for (const u32 c : all.live) {
            Course& course = all.courses[c];
            const Play& play = *course.play;
            if (play.ways.empty()) continue;
            clear_after(all, course, all.reach);
            if (play.own) {
                set_odds(all, course);
                all.each_child(course, [&](Course& child, u32) {
                    const float often = played[c] * child.odds;
                    played[all.number(child)] = often;
                    child.sum += times * often;
                });
                reach_own(all, course);
            } else {
                all.each_child(course,
                               [&](Course& child, u32) { played[all.number(child)] = played[c]; });
                reach_others(all, course, times);
            }
        }
        std::vector<double> losses;
        for (std::size_t i = all.live.size(); i-- > 0;) {
            Course& course = all.courses[all.live[i]];
            if (course.play->ways.empty()) continue;
            if (course.play->own) regret_own(all, course, losses);
            else regret_others(all, course);
        }
    }

    static void reach_own(Game& all, const Course& course) {
        const Play& play = *course.play;
        for (u32 g = 0; g < play.count(); ++g) {
            const float reach = all.reach[course.groups + g];
            each_step(play, g, [&](u32, u32 way, u32 to) {
                if (to < Play::kLost)
                    all.reach[all.courses[course.child + way].groups + to] += reach;
            });
        }
    }

    // Sets the opponents' odds after a course to their predicted regrets, as if the last round were
    // repeated (Farina et al. 2021).
    static void reach_others(Game& all, const Course& course, float times) {
        const Play& play = *course.play;
        const auto after = [&](const Step& step) {
            return all.courses[course.child + step.way].groups + step.group;
        };
        for (u32 g = 0; g < play.count(); ++g) {
            const float reach = all.reach[course.groups + g];
            if (play.free[g]) {
                const float odds = set_part(all, course.groups + g, times);
                for (u32 s = play.starts[g]; s < play.starts[g + 1]; ++s)
                    all.reach[after(play.steps[s])] += reach * odds;
                continue;
            }
            const float loss = all.loss[course.groups + g];
            float sum = 0;
            for (u32 s = play.starts[g]; s < play.starts[g + 1]; ++s) {
                const u32 e = course.steps + s;
                sum += all.odds[e] =
                    std::max(0.0f, all.regret[e] + all.loss[after(play.steps[s])] - loss);
            }
            const float equal = 1 / static_cast<float>(play.starts[g + 1] - play.starts[g]);
            for (u32 s = play.starts[g]; s < play.starts[g + 1]; ++s) {
                const u32 e = course.steps + s;
                const float odds = all.odds[e] = sum > 0 ? all.odds[e] / sum : equal;
                all.reach[after(play.steps[s])] += reach * odds;
                all.sum[e] += times * reach * odds;
            }
        }
    }

    // Sets the fraction of a group's losses that counts when a partner has several cards in it.
    static float set_part(Game& all, u32 group, float times) {
        Game::Part& part = all.part[group];
        // As in `reach_others`.
        const float loss = part.odds * part.loss;
        const float more = std::max(0.0f, part.counting + part.loss - loss);
        const float sum = more + std::max(0.0f, part.not_counting - loss);
        part.odds = sum > 0 ? more / sum : 0.5f;
        part.sum += times * all.reach[group] * part.odds;
        part.all += times * all.reach[group];
        return part.odds;
    }

    static void set_odds(Game& all, const Course& course) {
        float sum = 0, count = 0;
        all.each_child(course, [&](const Course& child, u32) {
            sum += child.regret;
            ++count;
        });
        all.each_child(course, [&](Course& child, u32) {
            child.odds = sum > 0 ? child.regret / sum : 1 / count;
        });
    }

    // How often the player loses a group after a step.
    static float loss_after(const Game& all, const Course& course, u32 way, u32 to) {
        return to == Play::kWon    ? 0
               : to == Play::kLost ? 1
                                   : all.loss[all.courses[course.child + way].groups + to];
    }

    static void regret_own(Game& all, Course& course, std::vector<double>& losses) {
        const Play& play = *course.play;
        losses.assign(play.ways.size(), 0);
        for (u32 g = 0; g < play.count(); ++g) {
            const float reach = all.reach[course.groups + g];
            each_step(play, g, [&](u32, u32 way, u32 to) {
                losses[way] += static_cast<double>(reach * loss_after(all, course, way, to));
            });
        }
        double mean = 0;
        all.each_child(course, [&](const Course& child, u32 way) {
            mean += losses[way] * static_cast<double>(child.odds);
        });
        all.each_child(course, [&](Course& child, u32 way) {
            child.regret = std::max(0.0f, child.regret + static_cast<float>(mean - losses[way]));
        });
        set_odds(all, course);  // the others already know the new odds
        for (u32 g = 0; g < play.count(); ++g) {
            float loss = 0;
            each_step(play, g, [&](u32, u32 way, u32 to) {
                const Course& child = all.courses[course.child + way];
                if (!child.dropped) loss += child.odds * loss_after(all, course, way, to);
            });
            all.loss[course.groups + g] = loss;
        }
    }

    static void regret_others(Game& all, const Course& course) {
        const Play& play = *course.play;
        const auto after = [&](const Step& step) {
            return all.courses[course.child + step.way].groups + step.group;
        };
        for (u32 g = 0; g < play.count(); ++g) {
            float& loss = all.loss[course.groups + g];
            if (play.free[g]) {
                Game::Part& part = all.part[course.groups + g];
                part.loss = 1;
                for (u32 s = play.starts[g]; s < play.starts[g + 1]; ++s)
                    part.loss += all.loss[after(play.steps[s])] - 1;
                loss = part.odds * part.loss;
                part.counting = std::max(0.0f, part.counting + part.loss - loss);
                part.not_counting = std::max(0.0f, part.not_counting - loss);
                continue;
            }
            loss = 0;
            for (u32 s = play.starts[g]; s < play.starts[g + 1]; ++s)
                loss += all.odds[course.steps + s] * all.loss[after(play.steps[s])];
            for (u32 s = play.starts[g]; s < play.starts[g + 1]; ++s) {
                float& regret = all.regret[course.steps + s];
                regret = std::max(0.0f, regret + all.loss[after(play.steps[s])] - loss);
            }
        }
    }

private:
    static constexpr std::size_t kEntries = 30'000'000;
};

}  // namespace spadille::plans
