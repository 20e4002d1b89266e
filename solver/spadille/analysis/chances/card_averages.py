"""Combine the engine's values, one row for each layout, into averages for each card.

All figures are averages over the layouts. In different layouts, different cards may be best. A
player who does not see all hands cannot choose the best card in each layout. The layouts in which a
card is best are therefore counted, but do not affect its averages.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from spadille.analysis.chances.value_meaning import Kind
from spadille.analysis.confidence_intervals import (
    ERROR,
    Interval,
    bounded_mean,
    clopper_pearson,
    paired_difference,
    partial_mean,
)


class LayoutValues(NamedTuple):
    """The values of the cards in one layout, or in all layouts with the same values."""

    good: tuple[bool, ...]
    """For each card, whether it leads to the result the player wants."""
    best: tuple[bool, ...]
    """For each card, whether no other card is worth more to the player."""
    payoffs: tuple[int | None, ...]
    tricks: tuple[int | None, ...]


class CardAverages(NamedTuple):
    """A card's averages."""

    good: float
    payoff: float | None
    tricks: float | None
    best: float

    @property
    def order(self) -> tuple[float, ...]:
        """The sort key of cards; greater is better for the player."""
        return (self.good, self.payoff or 0.0)


class PayoffFigures(ABC):
    """Computes the cards' mean payoffs and their intervals from rows of payoffs."""

    whole: int | None
    """The total weight of all layouts, if they have weights; intervals then hold for certain."""
    span: tuple[int, int]
    """The lowest and the highest possible payoff."""

    @property
    @abstractmethod
    def payoff_rows(self) -> Iterable[tuple[Sequence[int | None], int]]:
        """Rows of payoffs, one for each card; each row has the total weight of its layouts."""

    def payoff_interval(self, number: int) -> Interval | None:
        """Return the confidence interval for the mean payoff of a card; None if unknown."""
        return self._interval(((row[number], 0), count) for row, count in self.payoff_rows)

    def payoff_behind_interval(self, number: int, leader: int, error: float) -> Interval | None:
        """Return an interval for the leader's mean payoff minus the card's; None if unknown."""
        rows = (((row[leader], row[number]), count) for row, count in self.payoff_rows)
        return self._interval(rows, error, differs=True)

    def _interval(
        self,
        rows: Iterable[tuple[tuple[int | None, int | None], int]],
        error: float = ERROR,
        *,
        differs: bool = False,
    ) -> Interval | None:
        """Return an interval for the mean difference between two payoffs."""
        counts: Counter[int] = Counter()
        for (more, less), count in rows:
            if more is None or less is None:
                return None
            counts[more - less] += count
        low, high = self.span
        span = (low - high, high - low) if differs else (low, high)
        if self.whole is not None:
            known = sum(payoff * count for payoff, count in counts.items())
            return partial_mean(known, self.whole - counts.total(), self.whole, *span)
        return bounded_mean(counts, *span, error)

    def payoff_if_all_were_seen(self) -> float:
        """Return the mean payoff of a player who sees all hands; all payoffs must be known."""
        total = number = 0
        for row, count in self.payoff_rows:
            total += count * max(payoff for payoff in row if payoff is not None)
            number += count
        return total / number


class Counts(PayoffFigures):
    """Counts the layouts with each row of values; `kinds` gives the meaning of the values.

    No result depends on the order of the layouts, because only counts are kept. If layouts have
    weights, `whole` is the total weight of all layouts, and the intervals hold for certain.
    """

    def __init__(self, kinds: Sequence[Kind], columns: int, whole: int | None = None) -> None:
        self.kinds = kinds
        self.columns = columns
        self.whole = whole
        self.number = 0
        """The total weight of the counted layouts; without weights, each layout weighs 1."""
        self.valued = 0
        """The number of layouts counted."""
        self._rows: Counter[bytes] = Counter()
        self._read: dict[bytes, LayoutValues] = {}
        payoffs = [m.payoff for kind in kinds for m in kind.meanings.values()]
        known = [payoff for payoff in payoffs if payoff is not None]
        self.span = (min(known, default=0), max(known, default=0))
        self.with_declarer = kinds[0].with_declarer

    def add(self, rows: bytes, weights: Sequence[int] | None = None) -> None:
        """Add rows in the engine's format: the kind and the values, 16 bits each."""
        width = 2 * (1 + self.columns)
        number = len(rows) // width
        values = [rows[at : at + width] for at in range(0, len(rows), width)]
        if weights is None:
            self._rows.update(values)
            self.number += number
        else:
            for row, weight in zip(values, weights, strict=False):
                self._rows[row] += weight
            self.number += sum(weights[:number])
        self.valued += number

    @property
    def rows(self) -> Iterable[tuple[LayoutValues, int]]:
        """All distinct rows, each with the number of layouts that have it."""
        for raw, count in self._rows.items():
            row = self._read.get(raw)
            if row is None:
                row = self._read[raw] = self._row(raw)
            yield row, count

    def _row(self, raw: bytes) -> LayoutValues:
        number, *values = memoryview(raw).cast("h").tolist()
        kind = self.kinds[number]
        meanings = [kind.meanings[value] for value in values]
        most = max(values) if kind.with_declarer else min(values)
        return LayoutValues(
            tuple([meaning.made == kind.with_declarer for meaning in meanings]),
            tuple([value == most for value in values]),
            tuple([meaning.payoff for meaning in meanings]),
            tuple([meaning.tricks for meaning in meanings]),
        )

    def average(self) -> list[CardAverages]:
        """Return the averages for each card over all layouts."""
        return [self._column(number) for number in range(self.columns)]

    def _column(self, number: int) -> CardAverages:
        good = best = 0
        payoff: int | None = 0
        tricks: int | None = 0
        for row, count in self.rows:
            good += count * row.good[number]
            best += count * row.best[number]
            payoff = _plus(payoff, row.payoffs[number], count)
            tricks = _plus(tricks, row.tricks[number], count)
        total = self.number
        return CardAverages(
            good / total,
            None if payoff is None else payoff / total,
            None if tricks is None else tricks / total,
            best / total,
        )

    @property
    def if_all_were_seen(self) -> float:
        """The share of the layouts in which some card succeeds for the player."""
        return sum(count for row, count in self.rows if any(row.good)) / self.number

    def good_interval(self, number: int, error: float) -> Interval:
        """Return the confidence interval for the share of layouts in which a card succeeds."""
        count = sum(count for row, count in self.rows if row.good[number])
        if self.whole is not None:
            return partial_mean(count, self.whole - self.number, self.whole, 0, 1)
        return clopper_pearson(count, self.number, 1 - error)

    @property
    def payoff_rows(self) -> Iterable[tuple[Sequence[int | None], int]]:
        """Rows of payoffs, one for each card; each row has the total weight of its layouts."""
        return ((row.payoffs, count) for row, count in self.rows)

    def behind_interval(self, number: int, leader: int, error: float) -> Interval:
        """Return the confidence interval for the leader's success rate minus the card's."""
        ahead = behind = 0
        for row, count in self.rows:
            if row.good[leader] != row.good[number]:
                if row.good[leader]:
                    ahead += count
                else:
                    behind += count
        if self.whole is not None:
            return partial_mean(ahead - behind, self.whole - self.number, self.whole, -1, 1)
        return paired_difference(ahead, behind, self.number, error)


def _plus(total: int | None, value: int | None, count: int) -> int | None:
    return None if total is None or value is None else total + count * value
