"""Hand files that commands edit, written back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from spadille.pbn.evening_csv import TABLES
from spadille.pbn.hand_file import HandFile
from spadille_cli.deal_records import Case
from spadille_cli.output_files import save
from spadille_cli.status import Tally
from spadille_cli.terminal import complain


def replace_file(name: str, file: HandFile, text: str, encoding: str, tally: Tally) -> None:
    """Write a hand file anew, whole or not at all; one that cannot be written is reported.

    So is one that has been changed since it was read.
    """
    try:
        if name.lower().endswith(TABLES):
            raise click.UsageError(f"{name}: a table is not written anew as a hand file")
        save(name, text, encoding, file.document.original)
    except click.UsageError as error:
        tally.unusable += 1
        complain(error.message)


@contextmanager
def saving_edits(cases: Iterable[Case], tally: Tally) -> Iterator[None]:
    """Write the edited files in the end; after an interruption, too, what was finished."""
    try:
        yield
    finally:
        for name, file in {case.name: case.file for case in cases}.items():
            if file.text != file.document.original:
                replace_file(name, file, file.text, file.encoding, tally)
