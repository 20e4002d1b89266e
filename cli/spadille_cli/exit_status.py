"""The exit status of the command, and the counts from which it follows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum

import click

from spadille.base.words_for_messages import many
from spadille.render.text import printable
from spadille_cli.terminal_messages import complain


class Status(IntEnum):
    """The exit status of the command."""

    DONE = 0
    FOUND = 1  # done, with findings: a fault for check, a contract that fails for solve --fail
    USAGE = 2  # wrong usage, or a file or the results cannot be written
    UNUSABLE = 3  # some input was unusable; the rest was done
    INTERRUPTED = 130


class FileError(click.ClickException):
    """Raised for a file, a ledger or a worker that fails; the usage of the command is not shown."""

    exit_code = Status.USAGE


@dataclass(slots=True)
class Tally:
    """The numbers of faults, of findings and of unwritten files so far."""

    unusable: int = 0
    findings: int = 0
    unwritten: int = 0
    by_option: Counter[str] = field(default_factory=Counter)
    """How many deals each fault in the options affects; it is printed only for the first one."""

    def status(self, *, fail: bool) -> Status:
        """Report how many other deals faults in the options affect, and return the exit status.

        A file that cannot be written outweighs unusable input. Unusable input outweighs findings,
        because the findings do not cover it.
        """
        for message, number in self.by_option.items():
            if number > 1:
                complain(f"the same in {many(number - 1, 'other deal')}: {printable(message)}")
        if self.unwritten:
            return Status.USAGE
        if self.unusable:
            return Status.UNUSABLE
        return Status.FOUND if fail and self.findings else Status.DONE
