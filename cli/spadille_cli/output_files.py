"""Files that commands write atomically: results, and edited hand files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from spadille.pbn.evening_csv import TABLES
from spadille.pbn.hand_file import HandFile
from spadille.render.text import printable
from spadille_cli.case_and_answer import Case
from spadille_cli.exit_status import FileError, Tally
from spadille_cli.shared_options import OUTPUT, added, cli_option
from spadille_cli.terminal_messages import complain


def save(path: str, text: str, encoding: str = "utf-8", instead_of: str | None = None) -> None:
    """Write a file atomically; raise FileError if that is impossible.

    A hand file is replaced only if it still contains `instead_of`, the text that was read.
    """
    from spadille.pbn.atomic_files import write_atomic

    try:
        if lost := write_atomic(path, text, encoding, instead_of=instead_of):
            complain(f"{printable(path)}: the {lost} of the file could not be kept")
    except OSError as error:
        raise FileError(f"cannot write {path!r}: {error.strerror}") from error


def unwritable(path: str) -> str | None:
    """Return the path that prevents a file from being written: itself, its folder, or ""."""
    from spadille.pbn.atomic_files import is_read_only

    if is_read_only(path):
        return path
    if os.path.exists(path) and not os.path.isfile(path):
        return None  # a pipe, a device
    folder = os.path.dirname(os.path.realpath(path))
    return None if os.access(folder, os.W_OK) else folder


def check_regular(names: Iterable[str], option: str) -> None:
    """Raise click.UsageError for a pipe or device, which an option cannot rewrite."""
    for name in names:
        if os.path.exists(name) and not os.path.isfile(name):
            raise click.UsageError(f"{option} cannot rewrite {name!r}, which is not a regular file")


def check_no_hand_file(path: str, names: Iterable[str], instead: str = "") -> None:
    """Raise click.UsageError if -o names one of the input files; it may say what to do instead."""
    for name in names:
        if os.path.exists(path) and os.path.exists(name) and os.path.samefile(path, name):
            message = f"-o {path!r} would replace an input file with its results"
            raise click.UsageError(f"{message}: {instead}" if instead else message)


def check_writable(ctx: click.Context, param: click.Parameter, path: str) -> str:
    """Callback: reject an output file that cannot be written, before any work is done."""
    if not path:
        raise click.BadParameter("the name of the file is empty", ctx, param)
    if path != "-" and (place := unwritable(path)):
        why = "you may not write there" if os.path.exists(place) else "there is no such folder"
        raise click.BadParameter(f"cannot write to {place!r}: {why}", ctx, param)
    return path


path_option = added(
    OUTPUT,
    cli_option(
        "-o, --output FILE",
        "Write to FILE instead of standard output (atomically).",
        name="path",
        type=click.Path(dir_okay=False, allow_dash=True),
        default="-",
        show_default=False,
        callback=check_writable,
    ),
)


def replace_file(name: str, file: HandFile, text: str, encoding: str, tally: Tally) -> None:
    """Rewrite a hand file atomically; report and count a file that cannot be written.

    A file that has changed since it was read is not written either.
    """
    if name.lower().endswith(TABLES):
        tally.unusable += 1
        complain(f"{name}: a table cannot be rewritten as a hand file")
        return
    try:
        save(name, text, encoding, file.document.original)
    except FileError as error:
        tally.unwritten += 1
        complain(error.message)


@contextmanager
def saving_edits(cases: Iterable[Case], tally: Tally) -> Iterator[None]:
    """Write the edited files at the end; after an interruption, write the finished ones."""
    try:
        yield
    finally:
        for name, file in {case.name: case.file for case in cases}.items():
            # The original differs even without edits if the file is a table or in other letters.
            if file.text != file.document.source:
                replace_file(name, file, file.text, file.encoding, tally)
