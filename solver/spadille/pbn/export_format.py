"""Hand files in PBN 2.1 export format, the canonical text of a file.

Mandatory tags come in the order of the standard, with "?" for unknown values, but without a Board
tag if there was none (programs reject boards without numbers). The other tags follow by name, then
Auction, Play and the supplemental sections. Each tag has its own line, single spaces separate
tokens, and lines of calls and cards stay under 80 characters (PBN 2.3, 3.1-3.8). Comments and
escape lines stay with the tag, call or card they follow. Unreadable text is kept.

Inherited values are written out. If that would make the file many times longer, it is copied
unchanged. A game with syntax faults is also copied, because its meaning is unknown. Only the values
it inherits are written into it, since the formatted games before it no longer pass them on. If the
export of a game fails, the game gets an "internal" fault and is copied, too. Text without any tag
is not a hand file, and is returned unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from spadille.base.card_text import without_variation_selectors
from spadille.base.errors import Fault, RulesError, SpadilleError, attempt
from spadille.base.names_in_input import read_seat, read_trump
from spadille.games import get_game, rules_for
from spadille.games.model.game import Rules
from spadille.pbn.canonical_values import (
    canonical_value,
    card_or,
    contract_of,
    seat_of,
    seats_in_turn,
)
from spadille.pbn.document import MANDATORY, Document, PbnGame, Tag, escape
from spadille.pbn.parse_document import parse
from spadille.pbn.syntax_faults import file_fault

HEADER = "% PBN 2.1\n% EXPORT\n"

_WIDTH = 79
_SYMBOLS = tuple("♠♥♦♣♤♡♢♧")
_MOST_INHERITED = 1 << 20  # limit for inherited characters that are written out
# A header line, and the indentation of the next line.
_HEADER = re.compile(
    r"%[ \t\v\f]*(?:PBN[ \t\v\f]+[\d.]+|EXPORT)[ \t\v\f]*(?:[\r\n]+[ \t\v\f]*|$)", re.ASCII
)
_COLUMN = re.compile(r"[+-]?[^\\]*(?:\\([0-9]{1,3})([LR]?))?")
_BID = re.compile(r"[1-7](?:[SHDC]|NT)", re.IGNORECASE)
_CALLS = {"pass": "Pass", "ap": "AP", "x": "X", "xx": "XX"}
_SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")


def export(document: Document, game: str | None = None, newline: str = "\r\n") -> str:
    """Return a document, including edits, in export format.

    Export is idempotent. `game` applies to deals without a Game tag.
    """
    if file_fault(document.original):
        return document.original  # any change to a file that is not text would damage it
    text = document.text
    if text != document.source:
        document = parse(text)
    if text and not _is_hand_file(document):
        return text
    if '"#' in document.source:
        copied = _whole(_copy(pbn_game) for pbn_game in document.games)
        again = parse(copied)
        if again.inherited > max(_MOST_INHERITED, len(copied)):
            return copied.replace("\n", newline)
    return _whole(_blocks(document, game)).replace("\n", newline)


def _is_hand_file(document: Document) -> bool:
    """Return whether a document begins with a tag, or some deal in it has valid notation.

    Source code that quotes deals usually meets neither condition.
    """
    games = document.games
    if not all(map(_is_unclear, games)):
        return True
    if not games or not games[0].tags:
        return False
    fault = games[0].faults[0]
    return document.position(games[0].tags[0].start) < (fault.line or 0, fault.column or 0)


def _is_unclear(game: PbnGame) -> bool:
    """Return whether a game has faults in its notation, and can only be copied."""
    return any(fault.code != "nothing-to-inherit" for fault in game.faults)


def _whole(blocks: Iterable[str]) -> str:
    return (HEADER + "\n\n".join(blocks)).rstrip("\n") + "\n"


def _blocks(document: Document, game: str | None) -> Iterator[str]:
    comments = _Comments(document)
    for pbn_game in document.games:
        unclear = _is_unclear(pbn_game)
        before = comments.located(pbn_game.start if unclear else pbn_game.tags[0].start)
        block = attempt(partial(_copied if unclear else _written, pbn_game, game, comments))
        if isinstance(block, SpadilleError):
            pbn_game.faults.append(_internal(pbn_game, block))
            before = [comment for comment in before if comment[0] < pbn_game.start]
            block, unclear = [_copy(pbn_game)], True
        if unclear:
            comments.before(pbn_game.end)
        lines = [*(text for _, text in before), *block]
        yield "\n".join(lines)
    rest = comments.before(len(document.source))
    if rest:
        yield "\n".join(rest)


def _written(game: PbnGame, default: str | None, comments: _Comments) -> list[str]:
    return list(_game(game, _rules(game, default), comments))


def _copied(game: PbnGame, default: str | None, comments: _Comments) -> list[str]:
    return [_copy(game, _inheritance(game, _rules(game, default), comments))]


def _internal(game: PbnGame, error: SpadilleError) -> Fault:
    line, column = game.document.position(game.start)
    return Fault(error.code, str(error), line=line, column=column)


class _Comments:
    """The comments and escape lines of a document, consumed in order."""

    def __init__(self, document: Document) -> None:
        self._waiting = [
            (offset, _clean(text))
            for offset, text in document.comments
            if not _HEADER.fullmatch(text)
        ]
        self._waiting.reverse()

    def located(self, offset: int) -> list[tuple[int, str]]:
        """Take the remarks that start before an offset, with their own offsets."""
        taken = []
        while self._waiting and self._waiting[-1][0] < offset:
            taken.append(self._waiting.pop())
        return taken

    def before(self, offset: int) -> list[str]:
        """Take the remarks that start before an offset."""
        return [text for _, text in self.located(offset)]


def _clean(text: str) -> str:
    """Normalize line endings in a piece of the file, and remove tabs and trailing spaces."""
    lines = re.split(r"\r\n?|\n", re.sub(r"[\t\v\f]", " ", text))
    return "\n".join(line.rstrip(" ") for line in lines).strip("\n")


def _copy(game: PbnGame, insertions: Iterable[tuple[int, int, str]] = ()) -> str:
    """Copy a game with pieces of its text replaced."""
    document = game.document
    start = game.start
    # The header is written separately; it may only precede the first tag.
    while document.at_line_start(start) and (header := _HEADER.match(document.source, start)):
        start = header.end()
    at_line_start = document.at_line_start(start)
    pieces = []
    for at, stop, new in insertions:
        pieces += [document.source[start:at], new]
        start = stop
    text = _clean("".join(pieces) + document.source[start : game.end])
    return text if at_line_start else _not_escaped(text)


def _inheritance(
    game: PbnGame, rules: Rules | None, comments: _Comments
) -> Iterator[tuple[int, int, str]]:
    """Yield the replacements for inherited parts: the old start and end, and the new text."""
    if not game.tags:
        return

    def written(tag: Tag) -> list[str]:
        if (
            tag.name == "Contract" and tag.value[:1] != "#"
        ):  # its canonical form may also need a Trump tag
            return [f'[Contract "{escape(tag.value)}"]']
        return [*_tag(game, tag, tag, rules, comments, -1)]

    lines = [line for tag in _heirlooms(game) for line in written(tag)]
    if lines:
        first = game.document.before_indent(game.tags[0].start)
        before = "" if game.document.at_line_start(first) else "\n"
        yield first, first, before + "\n".join(lines) + "\n"
    for tag in sorted(game.first.values(), key=lambda tag: tag.start):
        if tag.name == "Note" or game.document.source[tag.value_start : tag.stop] != "#":
            continue
        pair, *rows = written(game.names[tag.name])
        yield tag.start, tag.end, "\n".join([pair] if tag.body else [pair, *rows])


def _heirlooms(game: PbnGame) -> list[Tag]:
    """Return the tags that a game inherits from earlier games."""
    return [tag for name, tag in game.names.items() if name not in game.first]


def _rules(game: PbnGame, default: str | None) -> Rules | None:
    """Return the rules of a game without invalid options, or None if the game is unknown."""
    try:
        known = get_game(game.get("Game") or default or "")
    except RulesError:
        return None
    try:
        return rules_for(known.id, game.get("Rules"))
    except RulesError:
        return rules_for(known.id)


def _game(game: PbnGame, rules: Rules | None, comments: _Comments) -> Iterator[str]:
    """Return the lines of a game, beginning with its first tag."""
    identification: list[tuple[str, list[str]]] = []
    sections: list[tuple[bool, list[str]]] = []
    noted: list[str] | None = None  # the lines of the Auction or Play section to which notes belong
    ends = [*(tag.start for tag in game.tags[1:]), game.end]
    inherited = _heirlooms(game)
    for tag, end in [*zip(game.tags, ends, strict=True), *((tag, -1) for tag in inherited)]:
        counts = tag if tag.name == "Note" else game.names[tag.name]
        lines = [*_tag(game, tag, counts, rules, comments, end)]
        if tag.name == "Note" and noted is not None:
            noted += lines
        elif tag.name in ("Auction", "Play"):
            noted = lines
            sections.append((False, lines))
        else:
            noted = None
            if tag.body or counts.body or tag.name.endswith("Table"):
                sections.append((True, lines))
            else:
                identification.append((tag.name, lines))
    tags = dict(identification)
    trump = contract_of(game, rules)[1]
    if trump is not None and "Trump" not in tags:
        identification.append(("Trump", [f'[Trump "{trump}"]']))
    for name in MANDATORY:
        yield from tags.get(name, [] if name == "Board" else [f'[{name} "?"]'])
    for name, lines in sorted(identification):
        if name not in MANDATORY:
            yield from lines
    for _, lines in sorted(sections):
        yield from lines


def _tag(
    game: PbnGame, tag: Tag, counts: Tag, rules: Rules | None, comments: _Comments, end: int
) -> Iterator[str]:
    """Return the lines of a tag, its section and its comments; its value comes from `counts`."""
    if tag.name in ("Auction", "Play"):
        first, rows = _calls(game, tag, counts, rules, comments, end)
        yield f'[{tag.name} "{escape(first)}"]'
        yield from rows
    else:
        yield f'[{tag.name} "{canonical_value(game, counts, rules)}"]'
        yield from _section(tag, counts, comments, end)


# Sections


def _section(tag: Tag, counts: Tag, comments: _Comments, end: int) -> Iterator[str]:
    """Return the text after a tag other than Auction and Play: its section and its comments."""
    holder = tag if tag.body else counts
    if tag.body:
        yield from comments.before(tag.body)
    if holder.body:
        inside = comments.before(tag.body_end) if tag.body else []
        rows = None if inside else _table(holder, counts.value)
        source = holder.document.source
        yield from rows or [_not_escaped(_clean(source[holder.body : holder.body_end]))]
    yield from comments.before(end)


def _table(tag: Tag, header: str) -> list[str] | None:
    """Return a table in columns as wide as its tag says, or None if it is irregular."""
    columns = [_COLUMN.fullmatch(column) for column in header.split(";")]
    tokens = [token for token, _ in tag.table_tokens()]
    plain = re.findall(r"\S+", tag.document.source[tag.body : tag.body_end], re.ASCII)
    if tokens != plain or len(tokens) % len(columns) or len(columns) == 1:
        return None
    rows = []
    for start in range(0, len(tokens), len(columns)):
        row = []
        for token, column in zip(tokens[start : start + len(columns)], columns, strict=True):
            width = int(column[1] or 0) if column is not None else 0
            right = column is not None and column[2] == "R"
            row.append(token.rjust(width) if right else token.ljust(width))
        rows.append(_not_escaped(" ".join(row).rstrip(" ")))
    return rows


def _not_escaped(line: str) -> str:
    """Keep a line that begins with a percent sign from becoming an escape line."""
    return " " + line if line.startswith("%") else line


# Auction and Play

_Cell = tuple[list[str], list[str]]  # tokens (the call or card with its annotations), and remarks


def _calls(
    game: PbnGame, tag: Tag, counts: Tag, rules: Rules | None, comments: _Comments, end: int
) -> tuple[str, list[str]]:
    """Return the first seat and the lines of an Auction or Play section."""
    holder = tag if tag.body else counts
    tokens = holder.play_tokens() if holder.body else []
    items = [(at, token, False) for token, at in tokens]
    items += [(at, text, True) for at, text in comments.located(end)]
    play = tag.name == "Play"
    ordered = sorted(items, key=lambda item: item[0])
    cells = [cell for cell in _cells(ordered, play) if any(cell)]
    turn = seats_in_turn(rules)
    first = seat_of(counts.value.strip(), turn)
    dealer = read_seat(game.get("Dealer") or "")
    if not play and first in turn and dealer in turn:
        # Before eldest's first call, a dash is a blank column; after it, a missing call.
        eldest = dealer if rules is None else rules.eldest(dealer)
        ahead, blank = ((turn.index(to) - turn.index(first)) % len(turn) for to in (dealer, eldest))
        if ahead <= blank and cells[:blank] == [(["-"], [])] * blank:
            first, cells = dealer, cells[ahead:]
    return first, _rows(cells, len(turn))


def _cells(items: Iterable[tuple[int, str, bool]], play: bool) -> Iterator[_Cell]:
    """Group the tokens by call or card; the first cell may have only remarks."""
    cell: list[str] = []
    notes: list[str] = []
    nags: list[str] = []
    remarks: list[str] = []
    marks: list[str] = []
    for _, text, remark in items:
        if remark:
            remarks.append(text)
        elif text[0] == "^" and len(text) > 1:
            marks.append(text.upper())
        elif text in _SUFFIXES:
            nags.append(str(_SUFFIXES.index(text) + (7 if play else 1)))
        elif text[0] == "=" and len(text) > 1:
            notes.append(text)
        elif text[0] == "$" and len(text) > 1:
            nags.append(text[1:].lstrip("0") or "0")
        else:
            yield cell + notes + _in_order(nags), remarks
            cell, notes, nags, remarks = [*marks, _call(text, play)], [], [], []
            marks.clear()
    yield cell + notes + _in_order(nags) + marks, remarks


def _in_order(nags: list[str]) -> list[str]:
    return ["$" + nag for nag in sorted(nags, key=lambda nag: (len(nag), nag))]


def _call(text: str, play: bool) -> str:
    if play:
        return card_or(text, text)
    if _BID.fullmatch(text):
        return text.upper()
    if text[0] in _SYMBOLS:
        return card_or(text, text)
    word, dash, symbol = text.rpartition("-")
    if word and without_variation_selectors(symbol) in _SYMBOLS:
        return word + dash + read_trump(symbol)
    return _CALLS.get(text.lower(), text)


def _rows(cells: Iterable[_Cell], size: int) -> list[str]:
    """Return cells in rows of `size`, each row on as many lines as it needs."""
    lines: list[str] = []
    line = ""

    def flush() -> None:
        nonlocal line
        if line:
            lines.append(line)
        line = ""

    def put(text: str) -> None:
        nonlocal line
        if len(line) + 1 + len(text.partition("\n")[0]) > _WIDTH:
            flush()
        *done, line = (f"{line} {text}" if line else text).split("\n")
        lines.extend(done)

    count = 0
    started = False
    for tokens, remarks in cells:
        if count >= size or tokens == ["*"]:
            flush()
            count = 0
        for token in tokens:
            put(token if line else _not_escaped(token))
        count += size if tokens == ["*"] else bool(tokens)
        started = started or bool(tokens)
        for remark in remarks:
            if remark[0] == "%":
                flush()
            put(remark)
            if remark[0] in ";%" or not started:
                flush()
    flush()
    return lines
