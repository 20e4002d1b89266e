"""Properties of all values, on positions too large for brute force."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from tests.support import brute_force, dense_positions
from tests.support.engine_questions import card_tricks, tricks

SIZES: dense_positions.Sizes = {
    3: ((5, 1), (6, 2), (8, 1)),
    4: ((4, 1), (5, 2), (6, 1)),
    5: ((4, 2), (5, 1)),
}
SOLVER = Solver()  # one table for all examples, so that each meets the entries of earlier ones

positions = settings(
    derandomize=True,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
seeds = given(seed=st.integers(0, 2**32))


def question(
    random: Random, kind: dense_positions.Family | None = None
) -> tuple[EngineProblem, int, int]:
    """Draw a position, a side and the credited players."""
    kind = kind or dense_positions.family(random)
    return dense_positions.problem(kind, random, SIZES), *dense_positions.sides(
        kind.players, random
    )


@seeds
@positions
def test_a_value_is_a_number_of_tricks(seed: int) -> None:
    problem, side, credited = question(Random(seed))
    value = tricks(SOLVER, problem, side, credited)
    assert 0 <= value <= problem.tricks
    # If one side wins with some cards, the other side cannot win with the rest.
    everybody = (1 << problem.players) - 1
    rest = tricks(SOLVER, problem, everybody ^ side, everybody ^ credited)
    assert value + rest == problem.tricks


@seeds
@positions
def test_a_value_is_the_best_of_what_can_follow(seed: int) -> None:
    problem, side, credited = question(Random(seed))
    after = card_tricks(SOLVER, problem, side, credited).values()
    choose = max if side >> problem.to_play & 1 else min
    assert tricks(SOLVER, problem, side, credited) == choose(after)


def turned(players: int, bits: int, by: int) -> int:
    """Return a bit set of players with each player moved on by `by` places."""
    return sum(1 << (player + by) % players for player in range(players) if bits >> player & 1)


@seeds
@positions
def test_seats_do_not_matter(seed: int) -> None:
    random = Random(seed)
    problem, side, credited = question(random)
    players, by = problem.players, random.randrange(1, problem.players)
    other = problem._replace(
        hands=problem.hands[-by:] + problem.hands[:-by],
        leader=(problem.leader + by) % players,
    )
    value = tricks(SOLVER, problem, side, credited)
    assert value == tricks(SOLVER, other, turned(players, side, by), turned(players, credited, by))


@seeds
@positions
def test_names_of_suits_do_not_matter(seed: int) -> None:
    random = Random(seed)
    problem, side, credited = question(random)
    suits = random.sample(range(4), 4)

    def card(number: int) -> int:
        return 16 * suits[number >> 4] + (number & 15)

    def cards(hand: int) -> int:
        return sum(1 << card(number) for number in brute_force.cards_of(hand))

    other = problem._replace(
        hands=tuple(cards(hand) for hand in problem.hands),
        trump=suits[problem.trump] if problem.trump >= 0 else -1,
        trick=tuple(card(number) for number in problem.trick),
        matadors=cards(problem.matadors),
        called=card(problem.called) if problem.called >= 0 else -1,
    )
    value = tricks(SOLVER, problem, side, credited)
    assert value == tricks(SOLVER, other, side, credited)


@seeds
@positions
def test_gaps_and_matadors_played_do_not_matter(seed: int) -> None:
    problem, side, credited = question(Random(seed))
    here = sum(problem.hands) | sum(1 << card for card in problem.trick)

    def card(number: int) -> int:
        below = here & ((1 << number) - (1 << (number & ~15)))
        return (number & ~15) + below.bit_count()

    def cards(hand: int) -> int:
        return sum(1 << card(number) for number in brute_force.cards_of(hand))

    other = problem._replace(
        hands=tuple(cards(hand) for hand in problem.hands),
        trick=tuple(card(number) for number in problem.trick),
        matadors=cards(problem.matadors & here),
        called=card(problem.called) if problem.called >= 0 else -1,
    )
    value = tricks(SOLVER, problem, side, credited)
    assert value == tricks(SOLVER, other, side, credited)


@pytest.mark.ci
@seeds
@positions
def test_a_higher_trump_never_hurts_a_lone_declarer(seed: int) -> None:
    # With a partner, a higher card can be worse: it may take a trick the partner should win.
    random = Random(seed)
    kind = replace(dense_positions.family(random), matador_rule=0, with_called=False)
    assume(kind.trump >= 0)
    problem = dense_positions.problem(kind, random, SIZES)
    assume(not problem.trick)
    declarer, other = random.sample(range(problem.players), 2)
    trumps = 0xFFFF << 16 * problem.trump
    swaps = [
        (low, high)
        for low in brute_force.cards_of(problem.hands[declarer] & trumps)
        for high in brute_force.cards_of(problem.hands[other] & trumps)
        if low < high
    ]
    assume(swaps)
    low, high = random.choice(swaps)
    hands = list(problem.hands)
    for player in (declarer, other):
        hands[player] ^= 1 << low | 1 << high
    lone = 1 << declarer
    better = tricks(SOLVER, problem._replace(hands=tuple(hands)), lone, lone)
    assert better >= tricks(SOLVER, problem, lone, lone)
