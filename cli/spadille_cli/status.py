"""Exit statuses, and the account a command keeps to know which one it earns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Status(IntEnum):
    """What the command's exit status says."""

    DONE = 0
    FOUND = 1  # done, and found: check a fault, solve --fail a contract that does not make
    USAGE = 2
    UNUSABLE = 3  # some input could not be used; the rest was done
    INTERRUPTED = 130


@dataclass(slots=True)
class Tally:
    """What a command has met so far."""

    unusable: int = 0
    found: int = 0

    def status(self, *, fail: bool) -> Status:
        """Unusable input weighs more than what `--fail` looks for: the answer is incomplete."""
        if self.unusable:
            return Status.UNUSABLE
        return Status.FOUND if fail and self.found else Status.DONE
