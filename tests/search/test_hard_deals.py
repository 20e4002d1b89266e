"""The hardest deals that the hill climber has found keep the values of an older engine."""

from __future__ import annotations

import pytest

import spadille
from benchmarks.hard_deal_search import FOUND, Climber
from spadille.search.limits import Limits

TRICKS = (
    1,
    6,
    4,
    7,
    6,
    {"1": 1, "2": 1, "3": 0, "4": 1, "5": 0},
    2,
    1,
    1,
    1,
    1,
    1,
    1,
    3,
    1,
    8,
    1,
    4,
    2,
    2,
    2,
    1,
    9,
    1,
    2,
)
FEW = 2_000


def test_the_climber_goes_the_same_way_again():
    def tried():
        path = Climber("german-solo", "frog", seed=3, nodes=FEW).path()
        return [(next(path).text(), next(path).nodes) for _ in range(12)]

    assert tried() == tried()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(TRICKS)))
def test_hard_deals_keep_their_values(number):
    entries = spadille.load(FOUND)
    assert len(entries) == len(TRICKS)
    entry = entries[number]
    assert entry.deal is not None
    assert entry.contract is not None
    found = spadille.solve(entry.deal, entry.contract, limits=Limits(hard_nodes=10**9))
    assert found.to_dict()["tricks"] == TRICKS[number]
