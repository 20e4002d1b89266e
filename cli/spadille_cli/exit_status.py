"""The exit status of the command, and the counts from which it follows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Status(IntEnum):
    """The exit status of the command."""

    DONE = 0
    FOUND = 1  # done, with findings: a fault for check, a contract that fails for solve --fail
    USAGE = 2  # wrong usage, or a file or the results cannot be written
    UNUSABLE = 3  # some input was unusable; the rest was done
    INTERRUPTED = 130


@dataclass(slots=True)
class Tally:
    """The numbers of faults, of findings and of unwritten files so far."""

    unusable: int = 0
    findings: int = 0
    unwritten: int = 0

    def status(self, *, fail: bool) -> Status:
        """Return the exit status.

        A file that cannot be written outweighs unusable input. Unusable input outweighs findings,
        because the findings do not cover it.
        """
        if self.unwritten:
            return Status.USAGE
        if self.unusable:
            return Status.UNUSABLE
        return Status.FOUND if fail and self.findings else Status.DONE
