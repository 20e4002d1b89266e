"""Draw random deals that meet conditions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from spadille.analysis.many_deals import attempted
from spadille.analysis.thread_pool import Crew
from spadille.base.errors import ArgumentError, TooRareError
from spadille.base.words_for_messages import many
from spadille.core.deal import Deal
from spadille.core.knowledge.random_numbers import Draws
from spadille.games.model.game import Rules
from spadille.generate.deals.condition_expressions import Expression
from spadille.generate.deals.condition_values import Answers
from spadille.generate.deals.counting_sampler import Sampler
from spadille.generate.deals.deal_conditions import DealPlan, Order, Part
from spadille.search.engine import DEFAULT_MEMORY, Solver

DealValues = tuple[int | None, ...]
ConditionKey = str | int
"""The text of a condition, or the index of a condition that is a function."""
Item = TypeVar("Item")

_RAREST = 3_000_000  # if none of these fits, fewer than one in a million do (95% confidence)
_PATIENCE = 60.0  # seconds without a matching deal
_ROUND = 8  # deals that each thread tests at a time


@dataclass(slots=True)
class TriedCondition:
    """A condition that could not be counted, with the number of deals tested and matching."""

    text: str
    asked: int = 0
    held: int = 0


class _Candidate(NamedTuple):
    """A deal that met all conditions on cards."""

    deal: Deal
    part: Part
    drawn: int  # number of deals drawn to find it, including this one
    tried: Mapping[ConditionKey, TriedCondition]  # results of conditions on cards


class _Verdict(NamedTuple):
    """The result of testing a deal."""

    held: Sequence[bool]  # whether each condition on contracts holds, up to the first that fails
    values: DealValues | None  # None: the deal does not match


@dataclass(slots=True)
class _Board:
    """The search for one deal, and its progress."""

    plan: DealPlan
    draws: Draws
    drawn: int = 0
    tried: dict[ConditionKey, TriedCondition] = field(default_factory=dict)
    match: tuple[Deal, DealValues] | None = None

    def add(self, candidate: _Candidate, verdict: _Verdict) -> None:
        """Record a tested deal, unless a matching deal was already found."""
        if self.match is not None:
            return
        self.drawn += candidate.drawn
        _merge(self.tried, candidate.tried)
        for condition, held in zip(candidate.part.solved, verdict.held, strict=False):
            _note(self.tried, condition.text, condition.text, held)
        if verdict.values is not None:
            self.match = candidate.deal, verdict.values


class Deals:
    """Random deals of a game that meet the conditions; see `deals`.

    Iterating again draws the same deals. `seed` is the seed for the draws. During iteration,
    `found` is the number of deals so far, and `drawn` the number of deals tried to find them.
    """

    def __init__(
        self, order: Order, number: int, seed: int, threads: int = 1, seconds: float = 0.0
    ) -> None:
        self._order = order
        self._number = number
        self._threads = threads
        self._seconds = seconds
        self._plans: dict[tuple[object, ...], DealPlan] = {}
        self._samplers: dict[object, Sampler] = {}
        self.seed = seed
        self.drawn = 0
        self.found = 0
        self._tried: dict[ConditionKey, TriedCondition] = {}
        self._check(())

    def __repr__(self) -> str:
        return f"<Deals {self.rules.game.id}: {self._number}, seed {self.seed}>"

    @property
    def rules(self) -> Rules:
        """The game."""
        return self._order.rules

    @property
    def possible(self) -> int:
        """The number of the first dealer's deals that meet all countable conditions.

        If the turned-up card matters, a deal counts once for each card that could be turned up.
        Deals that differ only in hands without conditions count once.
        """
        return self._board(1, ()).plan.possible

    @property
    def share(self) -> float:
        """The share of all deals that meet all countable conditions."""
        return self._board(1, ()).plan.share

    @property
    def tried(self) -> list[TriedCondition]:
        """The conditions that could not be counted, with their results for the deals drawn."""
        conditions = self._board(1, ()).plan.parts[0].sampler.tried
        texts: dict[ConditionKey, str] = {
            condition.text: condition.text for condition in conditions
        }
        texts |= {at: _name(test) for at, test in enumerate(self._order.tests)}
        return [self._tried.get(key, TriedCondition(text)) for key, text in texts.items()]

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Deal]:
        """Draw the deals; raise TooRareError if it takes too long to find one."""
        return (deal for deal, _ in self.valued(()))

    def valued(self, expressions: Sequence[str]) -> Iterator[tuple[Deal, DealValues]]:
        """Draw the deals, and yield each with the values of the expressions.

        A value is None if the deal does not allow a contract in the expression, or if a contract
        takes too long to solve. Raises ArgumentError for an invalid expression, and TooRareError if
        it takes too long to find a deal.
        """
        self._check(expressions)
        return self._or_given_up(self._go(tuple(expressions)))

    def _or_given_up(self, items: Iterator[Item]) -> Iterator[Item]:
        try:
            yield from items
        except _GivenUpError:
            raise self._rare() from None

    def expressions(self, texts: Sequence[str]) -> dict[str, Expression]:
        """Parse expressions; raise ArgumentError for an invalid one."""
        self._check(texts)
        part = self._board(1, texts).plan.parts[0]
        return dict(zip(texts, part.wanted, strict=True))

    def counted(self, text: str, given: Sequence[str] = ()) -> float | None:
        """Return the share of deals that meet a condition, among those that also meet `given`.

        Returns None if the share cannot be counted.
        """
        if self._order.tests:
            return None
        boards = self._order.boards((*given, text), self._number)
        shares = []
        for board in boards:
            numbers: list[float] = []
            for more in (given, [*given, text]):
                order = replace(self._order, where=[*self._order.where, *more])
                try:
                    plan = DealPlan(order, *board, (), self._samplers)
                except ArgumentError as error:
                    if error.code != "conditions-impossible":
                        raise
                    numbers.append(0.0)
                    continue
                if any(part.sampler.tried for part in plan.parts):
                    return None
                numbers.append(plan.share)
            if not numbers[0]:
                return None
            shares.append(numbers[1] / numbers[0])
        return sum(shares) / len(shares)

    def _check(self, wanted: Sequence[str]) -> None:
        """Raise ArgumentError for conditions that no deal can meet, or an invalid expression."""
        self._plan(self._order.board(1), wanted)
        for board in self._order.boards(wanted, self._number)[1:]:
            try:
                self._plan(board, wanted)
            except ArgumentError as error:
                dealer, trump = board
                named = f"dealer {dealer}" + (f", current trump {trump}" if trump else "")
                raise ArgumentError(f"{error} ({named})", error.code) from error

    def _plan(self, board: tuple[str, str | None], wanted: Sequence[str]) -> DealPlan:
        key = (*board, *wanted)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = DealPlan(self._order, *board, wanted, self._samplers)
        return plan

    def _board(self, number: int, wanted: Sequence[str]) -> _Board:
        return _Board(self._plan(self._order.board(number), wanted), Draws(self.seed, number))

    def _go(self, wanted: Sequence[str]) -> Iterator[tuple[Deal, DealValues]]:
        self.drawn = self.found = 0
        self._tried = {}
        parts = self._board(1, wanted).plan.parts
        asks = any(read.asked for part in parts for read in (*part.solved, *part.wanted))
        if self._threads == 1 or not asks:
            solver = Solver(DEFAULT_MEMORY if asks else 0)
            yield from self._search(
                wanted, 1, lambda candidates: (_ask(solver, candidate) for candidate in candidates)
            )
            return
        with Crew([Solver(DEFAULT_MEMORY) for _ in range(self._threads)]) as tasks:

            def ask(candidates: Iterable[_Candidate]) -> Iterator[_Verdict]:
                waiting = [_task(tasks, candidate) for candidate in candidates]
                return (answer.get()() for answer in waiting)

            yield from self._search(wanted, _ROUND * self._threads, ask)

    def _search(
        self,
        wanted: Sequence[str],
        size: int,
        ask: Callable[[Iterable[_Candidate]], Iterator[_Verdict]],
    ) -> Iterator[tuple[Deal, DealValues]]:
        """Look for the deals, testing `size` of them at a time.

        Each board has its own random numbers and takes the first matching deal, so the result does
        not depend on `size`.
        """
        clock = _Clock(self._seconds)
        started = 0
        boards: deque[_Board] = deque()
        try:
            while started < self._number or boards:
                while len(boards) < size and started < self._number:
                    started += 1
                    boards.append(self._board(started, wanted))
                open_ = [board for board in boards if board.match is None]
                tries = [board for board in open_ for _ in range(max(1, size // len(open_)))]
                drawn = [self._draw(board, clock) for board in tries]
                for board, candidate, verdict in zip(tries, drawn, ask(drawn), strict=True):
                    board.add(candidate, verdict)
                while boards and (values := boards[0].match) is not None:
                    self._add(boards.popleft())
                    self.found += 1
                    clock.start_again()
                    yield values
                rare = bool(boards) and boards[0].drawn > _RAREST
                if rare or (self.found < self._number and clock.is_over):
                    raise _GivenUpError
        finally:
            while boards:
                self._add(boards.popleft())

    def _draw(self, board: _Board, clock: _Clock) -> _Candidate:
        """Draw deals until one meets all conditions on the cards."""
        tried: dict[ConditionKey, TriedCondition] = {}
        number = 0
        try:
            while True:
                deal, part = board.plan.draw(board.draws)
                number += 1
                answers = Answers(deal, _NO_SOLVER)
                if all(
                    _note(tried, condition.text, condition.text, answers.holds(condition))
                    for condition in part.cheap
                ) and all(
                    _note(tried, at, _name(test), bool(test(deal)))
                    for at, test in enumerate(self._order.tests)
                ):
                    return _Candidate(deal, part, number, tried)
                if board.drawn + number > _RAREST or (number % 256 == 0 and clock.is_over):
                    raise _GivenUpError
        except BaseException:
            board.drawn += number
            _merge(board.tried, tried)
            raise

    def _add(self, board: _Board) -> None:
        """Add the draws of a board to the totals."""
        self.drawn += board.drawn
        _merge(self._tried, board.tried)

    def _rare(self) -> TooRareError:
        """Return an error that names the condition that the fewest drawn deals met."""
        if not self.tried:
            return TooRareError(f"gave up after {many(self.found, 'deal')}: out of time")
        rarest = min(
            self.tried,
            key=lambda condition: (condition.held / max(condition.asked, 1), -condition.asked),
        )
        return TooRareError(
            f"gave up after {self.drawn} deals, of which {self.found} meet all conditions; the "
            f"rarest: {rarest.text} holds in {rarest.held} of {rarest.asked}"
        )


class _GivenUpError(Exception):
    """Raised if too few deals match, or if they take too long to find."""


class _Clock:
    """The deadline of a search: a time limit, or a long time without a matching deal."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = 0.0
        self._set()

    def _set(self) -> None:
        self._end = monotonic() + (self._seconds or _PATIENCE)

    def start_again(self) -> None:
        """Restart the clock for the next deal, unless there is a time limit."""
        if not self._seconds:
            self._set()

    @property
    def is_over(self) -> bool:
        """Return whether it is time to give up."""
        return monotonic() > self._end


_NO_SOLVER = Solver(0)
"""A placeholder for conditions on cards, which need no solver."""


def _note(
    tried: dict[ConditionKey, TriedCondition], key: ConditionKey, text: str, held: bool
) -> bool:
    """Record the result of a condition on a deal, and return it."""
    condition = tried.setdefault(key, TriedCondition(text))
    condition.asked += 1
    condition.held += held
    return held


def _merge(
    tried: dict[ConditionKey, TriedCondition], others: Mapping[ConditionKey, TriedCondition]
) -> None:
    for key, other in others.items():
        condition = tried.setdefault(key, TriedCondition(other.text))
        condition.asked += other.asked
        condition.held += other.held


def _name(test: Callable[[Deal], bool]) -> str:
    return getattr(test, "__name__", None) or repr(test)


def _ask(solver: Solver, candidate: _Candidate) -> _Verdict:
    """Compute values of contracts."""
    answers = Answers(candidate.deal, solver)
    held: list[bool] = []
    for condition in candidate.part.solved:
        held.append(answers.holds(condition))
        if not held[-1]:
            return _Verdict(held, None)
    return _Verdict(held, tuple(answers.known(expression) for expression in candidate.part.wanted))


def _task(tasks: SimpleQueue[Any], candidate: _Candidate) -> SimpleQueue[Callable[[], _Verdict]]:
    """Pass a deal to a thread; return a queue that will receive a function returning the result."""
    answer: SimpleQueue[Callable[[], _Verdict]] = SimpleQueue()

    def task(solver: Solver) -> None:
        answer.put(attempted(_ask, solver, candidate))

    tasks.put(task)
    return answer
