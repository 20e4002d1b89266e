"""Which question a contract asks of the engine (RULES 11).

An objective counts in whole steps, more being better for its side: tricks, minus tricks in misère,
or numbers of the payoffs of a machine. Its state says what has come of the tricks so far, so that
the value of a position stays the same as long as everybody plays well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from spadille.contract import Contract
from spadille.errors import ContractError
from spadille.search.automaton import Payoff
from spadille.search.encoding import Situation
from spadille.search.engine import Solver, TrickObjective
from spadille.search.going_on import gone_on, runners
from spadille.search.payoffs import most, nemo, nemo_step, run, run_on
from spadille.search.problem import LANE, Problem


def narrow(ask: Callable[[int], bool | None], low: int, high: int, guess: int) -> tuple[int, int]:
    """Narrow the bounds of a value, step by step from the guess on.

    `ask` tells whether the value is at least so much; where it says None the bounds stay apart.
    """
    need = guess
    while low < high:
        need = min(max(need, low + 1), high)
        answer = ask(need)
        if answer is None:
            break
        if answer:
            low = need
            need += 1
        else:
            high = need - 1
            need -= 1
    return low, high


class Count(TrickObjective):
    """Tricks of the credited players, all of the hand together, plus an offset.

    In misère the offset makes them minus the tricks of the declarer. While the trump is open (RULES
    8) everybody follows the suits as printed, and the others must find cards that are good against
    each trump; with his first card the declarer makes the best of `trumps`, lanes.
    """

    __slots__ = ("_declarer", "guess", "start", "trumps")

    counts = True
    """Whether values are numbers of tricks."""
    by_tricks = True
    """Whether a value hangs on a number of tricks, so that all questions share a table."""

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

    @property
    def misere(self) -> bool:
        """Whether the side is to win no trick."""
        return not self.side & self.credited

    def namings(self, problem: Problem) -> list[Problem]:
        """List what the player to move may make of the trump before he plays."""
        if not self.trumps or problem.trump >= 0 or problem.to_play != self._declarer:
            return [problem]
        return [problem.named(lane) for lane in self.trumps]

    def named(self, value: int) -> Any:
        """Return a value as results give it."""
        # Misere counts the tricks of the declarer as negative.
        return abs(value)


class MadeOrNot(Count):
    """Whether a Misere makes: 0 if it does, otherwise -1."""

    __slots__ = ()

    counts = False

    def __init__(self, count: Count) -> None:
        super().__init__(count.side, count.credited, count.start, 0, made_or_not=True)

    def named(self, value: int) -> str:
        """Return a value as results give it."""
        return "failed" if value < 0 else "made"


ContractObjective = Count | Payoff
"""What a contract asks of the engine; payoffs are objectives, too."""


class Objective(Protocol):
    """What a side wants of a hand, as values of which more is better for it."""

    counts: bool
    """Whether values are numbers of tricks."""
    by_tricks: bool
    """Whether a value hangs on a number of tricks, so that all questions share a table."""

    @property
    def side(self) -> int:
        """The players who want much, as a bit set."""

    @property
    def credited(self) -> int:
        """The players whose tricks count, as a bit set."""

    @property
    def misere(self) -> bool:
        """Whether the side is to win no trick."""

    @property
    def start(self) -> int:
        """The state before the position asked about."""

    @property
    def guess(self) -> int:
        """The value to be asked about first."""

    def span(self, problem: Problem, state: int) -> tuple[int, int]:
        """Return the least and the greatest value there can be."""

    def bounds(
        self, solver: Solver, problem: Problem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search."""

    def card_values(
        self, solver: Solver, problem: Problem, state: int, value: int
    ) -> dict[int, int | None]:
        """Return the value of each legal card; `value` is that of the position."""

    def best_line(
        self, solver: Solver, problem: Problem, state: int, value: int
    ) -> tuple[list[int], int] | None:
        """Return the cards of an optimal line and the lane of the trump named in it, or -1."""

    def named(self, value: int) -> Any:
        """Return a value as results give it: tricks, an outcome, points or chips."""


def objective_of(contract: Contract, at: Situation, seat: str) -> ContractObjective:
    """Return what a contractor's side tries to reach: `seat` is the declarer, or one of several."""
    rules = at.encoding.rules
    kind = rules.contracts[contract.ids[contract.declarers.index(seat)]]
    player = at.encoding.player
    if kind.aim == "misere":
        own = player[seat]
        everybody = (1 << at.problem.players) - 1
        return Count(1 << own, everybody ^ 1 << own, -at.won[own] - at.problem.tricks, 0)
    if kind.aim == "tricks":
        own = player[seat]
        side, won = 1 << own, at.won[own]
        if contract.partner is not None:
            helper = player[contract.partner]
            side |= 1 << helper
            won += at.won[helper]
        if gone_on(contract, at):
            return all_the_rest(contract, at)
        return Count(side, side, won, kind.target, trumps=at.trumps)
    if kind.aim == "most":
        return most(rules, kind.id, seat, at.problem.tricks, at.won)
    return _nemo_of(contract, at, player[seat])


def fewest(
    objective: Objective, solver: Solver, problem: Problem, nodes: int
) -> tuple[int, int, int]:
    """Return bounds of a Misère's value at its start, and the nodes they took.

    Surely whether it makes; how many tricks a lost one takes within the limit of nodes.
    """
    start = objective.start
    low, high = objective.span(problem, start)
    solver.limit()
    if low == high:
        return low, high, 0
    makes, most = objective.bounds(solver, problem, start, high - 1, high, high)
    spent = solver.nodes
    solver.limit()  # begins to count anew
    if makes == high or most == high:  # it makes, or the search was interrupted
        return makes if makes == high else low, high, spent
    solver.limit(nodes)
    low, high = objective.bounds(solver, problem, start, low, high - 1, high - 1)
    spent += solver.nodes
    solver.limit()
    return low, high, spent


def coarse(objective: ContractObjective) -> MadeOrNot:
    """Return whether a Misere makes instead of how many tricks it costs."""
    assert isinstance(objective, Count)
    return MadeOrNot(objective)


def all_the_rest(contract: Contract, at: Situation) -> Count:
    """All tricks, by who goes on after the first: in a Frog the soloist, his partner helping."""
    credited = runners(contract, at)
    won = sum(tricks for player, tricks in enumerate(at.won) if credited >> player & 1)
    return Count(at.encoding.players(contract.side), credited, won, at.total)


def first_run(contract: Contract, at: Situation) -> Payoff:
    """Whether the side, in a German Solo the soloist, wins each of the first tricks: 1 or 0.

    Raises ContractError where no first tricks matter or where it is not known who won them.
    """
    kind = at.encoding.rules.contracts[contract.ids[0]]
    seen = len(at.history)
    if not kind.first_run or seen < sum(at.won):
        raise ContractError(f"{kind.name}: no first tricks in a row to win", "first-run-none")
    side = at.encoding.players(contract.side)
    credited = runners(contract, at)
    start = (0, True)
    for winner, _ in at.history:
        start = run_on(start, credited, kind.first_run, winner)
    return run(at.problem.players, at.problem.tricks, start, side, credited, kind.first_run)


def _nemo_of(contract: Contract, at: Situation, own: int) -> Payoff:
    if contract.penalty is None:
        raise ContractError("Nemo needs a penalty suit", "penalty-missing")
    marked = LANE << 16 * at.encoding.lanes[contract.penalty]
    start = (0, False)
    for winner, cards in at.history:
        dirty = any(marked >> card & 1 for card in cards)
        start = nemo_step(own, start, winner, dirty)
    earlier = at.won[own] - sum(winner == own for winner, _ in at.history)
    if earlier:
        # Tricks of which only the number is known hold no penalty card if none has been played.
        out = sum(at.problem.hands) | sum(1 << card for card in at.problem.trick)
        if (out & marked).bit_count() < len(at.encoding.rules.plain_ranking[contract.penalty]):
            raise ContractError(
                "an end position of Nemo does not say which of the tricks won were clean",
                "nemo-won",
            )
        start = (start[0] + earlier, start[1])
    return nemo(at.encoding.rules, contract.ids[0], at.problem.tricks, own, start, marked)
