"""The speed of the report rows against DDS, for pytest-benchmark.

Run `pytest -p benchmark -n 0 benchmarks`. In parallel runs (without `-n 0`), pytest-benchmark times
nothing.

Each round times another deal. spadille solves it while the clock runs, and DDS while it does not.
DDS's time is in the extra information, so that saved runs can be compared.
"""

from __future__ import annotations

from itertools import cycle
from statistics import mean
from time import process_time
from typing import Any

import pytest

from benchmarks import dds
from benchmarks.dds_report_rows import LINES, Line, yardsticks
from benchmarks.deals import MEASURING
from benchmarks.effort import timed
from spadille.search.engine import Solver

SHARE = 20  # one in this many of the deals of a full run
NODES = 1_000_000

pytestmark = pytest.mark.skipif(not dds.AVAILABLE, reason="endplay is missing")


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("line", LINES, ids=lambda line: line.name)
def test_line(benchmark: Any, line: Line) -> None:
    deals = line.number // SHARE
    questions = line.questions(MEASURING, deals)
    theirs = (
        [line.same(question) for question in questions]
        if line.same
        else yardsticks(MEASURING, line.against, deals)
    )
    pairs = cycle(zip([line.task(question) for question in questions], theirs, strict=True))
    solver = Solver()
    yard: list[float] = []
    found: list[tuple[Any, Any]] = []
    expected = None

    def setup() -> tuple[tuple[Any], dict[str, Any]]:
        nonlocal expected
        task, other = next(pairs)
        seconds, expected = timed(other)
        yard.append(seconds)
        return (task,), {}

    def run(task: Any) -> None:
        found.append((task(solver, NODES), expected))

    benchmark.pedantic(run, setup=setup, rounds=deals)
    if line.same:
        assert all(value in (None, other) for value, other in found)
    benchmark.extra_info["DDS, mean ms"] = round(mean(yard) * 1e3, 3)
    benchmark.extra_info["unfinished"] = sum(value is None for value, _ in found)
    if benchmark.stats:
        benchmark.extra_info["ratio"] = round(benchmark.stats.stats.mean / mean(yard), 5)
        benchmark.extra_info["bar"] = line.mean and round(line.mean, 5)
