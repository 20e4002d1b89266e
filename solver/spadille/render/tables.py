"""Tables for people, as the command and Python show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from spadille.render.text import lined_up, printable, wrapped

Row: TypeAlias = Sequence[object]

WIDTH = 80  # columns; fewer on a terminal that has fewer
_LONG = 24  # a first cell that is longer stands in a line of its own


class TextTable(NamedTuple):
    """Rows for people; None is an empty cell, numbers end at the same place.

    Where there is no room cells are broken; `wraps` says that the last column is made of text, and
    is broken first.
    """

    headers: Sequence[str]
    rows: Sequence[Row]
    title: str = ""
    wraps: bool = False


def filled(headers: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """Leave out the columns that say nothing."""
    columns = [
        place
        for place, column in enumerate(zip(*rows, strict=True))
        if any(cell not in ("", None) for cell in column)
    ]
    return [headers[place] for place in columns], [
        [row[place] for place in columns] for row in rows
    ]


def numeric(table: TextTable) -> list[int]:
    """List the columns that hold numbers."""
    return [
        place
        for place, column in enumerate(zip(*table.rows, strict=True))
        if all(cell is None or isinstance(cell, int) for cell in column)
    ]


def table_lines(table: TextTable, width: int = WIDTH) -> list[str]:
    """Write a table as lines of text, none wider than `width`; its title is not among them.

    A long cell in the first column stands above its row, since it would squeeze all others.
    """
    rows = [["" if cell is None else printable(str(cell)) for cell in row] for row in table.rows]
    long: dict[int, str] = {}
    for number, row in enumerate(rows):
        if len(row) > 1 and len(row[0]) > _LONG and isinstance(table.rows[number][0], str):
            long[number], row[0] = row[0], ""
    lines, *body = lined_up([[*map(printable, table.headers)], *rows], width, numeric(table))
    for number, found in enumerate(body):
        if number in long:
            lines += wrapped(long[number], width)
        lines += found
    return lines
