"""Mutations of the trump duel."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

# Hides the trumps of helpers who are not credited from the bound.
BLIND_TO_HELPERS = """[&] {
                Board<P> seen = b_;
                for (int p = 0; p < P; ++p)
                    if ((side_ & ~goal_.ours()) >> p & 1) seen.hands[p] &= ~b_.trumps;
                SureTricks<P> blind(seen, follow_.rules, leaders, tricks, duel_, endgame_,
                                    {short_, kLone, endgames});
                const bool holds = blind.prove(goal_.ours(), enough);
                proof.up |= blind.used();
                return holds;
            }()"""

TRUMPS = (
    Mutation(
        "duel-behind",
        "? leader",
        "? leader - 1",
        "trump duel: every player after the declarer in the round may beat the declarer's trump",
    ),
    Mutation(
        "duel-number",
        "want",
        "want + 1",
        "trump duel: a foreign trump may beat one of the declarer's trumps, but no more",
    ),
    Mutation(
        "duel-led-trump",
        "(leader ? leader : h.players)",
        "leader",
        "trump duel: if the declarer leads, all others play later and may beat the trump",
    ),
    Mutation(
        "duel-before",
        "leader",
        "leader + 1",
        "trump duel: the leader of a round is one of the players before the declarer",
    ),
    Mutation(
        "duel-on-lead",
        "true",
        "may_lead",
        "trump duel: after winning a round, the declarer is on lead and may have to lead a trump",
    ),
    Mutation(
        "duel-stuck",
        "lead == Lead::stuck",
        "false",
        "trump duel: in the first round, a declarer on lead who has only trumps must lead one",
    ),
    Mutation(
        "duel-unknown",
        "h.lanes |= (from << rest) - from;",
        "",
        "trump duel: foreign trumps below the known ones count against the declarer's other ones",
    ),
    Mutation(
        "duel-rank",
        "n > 0",
        "n > 1",
        "trump duel: the lowest trump the duel needs is relevant",
    ),
    Mutation(
        "duel-turn",
        "next<P>(player, k)",
        "next<P>(player, P - k)",
        "trump duel: the order of play decides which player plays after which",
    ),
    Mutation(
        "duel-group",
        "| (q.group & ((1u << P) - 1))",
        "",
        "trump duel: an answer about trumps holds only for one group",
    ),
    Mutation(
        "duel-called",
        "|| (b.called & b.trumps)",
        "",
        "trump duel: a called trump has a duty and cannot be played freely",
    ),
    Mutation(
        "duel-matadors",
        "&& !(b.matadors & ~b.held(q.group))",
        "",
        "trump duel: a player who has only matadors need not follow a trump lead",
    ),
    Mutation(
        "duel-more",
        "q.winners << 1 | draws",
        "draws",
        "trump duel: an answer holds for one number of winners, and with or without the privilege",
    ),
    Mutation(
        "duel-lead",
        "static_cast<u64>(lead)",
        "0",
        "trump duel: an answer holds only for one player on lead",
    ),
    Mutation(
        "duel-low",
        "k < players",
        "k < 1",
        "trump duel: trumps that no longer beat the declarer's can ruff the declarer's winners",
    ),
    Mutation(
        "duel-no-trumps",
        "|| h.low",
        "",
        "trump duel: without trumps, the declarer's winners win only while nobody else has trumps",
    ),
    Mutation(
        "duel-winner-led",
        "h.winners && ruffed(h, want)",
        "false",
        "trump duel: the others may lead the suit of a winner and ruff it",
    ),
    Mutation(
        "duel-drawn-beaten",
        "denied(h.drawn(i, k), want, false)",
        "false",
        "trump duel: if all must follow the trump the declarer leads, each of them may beat it",
    ),
    Mutation(
        "duel-drawn",
        "denied(h.drawn(i, 0), want - 1, true)",
        "false",
        "trump duel: the others may let the trump the declarer leads win and keep a higher one",
    ),
    Mutation(
        "helpers-foreign",
        "sure.prove(goal_.ours(), enough)",
        BLIND_TO_HELPERS,
        "trump duel: the trumps of members of the side who are not credited count as foreign",
    ),
)
