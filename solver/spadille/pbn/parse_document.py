"""Parse hand files in Portable Bridge Notation 2.1 (import format) without loss.

Text that cannot be parsed is kept. Syntax faults are recorded with their game and never raised, and
reading continues after them.

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
from bisect import bisect_right
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from errno import EILSEQ

from spadille.base.errors import Fault, Faults
from spadille.pbn.document import (
    EOL,
    LINE_START,
    MANDATORY,
    STRING,
    Document,
    PbnGame,
    Tag,
    unescape,
)
from spadille.pbn.syntax_faults import (
    RULES,
    diagnose,
    file_fault,
    message,
    with_visible_spaces,
)
from spadille.pbn.tag_names import OURS

# One token in a file; `lastindex` gives its kind. Tag pairs and comments include a line ending, so
# that the text after them begins at the start of its line.
_TOKEN = re.compile(
    rf"""
      \[\s*([A-Za-z0-9_]+)\s*{STRING}\s*\](?:[ \t]*{EOL})?
    | ({LINE_START}[ \t\v\f]*{EOL})
    | ((?:{LINE_START}%|;)[^\r\n]*{EOL}?|\{{[^}}]*\}}(?:[ \t]*{EOL})?)
    | ({STRING}|[^\s\[\]{{}};"][^\[\]{{}};"\r\n]*)
    | {EOL}|[ \t\v\f]+
    | ([\[\]{{}}"])
    """,
    re.ASCII | re.VERBOSE,
)
_TOKEN_UNCLOSED = re.compile(_TOKEN.pattern.replace(r"\{[^}]*\}", r"(?!)"), _TOKEN.flags)
_TAG, _BLANK, _COMMENT, _DATA, _BAD = 2, 3, 4, 5, 7

_SEMI_EMPTY = re.compile(rf"{EOL}[ \t\v\f]*{EOL}", re.ASCII)
_TAG_LINE = re.compile(rf'(?:{EOL}|\A\{{)\[[ \t]*[A-Za-z0-9_]+[ \t]*"', re.ASCII)
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_WITH_SECTION = {"Auction", "Play", "OptimumResultTable", "OptimumPlayTable"}
# Tags of other programs may have sections.
_NO_SECTION = frozenset({*MANDATORY, *OURS, "Note"} - _WITH_SECTION)


def parse(
    text: str, moves: Sequence[tuple[int, int]] = (), original: str | None = None
) -> Document:
    """Parse a string in PBN 2.1 import format (see `Document`); never raises."""
    document = Document(text, moves, original)
    if fault := file_fault(document.original):
        game = PbnGame(document, 0, 0)
        game.faults.append(fault)
        document.games.append(game)
        return document
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
    text = with_visible_spaces(text if len(text) <= 60 else text[:57] + "...")
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
