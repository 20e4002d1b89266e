// The engine compiled for one instruction set; included by search_plain.cpp and search_fast.cpp.
#include "search_trick.hpp"

namespace spadille::SPADILLE_ISA {

class IsaSolver final : public Solver {
public:
    explicit IsaSolver(std::size_t memory) : memory_(memory) {}

    Stop takes(const Position& p, const Sides& sides, int need, bool& answer) override {
        const TrickGoal goal(sides, p.players);
        // One player against all others for their tricks: Misere.
        const bool misere = p.trump < 0 && !p.called && popcount(sides.side) == 1 &&
                            !(sides.side & sides.credited) &&
                            (sides.side | sides.credited) == (1u << p.players) - 1;
        remember(p, sides);
        return misere ? ask<Game::misere>(p, goal, sides, need, 0, answer)
                      : ask<Game::tricks>(p, goal, sides, need, 0, answer);
    }

    Stop reaches(const Position& p, const Sides& sides, const std::shared_ptr<const Automaton>& a,
                 int state, u64 marked, bool& answer) override {
        remember(p, sides, a, marked);
        return ask<Game::tricks>(p, AutomatonGoal(*a, sides, p.players), sides, state, marked,
                                 answer);
    }

    Stop meets(const Position& p, int player, const Needs& needs, bool& answer) override {
        const Sides sides{1u << player, 1u << player};
        remember(p, sides, nullptr, needs.marked, 1 + needs.kind);
        const NeedsGoal goal(needs, player, p.players);
        return ask<Game::tricks>(p, goal, sides, goal.start(needs), needs.marked, answer);
    }

    Choice choice(const Position& p) override {
        return p.players == 3 ? moves<3>(p) : p.players == 4 ? moves<4>(p) : moves<5>(p);
    }

    void clear() override {
        two_.clear();
        three_.clear();
        four_.clear();
        relaxed_.clear();
        hints_.clear();
        known_ = false;
    }
    std::size_t bytes() const override {
        return two_.bytes() + three_.bytes() + four_.bytes() + relaxed_.bytes();
    }
    void limit(const Limits& limits) override { clock_.set(limits); }
    void budget(u64 nodes) override { clock_.budget(nodes); }
    u64 nodes() const override { return clock_.nodes(); }

private:
    template <Game G, class Goal>
    Stop ask(const Position& p, const Goal& goal, const Sides& sides, int state, u64 marked,
             bool& answer) {
        try {
            switch (p.players) {
                case 3:
                    answer = Search<3, Goal, G>(p, goal, sides, marked, two_, three_, relaxed_,
                                                hints_, duel_, clock_)
                                 .run(p, state);
                    break;
                case 4:
                    answer = Search<4, Goal, G>(p, goal, sides, marked, two_, three_, relaxed_,
                                                hints_, duel_, clock_)
                                 .run(p, state);
                    break;
                default:
                    answer = Search<5, Goal, G>(p, goal, sides, marked, three_, four_, relaxed_,
                                                hints_, duel_, clock_)
                                 .run(p, state);
            }
        } catch (const Stopped& s) { return s.why; }
        return Stop::none;
    }

    template <int P>
    static Choice moves(const Position& p) {
        Board<P> b;
        b.set(p);
        Trick t;
        for (int i = 0; i < p.on_table; ++i) t.add((p.leader + i) % P, bit(p.table[i]), b.trumps);
        const Following<P> follow{b, p.follow};
        const u64 hand = b.hands[(p.leader + p.on_table) % P];
        const u64 legal = p.on_table ? follow.legal(hand, t) : follow.leads(hand);
        return {legal, equivalents(b, legal, b.all)};
    }

    // Proofs hold for other deals and leaders, but only under the same rules, sides and goal.
    void remember(const Position& p, const Sides& s,
                  const std::shared_ptr<const Automaton>& goal = nullptr, u64 marked = 0,
                  int needs = 0) {
        const Follow& f = p.follow;
        const Question q{p.players,
                         p.trump,
                         s.side,
                         s.credited,
                         goal,
                         marked,
                         needs,
                         static_cast<int>(f.rule),
                         f.highest_so_far,
                         f.free_unless_all_lower,
                         f.free_called_lead,
                         f.early_discard};
        if (!known_ || !(q == question_)) {
            clear();
            question_ = q;
            known_ = true;
            const std::size_t within = memory_ / 4;
            const std::size_t for_relaxed = popcount(s.side) == 1 ? memory_ / 4 : 0;
            relaxed_.limit(for_relaxed);
            two_.limit(memory_ - within - for_relaxed);
            three_.limit(p.players < 5 ? within : memory_ - within - for_relaxed);
            four_.limit(within);
        }
        int cards = p.on_table;
        for (int i = 0; i < p.players; ++i) cards += popcount(p.hands[i]);
        hints_.serve(cards);
    }

    struct Question {
        int players = 0, trump = 0;
        u32 side = 0, credited = 0;
        std::shared_ptr<const Automaton> goal;
        u64 marked = 0;
        int needs = 0;
        int rule = 0;
        bool highest_so_far = false, free_unless_all_lower = false, free_called_lead = false,
             early_discard = false;
        bool operator==(const Question& o) const {
            // rule: shared-players, shared-trump, shared-side
            return players == o.players && trump == o.trump && side == o.side &&
                   // rule: shared-credited, shared-goal, shared-penalty
                   credited == o.credited && goal == o.goal && marked == o.marked &&
                   // rule: shared-needs, shared-rule, shared-trigger
                   needs == o.needs && rule == o.rule && highest_so_far == o.highest_so_far &&
                   free_unless_all_lower == o.free_unless_all_lower &&  // rule: shared-mixed
                   // rule: shared-called-lead
                   free_called_lead == o.free_called_lead && early_discard == o.early_discard;
        }
    };

    const std::size_t memory_;
    Table<2> two_;
    Table<3> three_;
    Table<4> four_;
    RelaxedTable relaxed_;
    Hints hints_;
    TrumpDuel duel_;
    Clock clock_;
    Question question_;
    bool known_ = false;
};

}  // namespace spadille::SPADILLE_ISA
