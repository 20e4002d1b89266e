"""Mutations of the search itself: proofs, the table, following suit, goals."""

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


def proof(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "proof.hpp", anchor, replacement, rule)


def shape(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "shape.hpp", anchor, replacement, rule)


def following(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "following.hpp", anchor, replacement, rule)


PROOFS = (
    search(
        "lost-leads",
        "proof.add(lost.proof);",
        "{}",
        "what refutes the leads left out counts",
    ),
    proof(
        "matadors-in-mask",
        "close_up(p.up, all) | (all & b.matadors) | b.called",
        "close_up(p.up, all) | b.called",
        "the owners of all remaining matadors belong to every mask",
    ),
    proof(
        "called-in-mask",
        "close_up(p.up, all) | (all & b.matadors) | b.called",
        "close_up(p.up, all) | (all & b.matadors)",
        "the owner of the called card belongs to every mask",
    ),
    shape(
        "matadors-in-key",
        " | static_cast<u32>(popcount(b.matadors & b.all)) << 3;",
        ";",
        "the number of matadors left is part of the key",
    ),
    shape(
        "called-rank-in-key",
        "suit_of(at) * 13 + above) << 5",
        "suit_of(at) * 13 + 0 * above) << 5",
        "the called card's rank from the top is part of the key",
    ),
    shape(
        "called-in-key",
        "if (b.called) {\n        const int at",
        "if (false) {\n        const int at",
        "whether a called card is out, and of which suit, is part of the key",
    ),
    search(
        "leader-in-key",
        "static_cast<u32>(lowest_index(leaders)));",
        "0u);",
        "the leader is part of the key",
    ),
    shape(
        "fifth-hand-in-key",
        "return rest | b.fifth << 11",
        "return rest",
        "the suit lengths of the fifth hand are part of the key",
    ),
    search(
        "winner-relevant",
        "rest_on_winner(after, result, proof);",
        "",
        "the winning card of a contested trick is relevant",
    ),
    search(
        "last-winner-relevant",
        "rest_on_winner(t, result, proof);",
        "",
        "so it is in the last trick",
    ),
    search(
        "closed-upward",
        "owners.pattern(covered(proof, b_.all))",
        "owners.pattern(proof.up | proof.down | (b_.all & b_.matadors) | b_.called)",
        "relevance is closed before it is stored",
    ),
    proof(
        "closed-downward",
        "cards |= close_down(p.down, all);",
        "cards |= p.down;",
        "misère: relevance from below is closed downward",
    ),
    proof(
        "split-downward",
        "proof.down |= cards & below_gap;",
        "",
        "misère: a stored mask brings its cards from below back",
    ),
    proof(
        "split-upward",
        "proof.up |= cards & ~below_gap;",
        "",
        "misère: a stored mask brings its cards from above back",
    ),
    search(
        "all-node-run",
        "if (relevant & top_of_run(card, hand & ~always, b_.all)) p.up |= card;",
        "",
        "at an all-node, relevance that touches a run extends to its end",
    ),
    search(
        "skipped-run",
        "if (relevant & top_of_run(lowest(out), hand & ~always, b_.all)) p.up |= lowest(out);",
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
        "const u64 relevant = covered(p, b_.all) | close_up(p.won, b_.all);",
        "const u64 relevant = close_up(p.up | p.won, b_.all) | close_down(p.down, b_.all);",
        "skipping respects the cards that are always relevant",
    ),
    search(
        "skip-winner-relevant",
        "covered(p, b_.all) | close_up(p.won, b_.all);",
        "covered(p, b_.all);",
        "cards above the one that wins the trick are not skipped",
    ),
    proof(
        "winner-of-twins-needed-later",
        "(up = next_above(card, all) & own & ~needed) != 0;",
        "(up = next_above(card, all) & own) != 0;",
        "the highest twin wins the trick only if those above are not needed later",
    ),
    search(
        "winner-chosen",
        "result == wants ? highest_spare(card, hand & ~always, covered(p, b_.all), b_.all)",
        "true ? highest_spare(card, hand & ~always, covered(p, b_.all), b_.all)",
        "the winner's rank counts as its highest twin's only where its player chose it",
    ),
    proof(
        "winner-without-twins",
        "if (!(card & own)) return card;",
        "",
        "a matador or called card that wins has no twins above",
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
    proof(
        "matador-ordinary-twins",
        "const u64 always = (b.matadors & all) | b.called;",
        "const u64 always = b.called;",
        "a matador and the ordinary trump below it are not equivalent",
    ),
    proof(
        "called-twins",
        "const u64 always = (b.matadors & all) | b.called;",
        "const u64 always = b.matadors & all;",
        "the called card is equivalent to no neighbour",
    ),
    search(
        "trick-separates-twins",
        "left &= ~twins(b_, left, b_.all);",
        "left &= ~twins(b_, left, b_.foreign(0));",
        "the cards of the running trick separate equivalent cards",
    ),
)

FOLLOWING = (
    Mutation(
        "called-duty-ends",
        "board.hpp",
        "if (card == called) called = called_lane = 0;",
        "",
        "the called card's duty ends when it is played",
    ),
    following(
        "called-led-first",
        "if ((hand & b.called) && !follow.free_called_lead)",
        "if (false)",
        "its holder leads the called suit with it",
    ),
    following(
        "called-follows",
        "if (t.led & b.called & hand) return b.called;",
        "",
        "its holder follows suit with the called card",
    ),
    following(
        "called-no-discard",
        "if (follow.early_discard || hand == b.called) return hand;",
        "return hand;",
        "the called card is no discard",
    ),
    following(
        "privilege",
        "if (!(suit & ~b.matadors) && exempt(suit, t)) return thrown(hand);",
        "",
        "matadors may be kept from a trump lead",
    ),
    following(
        "higher-matador-compels",
        "if (follow.rule == MatadorRule::any_matador_led) return false;",
        "return false;",
        "higher-only: a matador led compels the lower ones alone",
    ),
    following(
        "trigger",
        "follow.highest_so_far ? t.best : t.first",
        "t.first",
        "the highest trump so far compels, where the option says so",
    ),
    following(
        "free-unless-all-lower",
        "follow.free_unless_all_lower ? highest(matadors) > against : lowest(matadors) > against",
        "lowest(matadors) > against",
        "several matadors are bound only if all are lower, where the option says so",
    ),
)

GOALS = (
    Mutation(
        "state-win",
        "goal.hpp",
        "result = state <= proved(known);",
        "result = state <= proved(known) + 1;",
        "a proof of so many tricks proves no more",
    ),
    Mutation(
        "state-loss",
        "goal.hpp",
        "return result || state >= refuted(known);",
        "return result || state + 1 >= refuted(known);",
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
        "t.marked = t.marked || (card & marked_);",
        "t.marked = (card & marked_) != 0;",
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
        "goal_.after(state, t.best_player, t.marked);",
        "goal_.after(state, t.best_player, false);",
        "N: the last trick may be dirty too",
    ),
    Mutation(
        "needs-moved",
        "needs.hpp",
        "limits.move_limits(lower);",
        "",
        "needs: his trick lowers all of them, and the limits before it",
    ),
    Mutation(
        "needs-rival",
        "needs.hpp",
        "limits.put(lane, now - lower);",
        "limits.put(lane, now);",
        "needs: a rival's trick raises one",
    ),
    Mutation(
        "needs-rival-lane",
        "needs.hpp",
        "rival < own_ ? rival + 1 : rival",
        "1",
        "needs: each rival has one of his own",
    ),
    Mutation(
        "needs-spoilt",
        "needs.hpp",
        "if (limits.at(0) < limits.at(1)) limits.put(1, limits.at(0));",
        "",
        "N: after a dirty trick what is needed then limits what was needed before",
    ),
    Mutation(
        "needs-lines",
        "proof.hpp",
        "Limits::add(other);",
        "",
        "needs: a proof keeps within the limits of all its lines",
    ),
    Mutation(
        "needs-table",
        "search.hpp",
        "proof.limits() = Goal::limits(known);",
        "",
        "needs: limits come back with a stored proof",
    ),
    Mutation(
        "needs-sure",
        "needs.hpp",
        "2 * sure - tricks",
        "sure",
        "M: one rival may win all tricks that are not sure",
    ),
    Mutation(
        "needs-marks",
        "needs.hpp",
        "marks < sure ? sure - marks : 0",
        "sure",
        "N: each card of the penalty suit may spoil a trick",
    ),
    Mutation(
        "needs-room",
        "needs.hpp",
        "return room < sure;",
        "return room <= sure;",
        "M: together the rivals may have as many as leaves him ahead of each",
    ),
    Mutation(
        "needs-few",
        "needs.hpp",
        "at_least(limits, 0, his + 1);",
        "at_least(limits, 0, his);",
        "needs: a refutation by his tricks refutes no fewer",
    ),
    Mutation(
        "needs-ahead",
        "needs.hpp",
        "at_least(limits, lane, his + 1);",
        "at_least(limits, lane, his);",
        "M: nor does one by a rival's",
    ),
    Mutation(
        "needs-each",
        "needs.hpp",
        "at_least(limits, lane, needs.need(lane));",
        "",
        "M: nor does one by all rivals'",
    ),
    Mutation(
        "avoids-met",
        "needs.hpp",
        "kind_ == Needs::clean && of(state).within(limits)",
        "kind_ == Needs::clean",
        "N: who wins no more tricks must have the clean ones he needs",
    ),
    Mutation(
        "avoids-limit",
        "needs.hpp",
        "limits.limit(0, 0);\n        return",
        "return",
        "N: and that is relevant",
    ),
    Mutation(
        "avoids-low",
        "search.hpp",
        "kMisere || Goal::kAvoids",
        "kMisere",
        "N: so are the low cards with which he avoids tricks",
    ),
    Mutation(
        "avoids-trumps",
        "search.hpp",
        "!b_.trumps && !b_.called && goal_",
        "goal_",
        "N: at no trump, and nobody is under duty",
    ),
    Mutation(
        "avoids-all",
        "search.hpp",
        "leaders, tricks, tricks, proof.down)",
        "leaders, tricks, 1, proof.down)",
        "N: he must win none of the tricks left",
    ),
    Mutation(
        "avoids-apart",
        "search.hpp",
        "leaders | kGiftShape |",
        "leaders |",
        "N: the loose game and the gift game share a table, not its lists",
    ),
    Mutation(
        "needs-either",
        "needs.hpp",
        "if (few != (kind_ == Needs::either)) return few;",
        "if (few) return few;",
        "M: so many tricks or more than each rival is lost where both are",
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
        ("needs", "needs == o.needs &&", "kinds of needs"),
        ("rule", "rule == o.rule &&", "matador rules"),
        ("trigger", "highest_so_far == o.highest_so_far &&", "triggers"),
        ("mixed", "free_unless_all_lower == o.free_unless_all_lower &&", "rules of mixed matadors"),
        ("called-lead", "free_called_lead == o.free_called_lead && ", "duties of the called card"),
    )
)
