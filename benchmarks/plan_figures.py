"""Measure plans, and how often double-dummy averages mislead (benchmarks.plan_figures).

For each game and number of tricks left, this takes decisions of random deals worth bidding on,
played as in `spadille problems`. A line for each decision goes to standard output: processor time,
layouts, whether all cards were proved, by how much the best average exceeds the best plan, and the
loss of the card with the best average. `--table` reads such lines and writes the table of
docs/plans.md.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from random import Random
from statistics import mean
from time import process_time

from spadille.analysis.chances.plans import MOST_LAYOUTS, PlanSearch
from spadille.base.errors import SpadilleError
from spadille.core.knowledge.seat_knowledge import know
from spadille.games import rules_for
from spadille.generate.problems.biddable_hands import bid_on
from spadille.generate.problems.likely_play import imagined
from spadille.search.engine import Solver
from spadille.search.limits import Limits
from spadille.search.question import Search

PLAYS = 12
WORK = 100_000_000


def decisions(game: str, tricks: int, number: int, seed: int) -> None:
    """Write a line for each of a number of decisions."""
    rules = rules_for(game)
    kinds = [kind for kind in rules.contracts.values() if kind.side != "individual"]
    done = nth = 0
    while done < number:
        random = Random(f"{game} {tricks} {seed} {nth}")
        nth += 1
        dealt = bid_on(rules, random.choice(kinds), random)
        if dealt is None:
            continue
        deal, contract = dealt
        search = Search(Solver(1 << 24), Limits())
        for _ in range(PLAYS):
            if done == number:
                break
            played = imagined(deal, contract, random, search)
            cards = tuple(card for _, card in played)
            open_to = [
                after
                for after, (at, _) in enumerate(played)
                if at.problem.tricks == tricks and len(search.solver.classes(at.problem)) > 1
            ]
            if not open_to:
                continue
            after = random.choice(open_to)
            try:
                line = figures(know(deal, contract, None, cards[:after]))
            except SpadilleError:
                continue
            if line is not None:
                done += 1
                print(json.dumps({"game": game, "tricks": tricks, **line}), flush=True)


def figures(known) -> dict | None:  # type: ignore[no-untyped-def, type-arg]
    """Return the figures of a decision, or None if it has one layout or one card."""
    count = known.layouts.count
    if count < 2:
        return None
    if count > MOST_LAYOUTS:
        return {"layouts": count, "proved": False, "seconds": None}
    begun = process_time()
    search = PlanSearch(known)
    values = search.values(work=WORK)
    seconds = round(process_time() - begun, 4)
    if len(values) < 2:
        return None
    line = {"layouts": count, "seconds": seconds, "side": "declaring" if search._declaring else ""}
    if not all(value.proved for value in values):
        return line | {"proved": False}
    total = search.weight
    most = max(value.open for value in values)
    best = max(value.least for value in values)
    first = [value.least for value in values if value.open == most]
    return line | {
        "proved": True,
        "over": (most - best) / total,
        "tie_worse": min(first) < best,
        "wrong": max(first) < best,
    }


def table() -> None:
    """Write the table of all lines on standard input."""
    groups = defaultdict(list)
    for text in sys.stdin:
        line = json.loads(text)
        groups[line["game"], line["tricks"], line.get("side")].append(line)
    for (game, tricks, side), lines in sorted(groups.items(), key=str):
        proved = [line for line in lines if line["proved"]]
        if not proved:
            continue
        print(
            f"| {game} | {tricks} | {'declarer' if side else 'defenders'} | {len(proved)} "
            f"| {100 * mean(line['over'] >= 0.01 for line in proved):.1f} "
            f"| {100 * mean(line['tie_worse'] for line in proved):.1f} "
            f"| {100 * mean(line['wrong'] for line in proved):.1f} "
            f"| {100 * mean(line['over'] for line in proved):.2f} |"
        )
    for low, high in ((1, 2_000), (2_001, 35_000)):
        times = sorted(
            line["seconds"]
            for lines in groups.values()
            for line in lines
            if line["seconds"] is not None and low <= line["layouts"] <= high
        )
        if times:
            at = [times[min(int(len(times) * share), len(times) - 1)] for share in (0.5, 0.95, 1)]
            print(low, high, len(times), *(f"{each:.3f}" for each in at))


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        table()
    else:
        decisions(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
