"""Plans compared with trying all plans, and replayed against every defense."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

import spadille
from spadille import Contract, Deal, Position, solve
from spadille.analysis.chances import plans
from spadille.analysis.chances.plans import MOST_LAYOUTS, Plan, PlanSearch, PlanStep, PlanValue
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.errors import ArgumentError, TooHardError
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.games import GAMES, rules_for
from spadille.search.engine import PlanSolver, TrickObjective
from spadille.search.engine_problem import EngineProblem
from tests.support.game_option_cases import variants
from tests.support.plan_endings import decision
from tests.support.plan_replay import Replay
from tests.support.plans_by_force import PlansByForce
from tests.support.tiers import games_by_tier, tries


class Seen(NamedTuple):
    """The kinds of decisions in a comparison."""

    number: int
    roles: frozenset[str]
    options: frozenset[str]


def compare(game: str, tricks: int, most: int, number: int, first: int = 0) -> Seen:
    """Compare some decisions, from the seed `first` on, with an exhaustive search."""
    roles: set[str] = set()
    options: set[str] = set()
    done = 0
    for seed in count(first):
        known = decision(game, tricks, most, seed)
        if known is None:
            continue
        done += 1
        won = PlansByForce(known).values()
        for step in SOLVERS:
            assert values_of(known, step) == won, (game, tricks, most, seed, step)
        roles |= roles_of(known)
        options.add(known.deal.rules.text)
        if done == number:
            break
    return Seen(number, frozenset(roles), frozenset(options))


SOLVERS = {
    "fronts": PlanSolver,
    "mixing": partial(PlanSolver, mixed=True),
    "groups": partial(PlanSolver, grouped=True),
}
"""The step of a proof that gives a card its first bounds -> a search that begins with it."""


def values_of(known: Knowledge, step: str) -> dict[str, int]:
    """Return the proved value of each card, first bounded by a certain step."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PlanSolver", SOLVERS[step])
        values = PlanSearch(known, 1 << 22).values()
    assert all(value.proved for value in values)
    return {name: value.least for value in values for name in (value.card, *value.equals)}


def roles_of(known: Knowledge) -> set[str]:
    """Return the role of the player, and whether the partner is unknown to them."""
    sides = {known.contract_of(known.layouts.unrank(rank)).side for rank in known.fitting.ranks}
    if known.seat in known.contract.declarers:
        role = "declarer"
    else:
        role = "partner" if known.seat in known.contract.side else "defender"
    return {role} | ({"unknown partner"} if len(sides) > 1 else set())


def replay(seeds: range, tricks: int, most: int) -> int:
    """Replay the plans of all cards of some decisions; return the number of choices in them."""
    choices = 0
    for seed in seeds:
        known = decision([*GAMES][seed % len(GAMES)], tricks, most, seed)
        if known is None:
            continue
        search = PlanSearch(known, 1 << 22)
        for value in search.values():
            plan = search.plan(value, value.card)
            assert plan.whole
            assert Replay(known, plan).share() == pytest.approx(plan.without_seeing), (seed, value)
            choices += len(plan.steps)
    return choices


def test_plans_win_what_they_claim_against_every_defense() -> None:
    assert replay(range(2000, 2000 + tries(20, 200)), tricks=3, most=60) > tries(6, 20)


@pytest.mark.parametrize("game", games_by_tier("german-solo", "ombre", "anna-cubed"))
def test_values_are_those_of_all_plans(game: str) -> None:
    compare(game, tricks=2, most=200, number=tries(6, 12), first=1_000_000)
    compare(game, tricks=3, most=40, number=tries(2, 4), first=1_000_000)


def test_the_best_card_of_a_plan_is_found() -> None:
    entry = spadille.load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    assert entry.contract is not None
    line = spadille.solve(entry.deal, entry.contract, line=True).line
    cards = [card for trick in line for card in trick][:20]
    best = spadille.plan(entry.deal, entry.contract, cards)
    for value in PlanSearch(know(entry.deal, entry.contract, None, cards)).values():
        one = spadille.plan(entry.deal, entry.contract, cards, card=value.card)
        assert one.card == value.card == one.steps[0].card
        assert one.without_seeing <= best.without_seeing
        assert one.without_seeing <= one.seeing


def test_the_settings_of_a_plan_reach_its_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}

    class Noted(PlanSearch):
        def __init__(self, known: Knowledge, memory: int) -> None:
            asked.update(seat=known.seat, told=known.sentences, memory=memory)
            super().__init__(known, memory)

        def values(self, **settings: object) -> list[PlanValue]:  # type: ignore[override]
            asked.update(settings)
            return super().values(**settings)  # type: ignore[arg-type]

        def plan(self, value: PlanValue, card: str, seconds: float | None) -> Plan:
            asked.update(card=card, left=seconds)
            return super().plan(value, card, seconds)

    monkeypatch.setattr(plans, "PlanSearch", Noted)
    deal = Deal(
        rules_for("mensch"),
        "N",
        {"N": ("DA", "C9"), "E": ("D8", "C8"), "S": ("D9", "C7"), "W": ("DJ", "CK")},
        leader="N",
        won={"N": 4, "E": 2},
    )
    drawing = Drawing(seconds=77, threads=2)
    contract = Contract(("N",), ("five",), "H")
    found = spadille.plan(deal, contract, card="C9", seat="N", drawing=drawing, memory=1 << 21)
    assert found.card == "C9"
    assert asked == {
        "seat": "N",
        "told": (),
        "memory": 1 << 21,
        "seconds": 77,
        "threads": 2,
        "card": "C9",
        "left": 77,
    }
    # The best first card is the one that surely wins.
    assert spadille.plan(deal, contract, drawing=drawing).card == "DA"
    with pytest.raises(ArgumentError, match="samples must be"):
        spadille.plan(deal, contract, drawing=Drawing(samples=0))
    with pytest.raises(ArgumentError, match="a card must be text"):
        spadille.plan(deal, contract, card=9)  # type: ignore[arg-type]


def test_wrong_cards_and_too_many_layouts_are_refused() -> None:
    entry = spadille.load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    assert entry.contract is not None
    with pytest.raises(TooHardError, match="the limit is 1,000,000"):
        spadille.plan(entry.deal, entry.contract)
    line = spadille.solve(entry.deal, entry.contract, line=True).line
    cards = [card for trick in line for card in trick][:20]
    with pytest.raises(ArgumentError, match="may not play 'XX'"):
        spadille.plan(entry.deal, entry.contract, cards, card="XX")


GUESSES_IN_THREE = {
    "mensch": (19, 25, 179, 238, 337, 388, 481),
    "squint": (20,),
    "quadrille": (49, 154, 289, 442, 503, 542),
    "ombre": (189, 411),
    "quintille": (363,),
    "solo-whist": (216, 253, 617),
    "german-solo": (284, 614),
}
"""Game -> seeds of endings with three tricks left in which a card needs a guess."""

GUESSES_IN_FOUR = {
    "mensch": (3,),
    "german-solo": (15, 24, 26, 44),
    "ombre": (54, 55, 84),
    "quadrille": (2, 106, 110, 193, 257),
    "anna-cubed": (94,),
    "squint": (144,),
}
"""The same with four tricks left."""


def check_guesses(game: str, tricks: int, most: int, seed: int) -> None:
    """Compare the values of an ending that needs a guess with an exhaustive search."""
    known = decision(game, tricks, most, seed)
    cards = PlanSearch(known, 1 << 22).values() if known else ()
    assert any(card.least < card.open for card in cards), (
        f"seed {seed} gives no ending of {game} in which a card needs a guess; if you added a "
        "contract or an option, replace it in tests/analysis/test_plans.py with a seed that does"
    )
    assert known is not None
    won = PlansByForce(known).values()
    for step in SOLVERS:
        assert values_of(known, step) == won


@pytest.mark.parametrize(
    ("game", "seed"), [(game, seed) for game, seeds in GUESSES_IN_THREE.items() for seed in seeds]
)
def test_values_where_a_card_needs_a_guess(game: str, seed: int) -> None:
    check_guesses(game, 3, 200, seed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seed"), [(game, seed) for game, seeds in GUESSES_IN_FOUR.items() for seed in seeds]
)
def test_values_of_longer_endings_where_a_card_needs_a_guess(game: str, seed: int) -> None:
    check_guesses(game, 4, 300, seed)


def kind_of(known: Knowledge) -> str:
    """Return how double-dummy averages mislead in a decision.

    "wrong": no card with the best average has the best plan; "worse": at least one has not.
    """
    cards = PlanSearch(known).values()
    averaged = max(card.open for card in cards)
    planned = max(card.least for card in cards)
    first = [card.least for card in cards if card.open == averaged]
    return "wrong" if max(first) < planned else "worse" if min(first) < planned else "right"


TOO_LONG = {
    ("plan-german-solo", 2),
    ("plan-german-solo", 7),
    ("plan-mensch", 1),
    ("plan-mensch", 3),
    ("plan-mensch", 4),
    ("plan-ombre", 3),
    ("plan-quadrille", 8),
}
"""Problems for which an exhaustive search takes more than a minute."""


@pytest.mark.parametrize(
    ("least", "most", "kinds"),
    [
        (2, 90, {"worse": 9, "wrong": 2}),
        pytest.param(91, 200, {"worse": 6, "wrong": 4}, marks=pytest.mark.ci),
        pytest.param(201, 2000, {"worse": 16, "wrong": 15}, marks=pytest.mark.slow),
    ],
)
def test_values_where_averages_mislead(least: int, most: int, kinds: dict[str, int]) -> None:
    """Compare the problems whose solution is a plan, by the number of layouts."""
    found: Counter[str] = Counter()
    for path in sorted(Path("examples/problems").glob("plan-*.pbn")):
        for number, entry in enumerate(spadille.load(path), 1):
            assert entry.deal is not None
            assert entry.contract is not None
            assert entry.play is not None
            if (path.stem, number) in TOO_LONG:
                continue
            known = know(entry.deal, entry.contract, None, entry.play.cards)
            if least <= known.layouts.count <= most:
                won = PlansByForce(known).values()
                for step in SOLVERS:
                    assert values_of(known, step) == won, (path, number)
                found[kind_of(known)] += 1
    assert found == kinds


ENDINGS = {2: (200, 125), 3: (200, 125), 4: (40, 13)}
"""Tricks left -> the maximum number of layouts, and the number of endings of each game."""


@pytest.mark.slow
@pytest.mark.parametrize("tricks", ENDINGS)
@pytest.mark.parametrize("game", GAMES)
def test_values_of_many_endings(game: str, tricks: int) -> None:
    """Compare 2,000 endings with two or three tricks left, and 104 with four, over all games."""
    most, number = ENDINGS[tricks]
    seen = compare(game, tricks, most, number)
    assert seen.roles >= {"declarer", "defender"}
    if tricks == 2:
        assert seen.options == {rules_for(game, options).text for options in variants(game)}
        calls = any(kind.side == "called" for kind in rules_for(game).contracts.values())
        assert ("unknown partner" in seen.roles) == calls


def test_bounds_from_opponents_who_mix_their_cards_meet() -> None:
    """Fronts alone could not prove this ace even with a hundred times the work."""
    deal = Deal.parse("german-solo E:K9.A87.AT.J AQ.9.Q.AQT8 JT.T.K87.K7 87.KQJ.J9.9")
    played = "SA ST S7 S9 H9 HT HJ H7 S8 SK C8 SJ DQ D7 D9 DA H8"
    search = PlanSearch(know(deal, Contract.parse(deal, "S solo C"), None, played))
    ace = next(value for value in search.values(work=4_000_000) if value.card == "CA")
    assert ace.proved
    plan = search.plan(ace, "CA")
    assert plan.whole
    assert plan.steps[0].share == pytest.approx(ace.least / search.weight)


def test_plans_are_divided_by_the_choice_after_the_first_card() -> None:
    """In these layouts, the next lead remains in doubt, and neither has the best plan yet.

    The player wins the trick with the first card, so no other card comes before that lead.
    """
    own = "1 3 19 32 37"
    others = (
        "2 4 16 20, 0 18 33 34",
        "0 2 18 20, 4 16 33 34",
        "0 4 18 20, 2 16 33 34",
        "0 2 18 33, 4 16 20 34",
        "0 4 18 33, 2 16 20 34",
        "4 16 18 33, 0 2 20 34",
        "0 2 20 33, 4 16 18 34",
        "0 4 20 33, 2 16 18 34",
        "2 16 33 34, 0 4 18 20",
        "4 18 33 34, 0 2 16 20",
    )
    hands = [
        sum(1 << int(card) for card in hand.split())
        for layout in others
        for hand in (*layout.split(","), own)
    ]
    problem = EngineProblem(3, tuple(hands[:3]), 0, 0, (35, 17))
    aim = (TrickObjective(1 << 2, 1 << 2), 0, 2, True)
    number = len(others)
    for solver in SOLVERS.values():
        found = solver(problem, [aim], array("Q", hands), [1] * number, bytes(number))
        assert found.values() == ([(32, 1 << 32, 1, 1, 1), (37, 1 << 37, 10, 7, 7)], None)


@pytest.mark.ci
def test_layouts_that_count_several_times() -> None:
    """The dealer turned up an unknown heart: each heart in that hand gives a separate layout."""
    full = Deal.random("solo-whist", 3)
    assert full.turn_up is not None
    deal = Deal(full.rules, full.dealer, full.hands, current_trump=full.turn_up[0])
    contract = Contract.parse(deal, f"{full.rules.in_turn(full.dealer)[1]} solo")
    random, position = Random(3), Position.of(deal, contract)
    cards: list[str] = []
    while len(cards) < 40:
        cards.append(random.choice(sorted(position.legal())))
        position.play(cards[-1])
    known = know(deal, contract, position.to_play, cards)
    search = PlanSearch(known)
    assert (search.weight, search.layouts) == (known.layouts.count, known.layouts.distinct)
    assert search.weight > search.layouts
    declaring = known.seat in contract.side
    for value in search.values():
        won = sum(
            weight
            for layout, weight in known.layouts.weighed()
            if solve(known.deal_of(layout), contract, play=[*cards, value.card]).makes == declaring
        )
        assert value.open == won
        assert value.least <= won


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
