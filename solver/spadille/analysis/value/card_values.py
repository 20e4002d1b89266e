"""Value every card that the player to move may play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal

from spadille.analysis.many_deals import answers
from spadille.analysis.result_text_forms import Shown, range_text, spaced, value, verdict
from spadille.analysis.value.by_contractor import LEFT_OPEN, ByContractor, known
from spadille.analysis.value.decisions_other_than_cards import Decision, choice_to_go_on
from spadille.analysis.value.surrender_decisions import Surrendering, choice_to_surrender
from spadille.base.errors import SpadilleError, TooHardError
from spadille.base.json_fields import encoded
from spadille.core.arguments import contract_and_play, question_parts
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.search.contract_objective import ContractObjective
from spadille.search.encoding import situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.first_run import gone_on, may_stop
from spadille.search.limited_search import Search
from spadille.search.limits import DEFAULT, Limits, check_limits
from spadille.search.question import Line, Question, answer
from spadille.search.surrender_value import better
from spadille.search.value_names import Grades
from spadille.search.verdict import Unit, Value, lost_at


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CardWorth(Shown):
    """A card's value for one declarer."""

    tricks: int | None
    """The number of tricks. Like the next four fields, it is None if a limit left the value
    open."""
    makes: bool | None
    margin: int | None
    outcome: str | None
    points: int | None
    """The declarer's guaranteed points, if there are several declarers."""
    cost: int | None
    """The cost to the side that plays the card, in tricks, outcomes or points; None if unknown."""
    effect: Literal["keeps", "loses"] | None
    """"keeps" or "loses" if the player's side could force the result it wants (to make or to defeat
    the contract); None if it could not, or if a limit left this open."""
    bounds: tuple[Value, Value] | None = None
    """The lowest and highest value, or the worst and best outcome; None if the value is exact.
    """

    def __str__(self) -> str:
        if self.bounds is not None:
            return range_text(self.bounds)
        result = self.outcome if self.margin is None else self.tricks
        result = result if self.points is None else self.points
        cost = "?" if self.cost is None else self.cost
        return spaced(result, f"costs {cost}" if cost else None)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CardValue(ByContractor[CardWorth], Shown):
    """A card's value with best play after it.

    `contractors` maps each declarer to the card's value. If there is only one declarer, the fields
    of its value are also available here. SpadilleError is raised if an unknown value is accessed.
    """

    card: str
    contractors: Mapping[str, CardWorth]
    score: Mapping[str, int] | None = None
    """The payoffs to all seats. None if there are several declarers, if the payoffs are unknown, or
    if a limit left them open. A limit can leave them open even if the value is known."""
    named: str | None = None
    """The trump that the declarer names with this card; None if it was named before."""
    surrenders: bool = False
    """Whether `score` comes from a later surrender."""
    score_open: bool = False
    """Whether a limit left the score open."""

    json_names: ClassVar[tuple[str, ...]] = ("card", "tricks", "makes", "margin", "outcome")
    json_names += ("points", "score", "surrenders", "cost", "effect", "named")
    json_names += ("bounds",)
    json_by_seat = ("tricks", "makes", "margin", "outcome", "points", "cost", "effect", "bounds")
    json_optional = ("named", "bounds")

    @property
    def tricks(self) -> int:
        """The declaring side's tricks; in Nemo, the fewest clean tricks worth these points."""
        return known("tricks", self.one.tricks)

    @property
    def makes(self) -> bool:
        """Whether the contract makes."""
        return known("makes", self.one.makes)

    @property
    def margin(self) -> int:
        """Tricks above the target (below it in Misère)."""
        return known("margin", self.one.margin)

    @property
    def outcome(self) -> str:
        """The outcome of the hand: made, failed, vole, ..."""
        return known("outcome", self.one.outcome)

    @property
    def cost(self) -> int:
        """The cost to the side that plays the card, in tricks or outcomes."""
        return known("cost", self.one.cost, LEFT_OPEN)

    @property
    def open(self) -> bool:
        """Whether a limit left the cost or the value of the card open."""
        return any(
            worth.cost is None or worth.bounds is not None for worth in self.contractors.values()
        )

    @property
    def effect(self) -> Literal["keeps", "loses"] | None:
        """Whether the card "keeps" or "loses" the contract (or its defeat)."""
        return self.one.effect

    def __str__(self) -> str:
        if not self.several:
            return spaced(self.card, self.one)
        worths = (f"{seat}:{worth}" for seat, worth in self.contractors.items())
        return spaced(self.card, *worths)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PositionValue(Shown):
    """A position's value for one declarer."""

    value: Value | None
    """The value; None if a limit left it open."""
    makes: bool | None
    line: tuple[tuple[str, ...], ...] | None = None
    """An optimal line from here; its first trick includes the cards on the table. None if it was
    not requested, or if a limit stopped the search for it."""
    bounds: tuple[Value, Value] | None = None
    """The lowest and highest value, or the worst and best outcome; None if the value is exact.
    """

    def __str__(self) -> str:
        worth = self.value if self.bounds is None else range_text(self.bounds)
        return f"{worth}, {verdict(self.makes)}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CardValues(ByContractor[PositionValue], Shown):
    """All cards of the player to move, by suit from high to low.

    `contractors` maps each declarer to the value of the position. If there is only one declarer,
    the fields of its value are also available here.
    """

    contract: Contract
    after: int
    """Cards played so far."""
    trick: int
    """Number of the current trick, from 1."""
    leader: str | None
    table: tuple[str, ...]
    """Cards of the current trick, in order of play."""
    player: str | None
    """The player to move; None when the hand is over."""
    unit: Unit
    """The unit for values and costs."""
    target: int | None
    contractors: Mapping[str, PositionValue]
    went_on: bool = False
    """Whether the side plays for a Tout or Vole: it has gone on, or playing a card means going on.
    """
    lost_at: int | None = None
    """The number of the trick that ended the hand because all tricks were needed and it was
    lost."""
    decision: Decision | Surrendering | None = None
    """The payoffs of stopping or surrendering instead of playing a card; None if not possible.
    """
    cards: tuple[CardValue, ...] = ()
    named: str | None = None
    """The trump that the declarer names in the line, just before the declarer's first card; None if
    it was named before."""
    beside_open: bool = False
    """Whether a limit stopped the search for the requested line or for the choice to stop or
    surrender."""
    nodes: int = 0
    ms: float = 0.0

    json_names: ClassVar[tuple[str, ...]] = ("after", "trick", "leader", "table", "player")
    json_names += ("unit", "target", "value", "makes", "bounds", "finished", "went_on", "lost_at")
    json_names += ("decision", "cards")
    json_by_seat = ("value", "makes", "bounds")
    json_optional = ("bounds",)

    @property
    def finished(self) -> bool:
        """Whether everything that was requested was found within the limits."""
        positions = self.contractors.values()
        return not (
            self.beside_open
            or any(position.bounds is not None for position in positions)
            or any(card.open or card.score_open for card in self.cards)
        )

    @property
    def value(self) -> Value:
        """The value of the position, in `unit`."""
        if self.one.value is None:
            raise SpadilleError(f"value is not known: {LEFT_OPEN}", "result-open")
        return self.one.value

    @property
    def makes(self) -> bool:
        """Whether the contract makes."""
        return known("makes", self.one.makes, LEFT_OPEN)

    @property
    def line(self) -> tuple[tuple[str, ...], ...]:
        """An optimal line from here; raises SpadilleError if none was requested."""
        return known("line", self.one.line, "not requested: use card_values(..., line=True)")

    def __str__(self) -> str:
        end = "over" if self.player is None else f"trick {self.trick}, {self.player} to play"
        unit = None if self.unit == "outcome" else self.unit
        worth = self.of_each(
            lambda worth: worth.value if worth.bounds is None else range_text(worth.bounds)
        )
        named = value(worth if self.several else worth[self.contract.declarer])
        heading = spaced(f"{self.contract}: {end},", named, unit)
        return "\n".join([heading, *map(str, self.cards)])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output; `line` only if requested."""
        fields = self.contract.to_dict() | Shown.to_dict(self)
        if all(position.line is not None for position in self.contractors.values()):
            fields["line"] = encoded(self.by_seat("line"))
            if self.contract.trump is None:
                fields["named"] = self.named
        return fields | {"nodes": self.nodes, "ms": self.ms}


def card_values(
    deal: Deal,
    contract: Contract | str,
    play: str | Iterable[str] = (),
    *,
    line: bool = False,
    solver: Solver | None = None,
    limits: Limits = DEFAULT,
) -> CardValues:
    """Return the value of every card that may be played after the cards of `play`.

    Contract and play may be text: "N solo H" (see `Contract.parse`) and "D9 DQ". Equivalent cards
    are listed one by one, and a forced card also has a value. If the limit on hard nodes leaves the
    number of tricks in a Misère open, the value says only whether the contract makes. A node limit
    applies to all cards together, and a time limit to the whole call. If a limit stops the search,
    unknown values have bounds.

    Raises DealError for unknown hands, ContractError if an end position lacks necessary facts,
    IllegalCardError for illegal cards, and ArgumentError if `limits` is not a Limits.
    """
    search = Search(solver, limits)
    contract, play = contract_and_play(deal, contract, play)
    at = situation(deal, contract, play)
    stop = at if may_stop(contract, at) else None
    if stop:
        # Playing a card means going on for all tricks.
        at = at._replace(goes_on=True)

    questions = [Question.of(deal, contract, at, seat, search) for seat in contract.declarers]
    values = answer(questions, partial(_card_values, line=line))
    decision: Decision | Surrendering | None = None
    beside_open = line and any(values_of.line is None for values_of in values.contractors.values())
    if stop is None:
        try:
            decision = choice_to_surrender(deal, contract, at, search)
        except TooHardError:
            if not search.limited:
                raise
            beside_open = True
    elif (worth := values.one.value) is not None:
        decision = choice_to_go_on(deal, contract, stop, int(worth))
    search.check_not_interrupted()
    return replace(
        values,
        after=len(play),
        decision=decision,
        beside_open=beside_open,
        nodes=search.nodes,
        ms=search.ms,
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """Bounds on the value of a position or a card for one declarer, as grades."""

    grades: Grades
    least: int
    most: int

    @classmethod
    def of(cls, grades: Grades, bounds: tuple[int, int]) -> _Known:
        """Convert bounds on a value to grades."""
        low, high = map(grades.grade, bounds)
        return cls(grades, low, high)

    @property
    def value(self) -> Value | None:
        """The exact value; None if there are only bounds."""
        return None if self.least < self.most else self.grades.names[self.least]

    @property
    def makes(self) -> bool | None:
        """Whether the contract makes; None if unknown."""
        makes = self.grades.makes
        return makes[self.least] if makes[self.least] == makes[self.most] else None

    @property
    def bounds(self) -> tuple[Value, Value] | None:
        """The lowest and highest value, or the worst and best outcome; None if they are equal."""
        if self.least == self.most:
            return None
        names = self.grades.names
        low, high = names[self.least], names[self.most]
        # In a Misère, the best grade is the one with the fewest tricks.
        return (high, low) if self.grades.unit == "tricks" and int(low) > int(high) else (low, high)

    def cost(self, after: _Known) -> int | None:
        """Return the cost of a card that leads to `after`; None if either value is not exact."""
        if self.bounds is not None or after.bounds is not None:
            return None
        return self.grades.distance(self.least, after.least)


def _card_values(questions: list[Question[ContractObjective]], *, line: bool) -> CardValues:
    question = questions[0]
    contract, at, rules = question.contract, question.at, question.deal.rules
    lost = lost_at(contract, at)
    over = not at.problem.tricks or lost is not None
    values: dict[str, _Known] = {}
    columns: list[list[CardValue]] = []
    lines: dict[str, Line | None] = {}
    for question, bounds in [(question, _bounds(question)) for question in questions]:
        cards = {} if over else question.card_bounds(*bounds)
        low, high = _narrowed(question, bounds, cards)
        values[question.seat] = before = _Known.of(Grades(question), (low, high))
        columns.append(_column(question, before, cards))
        if line and low == high:
            lines[question.seat] = Line(()) if lost else question.line(low)
    same_cards = zip(*columns, strict=True)
    return CardValues(
        contract=contract,
        after=0,
        trick=len(at.history) + (not over),
        leader=None if over else rules.turn_order[at.problem.leader],
        table=tuple([at.encoding.names[card] for card in at.problem.trick]),
        player=None if over else rules.turn_order[at.problem.to_play],
        unit=values[question.seat].grades.unit,
        target=None if len(questions) > 1 else question.target,
        contractors={
            seat: PositionValue(
                value=worth.value,
                makes=worth.makes,
                line=played.tricks if (played := lines.get(seat)) else None,
                bounds=worth.bounds,
            )
            for seat, worth in values.items()
        },
        went_on=gone_on(contract, at),
        lost_at=lost,
        cards=tuple([_of_all_declarers(cards) for cards in same_cards]),
        named=played.named if (played := lines.get(contract.declarer)) else None,
    )


def _bounds(question: Question[ContractObjective]) -> tuple[int, int]:
    """Return bounds on the position's value; they are equal unless a limit stops the search."""
    if question.search.limited:
        return question.bounds()
    value = question.exact()
    return value, value


def _narrowed(
    question: Question[ContractObjective],
    bounds: tuple[int, int],
    cards: Mapping[str, tuple[int, int]],
) -> tuple[int, int]:
    """Narrow a position's bounds by its cards' bounds; the best card determines its value."""
    if not cards:
        return bounds
    best = max if question.objective.wants(question.at.problem) else min
    least, most = map(best, zip(*cards.values(), strict=True))
    return max(bounds[0], least), min(bounds[1], most)


def _of_all_declarers(cards: Sequence[CardValue]) -> CardValue:
    """Combine the values of a card for all declarers."""
    worth = {seat: worth for card in cards for seat, worth in card.contractors.items()}
    return replace(cards[0], contractors=worth)


def _column(
    question: Question[ContractObjective], before: _Known, values: Mapping[str, tuple[int, int]]
) -> list[CardValue]:
    """Return the value of each card for one declarer."""
    contract, code, grades = question.contract, question.at.encoding, before.grades
    wants = question.objective.wants(question.at.problem)
    cards = []
    for card, bounds in values.items():
        number, worth = code.numbers[card], _Known.of(grades, bounds)
        after = _after(question, number, bounds)
        verdict = after.verdict(*bounds)
        effect: Literal["keeps", "loses"] | None = None
        if before.makes is wants and worth.makes is not None:
            effect = "keeps" if worth.makes == before.makes else "loses"
        card_worth = CardWorth(
            tricks=verdict.tricks,
            makes=verdict.makes,
            margin=verdict.margin,
            outcome=verdict.outcome,
            points=_points(worth),
            cost=before.cost(worth),
            effect=effect,
            bounds=worth.bounds,
        )
        score, surrenders = None, False
        if len(contract.declarers) == 1:
            score = after.optimum(verdict, partial(after.line, bounds[0]))
            where = question.deal, contract, after.at
            score, surrenders = better(score, *where, question.search)
        search = question.search
        limited = search.limited and search.over and len(contract.declarers) == 1
        named = code.suit(after.at.problem.trump) if contract.trump is None else None
        cards.append(
            CardValue(
                card=card,
                contractors={question.seat: card_worth},
                score=score,
                named=named,
                surrenders=surrenders,
                score_open=score is None and limited and question.accounted,
            )
        )
    return cards


def _points(worth: _Known) -> int | None:
    if worth.grades.unit != "points" or worth.value is None:
        return None
    return int(worth.value)


def _after(
    question: Question[ContractObjective], card: int, bounds: tuple[int, int]
) -> Question[ContractObjective]:
    """Return the question after a card; a trump not yet named is chosen to reach a known value."""
    if bounds[0] == bounds[1]:
        try:
            question = question.naming(card, bounds[0])
        except TooHardError:
            if not question.search.limited:
                raise
    return question.after(card)


def card_values_many(
    questions: Iterable[
        tuple[Deal, Contract | str] | tuple[Deal, Contract | str, str | Iterable[str]]
    ],
    *,
    line: bool = False,
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[CardValues | SpadilleError]:
    """Yield the card values of each position in order, or the error `card_values` raises for it.

    An unexpected exception is yielded as InternalError. Raises ArgumentError unless `limits` is a
    Limits and the number of threads is 1 to 1,024.
    """
    check_limits(limits)

    def work(solver: Solver, question: tuple[Any, ...]) -> CardValues:
        question = question_parts(question, ("deal", "contract", "play"))
        return card_values(*question, line=line, solver=solver, limits=limits)

    return answers(work, questions, threads, memory)
