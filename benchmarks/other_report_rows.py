"""The rows of the report without a comparison with DDS: start-up, throughput, threads, memory.

Throughput and start-up are wall time, the rest processor time.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks import (
    batch_speed,
    card_chances_speed,
    random_deal_speed,
    review_nodes_and_time,
    swap_speed,
    timed_tasks,
)
from benchmarks.deals import Maker, Question, bridge, called, lone, misere, questions
from benchmarks.effort import Effort, timed
from spadille.analysis.contracts.table import table
from spadille.analysis.value.solve import solve_many
from spadille.base.card_text import format_hand
from spadille.search.engine import FAST_PATH, Solver

PROGRAM = (sys.executable, "-c", "from spadille_cli import main; main()")
MEGABYTE = 1 << 20
LOAD = "import time; t = time.perf_counter(); import spadille; print(time.perf_counter() - t)"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the report; `met` is None if there is no target."""

    name: str
    bar: str
    measured: str
    met: bool | None


def hand_file(asked: list[Question]) -> str:
    """Return the questions as a hand file."""
    games = []
    for deal, contract, _ in asked:
        hands = " ".join(format_hand(deal.hands[seat] or ()) for seat in deal.rules.seats)
        tags = {
            "Game": deal.rules.game.id,
            "Dealer": deal.dealer,
            "Deal": f"{deal.rules.seats[0]}:{hands}",
            "Declarer": contract.declarer,
            "Contract": contract.ids[0],
            "Trump": contract.trump,
        }
        games.append("".join(f'[{name} "{value}"]\n' for name, value in tags.items()))
    return "\n".join(games)


def wall(*command: str, times: int) -> float:
    """Run a process several times, and return the median time."""
    seconds = []
    for _ in range(times):
        began = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append(perf_counter() - began)
    return median(seconds)


def command_rows(family: str, effort: Effort) -> Iterator[Row]:
    """Return the start-up and throughput of the command."""
    times = 5 if effort.scale < 1 else 11
    load = median(
        float(subprocess.run((sys.executable, "-c", LOAD), check=True, capture_output=True).stdout)
        for _ in range(times)
    )
    yield Row("`import spadille`", "under 100 ms", f"{load * 1e3:.1f} ms", load < 0.1)
    asked = questions(family, "command", 1000, lone("german-solo", "solo"))
    with TemporaryDirectory() as name:
        one, many = Path(name, "one.pbn"), Path(name, "many.pbn")
        one.write_text(hand_file(asked[:1]))
        many.write_text(hand_file(asked))
        single = wall(*PROGRAM, "solve", str(one), times=times)
        batch = wall(*PROGRAM, "solve", "--format", "jsonl", str(many), times=(times + 1) // 2)
    yield Row(
        "`spadille solve`, one German Solo deal, in all",
        "under 300 ms",
        f"{single * 1e3:.0f} ms",
        single < 0.3,
    )
    rate = len(asked) / batch
    yield Row(
        "`spadille solve --format jsonl`, 1,000 German Solo deals, in all",
        "at least 2,000 deals/s",
        f"{rate:,.0f} deals/s",
        rate >= 2000,
    )


def thread_rows(family: str, effort: Effort) -> Iterator[Row]:
    """Return the speed-up of a batch on two threads over one, with the same results."""
    batches: tuple[tuple[str, Maker, int, float | None], ...] = (
        ("13 cards, 2 v 2", bridge(), 200, 1.9),
        ("German Solo: Solo", lone("german-solo", "solo"), 3000, None),
    )
    for name, make, number, bar in batches:
        asked = [
            (deal, contract)
            for deal, contract, _ in questions(family, "threads", effort.number(number), make)
        ]
        best = {1: float("inf"), 2: float("inf")}
        found: dict[int, list[object]] = {}
        for _ in range(effort.rounds):
            for threads in best:
                began = perf_counter()
                results = list(solve_many(asked, threads=threads))
                best[threads] = min(best[threads], perf_counter() - began)
                # Compare everything in the results except their times.
                found[threads] = [
                    {**result.to_dict(), "ms": 0} if hasattr(result, "to_dict") else str(result)
                    for result in results
                ]
        gain, same = best[1] / best[2], found[1] == found[2]
        yield Row(
            f"two threads, {name}",
            f"at least {bar}x" if bar else "–",
            f"{gain:.2f}x, results {'identical' if same else 'DIFFERENT'}",
            same and gain >= bar if bar else None,
        )


def row_thread_rows(family: str, effort: Effort) -> Iterator[Row]:
    """Return the speed-up of the rows of one table on two threads over one."""
    seconds = {1: 0.0, 2: 0.0}
    differ = 0
    asked = questions(family, "rows", effort.number(40), lone("solo-whist", "solo"))
    for deal, _, _ in asked:
        found = []
        for threads in seconds:
            began = perf_counter()
            made = table(deal, threads=threads)
            seconds[threads] += perf_counter() - began
            found.append((made.rows, made.nodes))
        differ += found[0] != found[1]
    gain = seconds[1] / seconds[2]
    yield Row(
        "two threads, the rows of one Solo Whist table",
        "at least 1.9x",
        f"{gain:.2f}x, {differ} of {len(asked)} tables differ",
        gain >= 1.9 and not differ,
    )


SAMPLES: tuple[tuple[str, Maker, Callable[[Question], timed_tasks.Task], bool, int], ...] = (
    ("Ombre", lone("ombre", "entrada"), timed_tasks.value, False, 100),
    ("German Solo: Solo", lone("german-solo", "solo"), timed_tasks.value, False, 200),
    ("German Solo: Frog", called("german-solo", "frog"), timed_tasks.value, False, 200),
    ("Quadrille: Solo", lone("quadrille", "solo"), timed_tasks.value, False, 200),
    ("Quintille: Solo", lone("quintille", "solo"), timed_tasks.value, False, 200),
    ("2 v 2, suit contract", bridge(), timed_tasks.value, True, 100),
    ("2 v 2, no trump", bridge("NT"), timed_tasks.value, True, 100),
    ("1 v 3 in trumps", lone("solo-whist", "solo"), timed_tasks.value, True, 100),
    ("Misère, made or not", misere("solo-whist"), timed_tasks.made, True, 100),
)
SMALL = 16 * MEGABYTE


def sample_rows(family: str, effort: Effort) -> Iterator[Row]:
    """Return memory use, values with a small table, and the speed of the plain build."""
    short: list[int] = []
    full: list[int] = []
    unfinished = differ = compared = 0
    slower = []
    for name, make, prepare, long, number in SAMPLES:
        asked = questions(family, f"sample {name}", effort.number(number), make)
        pairs = []
        until = perf_counter() + effort.seconds(12)
        for question in asked:
            task = prepare(question)
            fast, small = Solver(), Solver(SMALL)
            plain = Solver(plain=True)
            seconds, value = timed(task, fast, effort.nodes)
            plainly, other = timed(task, plain, effort.nodes)
            pairs.append((seconds, plainly))
            (full if long else short).append(fast.memory)
            values = {str(value), str(other), str(task(small, effort.nodes))} - {"None"}
            compared += 1
            unfinished += value is None
            differ += len(values) > 1 or small.memory > SMALL
            if perf_counter() > until:
                break
        ours, theirs = zip(*pairs, strict=True)
        slower.append((mean(theirs) / mean(ours), name))
    most = max(short) / MEGABYTE
    yield Row("memory of a solver, short games", "under 8 MB", f"{most:.1f} MB at most", most < 8)
    centile = quantiles(full, n=100, method="inclusive")[98] / MEGABYTE
    yield Row(
        "memory of a solver, 13 cards",
        "under 64 MB at the 99th percentile",
        f"{centile:.1f} MB, {max(full) / MEGABYTE:.1f} MB at most",
        centile < 64,
    )
    yield Row(
        "a table of 16 MB, and the plain path: values",
        "all the same",
        f"{differ} of {compared} differ, {unfinished} unfinished",
        not differ,
    )
    if FAST_PATH:
        ratio, name = max(slower)
        yield Row("the plain path", "at most 2x", f"{ratio:.2f}x at most ({name})", ratio <= 2)


def rows(family: str, effort: Effort) -> Iterator[Row]:
    """Return all of these rows."""
    yield from command_rows(family, effort)
    yield from thread_rows(family, effort)
    yield from row_thread_rows(family, effort)
    yield from (Row(*row) for row in batch_speed.batch_rows(family, effort, hand_file))
    yield from sample_rows(family, effort)
    for kind in (review_nodes_and_time, swap_speed, card_chances_speed, random_deal_speed):
        yield from (Row(*row) for row in kind.rows(family, effort))
