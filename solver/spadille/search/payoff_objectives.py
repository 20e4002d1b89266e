"""Objectives for payoffs in points or chips; their values are indexes into a list of payoffs.

`make_payoff_objective.py` makes the objective of a contract. If the ends of a hand differ only in
the number of tricks, payoffs are steps of a count (`PayoffSteps`); otherwise they depend on how the
hand ends, which an automaton tracks (`PayoffByEnd`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

from spadille.core.contract import Contract
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.contract_objective import SideObjective, TrickCount, Tricks
from spadille.search.encoding import Situation
from spadille.search.end_states import EndStates, State
from spadille.search.engine import Objective, Solver
from spadille.search.engine_problem import EngineProblem
from spadille.search.payoff_automata import Payoff, PayoffStates
from spadille.search.verdict import PayoffMeaning, Unit, final_of

_Value = TypeVar("_Value")

Ask = Callable[[TrickCount, int], tuple[int, int]]
"""A function that returns bounds on a count, to decide whether it reaches a number.

The bounds settle the answer unless a limit stopped the search."""


class Goal(SideObjective, Protocol):
    """An objective whose values stand for payoffs."""

    values: list[int]
    """The possible payoffs of the side from low to high; those of partners are added up."""

    def meaning(self, value: int) -> PayoffMeaning:
        """Return the meaning of a value for the declarer."""

    def narrow(self, ask: Ask, low: int, high: int) -> tuple[int, int]:
        """Narrow bounds on the value by asking about numbers of tricks."""


class ContractGoal(Goal, Protocol):
    """An objective for the payoff of a contract with one declarer."""

    def ends(self, contract: Contract, at: Situation, value: int) -> list[Outcome]:
        """List the outcomes of a hand that have this value."""


class Paid(NamedTuple):
    """The payoff of one possible end of a hand."""

    side: int
    """The payoff of the side; those of partners are added up."""
    declarer: int
    makes: bool
    outcome: str


class PayoffSteps(Tricks):
    """Payoffs that depend only on a count and never decrease as it rises."""

    unit: Unit = "points"

    def __init__(self, count: TrickCount, paid: Mapping[int, Paid]) -> None:
        """Build the steps; `paid` gives the payoff of each possible value of `count`."""
        self.count = count
        self.values: list[int] = []
        self.paid = paid
        self._meanings: dict[int, PayoffMeaning] = {}
        self._least: list[int] = []
        for number in sorted(paid):
            if not self.values or paid[number].side != self.values[-1]:
                self.values.append(paid[number].side)
                self._least.append(number)
        assert self.values == sorted(self.values)
        self._most = max(paid)
        guess = max(bisect_right(self._least, count.guess) - 1, 0)
        sides = count.side, count.credited
        # If the payoff is the same for every number of tricks, there is still one step.
        steps = self._least[1:] or [self._most + 1]
        super().__init__(*sides, count.start, guess, trumps=count.trumps, steps=steps)

    def named(self, value: int) -> int:
        """Return a value in the form used in results."""
        return self.values[value]

    def meaning(self, value: int) -> PayoffMeaning:
        """Return the meaning of a value for the declarer."""
        meaning = self._meanings.get(value)
        if meaning is None:
            meaning = self._meanings[value] = _meaning(
                [self.paid[count] for count in self._counts(value)]
            )
        return meaning

    def narrow(self, ask: Ask, low: int, high: int) -> tuple[int, int]:
        """Narrow bounds on the value step by step, beginning with the guess."""
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
        """List the outcomes of a hand that have this value."""
        seat = contract.declarer
        return [final_of(contract, at, seat, abs(count)) for count in self._counts(value)]

    def _counts(self, value: int) -> range:
        """List the numbers of tricks that have this payoff."""
        beyond = [*self._least, self._most + 1][value + 1]
        return range(self._least[value], beyond)


class PayoffByEnd:
    """Payoffs that depend on more than one count.

    `count` is the side's number of tricks, on which most payoffs depend; None if it does not help.
    If numbers of tricks settle a payoff, the automaton is never built.
    """

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
        self._meanings: dict[int, PayoffMeaning] = {}
        self._within: dict[tuple[int, int], tuple[int, int]] = {}

    @property
    def engine(self) -> Objective:
        """The objective in the engine."""
        return self.payoff

    @property
    def payoff(self) -> Payoff:
        """The payoff as an automaton."""
        return _payoff(self.states, self._payoffs, self.side)

    def named(self, value: int) -> int:
        """Return a value in the form used in results."""
        return self.values[value]

    def meaning(self, value: int) -> PayoffMeaning:
        """Return the meaning of a value for the declarer."""
        meaning = self._meanings.get(value)
        if meaning is None:
            payoff = self.values[value]
            meaning = self._meanings[value] = _meaning(
                [end for end in self.paid if end.side == payoff]
            )
        return meaning

    def narrow(self, ask: Ask, low: int, high: int) -> tuple[int, int]:
        """Narrow bounds on the value by asking about two numbers of tricks.

        Most payoffs depend on whether the side reaches the target and, if so, whether it takes all
        tricks.
        """
        if self.count is not None:
            for need in (self.count.guess, self.states.size):
                low, high = self.within(*ask(self.count, need))
                if low == high:
                    break
        return low, high

    def within(self, least: int, most: int) -> tuple[int, int]:
        """Return bounds on the value for a side that can force between `least` and `most` tricks.

        If it stops whenever it may, the side gets at least the payoff for `least` tricks. The
        opponents can hold it to the payoff for `most` tricks.
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
        """List the outcomes of a hand that have this value."""
        return [
            self.states.outcomes[state]
            for state, payoff in self.worth.items()
            if payoff == self.values[value]
        ]

    # For the following methods, the automaton is needed.

    def wants(self, problem: EngineProblem) -> bool:
        """Return whether the player to move belongs to the side that wants a high value."""
        return bool(self.side >> problem.to_play & 1)

    def namings(self, problem: EngineProblem) -> list[EngineProblem]:
        """Return the problem unchanged: there is no trump to name."""
        return [problem]

    def span(self, problem: EngineProblem, state: int) -> tuple[int, int]:
        """Return the lowest and the highest possible value."""
        return 0, len(self.values) - 1

    def led(self, problem: EngineProblem, state: int) -> int:
        """Return the state after the lead to the next trick: a side that could stop has gone on."""
        return self.payoff.led(problem, state)

    def step(self, solver: Solver, problem: EngineProblem, state: int, card: int) -> int:
        """Return the state after the player to move has played a card."""
        return self.payoff.step(solver, problem, state, card)

    def bounds(
        self, solver: Solver, problem: EngineProblem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow bounds on the value until they are equal or a limit stops the search."""
        return self.payoff.bounds(solver, problem, state, low, high, guess)

    def reaches(self, solver: Solver, problem: EngineProblem, state: int, need: int) -> bool | None:
        """Return whether the value is at least `need`; None if a limit stops the search."""
        return self.payoff.reaches(solver, problem, state, need)

    def card_values(
        self, solver: Solver, problem: EngineProblem, state: int, value: int
    ) -> dict[int, int | None]:
        """Return the value of each legal card, given the position's value."""
        return self.payoff.card_values(solver, problem, state, value)

    def best_line(
        self, solver: Solver, problem: EngineProblem, state: int, value: int
    ) -> tuple[list[int], int] | None:
        """Return the cards of an optimal line, given the position's value."""
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


def _meaning(ways: Sequence[Paid]) -> PayoffMeaning:
    return PayoffMeaning(
        min(end.declarer for end in ways),
        common([end.makes for end in ways]),
        common([end.outcome for end in ways]),
    )


def common(values: Sequence[_Value]) -> _Value | None:
    """Return the value if all values are equal; None if they differ."""
    return values[0] if all(value == values[0] for value in values) else None
