"""The average payoff of a surrender."""

from __future__ import annotations

from array import array
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from spadille.analysis.chances.card_chances_result import SurrenderChance
from spadille.analysis.chances.surrender_row import Surrenders
from spadille.analysis.chances.value_meaning import Meaning


def test_a_surrender_is_valued_as_it_stands() -> None:
    chance = SurrenderChance(payoff=-1 / 3, payoff_interval=(-2 / 3, 0.0), taken_over=0.25)
    assert str(chance) == "surrender -0.33"
    assert chance.to_dict() == {
        "payoff": -0.333333,
        "payoff_interval": [-0.666667, 0.0],
        "taken_over": 0.25,
    }


@pytest.mark.parametrize("exact", [False, True])
def test_surrenders_are_averaged(exact: bool) -> None:
    """An opponent takes over if it gains by that; if both gain, the one who gains more does."""
    kind = SimpleNamespace(
        meanings={
            0: Meaning(False, 9, None),
            1: Meaning(True, -3, None),
            2: Meaning(True, -5, None),
        }
    )
    rows = [[(0, 0), (0, 1), (0, 2)], [(0, 2), (0, 1), (0, 0)]]

    def asks(values: list[tuple[int, int]]) -> Any:
        # The second card is worth one more: the opponents who take over want the lowest value.
        raw = array("h", [n for kind_of, low in values for n in (kind_of, low, 2)])
        return SimpleNamespace(cards=[1, 2], values=lambda hands, threads: raw.tobytes())

    given = object.__new__(Surrenders)
    given._alone = -4
    given._asked = [([kind], asks(values)) for values in rows]  # type: ignore[list-item, misc]
    given._least = -9
    given._paid, given._taken = Counter(), 0
    given.add(memoryview(bytes(24)).cast("Q"), 1, 1)
    found = given.result(exact=exact)
    assert found.payoff == pytest.approx((-9 - 7 - 9) / 3)
    assert found.taken_over == 1.0
    assert (found.payoff_interval is None) == exact
    if found.payoff_interval is not None:
        low, high = found.payoff_interval
        assert -9 <= low <= found.payoff <= high <= -4
