"""Mutations of what a player is assumed to know; caught by tests/knowledge."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

MUTATIONS = (
    Mutation(
        "exempt-matador",
        "must = [other for other in same if position.compellable(other)]",
        "must = same",
        "A player who does not follow a trump lead may hold matadors that need not follow.",
    ),
    Mutation(
        "effective-suit",
        "suits[other] == led",
        "other[0] == led",
        "A void concerns the effective suit: permanent trumps do not belong to their printed suit.",
    ),
    Mutation(
        "turn-up-weight",
        "{number: number for",
        "{number: 1 for",
        "Layouts in which the dealer holds more cards of the suit turned up are more likely.",
    ),
    Mutation(
        "called-card-not-with-caller",
        "hidden.deny(declarer, [called], text)",
        "pass",
        "The caller does not hold the called card.",
    ),
    Mutation(
        "called-card-kept",
        "self.hidden.deny(seat, [called], text)",
        "pass",
        "A player who should have played the called card when its suit was led does not hold it.",
    ),
    Mutation(
        "caller-holds-the-suit",
        "range(1, len(cards))",
        "range(0, len(cards))",
        "In some games, the caller was dealt a card of the suit of the called card.",
    ),
    Mutation(
        "duty-to-bid",
        "height >= bidding.height(least)",
        "True",
        "A player who bid below a duty does not hold such a hand, if duties are trusted.",
    ),
    Mutation(
        "falls-to-holder",
        "start.put(kind.holder, declarer, text)",
        "pass",
        "A contract that falls to the holder of a card shows who was dealt it.",
    ),
    Mutation(
        "held-then",
        "weights, fact, since",
        "weights, fact, 10**6",
        "A higher matador excuses a lower one even if it has been played since.",
    ),
    Mutation(
        "silence-denies",
        "len(others) == 1",
        "False",
        "A player who does not announce going on after winning is not the caller's partner.",
    ),
)
