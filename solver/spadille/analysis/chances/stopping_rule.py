"""The stopping rule that decides when a sample has settled which candidate is best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from spadille.analysis.confidence_intervals import EPSILON, ERROR, Interval, error_at

Rival = TypeVar("Rival")


@dataclass(slots=True)
class Race(Generic[Rival]):
    """The candidates that could still be the best, updated at each look.

    Each look may use a share of the error probability, and all looks together `ERROR`. Each share
    is divided among the remaining rivals of the leader (the union bound).
    """

    alive: list[Rival]
    each: bool = True
    """Whether each rival must be found worse than the leader or equal to it; otherwise, the race is
    settled once no rival can be much better than the leader."""
    looks: int = 0
    error: float = ERROR
    """The error probability of the last look."""
    settled: bool = False
    rivals: int = field(init=False)
    """The number of rivals among which the error of the last look was divided."""

    def __post_init__(self) -> None:
        self.rivals = len(self.alive) - 1

    def next_error(self, *, last: bool = False) -> float:
        """Return the error allowed at the next look; `last` means that no other look can follow."""
        return error_at(self.looks + 1, last=last)

    def error_of_result(self, *, interrupted: bool) -> float:
        """Return the error of a result; after an interruption, that of one more look."""
        return self.next_error() if interrupted else self.error

    def begin_look(self, *, last: bool) -> None:
        """Begin another look."""
        self.error = self.next_error(last=last)
        self.looks += 1

    def compare(
        self, leader: Rival, behind: Callable[[Rival, float], Interval], close: float = EPSILON
    ) -> bool:
        """Drop rivals that are certainly worse than the leader; return whether the race is settled.

        `behind` returns an interval for how much worse a rival is than the leader, with a given
        error. A rival that is at most `close` worse counts as equal.
        """
        rivals = [rival for rival in self.alive if rival != leader]
        error = self.error / max(len(rivals), 1)
        intervals = [behind(rival, error) for rival in rivals]
        self.rivals = len(rivals)
        self.alive = [
            leader,
            *(rival for rival, (low, _) in zip(rivals, intervals, strict=True) if low <= 0),
        ]
        self.settled = all(
            low > 0 or (high <= close if self.each else low >= -close) for low, high in intervals
        )
        return self.settled
