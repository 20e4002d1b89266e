"""The chances of an ending of three cards: their result, and the settings that reach the search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from spadille import Contract, Deal, card_values, chances, rules_for
from spadille.analysis.chances import card_chances
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.errors import ArgumentError
from spadille.core.knowledge.seat_knowledge import know


def three_left() -> tuple[Deal, Contract]:
    """Return an ending of three cards: North, who needs five tricks, has three and leads."""
    hands = {"N": ("DA", "DK", "C9"), "E": ("D8", "C8", "S7"), "S": ("D9", "C7", "S8")}
    hands["W"] = ("DJ", "CK", "S9")
    deal = Deal(rules_for("mensch"), "N", hands, leader="N", won={"N": 3, "E": 2})
    return deal, Contract(("N",), ("five",), "H")


def test_neighbors_in_a_hand_are_equal_whatever_lies_below_them() -> None:
    deal, contract = three_left()
    found = chances(deal, contract, drawing=Drawing(seconds=0))
    # Two cards of a suit differ only if another player holds a card between them.
    assert {card.card: card.equals for card in found.cards} == {
        "DA": ("DK",),
        "DK": ("DA",),
        "C9": (),
    }


@pytest.mark.parametrize(
    ("play", "seat", "trick", "table"),
    [
        ((), "N", 6, ()),
        (("DK",), "E", 6, ("DK",)),
        (("DK", "D8", "D9", "DJ"), "N", 7, ()),
        (("DK", "D8", "D9", "DJ", "DA", "C8"), "S", 7, ("DA", "C8")),
    ],
)
def test_the_result_describes_the_decision(
    play: tuple[str, ...], seat: str, trick: int, table: tuple[str, ...]
) -> None:
    deal, contract = three_left()
    found = chances(deal, contract, play, drawing=Drawing(seconds=0))
    assert (found.seat, found.after, found.trick, found.table) == (seat, len(play), trick, table)
    assert found.declaring is (seat == "N")
    assert found.exact
    assert found.settled
    assert found.samples == found.layouts
    assert found.double_dummy is not None
    assert found.double_dummy.cards == card_values(deal, contract, play).cards
    assert (found.plan, found.plan_lines) == (None, ())
    assert chances(deal, contract, play, double_dummy=False).double_dummy is None
    unknown = replace(deal, hands=deal.hands | {"W": None} if seat != "W" else deal.hands)
    assert chances(unknown, contract, play).double_dummy is None


def test_the_figures_of_all_layouts_and_of_a_sample() -> None:
    """C9 wins a trick where the other clubs are lower, which is one layout in ten."""
    deal, contract = three_left()
    every = chances(deal, contract, drawing=Drawing(seconds=0))
    assert [card.rank for card in every.cards] == [1, 1, 2]
    assert every.plans.exact
    for card in every.cards:
        assert card.made_interval is card.behind_interval is card.payoff_interval is None
        assert card.without_seeing == card.made
    low = every.cards[2]
    assert low.behind == pytest.approx(1 - low.made)
    some = chances(deal, contract, drawing=Drawing(samples=100, seconds=0))
    assert (some.exact, some.settled, some.samples) == (False, True, 100)
    assert not some.plans.exact
    for card, whole in zip(some.cards, every.cards, strict=True):
        assert card.made_interval[0] <= whole.made <= card.made_interval[1]
        assert card.payoff_interval[0] <= whole.payoff <= card.payoff_interval[1]
        assert card.without_seeing is None
        assert card.no_guess is not None
    assert [card.behind_interval is None for card in some.cards] == [True, True, False]
    # For an opponent, a card's chance of making is the declarer's.
    some = chances(deal, contract, ("DK",), drawing=Drawing(samples=100, seconds=0))
    (card,) = some.cards
    assert card.made_interval[0] <= card.made <= card.made_interval[1]
    assert card.made == pytest.approx(0.25, abs=0.15)


def test_the_settings_of_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    deal, contract = three_left()
    known = know(deal, contract, None, ())

    def decided(**settings: Any) -> CardStrategy:
        return CardStrategy(known, settings.pop("drawing", Drawing(seconds=0)), **settings)

    with pytest.raises(ArgumentError, match="N may not play 'SA'; legal cards: DA DK C9"):
        decided(plan_card="SA")
    planned = decided(plan=True, plan_card="C9")
    assert Sampling(planned).run().plan_lines == ("Play C9 (10.7%)",)
    # Without plans, no card has a value over the layouts taken together.
    without = Sampling(decided(plans=False)).run()
    assert {card.without_seeing for card in without.cards} == {None}
    assert {card.payoff for card in Sampling(decided(payoffs=False)).run().cards} != {None}
    # Half of the time is for plans where those are searched for after a sample.
    assert planned.part == 1.0
    sampled = decided(drawing=Drawing(samples=100))
    assert (sampled.exact, sampled.part) == (False, 1.0)  # not all layouts are valued
    planned.exact = False
    assert planned.part == 0.5
    assert not planned.complete
    planned._plans = False
    assert planned.part == 1.0


def test_threads_and_seconds_reach_the_engine() -> None:
    deal, contract = three_left()
    strategy = CardStrategy(know(deal, contract, None, ()), Drawing(seconds=90, threads=2))
    asked: list[dict[str, Any]] = []

    class Noted:
        def __init__(self, layouts: Any) -> None:
            self.layouts = layouts

        def __getattr__(self, name: str) -> Any:
            return getattr(self.layouts, name)

        def values(self, hands: Any, **settings: Any) -> Any:
            asked.append(settings)
            return self.layouts.values(hands, **settings)

    strategy._layouts = Noted(strategy._layouts)  # type: ignore[assignment]
    assert Sampling(strategy).run().exact
    assert {settings["threads"] for settings in asked} == {2}
    assert all(0 < settings["seconds"] <= 90 for settings in asked)


def test_the_arguments_of_chances_reach_the_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    class Noted(CardStrategy):
        def __init__(self, known: Any, drawing: Drawing, **settings: Any) -> None:
            asked.update(settings, known=known, drawing=drawing)
            super().__init__(known, drawing, **settings)

    monkeypatch.setattr(card_chances, "CardStrategy", Noted)
    deal, contract = three_left()
    drawing = Drawing(samples=9, seconds=0, belief="none")
    chances(deal, contract, drawing=drawing, double_dummy=False, memory=1 << 22)
    assert (asked["drawing"], asked["double_dummy"], asked["memory"]) == (drawing, False, 1 << 22)
    with pytest.raises(ArgumentError, match="samples must be"):
        chances(deal, contract, drawing=Drawing(samples=0))
