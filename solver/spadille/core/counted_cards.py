"""The cards that counts of a hand include: those of a suit, of a rank, matadors; points by card.

These functions are used by `Deal.length` and similar methods, and by the functions with the same
names in conditions (`spadille.generate.deals.condition_functions`).
"""

from __future__ import annotations

from collections.abc import Mapping

from spadille.base.argument_checks import check_type
from spadille.base.card_text import RANKS, SUITS
from spadille.base.errors import ArgumentError, RulesError
from spadille.games.model.game import Rules

TALON = "talon"
"""The word for the undealt cards, used like a seat."""

STRENGTH = "A4 K3 Q2 J1"
"""The default scale: the points for each rank."""


def relative_seats(rules: Rules, dealer: str) -> Mapping[str, str]:
    """Map words for seats relative to the dealer, such as "eldest", to the seats."""
    return {"dealer": dealer, "eldest": rules.eldest(dealer)}


def suits_of(rules: Rules, trump: str | None) -> Mapping[str, tuple[str, ...]]:
    """Return the cards of each suit; without a trump, these are the printed suits."""
    if trump is not None:
        return rules.suits(trump)
    return {suit: tuple(card for card in rules.deck if card[0] == suit) for suit in SUITS}


def matador_cards(rules: Rules, trump: str) -> tuple[str, ...]:
    """Return the matadors under a trump; raise RulesError if the game has none."""
    if not rules.game.matadors:
        raise RulesError(f"{rules.game.name} has no matadors", "matadors-none")
    return rules.matadors(trump)


def rank_cards(rules: Rules, ranks: str) -> tuple[str, ...]:
    """Return the cards with these ranks, such as "AK"; raise ArgumentError for any other letter."""
    check_type(ranks, str, "ranks must be text such as 'AK'")
    letters = ranks.upper().replace("10", "T")
    if not letters or any(rank not in RANKS for rank in letters):
        raise ArgumentError(
            f"{ranks!r} has a letter that is not a rank: use {RANKS}", "card-unreadable"
        )
    return tuple(card for card in rules.deck if card[1] in letters)


def card_points(rules: Rules, scale: str = STRENGTH) -> dict[str, int]:
    """Return the points of every card; raise ArgumentError if the scale is unreadable."""
    check_type(scale, str, f"a scale must be text such as '{STRENGTH}'")
    values: dict[str, int] = {}
    for word in scale.upper().replace(",", " ").split():
        rank, value = ("T", word[2:]) if word.startswith("10") else (word[0], word[1:])
        if rank not in RANKS or not (value.isascii() and value.isdecimal() and len(value) < 3):
            raise ArgumentError(f"{word!r} is not a rank and its value: write '{STRENGTH}'")
        if rank in values:
            raise ArgumentError(f"{scale!r} has two values for {rank}: write one for each rank")
        values[rank] = int(value)
    return {card: values.get(card[1], 0) for card in rules.deck}


def check_suit(suit: str) -> str:
    """Return a suit; raise ArgumentError for any other string."""
    if suit not in tuple(SUITS):
        raise ArgumentError(f"{suit!r} is not a suit: {', '.join(SUITS)}", "trump-unknown")
    return suit
