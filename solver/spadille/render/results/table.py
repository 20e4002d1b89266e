"""The results of every seat in every contract, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from spadille.analysis.contracts.table import Table, TableRow
from spadille.render.results.shared_cells import trump_text
from spadille.render.tables import Row, TextTable, sentences
from spadille.render.text import suit_text

_TRUMPS = ("S", "H", "D", "C", "NT", None)  # None = open, named with the declarer's first card


def tables(table: Table, title: str = "", *, symbols: bool = False) -> Iterator[TextTable]:
    """Yield the table: a row for each contract and seat or pair, a column for each trump.

    A second table says which contracts are left out, if any.
    """
    trumps = [trump for trump in _TRUMPS if any(row.trump == trump for row in table.rows)]
    headers = ("contract", "declarer", *(trump_text(trump, symbols) for trump in trumps))
    yield TextTable(headers, list(_grid(table, trumps, symbols)), title)
    if table.left_out:
        yield sentences("note", table.notes())


def _grid(table: Table, trumps: list[str | None], symbols: bool) -> Iterator[Row]:
    """Yield a row for each contract and seat or pair, with a cell for each trump."""
    cells: dict[tuple[str, str], dict[str | None, str]] = {}
    for row in table.rows:
        pair = row.partner and not row.called
        if row.best or pair:
            by = f"{row.declarer}+{row.partner}" if pair else row.declarer
            cells.setdefault((row.contract, by), {})[row.trump] = _cell(row, table.made, symbols)
    for (contract, by), in_trumps in cells.items():
        yield contract, by, *(in_trumps.get(trump, "") for trump in trumps)


def _cell(row: TableRow, made: bool, symbols: bool) -> str:
    penalty = row.penalty and suit_text(row.penalty, symbols)
    choice = row.called or penalty or ""
    if made:
        return {True: f"yes {choice}".rstrip(), False: "no", None: "?"}[row.makes]
    tricks = "?" if row.tricks is None else row.tricks
    return f"{tricks}{'*' if row.makes else ''} {choice}".rstrip()
