"""The engine against brute force on dense positions, one table kept through all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import brute
import dense
import pytest

from spadille.engine import Automaton, Solver
from spadille.problem import Problem

SMALL_TABLE = 1 << 16


def tricks(solver: Solver, problem: Problem, side: int, credited: int) -> int:
    left = max(hand.bit_count() for hand in problem.hands)
    low, high = solver.value(problem, side, credited, 0, left, left // 2)
    assert low == high
    return low


def card_tricks(solver: Solver, problem: Problem, side: int, credited: int) -> dict[int, int]:
    """The engine's value of each legal card; who wins a trick is the judge's business."""
    values = {}
    for card, (hands, leader, trick), won, _ in brute.moves(problem, brute.root(problem)):
        called = dense.still_out(problem.called, list(hands))
        after = replace(problem, hands=hands, leader=leader, trick=trick, called=called)
        gained = won >= 0 and credited >> won & 1
        values[card] = gained + tricks(solver, after, side, credited)
    return values


def automaton(
    problem: Problem, side: int, payoff: brute.Payoff, penalty: int, target: float
) -> Automaton:
    """The payoff as the engine wants it: states by tricks still to be completed."""
    left = max(hand.bit_count() for hand in problem.hands)
    states: list[Any] = [payoff.start]
    levels: list[list[list[int]]] = []
    for _ in range(left):
        number: dict[Any, int] = {}
        rows = []
        for state in states:
            after = [
                payoff.step(state, winner, trick)
                for winner in range(problem.players)
                for trick in ((), (16 * penalty,))
            ]
            rows.append([number.setdefault(state, len(number)) for state in after])
        levels.append(rows)
        states = list(number)
    worth = [int(payoff.final(state)) for state in states]
    others = (1 << problem.players) - 1 ^ side
    return Automaton(problem.players, [[], *levels[::-1]], worth, int(target), side, others)


def reach(
    solver: Solver, problem: Problem, side: int, payoff: brute.Payoff, penalty: int = 0
) -> float:
    left = max(hand.bit_count() for hand in problem.hands)
    marked = 0xFFFF << 16 * penalty
    for target in sorted(set(payoff.values), reverse=True):
        goal = automaton(problem, side, payoff, penalty, target)
        answer = solver.reaches(problem, side, side, goal, left, 0, marked)
        assert answer is not None
        if answer:
            return target
    raise AssertionError("not even the worst payoff is reached")


Question = Callable[[dense.Case, brute.Judge], tuple[int, brute.Payoff, int]]
QUESTIONS: dict[str, Question] = {
    "run": lambda case, judge: (case.side, brute.run(case.credited, case.horizon), 0),
    "score": lambda case, judge: (
        case.side,
        brute.score(judge.left, case.credited, case.horizon, lambda t, r: t * t - 5 * t + 7 * r),
        0,
    ),
    "most": lambda case, judge: (1 << case.player, brute.most(case.player, case.won), 0),
    "ombre": lambda case, judge: (1 << case.player, brute.ombre(case.player, case.won), 0),
    "nemo": lambda case, judge: (
        1 << case.player,
        brute.nemo(judge.left, case.player, case.penalty, case.won[0], case.won[1] > 0),
        case.penalty,
    ),
}


def check(solver: Solver, case: dense.Case, questions: list[str]) -> None:
    problem, judge = case.problem, brute.Judge(case.problem)
    everybody = (1 << problem.players) - 1

    expected = judge.card_values(case.side, brute.count(judge.left, case.credited))
    legal, twins = solver.legal(problem)
    assert legal == sum(1 << card for card in expected), case
    choose = max if case.side >> judge.mover(brute.root(problem)) & 1 else min
    assert tricks(solver, problem, case.side, case.credited) == choose(expected.values()), case
    assert card_tricks(solver, problem, case.side, case.credited) == expected, case
    for card in brute.cards_of(twins):
        lower = [other for other in expected if other >> 4 == card >> 4 and other < card]
        assert expected[card] == expected[max(lower)], case

    for name in questions:
        if name == "misere":
            lone = 1 << case.player
            given = tricks(solver, problem, lone, everybody ^ lone)
            assert judge.left - given == judge.misere(case.player), case
        elif name != "ombre" or problem.players == 3:
            side, payoff, penalty = QUESTIONS[name](case, judge)
            value = reach(solver, problem, side, payoff, penalty)
            assert value == judge.value(side, payoff), (name, case)


def interleaved(seed: int, batch: int = 25, chunk: int = 5) -> Iterator[dense.Case]:
    """Cases of three families by turns; a family that is used up makes room for the next."""
    kinds = dense.families(seed)
    running = deque(dense.cases(next(kinds), seed, batch) for _ in range(3))
    while True:
        cases = running.popleft()
        some = list(islice(cases, chunk))
        yield from some
        running.append(cases if some else dense.cases(next(kinds), seed, batch))


KINDS = ["misere", *QUESTIONS]


@pytest.mark.parametrize("seed", range(5))
def test_engine_against_brute_force(seed: int) -> None:
    solver = Solver()
    for number, case in enumerate(islice(interleaved(seed), 300)):
        check(solver, case, [KINDS[number % len(KINDS)]])


def test_a_table_too_small_for_its_positions() -> None:
    solver = Solver(SMALL_TABLE)
    for case in islice(interleaved(99), 100):
        check(solver, case, [])


@pytest.mark.parametrize(
    ("rule", "trump", "leader", "side", "hands"),
    [
        (2, 0, 0, 0b01010, ((1, 48), (10, 54), (8, 50), (51, 53))),
        (1, 0, 1, 0b10100, ((18, 22), (6, 17), (10, 23), (9, 20), (3, 21))),
        (2, 2, 1, 0b100, ((21, 38), (20, 37), (24, 39))),
    ],
)
def test_an_exempt_matador_outlives_a_trump_lead(
    rule: int, trump: int, leader: int, side: int, hands: tuple[tuple[int, ...], ...]
) -> None:
    # The top trump and a plain winner beside it: a matador kept from the trump lead ruffs.
    bits = tuple(sum(1 << card for card in hand) for hand in hands)
    top = max(card for hand in hands for card in hand if card >> 4 == trump)
    problem = Problem(len(hands), bits, trump, leader, matadors=0b111 << top - 2, matador_rule=rule)
    assert brute.Judge(problem).tricks(side, side) == 1
    assert tricks(Solver(), problem, side, side) == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_engine_against_brute_force_at_length(seed: int) -> None:
    solver = Solver(SMALL_TABLE if seed % 4 == 0 else 64 << 20)
    for case in islice(interleaved(seed, batch=100), 1_000):
        check(solver, case, KINDS)


def test_plain_code_visits_the_same_nodes() -> None:
    fast, plain = Solver(), Solver(plain=True)
    for case in islice(interleaved(7), 200):
        for solver in (fast, plain):
            solver.limit()
        problem, side, credited = case.problem, case.side, case.credited
        assert tricks(fast, problem, side, credited) == tricks(plain, problem, side, credited)
        assert fast.nodes == plain.nodes, case
