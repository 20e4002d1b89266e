"""The cards that `chances` compares, their order, and the time for their values."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from spadille import Contract, Deal, chances, know, plan
from spadille.analysis.chances import card_chances, sampling_loop
from spadille.analysis.chances.card_averages import CardAverages
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.sampling_loop import Clock
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.errors import ArgumentError
from spadille.search.limits import Limits
from tests.support.random_endings import case


def test_among_equal_cards_tricks_of_the_own_side_decide() -> None:
    deal, contract = case("german-solo", "", "solo", 2)
    average = CardAverages(0.5, 2.0, 3.0, 0.5)
    for defending in (False, True):
        play: list[str] = []
        known = know(deal, contract, None, play)
        while (known.seat in contract.side) == defending:
            play.append(known.position(known.layouts.unrank(0)).legal()[0])
            known = know(deal, contract, None, play)
        strategy = CardStrategy(known, Drawing(samples=1), double_dummy=False, plans=False)
        assert strategy._order(average) == (0.5, 2.0, -3.0 if defending else 3.0)
        assert strategy._order(average._replace(payoff=None, tricks=None)) == (0.5, 0.0, 0.0)


def test_a_misere_is_asked_for_its_outcome_alone() -> None:
    deal, contract = case("solo-whist", "", "misere", 1)
    found = chances(deal, contract, drawing=Drawing(samples=2, seconds=0))
    assert {card.mean_tricks for card in found.cards} == {None}
    assert all(card.payoff is not None for card in found.cards)


def test_cards_are_equal_unless_an_unseen_card_lies_between_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The engine's classes are those of one layout; the numbers of cards rise with their ranks."""
    names = {number: f"c{number}" for number in range(10)}
    bits = {name: 1 << number for number, name in names.items()}
    at: Any = SimpleNamespace(problem=None, encoding=SimpleNamespace(names=names, bits=bits))
    classes = {0: [2, 3, 5, 8], 1: [0]}
    solver = SimpleNamespace(classes=lambda problem: classes)
    monkeypatch.setattr(card_chances, "Solver", lambda: solver)
    for unseen, groups in (
        ((), [["c8", "c5", "c3", "c2"], ["c0"]]),
        (("c6",), [["c8"], ["c5", "c3", "c2"], ["c0"]]),
        (("c7", "c4"), [["c8"], ["c5"], ["c3", "c2"], ["c0"]]),
        (("c9", "c1"), [["c8", "c5", "c3", "c2"], ["c0"]]),
    ):
        known: Any = SimpleNamespace(unseen=unseen)
        assert card_chances._equal(known, at) == groups


@pytest.mark.parametrize("finished", [True, False])
def test_double_dummy_values_take_part_of_the_time(
    monkeypatch: pytest.MonkeyPatch, finished: bool
) -> None:
    limits: list[Limits] = []

    def values(*asked: object, **words: Any) -> Any:
        limits.append(words["limits"])
        return SimpleNamespace(finished=finished)

    monkeypatch.setattr(card_chances, "card_values", values)
    deal, contract = case("german-solo", "", "solo", 2)
    known = know(deal, contract, None)
    for seconds in (0, 60):
        strategy = CardStrategy(known, Drawing(samples=1, seconds=seconds), plans=False)
        assert (strategy._values is not None) == finished
        assert strategy.hurried != finished
    assert limits[0].seconds == 0  # no limit
    assert 20 < limits[1].seconds <= 30


@pytest.mark.parametrize("seconds", [0, 60])
def test_a_search_for_plans_that_uses_up_the_time_is_hurried(
    monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    deal, contract = case("german-solo", "", "solo", 2)
    strategy = CardStrategy(
        know(deal, contract, None), Drawing(samples=1, seconds=seconds), double_dummy=False
    )
    assert not strategy.hurried
    clock = Clock(seconds)
    # The search takes an hour.
    monkeypatch.setattr(strategy._unseen, "search", lambda clock: None)
    monkeypatch.setattr(sampling_loop, "perf_counter", lambda: clock.began + 3600)
    strategy.finish(clock)
    assert strategy.hurried == (seconds > 0)


def test_nothing_is_chosen_after_the_last_card() -> None:
    ranks = "AKQJT98765432"
    deal = Deal.parse(f"N:{ranks}... .{ranks}.. ..{ranks}. ...{ranks}", "solo-whist", dealer="W")
    contract = Contract.make(deal, "solo", declarer="N", trump="S")
    play = [suit + rank for rank in ranks for suit in "SHDC"]
    for ask in (chances, plan):
        with pytest.raises(ArgumentError, match="the hand is over"):
            ask(deal, contract, play)
