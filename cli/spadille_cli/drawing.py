"""Tables for people: on a terminal, in Markdown, HTML and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from shutil import get_terminal_size
from textwrap import fill, wrap
from typing import IO, NamedTuple, TypeAlias

import click

from spadille_cli.terminal import printable

Row: TypeAlias = Sequence[object]

WIDTH = 80  # columns; fewer on a terminal that has fewer
_GAP = 2  # blanks between columns
_NARROWEST = 24  # a wrapped column stays readable, whatever stands before it, if there is room
_LONG = 24  # a first cell that is longer stands in a line of its own

# The layouts of tabulate that stand for our formats.
LAYOUTS = {"table": "simple", "markdown": "pipe", "html": "html", "latex": "latex"}

# A page of HTML begins so; the rest of its frame may be left out.
_HTML = """\
<!DOCTYPE html>
<meta charset="utf-8">
<title>spadille</title>
<style>
body { font-family: sans-serif }
h2 { font-size: 1.1em }
table { border-collapse: collapse; margin-bottom: 1em; font-variant-numeric: tabular-nums }
th, td { padding: 0.1em 0.7em; text-align: left }
thead { border-bottom: 1px solid }
</style>
"""

_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|~$&]")


class Table(NamedTuple):
    """Rows for people, meant to fit 80 columns; if `wraps`, the last column is made to."""

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


def draw_tables(tables: Iterable[Table], stream: IO[str], layout: str) -> None:
    """Write tables in one of the formats of LAYOUTS."""
    gap = _HTML if layout == "html" else ""
    width = min(WIDTH, get_terminal_size().columns) if stream.isatty() else WIDTH
    for table in tables:
        stream.write(gap)
        gap = "\n"
        if table.title:
            title = printable(table.title)
            title = fill(title, width) if width < WIDTH else title
            click.echo(_title(title, layout), file=stream)
        if table.rows:
            click.echo(_drawn(_safe(table, layout), layout, width), file=stream)


def _safe(table: Table, layout: str) -> Table:
    """The table with nothing that commands a terminal, or a reader of Markdown."""
    escape = _escaped if layout == "markdown" else printable
    rows = [[escape(cell) if isinstance(cell, str) else cell for cell in row] for row in table.rows]
    return table._replace(rows=rows)


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\g<0>", printable(text))


def _title(title: str, layout: str) -> str:
    if layout == "markdown":
        return f"**{_escaped(title)}**\n"
    if layout == "html":
        from html import escape

        return f"<h2>{escape(title)}</h2>"
    if layout == "latex":
        from tabulate import LATEX_ESCAPE_RULES

        escaped = "".join(LATEX_ESCAPE_RULES.get(sign, sign) for sign in title)
        return rf"\paragraph{{{escaped}}}"
    return click.style(title, bold=True)


def _drawn(table: Table, layout: str, width: int) -> str:
    import tabulate

    tabulate.MIN_PADDING = 0  # it would make columns two wider than their headers
    long: dict[int, str] = {}
    if layout == "table":
        table, long = _hanging(table)
        if table.wraps:
            table, long = _wrapped(table, long, width)
    numeric = (
        all(cell is None or isinstance(cell, int) for cell in column)
        for column in zip(*table.rows, strict=True)
    )
    draw = partial(
        tabulate.tabulate,
        table.rows,
        table.headers,
        disable_numparse=True,
        colalign=["right" if right else "left" for right in numeric],
    )
    text = draw(tablefmt=LAYOUTS[layout])
    if layout == "table":
        if max(map(len, text.splitlines())) > width < WIDTH:
            line, row = tabulate.Line("", "-", " ", ""), tabulate.DataRow("", " ", "")
            text = draw(tablefmt=tabulate.TableFormat(None, line, None, None, row, row, 0, None))
        lines = text.splitlines()
        for number in sorted(long, reverse=True):
            lines.insert(number + 2, long[number])  # behind the headers and their line
        text = "\n".join(lines)
    # The padding of the cells.
    return re.sub("(?<=>) +| +(?=</)", "", text) if layout == "html" else text


def _hanging(table: Table) -> tuple[Table, dict[int, str]]:
    """Take long cells out of the first column, to stand above their rows: they squeeze no other."""
    rows: list[Row] = []
    long = {}
    for row in table.rows:
        first, *rest = row
        if len(row) > 1 and isinstance(first, str) and len(first) > _LONG:
            long[len(rows)] = first
            row = ("", *rest)
        rows.append(row)
    return table._replace(rows=rows), long


def _wrapped(table: Table, long: dict[int, str], width: int) -> tuple[Table, dict[int, str]]:
    """Break the last column so that the table is no wider than that; the long cells move along."""
    widths = [
        max(len(header), *(len(str(row[number])) for row in table.rows))
        for number, header in enumerate(table.headers[:-1])
    ]
    room = max(width - sum(widths) - _GAP * len(widths), min(_NARROWEST, width // 3))
    rows: list[Row] = []
    moved = {}
    for number, row in enumerate(table.rows):
        if number in long:
            moved[len(rows)] = long[number]
        lines = wrap(str(row[-1]), room, break_on_hyphens=False) or [""]
        rows.append((*row[:-1], lines[0]))
        rows += [(*[None] * (len(row) - 1), line) for line in lines[1:]]
    return table._replace(rows=rows), moved
