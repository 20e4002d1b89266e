"""Compare what a seat knows with a replay of every layout of the hidden cards."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import know
from spadille.games import GAMES, rules_for
from tests.support.game_option_cases import CASES, following_options
from tests.support.knowledge_referee import compare, compare_full
from tests.support.tiers import each_of, part


@pytest.mark.first_cases(1)
@each_of(CASES, 0, 2)
def test_layouts_of_endings_are_those_that_can_be_replayed(
    game: str, options: str, contract: str
) -> None:
    compare(game, options, contract, 0)


@pytest.mark.first_cases(2)
@each_of(CASES[::2], 5, 17)
def test_layouts_of_full_deals_are_those_that_can_be_bid_and_replayed(
    game: str, options: str, contract: str
) -> None:
    compare_full(game, options, contract, len(contract) % 3)


@pytest.mark.slow
@each_of(CASES[1::2], 0, 1)
def test_layouts_of_the_other_full_deals(game: str, options: str, contract: str) -> None:
    compare_full(game, options, contract, len(contract) % 3)


def together(seed: int) -> tuple[str, str, str]:
    """Return a game, any value of each of its options, and a contract."""
    random = Random(seed)
    game = random.choice(list(GAMES))
    options = {
        name: random.choice(option.values)
        for name, option in GAMES[game].options.items()
        if option.values
    }
    options.pop("color", None)
    text = ";".join(f"{name}={value}" for name, value in options.items())
    return game, text, random.choice(list(rules_for(game, text).contracts))


@pytest.mark.parametrize("first", part(range(0, 200, 10), 1, 5))
def test_options_together(first: int) -> None:
    for seed in range(first, first + 10):
        compare(*together(seed), seed)


@pytest.mark.parametrize(("game", "option"), following_options())
def test_each_option_for_following_suit(game: str, option: str) -> None:
    """A new field of `Following` fails here if `play_inferences.py` does not handle it."""
    calls = "called" in option
    kinds = rules_for(game, option).contracts.items()
    contracts = [name for name, kind in kinds if kind.side == "called" or not calls]
    for seed in range(60 if calls else 30):
        try:
            compare(game, option, contracts[seed % len(contracts)], seed)
        except AssertionError as error:
            raise AssertionError(
                f"with {option}, core/knowledge/play_inferences.py draws too many or too few "
                f"conclusions from a card: {error}"
            ) from error


@pytest.mark.slow
@pytest.mark.parametrize("first", range(200, 3200, 100))
def test_many_options_together(first: int) -> None:
    for seed in range(first, first + 100):
        compare(*together(seed), seed)
        if seed % 5 == 0:
            compare_full(*together(seed), seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 16))
def test_layouts_of_many_endings(seed: int) -> None:
    for case in CASES:
        compare(*case, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 9))
def test_layouts_of_many_full_deals(seed: int) -> None:
    for case in CASES:
        compare_full(*case, seed)


@pytest.mark.parametrize(
    ("comparison", "game", "options", "contract", "seed"),
    [
        # A called card may be kept when its suit is led.
        (compare, "quintille", "called_card_duty=first-lead", "alliance", 22),
        # The caller was dealt another card of the suit.
        (compare_full, "mensch", "call_rank=ace-then-any", "half", 1),
        # A player must bid.
        (compare_full, "mensch", "", "half", 1),
        # A contract falls to the holder of a card.
        (compare_full, "mensch", "call_rank=ace-then-king", "pass-out", 5),
        # A lower matador may be kept together with a higher one.
        (
            *(compare, "ombre"),
            "matador_rule=higher-only;mixed_matadors=free-unless-all-lower",
            *("solo", 34),
        ),
        # A player who wins the first tricks with the caller without declaring is not the partner.
        (compare_full, "quintille", "declared_vole_fail=as-remise", "forced-spadille", 0),
    ],
)
def test_hands_that_show_a_rule_seldom_needed(
    comparison: Callable[..., int], game: str, options: str, contract: str, seed: int
) -> None:
    assert comparison(game, options, contract, seed)


def test_a_caller_whose_card_is_not_recorded_says_nothing() -> None:
    """In a Frog of German Solo, a card is called, but the record of an unknown hand may lack it."""
    hands = {"N": tuple("SA HA DA CQ S9 H9 D9 C9".split()), "E": None, "S": None, "W": None}  # noqa: SIM905
    deal = Deal(rules_for("german-solo"), "N", hands)
    assert know(deal, Contract(("E",), ("frog",), "C"), "N").sentences == ()
