"""An objective that counts in steps of several tricks: what so many tricks pay."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from spadille.search.objective import Count


class Steps(Count):
    """Payoffs that never fall as a count rises, in numbers of the list `values`."""

    __slots__ = ("_least", "_most", "count", "paid", "told", "values")

    def __init__(self, count: Count, paid: Mapping[int, Any]) -> None:
        """`paid` gives for each value of `count` there can be what it pays, see `payoff.Paid`."""
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
        guess = max(bisect_right(self._least, count.guess) - 1, 0)
        sides = count.side, count.credited
        # One payoff, however many tricks there are, is a step like any other.
        steps = self._least[1:] or [self._most + 1]
        super().__init__(*sides, count.start, guess, trumps=count.trumps, steps=steps)

    def tricks(self, value: int) -> range:
        """List the values of the count that pay so much."""
        beyond = [*self._least, self._most + 1][value + 1]
        return range(self._least[value], beyond)

    def named(self, value: int) -> int:
        """Return a value as results give it."""
        return self.values[value]
