"""Test the drawing of layouts, the exchanges tried and kept, and the requested searches."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import replace
from math import perm
from types import SimpleNamespace
from typing import Any

import pytest

from spadille import Contract, Deal, best_chances, chances, know, plan
from spadille.analysis.chances import card_chances, sampling_loop
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import SurrenderChance
from spadille.analysis.chances.choice_heats import ChoiceStrategy
from spadille.analysis.chances.choosable_contracts import heard
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.contract_chances_result import TriedChoices
from spadille.analysis.chances.contract_rows import ProspectSums
from spadille.analysis.chances.decision import decision_of
from spadille.analysis.chances.exchange_choice import RULES, SeatExchange, Tables, exchanges
from spadille.analysis.chances.plans import MOST_LAYOUTS, Plan, PlanSearch, PlanStep, PlanValue
from spadille.analysis.chances.row_counts import CardAverages
from spadille.analysis.chances.sampling_loop import Clock, Sampling
from spadille.analysis.chances.sampling_plan import EXACT, Drawing, shuffled, words_of
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.chances.surrender_row import Surrenders
from spadille.analysis.chances.value_meaning import Meaning, kinds_of, placements
from spadille.base.errors import ArgumentError
from spadille.core.knowledge import conditioned_layouts
from spadille.core.knowledge.seat_knowledge import Assumptions
from spadille.core.recorded_auction import Auction
from spadille.games import rules_for
from spadille.games.model.contract_kinds import ExchangeRule
from spadille.games.model.game import Rules
from spadille.games.ombre import ENTRADA
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from tests.analysis.test_chances_exchange import TINY
from tests.support.random_endings import case


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
    """The total doubles with each block; a block is shown as (number, seed, index of the block)."""
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
    ("who", "most", "keep_trumps", "drawn"),
    [
        ("side", 1, False, 1),
        ("all", 1, False, 1),
        ("opponents", 1, False, 0),
        ("opponents", 1, True, 2),  # the opponents may draw the whole talon
        ("side", 1, True, 1),
        ("none", 1, True, 0),
        ("side", 8, False, 2),  # no more than the talon has
    ],
)
def test_the_order_of_the_talon_counts_as_far_as_it_may_be_drawn(
    who: Any, most: int, keep_trumps: bool, drawn: int
) -> None:
    kind = replace(ENTRADA, first_run=0, exchange=ExchangeRule(who, most, "side-first", "top"))
    rules = Rules(replace(TINY, contracts={"entrada": kind}), {})
    deal = Deal(rules, "3", {"1": ("SA", "HA"), "2": None, "3": None})
    known = know(deal, Contract(("1",), ("entrada",), "S"), "1", None)
    tables = Tables(known, keep_trumps)
    assert (tables.pile, tables.drawn, tables.orders) == (2, drawn, perm(2, drawn))
    assert tables.count == tables.distinct == known.layouts.count * tables.orders
    assert [*tables.ranks] == [*range(tables.count)]
    tops = {tuple(tables.top(rank)) for rank in tables.ranks}
    assert tops == {0: {()}, 1: {(0,), (1,)}, 2: {(0, 0), (1, 0)}}[drawn]


@pytest.mark.parametrize("few", [0, 1000])
def test_ranks_of_layouts_that_meet_a_condition(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rank is that of a fitting layout, with every order of the talon."""
    monkeypatch.setattr(conditioned_layouts, "FEW", few)

    def holds(deal: Deal) -> bool:
        return "SK" in (deal.hands["2"] or ())

    rules = Rules(replace(TINY, contracts={"entrada": ENTRADA}), {})
    deal = Deal(rules, "3", {"1": ("SA", "HA"), "2": None, "3": None})
    contract = Contract(("1",), ("entrada",), "S")
    known = know(deal, contract, "1", None, assumptions=Assumptions(where=holds))
    tables = Tables(known, keep_trumps=False)
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


def test_six_and_then_three_exchanges_are_kept() -> None:
    """Six exchanges are kept after 16 layouts, three after 64 more (docs/chances.md)."""
    layouts = RowLayouts()
    rows: list[Any] = [Row(pays) for pays in (3, 9, 1, 8, 2, 7, 4, 6)]
    rows += [Row(pays, "b") for pays in (20, 30, 10)]
    strategy = ChoiceStrategy(rows, layouts, Drawing(seed=5, threads=9))  # type: ignore[arg-type]
    assert strategy.at_a_time == 9
    assert ChoiceStrategy(rows, layouts, Drawing()).at_a_time == 4  # type: ignore[arg-type]
    assert (strategy.many, strategy.samples, strategy.complete) == (8, 0, False)
    found = Sampling(strategy).run()
    assert layouts.asked == [(16, 5, 1 << 32), (64, 5, (1 << 32) + 2)]
    first, second = sorted({tuple(valued) for valued in layouts.rows}, key=len, reverse=True)
    assert first == (1, 2, 3, 4, 6, 7, 8, 9)
    assert second == (3, 4, 6, 7, 8, 9)
    assert [row.meaning.payoff for row in found] == [9, 8, 7, 20, 30, 10]  # type: ignore[attr-defined]
    assert strategy.tried == TriedChoices(8, 3, 80)
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


# Cards


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


@pytest.mark.parametrize(("estuche", "telling"), [("0", 0), ("2", 4)])
def test_holders_of_the_highest_trumps_are_told_apart_if_they_pay(
    estuche: str, telling: int
) -> None:
    """The payoff depends on the holders of the matadors and the next trump, and no other card."""
    rules = Rules(Deal.random("ombre", 2).rules.game, {"estuche_chips": estuche})
    trumps = rules.trump_cards("H")
    for seed in range(99):
        deal = replace(Deal.random("ombre", seed), rules=rules)
        known = know(deal, Contract(("1",), ("solo",), "H"))
        if {*trumps[:6]} <= {*known.unseen}:
            break
    at = decision_of(known)
    kinds = kinds_of(known, at, Search(None, Limits()), forced=False)
    expected = [at.encoding.numbers[card] for card in trumps[:telling]]
    assert kinds.telling == expected


def test_matadors_of_the_partner_and_of_opponents_pay_differently() -> None:
    """The opponents are interchangeable, and the holder of the called card is the partner."""
    hand = Deal.random("quadrille", 4).hands["N"]
    deal = Deal(rules_for("quadrille"), "N", {"N": hand, "E": None, "S": None, "W": None})
    known = know(deal, Contract(("E",), ("alliance",), "S", called="HK"), "N")
    cases = dict(placements(known, ["HK", "SA"]))
    assert cases["S", "E"] != cases["S", "S"] != cases["S", "W"] != cases["S", "E"]
    known = know(deal, Contract(("E",), ("solo",), "S"), "N")
    cases = dict(placements(known, ["SA"]))
    assert cases["S",] == cases["W",] != cases["E",]


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


# Plans


def test_plans_have_all_their_fields_in_json() -> None:
    steps = (
        PlanStep(parent=None, seen=(), card="SA", share=2 / 3),
        PlanStep(parent=0, seen=("S7", "S8"), card="HK", share=1 / 3),
    )
    plan = Plan(
        contract=Contract(("N",), ("solo",), "H"),
        seat="N",
        after=20,
        card="SA",
        layouts=90,
        declaring=True,
        seeing=8 / 9,
        without_seeing=2 / 3,
        proved=True,
        steps=steps,
        whole=False,
    )
    assert plan.to_dict() == {
        "card": "SA",
        "layouts": "90",
        "seeing": 0.888889,
        "without_seeing": 0.666667,
        "proved": True,
        "whole": False,
        "steps": [
            {"parent": None, "seen": [], "card": "SA", "share": 0.666667},
            {"parent": 0, "seen": ["S7", "S8"], "card": "HK", "share": 0.333333},
        ],
    }
    assert [str(step) for step in steps] == ["SA", "after S7 S8 play HK"]
    made = "N solo H: N plays SA, made in 88.9% with all hands seen, 66.7% without seeing them"
    assert str(plan) == made
    assert str(replace(plan, declaring=False)) == made.replace("made", "defeated")
    assert PlanValue(card="SA", equals=(), open=3, least=2, most=2).proved
    assert not PlanValue(card="SA", equals=(), open=3, least=2, most=3).proved
    assert MOST_LAYOUTS == 1_000_000


def test_a_search_for_plans_has_no_limits_unless_they_are_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, Any]] = []
    search = object.__new__(PlanSearch)
    search._solver = SimpleNamespace(values=lambda **words: (asked.append(words), None))  # type: ignore[assignment]
    monkeypatch.setattr(PlanSearch, "valued", [])
    search.values()
    search.values(blind=2, seconds=3, threads=4, work=5)
    none = {"blind": 0, "seconds": 0, "threads": 1, "work": 0}
    assert asked == [none, {"blind": 2, "seconds": 3, "threads": 4, "work": 5}]


def test_values_of_plans_that_were_not_found_yet_are_open() -> None:
    search = object.__new__(PlanSearch)
    search.weight = 90
    names = {1: "SA", 2: "SK", 5: "D7"}
    search._at = SimpleNamespace(encoding=SimpleNamespace(names=names))  # type: ignore[assignment]
    found = [(1, 0b110, 80, 70, 75), (5, 0b100000, None, None, None)]
    search._solver = SimpleNamespace(valued=found)  # type: ignore[assignment]
    assert search.valued == [
        PlanValue(card="SA", equals=("SK",), open=80, least=70, most=75),
        PlanValue(card="D7", equals=(), open=90, least=0, most=90),
    ]


# Calls heard before


@pytest.mark.parametrize(
    ("calls", "seat", "before"),
    [
        (("Pass", "frog", "Pass", "Pass"), "N", 0),
        (("Pass", "frog", "Pass", "Pass"), "E", 1),
        (("Pass", "frog", "Pass", "Pass"), "S", 2),
        (("Pass", "frog", "Pass", "Pass"), "W", 3),
        (("Pass", "frog"), "S", 0),  # South has not called yet
    ],
)
def test_a_seat_has_heard_the_calls_before_its_last(
    calls: tuple[str, ...], seat: str, before: int
) -> None:
    deal = Deal.parse(
        "N:AK.AK.AK.A7 QJ.QJ.QJ.KJ T9.T9.T9.T9 87.87.87.Q8", "german-solo", dealer="W"
    )
    assert heard(deal, seat, Auction(calls, "N")) == Auction(calls[:before], "N")


def test_the_cards_of_bids_are_shown_together() -> None:
    deal = Deal.random("squint", 1, dealer="5")
    cards = tuple((deal.hands[seat] or ())[0] for seat in "12345")
    assert heard(deal, "3", Auction(cards, "1")) == Auction((), "1")


def test_nothing_is_chosen_after_the_last_card() -> None:
    ranks = "AKQJT98765432"
    deal = Deal.parse(f"N:{ranks}... .{ranks}.. ..{ranks}. ...{ranks}", "solo-whist", dealer="W")
    contract = Contract.make(deal, "solo", declarer="N", trump="S")
    play = [suit + rank for rank in ranks for suit in "SHDC"]
    for ask in (chances, plan):
        with pytest.raises(ArgumentError, match="the hand is over"):
            ask(deal, contract, play)


def test_settings_without_any_limit_are_refused() -> None:
    deal = Deal.random("german-solo", 1)
    with pytest.raises(ArgumentError, match="give a number of samples"):
        ContractStrategy(deal, "N", drawing=Drawing(seconds=0))
    for drawing in (Drawing(seconds=0, samples=1), Drawing(seconds=1)):
        ContractStrategy(deal, "N", "solo", trumps="H", drawing=drawing, memory=1 << 20)


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


class Valued:
    """A contract with the same meaning in every layout."""

    def __init__(self, meaning: Meaning, span: tuple[int, int]) -> None:
        self.meanings = [meaning] * 4000
        ends = dict(enumerate(Meaning(True, pays, None) for pays in span))
        self.kinds = [SimpleNamespace(paying=None, meanings=ends)]

    def column(self) -> ProspectSums:
        return ProspectSums(self.meanings, self.kinds)  # type: ignore[arg-type]


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
