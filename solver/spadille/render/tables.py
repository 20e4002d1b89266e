"""Human-readable tables for the command and for Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from spadille.base.json_fields import Cell as Cell
from spadille.render.text import columns, printable

Item = TypeVar("Item", contravariant=True)
Whole = TypeVar("Whole")
Row: TypeAlias = Sequence[object]

WIDTH = 80  # columns; fewer on a narrower terminal
_GAP = 2  # columns between cells
_WORD = 24  # columns; a longer word does not move its column to another table


class TextTable(NamedTuple):
    """Human-readable rows; None is an empty cell, and numbers are right-aligned.

    If space is short, cells wrap; with `wraps`, the last column is text and wraps first.
    """

    headers: Sequence[str]
    rows: Sequence[Row]
    title: str = ""
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Column(Generic[Item]):
    """A column: its name, and the function that returns the cell for an item."""

    name: str
    value: Callable[[Item], Cell]


def attributes(*names: str) -> tuple[Column[object], ...]:
    """Return columns for attributes whose values need no formatting: "board", "tally.best"."""
    return tuple(Column(name.rpartition(".")[2], attrgetter(name)) for name in names)


def through(
    part: Callable[[Whole], Item | None], columns: Iterable[Column[Item]]
) -> tuple[Column[Whole], ...]:
    """Turn columns about a part into columns about the whole; a missing part gives empty cells."""

    def column(name: str, value: Callable[[Item], Cell]) -> Column[Whole]:
        def cell(whole: Whole) -> Cell:
            component = part(whole)
            return None if component is None else value(component)

        return Column(name, cell)

    return tuple(column(inner.name, inner.value) for inner in columns)


def names_of(columns: Iterable[Column[Item]]) -> tuple[str, ...]:
    """Return the names of columns."""
    return tuple(column.name for column in columns)


def row_of(columns: Iterable[Column[Item]], item: Item) -> list[Cell]:
    """Return the cells for an item."""
    return [column.value(item) for column in columns]


def table_of(
    columns: Sequence[Column[Item]], items: Iterable[Item], title: str = "", *, wraps: bool = False
) -> TextTable:
    """Return a table with a row for each item."""
    rows = [row_of(columns, item) for item in items]
    return TextTable(names_of(columns), rows, title, wraps)


def sentences(header: str, lines: Iterable[str]) -> TextTable:
    """Return a table of one column, with a sentence in each row."""
    return TextTable((header,), [(line,) for line in lines], wraps=True)


def filled(headers: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """Leave out columns that are empty."""
    columns = [
        place
        for place, column in enumerate(zip(*rows, strict=True))
        if any(cell not in ("", None) for cell in column)
    ]
    return [headers[place] for place in columns], [
        [row[place] for place in columns] for row in rows
    ]


def without_empty(table: TextTable) -> TextTable:
    """Return a table without its empty columns."""
    headers, rows = filled(table.headers, table.rows)
    return table._replace(headers=headers, rows=rows)


def numeric(table: TextTable) -> list[int]:
    """List the columns that hold numbers."""
    return [
        place
        for place, column in enumerate(zip(*table.rows, strict=True))
        if all(cell is None or isinstance(cell, int) for cell in column)
    ]


def escaped(table: TextTable, escape: Callable[[str], str]) -> TextTable:
    """Return a table with its strings escaped."""
    rows = [[escape(cell) if isinstance(cell, str) else cell for cell in row] for row in table.rows]
    return table._replace(headers=[*map(escape, table.headers)], rows=rows)


def tabulated(table: TextTable, layout: str, widths: Sequence[int] | None = None) -> str:
    """Draw a table in one of tabulate's layouts, breaking cells wider than `widths`."""
    import tabulate

    tabulate.MIN_PADDING = 0  # otherwise, columns would be two wider than their headers
    right = numeric(table)
    return tabulate.tabulate(
        table.rows,
        table.headers,
        tablefmt=layout,
        disable_numparse=True,
        preserve_whitespace=widths is not None,
        colalign=["right" if place in right else "left" for place in range(len(table.headers))],
        maxcolwidths=widths,
        maxheadercolwidths=widths,
        break_on_hyphens=False,
    )


def table_lines(table: TextTable, width: int = WIDTH) -> list[str]:
    """Return a table as lines of text, none wider than `width`, without its title.

    tabulate draws the table but cannot limit its width. This function therefore chooses the column
    widths and narrows the widest columns first. Columns that still do not fit go into further
    tables below, which repeat the first column.
    """
    table = escaped(table, printable)
    cells = [["" if cell is None else str(cell) for cell in row] for row in table.rows]
    cells.append([*table.headers])
    natural = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    words = [
        max((columns(word) for cell in column for word in cell.split()), default=0)
        for column in zip(*cells, strict=True)
    ]
    lines: list[str] = []
    for group in _groups([min(word, _WORD) for word in words], width):
        room = width - _GAP * (len(group) - 1)
        widths = _fitting([natural[place] for place in group], [words[p] for p in group], room)
        part = TextTable(
            [table.headers[place] for place in group],
            [[row[place] for place in group] for row in table.rows],
        )
        lines += map(str.rstrip, tabulated(part, "simple", widths).split("\n"))
    return lines


def _groups(words: Sequence[int], width: int) -> list[list[int]]:
    """Split the columns into groups that each fit into the width without breaking words."""
    groups, room = [[0]], width - words[0]
    for place, word in enumerate(words[1:], 1):
        if room < _GAP + word and len(groups[-1]) > 1:
            groups.append([0])
            room = width - words[0]
        groups[-1].append(place)
        room -= _GAP + word
    return groups


def _fitting(widths: list[int], words: Sequence[int], room: int) -> list[int]:
    """Narrow the widest columns until all fit; words are broken last."""
    while sum(widths) > room and max(widths) > 1:
        loose = [place for place, width in enumerate(widths) if width > words[place]]
        # If several columns are equally wide, choose the last, because columns of text come last.
        widest = max(loose or range(len(widths)), key=lambda place: (widths[place], place))
        widths[widest] -= 1
    return widths
