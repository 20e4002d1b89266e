"""Compare the nodes of a review with those of one solve of the deal, on well-played hands."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.plays_with_errors import played
from spadille.analysis.review.review import review
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.search.engine import Solver
from tests.support.deals_and_outcomes import random_deal
from tests.support.random_endings import contract_of, some_trump


def natural(game: str, contract_id: str, random: Random) -> tuple[Deal, Contract]:
    """Return a deal on which the contract makes, or fails by one."""
    rules = rules_for(game)
    kind = rules.contract(contract_id)
    while True:
        deal = random_deal(rules, random)
        contract = contract_of(deal, kind, some_trump(rules, kind, random), random)
        if (solve(deal, contract).one.margin or 0) in (-1, 0, 1):
            return deal, contract


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(
    ("game", "contract_id", "deals", "limit"),
    [
        ("german-solo", "frog", 8, 3),
        ("mensch", "half", 8, 3),
        ("quadrille", "alliance", 5, 3),
        ("ombre", "entrada", 5, 3),
        ("quintille", "alliance", 5, 3),
        pytest.param("solo-whist", "prop-cop", 3, 2.5, marks=pytest.mark.ci),
        pytest.param("solo-whist", "solo", 3, 2.5, marks=pytest.mark.ci),
    ],
)
def test_nodes(game: str, contract_id: str, deals: int, limit: float) -> None:
    random, solver = Random(f"{game} {contract_id}"), Solver()
    once = whole = 0
    for _ in range(deals):
        deal, contract = natural(game, contract_id, random)
        play = played(deal, contract, random, solver)
        once += solve(deal, contract, solver=solver).nodes
        whole += review(deal, contract, play, solver=solver).nodes
    assert whole <= limit * once
