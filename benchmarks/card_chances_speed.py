"""Measure layouts per second: the values of all legal cards in the layouts of one decision.

Layouts are drawn as `cards --chances` draws them; the time covers drawing, valuing and the
statistics, on one thread, with the same number of layouts for each decision. With payoffs, the
engine also searches for payoffs that the tricks do not determine. The gain from two threads is
measured in wall time, and so is the second after which the intervals are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import mean
from time import perf_counter
from typing import NamedTuple

from benchmarks import dds
from benchmarks.dds_report_rows import SUIT, yardsticks
from benchmarks.deals import Maker, Question, lone, questions
from benchmarks.effort import Effort, timed
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.core.knowledge.seat_knowledge import know
from spadille.core.position import Position


class Group(NamedTuple):
    """Decisions of one kind, and the target in layouts per second."""

    name: str
    make: Maker
    bar: int
    leads: bool = False  # the declarer leads
    tricks: int = 0  # cards played before


GROUPS = (
    Group("German Solo: Solo, declarer on lead", lone("german-solo", "solo"), 5000, leads=True),
    Group("Mensch: Five, declarer on lead", lone("mensch", "five"), 3000, leads=True),
    Group("Ombre: Solo, declarer on lead", lone("ombre", "solo"), 3000, leads=True),
    Group("Quadrille: Solo, opening lead", lone("quadrille", "solo"), 500),
    Group("Quadrille: Solo, after three tricks", lone("quadrille", "solo"), 3000, tricks=3),
    Group("Solo Whist: Solo, opening lead", lone("solo-whist", "solo"), 60),
)
_DECISIONS = 12
_LAYOUTS = 255  # layouts per decision: those before the first check
_FEW = 32
_POINTS = 0.03


def decision(group: Group, question: Question) -> tuple[Question, list[str]]:
    """Return the deal with its leader, and the play so far: each time the highest legal card."""
    deal, contract, seats = question
    if group.leads:
        dealer = next(s for s in deal.rules.seats if deal.rules.eldest(s) == contract.declarer)
        deal = replace(deal, dealer=dealer)
    play: list[str] = []
    position = Position.of(deal, contract)
    while len(position.tricks) < group.tricks:
        play.append(position.legal()[0])
        position.play(play[-1])
    return Question(deal, contract, seats), play


def asked(
    group: Group, family: str, drawing: Drawing, payoffs: bool = False
) -> list[Sampling[Chances]]:
    """Return the decisions of a group."""
    found = []
    for question in questions(family, f"chances {group.name}", _DECISIONS, group.make):
        (deal, contract, _), play = decision(group, question)
        known = know(deal, contract, None, play)
        found.append(Sampling(CardStrategy(known, drawing, double_dummy=False, payoffs=payoffs)))
    return found


def run(sampling: Sampling[Chances]) -> None:
    """Value layouts until the sampling ends."""
    for _ in sampling.steps():
        pass


def layouts(group: Group, effort: Effort) -> int:
    """Return the number of layouts to value for a decision, which is lower if each takes long."""
    return max(_FEW, min(_LAYOUTS, effort.number(group.bar // 4)))


def pace_rows(
    group: Group, family: str, effort: Effort, yard: float
) -> Iterator[tuple[str, str, str, bool | None]]:
    """Return layouts per second, without and with payoffs."""
    number = layouts(group, effort)
    for payoffs in (False, True):
        seconds = drawing = 0.0
        for each in asked(group, family, Drawing(samples=number, seconds=0), payoffs):
            seconds += timed(run, each)[0]
            drawing += timed(each.strategy.drawn, number)[0]
        pace = _DECISIONS * number / seconds
        against = f"; a layout takes 1/{yard * pace:.0f} of a DDS suit solve" if yard else ""
        yield (
            f"chances: {group.name}{', with payoffs' if payoffs else ''}",
            "" if payoffs else f"{group.bar:,} layouts a second",
            f"{pace:,.0f}, {drawing / seconds:.1%} of the time to draw them{against}",
            None if payoffs else pace >= group.bar,
        )


def rows(family: str, effort: Effort) -> Iterator[tuple[str, str, str, bool | None]]:
    """Return name, target, measured value and whether it is met."""
    yard = 0.0
    if dds.AVAILABLE:
        yard = mean(timed(each)[0] for each in yardsticks(family, SUIT, effort.number(60)))
    for group in GROUPS:
        yield from pace_rows(group, family, effort, yard)
    yield from thread_rows(family, effort)
    yield from width_rows(family, effort)


def thread_rows(family: str, effort: Effort) -> Iterator[tuple[str, str, str, bool | None]]:
    """Return the gain from two threads, by alternating between one and two."""
    for group in GROUPS[::3]:
        spent = {1: 0.0, 2: 0.0}
        number = layouts(group, effort)
        for threads in (1, 2, 1, 2):
            for each in asked(group, family, Drawing(samples=number, seconds=0, threads=threads)):
                began = perf_counter()
                run(each)
                spent[threads] += perf_counter() - began
        gain = spent[1] / spent[2]
        yield f"chances: {group.name}, two threads", "at least 1.9x", f"{gain:.2f}x", gain >= 1.9


def width_rows(family: str, effort: Effort) -> Iterator[tuple[str, str, str, bool | None]]:
    """Return the interval width of the best card in decisions not settled within a second.

    A quick run has no time for this.
    """
    if effort.seconds(1) < 1:
        return
    for group in GROUPS[:5]:
        widths = []
        for each in asked(group, family, Drawing(seconds=1, threads=2)):
            run(each)
            found = each.result()
            low, high = found.best.made_interval or (0, 0)
            if found.ended == "seconds":
                widths.append((high - low) / 2)
        wide = [width for width in widths if width > _POINTS]
        yield (
            f"chances: {group.name}, a second on two threads",
            "at most 3 points either way unless settled earlier",
            f"{len(widths) - len(wide)} of {len(widths)}, "
            f"{100 * max(widths, default=0):.1f} at most",
            not wide,
        )
