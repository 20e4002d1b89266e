"""What a contract pays every seat: the end of an auction, before anybody has chosen trumps.

A declarer chooses what pays him best: trumps, the card to call, what he puts away (see
`spadille.analysis.contracts.best`); of equals the first there. The other seats get the least of all
ends that pay the declaring side as much as it can force. Where several play each for himself, each
has what he is sure of, and puts away what is recorded for that contract, else nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.best_result import Best, Offer
from spadille.analysis.contracts.exchange_values import Exchange, after, best_exchange, may_exchange
from spadille.analysis.display import written_contract
from spadille.analysis.value.solve import solve
from spadille.core.call_tree import AuctionEnd
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.reachable_contracts import reachable
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.forced_payoff import score_of
from spadille.search.limits import Limits
from spadille.search.payoff_objectives import ScoreGoal
from spadille.search.question import Question, Search
from spadille.search.surrender_value import secured_by

UNKNOWN = 1 << 30
"""More than any payoff: what a seat may get at most where nothing else is known."""


class Ending(NamedTuple):
    """How an auction ends."""

    contract: Contract | None
    """With all that its declarer chooses; None: nobody plays."""
    gains: Mapping[str, int]
    """The gain of each seat; the least one where a limit left it open."""
    most: Mapping[str, int]
    """The greatest possible gain of each seat; above `gains` only where a limit left it open."""
    exchange: Exchange | None = None
    """The exchange of the declarer, where the declarer chose it."""

    def unsure(self) -> Ending:
        """Return the same where a limit left open if it comes to that."""
        return self._replace(most=dict.fromkeys(self.most, UNKNOWN))

    @property
    def text(self) -> str | None:
        """The contract as people write it."""
        return None if self.contract is None else written_contract(self.contract)


class Worth:
    """The contracts of one deal, each weighed once."""

    def __init__(
        self, deal: Deal, solver: Solver, limits: Limits, played: Contract | None = None
    ) -> None:
        self.deal = deal
        self.rules = deal.rules
        self.solver = solver
        self.limits = limits
        self.contract = played
        """The contract the deal's exchange is recorded for."""
        self.nodes = 0
        self._bests: dict[tuple[object, ...], Best] = {}
        self._endings: dict[object, Ending] = {}
        self._exchanged: dict[Contract, Ending] = {}
        bidding, color = self.rules.bidding, self.rules.color
        self._groups: list[tuple[str, ...] | None] = [None]
        if color is not None and any(bid.in_color for bid in bidding.bids):
            others = tuple(suit for suit in self.rules.trumps if suit != color)
            self._groups = [others, (color,)]

    def nobody_plays(self) -> Ending:
        """Return the end of an auction in which all have passed."""
        nothing = dict.fromkeys(self.rules.seats, 0)
        return Ending(None, nothing, nothing)

    def makes_for(self) -> dict[str, list[str]]:
        """List for each seat the bids that make, and that it may bid, from low to high."""
        bids: dict[str, list[str]] = {seat: [] for seat in self.rules.seats}
        bests = [(trumps, self._whole(trumps)) for trumps in self._groups]
        legal = reachable(self.deal)
        for bid in self.rules.bidding.bids:
            for trumps, whole in bests:
                if trumps is not None and bid.in_color != (trumps == (self.rules.color,)):
                    continue
                for seat, offers in whole.seats.items():
                    if any(
                        offer.makes
                        and offer.contract == bid.contract
                        and legal.allows(_made(offer))
                        for offer in offers
                    ):
                        bids[seat].append(bid.word)
        return bids

    def choices(
        self, kind: str, seat: str, trumps: tuple[str, ...] | None, partner: str | None = None
    ) -> Offer:
        """Return a contract of a seat as it is best, with its `calls`."""
        if trumps in self._groups and not self.rules.bidding.cards:
            offers = self._whole(trumps).seats[seat]
        else:
            offers = self._best(kind, seat, trumps).seats[seat]
        offer = next(alternative for alternative in offers if alternative.contract == kind)
        if partner is not None:
            offer = next(
                alternative
                for alternative in (*offer.calls, offer)
                if alternative.partner == partner
            )
        return offer

    def settled(self, end: AuctionEnd | None) -> Ending:
        """Return what an auction ends with."""
        if end is None:
            return self.nobody_plays()
        ending = self._endings.get(end)
        if ending is None:
            offer = self.choices(end.contract, end.declarer, end.trumps, end.partner)
            ending = self._endings[end] = self._ending(offer)
        return ending

    def several(self, contract: Contract) -> Ending:
        """Return the guarantees of contractors who play for themselves."""
        ending = self._endings.get(contract)
        if ending is None:
            deal = self.deal
            if contract != self.contract:
                deal = replace(deal, drawn={}, discard={}, from_hand=())
            result = solve(deal, contract, solver=self.solver, limits=self.limits)
            self.nodes += result.nodes
            gains = dict.fromkeys(self.rules.seats, 0)
            most = {**gains}
            for seat in contract.declarers:
                points = result[seat].guarantee
                gains[seat] = points or 0
                most[seat] = UNKNOWN if points is None else points
            ending = self._endings[contract] = Ending(contract, gains, most)
        return ending

    def as_played(self, contract: Contract) -> Ending:
        """Return what a contract is worth when play begins, after the exchange on record."""
        search = Search(self.solver, self.limits)
        at = situation(self.deal, contract)
        question = Question.of_score(self.deal, contract, at, search)
        low, high = question.payoff_bounds()
        self.nodes += search.nodes
        return _paying(question, range(low, high + 1))

    def pays(self, contract: Contract, seat: str) -> bool:
        """Whether a contract may bring a seat anything; of several only contractors are paid."""
        if seat in contract.side or len(contract.declarers) > 1:
            return seat in contract.side
        at = situation(self.deal, contract)
        goal = score_of(self.deal, contract, at)
        return any(
            self.rules.score(self.deal, contract, end)[seat]
            for value in range(len(goal.values))
            for end in goal.ends(contract, at, value)
        )

    def exchanged(self, contract: Contract) -> Ending:
        """Return what a contract is worth after the best exchange."""
        ending = self._exchanged.get(contract)
        if ending is None:
            if not may_exchange(self.deal, self.rules.contracts[contract.ids[0]]):
                return self.as_played(contract)
            search = Search(self.solver, self.limits)
            exchange, question, value, most = best_exchange(self.deal, [contract], search)
            self.nodes += search.nodes
            values = question.objective.values
            open_ = [number for number in range(value, len(values)) if values[number] <= most]
            ending = self._exchanged[contract] = _paying(question, open_, exchange)
        return ending

    def _whole(self, trumps: tuple[str, ...] | None) -> Best:
        return self._best(None, None, trumps)

    def _best(self, kind: str | None, seat: str | None, trumps: tuple[str, ...] | None) -> Best:
        key = kind, seat, trumps
        best_contracts = self._bests.get(key)
        if best_contracts is None:
            best_contracts = self._bests[key] = best(
                self.deal,
                kind,
                seats=None if seat is None else [seat],
                trumps=trumps,
                every=True,
                calls=True,
                solver=self.solver,
                limits=self.limits,
            )
            self.nodes += best_contracts.nodes
        return best_contracts

    def _ending(self, offer: Offer) -> Ending:
        deal, kind = self.deal, self.rules.contracts[offer.contract]
        contract = _made(offer)
        exchange = None
        if may_exchange(deal, kind):
            exchange = Exchange(
                offer.drawn,
                offer.discard,
                offer.partner_drawn,
                offer.partner_discard,
                offer.from_hand,
            )
            deal = after(deal, contract, exchange)
        search = Search(self.solver, self.limits)
        question = Question.of_score(deal, contract, situation(deal, contract), search)
        low, high = offer.least, offer.most
        goal = question.objective
        values = [n for n in range(len(goal.values)) if low <= goal.meaning(n).payoff <= high]
        end = _paying(question, values, exchange, offer.outcome)
        return end._replace(most=end.gains) if low == high else end


def _made(offer: Offer) -> Contract:
    """Return the contract of one declarer that an offer is of."""
    return Contract((offer.declarer,), (offer.contract,), offer.trump, offer.called, offer.partner)


def _paying(
    question: Question[ScoreGoal],
    values: Sequence[int],
    exchange: Exchange | None = None,
    outcome: str | None = None,
) -> Ending:
    """Return what a contract pays the seats that is worth one of these values to its side.

    Of the ends with an `outcome` only, where one is named. One value may be that of several ends:
    then each seat gets the least of them.
    """
    deal, contract, at = question.deal, question.contract, question.at
    rules, declarer = deal.rules, contract.declarer
    scores = []
    for value in values:
        finals = question.objective.ends(contract, at, value)
        named = [final for final in finals if rules.outcome_name(contract, final) == outcome]
        paid = [rules.score(deal, contract, final) for final in named or finals]
        scores.append({seat: min(score[seat] for score in paid) for seat in rules.seats})
    payoffs = [question.objective.values[value] for value in values]
    if payoffs and (right := secured_by(question, min(payoffs), max(payoffs))).score:
        scores = [score for score in scores if score[declarer] >= right.bounds[0]]
        scores.append({seat: right.score[seat] for seat in rules.seats})
    gains = {seat: min(score[seat] for score in scores) for seat in rules.seats}
    most = {seat: max(score[seat] for score in scores) for seat in rules.seats}
    return Ending(contract, gains, most, exchange)
