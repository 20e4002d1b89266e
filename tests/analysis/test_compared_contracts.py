"""The contracts that `chances` compares."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from spadille import Deal
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.contract_values_by_layout import ProspectSums
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.chances.value_meaning import Meaning
from spadille.core.recorded_auction import Auction


class Valued:
    """A contract with the same meaning in every layout."""

    def __init__(self, meaning: Meaning, span: tuple[int, int]) -> None:
        self.meanings = [meaning] * 4000
        ends = dict(enumerate(Meaning(True, pays, None) for pays in span))
        self.kinds = [SimpleNamespace(paying=None, meanings=ends)]

    def column(self) -> ProspectSums:
        return ProspectSums(self.meanings, self.kinds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("exact", "over", "samples", "complete"),
    [
        (True, True, 180, True),
        (True, True, 179, False),
        (True, False, 180, False),
        (False, True, 180, False),
    ],
)
def test_contracts_are_complete_when_all_layouts_are_valued_after_the_exchanges(
    monkeypatch: pytest.MonkeyPatch, exact: bool, over: bool, samples: int, complete: bool
) -> None:
    monkeypatch.setattr(ContractStrategy, "samples", samples)
    asked = object.__new__(ContractStrategy)
    asked._exact = exact
    asked._choices = SimpleNamespace(over=over)  # type: ignore[assignment]
    asked.tables = SimpleNamespace(count=180)  # type: ignore[assignment]
    assert asked.complete == complete


@pytest.mark.parametrize(
    ("meanings", "settled", "alive"),
    [
        # The best payoff is apart; without any, the contract that makes more often.
        ([(True, 4), (True, 1)], True, 1),
        ([(True, None), (False, None)], True, 1),
        # The second may pay more, but at most a little.
        ([(True, 4), (True, 4)], True, 2),
        ([(True, None), (True, None)], True, 2),  # both always make
        # If one payoff is unknown, nothing is settled, however far apart the others are.
        ([(True, 4), (True, None), (True, -9)], False, 3),
        ([(True, 4), (True, -9)], True, 1),
    ],
)
def test_contracts_are_compared_by_payoff_or_else_by_makes(
    meanings: list[tuple[bool, int | None]],
    settled: bool,
    alive: int,
) -> None:
    rows: list[Any] = [Valued(Meaning(made, pays, None), (-9, 9)) for made, pays in meanings]
    asked = object.__new__(ContractStrategy)
    asked._rows = rows
    asked._race = Race(rows, each_rival=False)
    assert asked.look(last=False) == settled
    assert len(asked._race.alive) == alive


def left_out(deal: Deal, seat: str, contracts: str | None = None, **more: Any) -> dict[str, str]:
    asked = ContractStrategy(deal, seat, contracts, drawing=Drawing(), memory=1 << 20, **more)
    return asked._left_out


@pytest.mark.ci
def test_each_contract_that_is_not_valued_has_a_reason() -> None:
    ombre, squint = Deal.random("ombre", 1), Deal.random("squint", 1)
    assert left_out(ombre, "1") == {}
    assert {*left_out(squint, "1")} == {"duo"}
    assert {*left_out(ombre, "1", trumps="H")} == {"vuelta"}
    drawn = replace(squint, drawn={"1": squint.talon})
    assert {*left_out(drawn, "1")} == {"duo", "nemo"}
    german = Deal.parse(
        "N:AK.AK.AK.A7 QJ.QJ.QJ.KJ T9.T9.T9.T9 87.87.87.Q8", "german-solo", dealer="W"
    )
    heard_solo = left_out(german, "S", auction=Auction(("Pass", "solo"), "N"))
    assert heard_solo == {"frog": "no legal auction leads to it"}
    reasons = [
        left_out(squint, "1")["duo"],
        left_out(ombre, "1", trumps="H")["vuelta"],
        left_out(drawn, "1")["nemo"],
        heard_solo["frog"],
    ]
    assert len({*reasons}) == 4
    assert "2 cards" in reasons[2]
