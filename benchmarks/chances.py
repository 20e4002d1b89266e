"""Layouts a second: the values of all legal cards in layouts of one decision, on one thread.

Layouts are drawn as `cards --chances` draws them, and the time is that of drawing and of valuing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import mean
from time import process_time
from typing import NamedTuple

from benchmarks import dds
from benchmarks.deals import Maker, Question, lone, questions
from benchmarks.lines import SUIT, yardsticks
from benchmarks.measure import Effort, timed
from spadille.analysis.chances.cards import Sampling
from spadille.analysis.chances.drawing import Drawing
from spadille.position import Position


class Group(NamedTuple):
    """Decisions of one kind, and the layouts a second there are to be."""

    name: str
    make: Maker
    bar: int
    leads: bool = False  # the declarer leads
    tricks: int = 0  # played before


GROUPS = (
    Group("German Solo: Solo, declarer on lead", lone("german-solo", "solo"), 5000, leads=True),
    Group("Mensch: Five, declarer on lead", lone("mensch", "five"), 3000, leads=True),
    Group("Ombre: Solo, declarer on lead", lone("ombre", "solo"), 3000, leads=True),
    Group("Quadrille: Solo, opening lead", lone("quadrille", "solo"), 500),
    Group("Quadrille: Solo, after three tricks", lone("quadrille", "solo"), 3000, tricks=3),
    Group("Solo Whist: Solo, opening lead", lone("solo-whist", "solo"), 60),
)
_DECISIONS = 12
_SECONDS = 1.0  # for a decision


def decision(group: Group, question: Question) -> tuple[Question, list[str]]:
    """The deal with the leader it is to have, and what is played before: always the highest."""
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


def rows(family: str, effort: Effort) -> Iterator[tuple[str, str, str, bool | None]]:
    """Name, bar, what was measured, whether it is met."""
    yard = 0.0
    if dds.AVAILABLE:
        yard = mean(timed(each)[0] for each in yardsticks(family, SUIT, effort.number(60)))
    for group in GROUPS:
        seconds, number, drawing = 0.0, 0, 0.0
        for question in questions(family, f"chances {group.name}", _DECISIONS, group.make):
            (deal, contract, _), play = decision(group, question)
            until = effort.seconds(_SECONDS)
            asked = Sampling(
                deal,
                contract,
                play,
                drawing=Drawing(seconds=until),
                double_dummy=False,
                payoffs=False,
            )
            began = process_time()
            for _ in asked.steps():
                pass
            seconds += process_time() - began
            number += asked.samples
            drawing += timed(lambda: asked.drawn(4096))[0] / 4096 * asked.samples  # noqa: B023
        pace = number / seconds
        against = f"; a layout takes 1/{yard * pace:.0f} of a DDS suit solve" if yard else ""
        yield (
            f"chances: {group.name}",
            f"{group.bar:,} layouts a second",
            f"{pace:,.0f}, {drawing / seconds:.1%} of the time to draw them{against}",
            pace >= group.bar,
        )
