"""The words for the values of an objective: tricks, outcomes, or points of a contractor."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from spadille.contract import Contract
from spadille.deal import Deal
from spadille.search.encoding import Situation
from spadille.search.going_on import target_of
from spadille.search.objective import Objective
from spadille.search.verdict import verdict


class Grades:
    """The values of a contractor's objective in the words of the game, from bad to good for him.

    `unit` is "tricks" (of the declaring side), "outcome" (contracts for most tricks, and a Misere
    of which it is too hard to say how many tricks it costs) or "points"
    (several contractors: what each is sure of). `needs` holds the least value of each grade,
    `names` what it is called, `makes` whether the contract is made with it.
    """

    __slots__ = ("makes", "names", "needs", "unit")

    def __init__(
        self, deal: Deal, contract: Contract, at: Situation, seat: str, objective: Objective
    ) -> None:
        several = len(contract.declarers) > 1
        accounted = at.total == deal.rules.game.hand_size
        counts = objective.by_tricks
        self.unit = "tricks"
        if several and (accounted or not counts):
            self.unit = "points"
        elif not objective.counts:
            self.unit = "outcome"
        self.needs: list[int]
        self.names: list[Any]
        self.makes: list[bool]
        low, high = objective.span(at.problem, objective.start)
        if self.unit == "tricks":
            # Misere counts the tricks of the declarer as negative, and its target is none.
            target = target_of(contract, at, seat)
            self.needs = list(range(low, high + 1))
            self.names = [abs(value) for value in self.needs]
            self.makes = [value >= target for value in self.needs]
            return
        self.needs, self.names, self.makes = [], [], []
        for value in range(low, high + 1):
            found = verdict(contract, at, seat, objective, value, value)
            name = objective.named(value)
            if self.unit == "points" and counts:
                name = deal.rules.score(deal, contract, found.finals[0])[seat]
            if not self.names or name != self.names[-1]:
                self.needs.append(value)
                self.names.append(name)
                self.makes.append(bool(found.makes))

    def grade(self, value: int) -> int:
        """Return the number of the grade a value belongs to, the lowest for what is below all."""
        return max(bisect_right(self.needs, value) - 1, 0)

    def distance(self, one: int, other: int) -> int:
        """Return how far two grades lie apart: in tricks or points, or in outcomes."""
        if self.unit == "outcome":
            return abs(one - other)
        distance: int = abs(self.names[one] - self.names[other])
        return distance
