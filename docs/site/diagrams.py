"""Directives that draw a game: `{seats} GAME` the table, `{ranking} GAME` the cards.

Pages have text in their place, for readers on GitHub.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from math import cos, pi, sin
from typing import ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import spadille
from spadille.base.card_text import SUIT_NAMES, SUITS
from spadille.render.text import SYMBOLS

PART = re.compile(r"<!-- (seats|ranking|live): ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)
CELL = re.compile(
    r"^(```{code-cell} python\n.*?^```\n)\n```text\n.*?^```\n", re.MULTILINE | re.DOTALL
)


class Drawn(SphinxDirective):
    """A directive whose argument is a game."""

    required_arguments = 1
    option_spec: ClassVar = {}

    def run(self) -> list[nodes.Node]:
        """Return the drawing; an unknown game fails the build."""
        if self.arguments[0] not in spadille.GAMES:
            raise self.error(f"no game {self.arguments[0]!r}")
        return self.drawn(spadille.rules_for(self.arguments[0]))

    def drawn(self, rules: spadille.Rules) -> list[nodes.Node]:
        """Return the drawing of these rules."""
        raise NotImplementedError


class Seats(Drawn):
    """The table: the dealer, the eldest player, who leads, and the direction of play."""

    def drawn(self, rules: spadille.Rules) -> list[nodes.Node]:
        """Draw the table as SVG."""
        return [nodes.raw("", "".join(_table(rules)), format="html")]


def _table(rules: spadille.Rules) -> Iterator[str]:
    seats = rules.seats
    dealer = "S" if "S" in seats else seats[0]
    eldest = rules.eldest(dealer)
    clockwise = rules.options["rotation"] == "cw"
    way = "clockwise" if clockwise else "counterclockwise"
    label = f"{len(seats)} players; play goes {way}; the player after the dealer is eldest."
    yield f'<svg class="seats" viewBox="0 0 320 200" role="img" aria-label="{label}">'
    yield '<ellipse cx="160" cy="100" rx="92" ry="52" class="felt"/>'
    head = "M 216 110 l 8 10 l 5 -13 z" if clockwise else "M 104 110 l -8 10 l -5 -13 z"
    yield f'<path d="M 98 112 A 66 34 0 1 1 222 112" class="way"/><path d="{head}" class="head"/>'
    first = seats.index("N") if "N" in seats else seats.index(dealer)
    turn = 0 if "N" in seats else pi
    for number, seat in enumerate((*seats[first:], *seats[:first])):
        angle = turn + 2 * pi * number / len(seats)
        x, y = 160 + 122 * sin(angle), 96 - 74 * cos(angle)
        role = {dealer: "deals", eldest: "eldest"}.get(seat, "")
        yield f'<text x="{x:.0f}" y="{y:.0f}" class="seat">{seat}</text>'
        yield f'<text x="{x:.0f}" y="{y + 16:.0f}" class="role">{role}</text>'
    yield f'<text x="160" y="108" class="role">{way}</text></svg>'


class Ranking(Drawn):
    """The cards from high to low: one row for each order, with the names of the matadors."""

    def drawn(self, rules: spadille.Rules) -> list[nodes.Node]:
        """Draw trumps first, then plain suits."""
        trumps = {suit: rules.trump_cards(suit) for suit in SUITS}
        plain = {suit: rules.suits("H" if suit == "S" else "S")[suit] for suit in SUITS}
        names = [name.removeprefix("the ") for name in rules.game.matador_names]
        rows = [
            *_rows(trumps, "Trumps", names, matadors=rules.game.matadors),
            *_rows(plain, "Not trumps", [], matadors=0),
        ]
        return [nodes.raw("", f'<div class="ranking">{"".join(rows)}</div>', format="html")]


def _rows(
    suits: Mapping[str, tuple[str, ...]], title: str, names: list[str], *, matadors: int
) -> Iterator[str]:
    """Yield one row for each order; suits with the same ranks share a row."""
    orders: dict[tuple[str, ...], list[str]] = {}
    for suit, cards in suits.items():
        own = tuple(card[1] if card[0] == suit else card for card in cards)
        orders.setdefault(own, []).append(suit)
    for found in orders.values():
        which = "every suit" if len(found) == 4 else " or ".join(SUIT_NAMES[s] for s in found)
        cards = suits[found[0]]
        marks = dict(zip(cards[:matadors], names, strict=bool(matadors)))
        shown = "".join(_card(card, marks.get(card)) for card in cards)
        yield f'<p class="row"><b>{title}, {which}</b><span class="cards">{shown}</span></p>'


def _card(card: str, name: str | None) -> str:
    suit, rank = card
    mark = f"<small>{escape(name)}</small>" if name else ""
    face = f"{SYMBOLS[suit]}{rank.replace('T', '10')}"
    kind = f"card {suit.lower()}{' matador' if name else ''}"
    return f'<span class="{kind}"><span>{face}</span>{mark}</span> '


def _drawn(app: Sphinx, name: str, source: list[str]) -> None:
    """Replace the text for GitHub by drawings, and the outputs of a notebook by its own."""
    source[0] = CELL.sub(r"\1", PART.sub(r"```{\1} \2\n```", source[0]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives and the hook with Sphinx."""
    app.add_directive("seats", Seats)
    app.add_directive("ranking", Ranking)
    app.connect("source-read", _drawn)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
