"""The output formats all listing commands share: `--format` and `-o`.

A command yields records, one JSON object each, and a `View` that says how they become rows.
"""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from io import StringIO
from shutil import get_terminal_size
from textwrap import fill, wrap
from typing import IO, Any, NamedTuple, TypeAlias, TypeVar

import click

from spadille.errors import InternalError
from spadille_cli.status import Tally

Record: TypeAlias = dict[str, Any]
Row: TypeAlias = Sequence[object]
Command = TypeVar("Command", bound=Callable[..., Any])
Item = TypeVar("Item")

FORMATS = ("table", "json", "jsonl", "csv", "tsv", "markdown", "html", "latex")
WIDTH = 80  # columns; fewer on a terminal that has fewer
_GAP = 2  # blanks between columns
_NARROWEST = 24  # a wrapped column stays readable, whatever stands before it, if there is room

# Those that move the cursor, and those that change the direction of writing.
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

# A page of HTML begins so; the rest of its frame may be left out.
_HTML = """\
<!DOCTYPE html>
<meta charset="utf-8">
<title>spadille</title>
<style>
body { font-family: sans-serif }
h2 { font-size: 1.1em }
table { border-collapse: collapse; margin-bottom: 1em; font-variant-numeric: tabular-nums }
th, td { padding: 0.1em 0.7em; text-align: left }
thead { border-bottom: 1px solid }
</style>
"""

# The layouts of tabulate that stand for our formats.
_LAYOUTS = {"table": "simple", "markdown": "pipe", "html": "html", "latex": "latex"}


class Table(NamedTuple):
    """Rows for people, meant to fit 80 columns; if `wraps`, the last column is made to."""

    headers: Sequence[str]
    rows: Sequence[Row]
    title: str = ""
    wraps: bool = False


def filled(headers: Sequence[str], rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """Leave out the columns that say nothing."""
    columns = [
        place
        for place, column in enumerate(zip(*rows, strict=True))
        if any(cell not in ("", None) for cell in column)
    ]
    return [headers[place] for place in columns], [
        [row[place] for place in columns] for row in rows
    ]


@dataclass(frozen=True, slots=True)
class View:
    """How records become rows: one flat list for programs (csv, tsv), tables for people."""

    fields: tuple[str, ...]
    rows: Callable[[Record], Iterable[Row]]
    tables: Callable[[Iterable[Record]], Iterable[Table]]


class _UntilInterrupted:
    """Records that end early on Ctrl-C, so that what was finished is still written."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.records = records
        self.interrupted = False

    def __iter__(self) -> Iterator[Record]:
        try:
            yield from self.records
        except KeyboardInterrupt:
            self.interrupted = True


@dataclass(frozen=True, slots=True)
class Output:
    """Where results go, and in which format."""

    format: str
    path: str

    def write(self, records: Iterable[Record], view: View, tally: Tally | None = None) -> None:
        """Write all records; on KeyboardInterrupt those that were finished, then raise it.

        With a `tally`, records that cannot be shown are reported and counted, and the others shown.
        """
        results = _UntilInterrupted(records)
        stream = sys.stdout if self.path == "-" else StringIO()
        if self.format == "jsonl":
            _write_jsonl(results, stream)
        elif self.format == "json":
            _write_json(results, stream)
        elif self.format in _LAYOUTS:
            tables = view.tables(results if tally is None else self._shown(results, view, tally))
            if self.path == "-" and sys.stdout.isatty():
                tables = _in_place_of_the_bar(tables)
            _write_tables(tables, stream, self.format)
        else:
            shown = results if tally is None else self._shown(results, view, tally)
            _write_csv(shown, view, stream, "\t" if self.format == "tsv" else ",")
        if isinstance(stream, StringIO):
            # File names may hold what is no text.
            save(self.path, stream.getvalue().encode(errors="backslashreplace").decode())
        if results.interrupted:
            raise KeyboardInterrupt

    def _shown(self, records: Iterable[Record], view: View, tally: Tally) -> Iterator[Record]:
        """Leave out what cannot be shown: an exception would end the tables of all deals."""
        for record in records:
            try:
                deque(view.tables([record]) if self.format in _LAYOUTS else view.rows(record), 0)
            except Exception as error:
                tally.unusable += 1
                deal = f"{record.get('file')}: deal {record.get('index', 0) + 1}"
                complain(f"{printable(deal)}: {printable(str(InternalError.of(error)))}")
            else:
                yield record

    @contextmanager
    def progress(self, items: Sequence[Item]) -> Iterator[Iterable[Item]]:
        """Count items on standard error, if somebody looks and no results come in between."""
        streams = self.path == "-" and self.format not in _LAYOUTS and sys.stdout.isatty()
        if len(items) < 2 or streams or not sys.stderr.isatty() or _is_dumb():
            yield items
        else:
            with click.progressbar(items, file=sys.stderr, show_pos=True) as bar:
                yield bar


def _in_place_of_the_bar(tables: Iterable[Table]) -> Iterator[Table]:
    """Clear the line the progress bar stands in before each table; it comes back below."""
    for table in tables:
        clear_bar()
        yield table


def clear_bar() -> None:
    """Make room on standard error where a progress bar may stand."""
    if sys.stderr.isatty() and not _is_dumb():
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


def printable(text: str) -> str:
    """Write control characters as escapes: what a file says does not command the terminal."""
    return _CONTROL.sub(lambda match: ascii(match.group())[1:-1], text)


def complain(message: str) -> None:
    """Print a line on standard error."""
    with saying():
        clear_bar()
        click.echo(message, err=True)


@contextmanager
def saying() -> Iterator[None]:
    """Let messages be lost, and nothing else, where standard error takes none."""
    try:
        yield
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Lead a stream nowhere, lest what it holds fail once more when the interpreter shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def plain() -> bool:
    """Whether output is to have no bold letters: NO_COLOR (no-color.org), a terminal without."""
    return bool(os.environ.get("NO_COLOR")) or _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def save(path: str, text: str, encoding: str = "utf-8") -> None:
    """Write a file whole or not at all; raises click.UsageError if that cannot be done."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w", encoding=encoding, newline="") as stream:  # a pipe, a device
                stream.write(text)
        else:
            from spadille.pbn.handfile import write_atomic

            write_atomic(path, text, encoding)
    except OSError as error:
        raise click.UsageError(f"cannot write {path!r}: {error.strerror}") from error


def unwritable(path: str) -> str | None:
    """Return what stands in the way of writing a file: itself, its folder, or nothing."""
    from spadille.pbn.handfile import is_read_only

    if is_read_only(path):
        return path
    if os.path.exists(path) and not os.path.isfile(path):
        return None  # a pipe, a device
    folder = os.path.dirname(os.path.realpath(path))
    return None if os.access(folder, os.W_OK) else folder


def _check_writable(ctx: click.Context, param: click.Parameter, path: str) -> str:
    """Callback: refuse a place for results before the work is done, not afterwards."""
    if path != "-" and (place := unwritable(path)):
        raise click.BadParameter(f"cannot write to {place!r}", ctx, param)
    return path


path_option = click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="-",
    callback=_check_writable,
    help="Write to FILE, whole or not at all, instead of standard output.",
)


def output_options(command: Command) -> Callable[..., Any]:
    """Add `--format` and `-o`; the command receives both as one argument, `output`."""

    @wraps(command)
    def collected(**params: Any) -> Any:
        path = params.pop("path")
        for file in click.get_current_context().params.get("files", ()):
            if os.path.exists(path) and os.path.exists(file) and os.path.samefile(path, file):
                raise click.UsageError(f"-o {path!r} would replace a hand file by its results")
        return command(output=Output(params.pop("format"), path), **params)

    for option in (
        path_option,
        click.option(
            "--format",
            type=click.Choice(FORMATS),
            default="table",
            show_default=True,
            help="How results are written.",
        ),
    ):
        collected = option(collected)
    return collected


def _write_jsonl(records: Iterable[Record], stream: IO[str]) -> None:
    from json import JSONEncoder

    encode = JSONEncoder(ensure_ascii=False).encode
    for record in records:
        stream.write(encode(record) + "\n")
        stream.flush()


def _write_json(records: Iterable[Record], stream: IO[str]) -> None:
    from json import JSONEncoder

    encode = JSONEncoder(ensure_ascii=False).encode
    start = "[\n"
    for record in records:
        stream.write(start + encode(record))
        start = ",\n"
    stream.write("[]\n" if start == "[\n" else "\n]\n")


def _write_csv(records: Iterable[Record], view: View, stream: IO[str], delimiter: str) -> None:
    from csv import writer

    rows = writer(stream, delimiter=delimiter, lineterminator="\n")
    rows.writerow(view.fields)
    for record in records:
        rows.writerows(view.rows(record))


def _write_tables(tables: Iterable[Table], stream: IO[str], layout: str) -> None:
    import tabulate

    tabulate.MIN_PADDING = 0  # it would make columns two wider than their headers
    gap = _HTML if layout == "html" else ""
    width = min(WIDTH, get_terminal_size().columns) if stream.isatty() else WIDTH
    for table in tables:
        stream.write(gap)
        gap = "\n"
        if table.title:
            title = printable(table.title)
            title = fill(title, width) if width < WIDTH else title
            click.echo(_title(title, layout), file=stream)
        if not table.rows:
            continue
        rows = _wrapped(table, width) if table.wraps and layout == "table" else table.rows
        rows = [
            [printable(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
        ]
        numeric = (
            all(cell is None or isinstance(cell, int) for cell in column)
            for column in zip(*rows, strict=True)
        )
        draw = partial(
            tabulate.tabulate,
            rows,
            table.headers,
            disable_numparse=True,
            colalign=["right" if right else "left" for right in numeric],
        )
        text = draw(tablefmt=_LAYOUTS[layout])
        if layout == "table" and max(map(len, text.splitlines())) > width < WIDTH:
            line, row = tabulate.Line("", "-", " ", ""), tabulate.DataRow("", " ", "")
            text = draw(tablefmt=tabulate.TableFormat(None, line, None, None, row, row, 0, None))
        if layout == "html":
            text = re.sub("(?<=>) +| +(?=</)", "", text)  # the padding of the cells
        click.echo(text, file=stream)


def _title(title: str, layout: str) -> str:
    if layout == "markdown":
        return f"**{title}**\n"
    if layout == "html":
        from html import escape

        return f"<h2>{escape(title)}</h2>"
    if layout == "latex":
        from tabulate import LATEX_ESCAPE_RULES

        escaped = "".join(LATEX_ESCAPE_RULES.get(sign, sign) for sign in title)
        return rf"\paragraph{{{escaped}}}"
    return click.style(title, bold=True)


def _cell(value: object) -> object:
    return printable(value) if isinstance(value, str) else value


def _wrapped(table: Table, width: int) -> list[Row]:
    """Break the last column so that the table is no wider than that."""
    widths = [
        max(len(header), *(len(str(row[number])) for row in table.rows))
        for number, header in enumerate(table.headers[:-1])
    ]
    room = max(width - sum(widths) - _GAP * len(widths), min(_NARROWEST, width // 3))
    rows: list[Row] = []
    for row in table.rows:
        lines = wrap(str(row[-1]), room, break_on_hyphens=False) or [""]
        rows.append((*row[:-1], lines[0]))
        rows += [(*[None] * (len(row) - 1), line) for line in lines[1:]]
    return rows
