"""Layouts with a user's own conditions, compared with all layouts in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from statistics import mean

import pytest

import spadille
from spadille import Deal, know, solve
from spadille.base.errors import ArgumentError, DealError, TooRareError
from spadille.core.knowledge import conditioned_layouts
from spadille.core.knowledge.conditioned_layouts import FittingLayouts
from spadille.core.knowledge.seat_knowledge import Assumptions

ENDING = Deal.parse("N:A.K.Q. - - -", "german-solo", leader="N")
PLAY = "HT H8 C8 HA"


def few() -> tuple[Deal, str, list[str]]:
    """Five tricks played, so that few layouts are left."""
    entry = spadille.load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    assert entry.contract is not None
    cards = [step for trick in solve(entry.deal, entry.contract, line=True).line for step in trick]
    return entry.deal, str(entry.contract.declarer), cards[:20]


def knowing(where: object = ()) -> spadille.Knowledge:
    entry = spadille.load("examples/german-solo.pbn")[0]
    deal, _, cards = few()
    return know(deal, entry.contract, play=cards, assumptions=Assumptions(where=where))  # type: ignore[arg-type]


def long_clubs(deal: Deal) -> bool:
    return all(sum(card[0] == "C" for card in hand or ()) < 4 for hand in deal.hands.values())


def test_few_layouts_are_all_asked() -> None:
    free, known = knowing(), knowing(long_clubs)
    fits = [
        rank
        for rank in range(free.layouts.count)
        if long_clubs(free.deal_of(free.layouts.unrank(rank)))
    ]
    assert 0 < len(fits) < free.layouts.count
    assert isinstance(known.fitting, FittingLayouts)
    assert list(known.fitting.ranks) == fits
    assert known.fitting.count == len(fits)
    assert known.acceptance == pytest.approx(len(fits) / free.layouts.count)
    assert free.fitting is free.layouts
    assert free.acceptance == 1
    assert {*known.fitting.sample(50, 1)} <= {*fits}


class Weighed:
    """A sieve with the same probability for every layout."""

    name = "the calls"
    weighs = True

    def __init__(self, probability: float) -> None:
        self.probability = probability

    def drawn(self, number: int, seed: int, block: int, first: int) -> list[int]:
        raise AssertionError("few layouts are weighted, not drawn")

    def weights(self, ranks: Sequence[int]) -> list[float]:
        return [self.probability for _ in ranks]


def short_hearts(deal: Deal) -> bool:
    return all(sum(card[0] == "H" for card in hand or ()) < 4 for hand in deal.hands.values())


@pytest.mark.parametrize("probability", [0.25, 0.0])
def test_a_sieve_and_conditions_both_lower_the_acceptance(probability: float) -> None:
    free = knowing()
    conditions = [long_clubs, short_hearts]
    fitting = FittingLayouts(free.layouts, conditions, free, Weighed(probability))
    every = list(map(free.deal_of, map(free.layouts.unrank, range(free.layouts.count))))
    clubs = [deal for deal in every if long_clubs(deal)]
    both = [deal for deal in clubs if short_hearts(deal)]
    assert 0 < len(both) < len(clubs) < len(every)
    assert fitting.count == len(both)
    assert fitting.acceptance == pytest.approx(probability * len(both) / len(every))
    weights = fitting.weights
    assert weights is not None
    assert len({*weights.values()}) == 1
    assert min(weights.values()) > 0


@pytest.mark.ci
def test_chances_are_those_of_the_layouts_that_fit() -> None:
    entry = spadille.load("examples/german-solo.pbn")[0]
    deal, _, cards = few()
    known = knowing(long_clubs)
    found = spadille.chances(
        deal, entry.contract, cards, drawing=spadille.Drawing(where=long_clubs, belief="none")
    )
    assert found.exact
    assert found.samples == found.layouts == known.fitting.count
    assert found.acceptance == pytest.approx(known.acceptance)
    layouts = [known.layouts.unrank(rank) for rank in known.fitting.ranks]
    for one in found.cards:
        made = [
            solve(known.deal_of(each), known.contract_of(each), play=[*cards, one.card]).makes
            for each in layouts
        ]
        assert one.made == pytest.approx(mean(map(bool, made)))


@pytest.mark.ci
def test_what_is_drawn_is_drawn_as_likely_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = [*knowing(long_clubs).fitting.ranks]
    monkeypatch.setattr(conditioned_layouts, "FEW", 0)
    known = knowing(long_clubs)
    found = known.fitting.sample(15 * len(fits), 5)
    assert found == knowing(long_clubs).fitting.sample(15 * len(fits), 5)
    often = Counter(found)
    assert {*often} == {*fits}
    square = sum((often[rank] - 15) ** 2 / 15 for rank in fits)
    assert square < len(fits) + 4 * (2 * len(fits)) ** 0.5
    assert known.acceptance == pytest.approx(len(fits) / known.layouts.count, rel=0.1)


def test_more_layouts_are_drawn_if_few_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layouts drawn later are not those drawn before."""
    monkeypatch.setattr(conditioned_layouts, "FEW", 0)
    free, known = knowing(), knowing((long_clubs, short_hearts))
    at_first = [
        rank
        for rank in free.layouts.sample(400, 5)
        if all(meets(free.deal_of(free.layouts.unrank(rank))) for meets in known.where)
    ]
    found = known.fitting.sample(400, 5)
    more = found[len(at_first) :]
    assert found[: len(at_first)] == at_first
    assert more
    assert more[:20] != at_first[:20]


@pytest.mark.ci
def test_what_is_too_rare_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def impossible_hand(deal: Deal) -> bool:
        return False

    with pytest.raises(DealError, match="meets impossible_hand, met by 0 of"):
        _ = knowing((long_clubs, impossible_hand)).fitting
    monkeypatch.setattr(conditioned_layouts, "FEW", 0)
    monkeypatch.setattr(conditioned_layouts, "_RAREST", 2000)
    with pytest.raises(TooRareError, match="the rarest condition: impossible_hand"):
        knowing((long_clubs, impossible_hand)).fitting.sample(1)
    monkeypatch.setattr(conditioned_layouts, "_RAREST", 10**9)
    entry = spadille.load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    with pytest.raises(spadille.SpadilleError, match="time ran out"):
        spadille.chances(
            entry.deal, entry.contract, drawing=spadille.Drawing(seconds=0.2, where=impossible_hand)
        )  # type: ignore[arg-type]


def test_a_sieve_that_passes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Empty(Weighed):
        def drawn(self, number: int, seed: int, block: int, first: int) -> list[int]:
            return []

    monkeypatch.setattr(conditioned_layouts, "MANY", 0)
    free = knowing()
    fitting = FittingLayouts(free.layouts, [], free, Empty(0.5))
    with pytest.raises(TooRareError, match=r"0 of 3,000,320 .*: the calls"):
        fitting.sample(1)


def test_contracts_are_chosen_on_what_fits() -> None:
    deal = Deal.random("ombre", 3)
    asked = count()

    def strong(layout: Deal) -> bool:
        next(asked)
        return "SA" in (layout.hands["2"] or ())

    found = spadille.best_chances(
        deal,
        "1",
        "entrada",
        trumps="H",
        drawing=spadille.Drawing(samples=40, seconds=0, where=strong),
    )
    assert 0 < found.acceptance < 1
    # About twice the 48 layouts that choose the exchanges and the 40 that give the figures, since
    # half have SA.
    assert next(asked) > 88
    free = spadille.best_chances(
        deal, "1", "entrada", trumps="H", drawing=spadille.Drawing(samples=40, seconds=0)
    )
    assert free.acceptance == 1
    assert (found.best.payoff or 0) < (free.best.payoff or 0)


def fitting_sets(where: Callable[[Deal], bool]) -> list[tuple[frozenset[str], ...]]:
    """Return the layouts that meet a condition, with the cards of each place as a set."""
    known = knowing(where)
    layouts = map(known.layouts.unrank, known.fitting.ranks)
    return sorted((tuple(map(frozenset, layout)) for layout in layouts), key=str_of)


def str_of(layout: tuple[frozenset[str], ...]) -> str:
    return str([sorted(cards) for cards in layout])


def test_conditions_may_be_written_as_for_deals() -> None:
    deal, _, _ = few()
    text = " and ".join(f"length({seat}, C) < 4" for seat in deal.rules.seats)
    written = spadille.condition(text, deal)
    # Counted conditions number the layouts in another order.
    assert fitting_sets(written) == fitting_sets(long_clubs)
    assert knowing(written).sentences[-1] == f"Only layouts that meet {text} count"
    entry = spadille.load("examples/german-solo.pbn")[0]
    assert entry.contract is not None
    words = f"frog, {entry.contract.trump}, {entry.contract.called}"
    for holder in ("W", "N"):
        solved = spadille.condition(f"makes(E, {words}) and holds({holder}, SK)", deal)
        assert solved(deal) == bool(solve(deal, entry.contract).makes and holder == "W")
    for wrong, code in (
        ("holds(X, SA)", "seat-unknown"),
        ("length(N, C)", "expression-type"),
        ("__import__('os')", "expression-name"),
    ):
        with pytest.raises(ArgumentError) as raised:
            spadille.condition(wrong, deal)
        assert raised.value.code == code
    with pytest.raises(ArgumentError, match="a deal must be a Deal"):
        spadille.condition(text, "N:")  # type: ignore[arg-type]


@pytest.mark.ci
def test_who_runs_out_of_time_hears_what_was_rare() -> None:
    entry = spadille.load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    alone = spadille.condition("length(N, C) >= 7 and length(N, S) >= 7", entry.deal)
    with pytest.raises(spadille.DealError, match="no layout of the hidden cards allows this"):
        spadille.chances(entry.deal, entry.contract, drawing=spadille.Drawing(where=alone))  # type: ignore[arg-type]
    never = spadille.condition("length(N, C) + length(S, C) >= 12", entry.deal)
    with pytest.raises(
        spadille.SpadilleError,
        match=r"0 of [0-9,]+ tested layouts fit; the rarest condition: length",
    ):
        spadille.chances(
            entry.deal, entry.contract, drawing=spadille.Drawing(seconds=1, where=never)
        )  # type: ignore[arg-type]


def test_conditions_are_functions() -> None:
    with pytest.raises(ArgumentError, match="where must be functions of a Deal"):
        knowing("trumps")
