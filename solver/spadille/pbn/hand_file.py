"""Hand files: `read` parses text, `load` reads a file; both return a `HandFile` of `Entry` objects.

Nothing in a file raises an error. Each entry has its own faults, with line and column. A `deal` or
`contract` that faults make unusable is None. A file is a session, whose deals may settle facts for
later deals (see `spadille.pbn.session_facts`).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping
from types import NoneType

from spadille.base.argument_checks import check_type
from spadille.base.cached import cached_property
from spadille.base.words_for_messages import many
from spadille.games import check_option, get_game
from spadille.pbn.atomic_files import check_path, write_atomic
from spadille.pbn.document import Document
from spadille.pbn.entry import Entry
from spadille.pbn.evening_csv import TABLES, evening_document
from spadille.pbn.foreign_letters import parse_letters
from spadille.pbn.parse_document import decode
from spadille.pbn.session_facts import Session


class HandFile:
    """The entries of a hand file, and the document that contains them.

    `game`, `options` and `after` are the same as in `read`.
    """

    def __init__(
        self,
        document: Document,
        game: str | None = None,
        options: Mapping[str, str] | None = None,
        encoding: str = "utf-8",
        after: HandFile | None = None,
    ) -> None:
        self.document = document
        self.encoding = encoding
        self.path: str | os.PathLike[str] | None = None  # the path it was read from
        self._game = game
        self._options = options or {}
        self._after = after
        self._left: Session | None = None  # facts settled by its deals, once all have been read

    @cached_property
    def entries(self) -> list[Entry]:
        """All entries, read on first access."""
        return list(self.scan())

    def scan(self) -> Iterator[Entry]:
        """Read the entries one by one without keeping them, for very large files."""
        session = Session() if self._after is None else self._after.session.in_next_file()
        for game in self.document.games:
            yield Entry(game, self._game, self._options, session)
        self._left = session

    @property
    def session(self) -> Session:
        """The facts from this file's deals that carry over to a later file of the session."""
        if self._left is None:
            deque(self.scan(), 0)
        assert self._left is not None
        return self._left

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.document.games)

    def __getitem__(self, index: int) -> Entry:
        return self.entries[index]

    def __repr__(self) -> str:
        path = "" if self.path is None else f" {os.fspath(self.path)}:"
        return f"<HandFile{path} {many(len(self), 'deal')}>"

    @property
    def text(self) -> str:
        """The text with all edits, equal to the original text if nothing was edited."""
        return self.document.text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the text with all edits, in its original encoding.

        Raises OSError if the file cannot be written or has changed since it was read.
        """
        check_path(path)
        same_file = self.path is not None and os.path.realpath(path) == os.path.realpath(self.path)
        source = self.document.original if same_file else None
        write_atomic(path, self.text, self.encoding, instead_of=source)


def read(
    text: str,
    game: str | None = None,
    options: Mapping[str, str] | None = None,
    after: HandFile | None = None,
    *,
    letters: str = "en",
) -> HandFile:
    """Read a hand file from a string.

    `game` applies to deals without a Game tag. `options` apply to deals without a Rules tag, if
    their game has these options. `after` is the previous file, if the session continues. `letters`
    is the language of the cards: "de", "fr", "es", "nl" or "da"; the text of the result uses
    English letters. Raises RulesError for an unknown `game` and for an option or value that no game
    has, and ArgumentError for an unknown language.
    """
    check_type(text, str, "read needs text; load(path) reads a file")
    check_type(options, (Mapping, NoneType), "options must be a mapping")
    check_type(after, (HandFile, NoneType), "after must be a HandFile, as returned by load")
    for name, value in (options or {}).items():
        check_type(value, str, "options must map names to text")
        check_option(name, value)
    if game is not None:
        get_game(game)
    return HandFile(parse_letters(text, letters), game, options, after=after)


def load(
    path: str | os.PathLike[str],
    game: str | None = None,
    options: Mapping[str, str] | None = None,
    after: HandFile | None = None,
    *,
    letters: str = "en",
) -> HandFile:
    """Read a hand file like `read`, or a table (.csv, .tsv); may raise OSError."""
    check_path(path)
    with open(path, "rb") as stream:
        text, encoding = decode(stream.read())
    file = read("", game, options, after=after, letters=letters)
    file.document = document_of(path, text, game, letters)
    file.encoding = encoding
    file.path = path
    return file


def document_of(
    path: str | os.PathLike[str], text: str, game: str | None, letters: str
) -> Document:
    """Parse the text of a hand file or, if the path says so, of a table (.csv, .tsv)."""
    if os.fsdecode(path).lower().endswith(TABLES):
        return evening_document(text, game)
    return parse_letters(text, letters)
