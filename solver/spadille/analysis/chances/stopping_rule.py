"""The stopping rule that decides when a sample has settled which candidate is best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from spadille.analysis.confidence_intervals import EPSILON, ERROR, Interval, error_at

Rival = TypeVar("Rival")


@dataclass(slots=True)
class Race(Generic[Rival]):
    """Keeps the candidates that could still be the best, and updates them at each look.

    Each look may use a share of the error probability; together, all looks use at most `ERROR`.
    Each share is divided among the remaining rivals of the leader (the union bound).
    """

    alive: list[Rival]
    each_rival: bool = True
    """If true, the race is settled once each rival is known to be worse than the leader or equal to
    it. If false, the race is settled once no rival can be much better than the leader."""
    looks: int = 0
    error: float = ERROR
    """The error probability of the last look."""
    settled: bool = False
    rivals: int = field(init=False)
    """The number of rivals among which the error probability of the last look was divided."""

    def __post_init__(self) -> None:
        self.rivals = len(self.alive) - 1

    def next_error(self, *, last: bool = False) -> float:
        """Return the error allowed at the next look; `last` means that no other look can follow."""
        return error_at(self.looks + 1, last=last)

    def error_of_result(self, *, interrupted: bool) -> float:
        """Return the error to use for the result; an interruption counts as one more look."""
        return self.next_error() if interrupted else self.error

    def begin_look(self, *, last: bool) -> None:
        """Begin another look."""
        self.error = self.next_error(last=last)
        self.looks += 1

    def compare(
        self, leader: Rival, behind: Callable[[Rival, float], Interval], close: float = EPSILON
    ) -> bool:
        """Drop rivals that are certainly worse than the leader; return whether the race is settled.

        `behind` returns an interval, at a given error, for the leader's value minus the rival's. A
        rival that is worse by at most `close` counts as equal.
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
            low > 0 or (high <= close if self.each_rival else low >= -close)
            for low, high in intervals
        )
        return self.settled
