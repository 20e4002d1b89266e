"""The ledger of a batch: an SQLite file with what was asked, of which deals, and every answer.

It is written a batch at a time, each batch whole or not at all: whoever stops it, by whatever
means, it holds what was committed, and the next run asks for the rest. Several programs may write
to one ledger; an answer that is there stays.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Self, TypeAlias

from spadille.batch.job import Job, engine
from spadille.errors import SpadilleError

FAULTY = '"error":{'
"""What an answer has in it if there is an error in it."""
_FORMAT = "spadille-batch-1"
_WAIT = 30.0  # seconds for who else is writing
_MOST = 30_000  # values SQLite takes in one statement

_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, deals INTEGER);
CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    question TEXT NOT NULL,
    answer TEXT NOT NULL
);
CREATE TABLE deals (
    file INTEGER NOT NULL REFERENCES files,
    place INTEGER NOT NULL,
    board TEXT,
    game TEXT,
    key BLOB,
    error TEXT,
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    PRIMARY KEY (file, place)
) WITHOUT ROWID;
CREATE VIEW results AS
SELECT files.name AS file, deals.place, deals.board, deals.game, deals.error, answers.question,
    answers.answer
FROM deals JOIN files ON files.id = deals.file LEFT JOIN answers ON answers.key = deals.key;
"""


class LedgerError(SpadilleError):
    """A ledger that cannot be read or written, or that is of another question."""

    default_code = "ledger-unusable"


DealRow: TypeAlias = tuple[int, str | None, str | None, bytes | None, str | None, int, int]
"""A deal of a file: place, board, game, the key of its answer, an error as JSON, line, column.

A plain one: SQLite takes values from others a third more slowly."""


class Standing(NamedTuple):
    """How far a ledger is filled."""

    job: str
    engine: str
    files: int
    whole: int
    """Files that have been read to their end."""
    deals: int
    answered: int
    faulty: int
    """Deals of which nothing could be asked, or whose answer is an error."""
    missing: int
    """Deals whose answer is still to come."""
    answers: int
    """Different ones."""
    elsewhere: int
    """Deals of other parts (shards)."""


class Ledger:
    """An open ledger; as a context manager it closes itself. Raises LedgerError throughout."""

    def __init__(self, path: str | os.PathLike[str], job: Job | None = None) -> None:
        """Open a ledger, with a `job` for writing: where there is none it is made for that job.

        Raises LedgerError where there is none, or one of another job.
        """
        self.path = os.fspath(path)
        with self._told():
            if job is None and not os.path.exists(self.path):
                raise LedgerError(f"there is no ledger {self.path!r}", "ledger-missing")
            uri = _uri(self.path, "rwc" if job else "rw")
            self._db = sqlite3.connect(uri, timeout=_WAIT, isolation_level=None, uri=True)
            try:
                self._open(job)
            except BaseException:
                self._db.close()
                raise

    def _open(self, job: Job | None) -> None:
        # What is another program's stays as it is.
        if job is not None and not self._tables():
            self._db.execute("PRAGMA journal_mode = WAL")
            with self.batch():
                if not self._tables():
                    for statement in _SCHEMA.split(";\n"):
                        self._db.execute(statement)
                    rows = [("format", _FORMAT), ("job", str(job)), ("engine", engine())]
                    self._db.executemany("INSERT INTO about VALUES (?, ?)", rows)
        try:
            about = dict(self._db.execute("SELECT name, value FROM about"))
        except sqlite3.OperationalError as error:
            if "no such" not in str(error):
                raise
            about = {}
        if about.get("format") != _FORMAT:
            raise LedgerError(f"{self.path!r} is no ledger", "ledger-none")
        self.job = Job.parse(about["job"])
        self.engine = about["engine"]
        if job is not None and str(job) != about["job"]:
            raise LedgerError(
                f"{self.path!r} holds answers to another question ({self.job.words}): name another"
                " file",
                "ledger-other",
            )
        if job is None:
            return
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA cache_size = -65536")
        if self.engine != engine():
            with self.batch():
                self._db.execute("UPDATE about SET value = ? WHERE name = 'engine'", [engine()])
                self._db.execute("UPDATE files SET deals = NULL")  # they are to be asked anew
            self.engine = engine()

    def _tables(self) -> int:
        """Return how many tables there are."""
        found: int = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        return found

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LedgerError(self._what(str(error))) from error

    def _what(self, error: str) -> str:
        """Say what SQLite found, and what to do."""
        if "not a database" in error:
            return f"{self.path!r} is no ledger: {error}"
        if "unable to open" in error:
            return f"the ledger {self.path!r} cannot be opened"
        if "locked" in error or "busy" in error:
            error = "another program writes it, and keeps it locked"
        return (
            f"the ledger {self.path!r} cannot be used: {error}; what was committed is kept, and the"
            " same command goes on with it"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Write what is written inside whole, or not at all."""
        with self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def answered(self, keys: Sequence[bytes]) -> dict[bytes, str | None]:
        """Return those of the keys that have an answer, with it if there may be an error in it."""
        found: dict[bytes, str | None] = {}
        with self._told():
            for start in range(0, len(keys), _MOST):
                some = keys[start : start + _MOST]
                marks = ",".join("?" * len(some))
                answer = f"iif(instr(answer, '{FAULTY}'), answer, NULL)"
                query = f"SELECT key, {answer} FROM answers WHERE key IN ({marks})"
                found.update(self._db.execute(query, some))
        return found

    def file(self, name: str) -> int:
        """Return the number of a file, a new one if need be; inside a `batch`."""
        with self._told():
            self._db.execute("INSERT INTO files (name) VALUES (?) ON CONFLICT DO NOTHING", [name])
            row = self._db.execute("SELECT id FROM files WHERE name = ?", [name]).fetchone()
            return int(row[0])

    def add_deals(self, file: int, rows: Iterable[DealRow]) -> None:
        """Write deals of a file, in place of those that stood there."""
        with self._told():
            self._db.executemany(
                f"INSERT INTO deals VALUES ({file:d}, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET board = excluded.board, game = excluded.game,"
                " key = excluded.key, error = excluded.error, line = excluded.line,"
                " column = excluded.column",
                rows,
            )

    def end_file(self, file: int, deals: int) -> None:
        """Take note that a file has so many deals, and forget those it had behind them."""
        with self._told():
            self._db.execute("DELETE FROM deals WHERE file = ? AND place >= ?", [file, deals])
            self._db.execute("UPDATE files SET deals = ? WHERE id = ?", [deals, file])

    def add_answers(self, rows: Iterable[tuple[bytes, str, str]]) -> None:
        """Write answers: key, question and answer."""
        with self._told():
            self._db.executemany(
                "INSERT INTO answers (key, question, answer) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                rows,
            )

    def take(self, path: str | os.PathLike[str]) -> None:
        """Take over what another ledger of the same question and version holds."""
        if os.path.samefile(path, self.path):
            return
        with self._told():
            self._db.execute("ATTACH ? AS other", [_uri(os.fspath(path), "rw")])
            try:
                with self.batch():
                    for statement in _MERGE.split(";\n"):
                        self._db.execute(statement)
            finally:
                self._db.execute("DETACH other")

    @property
    def standing(self) -> Standing:
        """How far it is filled."""
        with self._told():
            (files, whole) = self._db.execute("SELECT count(*), count(deals) FROM files").fetchone()
            row = self._db.execute(_STANDING).fetchone()
        numbers = map(int, (files, whole, *row, self.elsewhere))
        return Standing(str(self.job), self.engine, *numbers)

    @property
    def elsewhere(self) -> int:
        """How many deals of its files are in other parts."""
        with self._told():
            return int(self._db.execute(_ELSEWHERE).fetchone()[0])

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield all deals by file and place, with their answers.

        Each is file, place, board, game, error, line, column, whether it is asked about, answer.
        """
        with self._told():
            for row in self._db.execute(_ROWS):  # noqa: UP028 -- it outlives the database
                yield row


def merge(paths: Sequence[str | os.PathLike[str]], into: str | os.PathLike[str]) -> None:
    """Put ledgers together; what several of them hold is taken once.

    Raises LedgerError, and has written nothing unless all are of one question and this version.
    """
    job = None
    for path in paths:
        with Ledger(path) as one:
            job = job or one.job
            if (str(one.job), one.engine) != (str(job), engine()):
                raise LedgerError(
                    f"{os.fspath(path)!r} holds answers to another question, or of another version:"
                    f" {one.job.words} of {one.engine}, not {job.words} of {engine()}",
                    "ledger-other",
                )
    if job is not None:
        with Ledger(into, job) as ledger:
            for path in paths:
                ledger.take(path)


def _uri(path: str, mode: str) -> str:
    """Return how SQLite is told of a file."""
    path = os.path.abspath(path)
    if mode == "rw" and not os.access(os.path.dirname(path), os.W_OK):
        # It reads where it can take note of that, or where it is told that nobody writes.
        mode = "ro" if os.path.exists(f"{path}-wal") else "ro&immutable=1"
    name = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{name}?mode={mode}"


_MERGE = """
INSERT INTO files (name, deals) SELECT name, deals FROM other.files WHERE true
ON CONFLICT DO UPDATE SET deals = coalesce(files.deals, excluded.deals);
INSERT INTO answers (key, question, answer) SELECT key, question, answer FROM other.answers
WHERE true ORDER BY id ON CONFLICT DO NOTHING;
INSERT INTO deals SELECT files.id, place, board, game, key, error, line, column
FROM other.deals AS one JOIN other.files AS theirs ON theirs.id = one.file
JOIN files ON files.name = theirs.name WHERE true ON CONFLICT DO NOTHING
"""
_STANDING = """
SELECT count(*), count(answers.id),
    count(*) FILTER (WHERE error IS NOT NULL OR instr(answer, '"error":{') AND json_extract(answer,
        iif(answer LIKE '[%', '$[' || place || '].error', '$.error')) IS NOT NULL),
    count(*) FILTER (WHERE deals.key IS NOT NULL AND answers.id IS NULL),
    (SELECT count(*) FROM answers)
FROM deals LEFT JOIN answers ON answers.key = deals.key
"""
_ELSEWHERE = """
SELECT coalesce(sum(deals), 0)
    - (SELECT count(*) FROM deals JOIN files ON files.id = deals.file WHERE files.deals IS NOT NULL)
FROM files
"""
_ROWS = """
SELECT files.name, place, board, game, error, line, column, deals.key IS NOT NULL, answer
FROM deals JOIN files ON files.id = deals.file LEFT JOIN answers ON answers.key = deals.key
ORDER BY files.name, place
"""
