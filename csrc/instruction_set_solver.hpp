// The engine compiled for one instruction set; included by search_plain.cpp and search_fast.cpp.
#include "search_trick.hpp"

namespace spadille::SPADILLE_ISA {

class IsaSolver final : public Solver {
public:
    explicit IsaSolver(std::size_t memory) : memory_limit_(memory) {}

    Stop takes(const Problem& p, const Sides& sides, int need, bool& answer) override {
        const TrickGoal goal(sides, p.players);
        // Misère: one player against all others, whose tricks count.
        const bool misere = p.trump < 0 && !p.called && popcount(sides.side) == 1 &&
                            !(sides.side & sides.credited) &&
                            (sides.side | sides.credited) == (1u << p.players) - 1;
        remember(p, sides);
        return misere ? ask<Misere>(p, goal, sides, need, 0, answer)
                      : ask<RealGame>(p, goal, sides, need, 0, answer);
    }

    Stop reaches(const Problem& p, const Sides& sides, const std::shared_ptr<const Automaton>& a,
                 int state, u64 marked, bool& answer) override {
        remember(p, sides, a, marked);
        return ask<RealGame>(p, AutomatonGoal(*a, sides, p.players), sides, state, marked, answer);
    }

    Stop meets(const Problem& p, int player, const Needs& needs, bool& answer) override {
        const Sides sides{1u << player, 1u << player};
        remember(p, sides, nullptr, needs.marked, 1 + needs.kind);
        const NeedsGoal goal(needs, player, p.players);
        return ask<RealGame>(p, goal, sides, goal.start(needs), needs.marked, answer);
    }

    Choice choice(const Problem& p) override {
        return p.players == 3 ? moves<3>(p) : p.players == 4 ? moves<4>(p) : moves<5>(p);
    }

    Refusal refusal(const Problem& p, int card) override {
        const u64 c = bit(card);
        return p.players == 3   ? Turn<3>(p).refusal(c)
               : p.players == 4 ? Turn<4>(p).refusal(c)
                                : Turn<5>(p).refusal(c);
    }

    void clear() override {
        memory_.clear();
        known_ = false;
    }
    std::size_t bytes() const override { return memory_.used; }
    void limit(const Limits& limits) override { memory_.clock.set(limits); }
    void budget(u64 nodes) override { memory_.clock.budget(nodes); }
    u64 nodes() const override { return memory_.clock.nodes(); }

private:
    template <template <int> class Game, class Goal>
    Stop ask(const Problem& p, const Goal& goal, const Sides& sides, int state, u64 marked,
             bool& answer) {
        Stop why = Stop::none;
        try {
            switch (p.players) {
                case 3: answer = search<3, Game>(p, goal, sides, state, marked); break;
                case 4: answer = search<4, Game>(p, goal, sides, state, marked); break;
                default: answer = search<5, Game>(p, goal, sides, state, marked);
            }
        } catch (const Stopped& s) { why = s.why; }
        memory_.clock.end();
        return why;
    }

    template <int P, template <int> class Game, class Goal>
    bool search(const Problem& p, const Goal& goal, const Sides& sides, int state, u64 marked) {
        return Search<P, Goal, Game>(p, goal, sides, marked, memory_).run(p, state);
    }

    // The board, the trick and the hand of the player to move.
    template <int P>
    struct Turn {
        explicit Turn(const Problem& p) : follow{b, p.following} {
            b.set(p);
            for (int i = 0; i < p.on_table; ++i)
                t.add((p.leader + i) % P, bit(p.table[i]), b.trumps);
            hand = b.hands[to_play(p)];
        }
        u64 legal() const { return t.led ? follow.legal(hand, t) : follow.leads(hand); }
        Refusal refusal(u64 card) const { return follow.refusal(hand, t, card); }

        Board<P> b;
        Trick t;
        u64 hand = 0;
        const LegalCards<Board<P>, Trick> follow;
    };

    template <int P>
    static Choice moves(const Problem& p) {
        const Turn<P> turn(p);
        const u64 legal = turn.legal();
        return {legal, equivalents(turn.b, p.following, legal, turn.b.all)};
    }

    // Proofs are also valid for other deals and leaders, but only with the same rules, sides and
    // goal.
    void remember(const Problem& p, const Sides& sides,
                  const std::shared_ptr<const Automaton>& goal = nullptr, u64 marked = 0,
                  int needs = 0) {
        Question question{
            p.players,
            p.trump,  // rule: shared-trump
            sides,  // rule: shared-sides
            goal,  // rule: shared-goal
            marked,  // rule: shared-penalty
            needs,  // rule: shared-needs
            p.following,  // rule: shared-following
        };
        if (!known_ || question_ != question) {
            clear();
            question_ = std::move(question);
            known_ = true;
            memory_.limit = memory_limit_;
        }
        int cards = p.on_table;
        for (int i = 0; i < p.players; ++i) cards += popcount(p.hands[i]);
        memory_.hints.serve(cards);
        if (memory_.clock.paused()) memory_.load_into_caches();
    }

    struct Question {
        int players = 0;
        int trump = 0;
        Sides sides;
        std::shared_ptr<const Automaton> goal;
        u64 marked = 0;
        int needs = 0;
        Following following;
        bool operator==(const Question&) const = default;
    };

    const std::size_t memory_limit_;
    SolverMemory memory_;
    Question question_;  // the question for which the tables were filled
    bool known_ = false;
};

}  // namespace spadille::SPADILLE_ISA
