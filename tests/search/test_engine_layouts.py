"""Layouts of one decision have the same values whether asked about together or separately."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random
from threading import Timer
from typing import Any

import pytest

from spadille.base.errors import ArgumentError
from spadille.search.contract_objective import ContractObjective, objective_of
from spadille.search.encoding import Situation, situation
from spadille.search.engine import LayoutSolver, Solver, TrickObjective
from spadille.search.engine_problem import EngineProblem
from spadille.search.make_payoff_objective import payoff_objective
from spadille.search.payoff_objectives import PayoffByEnd
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case
from tests.support.tiers import each_of

NUMBER = 12


def dealt(problem: EngineProblem, random: Random) -> EngineProblem:
    """Redeal the cards that the player to move does not see, ignoring all constraints."""
    mine = problem.to_play
    sizes = [hand.bit_count() for hand in problem.hands]
    cards = [c for c in range(64) if sum(problem.hands) - problem.hands[mine] >> c & 1]
    random.shuffle(cards)
    hands = [
        sum(1 << cards.pop() for _ in range(size * (i != mine))) for i, size in enumerate(sizes)
    ]
    hands[mine] = problem.hands[mine]
    return problem._replace(hands=tuple(hands))


def flat(problems: list[EngineProblem]) -> array[int]:
    return array("Q", [hand for problem in problems for hand in problem.hands])


def alone(objective: Any, state: int, problem: EngineProblem) -> dict[int, int]:
    """Return the values of the cards in one layout, found in the usual way."""
    solver = Solver()
    low, high = objective.span(problem, state)
    low, high = objective.bounds(solver, problem, state, low, high, low)
    assert low == high
    values = objective.card_values(solver, problem, state, low)
    assert None not in values.values()
    return dict(values)


def rows(layouts: LayoutSolver, found: bytes) -> Iterator[list[int]]:
    numbers = memoryview(found).cast("h").tolist()
    for start in range(0, len(numbers), layouts.width):
        yield numbers[start : start + layouts.width]


def asked(game: str, options: str, contract_id: str) -> tuple[Situation, list[Any]]:
    """Return a decision in an ending with its questions and their initial states."""
    deal, contract = case(game, options, contract_id, 3)
    at = situation(deal, contract)
    objectives: list[ContractObjective] = [objective_of(contract, at, contract.declarer)]
    objectives.append(objectives[0].coarse())
    if len(contract.declarers) == 1:
        goal: Any = payoff_objective(deal, contract, at)
        objectives.append(goal.payoff if isinstance(goal, PayoffByEnd) else goal)
        return at, [(each, getattr(each, "start", 0)) for each in objectives[:2]] + [
            (objectives[2], goal.start)
        ]
    return at, [(each, each.start) for each in objectives]


@each_of(CASES, 1, 16)
def test_values_are_those_of_each_layout_alone(game: str, options: str, contract_id: str) -> None:
    random = Random(f"{game} {options} {contract_id}")
    at, questions = asked(game, options, contract_id)
    problems = [dealt(at.problem, random) for _ in range(NUMBER)]
    for objective, state in questions:
        layouts = LayoutSolver(at.problem, [(objective, state, 0)])
        found = layouts.values(flat(problems))
        assert layouts.values(flat(problems), threads=2) == found
        assert layouts.finished == NUMBER
        assert layouts.stopped is None
        expected = [alone(objective, state, problem) for problem in problems]
        assert [row[1:] for row in rows(layouts, found)] == [[*each.values()] for each in expected]
        assert layouts.cards == tuple(expected[0])


def test_positions_are_valued_where_cards_are_not_asked_for() -> None:
    at, [(objective, state), *_] = asked("german-solo", "", "solo")
    problems = [dealt(at.problem, Random(seed)) for seed in range(NUMBER)]
    each = LayoutSolver(at.problem, [(objective, state, 2)])
    whole = LayoutSolver(at.problem, [(objective, state, 2)], cards=False)
    best = max if objective.wants(at.problem) else min
    expected = [best(row[1:]) for row in rows(each, each.values(flat(problems)))]
    assert [row[1:] for row in rows(whole, whole.values(flat(problems)))] == [[e] for e in expected]
    assert whole.cards == ()


def test_the_next_run_tries_first_what_came_most_often() -> None:
    at, [(objective, state), *_] = asked("german-solo", "", "tout")
    problems = [dealt(at.problem, Random(seed)) for seed in range(NUMBER)]
    nodes = []
    for guess in (0, 8):
        layouts = LayoutSolver(at.problem, [(objective, state, guess)])
        first = layouts.values(flat(problems))
        nodes.append(layouts.nodes)
        assert layouts.values(flat(problems)) == first
        nodes.append(layouts.nodes)
    assert nodes[0] != nodes[2]
    assert nodes[1] == nodes[3] <= min(nodes)


def test_who_holds_a_card_may_tell_the_question() -> None:
    at, _ = asked("quadrille", "", "alliance")
    problem = at.problem
    mine = problem.to_play
    card = max(c for c in range(64) if sum(problem.hands) - problem.hands[mine] >> c & 1)
    questions = [
        (TrickObjective(side, side), 0, 1) for side in (1 << mine | 1 << n for n in range(4))
    ]
    problems = [dealt(problem, Random(seed)) for seed in range(NUMBER)]
    layouts = LayoutSolver(problem, questions, telling=[card], table=bytes([0, 1, 2, 3, 255]))
    found = rows(layouts, layouts.values(flat(problems)))
    numbers = layouts.questions(flat(problems))
    for one, row, number in zip(problems, found, numbers, strict=True):
        holder = next(player for player, hand in enumerate(one.hands) if hand >> card & 1)
        assert number == holder
        assert row == [holder, *alone(questions[holder][0], 0, one).values()]
    nobody = LayoutSolver(problem, questions, telling=[card], table=bytes([255] * 5))
    with pytest.raises(ArgumentError, match="a layout has no question"):
        nobody.values(flat(problems))


def whole_deals(number: int) -> tuple[EngineProblem, list[EngineProblem]]:
    """Return layouts of 13 cards a hand that take some time."""
    cards = list(range(13)) + [16 * lane + rank for lane in (1, 2, 3) for rank in range(13)]
    Random(1).shuffle(cards)
    hands = tuple(sum(1 << card for card in cards[13 * i : 13 * i + 13]) for i in range(4))
    problem = EngineProblem(4, hands, 3, 0)
    return problem, [dealt(problem, Random(seed)) for seed in range(number)]


@pytest.mark.ci
def test_a_limit_of_nodes_leaves_the_same_layouts_on_any_number_of_threads() -> None:
    problem, problems = whole_deals(6)
    layouts = LayoutSolver(problem, [(TrickObjective(5, 5), 0, 6)])
    whole = layouts.values(flat(problems))
    assert layouts.finished == 6
    nodes = layouts.nodes
    found = {layouts.values(flat(problems), threads=n, nodes=nodes // 2) for n in (1, 2, 3)}
    assert len(found) == 1
    [begun] = found
    assert layouts.stopped == "nodes"
    assert 0 < layouts.finished < 6
    assert layouts.nodes < nodes // 2
    assert whole.startswith(begun)
    assert len(begun) == 2 * layouts.width * layouts.finished
    assert layouts.values(flat(problems), nodes=1) == b""


@pytest.mark.ci
@pytest.mark.parametrize("threads", [1, 2])
def test_time_and_interruption_leave_what_is_finished(threads: int) -> None:
    problem, problems = whole_deals(400)
    layouts = LayoutSolver(problem, [(TrickObjective(5, 5), 0, 6)])
    found = layouts.values(flat(problems), threads=threads, seconds=0.2)
    assert layouts.stopped == "time"
    assert len(found) == 2 * layouts.width * layouts.finished
    timer = Timer(0.1, layouts.interrupt)
    timer.start()
    again = layouts.values(flat(problems), threads=threads)
    timer.join()
    assert layouts.stopped == "interrupt"
    assert found.startswith(again) or again.startswith(found)


def test_what_are_no_layouts_of_the_decision_is_refused() -> None:
    at, [(objective, state), *_] = asked("german-solo", "", "solo")
    problem = at.problem
    layouts = LayoutSolver(problem, [(objective, state, 0)])
    other = dealt(problem, Random(1))
    turned = other._replace(hands=(*other.hands[1:], other.hands[0]))
    assert layouts.values(array("Q")) == b""
    for wrong, message in (
        (flat([turned]), "the player to move has another hand"),
        (flat([other])[:-1], "a layout has 4 hands"),
        (flat([problem._replace(hands=(1, 2, 4, 8))]), "has another hand|number of tricks"),
        (flat([problem._replace(hands=(problem.hands[0],) * 4)]), "held twice"),
    ):
        with pytest.raises(ArgumentError, match=message):
            layouts.values(wrong)
    for arguments, message in (
        (([],), "expected 1 to 254 questions"),
        (([(objective, 99, 0)],), "does not belong to its objective|has no objective"),
    ):
        with pytest.raises(ArgumentError, match=message):
            LayoutSolver(problem, *arguments)
    with pytest.raises(ArgumentError, match="combination of holders"):
        LayoutSolver(problem, [(objective, state, 0)], telling=[3], table=b"\0")
    with pytest.raises(ArgumentError, match="threads"):
        layouts.values(flat([other]), threads=0)
    for wrong in (flat([other]).tobytes(), array("q", flat([other])), array("I", [1] * 8)):
        with pytest.raises(ArgumentError, match="unsigned 64-bit numbers"):
            layouts.values(wrong)
    with pytest.raises(ArgumentError, match="seconds"):
        layouts.values(flat([other]), seconds=-1)
    assert layouts.playouts(array("Q")) == b""
    with pytest.raises(ArgumentError, match="the player to move has another hand"):
        layouts.playouts(flat([turned]))
    position = LayoutSolver(problem, [(objective, state, 0)], cards=False)
    with pytest.raises(ArgumentError, match="only cards can be played out"):
        position.playouts(flat([other]))


def test_who_leads_may_hold_anything_where_the_position_is_valued() -> None:
    at, [(objective, state), *_] = asked("german-solo", "", "solo")
    other = dealt(at.problem, Random(1))
    turned = other._replace(hands=(*other.hands[1:], other.hands[0]))
    layouts = LayoutSolver(at.problem, [(objective, state, 2)], cards=False)
    low, high = objective.span(turned, state)
    low, _ = objective.bounds(Solver(), turned, state, low, high, low)
    assert list(rows(layouts, layouts.values(flat([turned])))) == [[0, low]]
