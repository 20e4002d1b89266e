"""The engine against DDS (through endplay) where both play the same game.

That is 52 cards and four players, partners opposite. endplay is called from only one thread,
because it silently gives wrong values when called from two.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from tests.support import brute_force
from tests.support.engine_questions import card_tricks, tricks

types: Any
dds: Any


@pytest.fixture(scope="module", autouse=True)
def endplay() -> None:
    """Import it on first use, since its drawing code takes a second to load."""
    global types, dds
    types = pytest.importorskip("endplay.types")
    dds = pytest.importorskip("endplay.dds")


SUITS, RANKS, SEATS = "SHDC", "23456789TJQKA", "NESW"
TRUMPS = (0, 1, 2, 3, -1)  # in DDS's order: spades, hearts, diamonds, clubs, no trump
Hands = tuple[int, ...]


def deal(seed: int, size: int = 13) -> Hands:
    """Return some random cards for each of N E S W."""
    pack = [16 * suit + rank for suit in range(4) for rank in range(13)]
    cards = Random(seed).sample(pack, 4 * size)
    return tuple(sum(1 << card for card in cards[i * size : (i + 1) * size]) for i in range(4))


def oracle(hands: Hands, trump: int, leader: int) -> Any:
    """Return the same position as endplay's Deal."""
    text = " ".join(
        ".".join(
            "".join(RANKS[rank] for rank in range(12, -1, -1) if hand >> 16 * suit + rank & 1)
            for suit in range(4)
        )
        for hand in hands
    )
    seat = types.Player.find(SEATS[leader])
    return types.Deal(f"N:{text}", first=seat, trump=types.Denom(trump % 5))


def card_number(card: Any) -> int:
    return 16 * int(card.suit) + RANKS.index(card.rank.abbr)


def lead_values(position: Any) -> dict[int, int]:
    """Return DDS's tricks after each legal card for the side that plays it."""
    return {card_number(card): int(value) for card, value in dds.solve_board(position)}


def play_some(position: Any, problem: EngineProblem, number: int, random: Random) -> EngineProblem:
    """Play random cards on both sides of the comparison."""
    for _ in range(number):
        legal = sorted(card_number(card) for card in position.legal_moves())
        assert legal == sorted(
            card for card, *_ in brute_force.moves(problem, brute_force.root(problem))
        )
        card = random.choice(legal)
        position.play(types.Card(SUITS[card >> 4] + RANKS[card & 15]))
        problem = problem.played(card)
    return problem


def partners(player: int) -> int:
    return 5 << (player & 1)


def check_table(solver: Solver, seed: int) -> None:
    """Compare all 20 values of a deal."""
    hands = deal(seed)
    table = dds.calc_dd_table(oracle(hands, -1, 0)).to_list()
    for row, trump in zip(table, TRUMPS, strict=True):
        for declarer, expected in enumerate(row):
            problem = EngineProblem(4, hands, trump, (declarer + 1) % 4)
            side = partners(declarer)
            assert tricks(solver, problem, side, side) == expected, (seed, trump, declarer)


def check_leads(solver: Solver, seed: int) -> None:
    """Compare the values of all opening leads of a deal, with a different leader for each trump."""
    hands = deal(seed)
    for leader, trump in zip(Random(seed).choices(range(4), k=5), TRUMPS, strict=True):
        expected = lead_values(oracle(hands, trump, leader))
        side = partners(leader)
        found = card_tricks(solver, EngineProblem(4, hands, trump, leader), side, side)
        assert found == expected, (seed, trump, leader)


def ending(seed: int, size: int) -> tuple[Any, EngineProblem]:
    """Compare a random ending, some cards into its play but less than four tricks."""
    random = Random(seed)
    hands, trump, leader = deal(seed, size), random.choice(TRUMPS), random.randrange(4)
    position = oracle(hands, trump, leader)
    problem = EngineProblem(4, hands, trump, leader)
    played = random.randrange(min(4 * (size - 1), 12))
    return position, play_some(position, problem, played, random)


def test_judge_against_dds() -> None:
    for seed in range(60):
        position, problem = ending(seed, 4)
        judge = brute_force.Judge(problem)
        side = partners(judge.mover(brute_force.root(problem)))
        expected = lead_values(position)
        assert judge.card_values(side, brute_force.count(judge.left, side)) == expected, seed


def test_endings_against_dds() -> None:
    solver = Solver()
    for seed in range(150):
        position, problem = ending(seed, 5 + seed % 5)
        side = partners(problem.to_play)
        assert card_tricks(solver, problem, side, side) == lead_values(position), seed
        assert tricks(solver, problem, side, side) == max(lead_values(position).values())


@pytest.mark.parametrize("seed", [pytest.param(n, marks=pytest.mark.ci) for n in range(3)])
def test_tables_against_dds(seed: int) -> None:
    check_table(Solver(), seed)


@pytest.mark.ci
def test_opening_leads_against_dds() -> None:
    solver = Solver()
    for seed in range(1):
        check_leads(solver, seed)


@pytest.mark.slow
def test_tables_against_dds_at_length() -> None:
    solver = Solver()
    for seed in range(1_000, 1_200):
        check_table(solver, seed)


@pytest.mark.slow
def test_opening_leads_against_dds_at_length() -> None:
    solver = Solver()
    for seed in range(1_000, 1_040):
        check_leads(solver, seed)
