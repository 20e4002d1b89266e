"""Wrong arguments to the extension raise an error of the package and never cause a crash."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from spadille import Deal
from spadille.base.errors import ArgumentError
from spadille.core.contract import Contract
from spadille.games.model.following_suit import Following
from spadille.search.encoding import situation
from spadille.search.engine import (
    DEFAULT_MEMORY,
    Objective,
    PayoffObjective,
    ReplayedCards,
    Solver,
    TrickObjective,
    ValuesAlongPlay,
)
from spadille.search.engine_problem import EngineProblem

ALL = (1 << 64) - 1
CARDS = (0b1, 0b10, 0b100)
ONE = EngineProblem(3, CARDS, -1, 0)
STEPS = [[0] * 6]
TRICKS = TrickObjective(1, 1)
PAYOFF = PayoffObjective(1, 1, 3, [[], STEPS], [0, 1], 2)
PLAY = ReplayedCards(Solver(), ONE, [0, 1, 2])


@pytest.mark.parametrize(
    "problem",
    {
        "players": EngineProblem(2, CARDS[:2], -1, 0),
        "more players": EngineProblem(6, CARDS * 2, -1, 0),
        "players beyond numbers": EngineProblem(1 << 40, CARDS, -1, 0),
        "hands": EngineProblem(4, CARDS, -1, 0),
        "trick": EngineProblem(3, CARDS, -1, 0, trick=(5, 6, 7)),
        "card on the table": EngineProblem(3, CARDS, -1, 0, trick=(99,)),
        "card beyond a suit": EngineProblem(3, CARDS, -1, 0, trick=(13,)),
        "card below 0": EngineProblem(3, CARDS, -1, 0, trick=(-70000,)),
        "card beyond numbers": EngineProblem(3, CARDS, -1, 0, trick=(1 << 80,)),
        "card twice": EngineProblem(3, (0, 2, 4), -1, 0, trick=(1,)),
        "card of two": EngineProblem(3, (1, 1, 2), -1, 0),
        "leader": EngineProblem(3, CARDS, -1, 3),
        "leader below 0": EngineProblem(3, CARDS, -1, -7),
        "trump": EngineProblem(3, CARDS, 4, 0),
        "trump below no trump": EngineProblem(3, CARDS, -2, 0),
        "called": EngineProblem(3, CARDS, -1, 0, called=200),
        "called card that is out": EngineProblem(3, CARDS, -1, 0, called=9),
        "rule": EngineProblem(3, CARDS, 3, 0, following=Following(250)),
        "rule above": EngineProblem(3, CARDS, 3, 0, following=Following(3)),
        "rule below": EngineProblem(3, CARDS, 3, 0, following=Following(-1)),
        "matadors": EngineProblem(3, CARDS, 3, 0, following=Following(1), matadors=ALL),
        "more matadors than the key counts": EngineProblem(
            3, CARDS, 3, 0, following=Following(1), matadors=0xF << 48
        ),
        "matadors without trumps": EngineProblem(
            3, CARDS, -1, 0, following=Following(1), matadors=1
        ),
        "all cards": EngineProblem(3, (ALL,) * 3, -1, 0),
        "a card beyond a suit": EngineProblem(3, (1 << 13, 2, 4), -1, 0),
        "hands below 0": EngineProblem(3, (-1, 2, 4), -1, 0),
        "long hand": EngineProblem(3, ((1 << 40) - 1, 2, 4), -1, 0),
        "short hand": EngineProblem(3, (0, 2, 4), -1, 0),
        "who has played": EngineProblem(3, CARDS, -1, 0, trick=(5,)),
    }.items(),
    ids=lambda case: case[0],
)
def test_no_position(problem: tuple[str, EngineProblem]) -> None:
    solver = Solver()
    for call in (
        lambda: TRICKS.bounds(solver, problem[1], 0, 0, 1, 0),
        lambda: PAYOFF.reaches(solver, problem[1], 0, 1),
        lambda: solver.legal(problem[1]),
        lambda: solver.classes(problem[1]),
        lambda: ReplayedCards(solver, problem[1], ()),
    ):
        with pytest.raises(ArgumentError):
            call()
    assert TRICKS.bounds(solver, ONE, 0, 0, 1, 0) == (0, 0)


def ask(low: int = 0, high: int = 1, side: int = 1, credited: int = 1) -> Any:
    return TrickObjective(side, credited).bounds(Solver(), ONE, 0, low, high, 0)


def made(
    players: Any = 3, levels: Any = ([], STEPS), worth: Any = (0, 1), side: int = 1, **other: Any
) -> PayoffObjective:
    return PayoffObjective(side, 1, players, levels, worth, 2, **other)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ask(low=-(1 << 31)),
        lambda: ask(high=(1 << 31) - 1),
        lambda: ask(side=8),
        lambda: ask(credited=(1 << 32) - 1),
        lambda: PAYOFF.reaches(Solver(), ONE, 2, 1),
        lambda: PAYOFF.reaches(Solver(), ONE, -1, 1),
        lambda: made(4, ([], [[0] * 8])).reaches(Solver(), ONE, 0, 1),
        lambda: made(levels=([], [[10**8] * 6])),
        lambda: made(levels=([], [[-1] * 6])),
        lambda: made(levels=([], [[0] * 5])),
        lambda: made(levels=(STEPS, STEPS)),
        lambda: made(levels=()),
        lambda: made(levels=([], *[STEPS] * 14)),
        lambda: made(levels=([], [[0] * 6] * 20_000)),
        lambda: made(players=0),
        lambda: made(players=-3),
        lambda: made(players=10**9),
        lambda: made(stop=[[1]]),
        lambda: made(stop=[[], [1, 1]]),
        lambda: made(worth=(0, 2)),
        lambda: made(side=8),
        lambda: Solver(1.5),  # type: ignore[arg-type]
        lambda: Solver("1"),  # type: ignore[arg-type]
        lambda: Solver().limit(0.5),  # type: ignore[arg-type]
    ],
)
def test_no_argument(call: Callable[[], Any]) -> None:
    with pytest.raises(ArgumentError):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: made(players=None),
        lambda: TRICKS.bounds(Solver(), None, 0, 0, 1, 0),  # type: ignore[arg-type]
        lambda: pickle.dumps(Solver()),
        lambda: copy.copy(Solver()),
        lambda: copy.deepcopy(PAYOFF),
    ],
)
def test_no_type(call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        call()


def test_nothing_is_left_to_play() -> None:
    solver = Solver()
    over = EngineProblem(3, (0, 0, 0), -1, 0)
    assert TRICKS.bounds(solver, over, 0, 0, 0, 0) == (0, 0)
    assert solver.legal(over) == (0, 0)
    assert solver.classes(over) == {}
    with pytest.raises(ArgumentError, match="no card is left"):
        TRICKS.card_values(solver, over, 0, 0)
    assert TRICKS.best_line(solver, over, 0, 0) == ([], -1)


WHIST = "N:AK54.K94.QJ3.T82 QT83.J52.AT6.K43 J76.AQT.K95.AJ97 92.8763.8742.Q65"


def is_busy(solver: Solver) -> bool:
    try:
        return solver.nodes < 0
    except RuntimeError:
        return True


@contextmanager
def searching(solver: Solver) -> Iterator[None]:
    """Run a search of some seconds in another thread."""
    deal = Deal.parse(WHIST, "solo-whist", current_trump="S")
    at = situation(deal, Contract.make(deal, "misere", "N"))
    solver.limit()
    misere = TrickObjective(0b0001, 0b1110)
    thread = threading.Thread(target=lambda: misere.bounds(solver, at.problem, 0, 0, 13, 13))
    thread.start()
    try:
        while thread.is_alive() and not is_busy(solver):
            pass
        yield
    finally:
        solver.interrupt()
        thread.join()


def along(solver: Any, objective: Any = TRICKS, play: Any = PLAY, **other: Any) -> ValuesAlongPlay:
    given: dict[str, Any] = {"first": 0, "last": 3, "state": 0, "needs": [0, 1], **other}
    return ValuesAlongPlay(objective, solver, play, **given)


def refused(solver: Solver) -> None:
    for call in (
        lambda: solver.limit(nodes=1),
        lambda: solver.limit(seconds=1e-9),
        lambda: solver.memory,
        lambda: solver.nodes,
        solver.clear,
        lambda: TRICKS.bounds(solver, ONE, 0, 0, 1, 0),
        lambda: along(solver).settle(True, 0),
        lambda: along(solver).compare(True),
        lambda: along(solver).reaches(3, 1),
    ):
        with pytest.raises(RuntimeError, match="another thread"):
            call()


def test_a_search_of_another_thread_is_left_alone() -> None:
    solver = Solver()
    with searching(solver):
        refused(solver)
    assert solver.stopped == "interrupt"
    assert solver.nodes > 1
    assert 0 < solver.memory < solver.memory_limit == DEFAULT_MEMORY


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: Objective().span(ONE, 0),
        lambda: TRICKS.span(ONE, 10**6),
        lambda: TrickObjective(1 << 7, 1).span(ONE, 0),
        lambda: TrickObjective(1, 1, steps=[3, 2]),
        lambda: TrickObjective(1, 1, open_trump=(0, [7])),
        lambda: TrickObjective(1, 1, open_trump=(4, [0])).span(ONE, 0),
        lambda: TRICKS.bounds(Solver(), ONE, 0, 0, 10**6, 1),
        lambda: TRICKS.bounds(None, ONE, 0, 0, 1, 1),  # type: ignore[arg-type]
        lambda: TRICKS.card_values(Solver(), ONE, 0, -(10**9)),
        lambda: TRICKS.best_line(Solver(), ONE, 0, 10**9),
        lambda: along(Solver(), last=4),
        lambda: along(Solver(), first=2, last=1),
        lambda: along(Solver(), needs=[]),
        lambda: along(Solver(), state=10**6),
        lambda: along(None),
        lambda: along(Solver(), play=None),
        lambda: along(Solver()).reaches(4, 0),
        lambda: along(Solver()).reaches(-1, 0),
        lambda: along(Solver(), Objective()),
        lambda: ReplayedCards(None, ONE, ()),  # type: ignore[arg-type]
        lambda: PLAY.history(4),
        lambda: PLAY.problem(4),
        lambda: TRICKS.step(Solver(), ONE, 0, 70),
        lambda: TRICKS.step(Solver(), ONE, 0, 5),
        lambda: PAYOFF.bounds(Solver(), ONE, 5, 0, 1, 1),
        lambda: PAYOFF.span(ONE._replace(hands=(3, 12, 48)), 0),
        lambda: PayoffObjective(1, 1, 3, [[], STEPS], [0, 2], 2),
        lambda: PayoffObjective(1, 1, 3, [[], [[9] * 6]], [0, 1], 2),
        lambda: PayoffObjective(1, 1, 3, [[], STEPS], [0, 1], 2, stop=[[], [5]]),
        lambda: PayoffObjective(1, 1, 3, [[], STEPS], [0, 1], 2, led=[[0, 1], [3]]),
        lambda: PayoffObjective(1, 1, 3, [[], STEPS], [0, 1], 2, grades=[1]),
        lambda: PayoffObjective(1, 1, 3, [[], STEPS], [0, 1], 2, terms=[(0, 1, 0)]),
        lambda: PayoffObjective(1, 1, 3, [[], STEPS], [0, 1], 2, terms=[(7, 1, 0)] * 2),
        lambda: PayoffObjective(
            1, 1, 3, [[], STEPS], [0, 1], 2, terms=[(0, 1, 0)] * 2, counts=[[[0]] * 2, [[0]]]
        ),
    ],
)
def test_objectives_refuse_what_they_cannot_ask(mistake: Callable[[], object]) -> None:
    with pytest.raises(ArgumentError):
        mistake()


@pytest.mark.parametrize("card", [-1, 3, 64, 70])
def test_a_play_ends_before_an_illegal_card(card: int) -> None:
    play = ReplayedCards(Solver(), ONE, [0, card, 1])
    assert (len(play), play.cards, play.players, play.free) == (1, [0], [0], [False])
    assert play.problem(1) == ONE.played(0)
    assert play.history(1) == ()
