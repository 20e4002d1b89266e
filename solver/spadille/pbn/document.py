"""The text of a hand file: its games, tags and sections with their places, and edits to them.

A `Document` knows no rules of card games. `parse_document` makes one of a text; an edit changes
nothing else in that text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from spadille.base.cached import cached_property
from spadille.base.card_text import VARIATION_SELECTORS
from spadille.base.errors import Faults

EOL = r"(?:\r\n|\r(?!\n)|\n)"
LINE_START = r"(?:(?<![^\r\n])|(?<=\A\ufeff))"
STRING = r'"([^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*)"'

_SKIP = rf"\s+|{LINE_START}%[^\r\n]*|;[^\r\n]*|\{{[^}}]*\}}"
_SUIT = rf"(?:[\u2660-\u2667][{VARIATION_SELECTORS}]?)"
_WORD = rf"{_SUIT}?[A-Za-z0-9-]+{_SUIT}?"
_PLAY_TOKEN = re.compile(
    rf"{_SKIP}|(\$\d+|=\d+=|[!?]{{1,2}}|\^[A-Za-z]|[*+]|{_WORD}|{STRING}|\S)", re.ASCII
)
_TABLE_TOKEN = re.compile(rf'{_SKIP}|({STRING}|[^\s{{}};"]+|\S)', re.ASCII)
_SPACE = " \t\v\f\r\n"

# fmt: off
MANDATORY = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable",
    "Deal", "Scoring", "Declarer", "Contract", "Result",
)
# fmt: on
_SECTIONS = frozenset({"Auction", "Play", "Note"})


def unescape(raw: str) -> str:
    r"""Unescape the text between the quotes of a tag value: \" is a quote, \\ is a backslash."""
    return re.sub(r'\\(["\\])', r"\1", raw)


def escape(value: str) -> str:
    """Escape a value for the text between quotes; tabs and line breaks become spaces."""
    clean = re.sub(r"[\t\r\n\v\f]", " ", value)
    # A backslash before any other character is kept, as in "Result\2R".
    clean = re.sub(r'\\(?=["\\]|$)', r"\\\\", clean)
    return clean.replace('"', '\\"')


class Tag:
    """A tag pair: `name`, `value` (unescaped), and the places of its value and its section."""

    # fmt: off
    __slots__ = (
        "_escapes", "_tokens", "body", "body_end", "document", "name", "record", "start", "stop",
        "value", "value_start",
    )
    # fmt: on

    def __init__(
        self, document: Document, name: str, value: str, start: int, value_start: int, stop: int
    ) -> None:
        self.document = document
        self.name = name
        self.value = value
        self.start = start  # of the opening bracket
        self.value_start = value_start  # after the opening quote
        self.stop = stop  # of the closing quote
        self.body = self.body_end = 0  # the start of the section; 0: none
        self._escapes: list[int] | None = None  # indexes in the value of characters written as two
        self._tokens: list[tuple[str, int]] | None = None  # shared by games that inherit it
        self.record: object = None  # cached by the reader of the section

    @property
    def end(self) -> int:
        """The offset after the closing bracket."""
        return self.document.source.index("]", self.stop) + 1

    def offset(self, index: int) -> int:
        """Return the offset in the text for the character at an index in the value."""
        source = self.document.source
        at = self.value_start
        if source.startswith("##", at):
            at += 2
        if self._escapes is None:
            escapes = enumerate(re.finditer(r'\\["\\]', source[at : self.stop]))
            self._escapes = [match.start() - number for number, match in escapes]
        return at + index + bisect_left(self._escapes, index)

    def play_tokens(self) -> list[tuple[str, int]]:
        """Tokenize an Auction or Play section, without comments; tokens come with their offsets."""
        if self._tokens is None:
            self._tokens = self._read(_PLAY_TOKEN)
        return self._tokens

    def table_tokens(self) -> list[tuple[str, int]]:
        """Tokenize a table (a supplemental section); tokens come with their offsets."""
        return self._read(_TABLE_TOKEN)

    def _read(self, pattern: re.Pattern[str]) -> list[tuple[str, int]]:
        matches = pattern.finditer(self.document.source, self.body, self.body_end)
        return [(m[1], m.start(1)) for m in matches if m[1] is not None]


class PbnGame:
    """One game in a document: its tags in order, and its syntax faults.

    `names` maps each tag name to the tag in effect: the first one in the game, or the one inherited
    from an earlier game. `first` has the game's own tags, in which "#" is not resolved.
    """

    # fmt: off
    __slots__ = ("document", "edited", "end", "faults", "first", "index", "names", "start", "tags")
    # fmt: on

    def __init__(self, document: Document, index: int, start: int) -> None:
        self.document = document
        self.index = index
        self.start = start
        self.end = start
        self.tags: list[Tag] = []
        self.first: dict[str, Tag] = {}
        self.names: Mapping[str, Tag] = self.first
        self.faults = Faults()
        self.edited: frozenset[str] = frozenset()  # names of the tags given a new value

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the value of a tag as it was read, including inherited tags."""
        tag = self.names.get(name)
        return default if tag is None else tag.value

    def own(self, name: str) -> Tag | None:
        """Return the game's own tag with this name, without inherited ones."""
        return self.first.get(name)

    def set_tag(self, name: str, value: str) -> None:
        """Give a tag a value, in place or as a new line after the other tags.

        Edits show up in the document's `text`; parse that text to read them back.
        """
        self._set(name, value, None)

    def set_section(self, name: str, value: str, lines: Iterable[str]) -> None:
        """Add a tag with a section (a table) at the end of the game, or replace an existing one."""
        self._set(name, value, lines)

    def _set(self, name: str, value: str, lines: Iterable[str] | None) -> None:
        self._keep_for_heirs(name)
        self._write(name, value, lines)

    def _write(self, name: str, value: str, lines: Iterable[str] | None) -> None:
        document = self.document
        eol = document.newline
        self.edited |= {name}
        rows = None if lines is None else "".join(eol + line for line in lines)
        tag = self.own(name)
        if tag is not None:
            document.edit(tag.value_start, tag.stop, escape(value))
            if rows is not None:
                document.edit(tag.end, tag.body_end or tag.end, rows)
            return
        pair = f'[{name} "{escape(value)}"]'
        following = next((t for t in self.tags if t.body or t.name in _SECTIONS), None)
        if rows is None and following is not None:
            # Comments belong to the tag before them, so a new tag goes right before the next tag.
            at = document.before_indent(following.start)
            before = "" if document.at_line_start(at) else eol
            document.edit(at, at, before + pair + eol, name)
        elif all(fault.code != "comment-unclosed" for fault in self.faults):
            # Nothing can be added after a comment that is never closed.
            at = self.start + len(document.source[self.start : self.end].rstrip(_SPACE))
            while document.source[at : at + 1] in (" ", "\t", "\v", "\f"):
                at += 1
            document.edit(at, at, eol + pair + (rows or ""), name)

    def _keep_for_heirs(self, name: str) -> None:
        """Before a tag changes, copy its old value into the next game if that game inherits it."""
        tag = self.names.get(name)
        if tag is None:
            return
        games = self.document.games
        for heir in map(games.__getitem__, range(self.index + 1, len(games))):
            if heir.names.get(name) is not tag or name in heir.edited:
                return
            section = self.document.source[tag.body : tag.body_end]
            lines = re.split(EOL, section) if section else None
            if heir.own(name) is None:
                heir._write(name, "##" + tag.value, lines)
                return  # and all later games inherit it from there
            heir._write(name, tag.value, lines)


class Document:
    """A hand file: `source` is the text as read, `text` the text with all edits.

    If `source` is a translation of an `original`, positions refer to the original; `moves` maps
    each offset in `source` to the shift of the text after it.
    """

    def __init__(
        self, source: str, moves: Sequence[tuple[int, int]] = (), original: str | None = None
    ) -> None:
        self.source = source
        self.original = source if original is None else original
        self._moves = moves
        self.games: list[PbnGame] = []
        self.comments: list[tuple[int, str]] = []  # comments and escape lines with their offsets
        self.inherited = 0  # number of characters that all games inherit from earlier games
        self._edits: dict[tuple[int, int, str], str] = {}
        self._line_starts: list[int] = []

    @property
    def text(self) -> str:
        """The whole text, equal to the parsed text if nothing was edited."""
        parts = []
        done = 0
        for (start, stop, _), new in sorted(self._edits.items()):
            parts += [self.source[done:start], new]
            done = stop
        return "".join(parts) + self.source[done:]

    @cached_property
    def newline(self) -> str:
        """The most frequent line ending; CRLF, as PBN prescribes, if there is none or in a tie."""
        crlf = self.source.count("\r\n")
        lf, cr = (self.source.count(sign) - crlf for sign in "\n\r")
        return max({"\r\n": crlf, "\n": lf, "\r": cr}.items(), key=itemgetter(1))[0]

    def edit(self, start: int, stop: int, new: str, key: str = "") -> None:
        """Replace `source[start:stop]`; a later edit with the same place and key supersedes it.

        If several texts are inserted in one place, the one without a key comes first.
        """
        self._edits[start, stop, key] = new

    def at_line_start(self, offset: int) -> bool:
        """Return whether an offset is at the start of the text or of a line."""
        before = self.source[max(0, offset - 1) : offset]
        return before in ("", "\r", "\n") or (before == "\ufeff" and offset == 1)

    def before_indent(self, offset: int) -> int:
        """Return the start of the line if only spaces precede an offset, otherwise the offset."""
        at = offset
        while at and self.source[at - 1] in " \t\v\f":
            at -= 1
        return at if self.at_line_start(at) else offset

    def position(self, offset: int) -> tuple[int, int]:
        """Return an offset's line and column, both from 1, in characters of the text as read."""
        if self._moves:
            number = bisect_right(self._moves, (offset, len(self.original)))
            offset += self._moves[number - 1][1] if number else 0
        line = bisect_right(self._starts(), offset)
        start = self._line_starts[line - 1]
        if start == 0 and self.original[:1] == "\ufeff":
            start = 1  # the byte order mark is not part of the first line
        return line, offset - start + 1

    def line(self, number: int) -> str:
        """Return a line by number, from 1, as read but without line ending or byte order mark."""
        start, *stop = self._starts()[number - 1 : number + 1]
        return (
            self.original[start : stop[0] if stop else None].rstrip("\r\n").removeprefix("\ufeff")
        )

    def _starts(self) -> list[int]:
        """Return the offset of each line, computed on first use."""
        if not self._line_starts:
            ends = re.finditer(EOL, self.original)
            self._line_starts = [0, *(end.end() for end in ends)]
        return self._line_starts
