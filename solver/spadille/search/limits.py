"""What stops a search early."""

from __future__ import annotations

from spadille.errors import SpadilleError
from spadille.search.engine import Solver


class TooHardError(SpadilleError):
    """A limit of nodes stopped the search."""


def stopped(solver: Solver) -> SpadilleError:
    """Return the error for a search that was stopped."""
    if solver.stopped == "nodes":
        return TooHardError("the search ran into its limit of nodes", "interrupted")
    return SpadilleError("the search was interrupted", "interrupted")
