"""An objective that counts in steps of several tricks: what so many tricks pay."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from spadille.search.engine import Solver
from spadille.search.objective import Count, narrow
from spadille.search.problem import Problem


class Steps(Count):
    """Payoffs that never fall as a count rises, in numbers of the list `values`."""

    __slots__ = ("_least", "_most", "count", "paid", "told", "values")

    def __init__(self, count: Count, paid: Mapping[int, Any]) -> None:
        """`paid` gives for each value of `count` there can be what it pays, see `score.Paid`."""
        super().__init__(count.side, count.credited, count.start, 0)
        self.count = count
        self.values: list[int] = []
        self.told: dict[int, Any] = {}
        self._least: list[int] = []
        self.paid = paid
        for number in sorted(paid):
            if not self.values or paid[number].side != self.values[-1]:
                self.values.append(paid[number].side)
                self._least.append(number)
        assert self.values == sorted(self.values)
        self._most = max(paid)
        self.guess = self._number(count.guess)

    def _number(self, count: int) -> int:
        return max(bisect_right(self._least, count) - 1, 0)

    def tricks(self, value: int) -> range:
        """List the values of the count that pay so much."""
        beyond = [*self._least, self._most + 1][value + 1]
        return range(self._least[value], beyond)

    def namings(self, problem: Problem) -> list[Problem]:
        """List what the player to move may make of the trump before he plays."""
        return self.count.namings(problem)

    def span(self, problem: Problem, state: int) -> tuple[int, int]:
        """Return the least and the greatest value there can be."""
        least, most = super().span(problem, state)
        return self._number(least), self._number(most)

    def bounds(
        self, solver: Solver, problem: Problem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search."""

        def reaches(need: int) -> bool | None:
            count = self._least[need]
            least, most = self.count.bounds(solver, problem, state, count - 1, count, count)
            return None if least < most else least == count

        return narrow(reaches, low, high, guess)
