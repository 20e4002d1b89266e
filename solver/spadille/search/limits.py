"""Limits that stop a search early."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import get_ident
from types import NoneType
from typing import Any

from spadille.base.argument_checks import check_type, number_of_seconds, whole_number
from spadille.base.errors import ArgumentError, quoted
from spadille.search.engine import Solver

_MOST = (1 << 64) - 1


class Interruption:
    """A token that ends the calls it is passed to: `Limits(interruption=...)`, then `stop()`.

    One token may end several calls, even on several threads. The token stays stopped: if you pass
    it to another call, that call ends at once.
    """

    def __init__(self) -> None:
        self._stopped = False
        self._solvers: dict[int, Solver] = {}

    @property
    def stopped(self) -> bool:
        """Whether `stop` has been called."""
        return self._stopped

    def stop(self) -> None:
        """End the calls: running searches stop soon, and no new ones begin. Thread-safe."""
        self._stopped = True
        for solver in [*self._solvers.values()]:
            solver.interrupt()

    def watch(self, solver: Solver) -> None:
        """Register the solver that this thread is using, so that `stop` interrupts it."""
        self._solvers[get_ident()] = solver


class CallEnd(Interruption):
    """Ends a call and all its parts if its token is stopped or a solver is interrupted."""

    def __init__(self, given: Interruption | None) -> None:
        super().__init__()
        self._given = given

    @property
    def stopped(self) -> bool:
        """Whether the call has ended."""
        return self._stopped or (self._given is not None and self._given.stopped)

    def stop(self) -> None:
        """End the call; its solvers stop at their next check."""
        self._stopped = True

    def watch(self, solver: Solver) -> None:
        """Register this solver with the token, if there is one."""
        if self._given is not None:
            self._given.watch(solver)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits at which a search gives up; 0 means no limit.

    `seconds` limits a whole call or, in a function for many deals, each deal. `nodes` limits the
    number of positions searched for each question of a call. The documentation of each function
    says what a question is. If a limit stops a search, only bounds on the value are known.
    `hard_nodes` limits the search for the size of a loss. In a Misère, that size is the number of
    tricks taken; if the declarer cannot win the most tricks, it is the highest number of tricks
    that an opponent wins. The size of a loss is by far the hardest question, especially in
    contracts nobody would bid. Few deals need the default number of nodes. A limit on nodes or
    seconds replaces `hard_nodes`. With an `interruption`, another thread can end the call. Raises
    ArgumentError for limits below 0, for a node limit of more than 64 bits, and for an interruption
    that is not an `Interruption`.
    """

    nodes: int = 0
    seconds: float = 0.0
    hard_nodes: int = 20_000_000
    interruption: Interruption | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        expected = "an interruption must be an Interruption"
        check_type(self.interruption, (Interruption, NoneType), expected)
        for name in ("nodes", "hard_nodes"):
            expected = f"{name} must be a number from 0 to {_MOST}"
            value = whole_number(getattr(self, name), 0, expected)
            if value > _MOST:
                raise ArgumentError(f"{expected}, not {value!r}")
            object.__setattr__(self, name, value)
        object.__setattr__(self, "seconds", number_of_seconds(self.seconds))

    def deadline(self, now: float) -> float | None:
        """Return the time by which a call that begins now must end; None without a time limit."""
        return now + self.seconds if self.seconds else None

    @property
    def whole(self) -> bool:
        """Whether the nodes or seconds of whole questions are limited, not only hard nodes."""
        return bool(self.nodes or self.seconds)


DEFAULT = Limits()


def check_limits(limits: Any) -> Limits:
    """Return `limits`; raise ArgumentError unless it is a Limits."""
    if not isinstance(limits, Limits):
        raise ArgumentError(
            f"limits must be a Limits, such as Limits(nodes=1000), not {quoted(limits)}"
        )
    return limits
