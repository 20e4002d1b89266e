"""How layouts are drawn, until when, and in which parts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from spadille.analysis.confidence_intervals import FIRST
from spadille.base.errors import number_of_seconds, thread_count, whole_number
from spadille.core.knowledge.conditioned_layouts import FEW, LayoutCondition
from spadille.core.knowledge.random_numbers import Draws
from spadille.core.knowledge.seat_knowledge import Discards, Knowledge, check_taken, conditions
from spadille.search.encoding import Situation
from spadille.search.engine import Unranker

Trust = Literal["no", "bounds"]
Item = TypeVar("Item")

EXACT = FEW
"""So many layouts are all valued, and the answer is exact."""
_MASK = (1 << 64) - 1


class Ranked(Protocol):
    """Layouts that are numbered."""

    @property
    def count(self) -> int:
        """How many ranks there are."""

    @property
    def ranks(self) -> Sequence[int]:
        """All of them."""

    def samples(self, number: int, seed: int = 0, block: int = 0) -> Iterator[list[int]]:
        """Draw ranks, fewer where the time is over, and yield them as they are found."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """How layouts are drawn, and until when; raises ArgumentError for what says nothing of it."""

    samples: int | None = None
    """At most so many of a decision; None: however many it takes."""
    seconds: float = 10
    """At most so long; 0: however long it takes."""
    seed: int = 0
    """The same seed draws the same layouts."""
    threads: int = 1
    """So many layouts are valued at a time; the answer is the same."""
    trust_auction: Trust = "no"
    """Whether the calls prove what duties to bid prove."""
    discards: Discards = "uniform"
    """Whether others put away any cards, or no trumps."""
    where: tuple[LayoutCondition, ...] = ()
    """Functions of a Deal that tell which layouts there can be."""

    def __post_init__(self) -> None:
        found: dict[str, object] = {
            "threads": thread_count(self.threads),
            "seed": whole_number(self.seed, None, "a seed is a whole number"),
            "seconds": number_of_seconds(self.seconds),
            "where": conditions(self.where),
        }
        if self.samples is not None:
            found["samples"] = whole_number(self.samples, 1, "samples are 1 or more")
        check_taken(self.trust_auction, self.discards)
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def all_of(self, layouts: Ranked) -> bool:
        """Whether these are so few that all are valued."""
        return layouts.count <= min(EXACT, self.samples or EXACT)

    def blocks(self, layouts: Ranked, exact: bool) -> Iterator[Iterator[list[int]]]:
        """Draw ranks in blocks, after each of which it may be looked whether it is settled."""
        if exact:
            yield iter([shuffled(layouts.ranks, self.seed)])
            return
        drawn, upto, block = 0, FIRST, 0
        while self.samples is None or drawn < self.samples:
            more = upto - drawn if self.samples is None else min(upto, self.samples) - drawn
            yield layouts.samples(more, self.seed, block)
            drawn, upto, block = drawn + more, 2 * upto, block + 1


def shuffled(items: Sequence[Item], seed: int) -> list[Item]:
    """Put them into random order: the first of them are a sample."""
    found = list(items)
    draws = Draws(seed)
    for last in range(len(found) - 1, 0, -1):
        other = draws.below(last + 1)
        found[last], found[other] = found[other], found[last]
    return found


def words_of(ranks: Iterable[int]) -> array[int]:
    """Write ranks as the engine reads them."""
    return array("Q", [half for rank in ranks for half in (rank & _MASK, rank >> 64)])


def unranker(known: Knowledge, at: Situation) -> Unranker:
    """Hand the tables of the layouts over to the engine."""
    code, table = at.encoding, known.layouts.table
    shown = {known.seat: known.own, **known.open_hands}
    return Unranker(
        [[code.numbers[card] for card in cards] for cards in table.classes],
        table.nodes,
        table.splits,
        [code.player.get(place, -1) for place in known.places],
        [sum(code.bits[card] for card in shown.get(seat, ())) for seat in code.player],
    )
