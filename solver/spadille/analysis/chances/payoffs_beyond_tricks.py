"""Compute the mean payoffs of cards if the number of tricks does not determine the payoff.

Bonuses for winning the first run, and for going on for all tricks, are paid in addition to the
tricks. If the tricks do not determine the payoff in a layout, the engine searches for the best
payoff that can be forced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from spadille.analysis.chances.card_averages import PayoffFigures
from spadille.analysis.chances.value_meaning import Kinds
from spadille.search.encoding import Situation


class Payments(PayoffFigures):
    """The payoffs of each card, summed over layouts.

    If layouts have weights, `whole` is the total weight.
    """

    def __init__(self, kinds: Kinds, at: Situation, memory: int, whole: int | None = None) -> None:
        self.whole = whole
        self._paying = [kind.paying for kind in kinds.kinds if kind.paying is not None]
        self._layouts = kinds.solver(self._paying, at, memory)
        self._players = at.problem.players
        self._rows: Counter[tuple[int | None, ...]] = Counter()
        lows, highs = zip(*(paying.span for paying in self._paying), strict=True)
        self.span = min(lows), max(highs)

    @staticmethod
    def of(kinds: Kinds, at: Situation, memory: int, whole: int | None = None) -> Payments | None:
        """Return the payments, or None if the tricks determine every payoff."""
        open_ones = [
            kind.paying is not None and None in kind.paying.settled.values() for kind in kinds.kinds
        ]
        paid = all(kind.paying is not None for kind in kinds.kinds)
        return Payments(kinds, at, memory, whole) if paid and any(open_ones) else None

    def add(
        self,
        raw: bytes,
        hands: memoryview,
        threads: int,
        seconds: float,
        weights: Sequence[int] | None = None,
    ) -> bytes:
        """Add layouts, given by their rows of values, and return the rows that were counted.

        If time runs out, not all rows are counted.
        """
        width = 1 + len(self._layouts.cards)
        numbers = memoryview(raw).cast("h").tolist()
        rows = [numbers[at : at + width] for at in range(0, len(numbers), width)]
        paid = [[self._paying[kind].settled[value] for value in values] for kind, *values in rows]
        asked = [number for number, row in enumerate(paid) if None in row]
        raw_paid = self._layouts.values(self._hands(asked, hands), threads=threads, seconds=seconds)
        numbers = memoryview(raw_paid).cast("h").tolist()
        done = len(numbers) // width
        for number, at in zip(asked, range(0, len(numbers), width), strict=False):
            kind, *values = numbers[at : at + width]
            payoffs = self._paying[kind].payoffs
            paid[number] = [
                payoffs[value] if payoff is None else payoff
                for payoff, value in zip(paid[number], values, strict=True)
            ]
        count = len(rows) if done == len(asked) else asked[done]
        for number, row in enumerate(paid[:count]):
            self._rows[tuple(row)] += 1 if weights is None else weights[number]
        return raw[: 2 * width * count]

    def _hands(self, numbers: Sequence[int], hands: memoryview) -> memoryview:
        size = 8 * self._players
        raw = hands.cast("B")
        chosen = b"".join([raw[size * number : size * (number + 1)] for number in numbers])
        return memoryview(chosen).cast("Q")

    def mean(self, number: int) -> float | None:
        """Return the mean payoff of a card; None if unknown."""
        total = 0
        for row, count in self._rows.items():
            payoff = row[number]
            if payoff is None:
                return None
            total += payoff * count
        return total / self._rows.total()

    @property
    def payoff_rows(self) -> Iterable[tuple[Sequence[int | None], int]]:
        """Rows of payoffs, one for each card; each row has the total weight of its layouts."""
        return self._rows.items()
