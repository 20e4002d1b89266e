"""Select the cards to call and the exchanges that deserve a closer look.

The choices that pay the most are found heat by heat (successive halving: Karnin, Koren and Somekh,
"Almost optimal exploration in multi-armed bandits", ICML 2013). A choice that beats many others in
a few layouts was partly lucky, so the final values come from other layouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from operator import sub
from statistics import mean, stdev

from spadille.analysis.chances.card_chances_result import Ended
from spadille.analysis.chances.contract_chances_result import TriedChoices
from spadille.analysis.chances.contract_values_by_layout import (
    LayoutRows,
    Prospect,
    Turned,
    turned_together,
)
from spadille.analysis.chances.sampling_loop import Clock, Strategy
from spadille.analysis.chances.sampling_settings import Drawing, RankedBy, shuffled
from spadille.analysis.chances.value_meaning import Meaning
from spadille.base.card_text import SUITS

_HEATS = ((32, 8), (128, 3))
"""For each heat, the number of layouts, and the number of choices that each contract then keeps."""
_LAST = _HEATS[-1][1]
_HOPELESS = 3.0
"""A contract this many standard errors worse than the leader keeps only one choice."""
_BLOCK = 1 << 32  # draws layouts other than those of the final values


class ChoiceStrategy(Strategy[list[Prospect]]):
    """Chooses the best-paying rows of each contract.

    If a turned-up card makes trumps, nobody chooses the trump. Each trump is therefore tried in the
    same number of layouts, and one row is kept for each.
    """

    def __init__(self, rows: Sequence[Prospect], layouts: LayoutRows, drawing: Drawing) -> None:
        self.drawing = drawing
        self._rank: RankedBy = drawing.rank or "payoff"
        self.at_a_time = max(drawing.threads, 4)
        self.over = False
        """Whether the choice is complete."""
        self._layouts = layouts
        self._groups = _alike(rows)
        self._tried = [
            row for same in self._groups if len(same) > _left(same, _LAST) for row in same
        ]
        self._meanings: dict[Prospect, list[Meaning]] = {row: [] for row in rows}
        self._heat = 0
        self._waiting = self._blocks_of_heat()
        self._settle_heats()

    @property
    def samples(self) -> int:
        """The number of layouts in which all rows have been valued."""
        return min(map(len, self._meanings.values()), default=0)

    @property
    def complete(self) -> bool:
        """Whether all heats are over."""
        return not self._waiting

    def _blocks_of_heat(self) -> list[_Block]:
        """List the blocks of layouts for a heat; blocks for turned-up trumps come last."""
        samples, _ = _HEATS[self._heat]
        blocks = []
        for turned in (False, True):
            rows = [
                row
                for same in self._groups
                if len(same) > _left(same, _LAST) and same[0].turned == turned
                for row in same
            ]
            number = samples * (len(SUITS) if turned else 1)
            if rows:
                blocks.append(_Block(rows, number, _BLOCK + 2 * self._heat + turned))
        return blocks

    def _settle_heats(self) -> None:
        """If the heat is over, keep its best rows and begin the next heat."""
        while not self._waiting:
            self._groups = self._best(_HEATS[self._heat][1])
            self._heat += 1
            if self._heat == len(_HEATS):
                return
            self._waiting = self._blocks_of_heat()

    def blocks(self, clock: Clock) -> Iterator[Iterator[list[int]]]:
        """Yield the ranks of the layouts, heat by heat."""
        while self._waiting:
            block = self._waiting[0]
            yield self._layouts.tables.samples(block.left, self.drawing.seed, block.number)

    def value(self, ranks: Sequence[int], clock: Clock) -> bool:
        """Value these layouts for the rows of the current block."""
        block = self._waiting[0]
        values = self._layouts.values(block.rows, ranks, clock)
        if values is None:
            return False
        for row, meanings in zip(block.rows, values, strict=True):
            self._meanings[row] += meanings
        block.left -= len(ranks)
        if not block.left:
            self._waiting.pop(0)
            self._settle_heats()
        return True

    def result(self, ended: Ended | None) -> list[Prospect]:
        """Return the remaining rows; the rows of a contract with a turned-up trump are merged."""
        self._groups = self._best(_LAST, one_turned=True)
        self.over = True
        return turned_together([row for same in self._groups for row in same])

    def _best(self, keep: int, *, one_turned: bool = False) -> list[list[Prospect]]:
        """Return the best rows of each group; a hopeless group keeps one row."""
        groups = [
            sorted(same, key=lambda row: _worth(self._meanings[row], self._rank), reverse=True)
            for same in self._groups
        ]
        best = [self._meanings[same[0]] for same in groups if not same[0].turned]
        leader = max(best, key=lambda values: (len(values), _worth(values, self._rank)), default=[])
        return [same[: self._kept(same, leader, keep, one_turned)] for same in groups]

    def _kept(
        self, same: Sequence[Prospect], leader: Sequence[Meaning], keep: int, one_turned: bool
    ) -> int:
        """Return the number of rows to keep from a group, whose best row comes first.

        A contract that pays far less than the leader keeps one row, because its choices do not
        matter.
        """
        if same[0].turned:
            return 1 if one_turned else keep
        best, own = (
            [_worth([layout], self._rank)[0] for layout in values]
            for values in (leader, self._meanings[same[0]])
        )
        behind = list(map(sub, best, own))
        if len(behind) < 2:
            return keep
        return 1 if mean(behind) > _HOPELESS * stdev(behind) / sqrt(len(behind)) else keep

    @property
    def many(self) -> int:
        """The number of rows to choose from."""
        return len(self._tried)

    @property
    def tried(self) -> TriedChoices | None:
        """The numbers of choices tried and kept; None if there was nothing to choose."""
        if not self._tried:
            return None
        kept = {row for same in self._groups for row in same}
        # Rows for a turned-up trump are valued only in the layouts with that trump.
        alike = [row for row in self._tried if row.turned == self._tried[0].turned]
        samples = max(len(self._meanings[row]) for row in alike)
        return TriedChoices(len(self._tried), len(kept.intersection(self._tried)), samples)

    def standing(self) -> list[tuple[Prospect, list[Meaning]]]:
        """Return the leading rows, each with its values so far."""
        groups = self._best(_LAST, one_turned=True)
        leading = turned_together([row for same in groups for row in same])
        valued = []
        for row in leading:
            values = self._meanings.get(row)
            if isinstance(row, Turned):
                # The trumps are tried one after the other. The values are shuffled, so that the
                # first n of them are a fair sample, whatever n is.
                in_turn = [meaning for part in row.parts for meaning in self._meanings[part]]
                values = shuffled(in_turn, self.drawing.seed)
            if values:
                valued.append((row, values))
        return valued


@dataclass(slots=True)
class _Block:
    """A block of layouts, and the rows to value in them."""

    rows: list[Prospect]
    left: int
    """The number of layouts not yet valued."""
    number: int
    """The position of the block in the seed's sequence of random numbers."""


def _left(same: Sequence[Prospect], keep: int) -> int:
    """Return the maximum number of rows to keep."""
    return 1 if same[0].turned else keep


def _alike(rows: Iterable[Prospect]) -> list[list[Prospect]]:
    """Group the rows that differ only in the card to call or the discards."""
    groups: dict[object, list[Prospect]] = {}
    for row in rows:
        contract = replace(row.contract, called=None)
        groups.setdefault((contract, row.exchange.from_hand), []).append(row)
    return list(groups.values())


def _worth(meanings: Sequence[Meaning], by: RankedBy = "payoff") -> tuple[int, int, int]:
    """Return the sort key of a row: its total payoff, successes and tricks over the layouts."""
    payoff = sum(_guaranteed(meaning) for meaning in meanings)
    made = sum(meaning.made for meaning in meanings)
    tricks = sum(meaning.tricks or 0 for meaning in meanings)
    return (made, payoff, tricks) if by == "made" else (payoff, made, tricks)


def _guaranteed(meaning: Meaning) -> int:
    """Return the payoff, or its lower bound if it is unknown; 0 if there is no bound either."""
    if meaning.payoff is None and meaning.bounds is not None:
        return meaning.bounds[0]
    return meaning.payoff or 0
