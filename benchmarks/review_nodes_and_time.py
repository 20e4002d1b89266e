"""Compare the cost of a review with one solve of its deal, in nodes and in time.

Hands are those of `plays_with_errors.py`. Early errors cost the most: each leads to a new value
that has to be proved, and the review must test whether each other card was better. Single hands may
therefore be far from the mean, especially if the deal itself is settled without a search.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import NamedTuple

from benchmarks.deals import Maker, bridge, called, duo, lone, questions, soloists
from benchmarks.effort import Effort, timed
from benchmarks.plays_with_errors import played
from spadille.analysis.review.review import review
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.pbn.hand_file import load
from spadille.search.engine import Solver

EXAMPLES = Path(__file__).parent.parent / "examples"


class Group(NamedTuple):
    """Hands of one kind, their number, and the target for their mean."""

    name: str
    make: Maker
    number: int
    bar: float | None


GROUPS = (
    Group("German Solo: Frog", called("german-solo", "frog"), 60, 3),
    Group("German Solo: Solo", lone("german-solo", "solo"), 60, 3),
    Group("Mensch: Half", called("mensch", "half"), 60, 3),
    Group("Mensch: Five", lone("mensch", "five"), 60, 3),
    Group("Ombre: Entrada", lone("ombre", "entrada"), 60, 3),
    Group("Quadrille: Alliance", called("quadrille", "alliance"), 60, 3),
    Group("Quadrille: Solo", lone("quadrille", "solo"), 60, 3),
    Group("Quintille: Alliance", called("quintille", "alliance"), 60, 3),
    Group("Quintille: Solo", lone("quintille", "solo"), 60, 3),
    Group("Squint: Duo", duo(), 30, None),
    Group("Squint: Solo", lone("squint", "solo"), 30, None),
    Group("Squint: two Ace solos", soloists(2), 30, None),
    Group("13 cards, 2 v 2, suit contract", bridge(), 20, 2.5),
    Group("13 cards, 2 v 2, no trump", bridge("NT"), 20, 2.5),
    Group("Solo Whist: Solo", lone("solo-whist", "solo"), 20, 2.5),
)


class Costs(NamedTuple):
    """The costs of review and solve for one hand."""

    solve_nodes: int
    nodes: int
    solve_seconds: float
    seconds: float


def costs(deal: Deal, contract: Contract, play: list[str], solver: Solver, rounds: int) -> Costs:
    """Measure both in turn, so that a busy machine slows both."""
    once, whole = [], []
    for _ in range(rounds):
        seconds, result = timed(lambda: solve(deal, contract, solver=solver))
        once.append(seconds)
        seconds, found = timed(lambda: review(deal, contract, play, solver=solver))
        whole.append(seconds)
    return Costs(result.nodes, found.nodes, median(once), median(whole))


def measured(name: str, bar: float | None, found: list[Costs]) -> tuple[str, str, str, bool | None]:
    """Return a row of the report."""
    nodes = mean(each.nodes for each in found) / mean(each.solve_nodes for each in found)
    time = mean(each.seconds for each in found) / mean(each.solve_seconds for each in found)
    over = sum(each.nodes > 3 * each.solve_nodes for each in found)
    return (
        f"review : solve, {name}",
        f"at most {bar}x" if bar else "–",
        f"nodes {nodes:.2f}x, time {time:.2f}x; {over} of {len(found)} hands over 3x in nodes",
        max(nodes, time) <= bar if bar else None,
    )


def rows(family: str, effort: Effort) -> Iterator[tuple[str, str, str, bool | None]]:
    """Return name, target, measured value and whether it is met, ending with the examples."""
    solver = Solver()
    for name, make, number, bar in GROUPS:
        found = []
        until = perf_counter() + effort.seconds(30)
        asked = questions(family, f"review {name}", effort.number(number), make)
        for index, (deal, contract, _) in enumerate(asked):
            play = played(deal, contract, Random(f"{family} review {index}"), solver)
            found.append(costs(deal, contract, play, solver, effort.rounds))
            if perf_counter() > until:
                break
        yield measured(name, bar, found)
    found = []
    for file in sorted(EXAMPLES.glob("*.pbn")):
        for entry in load(str(file)):
            if entry.play and entry.contract and entry.deal and not entry.contract.penalty:
                play = [*entry.play.cards]
                found.append(costs(entry.deal, entry.contract, play, solver, effort.rounds))
    yield measured("example hands with all their errors", None, found)
