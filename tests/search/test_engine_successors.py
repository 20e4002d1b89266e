"""The value of a position is that of its best successor, by a solver with an empty table.

This covers much that brute force cannot settle: lopsided positions made to break the bounds, and
all contracts of all games with every option, for tricks, outcomes, points and payoffs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import pytest

from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.games.model.following_suit import Following
from spadille.search.contract_objective import SideObjective, objective_of
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from spadille.search.make_payoff_objective import payoff_objective
from tests.support.game_option_cases import CASES
from tests.support.pathological_positions import FAMILIES, Asked, cards_of, positions, sound
from tests.support.random_endings import contract_of, ending, some_trump
from tests.support.tiers import part

SIZES = {3: (4, 7), 4: (4, 6), 5: (3, 5)}  # cards a hand


def compare(make: Callable[[Random], Asked], seed: object, number: int) -> None:
    kept, fresh = Solver(patience=0), Solver()
    for question in islice(positions(make, seed), number):
        assert sound(kept, fresh, question), question


@pytest.mark.first_cases(2)
@pytest.mark.parametrize("number", [800, pytest.param(6_000, marks=pytest.mark.ci)])
@pytest.mark.parametrize("make", FAMILIES, ids=lambda make: make.__name__)
def test_positions_made_to_break_the_bounds(make: Callable[[Random], Asked], number: int) -> None:
    compare(make, "default", number)


@pytest.mark.slow
@pytest.mark.parametrize("make", FAMILIES, ids=lambda make: make.__name__)
def test_positions_made_to_break_the_bounds_at_length(make: Callable[[Random], Asked]) -> None:
    compare(make, "slow", 100_000)


@pytest.mark.parametrize(
    ("trump", "leader", "side", "called", "hands"),
    [  # with or without trumps, a hand ruffs, alone or with a partner, or discards
        (3, 0, 4, 52, (244813135890, 11540482635071500, 4503599631302688)),
        (3, 0, 17, 54, (4296146944, 292061970432, 584115552384, 18014398509482056, 8598847488)),
        (3, 0, 3, 33, (21475491840, 3940658263883776, 281509336776704)),
        (3, 3, 6, 17, (11258999068557328, 1125912791744520, 51541966848, 206158495745)),
    ],
)
def test_a_run_of_tricks_spares_the_called_card(
    trump: int, leader: int, side: int, called: int, hands: tuple[int, ...]
) -> None:
    problem = EngineProblem(len(hands), hands, trump, leader, called=called)
    assert sound(Solver(), Solver(), Asked(problem, side, side))


def test_no_run_of_tricks_begins_with_a_trump_that_exempts_a_matador() -> None:
    hands = (9007336693825536, 313532612608, 5629568253689856, 18014407099678720)
    problem = EngineProblem(4, hands, 3, 2, matadors=0b111 << 52, following=Following(2))
    assert sound(Solver(), Solver(), Asked(problem, 5, 5))


def value(objective: SideObjective, solver: Solver, problem: EngineProblem, state: Any) -> int:
    low, high = objective.span(problem, state)
    low, high = objective.bounds(solver, problem, state, low, high, objective.guess)
    assert low == high
    return low


def agrees(objective: SideObjective, kept: Solver, fresh: Solver, problem: EngineProblem) -> bool:
    state = objective.led(problem, objective.start)  # the side goes on where it might stop
    fresh.clear()
    values = [
        value(objective, fresh, problem.played(card), objective.step(fresh, problem, state, card))
        for card in cards_of(fresh.legal(problem)[0])
    ]
    best = max(values) if objective.wants(problem) else min(values)
    return value(objective, kept, problem, state) == best


def compare_contracts(game: str, number: int) -> None:
    """Yield some positions of each contract, with each option."""
    kept, fresh = Solver(patience=0), Solver()
    for name, options, contract_id in CASES:
        if name != game:
            continue
        rules = rules_for(game, options)
        kind = rules.contract(contract_id)
        random = Random(f"successors {game} {options} {contract_id}")
        for _ in range(number):
            trump = some_trump(rules, kind, random)
            deal = ending(rules, trump, random, random.randint(*SIZES[len(rules.seats)]))
            if kind.aim == "nemo":  # an end position does not record which tricks were clean
                deal = Deal(rules, deal.dealer, deal.hands, leader=deal.leader)
            contract = contract_of(deal, kind, trump, random)
            play: list[str] = []
            at = situation(deal, contract)
            while random.random() < 0.3 and at.problem.tricks > 1:
                legal = cards_of(kept.legal(at.problem)[0])
                play.append(at.encoding.names[random.choice(legal)])
                at = situation(deal, contract, play)
            objectives: list[SideObjective] = [objective_of(contract, at, contract.declarer)]
            if len(contract.declarers) == 1:
                goal = payoff_objective(deal, contract, at)
                objectives.append(goal)
            for objective in objectives:
                assert agrees(objective, kept, fresh, at.problem), (deal, contract, play)


@pytest.mark.parametrize("game", part(GAMES, 6, 8))
def test_contracts(game: str) -> None:
    compare_contracts(game, 8)


@pytest.mark.ci
@pytest.mark.parametrize("game", GAMES)
def test_more_contracts(game: str) -> None:
    compare_contracts(game, 12)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_contracts_at_length(game: str) -> None:
    compare_contracts(game, 150)
