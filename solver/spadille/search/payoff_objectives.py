"""Payoffs as objectives: what a side is sure of in points or chips, in numbers of their list.

Where a hand can end in so many ways only as there are numbers of tricks, payoffs are steps of a
count (`Steps`); elsewhere they depend on how it ends, which an automaton follows (`Score`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

from spadille.core.contract import Contract
from spadille.games.model.contract_kinds import Outcome
from spadille.search.contract_objective import SideObjective, TrickCount, Tricks
from spadille.search.encoding import Situation
from spadille.search.end_states import EndStates, State
from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from spadille.search.payoff_automata import Payoff, PayoffStates
from spadille.search.verdict import PayoffMeaning, Unit, final_of

_Value = TypeVar("_Value")

Ask = Callable[[TrickCount, int], tuple[int, int]]
"""Ask whether a count reaches so much: bounds of it as they are known then.

The number lies between them only where a limit leaves that open."""


class Goal(SideObjective, Protocol):
    """An objective of the engine whose values are payoffs."""

    values: list[int]
    """The payoffs of the side that there are, from low to high; partners together."""

    def meaning(self, value: int) -> PayoffMeaning:
        """Return what a value means to the declarer."""

    def narrow(self, ask: Ask, low: int, high: int) -> tuple[int, int]:
        """Narrow the bounds of the value as far as numbers of tricks settle it."""


class ScoreGoal(Goal, Protocol):
    """The objective of the payoff of a contract with one declarer."""

    def ends(self, contract: Contract, at: Situation, value: int) -> list[Outcome]:
        """List how a hand may end that is worth so much."""


class Paid(NamedTuple):
    """The payoff of one end of a hand."""

    side: int
    """Both partners together."""
    declarer: int
    makes: bool
    outcome: str


class Steps(Tricks):
    """Payoffs that never fall as a count rises."""

    __slots__ = ("_least", "_most", "_told", "count", "paid", "values")

    unit: Unit = "points"

    def __init__(self, count: TrickCount, paid: Mapping[int, Paid]) -> None:
        """`paid` gives what each value of `count` that there can be pays."""
        self.count = count
        self.values: list[int] = []
        self.paid = paid
        self._told: dict[int, PayoffMeaning] = {}
        self._least: list[int] = []
        for number in sorted(paid):
            if not self.values or paid[number].side != self.values[-1]:
                self.values.append(paid[number].side)
                self._least.append(number)
        assert self.values == sorted(self.values)
        self._most = max(paid)
        guess = max(bisect_right(self._least, count.guess) - 1, 0)
        sides = count.side, count.credited
        # One payoff, however many tricks there are, is a step like any other.
        steps = self._least[1:] or [self._most + 1]
        super().__init__(*sides, count.start, guess, trumps=count.trumps, steps=steps)

    def named(self, value: int) -> int:
        """Return a value as results give it."""
        return self.values[value]

    def meaning(self, value: int) -> PayoffMeaning:
        """Return what a value means to the declarer."""
        meaning = self._told.get(value)
        if meaning is None:
            meaning = self._told[value] = _told([self.paid[count] for count in self._counts(value)])
        return meaning

    def narrow(self, ask: Ask, low: int, high: int) -> tuple[int, int]:
        """Narrow the bounds of the value, step by step from the guess on."""
        need = self.guess
        while low < high:
            need = min(max(need, low + 1), high)
            least, most = ask(self.count, self._least[need])
            if least >= self._least[need]:
                low = need
                need += 1
            elif most < self._least[need]:
                high = need - 1
                need -= 1
            else:
                break
        return low, high

    def ends(self, contract: Contract, at: Situation, value: int) -> list[Outcome]:
        """List how a hand may end that is worth so much."""
        seat = contract.declarer
        return [final_of(contract, at, seat, abs(count)) for count in self._counts(value)]

    def _counts(self, value: int) -> range:
        """List the values of the count that pay so much."""
        beyond = [*self._least, self._most + 1][value + 1]
        return range(self._least[value], beyond)


class Score:
    """Payoffs of how a hand can end.

    `count` are tricks of the side that most payoffs depend on, with the contract's target, where it
    is one for tricks. Where numbers of tricks settle a payoff the automaton is never laid out.
    """

    __slots__ = (
        "_payoffs",
        "_told",
        "_within",
        "count",
        "credited",
        "paid",
        "side",
        "states",
        "values",
        "worth",
    )

    unit: Unit = "points"
    by_tricks = False
    start = 0
    guess = 1

    def __init__(
        self, side: int, states: EndStates, paid: Sequence[Paid], count: TrickCount | None = None
    ) -> None:
        self.side = self.credited = side
        self.states = states
        self.paid = paid
        self.count = count
        self._payoffs = tuple([end.side for end in paid])
        self.worth = dict(zip(states.outcomes, self._payoffs, strict=True))
        self.values = sorted(set(self._payoffs))
        self._told: dict[int, PayoffMeaning] = {}
        self._within: dict[tuple[int, int], tuple[int, int]] = {}

    @property
    def payoff(self) -> Payoff:
        """The same laid out as an automaton."""
        return _payoff(self.states, self._payoffs, self.side)

    def named(self, value: int) -> int:
        """Return a value as results give it."""
        return self.values[value]

    def meaning(self, value: int) -> PayoffMeaning:
        """Return what a value means to the declarer."""
        meaning = self._told.get(value)
        if meaning is None:
            payoff = self.values[value]
            meaning = self._told[value] = _told([end for end in self.paid if end.side == payoff])
        return meaning

    def narrow(self, ask: Ask, low: int, high: int) -> tuple[int, int]:
        """Narrow the bounds of the value as far as two numbers of tricks settle it.

        Most payoffs depend on the target, and where that is reached on taking all tricks.
        """
        if self.count is not None:
            for need in (self.count.guess, self.states.size):
                low, high = self.within(*ask(self.count, need))
                if low == high:
                    break
        return low, high

    def within(self, least: int, most: int) -> tuple[int, int]:
        """Return bounds of the value when the side can force so many tricks, and no more.

        It has at least what these tricks pay if it stops whenever it may, at most what the others
        leave it.
        """
        bounds = self._within.get((least, most))
        if bounds is None:
            low, high = len(self.values) - 1, 0
            for state, payoff in self.worth.items():
                tricks, number = sum(state[0]), self.values.index(payoff)
                stops = self.states.may_stop(state)
                if stops or (tricks >= least and state[1] <= self.states.run):
                    low = min(low, number)
                if tricks <= most:
                    high = max(high, number)
            bounds = self._within[least, most] = low, high
        return bounds

    def ends(self, contract: Contract, at: Situation, value: int) -> list[Outcome]:
        """List how a hand may end that is worth so much."""
        return [
            self.states.outcomes[state]
            for state, payoff in self.worth.items()
            if payoff == self.values[value]
        ]

    # As the automaton answers.

    def wants(self, problem: EngineProblem) -> bool:
        """Whether the player to move belongs to the side that wants much."""
        return bool(self.side >> problem.to_play & 1)

    def namings(self, problem: EngineProblem) -> list[EngineProblem]:
        """List what the player to move may make of the trump before he plays: nothing."""
        return [problem]

    def span(self, problem: EngineProblem, state: int) -> tuple[int, int]:
        """Return the least and the greatest value there can be."""
        return 0, len(self.values) - 1

    def led(self, problem: EngineProblem, state: int) -> int:
        """Return the state once somebody has led to the next trick: who may stop goes on."""
        return self.payoff.led(problem, state)

    def step(self, solver: Solver, problem: EngineProblem, state: int, card: int) -> int:
        """Return the state after the player to move has played a card."""
        return self.payoff.step(solver, problem, state, card)

    def bounds(
        self, solver: Solver, problem: EngineProblem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search."""
        return self.payoff.bounds(solver, problem, state, low, high, guess)

    def reaches(self, solver: Solver, problem: EngineProblem, state: int, need: int) -> bool | None:
        """Whether the value is at least so much; None if a limit stops the search."""
        return self.payoff.reaches(solver, problem, state, need)

    def card_values(
        self, solver: Solver, problem: EngineProblem, state: int, value: int
    ) -> dict[int, int | None]:
        """Return the value of each legal card; `value` is that of the position."""
        return self.payoff.card_values(solver, problem, state, value)

    def best_line(
        self, solver: Solver, problem: EngineProblem, state: int, value: int
    ) -> tuple[list[int], int] | None:
        """Return the cards of an optimal line; `value` is that of the position."""
        return self.payoff.best_line(solver, problem, state, value)


@lru_cache(maxsize=1024)
def _payoff(states: EndStates, payoffs: tuple[int, ...], side: int) -> Payoff:
    worth = dict(zip(states.outcomes, payoffs, strict=True))

    def choice(state: State) -> tuple[int, State] | None:
        return (worth[state], states.led(state)) if states.may_stop(state) else None

    functions = PayoffStates(
        start=states.start, step=states.step, worth=worth.__getitem__, choice=choice
    )
    return Payoff(states.players, states.tricks, functions, side)


def _told(ways: Sequence[Paid]) -> PayoffMeaning:
    return PayoffMeaning(
        min(end.declarer for end in ways),
        common([end.makes for end in ways]),
        common([end.outcome for end in ways]),
    )


def common(values: Sequence[_Value]) -> _Value | None:
    """Return what all values are, None if they differ."""
    return values[0] if all(value == values[0] for value in values) else None
