"""Deals for tests."""

from __future__ import annotations

from random import Random

from spadille.cards import sort_cards
from spadille.deal import Deal
from spadille.rules import Rules


def random_deal(rules: Rules, rng: Random) -> Deal:
    """Deal all cards of the pack at random."""
    cards = list(rules.deck)
    rng.shuffle(cards)
    size = rules.game.hand_size
    hands = {
        seat: sort_cards(cards[number * size : (number + 1) * size])
        for number, seat in enumerate(rules.seats)
    }
    return Deal(
        rules=rules,
        dealer=rng.choice(rules.seats),
        hands=hands,
        talon=tuple(cards[size * len(rules.seats) :]),
        talon_ordered=True,
        current_trump=rng.choice(rules.game.current_trumps) if rules.game.current_trumps else None,
    )


def hands_of(rules: Rules, *hands: str) -> dict[str, tuple[str, ...]]:
    """Give the seats in order of play these cards, "SA HK"; the others get none."""
    return {
        seat: tuple(hands[number].split()) if number < len(hands) else ()
        for number, seat in enumerate(rules.turn_order)
    }
