"""The rows of the report that compare one kind of work with DDS, each with its target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import dds, timed_tasks
from benchmarks.deals import (
    Maker,
    Question,
    bridge,
    called,
    duo,
    lone,
    misere,
    nemo,
    questions,
    soloists,
)
from benchmarks.timed_tasks import Task

SUIT, NO_TRUMP = "suit", "no trump"
YARDSTICKS: dict[str, Maker] = {SUIT: bridge(), NO_TRUMP: bridge("NT")}


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of work, the number of deals to time, and its target.

    Targets are ratios of mean times; `worst` bounds the slowest deal against DDS's mean. If DDS can
    do the same work on the same deal, `same` does it; otherwise the reference is DDS solving other
    deals once, with a trump suit or at no trump.
    """

    name: str
    make: Maker
    task: Callable[[Question], Task]
    mean: float | None
    number: int
    against: str = SUIT
    median: float | None = None
    worst: float | None = None
    same: Callable[[Question], dds.Solve] | None = None
    seconds: float = 25  # time limit of the line in a full run

    def questions(self, family: str, number: int) -> list[Question]:
        """The deals of this line."""
        return questions(family, self.name, number, self.make)


def yardsticks(family: str, against: str, number: int) -> list[dds.Solve]:
    """Return tasks in which DDS solves a number of deals, the same ones for all lines."""
    deals = questions(family, f"yardstick {against}", number, YARDSTICKS[against])
    return [dds.solve(question) for question in deals]


def either(*makers: Maker) -> Maker:
    """Return a maker that picks one of these makers at random."""
    return lambda random: random.choice(makers)(random)


LINES = (
    Line(
        "13 cards, 2 v 2 opposite, suit contract",
        bridge(),
        timed_tasks.value,
        0.36,
        200,
        median=0.36,
        same=dds.solve,
    ),
    Line(
        "13 cards, 2 v 2 opposite, no trump",
        bridge("NT"),
        timed_tasks.value,
        0.38,
        200,
        NO_TRUMP,
        median=0.38,
        same=dds.solve,
    ),
    Line(
        "all 20 values of a deal",
        bridge(),
        timed_tasks.bridge_table,
        0.36,
        100,
        same=dds.table,
        seconds=60,
    ),
    Line(
        "all opening leads, suit contract", bridge(), timed_tasks.leads, 0.38, 100, same=dds.leads
    ),
    Line(
        "all opening leads, no trump",
        bridge("NT"),
        timed_tasks.leads,
        0.38,
        100,
        NO_TRUMP,
        same=dds.leads,
    ),
    Line(
        "every value along a play of 52 cards",
        bridge(),
        timed_tasks.trace,
        0.40,
        60,
        same=dds.trace,
    ),
    Line(
        "13 cards, 1 v 3 in trumps (Solo Whist)",
        either(lone("solo-whist", "solo"), lone("solo-whist", "abundance")),
        timed_tasks.value,
        0.30,
        500,
        worst=4,
        seconds=45,
    ),
    Line(
        "Misère, 13 cards, made or not",
        misere("solo-whist"),
        timed_tasks.made,
        1.0,
        500,
        NO_TRUMP,
        seconds=45,
    ),
    Line(
        "Misère, 13 cards, fewest tricks",
        misere("solo-whist"),
        timed_tasks.value,
        3.5,
        200,
        NO_TRUMP,
        seconds=60,
    ),
    Line("Squint: Misère", misere("squint"), timed_tasks.value, 1.5, 300, NO_TRUMP, seconds=45),
    Line(
        "Squint: Nemo, guarantee of one player",
        nemo(),
        timed_tasks.value,
        2,
        300,
        NO_TRUMP,
        worst=100,
        seconds=45,
    ),
    Line(
        "Squint: Solo, most tricks",
        lone("squint", "solo"),
        timed_tasks.value,
        0.7,
        300,
        NO_TRUMP,
        seconds=45,
    ),
    Line("Squint: Grand Solo", lone("squint", "grand-solo"), timed_tasks.value, 0.2, 300, NO_TRUMP),
    Line(
        "Squint: Ace solo, two soloists",
        soloists(2),
        timed_tasks.value,
        2,
        300,
        NO_TRUMP,
        worst=100,
    ),
    Line("Squint: Duo", duo(), timed_tasks.value, None, 300, NO_TRUMP, seconds=20),
    Line("Quadrille: Solo", lone("quadrille", "solo"), timed_tasks.value, 1 / 40, 300),
    Line("Quadrille: Alliance", called("quadrille", "alliance"), timed_tasks.value, 1 / 32, 300),
    Line("German Solo: Solo", lone("german-solo", "solo"), timed_tasks.value, 1 / 250, 500),
    Line("German Solo: Frog", called("german-solo", "frog"), timed_tasks.value, None, 500),
    Line("Mensch: Five", lone("mensch", "five"), timed_tasks.value, 1 / 150, 500),
    Line("Ombre: outcome", lone("ombre", "entrada"), timed_tasks.outcome, 1 / 250, 500),
    Line("Ombre: outcome and tricks", lone("ombre", "entrada"), timed_tasks.value, None, 500),
    Line("Quintille: Solo", lone("quintille", "solo"), timed_tasks.value, 1 / 75, 300),
    Line("Quintille: Alliance", called("quintille", "alliance"), timed_tasks.value, 1 / 65, 300),
    Line(
        "German Solo: table of all lone contracts",
        lone("german-solo", "solo"),
        timed_tasks.table_of("solo"),
        1 / 16,
        200,
    ),
    Line(
        "German Solo: which lone contracts make",
        lone("german-solo", "solo"),
        timed_tasks.table_of("solo", made=True),
        1 / 30,
        200,
    ),
    Line("German Solo: `best`", lone("german-solo", "solo"), timed_tasks.best_of, 1.5, 200),
    Line("Quadrille: `best`", lone("quadrille", "solo"), timed_tasks.best_of, 8, 200),
    Line(
        "Solo Whist: table of everything",
        lone("solo-whist", "solo"),
        timed_tasks.table_of(),
        15,
        100,
        seconds=60,
    ),
    Line(
        "German Solo: Solo, by `spadille.analysis.value.solve`",
        lone("german-solo", "solo"),
        timed_tasks.one_solve,
        None,
        500,
    ),
)
