"""Hand files as commands read them, and the faults they report."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping

import click

from spadille.cli.output import Record
from spadille.cli.status import Tally
from spadille.document import decode
from spadille.errors import Fault
from spadille.handfile import Entry, HandFile, load, read


def load_files(
    files: Iterable[str], tally: Tally, game: str | None = None, options: str = ""
) -> Iterator[tuple[str, HandFile]]:
    """Read each file, `-` being standard input; one that cannot be read is reported."""
    chosen = parse_options(options)
    for name in files:
        try:
            if name == "-":
                text, encoding = decode(sys.stdin.buffer.read())
                file = read(text, game, chosen)
                file.encoding = encoding
            else:
                file = load(name, game, chosen)
        except OSError as error:
            tally.unusable += 1
            complain(f"{name}: {error.strerror}")
        else:
            yield name, file


def parse_options(text: str) -> Mapping[str, str]:
    """Read `--rules`; raises click.UsageError for what is no key=value."""
    options = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, equals, value = part.partition("=")
        if not equals:
            raise click.UsageError(f"--rules: {part!r} is no option: write key=value")
        options[name.strip()] = value.strip()
    return options


def place(file: str, fault: Fault) -> str:
    """Where a fault is: file:line:column."""
    return ":".join(str(part) for part in (file, fault.line, fault.column) if part is not None)


def describe(fault: Fault) -> str:
    """What is wrong, with the input as it stands there and the rule it breaks."""
    text = fault.message
    if fault.text not in text:
        text += f": {fault.text!r}"
    source, _, rule = fault.rule.partition(": ")
    return text if not rule else f"{text} ({source})" if rule in text else f"{text} ({fault.rule})"


def complain(message: str) -> None:
    """Print a line on standard error."""
    click.echo(message, err=True)


def report(file: str, faults: Iterable[Fault], tally: Tally) -> None:
    """Print faults on standard error; each makes the input partly unusable."""
    for fault in faults:
        tally.unusable += 1
        complain(f"{click.style(place(file, fault), bold=True)}: {describe(fault)}")


def common_fields(file: str, entry: Entry, error: Fault | None) -> Record:
    """The fields every result has in JSON."""
    return {
        "file": file,
        "index": entry.index,
        "board": entry.board,
        "game": entry.rules.game.id if entry.rules else None,
        "error": error
        and {
            "code": error.code,
            "message": error.message,
            "line": error.line,
            "column": error.column,
        },
    }
