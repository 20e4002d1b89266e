"""Entries of one position in the engine's tables are never used for another."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from tests.support import brute_force
from tests.support.engine_questions import NEEDS, met_needs, tricks


def deal_around(random: Random, fifth: set[int]) -> tuple[int, ...]:
    """Return the hands of five players with eight cards each; the last hand is given."""
    rest = random.sample(sorted({16 * s + r for s in range(4) for r in range(13)} - fifth), 32)
    hands = [rest[8 * player : 8 * player + 8] for player in range(4)]
    return tuple(sum(1 << card for card in hand) for hand in (*hands, fifth))


@pytest.mark.parametrize("plain", [False, True])
def test_eight_top_cards_of_a_suit_in_the_fifth_hand_are_eight_tricks(plain: bool) -> None:
    random = Random(8)
    for suit, leader in product(range(4), range(5)):
        tops = {16 * suit + rank for rank in range(5, 13)}
        hands = deal_around(random, tops)
        solver = Solver(plain=plain)
        # If this suit is trumps, its cards win whoever leads; without trumps, only if their holder
        # does.
        for trump in (suit, -1) if leader == 4 else (suit,):
            problem = EngineProblem(5, hands, trump, leader)
            assert tricks(solver, problem, 0b10000, 0b10000) == 8
            assert tricks(solver, problem, 0b01111, 0b01111) == 0


# Hands that differ only in the suit of the fifth player, who has all eight cards of it. Different
# players can take tricks from the fifth player in the two cases.
HANDS = (72066579109511181, 8521299001346, 172825644692930560, 619526428068675600)
OTHERS = (576462144074153989, 2548702346477576, 1688927454887954, 1544735359382847488)
SPADES, HEARTS = 0xFF << 5, 0xFF << 16


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("others", "leader", "first", "second", "found"),
    [(HANDS, 0, SPADES, HEARTS, 3), (OTHERS, 4, HEARTS, SPADES, 6)],
)
def test_eight_cards_of_one_suit_are_not_eight_of_another(
    plain: bool, others: tuple[int, ...], leader: int, first: int, second: int, found: int
) -> None:
    kept, side = Solver(plain=plain, patience=0), 0b01110
    tricks(kept, EngineProblem(5, (*others, first), 1, leader), side, side)
    problem = EngineProblem(5, (*others, second), 1, leader)
    assert tricks(Solver(0, plain=plain), problem, side, side) == found
    assert tricks(kept, problem, side, side) == found


@pytest.mark.parametrize("plain", [False, True])
def test_clean_tricks_of_one_penalty_suit_are_not_those_of_another(plain: bool) -> None:
    # Nemo: the same question with one penalty suit, then with another.
    hands = (281475044016128, 72057594037928034, 576460752345367040, 18014398648942592)
    problem, player, wanted = EngineProblem(4, hands, -1, 2), 2, (2, 3)
    solver, clean = Solver(plain=plain, patience=0), NEEDS.index("clean")
    found = []
    for penalty in (0, 2, 0):
        payoff = brute_force.needs(clean, 4, player, penalty, wanted)
        expected = bool(brute_force.Judge(problem).value(1 << player, payoff))
        found.append(met_needs(solver, problem, player, "clean", wanted, penalty))
        assert found[-1] == expected
    assert found == [False, True, False]


# A lone player's last card has as many cards above it as a proof allows, and one more.
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("first", "second", "trump", "leader", "lone", "found"),
    [
        (
            (4965032591377, 17600849773568, 2199434302048),
            (2766093553680, 4406751789120, 17592471324193),
            *(0, 0, 0b010, 0),
        ),
        (
            (1688862745823236, 578714218565533697, 90074260332085776),
            (18577361348462596, 74311060300038160, 577588919994941953),
            *(-1, 2, 0b010, 1),
        ),
        (
            (869195965301657600, 563053116525569, 181564554117906444),
            (289923693113511936, 290408525597697, 761109470896979980),
            *(0, 2, 0b001, 1),
        ),
    ],
)
def test_a_proof_of_the_relaxed_lone_game_covers_every_card(
    plain: bool,
    first: tuple[int, ...],
    second: tuple[int, ...],
    trump: int,
    leader: int,
    lone: int,
    found: int,
) -> None:
    kept = Solver(plain=plain, patience=0)
    tricks(kept, EngineProblem(3, first, trump, leader), lone, lone)
    problem = EngineProblem(3, second, trump, leader)
    assert tricks(Solver(0, plain=plain), problem, lone, lone) == found
    assert tricks(kept, problem, lone, lone) == found
