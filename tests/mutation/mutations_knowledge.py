"""Mutations of what a player is assumed to know; caught by tests/knowledge."""

from __future__ import annotations

from tests.mutation.marks import Mutation

MUTATIONS = (
    Mutation(
        "exempt-matador",
        "must = [other for other in same if position.compellable(other)]",
        "must = same",
        "Who does not follow a trump lead may have matadors that need not follow.",
    ),
    Mutation(
        "effective-suit",
        "suits[other] == led",
        "other[0] == led",
        "A void is one of the effective suit, permanent trumps being no cards of the printed one.",
    ),
    Mutation(
        "turn-up-weight",
        "{number: number for",
        "{number: 1 for",
        "The more cards of the suit that was turned up the dealer may hold, the likelier.",
    ),
    Mutation(
        "called-card-not-with-caller",
        "hidden.deny(declarer, [called], text)",
        "pass",
        "A called card is not with its caller.",
    ),
    Mutation(
        "called-card-kept",
        "self.hidden.deny(seat, [called], text)",
        "pass",
        "Who must play the called card when its suit is led, and does not, has not got it.",
    ),
    Mutation(
        "caller-holds-the-suit",
        "range(1, len(cards))",
        "range(0, len(cards))",
        "The caller was dealt a card of the suit he calls, where the game wants it.",
    ),
    Mutation(
        "duty-to-bid",
        "height >= bidding.height(least)",
        "True",
        "Who did not bid as high as his duty has no such hand, where duties are trusted.",
    ),
    Mutation(
        "falls-to-holder",
        "start.put(kind.holder, declarer, text)",
        "pass",
        "A contract that falls to the holder of a card tells who was dealt it.",
    ),
    Mutation(
        "held-then",
        "weights, fact, since",
        "weights, fact, 10**6",
        "A higher matador excuses a lower one also if it has been played since.",
    ),
    Mutation(
        "silence-denies",
        "len(others) == 1",
        "False",
        "Who has won the first tricks with the caller and does not say so is not his partner.",
    ),
)
