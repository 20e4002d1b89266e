"""The values of cards, contracts, surrenders and plans over layouts, and the requested searches."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from spadille import Contract, Deal, chances, know, plan
from spadille.analysis.chances import card_chances, sampling_loop
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import SurrenderChance
from spadille.analysis.chances.choosable_contracts import heard
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.contract_rows import ProspectSums
from spadille.analysis.chances.decision import decision_of
from spadille.analysis.chances.plans import MOST_LAYOUTS, Plan, PlanSearch, PlanStep, PlanValue
from spadille.analysis.chances.row_counts import CardAverages
from spadille.analysis.chances.sampling_loop import Clock
from spadille.analysis.chances.sampling_plan import Drawing
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.chances.surrender_row import Surrenders
from spadille.analysis.chances.value_meaning import Meaning, kinds_of, placements
from spadille.base.errors import ArgumentError
from spadille.core.recorded_auction import Auction
from spadille.games import rules_for
from spadille.games.model.game import Rules
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from tests.support.random_endings import case

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
