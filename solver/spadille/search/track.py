"""The values of a contractor's objective along a play, from one table of the engine.

Only the player to move can spoil his side's value. So, from the last card backwards, a value is
known from that of the next position but for what the player could have done better, and mostly one
question settles it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from spadille.contract import Contract
from spadille.deal import Deal
from spadille.search.encoding import Situation
from spadille.search.engine import Solver
from spadille.search.grades import Grades
from spadille.search.limits import stopped
from spadille.search.objective import ContractObjective, coarse, objective_of
from spadille.search.problem import Problem


@dataclass(slots=True)
class Path:
    """The cards that were played, and the positions between them."""

    problems: list[Problem]
    """Before each card and after the last."""
    players: list[int] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    choices: list[bool] = field(default_factory=list)
    """Whether there was more than one card to choose from, equals counting as one."""

    def cut(self, i: int) -> tuple[Path, Path]:
        """Return the path up to the position before card `i`, and the rest from there."""
        problems, players, cards, choices = self.problems, self.players, self.cards, self.choices
        before = Path(problems[: i + 1], players[:i], cards[:i], choices[:i])
        return before, Path(problems[i:], players[i:], cards[i:], choices[i:])


class Track:
    """The values of one contractor's objective along the play, as grades.

    `values` are those before each card and after the last.
    """

    def __init__(
        self,
        deal: Deal,
        contract: Contract,
        at: Situation,
        seat: str,
        path: Path,
        solver: Solver,
        rough: bool = False,
    ) -> None:
        self.seat = seat
        self.contractors = contract.declarers
        self.path = path
        self.solver = solver
        self.numbers = at.encoding.numbers
        objective = objective_of(contract, at, seat)
        self.objective: ContractObjective = coarse(objective) if rough else objective
        self.grades = Grades(deal, contract, at, seat, self.objective)
        side = self.objective.side
        self.gains = [bool(side >> player & 1) for player in path.players]
        state = self.objective.start
        self.states = [state]
        for card, (problem, after) in zip(path.cards, pairwise(path.problems), strict=True):
            # With the trump that is named with the card.
            state = self.objective.step(solver, problem.named(after.trump), state, card)
            self.states.append(state)
        self.values: list[int] = []
        self.best: dict[int, set[int]] = {}

    # Values

    def settle(self) -> None:
        """Find the value of every position."""
        moves = list(zip(self.gains, self.path.choices, strict=True))
        last = len(moves)
        backwards = range(last - 1, -1, -1)
        self.values = values = [0] * (last + 1)
        if self.objective.by_tricks:
            values[last] = value = self._value(last)
            for i in backwards:
                gains, choice = moves[i]
                if choice and gains:
                    while self._reaches(i, value + 1):
                        value += 1
                elif choice:
                    while not self._reaches(i, value):
                        value -= 1
                values[i] = value
            return
        # Each threshold has a table of its own in the engine.
        for need in range(1, len(self.grades.needs)):
            reached = values[last] == need - 1 and self._reaches(last, need)
            values[last] += reached
            for i in backwards:
                gains, choice = moves[i]
                if choice and gains != reached:
                    reached = values[i] == need - 1 and self._reaches(i, need)
                values[i] += reached

    def _value(self, i: int) -> int:
        """Return the value of a position, as a grade, from it alone."""
        objective, problem, state = self.objective, self.path.problems[i], self.states[i]
        low, high = objective.span(problem, state)
        low, high = objective.bounds(self.solver, problem, state, low, high, objective.guess)
        if low < high:
            raise stopped(self.solver)
        return self.grades.grade(low)

    def _reaches(self, i: int, need: int) -> bool:
        """Whether the value of a position is at least that grade."""
        return self._answer(self.path.problems[i], self.states[i], need)

    def _answer(self, problem: Problem, state: Any, need: int) -> bool:
        if not 0 < need < len(self.grades.needs):
            return need <= 0
        answer = self.objective.reaches(self.solver, problem, state, self.grades.needs[need])
        if answer is None:
            raise stopped(self.solver)
        return answer

    # Cards

    def compare(self, every: bool) -> None:
        """Find the best cards where a better one was missed, or everywhere."""
        questions = []
        path = self.path
        for i, (value, after) in enumerate(pairwise(self.values)):
            missed = value != after
            if not (every or missed):
                continue
            self.best[i] = kept = set[int]()
            need = value if self.gains[i] else value + 1
            for card, group in self.solver.classes(path.problems[i]).items():
                if path.cards[i] in group:
                    kept.update(() if missed else group)
                else:
                    questions.append((need, -i, card, group))
        # By threshold, and backwards: what the engine's table knows is of use then.
        for need, back, card, group in sorted(questions):
            i = -back
            problem = path.problems[i]
            state = self.objective.step(self.solver, problem, self.states[i], card)
            if self._answer(problem.played(card), state, need) == self.gains[i]:
                self.best[i].update(group)

    def best_cards(self, i: int) -> tuple[str, ...]:
        """Return the cards found to keep the value, by suit and from high to low."""
        best = self.best.get(i)
        if not best:
            return ()
        return tuple([card for card, number in self.numbers.items() if number in best])
