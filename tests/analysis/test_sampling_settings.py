"""How many layouts are valued, which, and in what order; the settings of a drawing."""

from __future__ import annotations

from dataclasses import replace
from math import perm
from types import SimpleNamespace
from typing import Any

import pytest

from spadille import Contract, Deal, know
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.exchange_from_own_hand import Tables
from spadille.analysis.chances.sampling_settings import EXACT, Drawing, shuffled, words_of
from spadille.base.errors import ArgumentError
from spadille.core.knowledge import conditioned_layouts
from spadille.core.knowledge.seat_knowledge import Assumptions
from spadille.games.model.contract_types_and_options import ExchangeRule
from spadille.games.model.game import Rules
from spadille.games.ombre import ENTRADA
from tests.analysis.test_exchange_chances_by_layout import TINY


def ranked(count: int) -> Any:
    return SimpleNamespace(count=count, ranks=range(count), samples=lambda *asked: iter([asked]))


@pytest.mark.parametrize(
    ("count", "samples", "every"),
    [
        (EXACT, None, True),
        (EXACT + 1, None, False),
        (100, 100, True),
        (101, 100, False),
        (EXACT, 2 * EXACT, True),
        (EXACT + 1, 2 * EXACT, False),
        (1, 1, True),
    ],
)
def test_all_layouts_are_valued_if_they_are_few(
    count: int, samples: int | None, every: bool
) -> None:
    assert EXACT == 5000
    assert Drawing(samples=samples).all_of(ranked(count)) == every


def test_blocks_double_up_to_the_number_of_samples() -> None:
    """Each block doubles the total; a block is given as (number, seed, index of the block)."""
    drawing = Drawing(samples=1100, seed=7)
    blocks = [next(block) for block in drawing.blocks(ranked(10**6), exact=False)]
    assert blocks == [(256, 7, 0), (256, 7, 1), (512, 7, 2), (76, 7, 3)]
    endless = Drawing(seed=7).blocks(ranked(10**6), exact=False)
    assert [next(next(endless)) for _ in range(4)] == [
        *((256, 7, 0), (256, 7, 1), (512, 7, 2), (1024, 7, 3))
    ]
    ((ranks,),) = (list(block) for block in drawing.blocks(ranked(9), exact=True))
    assert ranks == shuffled(range(9), 7)


def test_every_order_comes_out_of_shuffling() -> None:
    orders = [tuple(shuffled("abcd", seed)) for seed in range(600)]
    assert len({*orders}) == perm(4)
    assert {"".join(sorted(order)) for order in orders} == {"abcd"}
    firsts = [order[0] for order in orders]
    assert all(100 < firsts.count(letter) < 200 for letter in "abcd")
    assert shuffled([], 1) == []
    assert shuffled([5], 1) == [5]


def test_ranks_are_two_words_each_the_low_one_first() -> None:
    assert [*words_of([3, (5 << 64) + 7])] == [3, 0, 7, 5]
    assert [*words_of([(1 << 64) - 1])] == [(1 << 64) - 1, 0]


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"samples": 0}, None),
        ({"samples": 1}, 1),
        ({"seed": 1.5}, None),
        ({"seed": -3}, -3),
        ({"threads": 0}, None),
        ({"threads": 1}, 1),
        ({"seconds": -1}, None),
        ({"seconds": 0}, 0),
    ],
)
def test_settings_are_checked(changes: dict[str, Any], kept: object) -> None:
    if kept is None:
        with pytest.raises(ArgumentError):
            Drawing(**changes)
    else:
        ((name, _),) = changes.items()
        assert getattr(Drawing(**changes), name) == kept


# Exchanges


@pytest.mark.parametrize(
    ("who", "most", "discards", "drawn"),
    [
        ("side", 1, "uniform", 1),
        ("all", 1, "uniform", 1),
        ("opponents", 1, "uniform", 0),
        ("opponents", 1, "keep-trumps", 2),  # the opponents may draw the whole talon
        ("opponents", 1, "keep-best", 2),
        ("side", 1, "keep-trumps", 1),
        ("none", 1, "keep-trumps", 0),
        ("side", 8, "uniform", 2),  # no more than the talon has
    ],
)
def test_the_order_of_the_talon_counts_as_far_as_it_may_be_drawn(
    who: Any, most: int, discards: Any, drawn: int
) -> None:
    kind = replace(ENTRADA, first_run=0, exchange=ExchangeRule(who, most, "side-first", "top"))
    rules = Rules(replace(TINY, contracts={"entrada": kind}), {})
    deal = Deal(rules, "3", {"1": ("SA", "HA"), "2": None, "3": None})
    known = know(deal, Contract(("1",), ("entrada",), "S"), "1", None)
    tables = Tables(known, discards)
    assert (tables.pile, tables.drawn, tables.orders) == (2, drawn, perm(2, drawn))
    assert tables.count == tables.distinct == known.layouts.count * tables.orders
    assert [*tables.ranks] == [*range(tables.count)]
    tops = {tuple(tables.top(rank)) for rank in tables.ranks}
    assert tops == {0: {()}, 1: {(0,), (1,)}, 2: {(0, 0), (1, 0)}}[drawn]


@pytest.mark.parametrize("few", [0, 1000])
def test_ranks_of_layouts_that_meet_a_condition(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only layouts that meet the condition are drawn, with every order of the talon."""
    monkeypatch.setattr(conditioned_layouts, "FEW", few)

    def holds(deal: Deal) -> bool:
        return "SK" in (deal.hands["2"] or ())

    rules = Rules(replace(TINY, contracts={"entrada": ENTRADA}), {})
    deal = Deal(rules, "3", {"1": ("SA", "HA"), "2": None, "3": None})
    contract = Contract(("1",), ("entrada",), "S")
    known = know(deal, contract, "1", None, assumptions=Assumptions(where=holds))
    tables = Tables(known, "uniform")
    assert tables.orders > 1
    drawn = [rank for part in tables.samples(200, 1) for rank in part]
    hands = {rank // tables.orders for rank in drawn}
    fits = {
        rank
        for rank in range(known.layouts.count)
        if holds(known.deal_of(known.layouts.unrank(rank)))
    }
    assert hands == fits
    assert {rank % tables.orders for rank in drawn} == {*range(tables.orders)}
    if few:
        every = [rank * tables.orders + order for rank in fits for order in range(tables.orders)]
        assert sorted(tables.ranks) == sorted(every)


def test_settings_without_any_limit_are_refused() -> None:
    deal = Deal.random("german-solo", 1)
    with pytest.raises(ArgumentError, match="give a number of samples"):
        ContractStrategy(deal, "N", drawing=Drawing(seconds=0))
    for drawing in (Drawing(seconds=0, samples=1), Drawing(seconds=1)):
        ContractStrategy(deal, "N", "solo", trumps="H", drawing=drawing, memory=1 << 20)
