"""The engine during one call of a function, with its limits and the nodes visited so far."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from spadille.base.errors import ArgumentError, SpadilleError, TooHardError, quoted
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.limits import CallEnd, Limits, check_limits

_AT_ONCE = 1e-9  # seconds; 0 would mean no limit


class Search:
    """The engine during one call, with the limits and the number of nodes so far.

    Raises ArgumentError if an argument is invalid.
    """

    def __init__(
        self,
        solver: Solver | None,
        limits: Limits,
        memory: int = DEFAULT_MEMORY,
        within: Search | None = None,
    ) -> None:
        """Begin a call, or a part of the call `within` on another thread.

        With limits from `nested`, the search is also part of another call, and ends when that call
        does.
        """
        self._began = perf_counter()
        self._earlier = 0
        self._spent = 0
        check_limits(limits)
        if solver is None:
            solver = Solver(memory)
        elif not isinstance(solver, Solver):
            raise ArgumentError(f"a solver must be a Solver, not {quoted(solver)}")
        self.solver = solver
        self.hard_nodes = 0 if limits.whole else limits.hard_nodes
        """The limit on hard nodes; 0 if there is none, or if nodes or seconds are limited.
        """
        # If the table were kept, node counts would depend on proofs from earlier calls.
        self.solver.clear()
        self._limits = limits
        self._within = within
        token = limits.interruption
        nested = isinstance(token, CallEnd)
        self._end = token if isinstance(token, CallEnd) else CallEnd(token)
        self._until: float | None = limits.deadline(self._began)
        if within is not None:
            self._end, self._until = within._end, within._until
        self._apply(0, going_on=nested or within is not None)

    @property
    def limited(self) -> bool:
        """Whether nodes or seconds are limited, in which case values may stay unknown."""
        return self._limits.whole

    def nested(self, hard_nodes: int | None = None) -> Limits:
        """Return limits for a call within this one: the time left, but the full number of nodes.

        The inner call ends when this one does; its limit on hard nodes is at most `hard_nodes`.
        """
        limits = self._limits
        most = limits.hard_nodes
        if hard_nodes is not None and not 0 < most < hard_nodes:
            most = hard_nodes
        return replace(limits, seconds=self._left, hard_nodes=most, interruption=self._end)

    @property
    def _left(self) -> float:
        """The seconds that are left; 0 if there is no time limit."""
        return 0.0 if self._until is None else max(self._until - perf_counter(), _AT_ONCE)

    def limit(self, nodes: int = 0) -> None:
        """Limit further searches to `nodes` nodes; 0 restores the limits of the question."""
        self._spent += self.solver.nodes
        self._earlier += self.solver.nodes
        self._apply(nodes)

    def next_question(self) -> None:
        """Begin the next question: nodes are counted afresh, but the clock keeps running."""
        self._earlier += self.solver.nodes
        self._spent = 0
        self._apply(0)

    def _apply(self, nodes: int, going_on: bool = True) -> None:
        """Set the engine's limits; after an interruption, further searches stop at once."""
        whole = self._limits.nodes
        interrupted = self.solver.stopped == "interrupt"
        if self._within is not None and self._within.solver.interrupted:
            self._end.stop()
        left = max(whole - self._spent, 1) if whole else 0
        self._end.watch(self.solver)
        interrupted |= self.solver.limit(min(filter(None, (nodes, left)), default=0), self._left)
        if going_on and interrupted:
            self._end.stop()
        if self._end.stopped:
            self.solver.limit(0, _AT_ONCE)

    @property
    def over(self) -> bool:
        """Whether a limit of the call has been reached; further searches then stop at once."""
        most = self._limits.nodes
        late = self._until is not None and perf_counter() >= self._until
        return late or bool(most and self._spent + self.solver.nodes >= most) or self.interrupted

    @property
    def interrupted(self) -> bool:
        """Whether the call was interrupted from outside."""
        return self._end.stopped or self.solver.stopped == "interrupt" or self.solver.interrupted

    def check_not_interrupted(self) -> None:
        """Raise SpadilleError if the call was interrupted."""
        if self.interrupted:
            raise _interrupted()

    def stopped(self) -> SpadilleError:
        """Return the error to raise if a value is missing because the search was stopped."""
        if self.interrupted:
            return _interrupted()
        limit = "node" if self.solver.stopped == "nodes" else "time"
        return TooHardError(f"the search reached its {limit} limit", "interrupted")

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return self._earlier + self.solver.nodes

    @property
    def ms(self) -> float:
        """Milliseconds since the call began."""
        return round((perf_counter() - self._began) * 1000, 3)


def _interrupted() -> SpadilleError:
    return SpadilleError("the search was interrupted", "interrupted")
