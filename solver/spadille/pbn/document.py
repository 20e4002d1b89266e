"""The text of a hand file in Portable Bridge Notation 2.1 (import format), parsed without loss.

A `Document` contains games, tag pairs and sections with their places in the text, but knows no
rules of card games. Text that it cannot parse is kept. Syntax faults are recorded with their game
and never raised, and reading continues after them.

Where the standard leaves a choice:

- A game starts only after a semi-empty line (PBN 3). If a tag occurs twice in one game, the first
  one therefore counts (PBN 3.4), and the second is recorded as a fault. If the tags of a whole
  second deal follow, they are reported as a single fault: an empty line was forgotten.
- A block with only comments and escape lines is not a game. Successive blocks without tags form one
  game, which has the faults of all of them.
- "#" repeats the value and section that the same tag has in the previous game. "##value" sets the
  value for this game and every later game without that tag, until a game sets the tag without "##".
- A comment that is never closed ends at the next semi-empty line. The same holds if a comment
  contains a line that begins with a tag and, after that line, the start of another comment: the
  closing brace of the first comment was forgotten, and the next closing brace belongs to the second
  one. If a comment encloses whole deals without comments of their own, these deals are hidden.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from errno import EILSEQ

from spadille.base.errors import Fault, Faults
from spadille.pbn.syntax_faults import RULES, diagnose, message

_EOL = r"(?:\r\n|\r(?!\n)|\n)"
_LINE_START = r"(?:(?<![^\r\n])|(?<=\A\ufeff))"
_STRING = r'"([^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*)"'

# One token in a file; `lastindex` gives its kind. Tag pairs and comments include a line ending, so
# that the text after them begins at the start of its line.
_TOKEN = re.compile(
    rf"""
      \[\s*([A-Za-z0-9_]+)\s*{_STRING}\s*\](?:[ \t]*{_EOL})?
    | ({_LINE_START}[ \t\v\f]*{_EOL})
    | ((?:{_LINE_START}%|;)[^\r\n]*{_EOL}?|\{{[^}}]*\}}(?:[ \t]*{_EOL})?)
    | ({_STRING}|[^\s\[\]{{}};"][^\[\]{{}};"\r\n]*)
    | {_EOL}|[ \t\v\f]+
    | ([\[\]{{}}"])
    """,
    re.ASCII | re.VERBOSE,
)
_TOKEN_UNCLOSED = re.compile(_TOKEN.pattern.replace(r"\{[^}]*\}", r"(?!)"), _TOKEN.flags)
_TAG, _BLANK, _COMMENT, _DATA, _BAD = 2, 3, 4, 5, 7

_SKIP = rf"\s+|{_LINE_START}%[^\r\n]*|;[^\r\n]*|\{{[^}}]*\}}"
_SUIT = r"(?:[\u2660-\u2667]\ufe0f?)"
_WORD = rf"{_SUIT}?[A-Za-z0-9-]+{_SUIT}?"
_PLAY_TOKEN = re.compile(
    rf"{_SKIP}|(\$\d+|=\d+=|[!?]{{1,2}}|\^[A-Za-z]|[*+]|{_WORD}|{_STRING}|\S)", re.ASCII
)
_TABLE_TOKEN = re.compile(rf'{_SKIP}|({_STRING}|[^\s{{}};"]+|\S)', re.ASCII)
_SEMI_EMPTY = re.compile(rf"{_EOL}[ \t\v\f]*{_EOL}", re.ASCII)
_TAG_LINE = re.compile(rf'(?:{_EOL}|\A\{{)\[[ \t]*[A-Za-z0-9_]+[ \t]*"', re.ASCII)
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_SPACE = " \t\v\f\r\n"

# fmt: off
MANDATORY = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable",
    "Deal", "Scoring", "Declarer", "Contract", "Result",
)
# fmt: on
_NO_SECTION = frozenset(MANDATORY) | {"Note"}
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
            at = following.start
            while at and document.source[at - 1] in " \t\v\f":
                at -= 1
            if document.at_line_start(at):
                document.edit(at, at, pair + eol, name)
            else:
                document.edit(following.start, following.start, eol + pair + eol, name)
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
            lines = re.split(_EOL, section) if section else None
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
        self.newline = "\r\n" if "\r\n" in source else "\n"
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

    def edit(self, start: int, stop: int, new: str, key: str = "") -> None:
        """Replace `source[start:stop]`; a later edit with the same place and key supersedes it.

        If several texts are inserted in one place, the one without a key comes first.
        """
        self._edits[start, stop, key] = new

    def at_line_start(self, offset: int) -> bool:
        """Return whether an offset is at the start of the text or of a line."""
        before = self.source[max(0, offset - 1) : offset]
        return before in ("", "\r", "\n") or (before == "\ufeff" and offset == 1)

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
            ends = re.finditer(_EOL, self.original)
            self._line_starts = [0, *(end.end() for end in ends)]
        return self._line_starts


def parse(
    text: str, moves: Sequence[tuple[int, int]] = (), original: str | None = None
) -> Document:
    """Parse a string in PBN 2.1 import format (see `Document`); never raises."""
    document = Document(text, moves, original)
    _Parser(document).parse()
    for game in document.games:
        if not game.tags and game.faults and game.faults[0].code == "text-stray":
            unclosed = [fault for fault in game.faults if fault.code == "comment-unclosed"]
            game.faults = Faults([game.faults[0], *unclosed])  # not a hand file: reported once
        if len(game.tags) > len(game.first):
            _repeated(game)
    if '"#' in text:
        _inherit(document)
    return document


class _Parser:
    """Splits the text of a document into games, tags and comments."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text = document.source
        self._game: PbnGame | None = None
        self._tag: Tag | None = None
        self._start = -1  # of the next game: at the comments before its first tag
        self._over = False  # whether a semi-empty line follows the game
        self._stray_line = -1  # the last line whose stray text was reported
        self._unclosed = 0  # no comment that begins before this offset is closed

    def parse(self) -> None:
        """Read all tokens."""
        text = self._text
        position = 1 if text[:1] == "\ufeff" else 0
        # After the last closing brace, no comment can end, and searching for its end would take too
        # long.
        last_brace = text.rfind("}")
        while position < len(text):
            token, end = _TOKEN if position <= last_brace else _TOKEN_UNCLOSED, len(text)
            if position < self._unclosed:
                token, end = _TOKEN_UNCLOSED, self._unclosed
            position = self._tokens(token, position, end)
        if self._game is not None and not self._over:
            self._game.end = len(text)

    def _tokens(self, token: re.Pattern[str], position: int, end: int) -> int:
        """Read tokens up to `end` or to a mistake; return the offset where reading goes on."""
        for match in token.finditer(self._text, position, end):
            kind = match.lastindex
            if kind is None:
                continue
            if kind == _BLANK:
                self._blank(match.start())
                continue
            if self._start < 0:
                self._start = match.start()
            if kind == _COMMENT:
                swallowed = _swallowed(match.group())
                if swallowed:
                    self._unclosed = match.start() + swallowed
                    return match.start()
                self._document.comments.append((match.start(), match.group()))
                continue
            game = self._game
            if game is None or (self._over and (game.tags or kind == _TAG)):
                game = PbnGame(self._document, len(self._document.games), self._start)
                self._document.games.append(game)
                self._game = game
            self._over = False
            if kind == _TAG:
                self._pair(game, match)
            elif kind == _DATA:
                self._data(game, match)
            else:
                return _recover(game, match.start())
        return end

    def _blank(self, offset: int) -> None:
        if self._game is not None and not self._over:
            self._game.end = offset
        self._over = True
        self._tag = None
        self._start = -1

    def _pair(self, game: PbnGame, match: re.Match[str]) -> None:
        """Add a tag and its value to a game."""
        name, value = match.group(1, 2)
        if "\\" in value:
            value = unescape(value)
        tag = self._tag = Tag(self._document, name, value, match.start(), *match.span(2))
        game.tags.append(tag)
        game.first.setdefault(name, tag)

    def _data(self, game: PbnGame, match: re.Match[str]) -> None:
        """Add text to the section of the last tag, or report it."""
        tag = self._tag
        if tag is not None and tag.name not in _NO_SECTION:
            tag.body = tag.body or match.start()
            tag.body_end = match.end()
        elif not game.tags and any(fault.code == "text-stray" for fault in game.faults):
            pass  # not a hand file, or text before it: reported once
        elif (line := self._document.position(match.start())[0]) != self._stray_line:
            self._stray_line = line
            _record(game, "text-stray", match.start(), match.group())


def _swallowed(comment: str) -> int:
    """Return the offset where a comment without its closing brace should end; 0 if it has one."""
    inner = comment.rfind("{")
    if comment[0] != "{" or _TAG_LINE.search(comment, 0, inner) is None:
        return 0
    ends = [match.end() for match in _SEMI_EMPTY.finditer(comment, 0, inner)]
    return ends[-1] if ends else inner


def _recover(game: PbnGame, offset: int) -> int:
    """Record a misplaced token; return the offset at which reading continues."""
    source = game.document.source
    rest = _REST_OF_LINE.match(source, offset)
    assert rest is not None
    slip = diagnose(rest.group())
    _record(game, slip.code, offset + slip.at, rest.group(), slip.tag)
    if source[offset] != "{":
        return rest.end()
    gap = _SEMI_EMPTY.search(source, offset)
    return gap.start() if gap else len(source)


def _repeated(game: PbnGame) -> None:
    """Record the tags that occur twice in a game, and the places where another deal begins."""
    tags = [tag for tag in game.tags if tag.name != "Note"]
    names = [tag.name for tag in tags]
    several = len(names) > len({*names}) + 1  # repeated: another deal, not only one tag
    last = max((at for at, name in enumerate(names) if name == "Deal" and several), default=-1)
    seen: set[str] = set()
    for at, tag in enumerate(tags):
        if tag.name in seen:
            another = "Deal" in seen and at <= last
            code = "line-missing" if another else "tag-repeated"
            _record(game, code, tag.start, f"[{tag.name}", tag.name)
            if another:
                seen.clear()
        seen.add(tag.name)


def _record(game: PbnGame, code: str, offset: int, text: str, tag: str | None = None) -> None:
    if game.faults.full:
        game.faults.more += 1
        return
    line, column = game.document.position(offset)
    text = text if len(text) <= 60 else text[:57] + "..."
    rule = "PBN: " + RULES[code]
    game.faults.append(Fault(code, message(code, text), tag, text, rule, line=line, column=column))


class _Names(Mapping[str, Tag]):
    """The tags in effect for a game, including inherited ones.

    Values set with "##" are stored once for the whole document in `standing`, which lists for each
    name the games where a new value, or no value, begins to apply.
    """

    __slots__ = ("_index", "_own", "_standing")

    def __init__(self, own_tags: dict[str, Tag], index: int, standing: _Standing) -> None:
        self._own = own_tags
        self._index = index
        self._standing = standing

    def __getitem__(self, name: str) -> Tag:
        if name in self._own:
            return self._own[name]
        games, tags = self._standing[name]
        at = bisect_right(games, self._index)
        tag = tags[at - 1] if at else None
        if tag is None:
            raise KeyError(name)
        return tag

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from (name for name in self._standing if name not in self._own and name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


_Standing = dict[str, tuple[list[int], list[Tag | None]]]


def _inherit(document: Document) -> None:
    """Resolve the values "#" and "##...", which refer to earlier games."""
    previous: Mapping[str, Tag] = {}
    standing: _Standing = {}
    sizes: dict[str, int] = {}  # the names whose values apply
    total = 0
    for game in document.games:
        own_tags = dict(game.first)
        heirlooms = total - sum(sizes[name] for name in own_tags if name in sizes)
        game.names = _Names(own_tags, game.index, standing)
        for name, tag in game.first.items():
            if tag.value == "#":
                if name in previous:
                    own_tags[name] = previous[name]
                    document.inherited += _size(own_tags[name])
                else:
                    _record(game, "nothing-to-inherit", tag.value_start, "#", name)
                continue
            gives = tag.value.startswith("##")
            if gives:
                tag.value = tag.value[2:]
            if gives or name in standing:
                games, tags = standing.setdefault(name, ([], []))
                games.append(game.index)
                tags.append(tag if gives else None)
                total -= sizes.pop(name, 0)
            if gives:
                sizes[name] = _size(tag)
                total += sizes[name]
        document.inherited += heirlooms
        previous = game.names


def _size(tag: Tag) -> int:
    return tag.stop - tag.start + tag.body_end - tag.body


def decode(data: bytes) -> tuple[str, str]:
    """Decode a file; return the text with the encoding for writing it back.

    The encoding is UTF-16 after a byte order mark, UTF-8 if the bytes allow it, otherwise Latin-1,
    the character set of PBN (PBN 2.2). A byte order mark is kept in the text. Raises OSError for
    damaged UTF-16, such as a file that was cut in the middle of a character.
    """
    marks = {BOM_UTF16_LE: "utf-16-le", BOM_UTF16_BE: "utf-16-be"}
    encoding = marks.get(data[:2], "utf-8")
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise OSError(EILSEQ, "the file begins as UTF-16, but is cut off or damaged") from error
    return data.decode("latin-1"), "latin-1"
