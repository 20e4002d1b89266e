"""Conditions on one hand are counted, not tested by trial, and impossible ones are refused."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from spadille import Assumptions, Deal, DealError, best_chances, chances, condition, know
from spadille.analysis.chances.sampling_settings import Drawing
from spadille_cli import main
from spadille_cli.exit_status import Status
from tests.analysis.test_belief import opening
from tests.analysis.test_card_chances_by_layout import decision

SOLO = (
    '[Game "german-solo"]\n[Dealer "N"]\n[Deal "E:AK9.K8.T9.8 - - -"]\n'
    '[Declarer "W"]\n[Contract "solo"]\n[Trump "D"]\n'
)


def sets(layout: tuple[tuple[str, ...], ...]) -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, layout))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("length({other}, H) >= 1", True),
        ("holds({other}, HA) or length({other}, S) == 0", True),
        ("length({other}, H) >= 1 and not holds({other}, SA)", True),
        ("length({other}, H) >= length({third}, H)", False),
        ("length({other}, H) >= 1 and length({other}, C) >= length({third}, C)", False),
    ],
)
def test_the_layouts_are_those_that_meet_the_condition(text: str, whole: bool) -> None:
    found = next(
        asked
        for seed in range(20)
        if (asked := decision("german-solo", "", "solo", seed)) and len(asked[3].sizes) == 3
    )
    deal, contract, play, known = found
    other, third, _ = known.sizes
    holds = condition(text.format(other=other, third=third), deal)
    expected = {sets(layout) for layout in known.layouts if holds(known.deal_of(layout))}
    asked = Assumptions(where=holds)
    if not expected:
        with pytest.raises(DealError, match=r"no layout|none of"):
            assert know(deal, contract, None, play, assumptions=asked).fitting
        return
    limited = know(deal, contract, None, play, assumptions=asked)
    fitting = limited.fitting
    assert {sets(limited.layouts.unrank(rank)) for rank in fitting.ranks} == expected
    assert (not limited.where) == whole
    assert limited.acceptance == pytest.approx(len(expected) / known.layouts.count)
    assert "Only layouts that meet" in limited.sentences[-1]


def test_layouts_that_meet_a_condition_stay_equally_likely() -> None:
    deal, contract = opening()
    holds = condition("trumps(W, D) >= 5", deal)
    free = know(deal, contract)
    limited = know(deal, contract, assumptions=Assumptions(where=holds))
    fit = [
        layout
        for layout in map(free.layouts.unrank, free.layouts.sample(4_000, 1))
        if holds(free.deal_of(layout))
    ]
    share = len(fit) / 4_000
    assert limited.acceptance == pytest.approx(share, abs=0.02)
    drawn = [limited.layouts.unrank(rank) for rank in limited.layouts.sample(400, 2)]
    assert all(holds(limited.deal_of(layout)) for layout in drawn)

    def aces(layouts: list[tuple[tuple[str, ...], ...]]) -> float:
        place = limited.places.index("S")
        return sum(card[1] == "A" for each in layouts for card in each[place]) / len(layouts)

    assert aces(drawn) == pytest.approx(aces(fit), abs=0.25)


def test_a_condition_that_holds_once_in_a_million_is_no_slower() -> None:
    deal, contract = opening()
    holds = condition("trumps(W, D) == 8", deal)
    drawing = Drawing(where=holds, samples=32, seconds=0, belief="none")
    found = chances(deal, contract, drawing=drawing, double_dummy=False)
    assert found.samples == 32
    assert found.acceptance < 1e-5
    assert found.known[-1] == f"Only layouts that meet {holds.__name__} count"


@pytest.mark.ci
def test_contracts_have_counted_conditions_too() -> None:
    deal = Deal.random("german-solo", 3)
    holds = condition("length(S, H) >= 5", deal)
    drawing = Drawing(where=holds, samples=16, seconds=0)
    found = best_chances(deal, "N", "solo", trumps="H", drawing=drawing)
    assert 0 < found.acceptance < 0.1
    free = best_chances(deal, "N", "solo", trumps="H", drawing=Drawing(samples=16, seconds=0))
    assert found.layouts == round(free.layouts * found.acceptance)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("holds(S, SA)", "no layout of the hidden cards allows this: holds(S, SA)"),
        ("length(W, S) >= 9", "no layout of the hidden cards allows this: length(W, S) >= 9"),
        ("length(E, S) >= 5", "length(E, S) >= 5 is false for the hand of East, which is known"),
        ("holds(S, HA) and holds(W, HA)", "no layout of the hidden cards"),
    ],
)
@pytest.mark.parametrize("words", [("cards",), ("best", "--seat", "E")])
def test_an_impossible_belief_is_reported_at_once(
    words: tuple[str, ...], text: str, message: str
) -> None:
    args = [*words, "--chances", "--samples", "32", "--seconds", "0", "--where", text, "-"]
    result = CliRunner().invoke(main, args, input=SOLO)
    assert result.exit_code == Status.UNUSABLE
    assert message in result.stderr
    assert not result.stdout


def test_the_command_counts_conditions() -> None:
    args = ["cards", "--chances", "--samples", "16", "--seconds", "0", "--belief", "none"]
    args += ["--where", "trumps(W, D) >= 4", "--format", "json", "-"]
    result = CliRunner().invoke(main, args, input=SOLO)
    (found,) = json.loads(result.stdout)
    assert int(found["layouts"]) < 9_465_511_770
    assert found["acceptance"] == pytest.approx(int(found["layouts"]) / 9_465_511_770, abs=1e-6)
