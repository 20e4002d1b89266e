"""Deals whose hands are rotations of one another, with the suits exchanged."""

from __future__ import annotations

from itertools import islice

import pytest

from spadille.search.engine import Solver, TrickObjective
from spadille.search.engine_problem import EngineProblem
from tests.support import brute_force
from tests.support.pathological_positions import positions, sound, symmetric, worth

PAIR = 0b0101


@pytest.mark.parametrize("plain", [False, True])
def test_against_brute_force(plain: bool) -> None:
    small = (
        question
        for question in positions(symmetric, "brute force")
        if question.problem.tricks <= 3 and not question.problem.trick
    )
    kept = Solver(plain=plain)
    for question in islice(small, 600):
        problem, side, credited = question
        expected = brute_force.Judge(problem).tricks(side, credited)
        assert worth(kept, question) == expected, question


@pytest.mark.parametrize("plain", [False, True])
def test_larger_ones_against_their_successors(plain: bool) -> None:
    kept, fresh = Solver(plain=plain, patience=0), Solver(plain=plain)
    for question in islice(positions(symmetric, "successors"), 20_000):
        assert sound(kept, fresh, question), question


@pytest.mark.parametrize("plain", [False, True])
def test_one_search_answers_for_every_leader(plain: bool) -> None:
    # N holds A 8 7 3, K T 4 and Q 6 2 in the suits S, H and D; E in H, D and C; and so on.
    ranks = ((12, 6, 5, 1), (11, 8, 2), (10, 4, 0), ())
    hands = tuple(
        sum(1 << 16 * ((suit + seat) % 4) + rank for suit in range(4) for rank in ranks[suit])
        for seat in range(4)
    )
    solver = Solver(plain=plain)
    objective = TrickObjective(PAIR, PAIR)
    solved = []
    for leader in range(4):
        low, high = objective.bounds(solver, EngineProblem(4, hands, -1, leader), 0, 0, 10, 5)
        assert low == high
        solved.append((low, solver.nodes))
        solver.limit(10**6)
    (value, nodes), *others = solved
    assert nodes > 1_000
    assert [found for found, _ in others] == [10 - value, value, 10 - value]
    assert all(more <= 10 for _, more in others), "each answer is in the table"
