"""Human-readable tables: on a terminal, in Markdown, HTML and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from shutil import get_terminal_size
from typing import IO

import click

from spadille.render.deal_sheet import Sheet
from spadille.render.tables import WIDTH, Row, TextTable, escaped, filled, table_lines, tabulated
from spadille.render.text import painted, printable, wrapped

__all__ = ["LAYOUTS", "Row", "TextTable", "draw_tables", "filled"]

# The tabulate layout for each of spadille's formats.
LAYOUTS = {"table": "", "markdown": "pipe", "html": "html", "latex": "latex"}

# The start of an HTML page; the html, head and body tags are optional. In print, each drawn deal
# begins a new page. Runs of spaces are kept, because they separate terms from their explanations.
_HTML = """\
<!DOCTYPE html>
<meta charset="utf-8">
<title>spadille</title>
<style>
body { font-family: sans-serif }
h1 { font-size: 1.3em }
h2 { font-size: 1.1em }
table { border-collapse: collapse; margin-bottom: 1em; font-variant-numeric: tabular-nums }
caption { padding: 0 0.7em; text-align: left; font-weight: bold }
th, td { padding: 0.1em 0.7em; text-align: left; white-space: pre-wrap }
thead { border-bottom: 1px solid }
@media print {
h1 { break-before: page }
h1:first-of-type { break-before: auto }
h1, h2 { break-after: avoid }
table { break-inside: avoid }
}
</style>
"""

_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|~$&]")


def room(stream: IO[str]) -> int:
    """Return the width of the output in columns."""
    return min(WIDTH, get_terminal_size().columns) if stream.isatty() else WIDTH


def draw_tables(tables: Iterable[TextTable | Sheet], stream: IO[str], layout: str) -> None:
    """Write tables and drawn deals in one of the formats of LAYOUTS."""
    gap = _HTML if layout == "html" else ""
    width = room(stream)
    for title, text in chain.from_iterable(_parts(table, layout, width) for table in tables):
        stream.write(gap)
        gap = "\n"
        if title:
            heading = printable(title)
            heading = "\n".join(wrapped(heading, width)) if stream.isatty() else heading
            click.echo(_title(heading, layout), file=stream)
        if text:
            click.echo(text, file=stream)


def _parts(drawn: TextTable | Sheet, layout: str, width: int) -> Iterator[tuple[str, str]]:
    """Yield the titles of a drawing's parts, each with the text beneath it."""
    if isinstance(drawn, TextTable):
        # Text from a file must not control the terminal or change the Markdown layout.
        safe = escaped(drawn, _escaped if layout == "markdown" else printable)
        yield drawn.title, _drawn(safe, layout, width) if drawn.rows else ""
    elif layout == "table":
        if drawn.title:
            yield drawn.title, ""
        for title, lines in drawn.blocks(width):
            yield title, "\n".join(map(painted, lines))
    elif layout == "html":
        yield "", drawn.html()
    else:
        # Suits are letters in LaTeX, which needs extra packages for the symbols.
        for table in replace(drawn, symbols=drawn.symbols and layout != "latex").tables():
            yield from _parts(table, layout, width)


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


def _drawn(table: TextTable, layout: str, width: int) -> str:
    if layout == "table":
        return "\n".join(map(painted, table_lines(table, width)))
    text = tabulated(table, LAYOUTS[layout])
    # Remove the padding of the cells.
    return re.sub("(?<=>) +| +(?=</)", "", text) if layout == "html" else text
