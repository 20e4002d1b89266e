"""Going over a hand that was played: what each card was worth, and what it cost.

The value V of a position is what the declaring side has and can still force, double dummy (RULES
11): its tricks, the outcome of a contract for most tricks, or, where several contractors play each
for himself, the points each of them is sure of. A card costs the side that plays it what V moves to
its harm; forced cards cost nothing and are not solved. Hence, along every line of play,

    result = V at the start - costs of the declaring side + costs of its opponents

(in Misere, where V counts tricks nobody wants, the other way round).

One table of the engine serves the whole review, see `spadille.search.track`.

With several contractors each one's guarantee is reckoned with everybody else against him: a card
of another can only raise it. That is no mistake of somebody who plays for himself, so a contractor
is marked down for his own guarantee only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from spadille.analysis.batch import parallel
from spadille.analysis.hints import hint
from spadille.deal import Contract, Deal
from spadille.errors import IllegalCardError, SpadilleError, check_limit
from spadille.position import Position
from spadille.search.card_values import TooHardError
from spadille.search.encoding import Situation, situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.objective import MISERE_NODES
from spadille.search.track import Path, Track

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

    def count(self, choice: bool, cost: int) -> None:
        """Add a card."""
        self.cards += 1
        if choice:
            self.choices += 1
            if cost:
                self.errors += 1
                self.cost += cost
            else:
                self.best += 1

    def add(self, other: Tally) -> None:
        """Add the cards of another."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

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
    misere_nodes: int = MISERE_NODES,
    memory: int = DEFAULT_MEMORY,
) -> Review:
    """Go over the cards of `play`, which need not be complete.

    `every` asks for the best cards of each step, not only where something better was missed. A
    card that may not be played ends the review there, see `Review.error`. Where `misere_nodes`
    (0: no limit) do not tell how many tricks a Misere costs, its review goes by made or failed.
    Raises DealError for unknown hands, ContractError for what an end position does not tell,
    ArgumentError for a limit below 0.
    """
    began = perf_counter()
    check_limit("misere_nodes", misere_nodes)
    at = situation(deal, contract)
    solver = solver or Solver(memory)
    solver.clear()
    record = _replay(deal, contract, at, solver, play)
    steps = record.steps
    rules = deal.rules
    kind = rules.contracts[contract.ids[0]]
    several = len(contract.declarers) > 1
    limit = misere_nodes if kind.aim == "misere" and not several else 0
    nodes = 0
    for rough in (False, True):
        solver.limit(0 if rough else limit)
        tracks = [
            Track(deal, contract, at, seat, record.path, solver, rough)
            for seat in contract.declarers
        ]
        try:
            for track in tracks:
                track.settle()
                track.compare(every)
            break
        except TooHardError:
            nodes += solver.nodes
    nodes += solver.nodes
    accounts = {}
    for track in tracks:
        _report(track, steps, several)
        accounts[track.seat] = _account(track)
    found = Review(
        contract,
        rules.turn_order[at.problem.leader],
        tuple(seat for seat in rules.seats if seat in contract.side),
        tracks[0].grades.unit,
        kind.target if not several and kind.aim in ("tricks", "misere") else None,
        not record.path.problems[-1].tricks,
        steps,
        record.tricks,
        accounts,
        error=record.error,
    )
    _count(found, rules.seats)
    found.nodes = nodes
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


@dataclass(slots=True)
class _Record:
    """The play as far as it is legal."""

    path: Path
    steps: list[Step] = field(default_factory=list)
    tricks: list[tuple[str, tuple[str, ...], str | None]] = field(default_factory=list)
    error: IllegalCardError | None = None


def _replay(
    deal: Deal, contract: Contract, at: Situation, solver: Solver, play: Iterable[str]
) -> _Record:
    """Play the cards, up to the first that may not be played."""
    seats, numbers, names = deal.rules.turn_order, at.encoding.numbers, at.encoding.names
    problem = at.problem
    record = _Record(Path([problem]))
    path, steps, tricks = record.path, record.steps, record.tricks
    special = problem.called >= 0 or problem.matadors
    for card in play:
        legal, twins = solver.legal(problem)
        number = numbers.get(card, -1)
        if number < 0 or not legal >> number & 1:
            record.error = _refusal(deal, contract, [step.card for step in steps], card)
            break
        different = legal & ~twins
        choice = different & different - 1 != 0
        player = problem.to_play
        steps.append(Step(len(tricks) + 1, seats[player], card, choice))
        if special:
            steps[-1].hint = hint(at.encoding, solver, problem, number)
        before, problem = problem, problem.played(number)
        path.players.append(player)
        path.cards.append(number)
        path.choices.append(choice)
        path.problems.append(problem)
        if not problem.trick:
            cards = tuple([names[one] for one in (*before.trick, number)])
            tricks.append((seats[before.leader], cards, seats[problem.leader]))
    if problem.trick:
        cards = tuple([names[one] for one in problem.trick])
        tricks.append((seats[problem.leader], cards, None))
    return record


def _refusal(
    deal: Deal, contract: Contract, played: list[str], card: str
) -> IllegalCardError | None:
    """Say why a card may not be played."""
    position = Position.of(deal, contract)
    for one in played:
        position.force(one)
    if position.finished:
        return IllegalCardError(f"{card} is played after the last trick", "play-too-long")
    try:
        position.play(card)
    except IllegalCardError as error:
        return error
    return None


def _report(track: Track, steps: list[Step], several: bool) -> None:
    """Write a contractor's values, costs and marks into the steps."""
    grades = track.grades
    names, makes, values = grades.names, grades.makes, track.values
    for i, step in enumerate(steps):
        before, after = values[i], values[i + 1]
        cost = 0
        if before != after:
            cost = grades.distance(before, after)
            # Who plays for himself owes the other contractors nothing.
            if not several or step.seat == track.seat or step.seat not in track.contractors:
                step.mark = max(step.mark, MARKS[1 + (makes[before] != makes[after])])
        found = names[before], names[after], cost, track.best_cards(i)
        if several:
            for name, value in zip(("before", "after", "cost", "best"), found, strict=True):
                held = getattr(step, name)
                if not isinstance(held, dict):
                    held = {}
                    setattr(step, name, held)
                held[track.seat] = value
        else:
            step.before, step.after, step.cost, step.best = found


def _account(track: Track) -> Account:
    """Sum up a contractor's values."""
    grades, values = track.grades, track.values
    costs = {True: 0, False: 0}
    turning_point = None
    for i, gains in enumerate(track.gains[:-1]):
        if values[i] != values[i + 1]:
            costs[gains] += grades.distance(values[i], values[i + 1])
            if grades.makes[values[i]] != grades.makes[values[i + 1]]:
                turning_point = i
    return Account(
        grades.names[values[0]],
        grades.names[values[-1]],
        costs[True],
        costs[False],
        grades.makes[values[0]],
        grades.makes[values[-1]],
        turning_point,
    )


def _count(found: Review, seats: tuple[str, ...]) -> None:
    """Count the costs of each player and each party."""
    found.players = {seat: Tally() for seat in seats}
    for step in found.steps:
        if not found.several:
            cost = step.cost
        elif step.seat in found.accounts:
            cost = step.cost[step.seat]
        else:
            cost = sum(step.cost.values())
        found.players[step.seat].count(step.choice, cost)
    if not found.several:
        declarers, defenders = Tally(), Tally()
        for seat, tally in found.players.items():
            (declarers if seat in found.sides else defenders).add(tally)
        found.parties = {"declarers": declarers, "defenders": defenders}
