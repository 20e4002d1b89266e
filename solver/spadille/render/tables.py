"""Tables for people, as the command and Python show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from spadille.render.text import lined_up, printable, wrapped

Item = TypeVar("Item", contravariant=True)
Whole = TypeVar("Whole")
Cell: TypeAlias = str | float | None
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


@dataclass(frozen=True, slots=True)
class Column(Generic[Item]):
    """A column: its name, and the cell it has for an item."""

    name: str
    value: Callable[[Item], Cell]


def attributes(*names: str) -> tuple[Column[object], ...]:
    """Return columns of attributes that are cells as they are: "board", "tally.best"."""
    return tuple(Column(name.rpartition(".")[2], attrgetter(name)) for name in names)


def through(
    part: Callable[[Whole], Item | None], columns: Iterable[Column[Item]]
) -> tuple[Column[Whole], ...]:
    """Return columns of a part as columns of the whole, empty where it has no such part."""

    def column(name: str, value: Callable[[Item], Cell]) -> Column[Whole]:
        def cell(whole: Whole) -> Cell:
            found = part(whole)
            return None if found is None else value(found)

        return Column(name, cell)

    return tuple(column(each.name, each.value) for each in columns)


def names_of(columns: Iterable[Column[Item]]) -> tuple[str, ...]:
    """Return the names of columns."""
    return tuple(column.name for column in columns)


def row_of(columns: Iterable[Column[Item]], item: Item) -> list[Cell]:
    """Return the cells of an item."""
    return [column.value(item) for column in columns]


def table_of(
    columns: Sequence[Column[Item]], items: Iterable[Item], title: str = "", *, wraps: bool = False
) -> TextTable:
    """Return a table with a row for each item."""
    rows = [row_of(columns, item) for item in items]
    return TextTable(names_of(columns), rows, title, wraps)


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


def without_empty(table: TextTable) -> TextTable:
    """Return a table without the columns that say nothing."""
    headers, rows = filled(table.headers, table.rows)
    return table._replace(headers=headers, rows=rows)


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
