"""Names for the values of an objective: tricks, outcomes or points."""

from __future__ import annotations

from bisect import bisect_right

from spadille.search.contract_objective import ContractObjective
from spadille.search.first_run import target_of
from spadille.search.question import Question
from spadille.search.verdict import Unit, Value


class Grades:
    """The grades of a declarer's question, from worst to best: groups of values with one name.

    `unit` is "tricks" (of the declaring side), "outcome" (in contracts to win the most tricks, and
    in Misères whose number of tricks is too hard to find) or "points" (the guaranteed points of
    each of several declarers). For each grade, `needs` is its lowest value, `names` its name, and
    `makes` whether the contract makes.
    """

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
            # In a Misère, the value is minus the declarer's number of tricks, and the target is 0.
            target = target_of(question.contract, question.at, question.seat)
            self.needs = list(range(low, high + 1))
            self.names = [abs(value) for value in self.needs]
            self.makes = [value >= target for value in self.needs]
            return
        for value in range(low, high + 1):
            name = question.named(value)
            if self.unit == "points":
                points = question.points(question.verdict(value, value))
                name = name if points is None else points
            if not self.names or name != self.names[-1]:
                self.needs.append(value)
                self.names.append(name)
                self.makes.append(bool(question.verdict(value, value).makes))

    def grade(self, value: int) -> int:
        """Return the index of a value's grade; values below all grades belong to the lowest one."""
        return max(bisect_right(self.needs, value) - 1, 0)

    def name(self, value: int) -> Value:
        """Return the name of a value's grade."""
        return self.names[self.grade(value)]

    def distance(self, grade: int, other: int) -> int:
        """Return the distance between two grades in tricks, points or outcomes."""
        if self.unit == "outcome":
            return abs(grade - other)
        return abs(int(self.names[grade]) - int(self.names[other]))
