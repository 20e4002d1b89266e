"""Time spadille and DDS, alternating deal by deal, with medians over several rounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import mean, median
from time import perf_counter
from typing import Any

from benchmarks.dds import Solve
from benchmarks.dds_report_rows import Line, yardsticks
from benchmarks.effort import Effort, timed
from benchmarks.timed_tasks import Task
from spadille.search.engine import Solver


@dataclass(frozen=True, slots=True)
class Figures:
    """The measurements of one line, with a time for each deal."""

    line: Line
    ours: list[float]
    theirs: list[float]
    wanted: int  # deals planned
    unfinished: int
    wrong: int  # values for which DDS has a different result
    rounds: int

    @property
    def ratio(self) -> float:
        """The ratio of the means."""
        return mean(self.ours) / mean(self.theirs)

    @property
    def median_ratio(self) -> float:
        """The ratio of the medians if the deals are the same, else of our median to DDS's mean."""
        return median(self.ours) / (median if self.line.same else mean)(self.theirs)

    @property
    def worst(self) -> float:
        """The ratio of our slowest deal to DDS's mean."""
        return max(self.ours) / mean(self.theirs)

    @property
    def met(self) -> bool | None:
        """Whether the targets are met, or None if there are none."""
        line = self.line
        if line.mean is None:
            return None
        return (
            self.ratio <= line.mean
            and (line.median is None or self.median_ratio <= line.median)
            and (line.worst is None or self.worst <= line.worst)
            and not self.unfinished
            and not self.wrong
        )


def compare(line: Line, family: str, effort: Effort) -> Figures:
    """Measure one line.

    Rounds that would exceed the line's time limit are skipped. The first round stops at the limit,
    and later rounds repeat only the deals that it reached.
    """
    questions = line.questions(family, effort.number(line.number))
    ours = [line.task(question) for question in questions]
    same = line.same is not None
    if line.same:
        theirs = [line.same(question) for question in questions]
    else:
        theirs = yardsticks(family, line.against, min(effort.yardsticks, len(ours)))
    began, allowed = perf_counter(), effort.seconds(line.seconds)
    times, yard, values = _round(ours, theirs, same, effort.nodes, began + allowed)
    solved = [times]
    yards = [yard]
    ours, theirs = ours[: len(times)], theirs[: len(yard)]
    while len(solved) < effort.rounds:
        spent = perf_counter() - began
        if spent * (len(solved) + 1) / len(solved) > allowed:
            break
        times, yard, _ = _round(ours, theirs, same, effort.nodes, math.inf)
        solved.append(times)
        yards.append(yard)
    return Figures(
        line,
        [median(each) for each in zip(*solved, strict=True)],
        [median(each) for each in zip(*yards, strict=True)],
        len(questions),
        sum(value is None for value, _ in values),
        sum(value is not None and value != other for value, other in values if same),
        len(solved),
    )


def _round(
    ours: list[Task], theirs: list[Solve], same: bool, nodes: int, until: float
) -> tuple[list[float], list[float], list[tuple[Any, Any]]]:
    """Return our times, DDS's times and both answers; DDS's solves are spread over our deals."""
    solver = Solver()
    times: list[float] = []
    yard: list[float] = []
    values = []
    for index, task in enumerate(ours):
        seconds, value = timed(task, solver, nodes)
        times.append(seconds)
        other = None
        while len(yard) * len(ours) < (index + 1) * len(theirs):
            seconds, other = timed(theirs[len(yard)])
            yard.append(seconds)
        values.append((value, other))
        if perf_counter() > until:
            break
    if not same:
        # The mean covers all reference solves, even if some of our deals were skipped.
        yard += [timed(task)[0] for task in theirs[len(yard) :]]
    return times, yard, values
