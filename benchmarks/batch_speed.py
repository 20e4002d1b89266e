"""Benchmark millions of deals: tag text to result, ledger overhead, two processes, a Dask cluster.

The benchmark measures processor time on one core, and wall time with two processes or workers;
the variants take turns, and the figures come from the best round of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from benchmarks.deals import Question, lone, questions
from benchmarks.effort import Effort
from spadille.batch.answerer import Answerer
from spadille.batch.batch_question import Job
from spadille.batch.file_questions import places
from spadille.batch.fill_ledger import fill
from spadille.batch.ledger import Ledger
from spadille.batch.workers import Processes, Workers
from spadille.core.contract import Contract
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import DEFAULT
from spadille.search.question import Question as Asked

SOLVE = Job.of("solve")


def searches(asked: list[Question]) -> Callable[[], None]:
    """Return a function that only searches: the questions are already in the engine's form."""
    solver = Solver()
    ready = []
    for deal, contract, _ in asked:
        at = situation(deal, contract)
        search = Search(solver, DEFAULT)
        ready.append(Asked.of(deal, contract, at, contract.declarer, search))

    def run() -> None:
        for question in ready:
            solver.clear()
            solver.limit()
            low, high = question.span()
            question.objective.bounds(
                solver, question.at.problem, question.state, low, high, question.objective.guess
            )

    return run


def reading(path: Path) -> None:
    """Answer the questions of a file from the text of its tags, without storing the answers."""
    answerer = Answerer(SOLVE)
    for place in places(str(path), SOLVE):
        assert place.question is not None
        answerer.answer(place.question)


def filling(path: Path, workers: Workers | None = None) -> float:
    """Store the same answers in a ledger; return the seconds that this took."""
    ledger = path.with_suffix(".db")
    for kept in path.parent.glob(f"{ledger.name}*"):
        kept.unlink()
    with Ledger(ledger, SOLVE) as found:
        began = perf_counter()
        fill(found, [str(path)], workers=workers)
    return perf_counter() - began


def processor(run: Callable[[], object]) -> float:
    """Return the processor time that a function takes."""
    began = process_time()
    run()
    return process_time() - began


def varied(asked: list[Question], times: int) -> list[Question]:
    """Repeat the deals with other declarers and trumps, to get `times` as many questions."""
    return [
        Question(deal, Contract.make(deal, "solo", seat, trump), (seat,))
        for deal, _, _ in asked
        for seat, trump in islice(product("NESW", "SHDC"), times)
    ]


def started(workers: Workers) -> Workers:
    """Wait until each worker has answered once."""
    workers.give(-1, [])
    while not workers.finished(1):
        pass
    return workers


def batch_rows(
    family: str, effort: Effort, write: Callable[[list[Question]], str]
) -> Iterator[tuple[str, str, str, bool | None]]:
    """Yield the name, the target, the measured value and whether it is met, for each figure."""
    asked = questions(family, "batch", effort.number(20_000), lone("german-solo", "solo"))
    number = len(asked)
    search = searches(asked)
    with TemporaryDirectory() as name:
        path = Path(name, "deals.pbn")
        path.write_text(write(asked))
        least = [float("inf")] * 4
        for _ in range(effort.rounds):
            runs = (
                processor(search),
                processor(lambda: reading(path)),
                processor(lambda: filling(path)),
                filling(path, started(Processes(SOLVE, 2))),
            )
            least = [min(both) for both in zip(least, runs, strict=True)]
        alone, read, kept, two = least
        rate, beside = number / read, (read - alone) / number * 1e6
        yield (
            f"from tag text to result, {number:,} German Solo deals, one core",
            "at least 8,000 deals/s",
            f"{rate:,.0f} deals/s",
            rate >= 8000,
        )
        bar = "at most 60 µs"
        yield "the same beside the search", bar, f"{beside:.0f} µs a deal", beside <= 60
        cost = (kept - read) / kept
        yield "share of the ledger", "at most 15%", f"{100 * cost:.0f}%", cost <= 0.15
        rate = number / two
        yield (
            "`batch solve -j 2`, after its processes have started",
            "at least 11,100 deals/s, a million in 90 s",
            f"{rate:,.0f} deals/s",
            rate >= 11_100,
        )
        if find_spec("distributed"):
            from spadille.batch.dask_cluster import Cluster

            # A task takes a second, so the last tasks would dominate a run with few deals.
            many = varied(asked, 10 if effort.scale == 1 else 1)
            path.write_text(write(many))
            share = 0.0
            for _ in range(effort.rounds - 1):
                two = filling(path, started(Processes(SOLVE, 2)))
                share = max(share, two / filling(path, started(Cluster(SOLVE, "local", 2))))
            yield (
                f"two Dask workers of one thread, {len(many):,} deals",
                "at least 0.9 of `-j 2`",
                f"{share:.2f}",
                share >= 0.9,
            )
