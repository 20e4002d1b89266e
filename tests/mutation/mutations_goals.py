"""Mutations of the goals (tricks, automata, needs), and of carrying proofs over between states."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

GOALS = (
    Mutation(
        "state-win",
        "(known)",
        "(known) + 1",
        "number of tricks: a proof of n tricks does not prove more",
    ),
    Mutation(
        "state-loss",
        "state",
        "state + 1",
        "number of tricks: a refutation of n tricks does not refute fewer",
    ),
    Mutation(
        "too-many",
        "state + 1",
        "state",
        "one foreign trick more than allowed makes the goal impossible",
    ),
    Mutation(
        "automaton-order",
        "order_[first_order_[row] + static_cast<std::size_t>(local_[weak])]",
        "true",
        "most tricks: states are compared in all components; a proof holds only for better states",
    ),
    Mutation(
        "automaton-all-winners",
        "width_",
        "width_ - 2",
        "most tricks: a state is as good as another only if it is as good "
        "after every winner of the trick",
    ),
    Mutation(
        "automaton-marked",
        "width_; ++i",
        "width_; i += 2",
        "Nemo: a state is as good as another only if it is as good after clean and dirty tricks",
    ),
    Mutation(
        "automaton-merge",
        "x == step[0]",
        "settled(x)",
        "a state is settled only if all its successors are",
    ),
    Mutation(
        "automaton-enough",
        "(ours >> (i / 2) & 1) ? e + 1",
        "(ours >> (i / 2) & 1) ? e",
        "enough tricks of the declaring side settle a state, in any order",
    ),
    Mutation(
        "automaton-too-many",
        "(theirs >> (i / 2) & 1) ? l + 1",
        "(theirs >> (i / 2) & 1) ? l",
        "enough tricks of the others settle a state, in any order",
    ),
    Mutation(
        "marked-kept",
        "t.marked || (card & marked_)",
        "(card & marked_) != 0",
        "Nemo: a trick is dirty if any of its cards is marked",
    ),
    Mutation(
        "marked-merged",
        "after.marked",
        "false",
        "Nemo: the needs after a clean and after a dirty trick both belong to the state",
    ),
    Mutation(
        "marked-last-trick",
        "t.marked",
        "false",
        "Nemo: the last trick may be dirty too",
    ),
    Mutation(
        "needs-moved",
        "limits.move_limits(lower);",
        "",
        "needs: a trick of the declarer lowers all needs, and the limits before it",
    ),
    Mutation(
        "needs-rival",
        "- lower",
        "",
        "needs: a rival's trick raises one need",
    ),
    Mutation(
        "needs-rival-lane",
        "rival < own_ ? rival + 1 : rival",
        "1",
        "needs: each rival has a separate need",
    ),
    Mutation(
        "needs-spoilt",
        "if (limits.at(0) < limits.at(1)) limits.put(1, limits.at(0));",
        "",
        "Nemo: the need after a dirty trick limits the need before it",
    ),
    Mutation(
        "needs-lines",
        "Limits::add(other);",
        "",
        "needs: a proof keeps within the limits of all its lines",
    ),
    Mutation(
        "needs-table",
        "proof.limits() = Goal::limits(known);",
        "",
        "needs: a stored proof restores its limits",
    ),
    Mutation(
        "needs-sure",
        "2 * sure - tricks",
        "sure",
        "most tricks: one rival may win all tricks that are not sure",
    ),
    Mutation(
        "needs-marks",
        "marks < sure ? sure - marks : 0",
        "sure",
        "Nemo: each card of the penalty suit may spoil a trick",
    ),
    Mutation(
        "needs-room",
        "< sure",
        "<= sure",
        "most tricks: the rivals together may take only so many tricks that "
        "the declarer stays ahead of each",
    ),
    Mutation(
        "needs-few",
        "his + 1",
        "his",
        "needs: a refutation of n tricks of the declarer does not refute fewer tricks",
    ),
    Mutation(
        "needs-ahead",
        "his + 1",
        "his",
        "most tricks: a refutation by the tricks of one rival does not refute fewer tricks",
    ),
    Mutation(
        "needs-each",
        "limits.bits ^= theirs;",
        "",
        "most tricks: a refutation by the tricks of all rivals does not refute fewer tricks",
    ),
    Mutation(
        "avoids-met",
        "&& of(state).within(limits)",
        "",
        "Nemo: a player who wins no more tricks must already have the clean ones needed",
    ),
    Mutation(
        "avoids-limit",
        "limits.limit(0, 0);",
        "",
        "Nemo: it is relevant that the player already has the clean tricks needed",
    ),
    Mutation(
        "avoids-low",
        "|| Goal::kAvoids",
        "",
        "Nemo: the low cards with which the player avoids tricks are relevant",
    ),
    Mutation(
        "avoids-trumps",
        "!b_.trumps && !b_.called &&",
        "",
        "Nemo: the relaxed Misère game is used only at no trump, if nobody has a duty",
    ),
    Mutation(
        "avoids-all",
        "tricks, tricks",
        "tricks, 1",
        "Nemo: the player must win none of the remaining tricks",
    ),
    Mutation(
        "avoids-apart",
        "kLoneShape |",
        "",
        "Nemo: the relaxed Misère game and the relaxed lone game share a table, but not its lists",
    ),
    Mutation(
        "needs-either",
        "!= (kind_ == Needs::either)",
        "",
        "most tricks: the goal of winning n tricks or more than each rival is "
        "lost only if both parts are",
    ),
)
