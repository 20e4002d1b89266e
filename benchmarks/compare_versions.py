"""Compare two versions of spadille, in two checkouts, on the same deals.

Each version runs in a separate process, and both run the benchmarks of this checkout. They take
turns deal by deal, so that a busy machine slows both. The time of a deal is processor time, the
minimum over the rounds, since other programs on the machine can only add to it.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from subprocess import PIPE, Popen
from time import perf_counter
from types import TracebackType
from typing import Any, Protocol, Self

from benchmarks.dds_report_rows import LINES, Line
from benchmarks.effort import Effort, timed
from benchmarks.timed_tasks import Task
from spadille.search import engine
from spadille.search.engine import Solver

TOP = Path(__file__).parents[1]
INSTALLED = Path(engine.__file__).parents[2]
"""The folder that holds this process's `spadille` package."""
ROUNDS = 5
Answer = tuple[str, int]  # the result of a task, and the nodes it took


class VersionError(Exception):
    """A version that cannot do the work."""


class Worker(Protocol):
    """One version that can be asked for answers and times."""

    def prepare(self, line: Line, family: str, number: int) -> int:
        """Make the tasks of a line; return their number."""

    def answer(self, deal: int, nodes: int) -> Answer:
        """Return the answer of a task."""

    def seconds(self, deal: int, nodes: int) -> float:
        """Return the processor time of a task."""


class Version:
    """The version of a checkout, running in a separate process; a context manager."""

    def __init__(self, checkout: Path | None = None) -> None:
        """Start the process; raise VersionError if the checkout has no working engine.

        Without a checkout, the version is the package that is installed here.
        """
        self._checkout = checkout or INSTALLED
        package = checkout.resolve() / "solver" if checkout else INSTALLED
        if not [*package.glob("spadille/search/engine.*.*")]:
            raise VersionError(
                f"{checkout}: no compiled engine in solver/spadille/search: name the top of a "
                "checkout, after `pip install -e .` there"
            )
        self._process = Popen(
            [sys.executable, "-m", "benchmarks.compare_versions"],
            cwd=TOP,
            env={**os.environ, "PYTHONPATH": str(package)},
            stdin=PIPE,
            stdout=PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def _ask(self, *request: object) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            text = ""
        else:
            text = self._process.stdout.readline()
        if not text:
            raise VersionError(f"{self._checkout}: the process of this version ended")
        reply = json.loads(text)
        if "error" in reply:
            raise VersionError(f"{self._checkout}: {reply['error']}")
        return reply["answer"]

    def prepare(self, line: Line, family: str, number: int) -> int:
        """Make the tasks of a line; return their number."""
        return int(self._ask("prepare", line.name, family, number))

    def answer(self, deal: int, nodes: int) -> Answer:
        """Return the answer of a task."""
        text, visited = self._ask("answer", deal, nodes)
        return text, visited

    def seconds(self, deal: int, nodes: int) -> float:
        """Return the processor time of a task."""
        return float(self._ask("seconds", deal, nodes))


class Counter(Solver):
    """A solver that counts the nodes of all questions of a task."""

    earlier = 0

    def limit(self, nodes: int = 0, seconds: float = 0) -> bool:
        """Set limits as Solver does, and keep counting nodes."""
        self.earlier += self.nodes
        return super().limit(nodes, seconds)


def serve(requests: Iterable[str], write: Callable[[str], object]) -> None:
    """Answer the requests of a `Version`, one per line."""
    solver = Solver()
    tasks: list[Task] = []

    def done(name: str, *args: Any) -> object:
        if name == "prepare":
            (line,) = (line for line in LINES if line.name == args[0])
            tasks[:] = [line.task(question) for question in line.questions(*args[1:])]
            return len(tasks)
        deal, nodes = args
        if name == "seconds":
            return timed(tasks[deal], solver, nodes)[0]
        counter = Counter()
        found = tasks[deal](counter, nodes)
        return repr(found), counter.earlier + counter.nodes

    for request in requests:
        try:
            reply = {"answer": done(*json.loads(request))}
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        write(json.dumps(reply) + "\n")


@dataclass(frozen=True, slots=True)
class Compared:
    """The measurements of one line, with two numbers for each deal: this version's and the other's.

    `wrong` counts the deals with different answers.
    """

    line: Line
    nodes: list[tuple[int, int]]
    seconds: list[tuple[float, float]]
    wrong: int

    @property
    def nodes_ratio(self) -> float:
        """The ratio of the total nodes, this version's to the other's."""
        return sum(one for one, _ in self.nodes) / max(sum(other for _, other in self.nodes), 1)

    @property
    def ratio(self) -> float:
        """The ratio of the total times, this version's to the other's."""
        return sum(one for one, _ in self.seconds) / sum(other for _, other in self.seconds)

    @property
    def median_ratio(self) -> float:
        """The median of the ratios of the deals' times."""
        return median(one / other for one, other in self.seconds)


def compare(line: Line, family: str, effort: Effort, this: Worker, other: Worker) -> Compared:
    """Measure one line with two versions in turn.

    Once a line has used up half of its time, further deals are left out. Once it has used up all of
    it, further rounds are left out, but never the first. Raises VersionError if a version cannot do
    the work.
    """
    number = effort.number(line.number)
    deals = range(min(each.prepare(line, family, number) for each in (this, other)))
    began, allowed = perf_counter(), effort.seconds(line.seconds)
    nodes, wrong = [], 0
    for deal in deals:
        one, two = (each.answer(deal, effort.nodes) for each in (this, other))
        nodes.append((one[1], two[1]))
        wrong += one[0] != two[0]
        if perf_counter() > began + allowed / 2:
            break
    seconds = [(float("inf"), float("inf"))] * len(nodes)
    for turn in range(ROUNDS):
        if turn and perf_counter() > began + allowed:
            break
        for deal, (least, other_least) in enumerate(seconds):
            # The version that runs second may find the machine warmer.
            order = (this, other) if (turn + deal) % 2 else (other, this)
            found = {id(each): each.seconds(deal, effort.nodes) for each in order}
            seconds[deal] = min(least, found[id(this)]), min(other_least, found[id(other)])
    return Compared(line, nodes, seconds, wrong)


def comparisons(
    checkout: Path, family: str, effort: Effort, only: str
) -> Iterator[tuple[str, Compared | VersionError]]:
    """Yield the name of each line that contains a text, and the comparison of the two versions."""
    with ExitStack() as stack:
        this, other = (stack.enter_context(Version(path)) for path in (None, checkout))
        for line in LINES:
            if only.casefold() in line.name.casefold():
                try:
                    yield line.name, compare(line, family, effort, this, other)
                except VersionError as error:
                    yield line.name, error


if __name__ == "__main__":
    ArgumentParser(description=__doc__).parse_args()
    serve(sys.stdin, lambda text: sys.stdout.write(text) and sys.stdout.flush())
