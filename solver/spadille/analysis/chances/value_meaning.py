"""Translate the engine's values into their meaning for a player, layout by layout.

If the partner is unknown, the sides and the payments for matadors differ between layouts. Sides and
payments depend only on the holders of a few cards, so layouts that lead to the same question share
a `Kind`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from spadille.base.card_text import NO_TRUMP
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.layouts import Layout
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.contract_objective import ContractObjective
from spadille.search.encoding import Situation
from spadille.search.engine import LayoutSolver, Objective
from spadille.search.first_run import gone_on
from spadille.search.limited_search import Search
from spadille.search.make_payoff_objective import held, payoff_objective
from spadille.search.payoff_automata import OUTCOMES, Most
from spadille.search.payoff_objectives import ContractGoal, PayoffByEnd, common
from spadille.search.question import Question

_NO_KIND = 255  # arguments of LayoutSolver


class Meaning(NamedTuple):
    """The meaning of a value for the player."""

    made: bool
    payoff: int | None
    """The player's payoff; None if endings with this value pay differently."""
    tricks: int | None
    """The total number of tricks of the declaring side; None if only success or failure was
    evaluated."""
    bounds: tuple[int, int] | None = None
    """The lowest and highest payoff, if `payoff` is None."""


class Paying(NamedTuple):
    """A separate question about the forced payoff, needed if the tricks do not determine it."""

    objective: Objective
    state: int
    guess: int
    payoffs: tuple[int | None, ...]
    """The player's gain for each value; None if endings with this value pay differently."""
    settled: Mapping[int, int | None]
    """The payoff for each number of tricks; None if the number does not determine it."""
    span: tuple[int, int]
    """The lowest and the highest forced payoff, over all numbers of tricks."""


class Kind(NamedTuple):
    """A question to ask about some of the layouts, and the meaning of its answers."""

    objective: Objective
    state: int
    guess: int
    meanings: Mapping[int, Meaning]
    """The meaning of each value."""
    with_declarer: bool
    """Whether the player belongs to the declaring side."""
    paying: Paying | None = None
    """The payoff question, if the payoff may depend on more than the number of tricks.
    """


class Kinds(NamedTuple):
    """All kinds of layouts; `table` maps the holders of the `telling` cards to the kind."""

    kinds: list[Kind]
    telling: list[int]
    table: bytes

    def solver(
        self, questions: Sequence[Kind | Paying], at: Situation, memory: int, *, cards: bool = True
    ) -> LayoutSolver:
        """Return a solver that asks each layout the question of its kind, after each of `cards`."""
        return LayoutSolver(
            at.problem,
            [(question.objective, question.state, question.guess) for question in questions],
            telling=self.telling,
            table=self.table,
            cards=cards,
            memory=memory,
        )


def kinds_of(known: Knowledge, at: Situation, search: Search, *, forced: bool) -> Kinds:
    """Determine the question for each kind of layout; `at` may come from any layout.

    `forced` also asks for payoffs that the tricks do not determine (see `Paying`).
    """
    code = at.encoding
    telling = telling_cards(known)
    owner = {place: code.player.get(place, len(code.player)) for place in known.places}
    base = len(code.player) + 1
    table = bytearray([_NO_KIND] * base ** len(telling))
    numbers: dict[object, int] = {}
    alike: dict[object, int] = {}
    kinds: list[Kind] = []
    for where, same in placements(known, telling):
        if same not in alike:
            deal, contract = case_of(known, telling, where)
            key = contract.partner, held(deal, contract)
            if key not in numbers:
                numbers[key] = len(kinds)
                kinds.append(KindAsker(deal, contract, at, known.seat).kind(search, forced))
            alike[same] = numbers[key]
        place = 0
        for holder in where:
            place = place * base + owner[holder]
        table[place] = alike[same]
    return Kinds(kinds, [code.numbers[card] for card in telling], bytes(table))


def placements(
    known: Knowledge, telling: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the possible places of some cards; equivalent places have the same key."""
    for where in product(*[known.unseen[card] for card in telling]):
        if any(where.count(place) > size for place, size in known.sizes.items()):
            continue
        holders = dict(zip(telling, where, strict=True))
        partner = holders.get(known.called or "") if known.partner_open else known.partner
        # It makes no difference which opponent holds a card.
        side = known.contract.declarer, partner
        yield where, (partner, tuple([place if place in side else None for place in where]))


def case_of(
    known: Knowledge, telling: Sequence[str], where: Sequence[str]
) -> tuple[Deal, Contract]:
    """Return the deal and the contract for some layout with these cards in these places."""
    layout = layout_with(known, dict(zip(telling, where, strict=True)))
    return known.deal_of(layout), known.contract_of(layout)


def telling_cards(known: Knowledge) -> list[str]:
    """List the unseen cards whose holders affect the sides or the payments."""
    rules, contract = known.deal.rules, known.contract
    cards: list[str] = []
    if known.partner_open and known.called in known.unseen:
        cards.append(str(known.called))
    if rules.held_pay and contract.trump != NO_TRUMP:
        best = rules.trump_cards(contract.trump)[: rules.game.matadors + 1]
        cards += [card for card in best if card in known.unseen and card not in cards]
    return cards


def layout_with(known: Knowledge, where: Mapping[str, str]) -> Layout:
    """Return a layout with these cards in these places, which must have room for them.

    All other cards are placed arbitrarily, because their places make no difference.
    """
    others = [card for card in known.unseen if card not in where]
    layout = []
    for place, size in known.sizes.items():
        here = [card for card, other in where.items() if other == place]
        rest = size - len(here)
        layout.append((*here, *others[:rest]))
        del others[:rest]
    return tuple(layout)


class KindAsker(NamedTuple):
    """Chooses the question to ask for a player in the layouts of one kind."""

    deal: Deal
    contract: Contract
    at: Situation
    seat: str

    @property
    def contractor(self) -> str:
        """The declarer whose contract the player plays, or defends against."""
        contract = self.contract
        return self.seat if self.seat in contract.declarers else contract.declarer

    def paid(self, ends: Iterable[Outcome]) -> list[int]:
        """Return the player's payoff for each outcome; surrendering is a separate choice."""
        score = self.deal.rules.score
        return [score(self.deal, self.contract, end)[self.seat] for end in ends]

    def payoff(self, ends: Iterable[Outcome]) -> int | None:
        """Return the player's payoff if it is the same in all of these endings, else None."""
        paid = self.paid(ends)
        return common(paid) if paid else None

    def kind(self, search: Search, forced: bool) -> Kind:
        """Return the question to ask for the player, and the meaning of its answers."""
        deal, contract, at, contractor = self.deal, self.contract, self.at, self.contractor
        question = Question.of(deal, contract, at, contractor, search)
        alone = len(contract.declarers) == 1
        mine = self.seat == contractor or (alone and self.seat in contract.side)
        most = question.kind.aim == "most"
        accounted = question.accounted
        by_payoff = alone and accounted and (most or forced)
        goal = payoff_objective(deal, contract, at) if by_payoff else None
        # Distinguishing many payoffs takes far longer than distinguishing outcomes.
        if goal is not None and most and len(goal.values) <= len(OUTCOMES):
            meanings = self._meanings_of_payoffs(goal)
            if meanings is not None:
                objective = goal.payoff if isinstance(goal, PayoffByEnd) else goal
                assert isinstance(objective, Objective)
                return Kind(objective, goal.start, goal.guess, meanings, mine)
        if question.kind.aim == "misere":
            question = question.asking(question.objective.coarse())
        wanted = asked = question.objective
        assert isinstance(asked, Objective)
        meanings = self._meanings_of_values(question)
        if forced and contractor == self.seat and isinstance(wanted, Most) and accounted:
            meanings |= self._bounded(wanted, meanings)
        paying = None
        if forced and isinstance(goal, PayoffByEnd) and goal.count is not None:
            paying = self._paying(goal, meanings)
        return Kind(asked, asked.start, asked.guess, meanings, mine, paying)

    def _meanings_of_payoffs(self, goal: ContractGoal) -> dict[int, Meaning] | None:
        """Return the meaning of each payoff; None if some payoff does not show which side won."""
        meanings = {}
        for value in range(len(goal.values)):
            makes = goal.meaning(value).makes
            if makes is None:
                return None
            payoff = self.payoff(goal.ends(self.contract, self.at, value))
            meanings[value] = Meaning(makes, payoff, None)
        return meanings

    def _meanings_of_values(self, question: Question[ContractObjective]) -> dict[int, Meaning]:
        """Return the meaning of each value of the contract's objective."""
        asked = question.objective
        assert isinstance(asked, Objective)
        low, high = asked.span(self.at.problem, asked.start)
        meanings = {}
        for value in range(low, high + 1):
            verdict = asked.verdict(self.contract, self.at, self.contractor, value, value)
            payoff = None
            if verdict.finals and question.accounted:
                payoff = self.payoff(verdict.finals)
            elif asked.unit == "points":
                payoff = question.points(verdict)
            tricks = verdict.tricks if asked.unit == "tricks" else None
            tricks = None if tricks is None else abs(tricks)
            meanings[value] = Meaning(bool(verdict.makes), payoff, tricks)
        return meanings

    def _bounded(self, asked: Most, meanings: Mapping[int, Meaning]) -> dict[int, Meaning]:
        """Return the meanings whose payoff is not known, each with bounds on the payoff."""
        ends = [
            (value, paid)
            for value, end in asked.ends(self.contract, self.at)
            for paid in self.paid([end])
        ]
        return {
            value: meaning._replace(bounds=_bounds(value, ends))
            for value, meaning in meanings.items()
            if meaning.payoff is None
        }

    def _paying(self, goal: PayoffByEnd, meanings: Mapping[int, Meaning]) -> Paying:
        """Return the question about the forced payoff, needed if the tricks do not determine it.

        If the partner's share is unknown, the smallest possible share counts, as in `best`.
        """
        contract, at = self.contract, self.at
        payoffs: list[int | None] = []
        for value in range(len(goal.values)):
            paid = self.paid(goal.ends(contract, at, value))
            payoffs.append(min(paid) if self.seat in contract.side else common(paid))
        settled: dict[int, int | None] = {}
        forced: list[int | None] = []
        for value, meaning in meanings.items():
            settled[value] = None
            low, high = 0, len(payoffs) - 1
            # After going on for all tricks, success and payment depend on different numbers of
            # tricks.
            if meaning.tricks is not None and not gone_on(contract, at):
                low, high = goal.within(meaning.tricks, meaning.tricks)
                if low == high:
                    settled[value] = payoffs[low] if meaning.payoff is None else meaning.payoff
            forced += [settled[value]] if low == high else payoffs[low : high + 1]
        known = [payoff for payoff in forced if payoff is not None]
        span = min(known, default=0), max(known, default=0)
        return Paying(goal.payoff, goal.start, goal.guess, tuple(payoffs), settled, span)


def _bounds(value: int, ends: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return bounds on the forced payoff, from the value and payoff of each ending.

    The declarer can force an ending with at least this value, and the opponents can force one with
    at most this value.
    """
    return (
        min(paid for other, paid in ends if other >= value),
        max(paid for other, paid in ends if other <= value),
    )
