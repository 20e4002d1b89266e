"""The values of all cards that may be played at some point of the play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from spadille.analysis.batch import answers
from spadille.analysis.decisions import Decision, choice_to_go_on
from spadille.analysis.shown import Shown, played, value, words
from spadille.asked import asked, parts
from spadille.contract import Contract
from spadille.deal import Deal
from spadille.errors import SpadilleError
from spadille.search.encoding import situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.going_on import gone_on, lost_at, may_stop
from spadille.search.grades import Grades
from spadille.search.limits import DEFAULT, Limits, only_hard
from spadille.search.objective import ContractObjective
from spadille.search.question import Line, Question, Search, answer


@dataclass(frozen=True, slots=True, repr=False)
class CardValue(Shown):
    """What becomes of a contract after a card, played well by everybody.

    With several contractors all but `card` goes by seat.
    """

    card: str
    tricks: Any = None
    makes: Any = None
    margin: Any = None
    outcome: Any = None
    points: Any = None
    """Several contractors: the points each can be sure of."""
    score: Any = None
    """The payoff of all seats; None with several contractors and where it is not known."""
    cost: Any = None
    """What the card costs the side that plays it, in tricks, outcomes or points."""
    effect: Any = None
    """"keeps" or "loses": what it does to a contract, or a defeat, the mover's side has in hand;
    None where it has none."""
    named: Any = None
    """The trump the declarer names with this card, his first, where it was open."""

    def __str__(self) -> str:
        found = self.outcome if self.margin is None else self.tricks
        if self.points is not None:
            found = self.points
        return words(self.card, value(found), f"costs {value(self.cost)}" if self.costs else None)

    @property
    def costs(self) -> bool:
        """Whether the card costs anything."""
        return any(self.cost.values()) if isinstance(self.cost, Mapping) else bool(self.cost)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them; `named` only where a trump is."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        if self.named is None:
            del fields["named"]
        return fields


@dataclass(frozen=True, slots=True, repr=False)
class CardValues(Shown):
    """All cards of the player to move, by suit and from high to low."""

    contract: Contract
    after: int
    """Cards played so far."""
    trick: int
    """Number of the running trick, from 1."""
    leader: str | None
    table: list[str]
    """Cards of the running trick, in order of play."""
    player: str | None
    """Who is to play; None when the hand is over."""
    unit: str
    """"tricks", "outcome" or "points": what `value` and costs count."""
    target: int | None
    value: Any
    """Of the position; several contractors: by seat."""
    makes: Any
    went_on: bool = False
    """Whether values are those of a Tout or Vole: the side has gone on, or does with any card."""
    lost_at: int | None = None
    """The trick that ended the hand, where all were needed and this one was lost."""
    decision: Decision | None = None
    """Where the side may stop instead of playing a card: what either choice pays."""
    cards: list[CardValue] = field(default_factory=list)
    line: Any = None
    """An optimal line from here, the cards on the table included; several contractors: by seat."""
    named: str | None = None
    """The trump the declarer names in the line just before his first card, where it was open."""
    nodes: int = 0
    ms: float = 0.0

    def __str__(self) -> str:
        end = "over" if self.player is None else f"trick {self.trick}, {self.player} to play"
        unit = None if self.unit == "outcome" else self.unit
        heading = words(f"{played(self.contract)}: {end},", value(self.value), unit)
        return "\n".join([heading, *map(str, self.cards)])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them; `line` only where it was asked for."""
        contract = self.contract
        several = len(contract.declarers) > 1
        ids = dict.fromkeys(contract.ids) if contract.penalty else contract.ids
        fields: dict[str, Any] = {
            "declarer": list(contract.declarers) if several else contract.declarer,
            "contract": " ".join(ids),
            "trump": contract.trump,
            "called": contract.called,
            "partner": contract.partner,
            "penalty": contract.penalty,
            "after": self.after,
            "trick": self.trick,
            "leader": self.leader,
            "table": self.table,
            "player": self.player,
            "unit": self.unit,
            "target": self.target,
            "value": self.value,
            "makes": self.makes,
            "went_on": self.went_on,
            "lost_at": self.lost_at,
            "decision": self.decision and self.decision.to_dict(),
            "cards": [card.to_dict() for card in self.cards],
        }
        if self.line is not None:
            fields["line"] = self.line
            if contract.trump is None:
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
    memory: int = DEFAULT_MEMORY,
) -> CardValues:
    """Find the value of every card that may be played after the cards of `play`.

    Contract and play may be text: "N solo H", see `Contract.parse`, and "D9 DQ".
    Equal cards are listed one by one, and a forced card has its value, too. Where the `limits`
    of hard nodes do not tell how many tricks a Misere costs, values are made or failed.

    Raises DealError for unknown hands, ContractError for what an end position does not tell,
    IllegalCardError for cards that cannot be played, ArgumentError for limits of another kind.
    """
    search = Search(solver, only_hard(limits, "card_values"), memory)
    contract, play = asked(deal, contract, play)
    at = situation(deal, contract, play)
    stop = at if may_stop(contract, at) else None
    if stop:
        # A card is the choice to go on.
        at = at._replace(goes_on=True)

    questions = [Question.of(deal, contract, at, seat, search) for seat in contract.declarers]
    found = answer(questions, partial(_card_values, line=line))
    return replace(
        found,
        after=len(play),
        decision=choice_to_go_on(deal, contract, stop, found.value) if stop else None,
        nodes=search.nodes,
        ms=search.ms,
    )


def _card_values(questions: list[Question[ContractObjective]], *, line: bool) -> CardValues:
    question, several = questions[0], len(questions) > 1
    contract, at = question.contract, question.at
    players = question.deal.rules.turn_order
    lost = lost_at(contract, at)
    over = not at.problem.tricks or lost is not None
    desks = [_Desk(each) for each in questions]
    cards: list[CardValue] = []
    if not over:
        columns = {desk.seat: desk.cards() for desk in desks}
        for card in next(iter(columns.values())):
            rows = {seat: column[card] for seat, column in columns.items()}
            fields = {
                name: _joined({seat: getattr(row, name) for seat, row in rows.items()})
                for name in CardValue.__slots__[1:]
            }
            if several:
                fields["score"] = fields["named"] = None
            cards.append(CardValue(card, **fields))
    tricks = named = None
    if line and lost:
        tricks = []
    elif line:
        lines = {desk.seat: desk.question.line(desk.value) or Line([]) for desk in desks}
        tricks = _joined({seat: line.tricks for seat, line in lines.items()})
        named = lines[contract.declarer].named
    return CardValues(
        contract,
        0,
        len(at.history) + (not over),
        None if over else players[at.problem.leader],
        [at.encoding.names[card] for card in at.problem.trick],
        None if over else players[at.problem.to_play],
        desks[0].grades.unit,
        None if several else question.target,
        _joined({desk.seat: desk.grades.name(desk.value) for desk in desks}),
        _joined({desk.seat: desk.makes for desk in desks}),
        gone_on(contract, at),
        lost,
        cards=cards,
        line=tricks,
        named=named,
    )


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
    """Yield the values of each position, or the error `card_values` raises for it, in order.

    An exception of another kind comes as InternalError. Raises ArgumentError for limits of another
    kind, and for less than one thread.
    """
    only_hard(limits, "card_values_many")

    def work(solver: Solver, question: tuple[Any, ...]) -> CardValues:
        question = parts(question, ("deal", "contract", "play"))
        return card_values(*question, line=line, solver=solver, limits=limits)

    return answers(work, questions, threads, memory)


def _joined(values: dict[str, Any]) -> Any:
    return values if len(values) > 1 else next(iter(values.values()))


class _Desk:
    """One contractor's contract at that point."""

    def __init__(self, question: Question[ContractObjective]) -> None:
        self.question = question
        self.seat = question.seat
        self.grades = Grades(question)
        self.value = question.exact()
        self.makes = question.verdict(self.value, self.value).makes

    def cards(self) -> dict[str, CardValue]:
        """Return what becomes of each card."""
        values = self.question.exact_cards(self.value)
        return {card: self.card_value(card, value) for card, value in values.items()}

    def card_value(self, card: str, value: int) -> CardValue:
        question, grades = self.question, self.grades
        code, contract = question.at.encoding, question.contract
        number = code.numbers[card]
        after = question.naming(number, value).after(number)
        found = after.verdict(value, value)
        grade, before = grades.grade(value), grades.grade(self.value)
        held = grades.makes[before] == question.objective.wants(question.at.problem)
        kept = grades.makes[before] == grades.makes[grade]
        score = None
        if len(contract.declarers) == 1:
            score = after.optimum(found, partial(after.line, value))
        return CardValue(
            card,
            found.tricks,
            found.makes,
            found.margin,
            found.outcome,
            grades.names[grade] if grades.unit == "points" else None,
            score,
            grades.distance(before, grade),
            ("keeps" if kept else "loses") if held else None,
            code.suit(after.at.problem.trump) if contract.trump is None else None,
        )
