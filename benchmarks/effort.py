"""The effort that a benchmark run makes, and the time of a call.

Times are processor time of this process, in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import Any


@dataclass(frozen=True, slots=True)
class Effort:
    """The thoroughness of a run; the scale of a full run is 1."""

    scale: float
    yardsticks: int
    nodes: int  # limit of one solve, so that nothing runs forever
    rounds: int

    def number(self, full: int) -> int:
        """Scale the number of deals of a full run."""
        return max(20, round(full * self.scale))

    def seconds(self, full: float) -> float:
        """Scale the time of a full run."""
        return full * self.scale


FULL = Effort(1, 100, 50_000_000, 3)
QUICK = Effort(0.08, 20, 2_000_000, 2)


def timed(task: Any, *args: Any) -> tuple[float, Any]:
    """Call a function and return its time."""
    began = process_time()
    found = task(*args)
    return process_time() - began, found
