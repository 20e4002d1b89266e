"""Measure how often double-dummy averages mislead.

This plays random deals worth bidding on as `spadille problems` does, takes one decision of each
play for each number of tricks left, and compares the averages of its cards with their proved plans.
Each decision becomes a line of a file:

    python -m benchmarks.plans_against_averages build/plan-figures.jsonl

The games take turns, so that the file is a fair sample at any time. The same command continues an
interrupted run: decisions depend on the seed alone, and work is limited by count, not by time.
`--table` writes the table of docs/plans-measured.md. `--timed` stops a decision at the time
in which it should be proved, so that the speed of 20 deals can be measured in minutes:

    python -m benchmarks.plans_against_averages build/speed.jsonl --timed --deals 20 --layouts 40000
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any

from spadille.analysis.chances.plans import MOST_LAYOUTS, PlanSearch
from spadille.analysis.confidence_intervals import clopper_pearson
from spadille.base.errors import SpadilleError
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.games import GAMES, rules_for
from spadille.generate.problems.biddable_deals import bid_on
from spadille.generate.problems.likely_play import imagined
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits

PLAYS = 4
"""The number of times a deal is played."""
TRICKS = (3, 4, 5)
WORK = 200_000_000
BARS = ((2_000, 0.3), (35_000, 5.0), (MOST_LAYOUTS, 60.0))
"""Numbers of layouts, and the processor time in seconds in which most plans should be proved."""
_MEMORY = 1 << 24  # bytes
_FEWEST = 30  # measured decisions of a kind; figures from fewer are left out of the table

Line = dict[str, Any]


def decisions(
    game: str,
    seed: int,
    nth: int,
    most: int,
    open_cells: set[int],
    work: int = WORK,
    *,
    timed: bool = False,
) -> Iterator[Line]:
    """Yield the figures of the decisions in a deal, for some numbers of tricks left."""
    rules = rules_for(game)
    kinds = [kind for kind in rules.contracts.values() if kind.side != "individual"]
    random = Random(f"{game} {seed} {nth}")
    dealt = bid_on(rules, random.choice(kinds), random)
    if dealt is None:
        return
    deal, contract = dealt
    search = Search(Solver(_MEMORY), Limits())
    for play in range(PLAYS):
        played = imagined(deal, contract, random, search)
        cards = tuple(card for _, card in played)
        for tricks in TRICKS:
            choices = [
                after
                for after, (at, _) in enumerate(played)
                if at.problem.tricks == tricks and len(search.solver.classes(at.problem)) > 1
            ]
            if not choices:
                continue
            after = random.choice(choices)
            if tricks not in open_cells:
                continue
            try:
                line = figures(know(deal, contract, None, cards[:after]), most, work, timed=timed)
            except SpadilleError:
                continue
            if line is not None:
                yield {"game": game, "deal": nth, "play": play, "tricks": tricks, **line}


def figures(known: Knowledge, most: int, work: int = WORK, *, timed: bool = False) -> Line | None:
    """Return the figures of a decision, or None if it has one layout or one card.

    Decisions with more than `most` layouts, or a card that needs more `work`, are counted, but not
    measured. With `timed`, the same applies to those that take longer than they should.
    """
    count = known.layouts.count
    if count < 2:
        return None
    line: Line = {"layouts": count, "declaring": known.seat in known.contract.side}
    if count > most:
        return line | {"proved": None}
    begun = process_time()
    search = PlanSearch(known, ranks=known.fitting.ranks)  # without the command's limit
    bar = next((time for layouts, time in BARS if count <= layouts), BARS[-1][1])
    values = search.values(work=work, seconds=bar if timed else 0)
    if len(values) < 2:
        return None
    line["seconds"] = round(process_time() - begun, 4)
    if not all(value.proved for value in values):
        return line | {"proved": False}
    highest = max(value.open for value in values)
    best = max(value.least for value in values)
    first = [value.least for value in values if value.open == highest]
    return line | {
        "proved": True,
        "over": (highest - best) / search.weight,
        "tie_worse": min(first) < best,
        "wrong": max(first) < best,
    }


def read_lines(path: Path) -> list[Line]:
    """Return the lines of a file; an incomplete last line does not count."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def collect(arguments: Namespace) -> None:
    """Add lines to a file until each game has enough decisions for each number of tricks left."""
    path: Path = arguments.file
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = read_lines(path)
    # The last deal's lines may be incomplete, so it is measured again.
    last = dict.fromkeys(arguments.games, 0)
    for line in lines:
        if line["game"] in last:
            last[line["game"]] = max(last[line["game"]], line["deal"])
    lines = [line for line in lines if line["deal"] < last.get(line["game"], 1 << 60)]
    path.write_text("".join(map(_text, lines)), encoding="utf-8")
    collected = Counter((line["game"], line["tricks"]) for line in lines)
    with path.open("a", encoding="utf-8") as file:
        for nth in range(min(last.values()), arguments.deals):
            for game in arguments.games:
                open_cells = {n for n in TRICKS if collected[game, n] < arguments.number}
                if nth < last[game] or not open_cells:
                    continue
                for line in decisions(
                    game,
                    arguments.seed,
                    nth,
                    arguments.layouts,
                    open_cells,
                    arguments.work,
                    timed=arguments.timed,
                ):
                    file.write(_text(line))
                    file.flush()
                    collected[game, line["tricks"]] += 1


def _text(line: Line) -> str:
    return json.dumps(line) + "\n"


def table(lines: Sequence[Line]) -> None:
    """Write the tables of docs/plans-measured.md, for all games and for each game, and the work."""
    cells: dict[tuple[int, str, bool], list[Line]] = defaultdict(list)
    for line in lines:
        for game in ("", line["game"]):
            cells[line["tricks"], game, line["declaring"]].append(line)
    print("| tricks | game | player | decisions | measured | too high % | first wrong % | mean |")
    print("|---|---|---|---|---|---|---|---|")
    names = {"": "all"} | {game.id: game.name for game in GAMES.values()}
    for game, name in names.items():
        for tricks in TRICKS:
            for declaring in (True, False):
                taken = cells[tricks, game, declaring]
                proved = [line for line in taken if line["proved"]]
                if not taken:
                    continue
                shares = ("", "", "")
                if len(proved) >= _FEWEST:
                    shares = (
                        _share([line["over"] >= 0.01 for line in proved]),
                        _share([line["wrong"] for line in proved]),
                        f"{_percent([line['over'] for line in proved]):.2f}",
                    )
                side = "declaring side" if declaring else "defenders"
                row = (str(tricks), name, side, str(len(taken)), str(len(proved)))
                print(f"| {' | '.join(row + shares)} |")
    for tricks in TRICKS:
        taken = [line for line in lines if line["tricks"] == tricks]
        proved = [line for line in taken if line["proved"]]
        if proved:
            print(
                f"{tricks} tricks: {len(taken)} decisions, {len(proved)} measured, "
                f"{sum(line['proved'] is False for line in taken)} given up, median layouts "
                f"{median(line['layouts'] for line in taken):.0f}, of those measured "
                f"{median(line['layouts'] for line in proved):.0f}"
            )
    least = 1
    for most, seconds in BARS:
        band = [line for line in lines if least < line["layouts"] <= most and "seconds" in line]
        quick = [bool(line["proved"]) and line["seconds"] <= seconds for line in band]
        if band:
            print(
                f"up to {most} layouts: {len(band)} decisions, {_percent(quick):.0f}% proved "
                f"within {seconds:g} s, median {median(line['seconds'] for line in band):.3f} s"
            )
        least = most


def _share(values: Sequence[bool]) -> str:
    """Return a percentage and its confidence interval."""
    low, high = clopper_pearson(sum(values), len(values))
    return f"{_percent(values):.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def _percent(values: Sequence[float]) -> float:
    return 100 * mean(map(float, values)) if values else nan


def main() -> None:
    """Collect figures, or write the table."""
    parser = ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("file", type=Path, help="the file of lines")
    parser.add_argument("--table", action="store_true", help="write the table of a file")
    parser.add_argument("--games", nargs="+", choices=[*GAMES], default=[*GAMES])
    parser.add_argument("--number", type=int, default=500, help="decisions of each kind")
    parser.add_argument("--deals", type=int, default=10_000, help="at most this many deals a game")
    parser.add_argument("--layouts", type=int, default=MOST_LAYOUTS, help="most layouts to measure")
    parser.add_argument("--work", type=int, default=WORK, help="most work on a card, in layouts")
    parser.add_argument(
        "--timed", action="store_true", help="stop decisions that take longer than they should"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.table:
        table(read_lines(arguments.file))
    else:
        collect(arguments)


if __name__ == "__main__":
    main()
