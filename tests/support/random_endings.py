"""Random endings of every game, contract and option, for tests of code that uses the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from spadille.base.card_text import NO_TRUMP, SUITS, sort_cards
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules

Test = Callable[..., None]
SIZE = {3: 4, 4: 3, 5: 3}  # cards a hand that brute force settles at once


def variants(game: str) -> Iterator[str]:
    """Yield the default rules, then the rules with each option changed in turn."""
    yield ""
    options = GAMES[game].options
    duty = "called_card_duty=first-lead;" if "called_card_duty" in options else ""
    rule = "matador_rule=higher-only;" if "matador_rule" in options else ""
    for name, option in options.items():
        for value in option.values[1:]:
            if name == "call_trumps" or (name.startswith("called_") and name != "called_card_duty"):
                yield f"{duty}{name}={value}"
            elif name in ("matador_trigger", "mixed_matadors"):
                yield f"{rule}{name}={value}"
            else:
                yield f"{name}={value}"


def option_values() -> list[tuple[str, str]]:
    """Return every game with each value of each of its options."""
    return [
        (name, f"{option.name}={value}")
        for name, game in GAMES.items()
        for option in game.options.values()
        for value in option.values
    ]


def following_options(rest: pytest.MarkDecorator = pytest.mark.ci) -> list[Any]:
    """Return each game and option value that changes its rules for following suit, as parameters.

    The first value that changes a field has no mark, so that no field goes untested; the others
    have the mark `rest`.
    """
    cases: list[Any] = []
    tested: set[str] = set()
    for name, options in option_values():
        usual, changed = rules_for(name).following, rules_for(name, options).following
        fields = {
            field for field in changed._fields if getattr(usual, field) != getattr(changed, field)
        }
        if fields:
            marks = () if fields - tested else rest
            cases.append(pytest.param(name, options, marks=marks))
            tested |= fields
    return cases


CASES = [
    (game, options, contract)
    for game in GAMES
    for options in variants(game)
    for contract in rules_for(game, options).contracts
]


def part(cases: Iterable[Any], nth: int, of: int = 3) -> list[Any]:
    """Return every third case, from one of the first on; the others are for the `ci` tier."""
    return [
        each
        if number % of == nth
        else pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.ci)
        for number, each in enumerate(cases)
    ]


def each_of(cases: Iterable[Any], nth: int, of: int = 3) -> Callable[[Test], Test]:
    """Run a test for all cases of a game as one item; most are for the tier ci (see `part`).

    An item per case would take longer than most cases. A note names the case that failed.
    """

    def decorate(test: Test) -> Test:
        shares: dict[str, list[Any]] = {}
        for number, one in enumerate(cases):
            own = number % of == nth
            shares.setdefault(f"{one[0]}{'' if own else '-more'}", []).append(one)

        def every(share: list[Any]) -> None:
            for one in share:
                try:
                    test(*one)
                except Exception as error:
                    error.add_note(f"the case is {one}")
                    raise

        every.__name__, every.__doc__ = test.__name__, test.__doc__
        items = [
            pytest.param(share, id=name, marks=[pytest.mark.ci] * name.endswith("-more"))
            for name, share in shares.items()
        ]
        return pytest.mark.parametrize("share", items)(every)

    return decorate


def tries(few: int, many: int) -> int:
    """Return how often to repeat a random test; `many` if hypothesis tries many examples."""
    return few if settings().max_examples <= 50 else many


def ending(rules: Rules, trump: str, random: Random, size: int = 0) -> Deal:
    """Deal some cards to each hand, preferring high trumps, and choose the tricks won so far."""
    size = size or SIZE[len(rules.seats)]
    best = rules.suits(trump)[trump][:4] if trump != NO_TRUMP else ()
    number = size * len(rules.seats)
    cards = list(best) if random.random() < 0.7 else []
    suits = random.sample(SUITS, random.randint(2, 4))
    rest = [card for card in rules.deck if card not in cards]
    random.shuffle(rest)
    rest.sort(key=lambda card: card[0] not in suits)
    cards += rest[: number - len(cards)]
    random.shuffle(cards)
    won = dict.fromkeys(rules.seats, 0)
    for _ in range(rules.game.hand_size - size):
        won[random.choice(rules.seats)] += 1
    current = rules.game.current_trumps
    return Deal(
        rules=rules,
        dealer=random.choice(rules.seats),
        hands={
            seat: sort_cards(cards[start * size : (start + 1) * size])
            for start, seat in enumerate(rules.seats)
        },
        current_trump=trump if trump in current else random.choice(current) if current else None,
        leader=random.choice(rules.seats),
        won=won,
    )


def some_trump(rules: Rules, kind: ContractType, random: Random) -> str:
    """Return a trump in which the contract can be played on some deal."""
    if kind.trump == "none":
        return NO_TRUMP
    if kind.trump == "current":
        return random.choice(rules.game.current_trumps)
    return kind.trump if kind.trump in SUITS else random.choice(SUITS)


def contract_of(deal: Deal, kind: ContractType, trump: str, random: Random) -> Contract:
    """Return a contract of a random declarer, with a random card to call or partner."""
    seats = deal.rules.seats
    seat, other = random.sample(seats, 2)
    if kind.side == "all":
        ids = (kind.id,) * len(seats)
        return Contract(seats, ids, trump, penalty=random.choice(SUITS))
    if kind.side == "called":
        suits = deal.rules.suit_of(trump)
        hand = deal.hands[other] or ()
        free = [c for c in hand if deal.rules.trumps_callable(kind) or suits[c] != trump]
        return Contract((seat,), (kind.id,), trump, random.choice(free or [None]), other)
    return Contract((seat,), (kind.id,), trump, partner=other if kind.side == "partner" else None)


def case(game: str, options: str, contract_id: str, seed: int) -> tuple[Deal, Contract]:
    """Return an ending and a contract of that kind."""
    random = Random(f"{game} {options} {contract_id} {seed}")
    rules = rules_for(game, options)
    kind = rules.contract(contract_id)
    trump = some_trump(rules, kind, random)
    deal = ending(rules, trump, random)
    if kind.aim == "nemo":  # an end position does not record which tricks were clean
        deal = Deal(rules, deal.dealer, deal.hands, leader=deal.leader)
    return deal, contract_of(deal, kind, trump, random)
