"""What tests/mutation.py breaks: one rule of the search at a time, by one replacement in csrc/.

Each anchor must stand in its file exactly once; tests/test_mutations.py watches over that.
"""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """One rule, and how it is taken away."""

    name: str
    file: str
    anchor: str
    replacement: str
    rule: str


def search(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "search.hpp", anchor, replacement, rule)


def bounds(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "bounds.hpp", anchor, replacement, rule)


# The trumps of helpers who are not credited, left out of the sight of the bound.
BLIND_TO_HELPERS = """[&] {
                Board<P> seen = b_;
                const u32 helpers = (group & side_ ? side_ : ~side_) & ~group;
                for (int p = 0; p < P; ++p)
                    if (helpers >> p & 1) seen.hands[p] = 0;
                return trump_tricks<P>(seen, group, want, used);
            }()"""

PROOFS = (
    search(
        "matadors-in-mask",
        "close_up(p.up, all) | (all & b_.matadors) | b_.called",
        "close_up(p.up, all) | b_.called",
        "the owners of all remaining matadors belong to every mask",
    ),
    search(
        "called-in-mask",
        "close_up(p.up, all) | (all & b_.matadors) | b_.called",
        "close_up(p.up, all) | (all & b_.matadors)",
        "the owner of the called card belongs to every mask",
    ),
    search(
        "matadors-in-key",
        " | static_cast<u32>(popcount(b_.matadors & b_.all)) << 3",
        "",
        "the number of matadors left is part of the key",
    ),
    search(
        "called-rank-in-key",
        "suit_of(at) * 13 + above) << 5",
        "suit_of(at) * 13 + 0 * above) << 5",
        "the called card's rank from the top is part of the key",
    ),
    search(
        "called-in-key",
        "if (b_.called) {\n            const int at",
        "if (false) {\n            const int at",
        "whether a called card is out, and of which suit, is part of the key",
    ),
    search(
        "leader-in-key",
        "u32 rest = static_cast<u32>(leader) |",
        "u32 rest = static_cast<u32>(leader & 0) |",
        "the leader is part of the key",
    ),
    search(
        "fifth-hand-in-key",
        "return rest | b_.fifth << 11",
        "return rest",
        "the suit lengths of the fifth hand are part of the key",
    ),
    search(
        "winner-relevant",
        "if (after.contested) proof.up |= after.best;",
        "",
        "the winning card of a contested trick is relevant",
    ),
    search(
        "last-winner-relevant",
        "if (t.contested) proof.up |= t.best;",
        "",
        "so it is in the last trick",
    ),
    search(
        "closed-upward",
        "const u64 cards = closed(proof);",
        "const u64 cards = proof.up | proof.down | (b_.all & b_.matadors) | b_.called;",
        "relevance is closed before it is stored",
    ),
    search(
        "closed-downward",
        "cards |= close_down(p.down, all);",
        "cards |= p.down;",
        "misère: relevance from below is closed downward",
    ),
    search(
        "split-downward",
        "proof.down |= cards & below_gap;",
        "",
        "misère: a stored mask brings its cards from below back",
    ),
    search(
        "split-upward",
        "proof.up |= cards & ~below_gap;",
        "",
        "misère: a stored mask brings its cards from above back",
    ),
    search(
        "all-node-run",
        "if (relevant & top_of_run(card, hand & ~always, t.all)) p.up |= card;",
        "",
        "at an all-node, relevance that touches a run extends to its end",
    ),
    search(
        "skipped-run",
        "if (relevant & top_of_run(lowest(out), hand & ~always, t.all)) p.up |= lowest(out);",
        ";",
        "so it does in the runs of cards that are skipped",
    ),
    search(
        "all-node-union",
        "            all.add(p);\n",
        "            all = p;\n",
        "at an all-node, the proofs of all cards count",
    ),
    search(
        "skip-always-relevant",
        "const u64 relevant = closed(p, t.all);",
        "const u64 relevant = close_up(p.up, t.all) | close_down(p.down, t.all);",
        "skipping respects the cards that are always relevant",
    ),
    search(
        "skip-irrelevant-only",
        "if (!(relevant & card)) {",
        "if (true) {",
        "cards are skipped only after a card whose rank did not matter",
    ),
    search(
        "skip-to-relevant",
        "left &= ~(lane(suit_of(lowest_index(card))) & ~relevant);",
        "left &= ~lane(suit_of(lowest_index(card)));",
        "cards whose rank did matter are not skipped",
    ),
)

EQUIVALENCE = (
    search(
        "matador-ordinary-twins",
        "const u64 always = (b_.matadors & all) | b_.called;",
        "const u64 always = b_.called;",
        "a matador and the ordinary trump below it are not equivalent",
    ),
    search(
        "called-twins",
        "const u64 always = (b_.matadors & all) | b_.called;",
        "const u64 always = b_.matadors & all;",
        "the called card is equivalent to no neighbour",
    ),
    search(
        "trick-separates-twins",
        "left &= ~twins(left, t.all);",
        "left &= ~twins(left, b_.foreign(0));",
        "the cards of the running trick separate equivalent cards",
    ),
)

FOLLOWING = (
    search(
        "called-duty-ends",
        "if (card == called) b_.called = b_.called_lane = 0;",
        "",
        "the called card's duty ends when it is played",
    ),
    search(
        "called-led-first",
        "if ((hand & b_.called) && !follow_.free_called_lead)",
        "if (false)",
        "its holder leads the called suit with it",
    ),
    search(
        "called-follows",
        "if (t.led & b_.called & hand) return b_.called;",
        "",
        "its holder follows suit with the called card",
    ),
    search(
        "called-no-discard",
        "if (follow_.early_discard || hand == b_.called) return hand;",
        "return hand;",
        "the called card is no discard",
    ),
    search(
        "privilege",
        "if (!(suit & ~b_.matadors) && exempt(suit, t)) return thrown(hand);",
        "",
        "matadors may be kept from a trump lead",
    ),
    search(
        "higher-matador-compels",
        "if (follow_.rule == MatadorRule::any_matador_led) return false;",
        "return false;",
        "higher-only: a matador led compels the lower ones alone",
    ),
    search(
        "trigger",
        "follow_.highest_so_far ? t.best : t.first",
        "t.first",
        "the highest trump so far compels, where the option says so",
    ),
    search(
        "free-unless-all-lower",
        "follow_.free_unless_all_lower ? highest(matadors) > against : lowest(matadors) > against",
        "lowest(matadors) > against",
        "several matadors are bound only if all are lower, where the option says so",
    ),
)

TRUMPS = (
    bounds(
        "matching-greedy",
        "++free;",
        "free = 1;",
        "trump matching: each higher foreign trump beats one",
    ),
    bounds(
        "matching-number",
        "if (length - against >= want) {",
        "if (length - against + 1 >= want) {",
        "trump matching: with no rank only the difference of the numbers holds",
    ),
    bounds(
        "matching-rank",
        "used = card;\n                return want;",
        "used = 0;\n                return want;",
        "trump matching: the lowest trump counted is relevant",
    ),
    search(
        "helpers-foreign",
        "trump_tricks<P>(b_, group, want, used)",
        BLIND_TO_HELPERS,
        "W < S: the trumps of helpers who are not credited count as foreign",
    ),
)

QUICK_TRICKS = (
    bounds(
        "quick-called-suit",
        "if (!own || (b.called_lane & own)) return;",
        "if (!own) return;",
        "quick tricks leave the called suit alone",
    ),
    bounds(
        "quick-called-crossing",
        " || (cards & b.called_lane)) return false;",
        ") return false;",
        "no crossing in the called suit",
    ),
    bounds(
        "quick-called-partner",
        "if (b.called_lane & own) winners = 0;",
        "",
        "a partner's winners in the called suit do not count",
    ),
    bounds(
        "quick-ruffs",
        "const int winners = least(winners_[suit], unruffed(suit));",
        "const int winners = winners_[suit];",
        "a plain suit counts only until somebody foreign may ruff it",
    ),
    bounds(
        "quick-drawn-trumps",
        "b.length(p, b.trump) > drawn_)",
        "b.length(p, b.trump) > drawn_ + 1)",
        "somebody foreign ruffs until all his trumps are drawn",
    ),
    bounds(
        "quick-long-cards",
        "winners >= longest ? popcount(own)",
        "winners + 1 >= longest ? popcount(own)",
        "low cards count when nobody else has the suit left",
    ),
    bounds(
        "quick-ducked",
        "if (joint != tops && ducked(suit, joint)) tops = joint;",
        "tops = joint;",
        "tops below a partner's count only if he can play lower each time",
    ),
    bounds(
        "quick-rank",
        "const int needed = least(least(winners, want), longest_[suit]);",
        "const int needed = 0 * least(least(winners, want), longest_[suit]);",
        "the lowest winner counted is relevant",
    ),
    bounds(
        "cashed-partner-ruffs",
        "if (!cashed || cashed >= cap) return false;",
        "if (!cashed) return false;",
        "trumps a partner must ruff with are no trump tricks afterwards",
    ),
    bounds(
        "cashed-rank",
        "used = proof | trumps;",
        "used = trumps;",
        "the winners cashed before the trump tricks are relevant",
    ),
    bounds(
        "quick-partner-ruffs",
        "const int cap = unforced(group_ & ~(1u << leader_));",
        "const int cap = 99;",
        "a partner left with only trumps must ruff",
    ),
    bounds(
        "quick-called-no-discard",
        "popcount(b.hands[p] & ~b.trumps & ~b.called) + 1",
        "popcount(b.hands[p] & ~b.trumps) + 1",
        "a called card is no discard",
    ),
    bounds(
        "cross-trumps",
        "if (suit == b.trump) return !(b.matadors & b.all);",
        "if (suit == b.trump) return true;",
        "no crossing in trumps while matadors are out",
    ),
    bounds(
        "cross-low-card",
        "if (b.length(leader_, suit) <= rounds_[suit]) return false;",
        "if (b.length(leader_, suit) < rounds_[suit]) return false;",
        "to cross, the leader has a card of the suit left",
    ),
    bounds(
        "cross-partner-tops",
        "const u64 tops = above(own, b.all & lane(s) & ~gone(s) & ~own);",
        "const u64 tops = above(own, b.all & lane(s) & ~tops_[s] & ~own);",
        "the leader's winners that were not cashed stand above the partner's",
    ),
    bounds(
        "cross-ruffs",
        "return unruffed(suit) > rounds_[suit];",
        "return true;",
        "a suit somebody foreign may ruff is no crossing",
    ),
    bounds(
        "cross-other-partners",
        "unforced(group_ & ~(1u << leader_ | 1u << p)));",
        "99);",
        "the other partners, left with only trumps, must ruff the partner's winners",
    ),
    bounds(
        "cross-discards",
        "if (!reached || discards > spare) return 0;",
        "if (!reached) return 0;",
        "meanwhile the partner throws plain cards he does not need",
    ),
    bounds(
        "cross-called-no-discard",
        "spare += length - rounds - winners - popcount(own & b.called);",
        "spare += length - rounds - winners;",
        "the called card is none of those",
    ),
    bounds(
        "cross-leader-ruffs",
        "sum = least(sum, left > 0 ? left : 0);",
        "(void)left;",
        "the leader, left with only trumps, must ruff the partner's winners",
    ),
    bounds(
        "cross-partner-ruffed",
        "winners = least(winners, unruffed(s) - rounds);",
        "",
        "the partner's winners count only until somebody foreign may ruff them",
    ),
    bounds(
        "cross-partner-length",
        "if (winners >= longest) winners = length - rounds;",
        "if (winners + 1 >= longest) winners = length - rounds;",
        "his low cards count when nobody else has the suit left",
    ),
    bounds(
        "cross-partner-rank",
        "if (needed) used |= nth_highest(tops, needed);\n                if (winners",
        "if (winners",
        "his lowest winner counted is relevant",
    ),
    bounds(
        "cross-rank",
        "if (!needed) used |= nth_highest(tops, 1);",
        "",
        "the card crossed to is relevant",
    ),
)

LATER_TRICKS = (
    bounds(
        "later-called-suit",
        "if (cards & b.called_lane) return false;",
        "",
        "later tricks leave the called suit alone",
    ),
    bounds(
        "later-trump-lead",
        "if (s == b.trump && (b.matadors & b.all)) return false;",
        "",
        "no tricks after a trump lead while matadors are out",
    ),
    bounds(
        "later-ruffs",
        "if (holder < 0 || ruffed) {",
        "if (holder < 0) {",
        "a top card somebody foreign can ruff is no later trick",
    ),
    bounds(
        "later-void",
        "if (!own || b.length(p, suit)) return false;",
        "if (!own) return false;",
        "only who has none of the suit led may ruff it",
    ),
    bounds(
        "later-overruffed",
        "const u64 able = over ? own & ~((highest(over) << 1) - 1) : own;",
        "const u64 able = own;",
        "a ruff counts only if nobody foreign can ruff higher",
    ),
    bounds(
        "later-ruff-discards",
        "if (over && want > 1) return false;",
        "",
        "who may ruff, too, discards instead and ruffs a round earlier later on",
    ),
    bounds(
        "later-ruffing-trump",
        "after.take(p, card);\n        after.all ^= card;",
        "",
        "the trump that ruffed is gone",
    ),
    bounds(
        "later-rank",
        "u64 run = top;",
        "u64 run = 0;",
        "the top card is relevant",
    ),
)

ONE_TRICK = (
    bounds("one-two-tops", "kept[p] < 2)", "kept[p] < 3)", "one trick: a player keeps two tops"),
    bounds(
        "one-trumps",
        "group >> p & 1 ? b.called : b.trumps",
        "group >> p & 1 ? b.called : 0",
        "one trick: the others have no trumps",
    ),
    bounds(
        "one-called",
        "group >> p & 1 ? b.called : b.trumps",
        "group >> p & 1 ? 0 : b.trumps",
        "one trick: none of the group is bound by a called card",
    ),
    bounds(
        "one-called-suit",
        " && !(cards & b.called_lane) && kept[p]",
        " && kept[p]",
        "one trick: the called suit's top does not count",
    ),
    bounds(
        "one-number",
        "if (theirs >= tricks) return false;",
        "if (theirs > tricks) return false;",
        "one trick: the others' suits cannot fill all tricks",
    ),
    bounds(
        "one-rank",
        "tops |= top;",
        "tops |= 0;",
        "one trick: the tops are relevant",
    ),
)

MISERE = (
    bounds(
        "never-below",
        "if (smaller > rank++) return false;",
        "if (smaller > ++rank) return false;",
        "never wins: at most i - 1 foreign cards below the i-th lowest",
    ),
    bounds(
        "never-longest",
        "left && rank < longest;",
        "left && rank + 1 < longest;",
        "never wins: so for every i up to the greatest foreign length",
    ),
    bounds("never-rank", "proof |= last;", "", "never wins: what it rests on is relevant"),
    search(
        "never-off-lead",
        "if (leader != declarer && !b_.trumps && never_wins",
        "if (!b_.trumps && never_wins",
        "never wins: the declarer is off lead",
    ),
    bounds(
        "must-everybody",
        "forced = p == declarer || !b.length(p, s) || (b.hands[p] & lane(s) & (card - 1));",
        "forced = p != leader || !b.length(p, s) || (b.hands[p] & lane(s) & (card - 1));",
        "must win: every foreign holder of the suit has a lower card",
    ),
    bounds(
        "must-all-suits",
        "if (!forced) return false;\n        proof |= card;",
        "if (!forced) continue;\n        proof |= card;",
        "must win: on lead, in all suits",
    ),
    bounds(
        "must-suit-led",
        "if (!own || (leader != declarer && !b.length(leader, s))) continue;",
        "if (!own) continue;",
        "must win: off lead, in a suit of the leader's",
    ),
    bounds(
        "must-rank",
        "below = card;\n            return true;",
        "return true;",
        "must win: what it rests on is relevant",
    ),
    search(
        "must-one",
        "if (too_many == 1 && !b_.trumps && must_win",
        "if (!b_.trumps && must_win",
        "must win: one trick too many",
    ),
)

GOALS = (
    Mutation(
        "state-win",
        "goal.hpp",
        "return state <= proved; }",
        "return state <= proved + 1; }",
        "a proof of so many tricks proves no more",
    ),
    Mutation(
        "state-loss",
        "goal.hpp",
        "return state >= proved; }",
        "return state + 1 >= proved; }",
        "a refutation of so many tricks refutes no fewer",
    ),
    Mutation(
        "too-many",
        "goal.hpp",
        "return tricks - state + 1; }",
        "return tricks - state; }",
        "so many foreign tricks and one more make the goal impossible",
    ),
    Mutation(
        "automaton-order",
        "automaton.hpp",
        "return order_[first_order_[row] + static_cast<std::size_t>(local_[weak])];",
        "return true;",
        "M: states are compared in all components; a proof holds for better ones only",
    ),
    Mutation(
        "automaton-all-winners",
        "automaton.cpp",
        "all && i < width_; ++i)",
        "all && i < width_ - 2; ++i)",
        "M: a state is as good as another only if it is so whoever wins",
    ),
    Mutation(
        "automaton-marked",
        "automaton.cpp",
        "all && i < width_; ++i)",
        "all && i < width_; i += 2)",
        "N: a state is as good as another only if it is so for clean and dirty tricks",
    ),
    Mutation(
        "automaton-merge",
        "automaton.cpp",
        "[&](int x) { return x == step[0]; }))",
        "[&](int x) { return settled(x); }))",
        "a state is settled only if all that can follow is",
    ),
    Mutation(
        "automaton-enough",
        "automaton.cpp",
        "(ours >> (i / 2) & 1) ? e + 1 : e);",
        "(ours >> (i / 2) & 1) ? e : e);",
        "so many tricks of ours settle a state, in any order",
    ),
    Mutation(
        "automaton-too-many",
        "automaton.cpp",
        "(theirs >> (i / 2) & 1) ? l + 1 : l);",
        "(theirs >> (i / 2) & 1) ? l : l);",
        "so many tricks of theirs settle a state, in any order",
    ),
    search(
        "marked-kept",
        "out.marked = t.marked || (card & marked_);",
        "out.marked = (card & marked_) != 0;",
        "N: a trick is dirty if any of its cards is marked",
    ),
    search(
        "marked-merged",
        "goal_.after(t.state, after.best_player, after.marked)",
        "goal_.after(t.state, after.best_player, false)",
        "N: what is needed if clean and if dirty both belong to the state",
    ),
    search(
        "marked-last-trick",
        "goal_.after(state, t.best_player, t.marked), 0)",
        "goal_.after(state, t.best_player, false), 0)",
        "N: the last trick may be dirty too",
    ),
)

SHARING = tuple(
    Mutation(
        f"shared-{what}",
        "search_isa.hpp",
        condition,
        "",
        f"a table is not shared between different {rule}",
    )
    for what, condition, rule in (
        ("players", "players == o.players && ", "numbers of players"),
        ("trump", "trump == o.trump && ", "trumps"),
        ("side", "side == o.side &&", "sides"),
        ("credited", "credited == o.credited && ", "credited players"),
        ("goal", "goal == o.goal && ", "goals (horizons, payoffs, thresholds)"),
        ("penalty", "marked == o.marked && ", "penalty suits"),
        ("rule", "rule == o.rule &&", "matador rules"),
        ("trigger", "highest_so_far == o.highest_so_far &&", "triggers"),
        ("mixed", "free_unless_all_lower == o.free_unless_all_lower &&", "rules of mixed matadors"),
        ("called-lead", "free_called_lead == o.free_called_lead && ", "duties of the called card"),
    )
)

MUTATIONS = (
    *PROOFS,
    *EQUIVALENCE,
    *FOLLOWING,
    *TRUMPS,
    *QUICK_TRICKS,
    *LATER_TRICKS,
    *ONE_TRICK,
    *MISERE,
    *GOALS,
    *SHARING,
)
