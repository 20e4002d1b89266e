"""Human-readable text: suits as symbols or letters, and lines of a given width.

Widths are in terminal columns; some characters take up two. `painted` adds colors last, so no other
code has to handle them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from spadille.base.card_languages import Letters
from spadille.base.card_text import SUITS
from spadille.base.json_lines_and_csv import CONTROL

SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))

_WINNER = re.compile(r"[♠♥♦♣][2-9TJQKA]\*")
_RED = re.compile(r"[♥♦][2-9TJQKA]*")


_LETTERS: ContextVar[Letters | None] = ContextVar("letters", default=None)


@contextmanager
def drawn_with(letters: Letters | None) -> Iterator[None]:
    """Draw cards with the letters of a language; None means English."""
    token = _LETTERS.set(letters)
    try:
        yield
    finally:
        _LETTERS.reset(token)


def printable(text: str) -> str:
    """Return a string with control characters escaped, so that text from a file is harmless."""
    return CONTROL.sub(lambda match: ascii(match.group())[1:-1], text)


def printable_lines(text: str) -> str:
    """Return a string of several lines with the control characters in each line escaped."""
    return "\n".join(printable(line) for line in re.split(r"\r?\n", text))


def excerpt(line: str, at: int, width: int) -> tuple[str, int]:
    """Return the part of a line around an index, and the column of the index in that part.

    Control characters are escaped. The part starts with the line, unless the index would then be in
    the last quarter of the width.
    """
    before = [printable(letter) for letter in line[max(0, at - width) : at]]
    room = width * 3 // 4
    if at > len(before) or columns("".join(before)) > room:
        while columns("".join(before)) > room:
            del before[0]
    shown = column = columns("".join(before))
    kept = before
    for letter in map(printable, line[at : at + width]):
        shown += columns(letter)
        if shown > width:
            break
        kept.append(letter)
    return "".join(kept), column


def suit_text(suit: str, symbols: bool = True) -> str:
    """Return a suit as its symbol or its letter."""
    if symbols and suit in SYMBOLS:
        return SYMBOLS[suit]
    letters = _LETTERS.get()
    return letters.suits[suit][0].capitalize() if letters and suit in letters.suits else suit


def rank_text(rank: str) -> str:
    """Return a rank in the letters of the current language."""
    letters = _LETTERS.get()
    return letters.ranks.get(rank, (rank,))[0] if letters else rank


def card_text(card: str, symbols: bool = True) -> str:
    """Return a card as "♥Q" or "HQ"."""
    return suit_text(card[0], symbols) + rank_text(card[1:])


def cards_text(cards: Iterable[str], symbols: bool = True) -> str:
    """Return cards with spaces between them."""
    return " ".join(card_text(card, symbols) for card in cards)


def painted(line: str) -> str:
    """Return a line with terminal colors: red suits in red, winning cards in bold."""
    line = _WINNER.sub("\x1b[1m\\g<0>\x1b[22m", line)
    return _RED.sub("\x1b[31m\\g<0>\x1b[39m", line)


def columns(text: str) -> int:
    """Return the number of terminal columns that a string takes up."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return wcswidth(text)


def padded(text: str, width: int) -> str:
    """Return a string padded on the right with spaces to the given width."""
    return text + " " * (width - columns(text))


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Break text at spaces into lines, all but the first indented; long words break anywhere."""
    from wcwidth import wrap

    return wrap(text, max(width, len(indent) + 2), subsequent_indent=indent) or [""]
