"""Which exchanges of a contract are worth a closer look.

In some layouts, of which nothing else is said, those that pay most are found, heat by heat
(successive halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits",
ICML 2013). The figures come from other layouts: who is best of many in a few has been lucky, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from spadille.analysis.chances.contract_chances_result import TriedExchanges
from spadille.analysis.chances.contract_rows import Prospect, Turned, turned_together
from spadille.analysis.chances.exchange_choice import Tables
from spadille.analysis.chances.sampling_plan import shuffled
from spadille.analysis.chances.value_meaning import Meaning
from spadille.base.card_text import SUITS

_HEATS = ((16, 6), (64, 3))
"""After so many more layouts so many exchanges of a contract are left."""
_LAST = _HEATS[-1][1]
_BLOCK = 1 << 32  # of other layouts than those of the figures

Values = Callable[[Sequence[Prospect], Sequence[int]], list[list[Meaning]] | None]
"""Value layouts, by their ranks, for rows; None where the time is over before."""


class Heats:
    """The choice of the few rows of each contract that pay most, layout by layout.

    Of a contract whose trump is turned up there are as many layouts in each trump, and one row is
    kept for it: there a trump is no choice.
    """

    def __init__(self, rows: Sequence[Prospect], tables: Tables, seed: int) -> None:
        self._tables = tables
        self._seed = seed
        self._groups = _alike(rows)
        self._tried = [
            row for same in self._groups if len(same) > _left(same, _LAST) for row in same
        ]
        self._found: dict[Prospect, list[Meaning]] = {row: [] for row in rows}
        self.hurried = False
        """Whether the time was over before it was done."""
        self.over = False

    def steps(self, values: Values, size: int) -> Iterator[None]:
        """Keep fewer and fewer rows, so many layouts being valued at a time."""
        for heat, (samples, keep) in enumerate(_HEATS):
            for turned in (False, True):
                rows = [
                    row
                    for same in self._groups
                    if len(same) > _left(same, keep) and same[0].turned == turned
                    for row in same
                ]
                number = samples * (len(SUITS) if turned else 1)
                if rows:
                    yield from self._valued(rows, number, 2 * heat + turned, values, size)
            if self.hurried:
                break
            self._groups = self._best(keep)
        self._groups = self._best(_LAST, one_turned=True)
        self.over = True

    def _valued(
        self, rows: Sequence[Prospect], number: int, block: int, values: Values, size: int
    ) -> Iterator[None]:
        """Value so many layouts for rows."""
        for ranks in self._tables.samples(number, self._seed, _BLOCK + block):
            for start in range(0, len(ranks), size):
                each = None if self.hurried else values(rows, ranks[start : start + size])
                if each is None:
                    self.hurried = True
                    return
                for row, more in zip(rows, each, strict=True):
                    self._found[row] += more
                yield
            number -= len(ranks)
        self.hurried = self.hurried or number > 0

    def _best(self, keep: int, *, one_turned: bool = False) -> list[list[Prospect]]:
        """Return the best rows of each group."""
        return [
            sorted(same, key=lambda row: _worth(self._found[row]), reverse=True)[
                : 1 if one_turned and same[0].turned else keep
            ]
            for same in self._groups
        ]

    @property
    def rows(self) -> list[Prospect]:
        """The rows that are left, one of each contract whose trump is turned up."""
        return turned_together([row for same in self._groups for row in same])

    @property
    def many(self) -> int:
        """How many rows are chosen from."""
        return len(self._tried)

    @property
    def tried(self) -> TriedExchanges | None:
        """How many were looked at, and are left; None where there was nothing to choose."""
        if not self._tried:
            return None
        kept = {row for same in self._groups for row in same}
        # Of a trump that is turned up only the layouts count in which it is.
        alike = [row for row in self._tried if row.turned == self._tried[0].turned]
        samples = max(len(self._found[row]) for row in alike)
        return TriedExchanges(len(self._tried), len(kept.intersection(self._tried)), samples)

    def standing(self) -> list[tuple[Prospect, list[Meaning]]]:
        """Return the rows that lead so far, and what was found of them, in the layouts of each."""
        groups = self._best(_LAST, one_turned=True)
        leading = turned_together([row for same in groups for row in same])
        found = []
        for row in leading:
            values = self._found.get(row)
            if isinstance(row, Turned):
                # One trump after the other, and the first of them are to be a fair sample, too.
                values = shuffled([v for part in row.parts for v in self._found[part]], self._seed)
            if values:
                found.append((row, values))
        return found


def _left(same: Sequence[Prospect], keep: int) -> int:
    """How many of these may be left."""
    return 1 if same[0].turned else keep


def _alike(rows: Iterable[Prospect]) -> list[list[Prospect]]:
    """Group the rows that differ in what is put away only."""
    found: dict[object, list[Prospect]] = {}
    for row in rows:
        found.setdefault((row.contract, row.exchange.from_hand), []).append(row)
    return list(found.values())


def _worth(found: Sequence[Meaning]) -> tuple[int, int, int]:
    """Rate what was found in some layouts: by payoff, how often it makes, tricks."""
    return (
        sum(each.payoff or 0 for each in found),
        sum(each.made for each in found),
        sum(each.tricks or 0 for each in found),
    )
