"""Choose the engine's question for a contract (RULES 11).

The values of an objective are whole numbers: tricks, minus tricks in a Misère, or indexes of
payoffs in ascending order. Higher values are better for the side. The state of an objective
summarizes the tricks so far. Values are for the whole hand, so they do not change while everybody
plays best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from spadille.base.errors import ContractError
from spadille.core.contract import Contract
from spadille.search.encoding import Situation
from spadille.search.engine import Objective, Solver, TrickObjective
from spadille.search.engine_problem import LANE, EngineProblem
from spadille.search.first_run import contract_type, gone_on, runners, target_of
from spadille.search.payoff_automata import (
    Nemo,
    Payoff,
    most,
    nemo,
    nemo_states,
)
from spadille.search.verdict import Unit, Value, Verdict, final_of


class SideObjective(Protocol):
    """A side's aim in a hand: results have values, and higher values are better for the side."""

    unit: Unit
    """The kind of its values (see `named`)."""
    by_tricks: bool
    """Whether a value depends only on a number of tricks; such questions share a transposition
    table."""

    @property
    def engine(self) -> Objective:
        """The objective in the engine."""

    @property
    def side(self) -> int:
        """The players who want a high value, as a bit set."""

    @property
    def credited(self) -> int:
        """The players whose tricks count, as a bit set."""

    @property
    def start(self) -> int:
        """The state at the position in question."""

    @property
    def guess(self) -> int:
        """A first guess at the value, for the search."""

    def named(self, value: int) -> Value:
        """Return a value in the form used in results: tricks, an outcome, points or chips."""

    def wants(self, problem: EngineProblem) -> bool:
        """Return whether the player to move belongs to the side that wants a high value."""

    def namings(self, problem: EngineProblem) -> list[EngineProblem]:
        """Return the problem for each trump the player may name, or itself if there is none."""

    def span(self, problem: EngineProblem, state: int) -> tuple[int, int]:
        """Return the lowest and the highest possible value."""

    def led(self, problem: EngineProblem, state: int) -> int:
        """Return the state after the lead to the next trick: a side that could stop has gone on."""

    def step(self, solver: Solver, problem: EngineProblem, state: int, card: int) -> int:
        """Return the state after the player to move has played a card."""

    def bounds(
        self, solver: Solver, problem: EngineProblem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow bounds on the value until they are equal or a limit stops the search."""

    def reaches(self, solver: Solver, problem: EngineProblem, state: int, need: int) -> bool | None:
        """Return whether the value is at least `need`; None if a limit stops the search."""

    def card_values(
        self, solver: Solver, problem: EngineProblem, state: int, value: int
    ) -> dict[int, int | None]:
        """Return the value of each legal card, given the position's value."""

    def best_line(
        self, solver: Solver, problem: EngineProblem, state: int, value: int
    ) -> tuple[list[int], int] | None:
        """Return the cards of an optimal line and the lane of the trump named in it, or -1."""


class ContractObjective(SideObjective, Protocol):
    """The objective of a contract."""

    def verdict(self, contract: Contract, at: Situation, seat: str, low: int, high: int) -> Verdict:
        """Return the verdict on a declarer from bounds on the value."""

    def coarse(self) -> ContractObjective:
        """Return a simpler objective, in case the size of a loss is too hard to find."""


class Tricks(TrickObjective):
    """An objective whose values follow from the tricks of the credited players in the whole hand.

    While the trump is open (RULES 8), everybody follows the printed suits, and the other players
    must find cards that are good whichever trump is named later. With the first card, the declarer
    picks the best of `trumps`, which are lanes.
    """

    unit: Unit = "tricks"
    by_tricks = True

    def __init__(
        self,
        side: int,
        credited: int,
        start: int,
        guess: int,
        *,
        trumps: tuple[int, ...] = (),
        steps: Sequence[int] = (),
        made_or_not: bool = False,
    ) -> None:
        self.start = start
        self.guess = guess
        self.trumps = trumps
        self._declarer = side.bit_length() - 1
        super().__init__(
            side,
            credited,
            steps=steps,
            made_or_not=made_or_not,
            open_trump=(self._declarer, trumps) if trumps else None,
        )

    def namings(self, problem: EngineProblem) -> list[EngineProblem]:
        """Return the problem for each trump the player may name, or itself if there is none."""
        if not self.trumps or problem.trump >= 0 or problem.to_play != self._declarer:
            return [problem]
        return [problem.named(lane) for lane in self.trumps]


class TrickCount(Tricks):
    """A number of tricks as the value; in a Misère, minus the declarer's number of tricks."""

    def named(self, value: int) -> Value:
        """Return a value in the form used in results."""
        return abs(value)

    def verdict(self, contract: Contract, at: Situation, seat: str, low: int, high: int) -> Verdict:
        """Return the verdict on a declarer from bounds on the value."""
        misere = contract_type(contract, at, seat).aim == "misere"
        target = target_of(contract, at, seat)
        makes = True if low >= target else False if high < target else None
        if misere:
            low, high = -high, -low
        rules = at.encoding.rules
        finals = tuple([final_of(contract, at, seat, tricks) for tricks in range(low, high + 1)])
        names = {rules.outcome_name(contract, final, seat) for final in finals}
        outcome = names.pop() if len(names) == 1 else None
        if low < high:
            return Verdict((low, high), None, makes, None, outcome, finals)
        return Verdict((low, high), low, makes, -low if misere else low - target, outcome, finals)

    def coarse(self) -> MadeOrNot:
        """Return an objective that asks only whether a Misère makes."""
        return MadeOrNot(self.side, self.credited, self.start, 0, made_or_not=True)


class MadeOrNot(TrickCount):
    """Whether a Misère makes: 0 if it does, otherwise -1."""

    unit: Unit = "outcome"

    def named(self, value: int) -> Value:
        """Return a value in the form used in results."""
        return "failed" if value < 0 else "made"

    def verdict(self, contract: Contract, at: Situation, seat: str, low: int, high: int) -> Verdict:
        """Return the verdict on a declarer from bounds on the value.

        If the Misère fails, the number of tricks is unknown.
        """
        if low < 0:
            low = -at.won[at.encoding.player[seat]] - at.problem.tricks
        return super().verdict(contract, at, seat, low, high)

    def coarse(self) -> Self:
        """Return this objective, which is already the simplest."""
        return self


def objective_of(contract: Contract, at: Situation, seat: str) -> ContractObjective:
    """Return the objective of a declarer's side; `seat` is the declarer."""
    kind = contract_type(contract, at, seat)
    if kind.aim == "most":
        return most(at.encoding.rules, kind.id, seat, at.problem.tricks, at.won)
    if kind.aim == "nemo":
        return nemo_of(contract, at, seat)
    return count_of(contract, at, seat)


def count_of(contract: Contract, at: Situation, seat: str) -> TrickCount:
    """Return the number of tricks that matters for a contract, as an objective."""
    kind = contract_type(contract, at, seat)
    player = at.encoding.player
    contractor = player[seat]
    side, won = 1 << contractor, at.won[contractor]
    if kind.aim == "misere":
        everybody = (1 << at.problem.players) - 1
        return TrickCount(side, everybody ^ side, -won - at.problem.tricks, 0)
    if gone_on(contract, at):
        return all_the_rest(contract, at)
    if contract.partner is not None:
        helper = player[contract.partner]
        side |= 1 << helper
        won += at.won[helper]
    return TrickCount(side, side, won, kind.target, trumps=at.trumps)


def all_the_rest(contract: Contract, at: Situation) -> TrickCount:
    """Return the objective after going on for all tricks; in a Frog, the partner helps."""
    credited = runners(contract, at)
    won = sum(tricks for player, tricks in enumerate(at.won) if credited >> player & 1)
    return TrickCount(at.encoding.players(contract.side), credited, won, at.total)


def helped(contract: Contract, at: Situation, seat: str, side: int) -> TrickObjective | Payoff:
    """Return the objective of `objective_of` for another side: all players, or none.

    Values and states are the same as those of `objective_of`, unless the trump is open.
    """
    kind = contract_type(contract, at, seat)
    if kind.aim == "most":
        return most(at.encoding.rules, kind.id, seat, at.problem.tricks, at.won, side)
    if kind.aim == "nemo":
        return nemo_of(contract, at, seat, side)
    return TrickObjective(side, count_of(contract, at, seat).credited)


def nemo_of(contract: Contract, at: Situation, seat: str, side: int | None = None) -> Nemo:
    """Return the points that a player of Nemo tries to get, alone or helped by a `side`.

    Raises ContractError if the penalty suit is missing, or if it is unknown which tricks were
    clean.
    """
    contractor = at.encoding.player[seat]
    if contract.penalty is None:
        raise ContractError("Nemo needs a penalty suit", "penalty-missing")
    marked = LANE << 16 * at.encoding.lanes[contract.penalty]
    states = nemo_states(at.problem.players)
    clean, dirty = states.start
    for winner, cards in at.history:
        holds = any(marked >> card & 1 for card in cards)
        clean, dirty = states.step(contractor, (clean, dirty), winner, holds)
    earlier = at.won[contractor] - sum(winner == contractor for winner, _ in at.history)
    if earlier:
        # For earlier tricks, only the number may be known. Those tricks are certainly clean if all
        # cards of the penalty suit are still in play.
        out = sum(at.problem.hands) | sum(1 << card for card in at.problem.trick)
        if (out & marked).bit_count() < len(at.encoding.rules.plain_ranking[contract.penalty]):
            raise ContractError(
                "an end position of Nemo does not say which of the tricks won were clean",
                "nemo-won",
            )
        clean += earlier
    rules = at.encoding.rules
    start = clean, dirty
    return nemo(rules, contract.ids[0], at.problem.tricks, contractor, start, marked, side=side)
