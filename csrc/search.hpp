// Alpha-beta with a null window: can side S reach its goal from here?
//
// Every answer comes with the cards on which it depends (proof_cards.hpp), so that a table entry
// serves many positions.
#pragma once

#include <type_traits>
#include <vector>

#include "quick_tricks.hpp"
#include "goal.hpp"
#include "relaxed_misere.hpp"
#include "move_order_misere.hpp"
#include "proof_cards.hpp"
#include "real_game.hpp"
#include "relaxed_lone.hpp"
#include "table_keys.hpp"
#include "static_bounds.hpp"
#include "symmetry.hpp"
#include "solver_memory.hpp"

namespace spadille::SPADILLE_ISA {

// `Game` is the game to search: RealGame, for any side and any goal; Misere (real_game.hpp); or the
// LoneGame that bounds the tricks of a lone player.
template <int P, class Goal, template <int> class Game>
class Search {
public:
    using Proof = SPADILLE_ISA::Proof<typename Goal::Limits>;

    Search(const Problem& p, const Goal& goal, const Sides& sides, u64 marked, SolverMemory& memory)
        : goal_(goal), side_(sides.side), marked_(marked), follow_{b_, p.following},
          table_(memory.table<kPlanes<P>>()), within_(memory.table<kPlanes<P> + 1>()),
          relaxed_(memory.relaxed), hints_(memory.hints), duel_(memory.duel),
          endgame_(memory.endgame), clock_(memory.clock),
          weights_{&weights_of(p, ~sides.side & ((1u << P) - 1)), &weights_of(p, sides.side)},
          short_(is_short(p)), declarer_(sides.side ? lowest_index(sides.side) : 0),
          game_{declarer_},
          // rule: lone-game-lone, lone-game-matadors, lone-game-called
          lone_(p.following.grants(kRelaxedLoneAssumes) && popcount(sides.side) == 1 &&
                sides.credited == sides.side && !p.called &&
                (!p.matadors || p.following.matador_rule == MatadorRule::none)),
          harder_(harder(p, sides, declarer_, memory)), trickless_(trickless(p, declarer_, memory)),
          symmetry_(symmetry(p, sides)) {
        if constexpr (Game<P>::kExact) b_.set(p);
    }
    Search(const Search&) = delete;  // members refer to its own board
    Search& operator=(const Search&) = delete;

    bool run(const Problem& p, int state) {
        Play t;
        t.leader = p.leader;
        t.state = state;
        t.tricks = popcount(b_.all) / P;
        Proof proof;
        if (!p.on_table) return lead(1u << p.leader, t.tricks, state, proof);
        if constexpr (std::is_same_v<Goal, AutomatonGoal>) {
            // The table of positions within a trick does not distinguish settled states, so they
            // must not be looked up.
            const bool won = goal_.won(state, t.tricks, b_, proof.limits());
            if (won || goal_.lost(state, t.tricks, proof.limits()))
                return won;  // rule: within-settled
        }
        put_on_table(p, t);
        switch (p.on_table) {
            case 1: return node<1>(t, proof);
            case 2: return node<2>(t, proof);
            case 3:
                if constexpr (P > 3) return node<3>(t, proof);
                break;
            case 4:
                if constexpr (P > 4) return node<4>(t, proof);
                break;
        }
        return false;
    }

    // Whether the declarer reaches the goal in the relaxed lone game from the position on `board`.
    bool holds(const Board<P>& board, u32 leaders, int tricks, int state, Proof& proof) {
        b_ = board;
        return inner(leaders, tricks, state, proof);
    }

private:
    using Play = typename Game<P>::Play;
    static constexpr bool kMisere = std::is_same_v<Game<P>, Misere<P>>;
    static constexpr bool kLone = std::is_same_v<Game<P>, LoneGame<P>>;
    // A proof may depend on low cards. rule: avoids-low
    static constexpr bool kLow = kMisere || Goal::kAvoids;
    // Whether a hint is for a certain number of wanted tricks.
    static constexpr bool kNumber = !kMisere && std::is_same_v<Goal, TrickGoal>;

    // Whether the search may rotate positions of symmetric deals.
    static constexpr bool kRotates =
        P == 4 && !kMisere && !kLone && std::is_same_v<Goal, TrickGoal>;

    template <int K>
    using Rated = std::conditional_t<kMisere, MisereOrder<P, K>, Order<P, K>>;
    // Suits that the leader need not try, because a static bound shows that they lose, and the
    // cards on which this depends.
    struct Lost {
        u64 suits = 0;
        Proof proof;

        void note(const SureTricks<P>& sure, const Proof& wanted) {
            suits = sure.lost();
            if (!suits) return;
            proof = wanted;
            proof.up |= sure.lost_used();
        }
    };
    struct None {};
    using Trickless = std::conditional_t<Goal::kAvoids, RelaxedMisere<P>, None>;
    using Symmetries = std::conditional_t<kRotates, Symmetry, None>;
    using Harder =
        std::conditional_t<kMisere, RelaxedMisere<P>,
                           std::conditional_t<kLone, None, Search<P, TrickGoal, LoneGame>>>;

    // The game that is harder for the declarer.
    static Harder harder(const Problem& p, const Sides& sides, int declarer, SolverMemory& memory) {
        if constexpr (kMisere) return Harder(p, declarer, memory);
        else if constexpr (kLone) return {};
        else return Harder(p, TrickGoal(sides, P), sides, 0, memory);
    }

    // The game used for goals that can be reached without winning another trick.
    static Trickless trickless(const Problem& p, int declarer, SolverMemory& memory) {
        if constexpr (Goal::kAvoids) return Trickless(p, declarer, memory);
        else return {};
    }

    static Symmetries symmetry(const Problem& p, const Sides& sides) {
        if constexpr (kRotates) return Symmetry(p, sides);
        else return {};
    }

    void put_on_table(const Problem& p, Play& t) const {
        t.leader = p.leader;
        for (int i = 0; i < p.on_table; ++i) add(t, next<P>(p.leader, i), bit(p.table[i]));
    }

    // A new trick. One of `leaders` leads. In the relaxed lone game, the others choose one of
    // these; the declarer is among them if the others may give away the previous trick.
    bool lead(u32 leaders, int tricks, int state, Proof& proof) {
        if (goal_.won(state, tricks, b_, proof.limits())) return true;
        if (goal_.lost(state, tricks, proof.limits())) return false;
        clock_.tick();
        const u64 all = b_.held(), outer = b_.all;
        b_.all = all;
        assert(!(all & ~outer) && popcount(all) == P * tricks);
        bool result;
        const u32 first = kLone && (leaders & others()) ? leaders & others() : leaders;
        if (tricks == 1) {
            result = last_trick(first, state, proof);
        } else {
            result = inner(first, tricks, state, proof);
            if constexpr (kLone) {
                const int given = goal_.after(state, declarer_, false);  // rule: lone-game-given
                if (result && first != leaders && !goal_.won(given, tricks, b_, proof.limits()))
                    result =  // rule: lone-game-given-leads
                        and_also(proof, [&](Proof& p) { return inner(own(), tricks, given, p); });
            }
        }
        b_.all = outer;
        return result;
    }

    bool inner(u32 leaders, int tricks, int state, Proof& proof) {
        if constexpr (kLone) return inner_lone(leaders, tricks, state, proof);
        const int leader = lowest_index(leaders);
        if constexpr (kRotates) {
            const Rotation& rotation = symmetry_.rotation(leader);
            if (rotation.places) return rotated(rotation, leader, tricks, state, proof);
        }
        // rule: leader-in-key
        const Shape shape{b_.lengths, rest_of_shape(b_, static_cast<u32>(leader), b_.all)};
        if (!short_) hints_.fetch(hint_line(b_, leader, leader, 0));
        const u32 head = table_.find(shape);
        const Owners<P> owners(b_);
        u64 mask = 0;
        u32 known = 0;
        bool result = false;
        if (head && table_.probe(head, owners.planes, owners.summary, mask, known,
                                 [&](u32 entry) { return goal_.answers(entry, state, result); })) {
            goal_.answers(known, state, result);
            proof.limits() = Goal::limits(known);  // rule: needs-table
            split<kLow>(mask, b_.all, proof);
            return result;
        }
        Lost lost;
        if constexpr (!kMisere)
            if (bounded(leaders, tricks, state, result, proof, lost)) return result;
        if (easier(leaders, tricks, state, proof)) return true;
        result = play(leaders, tricks, state, proof, lost.suits);
        // rule: lost-leads
        if (lost.suits && result != (side_ >> lowest_index(leaders) & 1)) proof.add(lost.proof);
        assert(!proof.won);
        auto pattern = owners.pattern(covered(proof, b_.all));  // rule: closed-upward
        const auto add = [&](u32& entry) {
            return goal_.add(entry, result, state, proof.limits());
        };
        pattern.known = Goal::kUnknown;
        pattern.tricks = static_cast<u16>(tricks);
        add(pattern.known);
        table_.store(shape, pattern, add);
        return result;
    }

    // Searches the rotated position instead, and rotates its proof back.
    bool rotated(const Rotation& rotation, int leader, int tricks, int state, Proof& proof) {
        const bool exchanged = rotation.exchanges_pairs();
        const int wanted = exchanged ? tricks + 1 - state : state;  // rule: symmetric-state
        const Board<P> before = b_;
        rotation.apply(b_);
        Proof found;
        const bool result =
            inner(1u << next<P>(leader, rotation.places), tricks, wanted, found) != exchanged;
        b_ = before;
        proof.up |= rotation.suits_back(found.up);  // rule: symmetric-cards
        return result;
    }

    // In the relaxed lone game, positions are identified by their counts.
    bool inner_lone(u32 leaders, int tricks, int need, Proof& proof) {
        const LoneCounts<P> counts(b_, declarer_, need);  // rule: lone-game-need
        // rule: lone-game-leaders-in-key, avoids-apart
        const Shape shape{b_.lengths, leaders | kLoneShape | b_.fifth << 11};
        const RelaxedTable::Lists lists = relaxed_.find(shape);
        for (const bool known : {true, false}) {
            RelaxedTable::Row limits;
            if (!relaxed_.probe(lists.head[known], counts.row(known), counts.units(), limits))
                continue;
            proof.up |= counts.relevant(limits, known);
            return known;
        }
        bool result;
        Lost lost;
        if (bounded(leaders, tricks, need, result, proof, lost)) return result;
        result = play(leaders, tricks, need, proof, 0);
        relaxed_.store(shape, result, counts.limits(result, covered(proof, b_.all)), counts.units(),
                       tricks);
        return result;
    }

    bool play(u32 leaders, int tricks, int state, Proof& proof, u64 lost) {
        Play t;
        t.leader = lowest_index(leaders);
        t.tricks = tricks;
        t.state = state;
        if constexpr (kLone)
            if (leaders != own())
                return any_lead(b_, declarer_, leaders, t, [&] {
                    return and_also(proof, [&](Proof& p) { return node<0>(t, p); });
                });
        return node<0>(t, proof, lost);
    }

    // The goal is reached if the declarer reaches it in a harder game. For Misère, the harder game
    // is the relaxed Misère game. For clean tricks, the same game is used if the declarer already
    // has the tricks needed and can avoid any others. For a lone player's tricks, it is the relaxed
    // lone game, which is worth its cost only in long searches.
    bool easier(u32 leaders, int tricks, int state, Proof& proof) {
        if constexpr (kMisere) {
            return grants(Harder::kAssumes) &&
                   harder_.holds(b_, leaders, tricks, state, proof.down);
        } else if constexpr (kLone) {
            return false;
        } else {
            if constexpr (Goal::kAvoids) {  // rule: avoids-trumps
                if (grants(Trickless::kAssumes) && !b_.trumps && !b_.called &&
                    goal_.avoids(state, proof.limits()) &&
                    trickless_.holds(b_, leaders, tricks, tricks, proof.down))  // rule: avoids-all
                    return true;
            }
            if (!lone_ || leaders == own() || clock_.early()) return false;
            typename Harder::Proof harder;
            const int enough = goal_.enough(state, tricks, b_, proof.limits());
            if (enough > tricks || !harder_.holds(b_, leaders, tricks, enough, harder))
                return false;
            static_cast<Cards&>(proof) = harder;
            return true;
        }
    }

    u32 own() const { return 1u << declarer_; }
    u32 others() const { return ((1u << P) - 1) ^ own(); }

    // Each hand has one card, so there is nothing to decide.
    bool last_trick(u32 leaders, int state, Proof& proof) {
        if constexpr (kLone) {
            if (leaders & (leaders - 1)) {
                const u32 rest = leaders & (leaders - 1);
                return last_trick(leaders ^ rest, state, proof) &&  // rule: lone-game-last-leaders
                       and_also(proof, [&](Proof& p) { return last_trick(rest, state, p); });
            }
        }
        const int leader = lowest_index(leaders);
        Play t;
        for (int i = 0; i < P; ++i) add(t, next<P>(leader, i), b_.hands[next<P>(leader, i)]);
        const int last = goal_.after(state, t.best_player, t.marked);  // rule: marked-last-trick
        const bool result = goal_.won(last, 0, b_, proof.limits());
        if (!result) goal_.lost(last, 0, proof.limits());
        goal_.before(result, t.best_player, t.marked, proof.limits());
        rest_on_winner(t, result, proof);  // rule: last-winner-relevant
        proof.up |= proof.won;
        proof.won = 0;
        return result;
    }

    // Applies the static bounds. Not used for Misère, whose relaxed game has its own.
    bool bounded(u32 leaders, int tricks, int state, bool& result, Proof& proof, Lost& lost) {
        typename Goal::Limits theirs;
        int too_many = goal_.too_many(state, tricks, theirs);
        // The others share the tricks in other goals, and proofs with all trumps do not pay off.
        const bool endgames =
            std::is_same_v<Goal, TrickGoal> && (short_ ? clock_.late(1) : !clock_.early());
        SureTricks<P> sure(b_, follow_.rules, leaders, tricks, duel_, endgame_,
                           {short_, kLone, endgames});
        int enough = goal_.enough(state, tricks, b_, proof.limits());
        if constexpr (std::is_same_v<Goal, AutomatonGoal> && Automaton::tells_apart(P)) {
            u64 certain;
            if (goal_.apart(state, b_, enough, too_many, certain)) {
                proof.up |= certain;  // rule: certain-rank
                result = !enough;
                if (result || !too_many) return true;
            }
        }
        // The group that needs fewer tricks comes first, because its bound is more likely to hold;
        // if both need the same number, the group on lead comes first. A lone player's bound always
        // comes first, because it takes less time.
        const typename Goal::Limits ours = proof.limits();
        const bool wants = side_ >> lowest_index(leaders) & 1;
        const bool alone = !(goal_.ours() & (goal_.ours() - 1));
        result = alone || enough < too_many || (enough == too_many && wants);
        for (int tries = 0; tries < 2; ++tries, result = !result) {
            proof.limits() = result ? ours : theirs;
            const bool holds = result ? sure.prove(goal_.ours(), enough)  // rule: helpers-foreign
                                      : sure.prove(goal_.theirs(), too_many);
            if (holds) {
                proof.up |= sure.used();
                return true;
            }
            if (result != wants) lost.note(sure, proof);
        }
        proof.limits() = theirs;
        return false;
    }

    // Play within a trick is in search_trick.hpp.
    template <int K>
    bool node(const Play& t, Proof& proof, u64 lost = 0);
    template <int K>
    u64 choose(const Play& t, int player, u64 left, u64 hinted, int tries, Rated<K>& order) const;
    template <int K>
    SPADILLE_INLINE bool try_card(const Play& t, int player, u64 card, Proof& proof);
    bool known_within(const Play& t, bool& result, Proof& proof);
    void keep_within(const Play& t, bool result, Proof proof);

    void add(Play& t, int player, u64 card) const {  // rule: marked-kept
        if constexpr (Goal::kSeesCards) t.marked = t.marked || (card & marked_);
        game_.add(t, player, card, b_.trumps);
    }

    // ---- The cards a proof covers

    // The trick has the same outcome if its winner is the same.
    void rest_on_winner(const Play& t, bool result, Cards& proof) const {
        if (t.contested && game_.rests_on_winner(t, result)) proof.won |= t.best;
    }

    // Replaces a card that won the trick by the rank it needs: a player who succeeds with it chose
    // it from the cards in `own`.
    void raise_winner(u64 card, u64 own, bool succeeds, Cards& proof) const {
        if (!(proof.won & card)) return;
        proof.won ^= card;
        proof.up |= succeeds  // rule: winner-chosen
                        ? highest_spare(card, own, covered(proof, b_.all), b_.all)
                        : card;
    }

    u64 covered(const Cards& p, u64 all) const { return closed<kLow>(b_, follow_.rules, p, all); }

    bool grants(unsigned assumed) const { return follow_.rules.grants(assumed); }

    Board<P> b_;
    Goal goal_;
    u32 side_;
    u64 marked_;
    const LegalCards<Board<P>, Trick> follow_;
    Table<kPlanes<P>>& table_;
    Table<kPlanes<P> + 1>& within_;
    RelaxedTable& relaxed_;
    Hints& hints_;
    TrumpDuel& duel_;
    TrumpEndgame& endgame_;
    Clock& clock_;
    const Weights* const weights_[2];  // of the others, of the side
    const bool short_;
    const int declarer_;  // for Misère and lone players
    const Game<P> game_;
    const bool lone_;  // the player bounded by the relaxed lone game
    Harder harder_;
    Trickless trickless_;
    const Symmetries symmetry_;
};

}  // namespace spadille::SPADILLE_ISA
