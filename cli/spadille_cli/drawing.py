"""Tables for people: on a terminal, in Markdown, HTML and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable
from shutil import get_terminal_size
from typing import IO

import click

from spadille.render.tables import WIDTH, Row, Table, filled, numeric, table_lines
from spadille.render.text import painted, printable, wrapped

__all__ = ["LAYOUTS", "Row", "Table", "draw_tables", "filled"]

# The layouts of tabulate that stand for our formats.
LAYOUTS = {"table": "", "markdown": "pipe", "html": "html", "latex": "latex"}

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


def draw_tables(tables: Iterable[Table], stream: IO[str], layout: str) -> None:
    """Write tables in one of the formats of LAYOUTS."""
    gap = _HTML if layout == "html" else ""
    width = min(WIDTH, get_terminal_size().columns) if stream.isatty() else WIDTH
    for table in tables:
        stream.write(gap)
        gap = "\n"
        if table.title:
            title = printable(table.title)
            title = "\n".join(wrapped(title, width)) if stream.isatty() else title
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
    if layout == "table":
        return "\n".join(map(painted, table_lines(table, width)))
    import tabulate

    tabulate.MIN_PADDING = 0  # it would make columns two wider than their headers
    right = numeric(table)
    text = tabulate.tabulate(
        table.rows,
        table.headers,
        tablefmt=LAYOUTS[layout],
        disable_numparse=True,
        colalign=["right" if place in right else "left" for place in range(len(table.headers))],
    )
    # The padding of the cells.
    return re.sub("(?<=>) +| +(?=</)", "", text) if layout == "html" else text
