"""The output formats shared by all listing commands: `--format` and `-o`.

A command yields records, one JSON object each, and a `View` turns them into rows.
"""

from __future__ import annotations

import os
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from io import StringIO, TextIOWrapper
from itertools import chain
from typing import IO, Any, Generic, TypeAlias, TypeVar

import click

from spadille.base.errors import SpadilleError, attempt
from spadille.base.json_lines_and_csv import json_text, write_csv
from spadille.render.deal_sheet import Sheet
from spadille.render.text import printable
from spadille_cli.exit_status import Tally
from spadille_cli.human_readable_tables import LAYOUTS, Row, TextTable, draw_tables
from spadille_cli.interrupt import interruption_held, interruption_over
from spadille_cli.output_files import check_no_hand_file, path_option, save
from spadille_cli.shared_options import OUTPUT, cli_option, collected, color_option
from spadille_cli.terminal_messages import clear_progress, complain, say_progress, with_progress

Record: TypeAlias = dict[str, Any]
Written = TypeVar("Written")
Of = TypeVar("Of", contravariant=True)
Item = TypeVar("Item")
Found = TypeVar("Found")

FORMATS = ("table", "json", "jsonl", "csv", "tsv", "markdown", "html", "latex")


@dataclass(frozen=True, slots=True)
class View(Generic[Of]):
    """How results are shown: as one flat list for programs (csv, tsv), or as tables for people."""

    fields: tuple[str, ...]
    rows: Callable[[Of], Iterable[Row]]
    tables: Callable[[Iterable[Of]], Iterable[TextTable | Sheet]]


class _UntilInterrupted(Generic[Item]):
    """Records that end early on Ctrl-C. Finished records are still written.

    The `last` records follow in either case.
    """

    def __init__(self, records: Iterable[Item], last: Iterable[Item]) -> None:
        self.records = records
        self.last = last
        self.interrupted = False
        self.begun = False

    def __iter__(self) -> Iterator[Item]:
        records = iter(self.records)
        try:
            while True:
                with interruption_held(False):
                    record = next(records, None)
                if record is None:
                    break
                self.begun = True
                yield record
        except KeyboardInterrupt:
            interruption_over()
            self.interrupted = True
        yield from self.last


@dataclass(frozen=True, slots=True)
class Output:
    """The destination and the format of the results."""

    format: str
    path: str

    def write(
        self,
        records: Iterable[Written],
        view: View[Written],
        tally: Tally | None = None,
        last: Iterable[Written] = (),
    ) -> None:
        """Write all records; on KeyboardInterrupt, write the finished ones, then raise it.

        If no record was finished, an existing file is not changed.

        With a `tally`, records that cannot be shown are reported and counted, and the others are
        shown. The `last` records summarize the others, and are also written after an interruption.
        """
        with interruption_held():
            self._write(_UntilInterrupted(records, last), view, tally)

    def _write(
        self, results: _UntilInterrupted[Written], view: View[Written], tally: Tally | None
    ) -> None:
        stream = self._stream()
        if self.format == "jsonl":
            _write_jsonl(_made(json_text, results, tally), stream)
        elif self.format == "json":
            _write_json(_made(json_text, results, tally), stream)
        elif self.format in LAYOUTS:
            tables = view.tables(_made(partial(_with_tables, view), results, tally))
            if self.path == "-" and sys.stdout.isatty():
                tables = _in_place_of_the_progress(tables)
            draw_tables(tables, stream, self.format)
        else:
            rows = chain.from_iterable(_made(partial(_rows, view), results, tally))
            show = printable if stream.isatty() else str
            delimiter = "\t" if self.format == "tsv" else ","
            write_csv(stream, view.fields, rows, delimiter=delimiter, show=show)
        if isinstance(stream, StringIO) and (results.begun or not results.interrupted):
            save(self.path, _encodable(stream.getvalue()))
        if results.interrupted:
            raise KeyboardInterrupt

    def write_text(
        self, pieces: Iterable[str], last: Iterable[str] = (), *, head: str = ""
    ) -> None:
        """Write text that comes in pieces; a KeyboardInterrupt is handled as in `write`.

        `head` comes first.
        """
        with interruption_held():
            results = _UntilInterrupted(pieces, last)
            stream = self._stream()
            stream.write(head)
            for piece in results:
                stream.write(piece)
            if isinstance(stream, StringIO) and (results.begun or not results.interrupted):
                save(self.path, _encodable(stream.getvalue()))
            if results.interrupted:
                raise KeyboardInterrupt

    @contextmanager
    def progress(self, items: Sequence[Item]) -> Iterator[Iterable[Item]]:
        """Show a running count on standard error.

        Standard error must be a terminal to which no results are written at the same time. A pipe
        counts as the terminal, because the program that reads it may write there.
        """
        if not items or not sys.stderr.isatty() or (self.path == "-" and self._mixes()):
            yield items
        else:
            with closing(with_progress(items)) as steps:
                yield steps

    @contextmanager
    def telling(self) -> Iterator[Callable[[str], None]]:
        """Return a function that shows a state on standard error, like `progress`."""
        if not sys.stderr.isatty() or (self.path == "-" and self._mixes()):
            yield lambda text: None
        else:
            try:
                yield say_progress
            finally:
                clear_progress()

    def _stream(self) -> IO[str]:
        """Return standard output, or text to save later.

        HTML declares that it is UTF-8, and a page checks the hash of its own style sheet, so the
        locale does not apply to it, except on a terminal.
        """
        if self.path != "-":
            return StringIO()
        out = sys.stdout
        if self.format == "html" and isinstance(out, TextIOWrapper) and not out.isatty():
            out.reconfigure(encoding="utf-8", errors="backslashreplace")
        return out

    def _mixes(self) -> bool:
        """Return whether results may appear on the terminal between progress lines."""
        if sys.stdout.isatty():
            return self.format not in LAYOUTS
        mode = os.fstat(sys.stdout.fileno()).st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _encodable(text: str) -> str:
    """Return a string that UTF-8 can encode, because file names may contain other bytes."""
    return text.encode(errors="backslashreplace").decode()


def _in_place_of_the_progress(tables: Iterable[TextTable | Sheet]) -> Iterator[TextTable | Sheet]:
    """Clear the progress line before each table; it reappears below the table."""
    for table in tables:
        clear_progress()
        yield table


_ENDINGS = {
    **{f".{name}": name for name in ("json", "jsonl", "csv", "tsv", "html")},
    ".md": "markdown",
    ".tex": "latex",
    ".txt": "table",
    ".ndjson": "jsonl",
    ".htm": "html",
    ".parquet": "parquet",
}


# Options that affect only output for people, keyed by parameter name.
_OF_TABLES = {
    "shown": "--show",
    "explained": "--legend",
    "title": "--title",
    "solved": "--solution",
    "answers": "--answers",
}


def chosen_format(form: str | None, path: str, formats: Sequence[str], default: str) -> str:
    """Return the format for a file: `form`, or the one that its extension names.

    If the extension names another format than the one that is written, a message says so.
    """
    meant = _ENDINGS.get(os.path.splitext(path)[1].lower())
    says = ", as --format says" if form else ""
    if form is None:
        form = meant if meant is not None and meant in formats else default
    if meant not in (None, "table", form):
        complain(f"-o {printable(path)}: written as {form}{says}, not as {meant}")
    return form


def _output(form: str | None, path: str) -> Output:
    given = click.get_current_context().params
    check_no_hand_file(path, given.get("files", ()))
    form = chosen_format(form, path, FORMATS, "table")
    if form not in LAYOUTS:
        for name, option in _OF_TABLES.items():
            if given.get(name):
                raise click.UsageError(f"{option} applies to tables, not to --format {form}")
    return Output(form, path)


output_options = collected(
    "output",
    _output,
    cli_option(
        "--format",
        "Output format (default: by the extension of --output, otherwise table).",
        *FORMATS,
        name="form",
        default=None,
    ),
    path_option,
    color_option,
    group=OUTPUT,
)
"""Add `--format`, `-o` and `--color`; the command receives the first two as `output`."""


def _made(
    make: Callable[[Written], Found], records: Iterable[Written], tally: Tally | None
) -> Iterator[Found]:
    """Yield a function's result for each record; failing records are reported and left out."""
    for record in records:
        result = attempt(partial(make, record))
        if not isinstance(result, SpadilleError):
            yield result
        elif tally is None:
            raise result
        else:
            tally.unusable += 1
            complain(f"{printable(str(record))}: {printable(str(result))}")


def _with_tables(view: View[Written], record: Written) -> Written:
    """Build the tables of a record early: an exception while writing would end the output."""
    deque(view.tables([record]), 0)
    return record


def _rows(view: View[Written], record: Written) -> list[Row]:
    return list(view.rows(record))


def _write_jsonl(lines: Iterable[str], stream: IO[str]) -> None:
    for line in lines:
        stream.write(line + "\n")
        stream.flush()


def _write_json(objects: Iterable[str], stream: IO[str]) -> None:
    start = "[\n"
    for text in objects:
        stream.write(start + text)
        start = ",\n"
    stream.write("[]\n" if start == "[\n" else "\n]\n")
