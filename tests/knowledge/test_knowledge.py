"""What a seat knows, against playing every layout of the hidden cards again."""

from __future__ import annotations

import pytest
from endings import CASES, part
from referee import compare, compare_full


@pytest.mark.parametrize(("game", "options", "contract"), part(CASES, 0, 2))
def test_layouts_of_endings_are_those_that_can_be_replayed(
    game: str, options: str, contract: str
) -> None:
    compare(game, options, contract, 0)


@pytest.mark.parametrize(("game", "options", "contract"), part(CASES, 5, 17))
def test_layouts_of_full_deals_are_those_that_can_be_bid_and_replayed(
    game: str, options: str, contract: str
) -> None:
    compare_full(game, options, contract, len(contract) % 3)


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
