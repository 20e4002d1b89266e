"""Read hand files in pieces, so that a file of any size can be processed.

A `Passage` contains one or more complete games of a file. The deals read from the passages are the
same as those read from the whole file. The whole file is a single passage if games in it inherit
values ("#", PBN 3.5), or if it has control characters, because it may not be text at all.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from spadille.pbn.document import Document
from spadille.pbn.foreign_letters import parse_letters
from spadille.pbn.parse_document import decode

_BLOCK = 1 << 20  # bytes read at a time
_CONTROLS = bytes({*range(32)} - {*b"\t\n\v\f\r"})
_AHEAD = 1 << 16  # characters to read ahead before cutting off a game

_BLANKS = re.compile(r"(?:[ \t\v\f\r\n]*[\r\n])?")
_SEMI_EMPTY = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t\v\f]*(?:\r\n|\r(?!\n)|\n)")
_END_OF_LINE = re.compile(r"\r\n|\r|\n")
# A game that consists of one-line tags, as programs write it; such a game is unambiguous.
_PLAIN = re.compile(r'(?:\[[A-Za-z0-9_]+ "[^"\\\r\n]*"\]\n)+(?=\n)')
# Characters that begin a tag, a comment or an escaped line. If such a character follows an empty
# line, faults before that line cannot be due to the cut.
_BEGINS = frozenset("[{%;")


class Passage(NamedTuple):
    """Consecutive games of a file that can be read without the other games."""

    text: str
    line: int
    """The line at which the passage begins, counted from 0."""
    end: int
    """The approximate number of bytes of the file read so far."""
    document: Document | None
    """The parsed text; None for a game that consists of one-line tags."""


class _Survey(NamedTuple):
    encoding: str
    whole: bool


def passages(stream: BinaryIO, letters: str = "en") -> Iterator[Passage]:
    """Split a hand file, opened at its start, into passages; the stream must be seekable.

    `letters` is the language of the cards, as in `load`.
    """
    survey = _survey(stream)
    stream.seek(0)
    if survey.whole:
        data = stream.read()
        text, _ = decode(data)
        yield Passage(text, 0, len(data), parse_letters(text, letters))
        return
    yield from _Cutter(stream, survey.encoding, letters).passages()


def _survey(stream: BinaryIO) -> _Survey:
    """Read all bytes to detect the encoding, and whether the file must be read as a whole."""
    decoder = getincrementaldecoder("utf-8")()
    encoding, last = "utf-8", b""
    first = True
    while block := stream.read(_BLOCK):
        if first and block[:2] in (BOM_UTF16_LE, BOM_UTF16_BE):
            return _Survey("utf-16", True)
        first = False
        inherits = b'"#' in block or last + block[:1] == b'"#'
        if inherits or len(block.translate(None, _CONTROLS)) < len(block):
            return _Survey(encoding, True)
        last = block[-1:]
        if encoding == "utf-8":
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                encoding = "latin-1"
    if encoding == "utf-8":
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            encoding = "latin-1"
    return _Survey(encoding, False)


class _Cutter:
    """Cuts a stream into passages, reading only as far as needed."""

    def __init__(self, stream: BinaryIO, encoding: str, letters: str) -> None:
        self._stream = stream
        self._letters = letters
        self._decoder = getincrementaldecoder(encoding)()
        self._text = ""
        self._at = 0
        self._line = 0
        self._read = 0
        self._over = False

    def passages(self) -> Iterator[Passage]:
        while True:
            text, at = self._text, self._at
            if not text.startswith("[", at) or len(text) - at < _AHEAD:
                self._skip()
                text, at = self._text, self._at
                if at == len(text):
                    return
            match = _PLAIN.match(text, at)
            if match is not None and not (match.end() > len(text) - 2 and not self._over):
                end = match.end()
                passage = text[at:end]
                line = self._line
                self._at = end
                self._line += passage.count("\n")
                if text.startswith("\n[", end):  # the usual case
                    self._at += 1
                    self._line += 1
                yield Passage(passage, line, self._read - len(text) + end, None)
            else:
                yield self._cut()

    def _skip(self) -> None:
        """Move to the next line that is not empty, and make sure that enough text follows it."""
        while True:
            if len(self._text) - self._at < _AHEAD:
                self._more()
            blanks = _BLANKS.match(self._text, self._at)
            assert blanks is not None
            end = blanks.end()
            if self._at == 0 and self._line == 0 and self._text[:1] == "\ufeff":
                return
            if end == len(self._text) and not self._over and self._text[-1:] == "\r":
                end -= 1  # the buffer may end inside a line ending
            if end > self._at:
                self._line += len(_END_OF_LINE.findall(self._text[self._at : end]))
                self._at = end
            if self._over or len(self._text) - self._at >= _AHEAD:
                return

    def _more(self) -> bool:
        """Read more text; return False at the end of the file."""
        if self._over:
            return False
        block = self._stream.read(_BLOCK)
        self._over = not block
        self._read += len(block)
        self._text = self._text[self._at :] + self._decoder.decode(block, final=self._over)
        self._at = 0
        return not self._over

    def _cut(self) -> Passage:
        """Split off the games before an empty line that is not inside a comment or a tag."""
        size = 1
        # A byte order mark has a meaning only at the start of a file; an empty line before the mark
        # keeps it an ordinary character.
        lead = "\n" if self._line and self._text[self._at] == "\ufeff" else ""
        while True:
            end = self._empty_line(size)
            passage = self._text[self._at : end]
            last = self._over and end == len(self._text)
            document = parse_letters(lead + passage, self._letters)
            if last or self._is_whole(document, end):
                break
            size = 2 * len(passage)
        line = self._line - len(lead)
        self._at = end
        self._line += len(_END_OF_LINE.findall(passage))
        return Passage(lead + passage, line, self._read - len(self._text) + end, document)

    def _empty_line(self, size: int) -> int:
        """Return the offset after the first empty line that is at least `size` characters ahead."""
        while True:
            match = _SEMI_EMPTY.search(self._text, self._at + size)
            while match is not None:
                blanks = _BLANKS.match(self._text, match.end())
                assert blanks is not None
                if blanks.end() < len(self._text) or self._over:
                    return blanks.end()
                if not self._more():
                    break
                match = _SEMI_EMPTY.search(self._text, self._at + size)
            if self._over:
                return len(self._text)
            self._more()

    def _is_whole(self, document: Document, end: int) -> bool:
        """Return whether the games are complete: no later text could change them."""
        games = document.games
        if games and not games[-1].tags:
            return False  # it continues in the next passage, which has no tags
        faults = [fault for game in games for fault in game.faults]
        if any(game.faults.more for game in games) or any(
            fault.code == "comment-unclosed" for fault in faults
        ):
            return False
        return not faults or self._text[end : end + 1] in _BEGINS
