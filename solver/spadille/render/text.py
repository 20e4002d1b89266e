"""Text for people: suits as symbols or letters, in colour or without, columns that line up.

Widths are those of a terminal: colours take no columns, some letters of names take two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from spadille.cards import SUITS

SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))
RED = frozenset("HD")
GAP = 2  # columns between two cells; one where there is no room

_STYLE = re.compile("\x1b\\[[0-9;]*m")
_RED, _BOLD, _END = "\x1b[31m", "\x1b[1m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Pen:
    """How suits and what stands out are written."""

    symbols: bool = True
    color: bool = False

    def suit(self, suit: str, ranks: str = "") -> str:
        """Write a suit, and what stands behind it in its colour; "NT" stays as it is."""
        text = (SYMBOLS.get(suit, suit) if self.symbols else suit) + ranks
        return f"{_RED}{text}{_END}" if self.color and suit in RED else text

    def card(self, card: str) -> str:
        """Write a card, "♥Q"."""
        return self.suit(card[0], card[1:])

    def strong(self, text: str) -> str:
        """Write what stands out."""
        return f"{_BOLD}{text.replace(_END, _END + _BOLD)}{_END}" if self.color else text


LETTERS = Pen(symbols=False)


def columns(text: str) -> int:
    """Count the columns a text takes in a terminal."""
    plain = _STYLE.sub("", text)
    if plain.isascii():
        return len(plain)
    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in plain
    )


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text with blanks to a width, `right`: before it."""
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks


def lined_up(rows: Iterable[Sequence[str]], width: int, right: Iterable[int] = ()) -> list[str]:
    """Write rows of cells as lines, in columns; those in `right` end at the same place.

    The gaps are narrower where `width` asks for it.
    """
    found = [list(row) for row in rows]
    widths = [max(map(columns, column)) for column in zip(*found, strict=True)]
    gap = GAP if sum(widths) + GAP * (len(widths) - 1) <= width else 1
    ends = set(right)
    return [
        (" " * gap)
        .join(padded(cell, widths[place], right=place in ends) for place, cell in enumerate(row))
        .rstrip()
        for row in found
    ]
