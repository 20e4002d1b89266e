"""Hands, tables and paragraphs as HTML without scripts or style sheets.

Notebooks and pages use this HTML. All text is escaped. Red suits are readable on white and on
black; everything else uses the page's own colors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from spadille.core.deal import Deal
from spadille.games.model.deal_protocols import Hands
from spadille.render.diagram import (
    SEATING,
    UNKNOWN,
    heading,
    known_holdings,
    player_label,
    undealt_text,
)
from spadille.render.tables import TextTable, numeric
from spadille.render.text import SYMBOLS, printable

_RED = re.compile(r"[♥♦][2-9TJQKA]*")
_WINNER = re.compile(r"([♠♥♦♣][2-9TJQKA])\*")


def inline(text: str) -> str:
    """Write a string as HTML, with red suits in red and winning cards in bold."""
    safe = _WINNER.sub("<b>\\g<1></b>*", escape(printable(text)))
    return _RED.sub('<span style="color:#d33">\\g<0></span>', safe)


def table_html(table: TextTable) -> str:
    """Write a table; its title becomes the caption."""
    right = numeric(table)

    def row(cells: Iterable[object], kind: str) -> str:
        parts = []
        for place, cell in enumerate(cells):
            style = ' style="text-align: right;"' if place in right else ""
            parts.append(f"<{kind}{style}>{inline('' if cell is None else str(cell))}</{kind[:2]}>")
        return f"<tr>{''.join(parts)}</tr>"

    top = f"<caption>{inline(table.title)}</caption>\n" if table.title else ""
    lines = [row(cells, "td") for cells in table.rows]
    head = row(table.headers, 'th scope="col"')
    return "\n".join(
        [f"<table>\n{top}<thead>", head, "</thead>", "<tbody>", *lines, "</tbody>", "</table>"]
    )


def hands_html(
    deal: Deal,
    hands: Hands | None = None,
    *,
    seen: Hands | None = None,
    trump: str | None = None,
    names: Mapping[str, str] | None = None,
) -> str:
    """Draw hands around the table, like `spadille.render.diagram.hands_lines`."""
    held = deal.hands if hands is None else hands
    seats = deal.rules.seats
    rows = []
    for row in SEATING[len(seats)]:
        cells = []
        for place in row:
            seat = seats[place]
            known = known_holdings(deal.rules, held[seat], (seen or {}).get(seat), trump)
            cells.append(_hand(player_label(deal, seat, names), known, held[seat] is None))
        if len(seats) == 4:
            cells = ["", *cells, ""] if len(cells) == 1 else [cells[0], "", cells[1]]
        span = ' colspan="2"' if len(cells) == 1 else ""
        rows.append(
            "<tr>"
            + "".join(f'<td{span} style="text-align: left;">{cell}</td>' for cell in cells)
            + "</tr>"
        )
    return "\n".join(["<table>", *rows, "</table>"])


def _hand(label: str, known: Mapping[str, str], unknown: bool) -> str:
    lines = [f"<b>{inline(label)}</b>"]
    lines += [f"{inline(SYMBOLS[suit])} {inline(text)}" for suit, text in known.items()]
    return "<br>".join([*lines, UNKNOWN] if unknown else lines)


def paragraph(text: str) -> str:
    """Write a line of text."""
    return f"<p>{inline(text)}</p>"


def html_diagram(deal: Deal) -> str:
    """Draw a deal, like `spadille.render.diagram.diagram`."""
    parts = [paragraph(heading(deal)), hands_html(deal)]
    if text := undealt_text(deal):
        parts.append(paragraph(text))
    return "\n".join(parts)
