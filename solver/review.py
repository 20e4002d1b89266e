"""Going over a hand that was played: what each card was worth, and what it cost.

The value V of a position is what the declaring side has and can still force, double dummy (RULES
11): its tricks, the outcome of a contract for most tricks, or, where several contractors play each
for himself, the points each of them is sure of. A card costs the side that plays it what V moves to
its harm; forced cards cost nothing and are not solved. Hence, along every line of play,

    result = V at the start - costs of the declaring side + costs of its opponents

(in Misere, where V counts tricks nobody wants, the other way round).

One table of the engine serves the whole review. Only the player to move can spoil his side's
value, so each answer also bounds the values of the positions around it, and from the last card
backwards mostly one question settles a position.

With several contractors each one's guarantee is reckoned with everybody else against him: a card
of another can only raise it. That is no mistake of somebody who plays for himself, so a contractor
is marked down for his own guarantee only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from spadille.batch import parallel
from spadille.deal import Contract, Deal
from spadille.encoding import Situation, situation
from spadille.engine import DEFAULT_MEMORY, Solver
from spadille.errors import IllegalCardError, SpadilleError
from spadille.grades import Grades
from spadille.hints import hint
from spadille.objective import Count, Objective, objective_of
from spadille.position import Position
from spadille.problem import Problem
from spadille.values import classes, mover_gains, reaches, step_on

MARKS = ("", "?", "??")


@dataclass(slots=True)
class Step:
    """One card of the play.

    Values, costs and best cards are those of the declaring side's contract; with several
    contractors they go by seat.
    """

    trick: int
    """Number of the trick, from 1."""
    seat: str
    card: str
    choice: bool
    """Whether there was more than one card to choose from, equals counting as one."""
    before: Any = None
    after: Any = None
    cost: Any = 0
    best: Any = ()
    """The cards that keep the value, where this one does not or where all were asked for."""
    mark: str = ""
    """"?" the card costs something, "??" it costs (or gives away) the contract."""
    hint: str | None = None
    """What the Matador privilege or a called card's duty made of the choice."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        best = self.best
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields["best"] = (
            {seat: list(cards) for seat, cards in best.items()}
            if isinstance(best, dict)
            else list(best)
        )
        return fields


@dataclass(slots=True)
class Tally:
    """What the cards of a player, or of a side, have cost."""

    cards: int = 0
    choices: int = 0
    best: int = 0
    """Cards that kept the value, among those that were chosen."""
    errors: int = 0
    cost: int = 0

    @property
    def share(self) -> float | None:
        """The share of best cards among those that were chosen; None where nothing was."""
        return round(self.best / self.choices, 3) if self.choices else None

    def count(self, step: Step, cost: int) -> None:
        """Add a card."""
        self.cards += 1
        self.choices += step.choice
        self.best += step.choice and not cost
        self.errors += bool(cost)
        self.cost += cost

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {name: getattr(self, name) for name in self.__slots__} | {"share": self.share}


@dataclass(slots=True)
class Account:
    """How the value of a contract came from the start of the play to its end.

    `result` is `start` less `lost`, by the contractor's side, plus `given`, by its opponents: in
    tricks (Misere: the signs change), in outcomes, or in points.
    """

    start: Any
    result: Any
    lost: int
    given: int
    made_at_start: bool
    made: bool
    turning_point: int | None
    """Which of the steps settled for good whether the contract is made; None: it never changed."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Review:
    """What `review` returns."""

    contract: Contract
    leader: str
    sides: tuple[str, ...]
    unit: str
    """"tricks", "outcome" or "points"."""
    target: int | None
    """Tricks that make the contract, where a number of tricks does."""
    finished: bool
    """Whether the hand was played to its end; otherwise `result` is what it is worth where it
    stands."""
    steps: list[Step]
    tricks: list[tuple[str, tuple[str, ...], str | None]]
    """Leader, cards in order of play and winner of each trick; no winner of one that was cut."""
    accounts: dict[str, Account]
    """Of each contractor."""
    players: dict[str, Tally] = field(default_factory=dict)
    parties: dict[str, Tally] = field(default_factory=dict)
    """"declarers" and "defenders"; with several contractors the players tell it all."""
    error: IllegalCardError | None = None
    """Why the review ends before the recorded play does."""
    nodes: int = 0
    ms: float = 0.0

    @property
    def several(self) -> bool:
        """Whether there are several contractors, so that values go by seat."""
        return len(self.contract.declarers) > 1

    @property
    def account(self) -> Account:
        """The account of the declarer; of several the first."""
        return self.accounts[self.contract.declarer]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them; the error is left to the caller."""
        contract = self.contract
        ids = dict.fromkeys(contract.ids) if contract.penalty else contract.ids
        return {
            "declarer": list(contract.declarers) if self.several else contract.declarer,
            "contract": " ".join(ids),
            "trump": contract.trump,
            "called": contract.called,
            "partner": contract.partner,
            "penalty": contract.penalty,
            "leader": self.leader,
            "sides": list(self.sides),
            "unit": self.unit,
            "target": self.target,
            "finished": self.finished,
            "accounts": {seat: one.as_dict() for seat, one in self.accounts.items()},
            "players": {seat: one.as_dict() for seat, one in self.players.items()},
            "parties": {name: one.as_dict() for name, one in self.parties.items()},
            "tricks": [
                {"leader": leader, "cards": list(cards), "winner": winner}
                for leader, cards, winner in self.tricks
            ],
            "cards": [step.as_dict() for step in self.steps],
            "nodes": self.nodes,
            "ms": self.ms,
        }


def review(
    deal: Deal,
    contract: Contract,
    play: Iterable[str],
    *,
    every: bool = False,
    solver: Solver | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Review:
    """Go over the cards of `play`, which need not be complete.

    `every` asks for the best cards of each step, not only where something better was missed. A
    card that may not be played ends the review there, see `Review.error`. Raises DealError for
    unknown hands, ContractError for what an end position does not tell.
    """
    began = perf_counter()
    at = situation(deal, contract)
    solver = solver or Solver(memory)
    solver.limit()
    solver.clear()
    steps, position, error = _replay(deal, contract, at, solver, play)
    rules = deal.rules
    kind = rules.contracts[contract.ids[0]]
    several = len(contract.declarers) > 1
    tracks = [_Track(deal, contract, at, seat, steps, solver) for seat in contract.declarers]
    accounts = {}
    for track in tracks:
        track.settle()
        track.compare(every)
        track.report(several)
        accounts[track.seat] = track.account(len(steps))
    tricks: list[tuple[str, tuple[str, ...], str | None]] = [
        (done.leader, done.cards, done.winner) for done in position.tricks
    ]
    if position.trick:
        tricks.append((position.leader, tuple(card for _, card in position.trick), None))
    found = Review(
        contract,
        rules.turn_order[at.problem.leader],
        tuple(seat for seat in rules.seats if seat in contract.side),
        tracks[0].grades.unit,
        kind.target if not several and kind.aim in ("tricks", "misere") else None,
        position.finished and not position.trick,
        steps,
        tricks,
        accounts,
        error=error,
    )
    _count(found, rules.seats)
    found.nodes = solver.nodes
    found.ms = round((perf_counter() - began) * 1000, 3)
    return found


def review_many(
    questions: Iterable[tuple[Deal, Contract, Iterable[str]]],
    *,
    every: bool = False,
    threads: int = 1,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Review | SpadilleError]:
    """Yield the review of each hand, or the error `review` raises for it, in their order."""

    def work(
        solver: Solver, question: tuple[Deal, Contract, Iterable[str]]
    ) -> Review | SpadilleError:
        try:
            return review(*question, every=every, solver=solver)
        except SpadilleError as error:
            return error

    return parallel(work, questions, threads, memory)


def _replay(
    deal: Deal, contract: Contract, at: Situation, solver: Solver, play: Iterable[str]
) -> tuple[list[Step], Position, IllegalCardError | None]:
    """Play the cards, up to the first that may not be played."""
    position = Position.of(deal, contract)
    problem = at.problem
    steps: list[Step] = []
    for card in play:
        seat, number = position.to_play, len(position.tricks) + 1
        said = hint(position, card)
        try:
            position.play(card)
        except IllegalCardError as error:
            return steps, position, error
        choice = len(classes(solver, problem)) > 1
        steps.append(Step(number, seat, card, choice, hint=said))
        problem = problem.played(at.encoding.numbers[card])
    return steps, position, None


class _Track:
    """The values of one contractor's objective along the play, as grades."""

    def __init__(
        self,
        deal: Deal,
        contract: Contract,
        at: Situation,
        seat: str,
        steps: list[Step],
        solver: Solver,
    ) -> None:
        self.seat = seat
        self.contractors = contract.declarers
        self.steps = steps
        self.solver = solver
        self.encoding = at.encoding
        self.objective: Objective = objective_of(contract, at, seat)
        self.grades = Grades(deal, contract, at, seat, self.objective)
        # The position before each card, and after the last.
        self.line: list[tuple[Problem, Any]] = [(at.problem, self.objective.start)]
        for step in steps:
            card = self.encoding.numbers[step.card]
            self.line.append(step_on(self.objective, *self.line[-1], card))
        self.gains = [mover_gains(self.objective, problem) for problem, _ in self.line]
        spans = [self.objective.span(*position) for position in self.line]
        self.low = [self.grades.grade(low) for low, _ in spans]
        self.high = [self.grades.grade(high) for _, high in spans]
        self.best: dict[int, list[str]] = {}

    # Values

    def settle(self) -> None:
        """Find the value of every position."""
        backwards = range(len(self.line) - 1, -1, -1)
        if isinstance(self.objective, Count):
            for i in backwards:
                while self.low[i] < self.high[i]:
                    self.ask(i, self.next_question(i))
        else:
            # Each threshold has a table of its own in the engine.
            for need in range(1, len(self.grades.needs)):
                for i in backwards:
                    if self.low[i] < need <= self.high[i]:
                        self.ask(i, need)

    def next_question(self, i: int) -> int:
        """Return the grade to ask for: first whether the value is that of the next position."""
        if i + 1 == len(self.line):
            target = self.grades.grade(self.objective.guess)
            return min(max(target, self.low[i] + 1), self.high[i])
        return self.low[i] + 1 if self.gains[i] else self.high[i]

    def ask(self, i: int, need: int) -> None:
        """Ask whether the value of a position is at least that grade; the answer spreads."""
        if self.reaches(*self.line[i], need):
            self.raise_low(i, need)
        else:
            self.lower_high(i, need - 1)

    def reaches(self, problem: Problem, state: Any, need: int) -> bool:
        answer = reaches(self.objective, self.solver, problem, state, self.grades.needs[need])
        if answer is None:
            raise SpadilleError("the search was interrupted", "interrupted")
        return answer

    def raise_low(self, i: int, grade: int) -> None:
        """Spread it: it held before the cards of that side, and holds after those of the other."""
        self.low[i] = max(self.low[i], grade)
        for j in range(i, 0, -1):
            if not self.gains[j - 1] and self.steps[j - 1].choice:
                break
            self.low[j - 1] = max(self.low[j - 1], grade)
        for j in range(i, len(self.steps)):
            if self.gains[j] and self.steps[j].choice:
                break
            self.low[j + 1] = max(self.low[j + 1], grade)

    def lower_high(self, i: int, grade: int) -> None:
        self.high[i] = min(self.high[i], grade)
        for j in range(i, 0, -1):
            if self.gains[j - 1] and self.steps[j - 1].choice:
                break
            self.high[j - 1] = min(self.high[j - 1], grade)
        for j in range(i, len(self.steps)):
            if not self.gains[j] and self.steps[j].choice:
                break
            self.high[j + 1] = min(self.high[j + 1], grade)

    # Cards

    def compare(self, every: bool) -> None:
        """Find the best cards where a better one was missed, or everywhere."""
        questions = []
        for i, step in enumerate(self.steps):
            value = self.low[i]
            missed = value != self.low[i + 1]
            if not (every or missed):
                continue
            self.best[i] = kept = []
            problem, state = self.line[i]
            need = value if self.gains[i] else value + 1
            played = self.encoding.numbers[step.card]
            for card, group in classes(self.solver, problem).items():
                if played in group and missed:
                    continue
                if played in group or not step.choice or not 0 < need < len(self.grades.needs):
                    kept += [self.encoding.names[one] for one in group]
                else:
                    questions.append((need, -i, card, group, problem, state))
        # By threshold, and backwards: what the engine's table knows is of use then.
        for need, i, card, group, problem, state in sorted(questions, key=lambda one: one[:3]):
            after = step_on(self.objective, problem, state, card)
            if self.reaches(*after, need) == self.gains[-i]:
                self.best[-i] += [self.encoding.names[one] for one in group]

    def report(self, several: bool) -> None:
        """Write values, costs and marks into the steps."""
        names, makes = self.grades.names, self.grades.makes
        order = self.encoding.numbers
        for i, step in enumerate(self.steps):
            before, after = self.low[i], self.low[i + 1]
            cost = self.grades.distance(before, after)
            best = tuple(card for card in order if card in self.best.get(i, ()))
            # Who plays for himself owes the other contractors nothing.
            if not several or step.seat == self.seat or step.seat not in self.contractors:
                mark = MARKS[bool(cost) + (makes[before] != makes[after])]
                step.mark = max(step.mark, mark)
            if several:
                for name, value in zip(
                    ("before", "after", "cost", "best"),
                    (names[before], names[after], cost, best),
                    strict=True,
                ):
                    held = getattr(step, name)
                    if not isinstance(held, dict):
                        held = {}
                        setattr(step, name, held)
                    held[self.seat] = value
            else:
                step.before, step.after = names[before], names[after]
                step.cost, step.best = cost, best

    def account(self, number: int) -> Account:
        """Sum up."""
        grades = self.grades
        lost = given = 0
        turning_point = None
        for i in range(number):
            cost = grades.distance(self.low[i], self.low[i + 1])
            if self.gains[i]:
                lost += cost
            else:
                given += cost
            if grades.makes[self.low[i]] != grades.makes[self.low[i + 1]]:
                turning_point = i
        start, end = self.low[0], self.low[-1]
        return Account(
            grades.names[start],
            grades.names[end],
            lost,
            given,
            grades.makes[start],
            grades.makes[end],
            turning_point,
        )


def _count(found: Review, seats: tuple[str, ...]) -> None:
    """Count the costs of each player and each party."""
    declarers, defenders = Tally(), Tally()
    found.players = {seat: Tally() for seat in seats}
    for step in found.steps:
        if not found.several:
            cost = step.cost
        elif step.seat in found.accounts:
            cost = step.cost[step.seat]
        else:
            cost = sum(step.cost.values())
        found.players[step.seat].count(step, cost)
        (declarers if step.seat in found.sides else defenders).count(step, cost)
    if not found.several:
        found.parties = {"declarers": declarers, "defenders": defenders}
