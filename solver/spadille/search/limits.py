"""Limits that stop a search early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spadille.base.errors import (
    ArgumentError,
    SpadilleError,
    number_of_seconds,
    quoted,
    whole_number,
)
from spadille.search.engine import Solver

_MOST = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Limits:
    """When a question is given up; 0 stands for no limit.

    `nodes` (positions visited) and `seconds` limit a whole question, and leave bounds of values
    that they did not settle. `hard_nodes` limit the search for how much is lost: the fewest tricks
    of a Misère, the most of a single opponent where nobody can have most. That is by far the
    hardest to find, and hardest where nobody would bid; few deals need as many as the default. A
    limit of the whole question covers that, too, and `hard_nodes` are ignored. Raises ArgumentError
    for limits below 0 and for nodes beyond 64 bits.
    """

    nodes: int = 0
    seconds: float = 0.0
    hard_nodes: int = 20_000_000

    def __post_init__(self) -> None:
        for name in ("nodes", "hard_nodes"):
            expected = f"{name} is a number from 0 to {_MOST}"
            value = whole_number(getattr(self, name), 0, expected)
            if value > _MOST:
                raise ArgumentError(f"{expected}, not {value!r}")
            object.__setattr__(self, name, value)
        object.__setattr__(self, "seconds", number_of_seconds(self.seconds))

    @property
    def whole(self) -> bool:
        """Whether the whole question is limited, not only what is hard."""
        return bool(self.nodes or self.seconds)


DEFAULT = Limits()


def check_limits(limits: Any) -> Limits:
    """Return limits; raises ArgumentError for anything else."""
    if not isinstance(limits, Limits):
        raise ArgumentError(f"limits are Limits, as in Limits(nodes=1000), not {quoted(limits)}")
    return limits


def only_hard(limits: Any, function: str) -> Limits:
    """Return the limits of a function that answers all to the end but what is hard.

    Raises ArgumentError for anything else, and where nodes or seconds are limited.
    """
    checked = check_limits(limits)
    if checked.whole:
        raise ArgumentError(
            f"{function} has no limit of nodes or seconds, only of hard_nodes, not {checked}"
        )
    return checked


class TooHardError(SpadilleError):
    """A limit of nodes stopped the search."""


def stopped(solver: Solver) -> SpadilleError:
    """Return the error for a search that was stopped."""
    if solver.stopped == "nodes":
        return TooHardError("the search ran into its limit of nodes", "interrupted")
    return SpadilleError("the search was interrupted", "interrupted")
