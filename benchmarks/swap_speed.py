"""Measure `solve --swaps`, which solves every swap of two cards between two hands."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean
from time import perf_counter
from typing import NamedTuple

from benchmarks.deals import Maker, bridge, called, lone, misere, questions
from benchmarks.effort import Effort, timed
from spadille.analysis.value.solve import solve
from spadille.search.engine import Solver


class Group(NamedTuple):
    """Deals of one kind, their number, and the target in seconds for the slowest."""

    name: str
    make: Maker
    number: int
    bar: float


GROUPS = (
    Group("German Solo: Frog", called("german-solo", "frog"), 60, 0.15),
    Group("German Solo: Solo", lone("german-solo", "solo"), 60, 0.15),
    Group("Mensch: Half", called("mensch", "half"), 60, 0.15),
    Group("13 cards, 2 v 2, suit contract", bridge(), 15, 20),
    Group("13 cards, 2 v 2, no trump", bridge("NT"), 15, 20),
    Group("Solo Whist: Solo", lone("solo-whist", "solo"), 15, 20),
    Group("Solo Whist: Misère", misere("solo-whist"), 15, 20),
)


def rows(family: str, effort: Effort) -> Iterator[tuple[str, str, str, bool | None]]:
    """Return name, target, measured value and whether it is met."""
    solver = Solver()
    for name, make, number, bar in GROUPS:
        once, whole = [], []
        until = perf_counter() + effort.seconds(40)
        for deal, contract, _ in questions(family, f"swaps {name}", effort.number(number), make):
            once.append(timed(lambda: solve(deal, contract, solver=solver))[0])  # noqa: B023
            whole.append(timed(lambda: solve(deal, contract, swaps=True, solver=solver))[0])  # noqa: B023
            if perf_counter() > until:
                break
        yield (
            f"swaps : solve, {name}",
            f"at most {bar:g} s a deal",
            f"mean {mean(whole):.3f} s, worst {max(whole):.3f} s of {len(whole)} deals; "
            f"{mean(whole) / mean(once):.0f}x one solve",
            max(whole) <= bar,
        )
