"""Text for people: suits as symbols or letters, and cells that line up in columns.

Widths are counted in columns of a terminal, of which some letters of names take two. Colours come
last, see `painted`, so that nothing else need know of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import zip_longest
from unicodedata import category, east_asian_width

from spadille.base.card_letters import Letters
from spadille.base.card_text import SUITS
from spadille.base.record_text import CONTROL

SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))
GAP = 2  # columns between two cells; one where there is no room
_TEXT = 24  # so wide a column of text is still good to read
_WORD = 24  # a longer word is broken where that makes room
_INDENT = 4  # of what stands below, for want of room

_WINNER = re.compile(r"[♠♥♦♣][2-9TJQKA]\*")
_RED = re.compile(r"[♥♦][2-9TJQKA]*")


_LETTERS: ContextVar[Letters | None] = ContextVar("letters", default=None)


@contextmanager
def drawn_with(letters: Letters | None) -> Iterator[None]:
    """Draw cards with the letters of a language; None: in English."""
    token = _LETTERS.set(letters)
    try:
        yield
    finally:
        _LETTERS.reset(token)


def printable(text: str) -> str:
    """Write control characters as escapes: what a file says does not command the terminal."""
    return CONTROL.sub(lambda match: ascii(match.group())[1:-1], text)


def printable_lines(text: str) -> str:
    """Return a text of several lines with the control characters in each written as escapes."""
    return "\n".join(printable(line) for line in re.split(r"\r?\n", text))


def suit_text(suit: str, symbols: bool = True) -> str:
    """Write a suit as its symbol or its letter."""
    if symbols and suit in SYMBOLS:
        return SYMBOLS[suit]
    letters = _LETTERS.get()
    return letters.suits[suit][0].capitalize() if letters and suit in letters.suits else suit


def rank_text(rank: str) -> str:
    """Write a rank."""
    letters = _LETTERS.get()
    return letters.ranks.get(rank, (rank,))[0] if letters else rank


def card_text(card: str, symbols: bool = True) -> str:
    """Write a card, "♥Q" or "HQ"."""
    return suit_text(card[0], symbols) + rank_text(card[1:])


def cards_text(cards: Iterable[str], symbols: bool = True) -> str:
    """Write cards with blanks between them."""
    return " ".join(card_text(card, symbols) for card in cards)


def painted(line: str) -> str:
    """Put colours of a terminal into a line: red suits red, cards that win a trick bold."""
    line = _WINNER.sub("\x1b[1m\\g<0>\x1b[22m", line)
    return _RED.sub("\x1b[31m\\g<0>\x1b[39m", line)


def columns(text: str) -> int:
    """Count the columns a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    if category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Fill a text with blanks to a width, `right`: before it."""
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Break a text at blanks into lines, the later ones indented; long words break anywhere."""
    lines = [""]
    room = max(width, 2)
    for word in text.split():
        for number, piece in enumerate(_pieces(word, max(room - len(indent), 2))):
            line = f"{lines[-1]} {piece}" if lines[-1] and not number else piece
            if lines[-1].strip() and (number or columns(line) > room):
                lines.append(indent + piece)
            else:
                lines[-1] = line
    return lines


def _pieces(word: str, width: int) -> Iterator[str]:
    """Cut a word that is too long for a line, behind a hyphen if there is one."""
    while columns(word) > width:
        end, room = 0, width
        while end < len(word) and _columns(word[end]) <= room:
            room -= _columns(word[end])
            end += 1
        end = word.rfind("-", 1, end) + 1 or max(end, 1)
        yield word[:end]
        word = word[end:]
    yield word


def lined_up(rows: Iterable[Sequence[str]], width: int, right: Collection[int]) -> list[list[str]]:
    """Write rows of cells in columns, each row as one or more lines, no line wider than `width`.

    Cells in the columns `right` end at the same place; the first row is of headers, and a line is
    drawn beneath it. Where there is no room long texts are broken, then gaps are narrower; then
    what the last columns have stands in a line below, indented.
    """
    found = list(rows)
    natural = [max(map(columns, column)) for column in zip(*found, strict=True)]
    words = [
        min(max((columns(word) for cell in column for word in cell.split()), default=0), _WORD)
        for column in zip(*found, strict=True)
    ]
    spare = width - sum(natural) + max(natural) - GAP * (len(natural) - 1)
    gap = GAP if spare >= min(max(natural), _TEXT) else 1
    lines: list[list[str]] = [[] for _ in found]
    for group in _groups(words, width, gap):
        indent = " " * (_INDENT if group[0] else 0)
        room = width - len(indent) - gap * (len(group) - 1)
        widths = _fitting([natural[place] for place in group], [words[p] for p in group], room)
        ends = [place in right for place in group]
        for row, own in zip(found, lines, strict=True):
            cells = [row[place] for place in group]
            if not own or any(cells):
                own += [indent + line for line in _line(cells, widths, ends, gap)]
        if not indent:
            rule = (" " * gap).join("-" * each for each in widths)
    lines[0].append(rule)
    return lines


def _groups(words: Sequence[int], width: int, gap: int) -> list[range]:
    """Split the columns into those that find room in one line, no word broken."""
    groups, first, room = [], 0, width
    for place, word in enumerate(words):
        if place > first and room < word:
            groups.append(range(first, place))
            first, room = place, width - _INDENT
        room -= word + gap
    return [*groups, range(first, len(words))]


def _fitting(widths: list[int], words: Sequence[int], room: int) -> list[int]:
    """Make the widest columns narrower until all find room; words are broken last."""
    while sum(widths) > room and max(widths) > 1:
        loose = [place for place, each in enumerate(widths) if each > words[place]]
        # The last of the widest: it is there that texts stand.
        widest = max(loose or range(len(widths)), key=lambda place: (widths[place], place))
        widths[widest] -= 1
    return widths


def _line(
    cells: Sequence[str], widths: Sequence[int], ends: Sequence[bool], gap: int
) -> Iterator[str]:
    """Draw a row, in as many lines as its longest cell has."""
    broken = [
        [cell] if columns(cell) <= each else wrapped(cell, each)
        for cell, each in zip(cells, widths, strict=True)
    ]
    for line in zip_longest(*broken, fillvalue=""):
        placed = (
            padded(piece, width, right=end)
            for piece, width, end in zip(line, widths, ends, strict=True)
        )
        yield (" " * gap).join(placed).rstrip()
