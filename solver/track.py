"""The values of a contractor's objective along a play, from one table of the engine.

Only the player to move can spoil his side's value, so each answer also bounds the values of the
positions around it, and from the last card backwards mostly one question settles a position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from spadille.deal import Contract, Deal
from spadille.encoding import Situation
from spadille.engine import Solver
from spadille.grades import Grades
from spadille.objective import Count, Objective, coarse, objective_of
from spadille.problem import Problem
from spadille.values import mover_gains, reaches, step_on, stopped


class Point(NamedTuple):
    """A position of the play, and what was played there."""

    problem: Problem
    card: int
    """-1 at the end."""
    groups: Mapping[int, Sequence[int]]
    """The legal cards, equals together."""


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
        path: Sequence[Point],
        solver: Solver,
        rough: bool = False,
    ) -> None:
        self.seat = seat
        self.contractors = contract.declarers
        self.path = path
        self.solver = solver
        self.numbers = at.encoding.numbers
        objective = objective_of(contract, at, seat)
        self.objective: Objective = coarse(objective) if rough else objective
        self.grades = Grades(deal, contract, at, seat, self.objective)
        self.gains = [mover_gains(self.objective, point.problem) for point in path]
        self.choice = [len(point.groups) > 1 for point in path]
        state = self.objective.start
        low, high = self._span(path[0].problem, state)
        self.states, self.low, self.high = [state], [low], [high]
        for point, after in pairwise(path):
            if not after.problem.trick:
                cards = (*point.problem.trick, point.card)
                state = self.objective.after(state, after.problem.leader, cards)
                low, high = self._span(after.problem, state)
            self.states.append(state)
            self.low.append(low)
            self.high.append(high)
        self.best: dict[int, set[int]] = {}

    def _span(self, problem: Problem, state: Any) -> tuple[int, int]:
        """Return the grades between which the value lies for sure."""
        low, high = self.objective.span(problem, state)
        return self.grades.grade(low), self.grades.grade(high)

    @property
    def values(self) -> list[int]:
        """The grade of each position, once all are settled."""
        return self.low

    # Values

    def settle(self) -> None:
        """Find the value of every position."""
        backwards = range(len(self.path) - 1, -1, -1)
        if isinstance(self.objective, Count):
            for i in backwards:
                while self.low[i] < self.high[i]:
                    self._ask(i, self._next_question(i))
        else:
            # Each threshold has a table of its own in the engine.
            for need in range(1, len(self.grades.needs)):
                for i in backwards:
                    if self.low[i] < need <= self.high[i]:
                        self._ask(i, need)

    def _next_question(self, i: int) -> int:
        """Return the grade to ask for: first whether the value is that of the next position."""
        if i + 1 == len(self.path):
            target = self.grades.grade(self.objective.guess)
            return min(max(target, self.low[i] + 1), self.high[i])
        return self.low[i] + 1 if self.gains[i] else self.high[i]

    def _ask(self, i: int, need: int) -> None:
        """Ask whether the value of a position is at least that grade; the answer spreads."""
        if self._reaches(self.path[i].problem, self.states[i], need):
            self._raise_low(i, need)
        else:
            self._lower_high(i, need - 1)

    def _reaches(self, problem: Problem, state: Any, need: int) -> bool:
        answer = reaches(self.objective, self.solver, problem, state, self.grades.needs[need])
        if answer is None:
            raise stopped(self.solver)
        return answer

    def _raise_low(self, i: int, grade: int) -> None:
        """Spread it: it held before the cards of that side, and holds after those of the other."""
        self.low[i] = max(self.low[i], grade)
        for j in range(i, 0, -1):
            if not self.gains[j - 1] and self.choice[j - 1]:
                break
            self.low[j - 1] = max(self.low[j - 1], grade)
        for j in range(i, len(self.path) - 1):
            if self.gains[j] and self.choice[j]:
                break
            self.low[j + 1] = max(self.low[j + 1], grade)

    def _lower_high(self, i: int, grade: int) -> None:
        self.high[i] = min(self.high[i], grade)
        for j in range(i, 0, -1):
            if self.gains[j - 1] and self.choice[j - 1]:
                break
            self.high[j - 1] = min(self.high[j - 1], grade)
        for j in range(i, len(self.path) - 1):
            if not self.gains[j] and self.choice[j]:
                break
            self.high[j + 1] = min(self.high[j + 1], grade)

    # Cards

    def compare(self, every: bool) -> None:
        """Find the best cards where a better one was missed, or everywhere."""
        questions = []
        for i, point in enumerate(self.path[:-1]):
            value = self.low[i]
            missed = value != self.low[i + 1]
            if not (every or missed):
                continue
            self.best[i] = kept = set[int]()
            need = value if self.gains[i] else value + 1
            for card, group in point.groups.items():
                if point.card in group:
                    kept.update(() if missed else group)
                elif not 0 < need < len(self.grades.needs):
                    kept.update(group)  # it cannot be better or worse
                else:
                    questions.append((need, -i, card))
        # By threshold, and backwards: what the engine's table knows is of use then.
        for need, back, card in sorted(questions):
            point, state = self.path[-back], self.states[-back]
            after = step_on(self.objective, point.problem, state, card)
            if self._reaches(*after, need) == self.gains[-back]:
                self.best[-back].update(point.groups[card])

    def best_cards(self, i: int) -> tuple[str, ...]:
        """Return the cards found to keep the value, by suit and from high to low."""
        best = self.best.get(i)
        if not best:
            return ()
        return tuple([card for card, number in self.numbers.items() if number in best])
