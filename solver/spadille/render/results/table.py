"""The results of every seat in every contract, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spadille.analysis.contracts.table import Table, TableRow
from spadille.render.results.common import trump_text
from spadille.render.tables import Row, TextTable
from spadille.render.text import suit_text

_TRUMPS = ("S", "H", "D", "C", "NT", None)  # None = open, named with the declarer's first card


def tables(found: Table, title: str = "", *, symbols: bool = False) -> Iterator[TextTable]:
    """Yield the table: a row for each contract and seat or pair, a column for each trump."""
    trumps = [trump for trump in _TRUMPS if any(row.trump == trump for row in found.rows)]
    headers = ("contract", "declarer", *(trump_text(trump, symbols) for trump in trumps))
    yield TextTable(headers, list(_grid(found.rows, trumps, symbols)), title)


def _grid(rows: Iterable[TableRow], trumps: list[str | None], symbols: bool) -> Iterator[Row]:
    """One row for each contract and seat or pair, with a cell for each trump."""
    cells: dict[tuple[str, str], dict[str | None, str]] = {}
    for row in rows:
        pair = row.partner and not row.called
        if row.best or pair:
            by = f"{row.declarer}+{row.partner}" if pair else row.declarer
            cells.setdefault((row.contract, by), {})[row.trump] = _cell(row, symbols)
    for (contract, by), found in cells.items():
        yield contract, by, *(found.get(trump, "") for trump in trumps)


def _cell(row: TableRow, symbols: bool) -> str:
    tricks = "?" if row.tricks is None else row.tricks
    penalty = row.penalty and suit_text(row.penalty, symbols)
    choice = row.called or penalty or ""
    return f"{tricks}{'*' if row.makes else ''} {choice}".rstrip()
