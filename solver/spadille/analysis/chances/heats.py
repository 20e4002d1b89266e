"""Which exchanges of a contract are worth a closer look.

In some layouts, of which nothing else is said, those that pay most are found, heat by heat
(successive halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits",
ICML 2013). The figures come from other layouts: who is best of many in a few has been lucky, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from spadille.analysis.chances.exchange import Tables
from spadille.analysis.chances.offers import Tried
from spadille.analysis.chances.rows import Row
from spadille.analysis.chances.worth import Meaning
from spadille.cards import SUITS

_HEATS = ((16, 6), (64, 3))
"""After so many more layouts so many exchanges of a contract are left."""
_BLOCK = 1 << 32  # of other layouts than those of the figures

Values = Callable[[Sequence[Row], Sequence[int]], list[list[Meaning]] | None]
"""Value layouts, by their ranks, for rows; None where the time is over before."""


class Chosen(NamedTuple):
    """The rows that are left."""

    rows: list[Row]
    tried: Tried | None
    hurried: bool
    """Whether the time was over before it was done."""


def choose(rows: Sequence[Row], tables: Tables, seed: int, values: Values, size: int) -> Chosen:
    """Keep the few rows of each contract that pay most, so many layouts being valued at a time.

    Of a contract whose trump is turned up there are as many layouts in each trump, and one row is
    kept for it: there a trump is no choice.
    """
    groups = _alike(rows)
    found: dict[Row, list[Meaning]] = {row: [] for row in rows}
    tried = [row for same in groups if len(same) > _left(same, _HEATS[-1][1]) for row in same]
    hurried = False
    for heat, (samples, keep) in enumerate(_HEATS):
        for turned in (False, True):
            many = [
                row
                for same in groups
                if len(same) > _left(same, keep) and same[0].turned == turned
                for row in same
            ]
            number = samples * (len(SUITS) if turned else 1) if many and not hurried else 0
            ranks = tables.sample(number, seed, _BLOCK + 2 * heat + turned) if number else []
            for start in range(0, len(ranks), size):
                each = values(many, ranks[start : start + size])
                if each is None:
                    hurried = True
                    break
                for row, more in zip(many, each, strict=True):
                    found[row] += more
        last = hurried or heat == len(_HEATS) - 1
        left = _HEATS[-1][1] if hurried else keep
        groups = [
            sorted(same, key=lambda row: _worth(found[row]), reverse=True)[
                : 1 if last and same[0].turned else left
            ]
            for same in groups
        ]
        if hurried:
            break
    kept = [row for same in groups for row in same]
    if not tried:
        return Chosen(kept, None, hurried)
    # Of a trump that is turned up only the layouts count in which it is.
    samples = max(len(found[row]) for row in tried if row.turned == tried[0].turned)
    return Chosen(kept, Tried(len(tried), len({*tried}.intersection(kept)), samples), hurried)


def _left(same: Sequence[Row], keep: int) -> int:
    """How many of these may be left."""
    return 1 if same[0].turned else keep


def _alike(rows: Iterable[Row]) -> list[list[Row]]:
    """Group the rows that differ in what is put away only."""
    found: dict[object, list[Row]] = {}
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
