"""Value all cards that may be played at some point of the play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal

from spadille.analysis.display import Shown, spaced, value, verdict
from spadille.analysis.many_deals import answers
from spadille.analysis.value.by_contractor import ByContractor, known
from spadille.analysis.value.decision_values import Decision, choice_to_go_on
from spadille.analysis.value.surrender_decisions import Surrendering, choice_to_surrender
from spadille.base.errors import SpadilleError
from spadille.base.json_fields import encoded
from spadille.core.arguments import asked, question_parts
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.search.contract_objective import ContractObjective
from spadille.search.encoding import situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.going_for_all import gone_on, lost_at, may_stop
from spadille.search.limits import DEFAULT, Limits, only_hard
from spadille.search.question import Line, Question, Search, answer
from spadille.search.surrender_value import better
from spadille.search.value_names import Grades
from spadille.search.verdict import Unit, Value


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CardWorth(Shown):
    """The value of a card for one declarer."""

    tricks: int | None
    """None if a limit left it open, and only whether the contract makes is known."""
    makes: bool | None
    margin: int | None
    outcome: str | None
    points: int | None
    """With several declarers: the declarer's guaranteed points."""
    cost: int
    """The cost to the side that plays the card, in tricks, outcomes or points."""
    effect: Literal["keeps", "loses"] | None
    """Whether it keeps or loses the contract (or defeat) the mover's side has in hand; None if
    neither."""

    def __str__(self) -> str:
        result = self.outcome if self.margin is None else self.tricks
        result = result if self.points is None else self.points
        return spaced(result, f"costs {self.cost}" if self.cost else None)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CardValue(ByContractor[CardWorth], Shown):
    """The value of a card, with best play after it.

    The values of several declarers are in `contractors`; those of a single one are repeated here.
    Accessing an unknown value raises SpadilleError.
    """

    card: str
    contractors: Mapping[str, CardWorth]
    score: Mapping[str, int] | None = None
    """The payoff of all seats; None with several declarers, and if unknown."""
    named: str | None = None
    """The trump the declarer names with this card, if it was still open."""
    surrenders: bool = False
    """Whether the score comes from a later surrender."""

    json_names: ClassVar[tuple[str, ...]] = ("card", "tricks", "makes", "margin", "outcome")
    json_names += ("points", "score", "surrenders", "cost", "effect", "named")
    json_by_seat = ("tricks", "makes", "margin", "outcome", "points", "cost", "effect")
    json_optional = ("named",)

    @property
    def tricks(self) -> int:
        """Tricks of the declaring side; in Nemo, the fewest clean tricks that are worth as much."""
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
        """How the hand ends: made, failed, vole ..."""
        return known("outcome", self.one.outcome)

    @property
    def cost(self) -> int:
        """The cost to the side that plays the card, in tricks or outcomes."""
        return self.one.cost

    @property
    def effect(self) -> Literal["keeps", "loses"] | None:
        """Whether it "keeps" or "loses" the contract (or defeat) in hand."""
        return self.one.effect

    def __str__(self) -> str:
        if not self.several:
            return spaced(self.card, self.one)
        worths = (f"{seat}:{worth}" for seat, worth in self.contractors.items())
        return spaced(self.card, *worths)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PositionValue(Shown):
    """The value of a position for one declarer."""

    value: Value
    makes: bool
    line: tuple[tuple[str, ...], ...] | None = None
    """An optimal line from here, including the cards on the table, if requested."""

    def __str__(self) -> str:
        return f"{self.value}, {verdict(self.makes)}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CardValues(ByContractor[PositionValue], Shown):
    """All cards of the player to move, by suit from high to low.

    The values of the position for several declarers are in `contractors`; those of a single one
    are repeated here.
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
    """The unit of values and costs."""
    target: int | None
    contractors: Mapping[str, PositionValue]
    went_on: bool = False
    """Whether values count for a Tout or Vole, because the side has gone on or would with any
    card."""
    lost_at: int | None = None
    """The trick that ended the hand, if all tricks were needed and this one was lost."""
    decision: Decision | Surrendering | None = None
    """The payoffs of stopping or surrendering, if the side or the declarer may do so instead of
    playing a card."""
    cards: tuple[CardValue, ...] = ()
    named: str | None = None
    """The trump the declarer names in the line just before their first card, if it was open."""
    nodes: int = 0
    ms: float = 0.0

    json_names: ClassVar[tuple[str, ...]] = ("after", "trick", "leader", "table", "player")
    json_names += ("unit", "target", "value", "makes", "went_on", "lost_at", "decision", "cards")
    json_by_seat = ("value", "makes")

    @property
    def value(self) -> Value:
        """The value of the position, in `unit`."""
        return self.one.value

    @property
    def makes(self) -> bool:
        """Whether the contract makes."""
        return self.one.makes

    @property
    def line(self) -> tuple[tuple[str, ...], ...]:
        """An optimal line from here; raises SpadilleError if none was requested."""
        return known("line", self.one.line, "not requested: use card_values(..., line=True)")

    def __str__(self) -> str:
        end = "over" if self.player is None else f"trick {self.trick}, {self.player} to play"
        unit = None if self.unit == "outcome" else self.unit
        heading = spaced(f"{self.contract}: {end},", value(self.by_seat("value")), unit)
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
    are listed one by one, and a forced card has a value too. If the `limits` of hard nodes leave
    open how many tricks a Misère costs, values are made or failed.

    Raises DealError for unknown hands, ContractError for facts an end position leaves open,
    IllegalCardError for illegal cards, and ArgumentError if `limits` is not a Limits.
    """
    search = Search(solver, only_hard(limits, "card_values"))
    contract, play = asked(deal, contract, play)
    at = situation(deal, contract, play)
    stop = at if may_stop(contract, at) else None
    if stop:
        # Playing a card is the choice to go on.
        at = at._replace(goes_on=True)

    questions = [Question.of(deal, contract, at, seat, search) for seat in contract.declarers]
    values = answer(questions, partial(_card_values, line=line))
    return replace(
        values,
        after=len(play),
        decision=choice_to_go_on(deal, contract, stop, int(values.value))
        if stop
        else choice_to_surrender(deal, contract, at, search),
        nodes=search.nodes,
        ms=search.ms,
    )


def _card_values(questions: list[Question[ContractObjective]], *, line: bool) -> CardValues:
    question = questions[0]
    contract, at, rules = question.contract, question.at, question.deal.rules
    lost = lost_at(contract, at)
    over = not at.problem.tricks or lost is not None
    values = {question.seat: question.exact() for question in questions}
    grades = {question.seat: Grades(question) for question in questions}
    cards: list[CardValue] = []
    if not over:
        columns = [
            _column(question, values[question.seat], grades[question.seat])
            for question in questions
        ]
        for first, *others in zip(*columns, strict=True):
            same_card = [first, *others]
            worth = {
                seat: card_worth
                for card_value in same_card
                for seat, card_worth in card_value.contractors.items()
            }
            cards.append(replace(first, contractors=worth))
    lines: dict[str, Line] = {}
    if line:
        lines = {
            question.seat: Line(()) if lost else question.line(values[question.seat]) or Line(())
            for question in questions
        }
    return CardValues(
        contract=contract,
        after=0,
        trick=len(at.history) + (not over),
        leader=None if over else rules.turn_order[at.problem.leader],
        table=tuple([at.encoding.names[card] for card in at.problem.trick]),
        player=None if over else rules.turn_order[at.problem.to_play],
        unit=grades[question.seat].unit,
        target=None if len(questions) > 1 else question.target,
        contractors={
            seat: PositionValue(
                value=grades[seat].name(value),
                makes=grades[seat].makes[grades[seat].grade(value)],
                line=lines[seat].tricks if line else None,
            )
            for seat, value in values.items()
        },
        went_on=gone_on(contract, at),
        lost_at=lost,
        cards=tuple(cards),
        named=lines[question.seat].named if line else None,
    )


def _column(question: Question[ContractObjective], value: int, grades: Grades) -> list[CardValue]:
    """Find the result of each card for one declarer."""
    contract, code = question.contract, question.at.encoding
    before = grades.grade(value)
    in_hand = grades.makes[before] == question.objective.wants(question.at.problem)
    cards = []
    for card, worth in question.exact_cards(value).items():
        number, grade = code.numbers[card], grades.grade(worth)
        after = question.naming(number, worth).after(number)
        verdict = after.verdict(worth, worth)
        kept = grades.makes[before] == grades.makes[grade]
        card_worth = CardWorth(
            tricks=verdict.tricks,
            makes=verdict.makes,
            margin=verdict.margin,
            outcome=verdict.outcome,
            points=int(grades.names[grade]) if grades.unit == "points" else None,
            cost=grades.distance(before, grade),
            effect=("keeps" if kept else "loses") if in_hand else None,
        )
        score, surrenders = None, False
        if len(contract.declarers) == 1:
            score = after.optimum(verdict, partial(after.line, worth))
            where = question.deal, contract, after.at
            score, surrenders = better(score, *where, question.search)
        named = code.suit(after.at.problem.trump) if contract.trump is None else None
        cards.append(
            CardValue(
                card=card,
                contractors={question.seat: card_worth},
                score=score,
                named=named,
                surrenders=surrenders,
            )
        )
    return cards


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
    """Yield the values of each position in order, or the error `card_values` raises for it.

    Any other exception is yielded as InternalError. Raises ArgumentError unless `limits` is a
    Limits and the number of threads is 1 to 1,024.
    """
    only_hard(limits, "card_values_many")

    def work(solver: Solver, question: tuple[Any, ...]) -> CardValues:
        question = question_parts(question, ("deal", "contract", "play"))
        return card_values(*question, line=line, solver=solver, limits=limits)

    return answers(work, questions, threads, memory)
