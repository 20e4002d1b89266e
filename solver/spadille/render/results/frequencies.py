"""The frequencies of conditions, and the distribution of numbers, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from spadille.base.words_for_messages import many
from spadille.generate.deals.deal_search import Deals
from spadille.generate.deals.frequencies import Frequency
from spadille.render.tables import Cell, Column, Row, TextTable, attributes, table_of, without_empty


def tables(frequencies: Iterable[Frequency]) -> Iterator[TextTable]:
    """Yield a table for all deals and, for each expression, a table grouped by the others."""
    rows = list(frequencies)
    for conditions in (True, False):
        own = [row for row in rows if not row.by and _is_condition(row) == conditions]
        if own:
            yield _table(own, [_EXPRESSION])
    for text, group in groupby((row for row in rows if row.by), lambda row: row.expression):
        own = list(group)
        by = list(own[0].by)
        yield _table(own, [_value(name) for name in by], text)
        if len(by) == 2:
            yield _grid(own, by, text)


def _is_condition(row: Frequency) -> bool:
    return row.values is None


def _table(
    rows: Sequence[Frequency], first: Sequence[Column[Frequency]], title: str = ""
) -> TextTable:
    columns = (*first, _DEALS, *(_SHARE if _is_condition(rows[0]) else _MEAN), _OPEN)
    return without_empty(table_of(columns, rows, title))


_EXPRESSION: Column[Frequency] = Column("of these deals", lambda row: row.expression)
_DEALS: Column[Frequency] = Column("deals", lambda row: row.deals)
_OPEN: Column[Frequency] = Column("no answer", lambda row: row.open or None)
_SHARE: tuple[Column[Frequency], ...] = (
    Column("holds", lambda row: row.held),
    Column("share", lambda row: _share(row.share)),
    Column("95% interval", lambda row: " to ".join(map(_share, row.interval or ()))),
    Column("counted", lambda row: _share(row.counted)),
)
_MEAN: tuple[Column[Frequency], ...] = (
    Column("mean", lambda row: _mean(row.mean)),
    Column("95% interval", lambda row: " to ".join(map(_mean, row.mean_interval or ()))),
    *attributes("least", "most"),
)


def _value(name: str) -> Column[Frequency]:
    return Column(name, lambda row: _cell(row.by[name]))


def _grid(rows: Sequence[Frequency], by: Sequence[str], title: str) -> TextTable:
    """Return a table for two expressions, with the values of the second one as columns."""
    by_key = {tuple(row.by.values()): row for row in rows}
    down, across = (dict.fromkeys(key[place] for key in by_key) for place in range(2))
    cells: list[Row] = []
    for row_key in down:
        line: list[object] = [_cell(row_key)]
        for column_key in sorted(across):
            row = by_key.get((row_key, column_key))
            share = row and (_share(row.share) if _is_condition(row) else _mean(row.mean))
            line.append(share or "")
        cells.append(line)
    headers = [by[0], *(f"{_cell(column_key)}" for column_key in sorted(across))]
    return TextTable(headers, cells, f"{title}, by {by[0]} and, across, {by[1]}")


def _cell(value: int) -> Cell:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _share(share: float | None) -> str:
    """Format a share as a percentage, with its digits aligned in a column."""
    return "" if share is None else f"{share:.1%}".rjust(6)


def _mean(mean: float | None) -> str:
    return "" if mean is None else f"{mean:.2f}".rjust(6)


def drawn_heading(deals: Deals) -> str:
    """Describe the deals that the tables cover."""
    tried = f" of {deals.drawn} drawn" if deals.drawn != deals.found else ""
    return f"{many(deals.found, 'deal')} of {deals.rules.game.id}{tried}, seed {deals.seed}"
