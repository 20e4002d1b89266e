"""Every kind of question about a dense position, put to brute force and to the engine.

Everything that one engine table may share is shared here: each question keeps its solver, and its
goal is one automaton for all positions of a family.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

from spadille.games.model.following_suit import Following
from spadille.search.engine import (
    DEFAULT_MEMORY,
    NEED_CLEAN,
    NEED_EITHER,
    NEED_MOST,
    PayoffObjective,
    Solver,
    TrickObjective,
)
from spadille.search.engine_problem import LANE, EngineProblem
from tests.support import brute_force, dense_positions

Answer = int | dict[int, int]


def tricks(solver: Solver, problem: EngineProblem, side: int, credited: int) -> int:
    left = max(hand.bit_count() for hand in problem.hands)
    objective = TrickObjective(side, credited)
    low, high = objective.bounds(solver, problem, 0, 0, left, left // 2)
    assert low == high
    return low


def card_tricks(solver: Solver, problem: EngineProblem, side: int, credited: int) -> dict[int, int]:
    """Return the engine's value of each legal card; the referee determines the trick's winner."""
    values = {}
    for card, (hands, leader, trick), won, _ in brute_force.moves(
        problem, brute_force.root(problem)
    ):
        called = dense_positions.still_out(problem.called, list(hands))
        after = problem._replace(hands=hands, leader=leader, trick=trick, called=called)
        gained = won >= 0 and credited >> won & 1
        values[card] = gained + tricks(solver, after, side, credited)
    return values


@dataclass(frozen=True)
class Question:
    """A payoff to be forced, the same for all positions of a family."""

    kind: str
    players: int
    side: int
    credited: int
    horizon: int
    penalty: int

    def payoff(self) -> brute_force.Payoff:
        """Return the payoff of a hand from its first trick on."""
        player, won = self.side.bit_length() - 1, (0,) * self.players
        return {
            "run": lambda: brute_force.run(self.credited, self.horizon),
            "score": lambda: brute_force.score(
                self.depth, self.credited, self.horizon, lambda won, run: won * won - 5 * won + run
            ),
            "most": lambda: brute_force.most(player, won),
            "ombre": lambda: brute_force.ombre(player, won),
            "nemo": lambda: brute_force.nemo(self.depth, player, self.penalty),
        }[self.kind]()

    @property
    def depth(self) -> int:
        """Return the tricks of a hand, more than any position has, so that the two differ."""
        return dense_positions.SIZES[self.players][-1][0] + 2


class Goals:
    """A question in the engine's terms: an objective, and the payoffs that are reachable."""

    def __init__(self, question: Question) -> None:
        self.payoff = payoff = question.payoff()
        self.states: list[list[Any]] = [[payoff.start]]  # by tricks left, reversed below
        levels: list[list[list[int]]] = []
        for _ in range(question.depth):
            number: dict[Any, int] = {}
            rows = []
            for state in self.states[-1]:
                after = [
                    payoff.step(state, winner, trick)
                    for winner in range(question.players)
                    for trick in ((), (16 * question.penalty,))
                ]
                rows.append([number.setdefault(state, len(number)) for state in after])
            levels.append(rows)
            self.states.append(list(number))
        self.states.reverse()
        worth = [int(payoff.final(state)) for state in self.states[0]]
        self.payoffs = sorted({int(value) for value in payoff.values})
        self.objective = PayoffObjective(
            question.side,
            question.side,
            question.players,
            [[], *levels[::-1]],
            [self.payoffs.index(value) for value in worth],
            len(self.payoffs),
            marked=LANE << 16 * question.penalty,
        )


goals = lru_cache(maxsize=32)(Goals)


def question(kind: str, case: dense_positions.Case) -> Question:
    side = case.side if kind in ("run", "score") else 1 << case.player
    return Question(kind, case.problem.players, side, case.credited, case.horizon, case.penalty)


AUTOMATA = ("run", "score", "most", "ombre", "nemo")
NEEDS = ("ahead", "ahead or so many", "clean")
NEED_OF = dict(zip(NEEDS, (NEED_MOST, NEED_EITHER, NEED_CLEAN), strict=True))
KINDS = ("cards", "misere", *AUTOMATA, *NEEDS)


def wanted(kind: str, case: dense_positions.Case) -> tuple[int, ...]:
    """Return targets of the lone player, usually within reach."""
    random = Random(case.pick)
    left = case.problem.tricks
    if kind == "clean":
        fewer = random.randint(-1, left)
        return fewer, random.randint(fewer, left + 1)
    more = range(case.problem.players - 1)
    return random.randint(-1, left), *(random.randint(-left, left - 1) for _ in more)


def needs(kind: str, case: dense_positions.Case) -> brute_force.Payoff:
    players = case.problem.players
    asked = wanted(kind, case)
    return brute_force.needs(NEEDS.index(kind), players, case.player, case.penalty, asked)


def kinds_for(case: dense_positions.Case, kinds: Iterable[str]) -> list[str]:
    return [kind for kind in kinds if kind != "ombre" or case.problem.players == 3]


def start(asked: Question, case: dense_positions.Case) -> tuple[int, int]:
    """Return the tricks left, and the state from which the payoff continues."""
    left = max(hand.bit_count() for hand in case.problem.hands)
    return left, case.pick % len(goals(asked).states[left])


def judged(case: dense_positions.Case, kinds: Iterable[str] = KINDS) -> dict[str, Answer]:
    """Return the answers of brute force, by kind of question."""
    judge = brute_force.Judge(case.problem)
    answers: dict[str, Answer] = {}
    for kind in kinds_for(case, kinds):
        if kind == "cards":
            payoff = brute_force.count(judge.left, case.credited)
            values = judge.card_values(case.side, payoff)
            answers[kind] = {card: int(value) for card, value in values.items()}
        elif kind == "misere":
            answers[kind] = judge.misere(case.player)
        elif kind in NEEDS:
            answers[kind] = int(judge.value(1 << case.player, needs(kind, case)))
        else:
            asked = question(kind, case)
            left, state = start(asked, case)
            origin = goals(asked)
            payoff = replace(origin.payoff, start=origin.states[left][state])
            answers[kind] = int(judge.value(asked.side, payoff))
    return answers


def met(solver: Solver, kind: str, case: dense_positions.Case) -> bool | None:
    """Return whether the engine says that the lone player reaches the target."""
    return met_needs(solver, case.problem, case.player, kind, wanted(kind, case), case.penalty)


def met_needs(
    solver: Solver,
    problem: EngineProblem,
    player: int,
    kind: str,
    wanted: tuple[int, ...],
    penalty: int,
) -> bool | None:
    """Return whether the engine says that a lone player reaches a target in the tricks left.

    Only one state matters, the one that leaves this target.
    """
    left, players = problem.tricks, problem.players
    if kind == "clean":
        terms, has = (NEED_CLEAN, *wanted), (0, 0)
    else:
        terms, has = (NEED_OF[kind], wanted[0], 0), (0, *(more - 1 for more in wanted[1:]))
    objective = PayoffObjective(
        1 << player,
        1 << player,
        players,
        [[], *[[[0] * 2 * players]] * left],
        [0],
        2,
        marked=LANE << 16 * penalty,
        terms=[terms] * 2,
        counts=[[has]] * (left + 1),
    )
    return objective.reaches(solver, problem, 0, 1)


class Asker:
    """Puts the questions to the engine and keeps its tables.

    With `one`, a single solver answers everything, so that a proof kept from another question would
    do harm; otherwise each question has its own solver.
    """

    def __init__(self, make: Callable[[], Solver], one: bool = False) -> None:
        self.make, self.one = make, one
        self.solvers: dict[object, Solver] = {}

    def solver(self, *name: object) -> Solver:
        name = () if self.one else name
        if name not in self.solvers:
            self.solvers[name] = self.make()
        return self.solvers[name]

    def wrong(self, case: dense_positions.Case, expected: dict[str, Answer]) -> list[str]:
        """Return the kinds of question for which the engine's answer is unexpected."""
        return [kind for kind, answer in expected.items() if not self.agrees(case, kind, answer)]

    def agrees(self, case: dense_positions.Case, kind: str, expected: Answer) -> bool:
        problem = case.problem
        if isinstance(expected, dict):
            return self.agrees_on_cards(case, expected)
        if kind == "misere":
            lone, everybody = 1 << case.player, (1 << problem.players) - 1
            given = tricks(self.solver(kind), problem, lone, everybody ^ lone)
            return problem.tricks - given == expected
        if kind in NEEDS:
            return met(self.solver(kind), kind, case) == expected
        return self.reached(case, kind) == expected

    def agrees_on_cards(self, case: dense_positions.Case, expected: dict[int, int]) -> bool:
        """Return legal cards, equivalent cards, the value, and the value of each card."""
        problem, side, credited = case.problem, case.side, case.credited
        solver = self.solver("cards")
        legal, equivalents = solver.legal(problem)
        if legal != sum(1 << card for card in expected):
            return False
        for card in brute_force.cards_of(equivalents):
            lower = [other for other in expected if other >> 4 == card >> 4 and other < card]
            if not lower or expected[card] != expected[max(lower)]:
                return False
        choose = max if side >> problem.to_play & 1 else min
        return (
            tricks(solver, problem, side, credited) == choose(expected.values())
            and card_tricks(solver, problem, side, credited) == expected
        )

    def reached(self, case: dense_positions.Case, kind: str) -> int:
        """Return the highest payoff that the engine says can be forced."""
        asked = question(kind, case)
        _, state = start(asked, case)
        goal = goals(asked)
        for need in range(len(goal.payoffs) - 1, 0, -1):
            payoff = goal.payoffs[need]
            if goal.objective.reaches(self.solver(kind, payoff), case.problem, state, need):
                return payoff
        return goal.payoffs[0]


def askers(memory: int = DEFAULT_MEMORY, *, plain: bool = False) -> tuple[Asker, Asker]:
    """Return a checker with a table for each question, and one with a single solver for all."""

    def make() -> Solver:
        return Solver(memory, plain=plain, patience=0)

    return Asker(make), Asker(make, one=True)


def interleaved(
    seed: int,
    batch: int = 24,
    chunk: int = 12,
    sizes: dense_positions.Sizes = dense_positions.SIZES,
    families: Callable[[int], Iterator[dense_positions.Family]] = dense_positions.families,
) -> Iterator[dense_positions.Case]:
    """Yield cases of three families in turn; a family that is used up is replaced."""
    kinds = families(seed)
    running = deque(dense_positions.cases(next(kinds), seed, batch, sizes) for _ in range(3))
    while True:
        cases = running.popleft()
        some = list(islice(cases, chunk))
        yield from some
        running.append(cases if some else dense_positions.cases(next(kinds), seed, batch, sizes))


TURNS: tuple[tuple[dict[str, Any], ...], ...] = (
    *(
        tuple({"following": Following(*values)} for values in both)
        for both in (
            ((0,), (1,), (2,)),
            ((2, False), (2, True)),
            ((2, False, False), (2, False, True)),
            ((0, False, False, False), (0, False, False, True)),
            ((0, False, False, False, False), (0, False, False, False, True)),
        )
    ),
    # The matadors and a called card are valid only for the trump they were made for.
    tuple({"trump": lane, "matadors": 0, "called": -1} for lane in (-1, 0, 1, 2, 3)),
)


def by_turns(seed: int) -> Iterator[bool]:
    """Check a solver that is asked about one position in turn.

    Only one thing changes from each question to the next: a rule of following suit, the trump, the
    sides, the players whose tricks count, the penalty suit, or the kind of target.
    """
    kept = Solver(plain=True, patience=0)

    def same(ask: Callable[[Solver], object]) -> bool:
        return ask(kept) == ask(Solver(plain=True, patience=0))

    for nth, family in enumerate(dense_positions.families(seed)):
        for case in dense_positions.cases(family, "by turns", 4):
            everybody = (1 << case.problem.players) - 1
            for side, credited in ((case.side, case.credited), (case.side, everybody)):
                for changes in TURNS[nth % len(TURNS)], TURNS[-1]:
                    for change in changes:
                        problem = case.problem._replace(**change)
                        yield same(lambda solver: tricks(solver, problem, side, credited))  # noqa: B023
            for kind in NEEDS:
                for suit in range(4):
                    other = replace(case, penalty=suit)
                    yield same(lambda solver: met(solver, kind, other))  # noqa: B023


# Too large for brute force, but the engine must at least agree with itself.
LARGE: dense_positions.Sizes = {
    3: ((5, 1), (6, 3), (7, 3), (8, 2), (9, 1)),
    4: ((4, 1), (5, 3), (6, 3), (7, 2), (8, 1)),
    5: ((4, 2), (5, 2), (6, 1)),
}


def agree(kept: Solver, fresh: Solver, case: dense_positions.Case) -> bool:
    """Check that the value is that of the best card, and that a new solver finds the same."""
    problem, side, credited = case.problem, case.side, case.credited
    values = card_tricks(kept, problem, side, credited)
    choose = max if side >> problem.to_play & 1 else min
    fresh.clear()
    return (
        tricks(kept, problem, side, credited)
        == choose(values.values())
        == tricks(fresh, problem, side, credited)
    )
