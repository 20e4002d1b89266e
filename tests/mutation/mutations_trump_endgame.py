"""Mutations of the trump endgame."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

ENDGAME = (
    Mutation(
        "endgame-called",
        "if (b.called) return false;",
        "",
        "trump endgame: a called card has a duty, so plain cards cannot be played freely",
    ),
    Mutation(
        "endgame-rank",
        "n < known",
        "n + 1 < known",
        "trump endgame: the lowest trump the endgame needs is relevant",
    ),
    Mutation(
        "endgame-unknown",
        "r.own >= h.known && r.beats == h.known && won()",
        "false",
        "trump endgame: the others may lose to a trump of unknown rank, to avoid the lead",
    ),
    Mutation(
        "endgame-matadors",
        "!(b.matadors & ~b.hands[q.player])",
        "true",
        "trump endgame: a player who has only matadors need not follow a trump lead",
    ),
    Mutation(
        "endgame-first-leader",
        "if (denied(h, k, want)) return true;",
        "",
        "trump endgame: any of the others may lead when the declarer runs out of plain cards",
    ),
    Mutation(
        "endgame-last-plain",
        "if (want > 1 && denied(h, 0, want - 1)) return true;",
        "",
        "trump endgame: the declarer's last plain card may win and force a trump lead",
    ),
    Mutation(
        "endgame-thrown",
        "return denied_waiting(without(h, card, k), want, false);",
        "return false;",
        "trump endgame: while the declarer waits, the others may get rid of trumps",
    ),
    Mutation(
        "endgame-trump-led",
        "h.has(k)",
        "false",
        "trump endgame: while the declarer waits, any of the others may lead a trump",
    ),
    Mutation(
        "endgame-follows",
        "r.trump_led",
        "true",
        "trump endgame: the others need not ruff a plain lead",
    ),
    Mutation(
        "endgame-plain",
        "h.trumps > trumps",
        "h.trumps > trumps + 1",
        "trump endgame: the others' cards that are not trumps are plain cards to lead or throw",
    ),
    Mutation(
        "endgame-relaxed-leaders",
        "with.winners = r.winners | 1u << k;",
        "",
        "relaxed lone game: any of the others who played a trump may lead after winning the trick",
    ),
    Mutation(
        "endgame-relaxed-given",
        "won()",
        "false",
        "relaxed lone game: the others may give a trick that they won to the declarer, who leads",
    ),
    Mutation(
        "endgame-leader",
        "left = r.winners",
        "left = 0",
        "trump endgame: the winner of a trick leads to the next",
    ),
)
