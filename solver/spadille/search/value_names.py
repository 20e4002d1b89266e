"""Names for the values of an objective: a declarer's tricks, outcomes or points."""

from __future__ import annotations

from bisect import bisect_right

from spadille.search.contract_objective import ContractObjective
from spadille.search.going_for_all import target_of
from spadille.search.question import Question
from spadille.search.verdict import Unit, Value


class Grades:
    """The values of a declarer's question in the game's terms, from worst to best.

    `unit` is "tricks" (of the declaring side), "outcome" (contracts to win the most tricks, and
    Misères whose number of tricks is too hard to find) or "points" (with several declarers, what
    each is sure of).
    `needs` holds the lowest value of each grade, `names` its name, and `makes` whether it makes the
    contract.
    """

    __slots__ = ("makes", "names", "needs", "unit")

    def __init__(self, question: Question[ContractObjective]) -> None:
        several = len(question.contract.declarers) > 1
        self.unit: Unit = question.objective.unit
        if several and question.accounted:
            self.unit = "points"
        self.needs: list[int] = []
        self.names: list[Value] = []
        self.makes: list[bool] = []
        low, high = question.span()
        if self.unit == "tricks":
            # In a Misère, the declarer's tricks count as negative, and the target is zero.
            target = target_of(question.contract, question.at, question.seat)
            self.needs = list(range(low, high + 1))
            self.names = [abs(value) for value in self.needs]
            self.makes = [value >= target for value in self.needs]
            return
        for value in range(low, high + 1):
            verdict = question.verdict(value, value)
            points = question.points(verdict) if self.unit == "points" else None
            name = question.named(value) if points is None else points
            if not self.names or name != self.names[-1]:
                self.needs.append(value)
                self.names.append(name)
                self.makes.append(bool(verdict.makes))

    def grade(self, value: int) -> int:
        """Return the index of a value's grade; values below all grades get the lowest grade."""
        return max(bisect_right(self.needs, value) - 1, 0)

    def name(self, value: int) -> Value:
        """Return the name of the grade to which a value belongs."""
        return self.names[self.grade(value)]

    def distance(self, grade: int, other: int) -> int:
        """Return the distance between two grades: in tricks or points, or in outcomes."""
        if self.unit == "outcome":
            return abs(grade - other)
        return abs(int(self.names[grade]) - int(self.names[other]))
