"""The choice between all layouts and a sample, its limits, and the values of each card.

The engine is replaced by made-up values of cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from spadille.analysis.chances import card_values_by_plan
from spadille.analysis.chances.card_chances_result import Guess, PlansBasis
from spadille.analysis.chances.card_values_by_plan import (
    MOST_TRICKS,
    SAMPLED,
    CardPlan,
    WithoutSeeing,
)
from spadille.analysis.chances.plans import PlanValue
from spadille.analysis.chances.sampling_loop import Clock
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.errors import ArgumentError, TooHardError

PAGE = Path(__file__).parents[2] / "docs" / "plans.md"
NO_LIMIT = Clock(0)
OVER = Clock(1e-9, began=0.0)


def value(card: str, seeing: int, least: int, most: int | None = None, *equals: str) -> PlanValue:
    most = least if most is None else most
    return PlanValue(card=card, equals=equals, open=seeing, least=least, most=most)


class Searches:
    """Replaces the searches: returns given values, and records its arguments."""

    def __init__(self, weight: int, *found: list[PlanValue]) -> None:
        self.weight = self.layouts = weight
        self.short_of_memory = False
        self.found = list(found)
        self.valued: list[PlanValue] = []
        self.ranks: list[Sequence[int] | None] = []
        self.asked: list[dict[str, Any]] = []
        self.planned: list[tuple[str, str, float]] = []

    def __call__(
        self,
        known: Any,
        memory: int,
        ranks: Sequence[int] | None = None,
        *,
        drawn: bool = False,
    ) -> Searches:
        assert drawn == (ranks is not None and len(ranks) == SAMPLED)
        self.ranks.append(ranks)
        return self

    def values(self, **asked: Any) -> list[PlanValue]:
        self.asked.append(asked)
        self.valued = self.found.pop(0)
        return self.valued

    def plan(self, best: PlanValue, card: str, seconds: float) -> Any:
        self.planned.append((best.card, card, seconds))
        return f"plan of {card}"


def known(count: int, cards: int = 3, drawn: int = SAMPLED) -> Any:
    fitting = SimpleNamespace(
        count=count,
        ranks=range(count),
        sample=lambda number, seed: [seed + rank for rank in range(min(number, drawn))],
    )
    places = [((), ("S7",), ("SA",)), ((), ("SA",), ("S7",))]
    layouts = SimpleNamespace(unrank=lambda rank: places[bool(rank % 3)])
    return SimpleNamespace(
        fitting=fitting, layouts=layouts, own=("HA",) * cards, unseen={"SA": (), "S7": ()}
    )


def asked(
    monkeypatch: pytest.MonkeyPatch, searches: Searches, why: str | None, known: Any, **drawing: Any
) -> WithoutSeeing:
    monkeypatch.setattr(card_values_by_plan, "PlanSearch", searches)
    monkeypatch.setattr(card_values_by_plan, "why_not", lambda _: why)
    return WithoutSeeing(known, Drawing(seconds=0, **drawing), 1 << 20)


@pytest.mark.parametrize(
    ("why", "samples", "reason"),
    [
        (None, None, None),
        (None, 100, None),
        (None, 99, "only 99 of 100 layouts were evaluated"),
        ("too many", None, "too many"),
        ("too many", 99, "too many"),
    ],
)
def test_all_layouts_are_searched_unless_they_are_too_many_or_some_are_left_out(
    monkeypatch: pytest.MonkeyPatch, why: str | None, samples: int | None, reason: str | None
) -> None:
    one = [value("HA", 50, 50)]
    found = asked(monkeypatch, Searches(100, one, one), why, known(100), samples=samples)
    assert found.possible == (reason is None)
    found.search(NO_LIMIT)
    assert found.basis.why == reason


def test_proved_values_are_shares_of_all_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = Searches(100, [value("HA", 50, 50, 50, "HK"), value("D7", 40, 40)])
    found = asked(monkeypatch, searches, None, known(100), threads=2)
    assert found.cards == {}
    assert found.basis == PlansBasis(
        layouts=0, exact=False, decided=False, tricks=None, why="the search was interrupted"
    )
    found.search(NO_LIMIT)
    assert found.basis == PlansBasis(layouts=100, exact=True, decided=True, tricks=None, why=None)
    half, less = CardPlan(exact=0.5), CardPlan(exact=0.4)
    assert found.cards == {"HA": half, "HK": half, "D7": less}
    assert found.guess is None  # no card needs one
    (how,) = searches.asked
    assert (how["seconds"], how["threads"]) == (0, 2)
    assert how["work"] > 0
    assert searches.ranks == [None]


@pytest.mark.parametrize(("most", "decided"), [(49, True), (50, True), (51, False)])
def test_the_best_card_is_decided_once_no_bound_is_above_it(
    monkeypatch: pytest.MonkeyPatch, most: int, decided: bool
) -> None:
    cards = [value("HA", 90, 50, 50), value("HK", 90, 20, most), value("D7", 40, 0, 40)]
    found = asked(monkeypatch, Searches(100, cards), None, known(100))
    found.search(NO_LIMIT)
    assert (found.basis.exact, found.basis.decided) == (False, decided)


@pytest.mark.parametrize(
    ("clock", "why"), [(NO_LIMIT, "the search takes too long"), (OVER, "time ran out")]
)
def test_unproved_values_have_bounds_once_they_were_searched(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, why: str
) -> None:
    cards = [value("D7", 90, 0, 100), value("HA", 90, 50, 50), value("HK", 90, 20, 80)]
    searches = Searches(100, cards)
    found = asked(monkeypatch, searches, None, known(100))
    found.search(clock)
    assert found.basis == PlansBasis(layouts=100, exact=False, decided=False, tricks=None, why=why)
    assert found.cards == {"HA": CardPlan(exact=0.5), "HK": CardPlan(bounds=(0.2, 0.8))}
    assert found.guess is None
    assert len(searches.asked) == 1


def test_a_search_that_needs_too_much_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = Searches(100, [value("HA", 90, 20, 80)])
    searches.short_of_memory = True
    found = asked(monkeypatch, searches, None, known(100))
    found.search(NO_LIMIT)
    assert found.basis.why == "the search needs too much memory"
    assert found.cards == {"HA": CardPlan(bounds=(0.2, 0.8))}


@pytest.mark.parametrize("error", [ArgumentError("no card"), TooHardError("too hard")])
def test_an_error_of_the_search_is_the_reason(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    searches = Searches(100)

    def fail(**_: Any) -> None:
        raise error

    searches.values = fail  # type: ignore[assignment, method-assign]
    found = asked(monkeypatch, searches, None, known(100))
    found.search(NO_LIMIT)
    assert found.basis.why == str(error)
    searches.values = lambda **_: 1 / 0  # type: ignore[assignment, method-assign, return-value]
    found = asked(monkeypatch, searches, None, known(100))
    with pytest.raises(ZeroDivisionError):
        found.search(NO_LIMIT)
    assert found.basis.why == "the search was interrupted"


def test_the_guess_is_the_card_whose_holder_helps_the_most_overrated_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Knowing who holds SA wins 30 + 25 of 90 layouts; knowing who holds S7 gains nothing."""
    searches = Searches(
        90,
        [value("HA", 60, 40), value("HK", 59, 20), value("D7", 70, 70)],
        [value("HA", 30, 30)],
        [value("D7", 70, 70), value("HA", 30, 25)],
        [value("HA", 20, 20)],
        [value("HA", 20, 20)],
    )
    found = asked(monkeypatch, searches, None, known(90))
    found.search(NO_LIMIT)
    assert found.guess == Guess("HA", "SA", 55 / 90)
    # The layouts are split by the holder of the card: in every third one, the two cards are
    # exchanged.
    others = [rank for rank in range(90) if rank % 3]
    parts = [list(range(0, 90, 3)), others]
    assert searches.ranks == [None, *parts, *parts]
    assert [set(how) for how in searches.asked[1:]] == [{"seconds", "work"}] * 4


@pytest.mark.parametrize(
    ("won", "guess"),
    [
        ((30, 30, 31, 30), ("S7", 61)),  # more than with the first card
        ((30, 30, 30, 30), ("SA", 60)),  # as many as with the first card
        ((20, 20, 20, 21), ("S7", 41)),
        ((20, 20, 20, 20), None),  # no more than without knowing
    ],
)
def test_the_card_that_helps_most_is_told(
    monkeypatch: pytest.MonkeyPatch, won: tuple[int, ...], guess: tuple[str, int] | None
) -> None:
    searches = Searches(90, [value("HA", 60, 40)], *([value("HA", 60, each)] for each in won))
    found = asked(monkeypatch, searches, None, known(90))
    found.search(NO_LIMIT)
    assert found.guess == (guess and Guess("HA", guess[0], guess[1] / 90))


@pytest.mark.parametrize(("missed", "asks"), [(20, True), (19, False)])
def test_a_card_owes_to_a_guess_from_one_percent_on(
    monkeypatch: pytest.MonkeyPatch, missed: int, asks: bool
) -> None:
    found = [value("HA", 1000, 1000 - missed)]
    searches = Searches(2000, found, found, found, found, found)
    what = asked(monkeypatch, searches, None, known(2000))
    what.search(NO_LIMIT)
    assert (len(searches.asked) > 1) == asks


@pytest.mark.parametrize(("weight", "asks"), [(2000, True), (2001, False)])
def test_no_guess_is_looked_for_in_more_than_2000_layouts(
    monkeypatch: pytest.MonkeyPatch, weight: int, asks: bool
) -> None:
    found = [value("HA", 1000, 500)]
    searches = Searches(weight, found, found, found, found, found)
    what = asked(monkeypatch, searches, None, known(90))
    what.search(NO_LIMIT)
    assert (len(searches.asked) > 1) == asks


def test_no_guess_is_told_when_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = Searches(90, [value("HA", 60, 40)])
    found = asked(monkeypatch, searches, None, known(90))
    found.search(OVER)
    assert found.guess is None
    assert found.basis.exact
    assert len(searches.asked) == 1


# Samples


def test_a_sample_is_searched_with_two_and_then_three_choices_without_seeing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    last = [value("HA", 60, 32, 32, "HK"), value("D7", 60, 16)]
    searches = Searches(SAMPLED, [value("HA", 60, 40)], last)
    found = asked(monkeypatch, searches, "too many", known(10**6), seed=5, threads=3)
    found.search(NO_LIMIT)
    assert [how["blind"] for how in searches.asked] == [2, 3]
    assert [how["threads"] for how in searches.asked] == [3, 3]
    assert [how["seconds"] for how in searches.asked] == [0, 0]
    assert searches.ranks == [[5 + number for number in range(64)]]
    assert found.basis == PlansBasis(
        layouts=64, exact=False, decided=False, tricks=3, why="too many"
    )
    half, quarter = CardPlan(no_guess=0.5), CardPlan(no_guess=0.25)
    assert found.cards == {"HA": half, "HK": half, "D7": quarter}
    assert found.plan("HA") is None


def test_drawing_the_sample_ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[Any] = []
    clock: Any = SimpleNamespace(left=1.0, over=False, stop=stopped.append)
    one = [value("HA", 60, 40)]
    decision = known(10**6)
    asked(monkeypatch, Searches(SAMPLED, one, one), "too many", decision).search(clock)
    assert stopped == [decision]


def test_the_last_search_of_a_sample_that_was_completed_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = [value("HA", 60, 32)], [value("HA", 60, 16), value("D7", 60, 1, 60)]
    found = asked(monkeypatch, Searches(SAMPLED, first, second), "too many", known(10**6))
    found.search(NO_LIMIT)
    assert found.basis == PlansBasis(
        layouts=64, exact=False, decided=False, tricks=2, why="too many"
    )
    assert found.cards == {"HA": CardPlan(no_guess=0.5)}
    none = asked(monkeypatch, Searches(SAMPLED, second), "too many", known(10**6))
    none.search(NO_LIMIT)
    why = "the search takes too long"
    assert none.basis == PlansBasis(layouts=0, exact=False, decided=False, tricks=None, why=why)
    assert none.cards == {}
    late = asked(monkeypatch, Searches(SAMPLED, second), "too many", known(10**6))
    late.search(OVER)
    assert late.basis == PlansBasis(
        layouts=0, exact=False, decided=False, tricks=None, why="time ran out"
    )


def test_a_sample_needs_few_tricks_and_enough_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    few = [value("HA", 60, 32)]
    for cards, drawn, why in (
        (MOST_TRICKS, SAMPLED, "too many"),
        (MOST_TRICKS + 1, SAMPLED, "more than 6 tricks are left"),
        (MOST_TRICKS, SAMPLED - 1, "time ran out"),
    ):
        searches = Searches(SAMPLED, few, few)
        found = asked(monkeypatch, searches, "too many", known(10**6, cards, drawn))
        found.search(NO_LIMIT)
        assert found.basis.why == why
        assert bool(found.cards) == (why == "too many")


def test_the_limits_of_the_searches_are_those_of_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = [value("HA", 60, 40)]
    everything, some = Searches(90, one, one, one, one, one), Searches(64, one, one)
    asked(monkeypatch, everything, None, known(90)).search(NO_LIMIT)
    asked(monkeypatch, some, "too many", known(10**6)).search(NO_LIMIT)
    first, *holders = [how["work"] for how in everything.asked]
    (sample,) = {how["work"] for how in some.asked}
    (holder,) = {*holders}
    text = " ".join(PAGE.read_text().split())
    assert f"after evaluating {first:,} layouts, or {sample:,} for" in text
    assert f"stops after {holder:,} layouts for each card and possible holder" in text


# Plans


def test_the_plan_begins_with_the_card_or_with_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [value("HA", 50, 50, 50, "HK"), value("D7", 60, 50), value("C7", 90, 40)]
    searches = Searches(100, cards)
    found = asked(monkeypatch, searches, None, known(100))
    assert found.plan(None) is None  # nothing was searched
    empty = asked(monkeypatch, Searches(100, []), None, known(100))
    empty.search(NO_LIMIT)
    assert empty.plan(None) is None
    monkeypatch.setattr(card_values_by_plan, "PlanSearch", searches)
    monkeypatch.setattr(found, "_about", lambda *_: None)
    found.search(NO_LIMIT)
    assert found.plan("HK", 3) == "plan of HK"  # type: ignore[comparison-overlap]
    assert found.plan(None) == "plan of D7"  # type: ignore[comparison-overlap]
    assert searches.planned == [("HA", "HK", 3), ("D7", "D7", 0)]


@pytest.mark.parametrize("error", [ArgumentError("no card"), TooHardError("too hard")])
def test_a_plan_that_cannot_be_written_down_has_a_reason(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    searches = Searches(100, [value("HA", 50, 50)])
    found = asked(monkeypatch, searches, None, known(100))
    found.search(NO_LIMIT)

    def fail(*_: Any) -> None:
        raise error

    searches.plan = fail  # type: ignore[assignment, method-assign]
    assert found.plan("HA") is None
    assert found.basis.why == str(error)
    assert not found.basis.exact
    unproved = Searches(100, [value("HA", 50, 20, 30)])
    unproved.plan = fail  # type: ignore[assignment, method-assign]
    found = asked(monkeypatch, unproved, None, known(100))
    found.search(NO_LIMIT)
    assert found.plan("HA") is None
    assert found.basis.why == "the search takes too long"  # the first reason stays
