"""The ledger of a batch: an SQLite file with the question, the deals and the answers.

Each transaction is atomic. However a run ends, the ledger keeps the answers committed so far. The
next run continues from there. Several programs may write to a ledger at the same time; existing
answers are kept.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from time import monotonic
from types import UnionType
from typing import Any, NamedTuple, Self, TypeAlias

from spadille.base.errors import ArgumentError, SpadilleError, quoted
from spadille.batch.batch_question import Job, engine
from spadille.pbn.atomic_files import check_path

FAULTY = '"error":{'
"""A string that occurs in every answer with an error."""
_FORMAT = "spadille-batch-1"
_WAIT = 30.0  # seconds to wait for another writer
_TRY = 100  # milliseconds per attempt, so that interruptions are noticed
_MOST = 30_000  # values per SQLite statement
_BESIDE = ("-wal", "-shm", "-journal")  # suffixes of the files that SQLite keeps next to a database
# Temporary errors: the ledger is intact, and the same command continues the run.
_PASSING = ("is full", "disk I/O", "locked", "readonly", "interrupted")

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
    """Raised for a ledger that cannot be read or written, or that belongs to another question."""

    default_code = "ledger-unusable"


DealRow: TypeAlias = tuple[int, str | None, str | None, bytes | None, str | None, int, int]
"""A deal in a file: place, board, game, key of its question, error as JSON, line, column.

A row is a plain tuple, because other types make SQLite a third slower."""


class Standing(NamedTuple):
    """The numbers of files, deals and answers in a ledger."""

    job: str
    engine: str
    files: int
    whole: int
    """The number of files read to the end."""
    deals: int
    answered: int
    faulty: int
    """The number of deals without a question, or with an error as the answer."""
    missing: int
    """The number of deals whose question has no answer yet."""
    answers: int
    """The number of different answers."""
    elsewhere: int
    """The number of deals in other shards."""


class Ledger:
    """An open ledger, usable in a `with` statement; all methods may raise LedgerError."""

    def __init__(self, path: str | os.PathLike[str], job: Job | None = None) -> None:
        """Open a ledger; with a `job`, open it for writing and create it if it is missing.

        Raises LedgerError if the ledger is missing or belongs to another job.
        """
        check_path(path)
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            if job is None:
                raise LedgerError(f"there is no ledger {self.path!r}", "ledger-missing")
            if self.path.endswith(_BESIDE):
                raise LedgerError(
                    f"{self.path!r} is a name that SQLite uses for its own files: choose another"
                )
        elif not os.path.isfile(self.path):
            raise LedgerError(f"the ledger {self.path!r} cannot be opened: not a regular file")
        with self._ledger_errors():
            uri = _uri(self.path, "rwc" if job else "rw")
            self._db = sqlite3.connect(uri, timeout=_WAIT, isolation_level=None, uri=True)
            try:
                self._open(job)
            except BaseException:
                self._db.close()
                raise

    def _open(self, job: Job | None) -> None:
        # Do not change the database of another program.
        if job is not None and not self._parts():
            self._db.execute("PRAGMA journal_mode = WAL")
            with self.batch():
                if not self._parts():
                    for statement in _PARTS.values():
                        self._db.execute(statement)
                    rows = [("format", _FORMAT), ("job", str(job)), ("engine", engine())]
                    self._db.executemany("INSERT INTO about VALUES (?, ?)", rows)
        # If the columns differed or there were triggers, the statements below would misbehave.
        parts = self._parts()
        if not _PARTS.items() <= parts.items() or any(
            text.startswith("CREATE TRIGGER") for text in parts.values()
        ):
            raise LedgerError(f"{self.path!r} is not a ledger", "ledger-none")
        about = dict(self._read("SELECT name, value FROM about", (str, str)))
        if about.get("format") != _FORMAT:
            raise LedgerError(f"{self.path!r} is not a ledger", "ledger-none")
        try:
            self.job = Job.parse(about.get("job", ""))
        except ArgumentError as error:
            raise self.damaged(str(error)) from error
        self.engine = about.get("engine", "")
        if job is not None and str(job) != str(self.job):
            raise LedgerError(
                f"{self.path!r} holds answers to another question ({self.job.words}): choose"
                " another file",
                "ledger-other",
            )
        if job is None:
            return
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA cache_size = -65536")
        if self.engine != engine():
            with self.batch():
                self._db.execute("UPDATE about SET value = ? WHERE name = 'engine'", [engine()])
                self._db.execute("UPDATE files SET deals = NULL")  # so that they will be read again
            self.engine = engine()

    def _parts(self) -> dict[str, str]:
        """Return the tables, views and triggers in the file by name, with their definitions."""
        query = "SELECT name, coalesce(sql, '') FROM sqlite_master"
        return dict(self._read(query, (str, str)))

    @contextmanager
    def _ledger_errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise LedgerError(self._what(str(error))) from error

    def _what(self, error: str) -> str:
        """Return a message for an SQLite error, with advice."""
        if "not a database" in error:
            return f"{self.path!r} is not a ledger: {error}"
        if "unable to open" in error:
            if os.path.exists(f"{self.path}-wal"):
                return (
                    f"the ledger {self.path!r} cannot be opened: part of it is still in"
                    f" {self.path + '-wal'!r}, which needs a writable folder; copy both there"
                )
            return f"the ledger {self.path!r} cannot be opened"
        if "locked" in error:
            error = "another program is writing to it and has it locked"
        if any(word in error for word in _PASSING):
            return (
                f"the ledger {self.path!r} cannot be used: {error}; committed answers are kept, and"
                " the same command continues from there"
            )
        return str(self.damaged(error))

    def damaged(self, fault: str) -> LedgerError:
        """Return the error for a ledger that spadille cannot have written."""
        return LedgerError(
            f"the ledger {self.path!r} is damaged: {fault}; run the batch again into a new ledger",
            "ledger-damaged",
        )

    def holds(self, path: str | os.PathLike[str]) -> bool:
        """Return whether a path is this ledger or one of the files that SQLite keeps next to it."""
        for main in (self.path, os.path.realpath(self.path)):
            for name in (main, *(main + suffix for suffix in _BESIDE)):
                if os.path.realpath(path) == os.path.realpath(name):
                    return True
                with suppress(OSError):
                    if os.path.samefile(path, name):
                        return True
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def batch(
        self,
        holding: Callable[[], AbstractContextManager[None]] = nullcontext,
        patience: float | None = None,
    ) -> Iterator[None]:
        """Write everything inside the `with` block in one transaction, in the context of `holding`.

        If another program is writing, wait up to `patience` seconds.
        """
        with self._ledger_errors():
            self._begin(_WAIT if patience is None else patience)
            try:
                with holding():
                    yield
                    self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _begin(self, patience: float) -> None:
        """Begin a transaction; retry while another program writes.

        SQLite could wait by itself, but Ctrl-C would not end its wait.
        """
        end = monotonic() + patience
        self._db.execute(f"PRAGMA busy_timeout = {_TRY}")
        try:
            while True:
                try:
                    self._db.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or monotonic() > end:
                        raise
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {1000 * _WAIT:.0f}")

    def answered(self, keys: Sequence[bytes]) -> dict[bytes, str | None]:
        """Return the keys that have an answer, with the answer if it may contain an error."""
        answers: dict[bytes, str | None] = {}
        for start in range(0, len(keys), _MOST):
            some = keys[start : start + _MOST]
            marks = ",".join("?" * len(some))
            answer = f"iif(instr(answer, '{FAULTY}'), answer, NULL)"
            query = f"SELECT key, {answer} FROM answers WHERE key IN ({marks})"
            answers.update(self._read(query, (bytes, str | None), *some))
        return answers

    def file(self, name: str) -> int:
        """Return the id of a file, adding it if necessary; call this inside a `batch`."""
        name = os.fsencode(name).decode(errors="backslashreplace")  # the same in every locale
        with self._ledger_errors():
            self._db.execute("INSERT INTO files (name) VALUES (?) ON CONFLICT DO NOTHING", [name])
            row = self._db.execute("SELECT id FROM files WHERE name = ?", [name]).fetchone()
            return int(row[0])

    def add_deals(self, file: int, rows: Iterable[DealRow]) -> None:
        """Write deals of a file, replacing earlier ones."""
        with self._ledger_errors():
            self._db.executemany(
                f"INSERT INTO deals VALUES ({file:d}, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET board = excluded.board, game = excluded.game,"
                " key = excluded.key, error = excluded.error, line = excluded.line,"
                " column = excluded.column",
                rows,
            )

    def end_file(self, file: int, deals: int) -> None:
        """Record the number of deals in a file, and remove recorded deals beyond that number."""
        with self._ledger_errors():
            self._db.execute("DELETE FROM deals WHERE file = ? AND place >= ?", [file, deals])
            self._db.execute("UPDATE files SET deals = ? WHERE id = ?", [deals, file])

    def add_answers(self, rows: Iterable[tuple[bytes, str, str]]) -> None:
        """Write answers; each item has the key, the question and the answer."""
        with self._ledger_errors():
            self._db.executemany(
                "INSERT INTO answers (key, question, answer) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                rows,
            )

    def take(self, other: Ledger) -> None:
        """Copy the contents of another ledger with the same question; call this inside a `batch`.

        Rows that already exist are kept.
        """
        query = "SELECT key, question, answer FROM answers ORDER BY id"
        self.add_answers(other._read(query, (bytes, str, str)))
        query = "SELECT id, name, deals FROM files"
        for theirs, name, deals in other._read(query, (int, str, int | None)):
            file = self.file(name)
            query = "SELECT place, board, game, key, error, line, column FROM deals WHERE file = ?"
            types = (int, str | None, str | None, bytes | None, str | None, int, int)
            rows = other._read(query, types, theirs)
            with self._ledger_errors():
                self._db.executemany(
                    f"INSERT INTO deals VALUES ({file:d}, ?, ?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT DO NOTHING",
                    rows,
                )
                self._db.execute(
                    "UPDATE files SET deals = coalesce(deals, ?) WHERE id = ?", [deals, file]
                )

    def _read(
        self, query: str, types: Sequence[type | UnionType], *values: object
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; a value of the wrong type means that the ledger is damaged.

        Errors name this ledger, even if they occur while the caller uses the rows.
        """
        with self._ledger_errors():
            for row in self._db.execute(query, values):
                if not all(map(isinstance, row, types)):
                    raise self.damaged(f"a value has an unexpected type in {quoted(row)}")
                yield row

    @property
    def standing(self) -> Standing:
        """Return the numbers of files, deals and answers in the ledger."""
        numbers = self._numbers("SELECT count(*), count(deals) FROM files")
        numbers += (*self._numbers(_STANDING), self.elsewhere)
        return Standing(str(self.job), self.engine, *numbers)

    @property
    def elsewhere(self) -> int:
        """Return the number of deals in the ledger's files that belong to other shards."""
        return self._numbers(_ELSEWHERE)[0]

    def _numbers(self, query: str) -> tuple[int, ...]:
        """Return the row of a query that yields a single row of integers."""
        with self._ledger_errors():
            row = tuple(self._db.execute(query).fetchone())
        if not all(isinstance(value, int) for value in row):
            raise self.damaged(f"a value has an unexpected type in {quoted(row)}")
        return row

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield all deals by file and place, with their answers.

        Each row has the file, place, board, game, error, line, column, key of the question, and
        answer. If consecutive deals have the same key, as in an evening, they share one string.
        """
        key = answer = None
        types = (str, int, str | None, str | None, str | None, int, int, bytes | None)
        for row in self._read(_ROWS, types):
            if row[-1] != key:
                key = row[-1]
                texts = self._read("SELECT answer FROM answers WHERE key = ?", (str,), key)
                (answer,) = next(texts, (None,))
            yield *row, answer


def merge(paths: Sequence[str | os.PathLike[str]], into: str | os.PathLike[str]) -> None:
    """Merge ledgers into one, or change nothing if that fails; equal rows are copied only once.

    Raises LedgerError unless all ledgers can be read, have the same question and come from this
    version of spadille. After an error, `into` is unchanged, or removed if it was new.
    """
    job = None
    for path in paths:
        with Ledger(path) as ledger:
            job = job or ledger.job
            if (str(ledger.job), ledger.engine) != (str(job), engine()):
                raise LedgerError(
                    f"{os.fspath(path)!r} holds answers to another question or from another"
                    f" version: {ledger.job.words} of {ledger.engine}, not {job.words} of"
                    f" {engine()}",
                    "ledger-other",
                )
    if job is None:
        return
    new = not os.path.exists(into)
    try:
        with Ledger(into, job) as ledger, ledger.batch():
            for path in paths:
                if not os.path.samefile(path, into):
                    with Ledger(path) as other:
                        ledger.take(other)
    except BaseException:
        if new:
            _withdraw(os.fspath(into))
        raise


def _withdraw(path: str) -> None:
    """Remove a new ledger that was not used, unless another program has written to it."""
    with suppress(LedgerError), Ledger(path) as ledger:
        if ledger.standing.files or ledger.standing.answers:
            return
    for name in (path, *(path + suffix for suffix in _BESIDE)):
        with suppress(OSError):
            os.unlink(name)


def _uri(path: str, mode: str) -> str:
    """Return the SQLite URI of a file."""
    full = Path(os.path.realpath(path))  # the folder for SQLite's own files
    if mode == "rw" and not os.access(full.parent, os.W_OK):
        # SQLite can read a database if it can record its locks, or if it may assume that nobody
        # writes.
        mode = "ro" if os.path.exists(f"{full}-wal") else "ro&immutable=1"
    return f"{full.as_uri()}?mode={mode}"


_PARTS = {statement.split()[2]: statement for statement in _SCHEMA.strip().rstrip(";").split(";\n")}
_STANDING = """
SELECT count(*), count(answers.id),
    count(*) FILTER (WHERE error IS NOT NULL
        OR deals.key IN (
            SELECT key FROM answers WHERE instr(answer, '"error":{') AND answer LIKE '{%'
                AND json_extract(answer, '$.error') IS NOT NULL)
        OR (deals.key, place) IN (
            SELECT answers.key, item.key FROM answers, json_each(answer) AS item
            WHERE instr(answer, '"error":{') AND answer LIKE '[%'
                AND json_extract(item.value, '$.error') IS NOT NULL)),
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
SELECT files.name, place, board, game, error, line, column, key
FROM deals JOIN files ON files.id = deals.file ORDER BY files.name, place
"""
