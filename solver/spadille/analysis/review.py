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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, cycle
from types import NoneType
from typing import Any

from spadille.analysis.batch import answers
from spadille.analysis.before import BEFORE_LIMITS, BeforePlay, before_play
from spadille.analysis.costs import (
    MARKS,
    VERDICTS,
    Account,
    CostTally,
    LuckVerdict,
    Moved,
    ReviewedCard,
)
from spadille.analysis.decisions import Course, Decision, choice_to_go_on
from spadille.analysis.replay import Played, Replay, before_surrender, legs_of, replay
from spadille.analysis.shown import Shown
from spadille.analysis.why import refuted
from spadille.asked import asked, question_parts
from spadille.contract import Contract
from spadille.deal import Deal
from spadille.errors import IllegalCardError, SpadilleError, check_type
from spadille.parts import Outcome, Surrender
from spadille.search.encoding import Situation, situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.going_on import lost_at
from spadille.search.limits import DEFAULT, Limits, only_hard
from spadille.search.objective import ContractObjective
from spadille.search.question import Question, Search, answer
from spadille.search.track import Path, Track
from spadille.search.verdict import Unit, Value, ended


@dataclass(frozen=True, slots=True, repr=False)
class Review(Shown):
    """What `review` returns."""

    contract: Contract
    leader: str
    sides: tuple[str, ...]
    unit: Unit
    target: int | None
    """Tricks that make the contract, where a number of tricks does."""
    finished: bool
    """Whether the hand was played to its end, stopped after the first tricks or ended at a lost
    trick; otherwise `result` is what it is worth where it stands."""
    score: Mapping[str, int] | None
    """What each seat, and the pool, gains by a finished hand; None where that is not known."""
    steps: tuple[ReviewedCard, ...]
    tricks: tuple[tuple[str, tuple[str, ...], str | None], ...]
    """Leader, cards in order of play and winner of each trick; no winner of one that was cut."""
    accounts: Mapping[str, Account]
    """Of each contractor."""
    players: Mapping[str, CostTally] = field(default_factory=dict)
    parties: Mapping[str, CostTally] = field(default_factory=dict)
    """"declarers" and "defenders"; with several contractors the players tell it all."""
    decisions: tuple[Decision, ...] = ()
    """Whether the side stopped after the first tricks or went on, and what that cost."""
    before: BeforePlay = field(default_factory=BeforePlay)
    """What was decided before the first card, and what that cost, where it was asked for."""
    lost_at: int | None = None
    """The trick that ended the hand, where all were needed and this one was lost."""
    surrender: Surrender | None = None
    """By whom the hand was given up, after the last of the steps."""
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

    def cut_short(self) -> Review:
        """Take back that the hand stopped after the first tricks: a fault hides how it went on."""
        if any(one.decision == "stopped" for one in self.decisions):
            return replace(self, decisions=(), finished=False, score=None)
        return self

    @property
    def verdicts(self) -> Mapping[str, Mapping[LuckVerdict, int]]:
        """How many chosen cards of each seat were errors, unlucky, lucky, fine; see `LuckVerdict`.

        Empty where it was not asked what the players knew.
        """
        found = {seat: dict.fromkeys(VERDICTS, 0) for seat in self.players}
        for step in self.steps:
            if step.judged:
                found[step.seat][step.judged.verdict] += 1
        return found if any(step.judged for step in self.steps) else {}

    def __str__(self) -> str:
        accounts = [f"{seat}: {one}" for seat, one in self.accounts.items()]
        steps = [str(step) for step in self.steps if step.mark]
        return "\n".join([f"{self.contract}, in {self.unit}", *accounts, *steps])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them; the error is left to the caller."""
        verdicts = {seat: dict(counts) for seat, counts in self.verdicts.items()}
        return self.contract.to_dict() | {
            "leader": self.leader,
            "sides": list(self.sides),
            "unit": self.unit,
            "target": self.target,
            "finished": self.finished,
            "score": None if self.score is None else dict(self.score),
            "lost_at": self.lost_at,
            "surrender": None if self.surrender is None else asdict(self.surrender),
            "decisions": [
                *(one.to_dict() for one in self.before.decisions),
                *(one.to_dict() for one in self.decisions),
            ],
            "bids": {seat: list(bids) for seat, bids in self.before.bids.items()},
            "accounts": {seat: one.to_dict() for seat, one in self.accounts.items()},
            "players": {seat: one.to_dict() for seat, one in self.players.items()},
            "parties": {name: one.to_dict() for name, one in self.parties.items()},
            "tricks": [
                {"leader": leader, "cards": list(cards), "winner": winner}
                for leader, cards, winner in self.tricks
            ],
            "cards": [step.to_dict() for step in self.steps],
            **({"verdicts": verdicts} if verdicts else {}),
            "nodes": self.nodes,
            "ms": self.ms,
        }


def review(
    deal: Deal,
    contract: Contract | str,
    play: str | Iterable[str],
    surrender: Surrender | None = None,
    auction: str | Iterable[str] | None = None,
    *,
    every: bool = False,
    refutations: bool = False,
    solver: Solver | None = None,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
) -> Review:
    """Go over the cards of `play`, which need not be complete.

    Contract and play may be text: "N solo H", see `Contract.parse`, and "D9 DQ".
    `every` asks for the best cards of each step, not only where something better was missed,
    `refutations` for how the other side profits from each card that cost something. A
    card that may not be played ends the review there, see `Review.error`. Where the `limits`
    of hard nodes do not tell how many tricks a Misere costs, its review goes by made or failed.
    After a `surrender` (RULES 5) the review is over; who takes over is paid for what he plays.
    The words of an `auction`, of none (), ask for what was decided before the first card, too, see
    `before_play`.
    Raises DealError for unknown hands, ContractError for what an end position does not tell,
    ArgumentError for limits of another kind.
    """
    limits = only_hard(limits, "review")
    contract, play = asked(deal, contract, play)
    check_type(surrender, (Surrender, NoneType), "a surrender is a Surrender")
    before = BeforePlay()
    if auction is not None:
        fewer = Limits(hard_nodes=min(limits.hard_nodes, BEFORE_LIMITS.hard_nodes))
        before = before_play(deal, contract, auction, solver=solver, limits=fewer, memory=memory)
    search = Search(solver, limits, memory)
    at = situation(deal, contract)
    record = whole = replay(deal, contract, at, search.solver, play)
    if surrender:
        number = before_surrender(contract, surrender, whole.cards)
        record = replay(deal, contract, at, search.solver, play[:number])
    legs = legs_of(contract, at, record.path)
    end = legs[-1][0]
    for number in legs[-1][1].cards:
        end = end.played(number)
    rules = deal.rules
    several = len(contract.declarers) > 1

    def follow(questions: list[Question[ContractObjective]]) -> dict[str, list[Track]]:
        tracks: dict[str, list[Track]] = {seat: [] for seat in contract.declarers}
        for question, (_, path) in zip(questions, cycle(legs), strict=False):
            tracks[question.seat].append(Track(question, path))
        for track in chain(*tracks.values()):
            track.settle()
            track.compare(every)
        return tracks

    tracks = answer(
        [
            Question.of(deal, contract, start, seat, search)
            for seat in contract.declarers
            for start, _ in legs
        ],
        follow,
    )
    moves = [*zip(*(_moves(own) for own in tracks.values()), strict=True)]
    steps = [_step(*each) for each in zip(record.cards, moves, strict=True)]
    more = 0
    if refutations:
        search.limit()
        steps, more = refuted(steps, moves)
    nodes = search.nodes + before.nodes + more
    accounts = {seat: _account(own) for seat, own in tracks.items()}
    outcome = None if record.error else ended(contract, end)
    if surrender:
        outcome = _given_up(contract, at, surrender, record, whole)
    lost = lost_at(contract, end)
    last = tracks[contract.declarer][-1]
    decisions = []
    if len(legs) > 1:
        number = len(legs[0][1].cards)
        decisions = [_choice(deal, contract, legs[1][0], last, "went_on", number)]
    elif outcome and end.problem.tricks and not surrender and not lost:
        stop = end._replace(goes_on=True)
        rest = Track(Question.of(deal, contract, stop, contract.declarer, search), Path())
        rest.settle()
        decisions = [_choice(deal, contract, stop, rest, "stopped")]
    sides = tuple(seat for seat in rules.seats if seat in contract.side)
    cards = {seat: _costs(steps, seat, accounts) for seat in rules.seats}
    parties: dict[str, CostTally] = {}
    if not several:
        parties["declarers"] = CostTally.of(chain(*(cards[seat] for seat in sides)))
        parties["defenders"] = CostTally.of(
            chain(*(own for seat, own in cards.items() if seat not in sides))
        )
    return Review(
        contract,
        rules.turn_order[at.problem.leader],
        sides,
        last.grades.unit,
        None if several else tracks[contract.declarer][0].questions[0].target,
        (not end.problem.tricks and not surrender) or outcome is not None or lost is not None,
        rules.score(deal, contract, outcome) if outcome else None,
        tuple(steps),
        tuple(record.tricks),
        accounts,
        {seat: CostTally.of(own) for seat, own in cards.items()},
        parties,
        tuple(decisions),
        before,
        lost_at=lost,
        surrender=surrender,
        error=record.error,
        nodes=nodes,
        ms=round(search.ms + before.ms, 3),
    )


def review_many(
    questions: Iterable[
        tuple[Deal, Contract | str, str | Iterable[str]]
        | tuple[Deal, Contract | str, str | Iterable[str], Surrender | None]
        | tuple[Deal, Contract | str, str | Iterable[str], Surrender | None, Sequence[str] | None]
    ],
    *,
    every: bool = False,
    refutations: bool = False,
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Review | SpadilleError]:
    """Yield the review of each hand, or the error `review` raises for it, in their order.

    An exception of another kind comes as InternalError. Raises ArgumentError for limits of another
    kind, and for less than one thread or over 1,024.
    """
    only_hard(limits, "review_many")

    def work(solver: Solver, question: tuple[Any, ...]) -> Review:
        question = question_parts(question, ("deal", "contract", "play", "surrender", "auction"), 3)
        return review(*question, every=every, refutations=refutations, solver=solver, limits=limits)

    return answers(work, questions, threads, memory)


def _given_up(
    contract: Contract, at: Situation, surrender: Surrender, record: Replay, whole: Replay
) -> Outcome | None:
    """Return the outcome of a hand the declarer gave up; None while who took over plays on."""
    steps = record if surrender.taken_over is None else whole
    for number in steps.path.cards:
        at = at.played(number)
    if surrender.taken_over is None:
        won = dict(zip(at.encoding.rules.turn_order, at.won, strict=True))
        return Outcome(won, surrender=surrender)
    outcome = ended(contract.taken_over(surrender.taken_over), at)
    return None if outcome is None or whole.error else replace(outcome, surrender=surrender)


def _choice(
    deal: Deal,
    contract: Contract,
    at: Situation,
    rest: Track,
    chosen: Course,
    card: int | None = None,
) -> Decision:
    """Return what a side chose after the first tricks; `rest` knows what going on is worth."""
    tricks = int(rest.grades.names[rest.values[0]])
    return choice_to_go_on(deal, contract, at, tricks, chosen, card)


def _step(played: Played, moves: Iterable[tuple[Track, int]]) -> ReviewedCard:
    """Return a card with its values, costs and mark, from its places in the tracks."""
    worst = 0
    contractors: dict[str, Moved] = {}
    for track, i in moves:
        grades, makes = track.grades, track.grades.makes
        before, after = track.values[i], track.values[i + 1]
        cost = 0
        if before != after:
            cost = grades.distance(before, after)
            # Who plays for himself owes the other contractors nothing.
            if played.seat not in {*track.contractors} - {track.seat}:
                worst = max(worst, 1 + (makes[before] != makes[after]))
        names = grades.names[before], grades.names[after]
        contractors[track.seat] = Moved(*names, cost, track.best_cards(i))
    trick, seat, card, choice, hint = played
    return ReviewedCard(trick, seat, card, choice, contractors, MARKS[worst], hint)


def _moves(legs: list[Track]) -> list[tuple[Track, int]]:
    """List the cards of a contractor's tracks, one behind the other."""
    return [(track, i) for track in legs for i in range(len(track.path.cards))]


def _account(legs: list[Track]) -> Account:
    """Sum up a contractor's values; where the legs meet he went on for all tricks."""
    costs = {True: 0, False: 0}
    turning_point = None
    left = begin = 0
    ends: list[tuple[Value, bool]] = []
    for track in legs:
        grades, values = track.grades, track.values
        first, last = ((grades.names[i], grades.makes[i]) for i in (values[0], values[-1]))
        if ends:
            left = int(ends[-1][0]) - int(first[0])
            if ends[-1][1] != first[1]:
                turning_point = begin
        for i, gains in enumerate(track.gains):
            if values[i] != values[i + 1]:
                costs[gains] += grades.distance(values[i], values[i + 1])
                if grades.makes[values[i]] != grades.makes[values[i + 1]]:
                    turning_point = begin + i
        begin += len(track.path.cards)
        ends += [first, last]
    (start, made_at_start), (result, made) = ends[0], ends[-1]
    return Account(
        start, result, costs[True], costs[False], left, made_at_start, made, turning_point
    )


def _costs(
    steps: Iterable[ReviewedCard], seat: str, accounts: Mapping[str, Account]
) -> list[tuple[bool, int]]:
    """Return whether each card of a seat was chosen and what it cost; see `CostTally.of`."""
    found = []
    for step in steps:
        if step.seat != seat:
            continue
        if len(accounts) > 1 and seat in accounts:
            cost = step[seat].cost
        else:
            cost = sum(each.cost for each in step.contractors.values())
        found.append((step.choice, cost))
    return found
