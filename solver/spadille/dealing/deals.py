"""Deals drawn at random, alike but for the conditions they have to meet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from random import SystemRandom
from time import monotonic
from types import NoneType
from typing import Any, NamedTuple

from spadille.analysis.batch import outcome
from spadille.analysis.crew import Crew
from spadille.cards import SUITS, parse_card
from spadille.deal import Deal
from spadille.dealing.answers import Answers
from spadille.dealing.expression import Expression
from spadille.dealing.plans import Order, Part, Plan
from spadille.dealing.sampler import Sampler
from spadille.errors import ArgumentError, SpadilleError, check_texts, check_type
from spadille.games import rules_for
from spadille.knowledge.draws import Draws
from spadille.rules import Rules
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.words import listed, read_seat, read_trump

Condition = str | Callable[[Deal], bool]
Values = tuple[int | None, ...]

_RAREST = 3_000_000  # if none of so many fits, fewer than one in a million do, with 95 % certainty
_PATIENCE = 60.0  # seconds without a deal that fits
_ROUND = 8  # deals that are asked about at a time, by each thread


class TooRareError(SpadilleError):
    """Deals that meet the conditions are too rare to be found by trying."""

    default_code = "conditions-too-rare"


@dataclass(slots=True)
class Tried:
    """A condition that could not be counted: how many deals were asked, and how many met it."""

    text: str
    asked: int = 0
    held: int = 0


class _Candidate(NamedTuple):
    """A deal that met all conditions on cards."""

    deal: Deal
    part: Part
    drawn: int  # so many deals were drawn for it, this one included
    tried: Mapping[str, Tried]  # what conditions on cards said of them


class _Verdict(NamedTuple):
    """What came of it."""

    held: Sequence[bool]  # of each condition on contracts, up to the first that is not met
    values: Values | None  # None: the deal does not fit


@dataclass(slots=True)
class _Board:
    """A deal that is looked for, and how far that is."""

    plan: Plan
    draws: Draws
    drawn: int = 0
    tried: dict[str, Tried] = field(default_factory=dict)
    found: tuple[Deal, Values] | None = None

    def add(self, one: _Candidate, verdict: _Verdict) -> None:
        """Take note of a deal, unless an earlier one has been found to fit."""
        if self.found is not None:
            return
        self.drawn += one.drawn
        _merge(self.tried, one.tried)
        for condition, held in zip(one.part.solved, verdict.held, strict=False):
            _note(self.tried, condition.text, held)
        if verdict.values is not None:
            self.found = one.deal, verdict.values


class Deals:
    """Deals of a game, drawn at random among all that meet the conditions; see `deals`.

    Going through them again draws the same deals. `seed` is what they are drawn with. While that
    goes on, `found` tells how many there are so far, `drawn` how many had to be tried for them.
    """

    def __init__(
        self, order: Order, number: int, seed: int, threads: int = 1, seconds: float = 0.0
    ) -> None:
        self._order = order
        self._number = number
        self._threads = threads
        self._seconds = seconds
        self._plans: dict[tuple[object, ...], Plan] = {}
        self._samplers: dict[object, Sampler] = {}
        self.seed = seed
        self.drawn = 0
        self.found = 0
        self._tried: dict[str, Tried] = {}
        self._board(1, ())

    @property
    def rules(self) -> Rules:
        """The game."""
        return self._order.rules

    @property
    def possible(self) -> int:
        """How many deals of the first dealer meet the conditions that could be counted.

        Where the card turned up matters, a deal counts once for each card that could be it.
        Hands nothing is said of count as one.
        """
        return self._board(1, ()).plan.possible

    @property
    def share(self) -> float:
        """What share of all deals those are."""
        return self._board(1, ()).plan.share

    @property
    def tried(self) -> list[Tried]:
        """The conditions that could not be counted, and what they said of the deals drawn."""
        names = [one.text for one in self._board(1, ()).plan.parts[0].sampler.tried]
        names += [_name(test) for test in self._order.tests]
        return [self._tried.get(name, Tried(name)) for name in names]

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Deal]:
        """Draw the deals; raises TooRareError where it takes too long to find one."""
        return (deal for deal, _ in self.valued(()))

    def valued(self, expressions: Sequence[str]) -> Iterator[tuple[Deal, Values]]:
        """Draw the deals, each with what expressions are worth on it.

        None stands for what asks about a contract which the deal does not allow, or which is too
        hard to solve. Raises ArgumentError for an expression that is none, TooRareError where it
        takes too long to find a deal.
        """
        self._board(1, expressions)
        return self._go(tuple(expressions))

    def expressions(self, texts: Sequence[str]) -> dict[str, Expression]:
        """Read expressions; raises ArgumentError."""
        part = self._board(1, texts).plan.parts[0]
        return dict(zip(texts, part.wanted, strict=True))

    def counted(self, text: str, given: Sequence[str] = ()) -> float | None:
        """Return in which share of the deals that meet `given`, too, a condition holds.

        None where that cannot be counted.
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
                    plan = Plan(order, *board, (), self._samplers)
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

    def _board(self, number: int, wanted: Sequence[str]) -> _Board:
        key = (*self._order.board(number), *wanted)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = Plan(
                self._order, *self._order.board(number), wanted, self._samplers
            )
        return _Board(plan, Draws(self.seed, number))

    def _go(self, wanted: Sequence[str]) -> Iterator[tuple[Deal, Values]]:
        self.drawn = self.found = 0
        self._tried = {}
        parts = self._board(1, wanted).plan.parts
        asks = any(one.asked for part in parts for one in (*part.solved, *part.wanted))
        if self._threads == 1 or not asks:
            solver = Solver(DEFAULT_MEMORY if asks else 0)
            yield from self._search(wanted, 1, lambda asked: (_ask(solver, one) for one in asked))
            return
        with Crew([Solver(DEFAULT_MEMORY) for _ in range(self._threads)]) as tasks:

            def ask(asked: Iterable[_Candidate]) -> Iterator[_Verdict]:
                waiting = [_task(tasks, one) for one in asked]
                return (answer.get()() for answer in waiting)

            yield from self._search(wanted, _ROUND * self._threads, ask)

    def _search(
        self,
        wanted: Sequence[str],
        size: int,
        ask: Callable[[Iterable[_Candidate]], Iterator[_Verdict]],
    ) -> Iterator[tuple[Deal, Values]]:
        """Look for the deals, asking about so many at a time.

        Each board draws from numbers of its own, and the first deal that fits is taken: what is
        found does not depend on how many are asked about at a time.
        """
        clock = _Clock(self._seconds)
        started = 0
        boards: deque[_Board] = deque()
        while started < self._number or boards:
            while len(boards) < size and started < self._number:
                started += 1
                boards.append(self._board(started, wanted))
            open_ = [board for board in boards if board.found is None]
            tries = [board for board in open_ for _ in range(max(1, size // len(open_)))]
            drawn = [self._draw(board, boards, clock) for board in tries]
            for board, one, verdict in zip(tries, drawn, ask(drawn), strict=True):
                board.add(one, verdict)
            if boards[0].drawn > _RAREST or clock.is_over:
                raise self._rare(boards)
            while boards and (found := boards[0].found) is not None:
                board = boards.popleft()
                self.drawn += board.drawn
                _merge(self._tried, board.tried)
                self.found += 1
                clock.start_again()
                yield found

    def _draw(self, board: _Board, boards: Iterable[_Board], clock: _Clock) -> _Candidate:
        """Draw deals until one meets all conditions on cards."""
        tried: dict[str, Tried] = {}
        number = 0
        while True:
            deal, part = board.plan.draw(board.draws)
            number += 1
            answers = Answers(deal, _NO_SOLVER)
            if all(_note(tried, one.text, answers.holds(one)) for one in part.cheap) and all(
                _note(tried, _name(test), bool(test(deal))) for test in self._order.tests
            ):
                return _Candidate(deal, part, number, tried)
            if board.drawn + number > _RAREST or (number % 256 == 0 and clock.is_over):
                board.drawn += number
                _merge(board.tried, tried)
                raise self._rare(boards)

    def _rare(self, boards: Iterable[_Board]) -> TooRareError:
        """Say which condition is the rarest, of those deals were drawn for."""
        for board in boards:
            self.drawn += board.drawn
            _merge(self._tried, board.tried)
        rarest = min(self.tried, key=lambda one: (one.held / max(one.asked, 1), -one.asked))
        return TooRareError(
            f"given up after {self.drawn} deals, of which {self.found} meet all conditions; the "
            f"rarest: {rarest.text} holds in {rarest.held} of {rarest.asked}"
        )


class _Clock:
    """When a search is given up: after so many seconds, else if there is nothing for long."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = 0.0
        self._set()

    def _set(self) -> None:
        self._end = monotonic() + (self._seconds or _PATIENCE)

    def start_again(self) -> None:
        """A deal has been found."""
        if not self._seconds:
            self._set()

    @property
    def is_over(self) -> bool:
        """Whether it is time to give up."""
        return monotonic() > self._end


_NO_SOLVER = Solver(0)
"""For conditions on cards, which ask none."""


def _note(tried: dict[str, Tried], text: str, held: bool) -> bool:
    """Count what a condition says of a deal."""
    one = tried.setdefault(text, Tried(text))
    one.asked += 1
    one.held += held
    return held


def _merge(tried: dict[str, Tried], others: Mapping[str, Tried]) -> None:
    for text, other in others.items():
        one = tried.setdefault(text, Tried(text))
        one.asked += other.asked
        one.held += other.held


def _name(test: Callable[[Deal], bool]) -> str:
    return getattr(test, "__name__", None) or repr(test)


def _ask(solver: Solver, one: _Candidate) -> _Verdict:
    """Ask what contracts are worth."""
    answers = Answers(one.deal, solver)
    held: list[bool] = []
    for condition in one.part.solved:
        held.append(answers.holds(condition))
        if not held[-1]:
            return _Verdict(held, None)
    return _Verdict(held, tuple(answers.known(each) for each in one.part.wanted))


def _task(tasks: SimpleQueue[Any], one: _Candidate) -> SimpleQueue[Callable[[], _Verdict]]:
    """Have a thread ask, and return where it puts what gives the answer, or raises its error."""
    answer: SimpleQueue[Callable[[], _Verdict]] = SimpleQueue()

    def task(solver: Solver) -> None:
        answer.put(outcome(_ask, solver, one))

    tasks.put(task)
    return answer


def deals(
    game: str,
    number: int = 1,
    *,
    seed: int | None = None,
    hands: Mapping[str, str] | None = None,
    shapes: Mapping[str, str | Sequence[str]] | None = None,
    where: Condition | Sequence[Condition] = (),
    dealer: str | None = None,
    turn_up: str | None = None,
    current_trump: str | None = None,
    options: str | Mapping[str, str] | None = None,
    threads: int = 1,
    seconds: float = 0.0,
) -> Deals:
    """Draw deals at random among all that meet the conditions, each as likely as any other.

    `hands` maps seats to the cards they are known to have ("AK.Q.."), `shapes` to their lengths
    ("5-3-3-2", "5+.x.x.x@H"); `where` are conditions as text ("trumps(N, H) >= 5"), or functions
    of a Deal. What is on the cards of one hand is counted, so that it costs nothing to be rare;
    all else is tried. Dealers take turns, as current trumps do where deals have one, unless
    `dealer` or `current_trump` say otherwise; `turn_up` is a card, or its suit. The same `seed`
    gives the same deals, for any number of `threads`. The search for one deal ends after three
    million have been tried, or a minute; `seconds` are for all of them together instead.

    Raises RulesError for the game and its options, ArgumentError for conditions that cannot be
    read or met, and for arguments of other types.
    """
    rules = rules_for(game, options)
    check_type(seed, (int, NoneType), "a seed is a number")
    check_texts(dealer=dealer, turn_up=turn_up, current_trump=current_trump)
    for what, count, least in (("deals are", number, 0), ("threads are", threads, 1)):
        if not isinstance(count, int) or count < least:
            raise ArgumentError(f"{what} {least} or more, not {count!r}")
    if not isinstance(seconds, (int, float)) or not seconds >= 0:
        raise ArgumentError(f"seconds are 0 or more, not {seconds!r}")
    for given in (hands, shapes):
        check_type(given, (Mapping, NoneType), "hands and shapes are mappings of seats to text")
    several = (where,) if isinstance(where, str) or callable(where) else where
    if not isinstance(several, Sequence) or not all(
        isinstance(o, str) or callable(o) for o in several
    ):
        raise ArgumentError(f"conditions are text or functions of a Deal, not {where!r}")
    if dealer is not None:
        dealer = _seat(rules, dealer)
    order = Order(
        rules,
        dealer,
        hands or {},
        shapes or {},
        [one for one in several if isinstance(one, str)],
        [one for one in several if not isinstance(one, str)],
        _turned(rules, turn_up, current_trump),
        current_trump if current_trump is None else _trump(rules, current_trump),
    )
    return Deals(
        order, number, SystemRandom().getrandbits(32) if seed is None else seed, threads, seconds
    )


def _seat(rules: Rules, text: str) -> str:
    seat = read_seat(text)
    if seat not in rules.seats:
        raise ArgumentError(
            f"{text!r} is no seat of {rules.game.name}: {listed(rules.seats, 'or')}", "seat-unknown"
        )
    return seat


def _trump(rules: Rules, text: str) -> str:
    trump, allowed = read_trump(text), rules.game.current_trumps
    if trump not in allowed:
        raise ArgumentError(
            f"{text!r} cannot be the current trump of {rules.game.name}, only "
            f"{listed(allowed, 'or') or 'none'}",
            "current-trump-not-allowed",
        )
    return trump


def _turned(rules: Rules, turn_up: str | None, current_trump: str | None) -> str | None:
    """Return the card that is to be turned up, or its suit."""
    if not rules.game.turns_up:
        if turn_up is not None:
            raise ArgumentError(f"{rules.game.name} turns up no card", "turn-up-unexpected")
        return None
    trump = None if current_trump is None else _trump(rules, current_trump)
    if turn_up is None:
        return trump
    turned = read_trump(turn_up)
    turned = turned if turned in tuple(SUITS) else parse_card(turn_up)
    if trump is not None and turned[0] != trump:
        raise ArgumentError(
            f"the card turned up is {turned}, and the current trump {trump}", "turn-up-trump"
        )
    if len(turned) == 2 and turned not in rules.deck:
        raise ArgumentError(f"{turned} is not in the pack of {rules.game.name}", "card-not-in-deck")
    return turned
