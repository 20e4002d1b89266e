"""What a page tells of one deal: everything the package finds out about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from spadille.analysis.batch import answers
from spadille.analysis.before import BEFORE_LIMITS, BeforePlay, before_play
from spadille.analysis.drawing import Drawing
from spadille.analysis.evening import Settled
from spadille.analysis.result import Result
from spadille.analysis.score import DealScore, judge
from spadille.analysis.solve import solve
from spadille.analysis.table import Table, table
from spadille.errors import SpadilleError
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.limits import DEFAULT, Limits


@dataclass(frozen=True, slots=True)
class Told:
    """One deal, with all that is said of it."""

    score: DealScore
    table: Table | None = None
    result: Result | None = None
    """What the contract is worth where nothing was played: its leads, and a line."""
    before: BeforePlay | None = None
    """What was decided where nobody played."""

    @property
    def settled(self) -> Settled:
        """What it paid as it was played."""
        return self.score.settled

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that were played."""
        play = self.settled.play
        return () if play is None else play.cards

    @property
    def question(self) -> int | None:
        """How many cards have been played where it asks for the next: a quiz begins there.

        That is where the play of the file stands, if it goes on; in a hand that was played to its
        end the turning point, or the first card that cost something. None without either.
        """
        found = self.score.review
        if found is None or found.error is not None:
            return None if self.settled.contract is None or self.settled.deal is None else 0
        if not found.finished:
            return len(found.steps)
        turns = [one.turning_point for one in found.accounts.values()]
        wrong = [number for number, step in enumerate(found.steps) if step.mark]
        return next((each for each in (*turns, *wrong) if each is not None), None)


def told_many(
    settled: Iterable[Settled],
    *,
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
    chances: Drawing | None = None,
) -> Iterator[Told | SpadilleError]:
    """Find out about deals in their order; an exception nobody foresaw comes as InternalError."""
    chances = chances and replace(chances, threads=1)  # not layouts, but deals at a time

    def work(solver: Solver, one: Settled) -> Told:
        return _told(one, solver, limits, chances)

    return answers(work, settled, threads, memory)


def _told(settled: Settled, solver: Solver, limits: Limits, chances: Drawing | None) -> Told:
    found = Told(judge(settled, solver, limits, chances, explained=True))
    deal, contract = settled.deal, settled.contract
    if deal is None:
        return found
    with suppress(SpadilleError):
        found = replace(found, table=table(deal, solver=solver, limits=limits))
    if contract is None:
        if settled.calls:
            with suppress(SpadilleError):
                fewer = Limits(hard_nodes=min(limits.hard_nodes, BEFORE_LIMITS.hard_nodes))
                calls = tuple(settled.calls[1])
                before = before_play(deal, None, calls, solver=solver, limits=fewer)
                found = replace(found, before=before)
    elif not found.cards:
        with suppress(SpadilleError):
            result = solve(deal, contract, leads=True, line=True, solver=solver, limits=limits)
            found = replace(found, result=result)
    return found
