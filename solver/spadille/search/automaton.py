"""Payoffs as finite automata, compiled for the engine."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from spadille.search.engine import Automaton


class Machine:
    """A payoff as a finite automaton over the winners of the tricks, laid out level by level.

    `step(state, winner, marked)` tells what a trick makes of a state, `marked` that it held a
    card of the marked suit; `worth(state)` what a final state is worth. In a state for which
    `choice(state)` is not None the side may take the first of what it gives at once, or play on
    from the second. `values` lists what can come out, from low to high; automata are compiled on
    first use, one for each threshold.
    """

    def __init__(
        self,
        players: int,
        tricks: int,
        start: Hashable,
        step: Callable[[Any, int, bool], Hashable],
        worth: Callable[[Any], Any],
        ours: int,
        marks: bool = False,
        choice: Callable[[Any], tuple[Any, Hashable] | None] | None = None,
    ) -> None:
        self._ours = ours
        self._theirs = (1 << players) - 1 ^ ours
        self._players = players
        self.numbers: list[dict[Hashable, int]] = [{} for _ in range(tricks + 1)]
        self.numbers[tricks][start] = 0
        levels: list[list[list[int]]] = [[] for _ in range(tricks + 1)]
        taken: list[dict[int, Any]] = [{} for _ in range(tricks + 1)]
        for level in range(tricks, 0, -1):
            at, below = self.numbers[level], self.numbers[level - 1]
            for state in list(at):
                if choice and (offer := choice(state)):
                    taken[level][at[state]], after = offer
                    at.setdefault(after, len(at))
            for state in at:
                row = []
                for winner in range(players):
                    for marked in (False, True):
                        if marks or not marked:
                            after = step(state, winner, marked)
                            number = below.setdefault(after, len(below))
                        row.append(number)
                levels[level].append(row)
        self._levels = levels
        final = [worth(state) for state in self.numbers[0]]
        offers = [value for at in taken for value in at.values()]
        self.values: list[Any] = sorted({*final, *offers})
        place = {value: number for number, value in enumerate(self.values)}
        self.finals = [place[each] for each in final]
        self._stop = [
            [place[at[number]] if number in at else None for number in range(len(states))]
            for at, states in zip(taken, self.numbers, strict=True)
        ]
        self._step = step
        self._goals: dict[int, Automaton] = {}

    def goal(self, need: int) -> Automaton:
        """Return the question whether values[need] can be reached."""
        found = self._goals.get(need)
        if found is None:
            found = self._goals[need] = Automaton(
                self._players, self._levels, self.finals, need, self._ours, self._theirs, self._stop
            )
        return found

    def after(self, state: Any, winner: int, marked: bool) -> Any:
        """Return the state after one more trick."""
        return self._step(state, winner, marked)

    def example(self, value: int) -> Any:
        """Return a final state that is worth values[value]."""
        return list(self.numbers[0])[self.finals.index(value)]
