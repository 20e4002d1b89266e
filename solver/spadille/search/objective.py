"""Which question a contract asks of the engine (RULES 11).

An objective counts in whole steps, more being better for its side: tricks, minus tricks in misère,
or numbers of the payoffs of a machine. Its state says what has come of the tricks so far, so that
the value of a position stays the same as long as everybody plays well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spadille.deal import Contract
from spadille.errors import ContractError
from spadille.search.automaton import Machine
from spadille.search.encoding import Situation
from spadille.search.engine import NEED_CLEAN, NEED_EITHER, NEED_MOST, Solver
from spadille.search.going_on import gone_on, runners
from spadille.search.payoffs import OUTCOMES, most, nemo, nemo_step, run, run_on
from spadille.search.problem import LANE, Problem

# How much is lost is by far the hardest question, and hardest where nobody would bid: the fewest
# tricks of a Misère, the most of a single opponent in a Solo of Squint. Few deals need so many.
MISERE_NODES = 20_000_000

# From so many tricks on the declarer's are counted before the outcome is asked for.
_LONG = 6


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


class Count:
    """Tricks of the credited players, all of the hand together, plus an offset.

    In misère the offset makes them minus the tricks of the declarer.
    """

    __slots__ = ("credited", "guess", "side", "start")

    def __init__(self, side: int, credited: int, start: int, guess: int) -> None:
        self.side = side
        self.credited = credited
        self.start = start
        self.guess = guess

    def after(self, state: int, winner: int, cards: tuple[int, ...]) -> int:
        """Return the state after one more trick."""
        return state + (self.credited >> winner & 1)

    def led(self, state: int) -> int:
        """Return the state once somebody has led to the next trick."""
        return state

    def stops(self, state: int, value: int) -> bool:
        """Whether the side ends the hand here for this value."""
        return False

    def namings(self, problem: Problem) -> list[Problem]:
        """List what the player to move may make of the trump before he plays."""
        return [problem]

    def span(self, problem: Problem, state: int) -> tuple[int, int]:
        """Return the least and the greatest value there can be."""
        return state, state + problem.tricks

    def bounds(
        self, solver: Solver, problem: Problem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search."""
        least, most = solver.value(
            problem, self.side, self.credited, low - state, high - state, guess - state
        )
        return least + state, most + state

    def grade(self, value: int) -> int:
        """Return the least value that is shown in the same words."""
        return value

    def next_grade(self, value: int) -> int:
        """Return the least value that is shown in better words."""
        return value + 1


class MadeOrNot(Count):
    """Whether a Misere makes: 0 if it does, otherwise -1."""

    __slots__ = ()

    def span(self, problem: Problem, state: int) -> tuple[int, int]:
        """Return the least and the greatest value there can be."""
        least, most = super().span(problem, state)
        return -(least < 0), -(most < 0)

    def bounds(
        self, solver: Solver, problem: Problem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search."""
        return super().bounds(solver, problem, state, low, high, 0)


class OpenTrump(Count):
    """Tricks where the trump is open until the declarer's first card (RULES 8).

    Until then everybody follows the suits as printed, and the others must find cards that are
    good against each trump; then the declarer makes the best of `lanes` trumps.
    """

    __slots__ = ("declarer", "lanes")

    def __init__(self, count: Count, declarer: int, lanes: tuple[int, ...]) -> None:
        super().__init__(count.side, count.credited, count.start, count.guess)
        self.declarer = declarer
        self.lanes = lanes

    def namings(self, problem: Problem) -> list[Problem]:
        """List what the player to move may make of the trump before he plays."""
        if problem.trump >= 0 or problem.to_play != self.declarer:
            return [problem]
        return [problem.named(lane) for lane in self.lanes]

    def bounds(
        self, solver: Solver, problem: Problem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search."""
        if problem.trump >= 0:
            return super().bounds(solver, problem.normal(), state, low, high, guess)
        return narrow(lambda need: self._reach(solver, problem, state, need), low, high, guess)

    def _reach(self, solver: Solver, problem: Problem, state: int, need: int) -> bool | None:
        if problem.to_play == self.declarer:
            for named in self.namings(problem):
                low, high = self.bounds(solver, named, state, need - 1, need, need)
                if low < high:
                    return None
                if low == need:
                    return True
            return False
        for card in solver.classes(problem):
            answer = self._reach(solver, problem.played(card), state, need)
            if not answer:
                return answer
        return True


class Payoff:
    """The payoff of a machine, in numbers of its list of values."""

    __slots__ = ("_grades", "credited", "guess", "machine", "marked", "side", "start")

    def __init__(
        self,
        side: int,
        machine: Machine,
        start: Any,
        marked: int = 0,
        shown: Callable[[Any], Any] | None = None,
    ) -> None:
        self.side = self.credited = side
        self.machine = machine
        self.start = start
        self.marked = marked
        values = machine.values
        self._grades = [
            number
            for number in range(len(values))
            if not number or shown is None or shown(values[number]) != shown(values[number - 1])
        ]
        # The best outcome there is; points are mostly few.
        self.guess = 1 if shown is None else self._grades[-1]

    def after(self, state: Any, winner: int, cards: tuple[int, ...]) -> Any:
        """Return the state after one more trick."""
        marked = any(self.marked >> card & 1 for card in cards)
        return self.machine.after(state, winner, marked)

    def led(self, state: Any) -> Any:
        """Return the state once somebody has led to the next trick."""
        return state

    def stops(self, state: Any, value: int) -> bool:
        """Whether the side ends the hand here for this value."""
        return False

    def namings(self, problem: Problem) -> list[Problem]:
        """List what the player to move may make of the trump before he plays."""
        return [problem]

    def span(self, problem: Problem, state: Any) -> tuple[int, int]:
        """Return the least and the greatest value there can be."""
        return 0, len(self.machine.values) - 1

    def bounds(
        self, solver: Solver, problem: Problem, state: Any, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search."""
        if not problem.tricks:
            number = self.machine.numbers[0][state]
            low = high = min(max(self.machine.finals[number], low), high)
        return narrow(self._asked(solver, problem, state), low, high, guess)

    def _asked(self, solver: Solver, problem: Problem, state: Any) -> Callable[[int], bool | None]:
        """Return the question whether the value is at least so much."""
        left = problem.tricks
        number = self.machine.numbers[left][state]
        return lambda need: solver.reaches(
            problem, self.side, self.credited, self.machine.goal(need), left, number, self.marked
        )

    def grade(self, value: int) -> int:
        """Return the least value that is shown in the same words."""
        return max(first for first in self._grades if first <= value)

    def next_grade(self, value: int) -> int:
        """Return the least value that is shown in better words."""
        better = (first for first in self._grades if first > value)
        return next(better, len(self.machine.values))


class MostTricks(Payoff):
    """The payoff of a contract for most tricks: values are (outcome, tricks of the declarer).

    It is made or not; outcomes that depend on which of the others has most are a matter of Payoff.
    """

    __slots__ = ()

    def _asked(self, solver: Solver, problem: Problem, state: Any) -> Callable[[int], bool | None]:
        """Return the question whether the value is at least so much."""
        own = self.side.bit_length() - 1
        won = state[own]
        ahead = [tricks - won + 1 for player, tricks in enumerate(state) if player != own]

        def ask(need: int) -> bool | None:
            outcome, tricks = self.machine.values[need]
            kind = NEED_MOST if OUTCOMES[outcome] == "made" else NEED_EITHER
            return solver.meets(problem, own, kind, (tricks - won, *ahead))

        return ask

    def bounds(
        self, solver: Solver, problem: Problem, state: Any, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search.

        How many tricks the declarer can take is a far easier question than how several others share
        theirs. It leaves him the worst outcome of so many tricks at least and the best of no more,
        and one of the two is nearly always the value.
        """
        left, values = problem.tricks, self.machine.values
        if left < _LONG or high - low < 2:
            return super().bounds(solver, problem, state, low, high, guess)
        won = state[self.side.bit_length() - 1]
        least, most = solver.value(problem, self.side, self.side, 0, left, left // 2)
        enough = (number for number, (_, own) in enumerate(values) if own >= won + least)
        within = [number for number, (_, own) in enumerate(values) if own <= won + most]
        low, high = max(low, min(next(enough), high)), min(high, max(within[-1], low))
        asked = self._asked(solver, problem, state)
        if low < high:
            best = asked(high)
            if best is None:
                return low, high
            low, high = (high, high) if best else (low, high - 1)
        return narrow(asked, low, high, low + 1)


class CleanTricks(Payoff):
    """The points of one player in Nemo."""

    __slots__ = ("points",)

    def __init__(
        self, side: int, machine: Machine, start: Any, marked: int, points: tuple[int, int]
    ) -> None:
        super().__init__(side, machine, start, marked)
        self.points = points

    def _asked(self, solver: Solver, problem: Problem, state: Any) -> Callable[[int], bool | None]:
        """Return the question whether the value is at least so much."""
        own = self.side.bit_length() - 1
        clean, dirty = state

        def ask(need: int) -> bool | None:
            value = self.machine.values[need]
            needs = [-(-value // points) - clean for points in self.points]
            return solver.meets(problem, own, NEED_CLEAN, (needs[dirty], needs[True]), self.marked)

        return ask


Objective = Count | Payoff


def objective_of(contract: Contract, at: Situation, seat: str) -> Objective:
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
        count = Count(side, side, won, kind.target)
        return OpenTrump(count, own, at.trumps) if at.trumps else count
    if kind.aim == "most":
        machine = most(rules, kind.id, seat, at.problem.tricks, at.won)
        make = Payoff if rules.game.outcome_name else MostTricks
        return make(1 << player[seat], machine, at.won, shown=lambda value: value[0])
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


def coarse(objective: Objective) -> Objective:
    """Return whether a Misere makes instead of how many tricks it costs."""
    assert isinstance(objective, Count)
    return MadeOrNot(objective.side, objective.credited, objective.start, 0)


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
    machine = run(at.problem.players, at.problem.tricks, start, credited, kind.first_run)
    payoff = Payoff(side, machine, start)
    payoff.credited = credited
    return payoff


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
    machine = nemo(at.encoding.rules, contract.ids[0], at.problem.tricks, own, start)
    all_clean, some = at.encoding.rules.contracts[contract.ids[0]].values
    return CleanTricks(1 << own, machine, start, marked, (all_clean, some))
