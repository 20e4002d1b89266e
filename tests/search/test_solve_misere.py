"""The outcome of a Misère is always found; counting the tricks of a lost one may hit a limit."""

from __future__ import annotations

from random import Random

import pytest

from spadille.analysis.value.solve import solve
from spadille.base.card_text import CARD_ORDER, format_hand
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.search.limits import Limits


def deal(seed: int) -> Deal:
    cards = list(CARD_ORDER)
    Random(seed).shuffle(cards)
    hands = " ".join(format_hand(cards[i : i + 13]) for i in range(0, 52, 13))
    return Deal.parse(f"N:{hands}", "solo-whist", current_trump="H")


@pytest.mark.parametrize("seed", range(4))
def test_an_ordinary_hand_is_known_to_lose_though_not_by_how_much(seed: int) -> None:
    contract = Contract.make(deal(seed), "misere", "N")
    result = solve(deal(seed), contract, limits=Limits(hard_nodes=20_000))
    assert result.makes is False
    assert result.score is not None
    assert result.score["N"] == -6
    low, high = result.bounds
    assert 1 <= low <= high <= 13
    assert result.finished == (low == high)
    assert result.nodes > 0


def test_bounds_hold_and_meet_without_the_limit() -> None:
    # The last five tricks of such a deal, so that the end is near.
    ending = Deal.parse(
        "N:K3.Q2.J. 52.J.T9. A4.T3.2. 76.A9.8.", "solo-whist", current_trump="H", leader="N"
    )
    contract = Contract.make(ending, "misere", "N")
    exact = solve(ending, contract, limits=Limits(hard_nodes=0))
    assert exact.finished
    for limit in (1, 5, 50, 500):
        low, high = solve(ending, contract, limits=Limits(hard_nodes=limit)).bounds
        assert low <= exact.tricks <= high
        assert (low > 0) == (not exact.makes)


def test_a_made_one_is_exact_under_any_limit() -> None:
    lowest = Deal.parse(
        "N:5432.5432.543.43 T98.T98.T98.T987 AKQ.KQJ.KQJ.KQJA J76.A76.A762.652",
        "solo-whist",
        current_trump="H",
    )
    result = solve(lowest, Contract.make(lowest, "misere", "N"), limits=Limits(hard_nodes=1))
    assert (result.makes, result.tricks, result.finished) == (True, 0, True)


def test_nodes_of_one_that_makes_count_once() -> None:
    made = Deal.parse(
        "N:2345.2345.234.23 AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT9.T9 76.76.8765.87654",
        "solo-whist",
        current_trump="H",
    )
    contract = Contract.make(made, "misere", "N")
    result = solve(made, contract)
    assert result.makes
    assert result.nodes == solve(made, contract, limits=Limits(nodes=10**9)).nodes
