"""The exchanges that are tried and kept before a contract is valued."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from spadille import Contract, Deal, best_chances, know
from spadille.analysis.chances.contract_chances_result import TriedChoices
from spadille.analysis.chances.exchange_from_own_hand import RULES, SeatExchange, exchanges
from spadille.analysis.chances.promising_choices import ChoiceStrategy
from spadille.analysis.chances.sampling_loop import Clock, Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.chances.value_meaning import Meaning


def test_who_draws_first_may_play_from_the_hand() -> None:
    deal = Deal.random("squint", 3)
    kinds = {
        ("solo", "H"): ["lowest", "shortest"],
        ("misere", "NT"): ["highest", "barest"],
        ("ace-solo", "NT"): ["lowest", "shortest"],
    }
    for (kind, trump), names in kinds.items():
        contract = Contract(("1",), (kind,), trump)
        known = know(deal, contract, "1", None)
        found = exchanges(known, contract)
        assert found == [
            *(SeatExchange((), name, 2) for name in names),
            SeatExchange(from_hand=True),
        ]


def test_the_rules_for_discards_are_told() -> None:
    """Soloists in Squint draw first: their rules differ between trumps, no trumps and Misère."""
    deal = Deal.random("squint", 3)
    drawing = Drawing(samples=1, seconds=0)
    told = {
        kind: best_chances(deal, "1", kind, trumps=[trump], drawing=drawing).assumed
        for kind, trump in (("ace-solo", "NT"), ("misere", "NT"))
    }
    expected = {
        "ace-solo": ("lowest", "shortest"),
        "misere": ("highest", "barest"),
    }
    for kind, names in expected.items():
        for name in names:
            sentence = f"{name}: after drawing, the seat discards {RULES[name]}"
            assert sentence in told[kind]
    assert {name: text.split()[1] for name, text in RULES.items()} == {
        "lowest": "lowest",
        "shortest": "lowest",
        "highest": "highest",
        "barest": "highest",
    }


class Row:
    """A row of an exchange with the same payoff in every layout."""

    def __init__(
        self, pays: int, contract: str = "a", turned: bool = False, called: str | None = None
    ) -> None:
        self.contract = Contract(("N",), (contract,), "H", called)
        self.turned = turned
        self.exchange = SimpleNamespace(from_hand=False)
        self.meaning = Meaning(True, pays, None)


class RowLayouts:
    """Layouts that are plain numbers; records the rows valued in each block."""

    def __init__(self) -> None:
        self.tables = self
        self.asked: list[tuple[int, int, int]] = []
        self.rows: list[list[int]] = []

    def samples(self, number: int, seed: int, block: int) -> Any:
        self.asked.append((number, seed, block))
        return iter([[*range(number)]])

    def values(self, rows: list[Row], ranks: list[int], clock: Clock) -> list[list[Meaning]]:
        self.rows.append(sorted(row.meaning.payoff or 0 for row in rows))
        return [[row.meaning] * len(ranks) for row in rows]


def test_eight_and_then_three_exchanges_are_kept() -> None:
    """Eight exchanges are kept after 32 layouts, three after 128 more (chances-measured.md)."""
    layouts = RowLayouts()
    rows: list[Any] = [Row(pays) for pays in (3, 9, 1, 8, 2, 7, 4, 6, 5, 0)]
    rows += [Row(pays, "b") for pays in (20, 30, 10)]
    strategy = ChoiceStrategy(rows, layouts, Drawing(seed=5, threads=9))  # type: ignore[arg-type]
    assert strategy.at_a_time == 9
    assert ChoiceStrategy(rows, layouts, Drawing()).at_a_time == 4  # type: ignore[arg-type]
    assert (strategy.many, strategy.samples, strategy.complete) == (10, 0, False)
    found = Sampling(strategy).run()
    assert layouts.asked == [(32, 5, 1 << 32), (128, 5, (1 << 32) + 2)]
    first, second = sorted({tuple(valued) for valued in layouts.rows}, key=len, reverse=True)
    assert first == (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert second == (2, 3, 4, 5, 6, 7, 8, 9)
    assert [row.meaning.payoff for row in found] == [9, 8, 7, 20, 30, 10]  # type: ignore[attr-defined]
    assert strategy.tried == TriedChoices(10, 3, 160)
    assert (strategy.over, strategy.complete) == (True, True)


def test_a_hopeless_contract_keeps_one_card_to_call() -> None:
    layouts = RowLayouts()
    rows: list[Any] = [Row(pays, called=f"H{pays}") for pays in (7, 8, 9, 9)]
    rows += [Row(pays, "b", called=f"H{pays}") for pays in (1, 2, 3, 4, 5)]
    found = Sampling(ChoiceStrategy(rows, layouts, Drawing())).run()  # type: ignore[arg-type]
    assert [row.meaning.payoff for row in found] == [9, 9, 8, 5]  # type: ignore[attr-defined]
    assert max(layouts.rows, key=len) == [1, 2, 3, 4, 5, 7, 8, 9, 9]
    assert layouts.rows[-1] == [7, 8, 9, 9]


@pytest.mark.ci
def test_a_turned_up_trump_keeps_one_exchange() -> None:
    found = best_chances(
        *(Deal.random("ombre", 7), "3", "vuelta"),
        drawing=Drawing(samples=1, seconds=0),
        memory=1 << 20,
    )
    assert found.tried is not None
    assert found.tried.kept == 4  # one for each trump
    assert len(found.offers) == 1
    assert {*(found.best.by_trump or {})} == {*"SHDC"}
