"""Payoffs as finite automata over the winners of the tricks, laid out for the engine."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

from spadille.search.engine import PayoffObjective
from spadille.search.problem import Problem


class Need(NamedTuple):
    """What a lone player needs of the whole hand for a value, see `engine.PayoffObjective`."""

    kind: int
    first: int
    second: int = 0


class Payoff(PayoffObjective):
    """A payoff that a number of tricks does not tell, as an objective.

    `step(state, winner, marked)` tells what a trick makes of a state, `marked` that it held a card
    of a marked suit; `worth(state)` what a final state is worth. In a state for which
    `choice(state)` is not None the side may take the first of what it gives at once, or play on
    from the second. `values` lists what can come out, from low to high: the objective's values are
    places in it. Its states are numbers, with so many tricks left the places in `states[left]`;
    the first is 0. Where `word` is given, values of one word are told apart only where it is asked
    for. `need` and `has` give what a value needs and what a state has of it, where a lone player's
    payoff hangs on that.
    """

    __slots__ = ("_word", "finals", "guess", "start", "states", "values")

    counts = by_tricks = False

    misere = False

    def __init__(
        self,
        players: int,
        tricks: int,
        start: Hashable,
        step: Callable[[Any, int, bool], Hashable],
        worth: Callable[[Any], Any],
        side: int,
        *,
        credited: int | None = None,
        marked: int = 0,
        word: Callable[[Any], Any] | None = None,
        choice: Callable[[Any], tuple[Any, Hashable] | None] | None = None,
        need: Callable[[Any], Need] | None = None,
        has: Callable[[Any], Iterable[int]] | None = None,
    ) -> None:
        numbers: list[dict[Hashable, int]] = [{} for _ in range(tricks + 1)]
        numbers[tricks][start] = 0
        levels: list[list[list[int]]] = [[] for _ in range(tricks + 1)]
        taken: list[dict[int, Any]] = [{} for _ in range(tricks + 1)]
        led: list[dict[int, int]] = [{} for _ in range(tricks + 1)]
        for left in range(tricks, 0, -1):
            at, below = numbers[left], numbers[left - 1]
            for state in list(at):
                if choice and (offer := choice(state)):
                    taken[left][at[state]], after = offer
                    led[left][at[state]] = at.setdefault(after, len(at))
            for state in at:
                row = []
                for winner in range(players):
                    for marks in (False, True):
                        if marked or not marks:
                            after = step(state, winner, marks)
                            number = below.setdefault(after, len(below))
                        row.append(number)
                levels[left].append(row)
        final = [worth(state) for state in numbers[0]]
        offers = [value for at in taken for value in at.values()]
        self.start = 0
        self._word = word
        self.states: list[list[Any]] = [list(at) for at in numbers]
        self.values: list[Any] = sorted({*final, *offers})
        place = {value: number for number, value in enumerate(self.values)}
        self.finals = [place[each] for each in final]
        words = [word(value) if word else value for value in self.values]
        grades = [
            number for number, each in enumerate(words) if not number or each != words[number - 1]
        ]
        # The best outcome there is; points are mostly few.
        self.guess = grades[-1] if word else 1
        super().__init__(
            side,
            side if credited is None else credited,
            players,
            levels,
            self.finals,
            len(self.values),
            stop=[
                [place[at[number]] if number in at else None for number in range(len(states))]
                for at, states in zip(taken, self.states, strict=True)
            ],
            led=[
                [at.get(number, number) for number in range(len(states))]
                for at, states in zip(led, self.states, strict=True)
            ],
            grades=grades,
            marked=marked,
            terms=[need(value) for value in self.values] if need else (),
            counts=[[list(has(state)) for state in at] for at in self.states] if has else (),
        )

    def namings(self, problem: Problem) -> list[Problem]:
        """List what the player to move may make of the trump before he plays: nothing."""
        return [problem]

    def named(self, value: int) -> Any:
        """Return a value as results give it: an outcome, points or chips."""
        worth = self.values[value]
        return self._word(worth) if self._word else worth

    def example(self, value: int) -> Any:
        """Return a final state that is worth `values[value]`."""
        return self.states[0][self.finals.index(value)]
