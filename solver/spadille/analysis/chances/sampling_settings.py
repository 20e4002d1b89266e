"""The settings for drawing layouts, such as their number and the time limit."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar, get_args

from spadille.analysis.confidence_intervals import FIRST
from spadille.base.argument_checks import check_type, number_of_seconds, thread_count, whole_number
from spadille.base.errors import ArgumentError, quoted
from spadille.core.knowledge.conditioned_layouts import FEW
from spadille.core.knowledge.random_numbers import Draws
from spadille.core.knowledge.seat_knowledge import Assumptions, BeliefKind, Knowledge
from spadille.search.encoding import Situation
from spadille.search.engine import Unranker

Item = TypeVar("Item")

RankedBy = Literal["made", "payoff"]
""""made" ranks by how often the contract makes (or fails, for a defender), "payoff" by mean payoff.
"""

EXACT = FEW
"""If there are at most this many layouts, all of them are valued and the answer is exact."""
DEFAULT_SECONDS = 10
"""The default time limit for sampling."""
_MASK = (1 << 64) - 1


class Ranked(Protocol):
    """A set of layouts, each identified by a number, its rank."""

    @property
    def count(self) -> int:
        """The number of ranks."""

    @property
    def ranks(self) -> Sequence[int]:
        """All ranks."""

    def samples(self, number: int, seed: int = 0, block: int = 0) -> Iterator[list[int]]:
        """Draw ranks and yield them in lists; fewer are drawn if time runs out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing(Assumptions):
    """Settings for drawing layouts; raises ArgumentError for invalid values."""

    belief: BeliefKind = "auction"
    """See `Assumptions`; calls of unknown meaning are ignored."""
    samples: int | None = None
    """The maximum number of layouts for a decision; None means as many as needed."""
    seconds: float = DEFAULT_SECONDS
    """The time limit; 0 for no limit."""
    seed: int = 0
    """The seed for drawing layouts; the same seed draws the same layouts."""
    threads: int = 1
    """The number of threads, each of which values one layout at a time. The number of threads does
    not affect the answer."""
    rank: RankedBy | None = None
    """The figure that decides which card or contract is best; "made" by default for cards, "payoff"
    for contracts."""

    def __post_init__(self) -> None:
        Assumptions.__post_init__(self)
        checked: dict[str, object] = {
            "threads": thread_count(self.threads),
            "seed": whole_number(self.seed, None, "a seed must be an integer"),
            "seconds": number_of_seconds(self.seconds),
        }
        if self.samples is not None:
            checked["samples"] = whole_number(self.samples, 1, "samples must be at least 1")
        if self.rank is not None and self.rank not in get_args(RankedBy):
            raise ArgumentError(f"rank must be one of made payoff, not {quoted(self.rank)}")
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def all_of(self, layouts: Ranked) -> bool:
        """Whether there are few enough layouts to value all of them."""
        return layouts.count <= min(EXACT, self.samples or EXACT)

    def blocks(
        self, layouts: Ranked, exact: bool, first: int = FIRST
    ) -> Iterator[Iterator[list[int]]]:
        """Draw ranks in blocks; after each block, the caller may check whether to stop.

        The first block has `first` ranks; each later block doubles the total.
        """
        if exact:
            yield iter([shuffled(layouts.ranks, self.seed)])
            return
        drawn, upto, block = 0, first, 0
        while self.samples is None or drawn < self.samples:
            more = upto - drawn if self.samples is None else min(upto, self.samples) - drawn
            yield layouts.samples(more, self.seed, block)
            drawn, upto, block = drawn + more, 2 * upto, block + 1


DEFAULT_DRAWING = Drawing()


def check_drawing(drawing: object) -> None:
    """Raise ArgumentError unless `drawing` is a Drawing."""
    check_type(drawing, Drawing, "drawing must be a Drawing, such as Drawing(samples=100)")


def shuffled(items: Sequence[Item], seed: int) -> list[Item]:
    """Shuffle items so that the first n of them are a random sample, whatever n is."""
    order = list(items)
    draws = Draws(seed)
    for last in range(len(order) - 1, 0, -1):
        other = draws.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def words_of(ranks: Iterable[int]) -> array[int]:
    """Encode ranks for the engine."""
    return array("Q", [half for rank in ranks for half in (rank & _MASK, rank >> 64)])


def unranker(known: Knowledge, at: Situation, *, from_start: bool = False) -> Unranker:
    """Build the engine's unranker from the tables of the layouts.

    The unranker returns the hands at this point of the play or, with `from_start`, at its start.
    """
    return unranker_for(known, at.encoding.numbers, at.encoding.player, from_start=from_start)


def unranker_for(
    known: Knowledge,
    numbers: Mapping[str, int],
    players: Mapping[str, int],
    *,
    from_start: bool,
) -> Unranker:
    """Build the unranker for any numbering of the cards and players."""
    table = known.layouts.table
    seen = {known.seat: known.own, **known.open_hands}
    held = [{*seen.get(seat, ())} for seat in players]
    if from_start:
        for seat, card in known.played:
            held[players[seat]].add(card)
    return Unranker(
        [[numbers[card] for card in cards] for cards in table.classes],
        table.nodes,
        table.splits,
        [players.get(place, -1) for place in known.places],
        [sum(1 << numbers[card] for card in cards) for cards in held],
    )
