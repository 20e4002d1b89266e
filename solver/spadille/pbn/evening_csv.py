"""Converts a CSV table of an evening, with a row per deal, to a hand file without cards.

The first row names the columns, which may be in any order; `score --format csv` writes such a
table. Each fault is reported at the position of its cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from spadille.base.errors import RulesError
from spadille.games import get_game
from spadille.pbn.document import Document, escape
from spadille.pbn.parse_document import parse

TABLES = (".csv", ".tsv")
"""The file name suffixes of tables."""

_CELL = re.compile(r'("(?:[^"]|"")*"|[^\r\n,;\t]*)([,;\t]|\r\n|\r|\n|\Z)')
_COLUMNS = {
    **dict.fromkeys(("deal", "board"), "Board"),
    **dict.fromkeys(("pool", "pool before"), "Pool"),
    **dict.fromkeys(("tricks", "tricks won", "result"), "Result"),
    "current trump": "CurrentTrump",
    "from hand": "FromHand",
    **{
        name.lower(): name
        for name in ("Game", "Rules", "Dealer", "Declarer", "Contract", "Trump", "Called")
    },
    **{name.lower(): name for name in ("Partner", "Penalty", "Surrender")},
}
_NAMES = {"n": "North", "e": "East", "s": "South", "w": "West"}

TableCell = tuple[str, int]  # the text of the cell and its offset


def evening_document(text: str, game: str | None = None) -> Document:
    """Read a table; `game` applies to rows without one. The reader reports the faults.

    Each row is a deal, with its contract, result and players; docs/score.md describes the columns.
    """
    rows = list(_rows(text))
    names = [_plain(name) for name, _ in rows[0]] if rows else []
    pieces: list[str] = []
    moves: list[tuple[int, int]] = []
    length = 0
    for row in rows[1:]:
        for tag, (value, offset) in _tags(dict(zip(names, row, strict=False)), row[0][1], game):
            head = f'[{tag} "'
            piece = f'{head}{escape(value)}"]\n'
            start = length + len(head)
            moves += [(length, offset - length), (start, offset - start)]
            pieces.append(piece)
            length += len(piece)
        pieces.append("\n")
        length += 1
    return parse("".join(pieces), moves, text)


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[_\s-]+", " ", name.replace("\ufeff", "")).lower().split())


def _rows(text: str) -> Iterator[list[TableCell]]:
    """Yield the rows that are not empty; the first row determines the separator."""
    delimiter = next(iter(re.findall(r"[,;\t]", text.partition("\n")[0])), ",")
    row: list[TableCell] = []
    at = 0
    piece, start = "", 0
    while at <= len(text):
        match = _CELL.match(text, at)
        if match is None:  # text after a closing quote
            match = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)").match(text, at)
            assert match is not None
        cell, end = match.groups()
        piece += cell
        at = match.end()
        if end in (",", ";", "\t") and end != delimiter:
            piece += end
            continue
        quoted = piece[:1] == '"' == piece[-1:] and len(piece) > 1
        value = piece[1:-1].replace('""', '"') if quoted else piece.strip()
        row.append((value, start + quoted))
        piece, start = "", at
        if end != delimiter:
            if any(said for said, _ in row):
                yield row
            row = []
        if not end:
            return


def _tags(
    cells: Mapping[str, TableCell], start: int, game: str | None
) -> Iterator[tuple[str, TableCell]]:
    """Yield the tags of a deal."""
    said = {name: cell for name, cell in cells.items() if cell[0]}
    tags: dict[str, TableCell] = {}
    for name, cell in said.items():
        tag = _COLUMNS.get(name)
        if tag == "Result" and not cell[0].isdecimal():
            tag = "Tricks"  # several seats in one cell: "N:5;E:3"
        if tag is not None:
            tags[tag] = cell
    seats = _seats(tags["Game"][0] if "Game" in tags else game)
    if seats:
        tags["Deal"] = f"{seats[0]}:{' '.join('-' * len(seats))}", start
    for seat in seats:
        seat_tag = _NAMES.get(seat.lower(), f"Player{seat}")
        for name in (seat.lower(), f"player {seat.lower()}", seat_tag.lower()):
            # A number in a column named after a seat alone is a score, not a name.
            if name in said and not re.fullmatch(rf"{seat}|[+-]?[0-9.]+", said[name][0]):
                tags[seat_tag] = said[name]
    if "players" in said:
        text, offset = said["players"]
        for seat, player in zip(seats, re.split(r"[,/;]", text), strict=False):
            tags.setdefault(_NAMES.get(seat.lower(), f"Player{seat}"), (player.strip(), offset))
    for tag, column in (("Tricks", "tricks"), ("Paid", "points")):
        parts = [(seat, said.get(f"{column} {seat.lower()}")) for seat in seats]
        known = [(seat, cell) for seat, cell in parts if cell is not None]
        if known:
            value = ";".join(f"{seat}:{cell[0]}" for seat, cell in known)
            tags[tag] = value, known[0][1][1]
    if "Contract" not in tags and "Declarer" not in tags:
        tags["Contract"] = "Pass", start
    yield from tags.items()


def _seats(game: str | None) -> Sequence[str]:
    try:
        return get_game(game or "").seats
    except RulesError:
        return ()
