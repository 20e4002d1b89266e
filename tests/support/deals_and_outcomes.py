"""Deals and outcomes for tests."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from spadille.base.card_text import sort_cards
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import Outcome
from spadille.games.model.game import Rules

# A hand file with the play, but with the cards of one hand only.
PLAY_OF_ONE_HAND = """[Game "german-solo"]
[Dealer "N"]
[Deal "N:AK.AKQ.8.Q7 - - -"]
[Declarer "S"]
[Contract "frog"]
[Trump "H"]
[Called "DA"]
[Play "E"]
D7 D9 HT D8
H9 +  CT C7
*
"""


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
    """Give these cards, such as "SA HK", to the seats in order of play; other seats get none."""
    return {
        seat: tuple(hands[number].split()) if number < len(hands) else ()
        for number, seat in enumerate(rules.turn_order)
    }


def blank(rules: Rules, **changes: object) -> Deal:
    """Make a deal whose cards do not affect the score: all hands are unknown."""
    deal = Deal(rules, rules.seats[0], dict.fromkeys(rules.seats))
    return replace(deal, **changes)  # type: ignore[arg-type]


def outcome(rules: Rules, tricks: str, run: str | None = None, went_on: bool = False) -> Outcome:
    """Return the outcome with these tricks, "5 1 1 1", in the order of `rules.seats`."""
    numbers = map(int, tricks.split())
    return Outcome(dict(zip(rules.seats, numbers, strict=True)), run, went_on=went_on)


def gains(score: dict[str, int], rules: Rules) -> list[int]:
    """List payoffs in the order of `rules.seats`, the pool's last."""
    return [score[seat] for seat in (*rules.seats, "pool") if seat in score]
