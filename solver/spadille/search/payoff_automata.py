"""Build automata for payoffs that do not follow from a number of tricks (RULES 11).

The input of an automaton is the winner of each trick. There are automata for contracts to win the
most tricks, for Nemo, and for the first run. Each consists of the states, the effect of a trick on
a state, and the value of each final state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple, Self

from spadille.core.contract import Contract
from spadille.games.model.contract_types_and_options import Outcome
from spadille.games.model.game import Rules
from spadille.search.encoding import Situation
from spadille.search.engine import NEED_CLEAN, NEED_EITHER, NEED_MOST, PayoffObjective
from spadille.search.engine_problem import EngineProblem
from spadille.search.first_run import contract_type, run_so_far
from spadille.search.verdict import PayoffMeaning, Unit, Value, Verdict

# The outcomes of contracts to win the most tricks, from worst to best.
OUTCOMES = ("codille", "failed", "puesta", "made", "sacada")
WON = ("made", "sacada")


class Need(NamedTuple):
    """The condition on a lone player's tricks for a value (see `engine.PayoffObjective`)."""

    kind: int
    first: int
    second: int = 0


class TrickStates(NamedTuple):
    """States that consist of counts: which count each trick raises, and the maximum of each.

    The player whose payoff is tracked comes first, then the others in order of their numbers.
    """

    raises: tuple[tuple[int, int], ...]
    """For each winner, the count that a trick raises if it contains no marked card, and if it
    contains one; -1 means none."""
    most: tuple[int | None, ...]
    """The maximum of each count; None means that there is no maximum."""

    @property
    def start(self) -> tuple[int, ...]:
        """The state at the start of the hand."""
        return (0,) * len(self.most)

    def step(
        self, player: int, state: tuple[int, ...], winner: int, marked: bool
    ) -> tuple[int, ...]:
        """Return the state after one more trick; `player` is the player whose payoff is tracked."""
        raised = self.raises[counted_from(player, winner)][marked]
        if raised < 0 or state[raised] == self.most[raised]:
            return state
        return (*state[:raised], state[raised] + 1, *state[raised + 1 :])


def counted_from(first: int, player: int) -> int:
    """Return a player's place in an order that begins with the player `first`."""
    return 0 if player == first else player + (player < first)


def own_first(first: int, counts: Sequence[int]) -> tuple[int, ...]:
    """Reorder the players' counts so that the player `first` comes first."""
    return (counts[first], *counts[:first], *counts[first + 1 :])


@lru_cache(maxsize=16)
def most_states(players: int) -> TrickStates:
    """Return the states of a contract to win the most tricks: each player's number of tricks."""
    return TrickStates(tuple([(player, player) for player in range(players)]), (None,) * players)


@lru_cache(maxsize=16)
def nemo_states(players: int) -> TrickStates:
    """Return the states of Nemo: the clean tricks, and 1 if any trick was not clean, else 0."""
    return TrickStates(((0, 1), *[(-1, -1)] * (players - 1)), (None, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoffStates:
    """The states of a hand on which a payoff depends, defined by functions."""

    start: Hashable
    step: Callable[[Any, int, bool], Hashable]
    """Returns the state after a trick, given the winner and whether the trick contained a marked
    card."""
    worth: Callable[[Any], Any]
    """Returns the value of a final state."""
    marked: int = 0
    word: Callable[[Any], Any] | None = None
    """Returns the name of a value; values with the same name are distinguished only on request."""
    choice: Callable[[Any], tuple[Any, Hashable] | None] | None = None
    """For a state in which a side may stop, returns the value of stopping and the state after going
    on."""
    need: Callable[[Any], Need] | None = None
    has: Callable[[Any], Iterable[int]] | None = None
    """For a lone player: `need` returns the condition for a value, `has` the counts of a state."""


class _ReachedStates:
    """The reachable states with their successors, numbered for each number of tricks left."""

    def __init__(self, states: PayoffStates, players: int, tricks: int) -> None:
        self.numbers: list[dict[Hashable, int]] = [{} for _ in range(tricks + 1)]
        self.numbers[tricks][states.start] = 0
        self.steps: list[list[list[int]]] = [[] for _ in range(tricks + 1)]
        self.taken: list[dict[int, Any]] = [{} for _ in range(tricks + 1)]
        self.led: list[dict[int, int]] = [{} for _ in range(tricks + 1)]
        for left in range(tricks, 0, -1):
            if states.choice:
                self._add_choices(left, states.choice)
            for state in self.numbers[left]:
                self.steps[left].append(self._steps(left, state, states, players))

    def _add_choices(self, left: int, choice: Callable[[Any], tuple[Any, Hashable] | None]) -> None:
        numbers = self.numbers[left]
        for state, number in list(numbers.items()):
            if offer := choice(state):
                self.taken[left][number], after = offer
                self.led[left][number] = numbers.setdefault(after, len(numbers))

    def _steps(self, left: int, state: Any, states: PayoffStates, players: int) -> list[int]:
        below = self.numbers[left - 1]
        row = []
        for winner in range(players):
            for marked in (False, True):
                if states.marked or not marked:
                    after = states.step(state, winner, marked)
                    number = below.setdefault(after, len(below))
                row.append(number)
        return row


class Payoff(PayoffObjective):
    """An objective for payoffs that do not follow from a number of tricks.

    `values` lists the possible payoffs from low to high; the objective's values are indexes into
    this list. States are numbers: with `left` tricks to play, a state is an index into
    `states[left]`; the first state is 0.
    """

    unit: Unit = "points"
    by_tricks = False

    def __init__(
        self,
        players: int,
        tricks: int,
        states: PayoffStates,
        side: int,
        credited: int | None = None,
    ) -> None:
        reached = _ReachedStates(states, players, tricks)
        final = [states.worth(state) for state in reached.numbers[0]]
        offers = [value for taken in reached.taken for value in taken.values()]
        self.start = 0
        self._word = word = states.word
        self.states: list[list[Any]] = [list(numbers) for numbers in reached.numbers]
        self.values: list[Any] = sorted({*final, *offers})
        place = {value: number for number, value in enumerate(self.values)}
        self.finals = [place[value] for value in final]
        words = [word(value) if word else value for value in self.values]
        self.grades = [
            number
            for number in range(len(words))
            if not number or words[number] != words[number - 1]
        ]
        self.terms = [states.need(value) for value in self.values] if states.need else []
        # First ask about the best outcome or, if there are only points, about a low number of
        # points, which is the usual result.
        self.guess = self.grades[-1] if word else 1
        has = states.has
        super().__init__(
            side,
            side if credited is None else credited,
            players,
            reached.steps,
            self.finals,
            len(self.values),
            stop=[
                [place[taken[number]] if number in taken else None for number in numbers.values()]
                for taken, numbers in zip(reached.taken, reached.numbers, strict=True)
            ],
            led=[
                [led.get(number, number) for number in numbers.values()]
                for led, numbers in zip(reached.led, reached.numbers, strict=True)
            ],
            grades=self.grades,
            marked=states.marked,
            terms=self.terms,
            counts=[[list(has(state)) for state in level] for level in self.states] if has else (),
        )

    def namings(self, problem: EngineProblem) -> list[EngineProblem]:
        """Return the problem unchanged: there is no trump to name."""
        return [problem]

    def named(self, value: int) -> Value:
        """Return a value in the form used in results: an outcome, points or chips."""
        worth = self.values[value]
        named: Value = self._word(worth) if self._word else worth
        return named

    def coarse(self) -> Self:
        """Return this objective: none of its values is too hard to find."""
        return self


class Most(Payoff):
    """Outcomes of a contract to win the most tricks; tricks break ties (see `most`)."""

    unit: Unit = "outcome"

    def verdict(self, contract: Contract, at: Situation, seat: str, low: int, high: int) -> Verdict:
        """Return the verdict on a declarer from bounds on the value."""
        worst, best = self.named(low), self.named(high)
        makes = True if worst in WON else None if best in WON else False
        if low < high:
            outcome = str(worst) if worst == best else None
            return Verdict((worst, best), None, makes, None, outcome)
        finals: tuple[Outcome, ...] = ()
        if makes or worst == "puesta":
            won = self.states[0][self.finals.index(low)]
            split = dict(zip(at.encoding.rules.turn_order, won, strict=True))
            finals = (Outcome(split, run_so_far(contract, at)),)
        tricks = self.values[low][1]
        return Verdict((worst, best), tricks, makes, None, str(worst), finals)

    def ends(self, contract: Contract, at: Situation) -> Iterator[tuple[int, Outcome]]:
        """Yield every way in which the hand may end, and its value."""
        run = run_so_far(contract, at)
        for won, value in zip(self.states[0], self.finals, strict=True):
            yield value, Outcome(dict(zip(at.encoding.rules.turn_order, won, strict=True)), run)


class Nemo(Payoff):
    """Points for clean tricks (see `nemo`)."""

    def verdict(self, contract: Contract, at: Situation, seat: str, low: int, high: int) -> Verdict:
        """Return the verdict on a declarer from bounds on the value."""
        worst, best = self.values[low], self.values[high]
        makes = True if worst else False if not best else None
        outcome = None if makes is None else "made" if makes else "failed"
        # The smallest number of clean tricks that is worth at least these points.
        points_a_trick = contract_type(contract, at, seat).values[0]
        tricks = -(-worst // points_a_trick) if low == high else None
        return Verdict((worst, best), tricks, makes, None, outcome)

    def meaning(self, value: int) -> PayoffMeaning:
        """Return the meaning of a value for the declarer."""
        payoff: int = self.values[value]
        return PayoffMeaning(payoff, bool(payoff), "made" if payoff else "failed")

    def narrow(self, ask: object, low: int, high: int) -> tuple[int, int]:
        """Return the bounds unchanged: numbers of tricks do not show which tricks are clean."""
        return low, high


@lru_cache(maxsize=256)
def most(
    rules: Rules,
    contract_id: str,
    seat: str,
    tricks: int,
    won: tuple[int, ...],
    side: int | None = None,
) -> Most:
    """Return an objective with outcomes as values; the declarer's tricks break ties."""
    contract = Contract((seat,), (contract_id,), "")
    declarer = rules.turn_order.index(seat)

    def worth(won: tuple[int, ...]) -> tuple[int, int]:
        outcome = Outcome(dict(zip(rules.turn_order, won, strict=True)))
        return OUTCOMES.index(rules.outcome_name(contract, outcome)), won[declarer]

    def need(value: tuple[int, int]) -> Need:
        outcome, tricks = value
        return Need(NEED_MOST if OUTCOMES[outcome] == "made" else NEED_EITHER, tricks)

    # Making depends only on the declarer's needs; other outcomes also depend on the opponent with
    # the most tricks.
    simple = rules.game.outcome_name is None and side is None
    states = PayoffStates(
        start=won,
        step=partial(most_states(len(won)).step, 0),  # its states list the players by number
        worth=worth,
        word=lambda value: OUTCOMES[value[0]],
        need=need if simple else None,
        has=partial(own_first, declarer) if simple else None,
    )
    alone = 1 << declarer
    return Most(len(won), tricks, states, alone if side is None else side, alone)


@lru_cache(maxsize=256)
def nemo(
    rules: Rules,
    contract_id: str,
    tricks: int,
    player: int,
    start: tuple[int, int],
    marked: int,
    side: int | None = None,
) -> Nemo:
    """Return an objective for a player's points in Nemo; `marked` is the penalty suit."""
    all_clean, some = rules.contracts[contract_id].values

    def worth(state: tuple[int, int]) -> int:
        return (some if state[1] else all_clean) * state[0]

    def need(value: int) -> Need:
        return Need(NEED_CLEAN, -(-value // all_clean), -(-value // some))

    states = PayoffStates(
        start=start,
        step=partial(nemo_states(len(rules.seats)).step, player),
        worth=worth,
        marked=marked,
        need=need if side is None else None,
        has=(lambda state: state) if side is None else None,
    )
    alone = 1 << player
    return Nemo(len(rules.seats), tricks, states, alone if side is None else side, alone)
