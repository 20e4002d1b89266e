"""Mutations of the trump duel."""

from __future__ import annotations

from marks import Mutation

# The trumps of helpers who are not credited, left out of the sight of the bound.
BLIND_TO_HELPERS = """[&] {
                Board<P> seen = b_;
                for (int p = 0; p < P; ++p)
                    if ((side_ & ~goal_.ours()) >> p & 1) seen.hands[p] &= ~b_.trumps;
                SureTricks<P> blind(seen, follow_.rules, leaders, tricks, duel_, short_, !kLone);
                const bool holds = blind.prove(goal_.ours(), enough, !kLone);
                proof.up |= blind.used();
                return holds;
            }()"""

TRUMPS = (
    Mutation(
        "duel-behind",
        "? leader",
        "? leader - 1",
        "everybody who plays after him in the round may beat his trump",
    ),
    Mutation(
        "duel-number",
        "want",
        "want + 1",
        "a foreign trump beats one of his at most, but it may beat one",
    ),
    Mutation(
        "duel-led-trump",
        "(leader ? leader : h.players)",
        "leader",
        "everybody may beat a trump he leads",
    ),
    Mutation(
        "duel-before",
        "leader",
        "leader + 1",
        "the leader of a round is one of those before him",
    ),
    Mutation(
        "duel-gift",
        "want > 1 && denied(h, want - 1, true)",
        "false",
        "a trick his group gets without his trump puts him on lead, too",
    ),
    Mutation(
        "duel-on-lead",
        "true",
        "may_lead",
        "who has won is on lead and may have to lead a trump",
    ),
    Mutation(
        "duel-stuck",
        "lead == Lead::stuck",
        "false",
        "who has only trumps and is on lead must lead one",
    ),
    Mutation(
        "duel-unknown",
        "some.lanes |= (from << rest) - from;",
        "",
        "all foreign trumps below the known ones count against the rest of his",
    ),
    Mutation(
        "duel-rank",
        "n > 0",
        "n > 1",
        "the lowest trump the duel needs is relevant",
    ),
    Mutation(
        "duel-turn",
        "next<P>(player, k)",
        "next<P>(player, P - k)",
        "the order of play decides who is behind whom",
    ),
    Mutation(
        "duel-group",
        "| (q.group & ((1u << P) - 1))",
        "",
        "an answer about trumps holds for one group",
    ),
    Mutation(
        "duel-called",
        "|| (b.called & b.trumps)",
        "",
        "a called trump is under duty and cannot be played freely",
    ),
    Mutation(
        "duel-matadors",
        "&& !(b.matadors & ~b.held(q.group))",
        "",
        "who has only matadors need not follow to a trump that is led",
    ),
    Mutation(
        "duel-more",
        "q.winners << 1 | draws",
        "draws",
        "an answer holds for so many winners, and for matadors that may be kept or not",
    ),
    Mutation(
        "duel-lead",
        "static_cast<u64>(lead)",
        "0",
        "and for who is on lead",
    ),
    Mutation(
        "duel-low",
        "k < players",
        "k < 1",
        "trumps that beat none of his any more can ruff his winners",
    ),
    Mutation(
        "duel-no-trumps",
        "|| h.low",
        "",
        "without trumps his winners are good while nobody else has any",
    ),
    Mutation(
        "duel-winner-led",
        "h.winners && ruffed(h, want)",
        "false",
        "the others may lead the suit of a winner and ruff it",
    ),
    Mutation(
        "duel-winner-spent",
        "denied(less, want - 1, true)",
        "false",
        "a winner that is let win is spent",
    ),
    Mutation(
        "duel-drawn-beaten",
        "denied(h.drawn(i, k), want, false)",
        "false",
        "each of the others may beat the trump he leads",
    ),
    Mutation(
        "duel-drawn",
        "denied(h.drawn(i, 0), want - 1, true)",
        "false",
        "or let it win and keep a higher one",
    ),
    Mutation(
        "helpers-foreign",
        "sure.prove(goal_.ours(), enough, !kLone)",
        BLIND_TO_HELPERS,
        "W < S: the trumps of helpers who are not credited count as foreign",
    ),
)
