"""Value the end of an auction for each seat, before trumps are chosen.

The declarer chooses the trump, the card to call and the exchange that pay best (see
`spadille.analysis.contracts.best`); of equally good choices, the declarer takes the first one
listed there. Several endings may pay the declaring side the most it can force; every other seat
then gets its lowest payoff among them. If several declarers play for themselves, each declarer's
gain is the payoff that this declarer can guarantee. Recorded discards are used if they belong to
the contract in question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.best_exchange import Exchange, after, best_exchange, may_exchange
from spadille.analysis.contracts.best_result import Best, Offer
from spadille.analysis.result_text_forms import written_contract
from spadille.analysis.value.solve import solve
from spadille.core.call_tree import AuctionEnd
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.reachable_contracts import reachable
from spadille.search.encoding import situation
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.make_payoff_objective import payoff_objective
from spadille.search.payoff_objectives import ContractGoal
from spadille.search.question import Question
from spadille.search.surrender_value import secured_by

UNKNOWN = 1 << 30
"""A number above any payoff, which bounds a seat's gain if nothing else is known."""


class Ending(NamedTuple):
    """The end of an auction and each seat's gain."""

    contract: Contract | None
    """The contract with all choices of the declarer; None if nobody plays."""
    gains: Mapping[str, int]
    """Each seat's gain; a lower bound if a limit stopped the search."""
    most: Mapping[str, int]
    """An upper bound on each seat's gain, for a search that a limit stopped."""
    exchange: Exchange | None = None
    """The declarer's exchange, if the declarer chose it."""

    def unsure(self) -> Ending:
        """Return a copy whose maximum gains are unknown, because a limit stopped the search."""
        return self._replace(most=dict.fromkeys(self.most, UNKNOWN))

    @property
    def text(self) -> str | None:
        """The contract in the usual notation."""
        return None if self.contract is None else written_contract(self.contract)


class Worth:
    """Values the contracts of one deal, each only once."""

    def __init__(self, deal: Deal, call: Search, played: Contract | None = None) -> None:
        self.deal = deal
        self.rules = deal.rules
        self.call = call
        self.solver = call.solver
        self.contract = played
        """The contract that was played; the recorded exchange belongs to it."""
        self.nodes = 0
        self._bests: dict[tuple[object, ...], Best] = {}
        self._endings: dict[object, Ending] = {}
        self._exchanged: dict[Contract, Ending] = {}
        bidding, color = self.rules.bidding, self.rules.color
        self._groups: list[tuple[str, ...] | None] = [None]
        if color is not None and any(bid.in_color for bid in bidding.bids):
            others = tuple(suit for suit in self.rules.trumps if suit != color)
            self._groups = [others, (color,)]

    @property
    def limits(self) -> Limits:
        """The limits for each search: the full number of nodes, but only the time that is left."""
        return self.call.nested()

    def nobody_plays(self) -> Ending:
        """Return the end of an auction in which all players passed."""
        nothing = dict.fromkeys(self.rules.seats, 0)
        return Ending(None, nothing, nothing)

    def makes_for(self) -> dict[str, list[str]]:
        """Return the legal bids with which each seat would make its contract, from low to high."""
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
        """Return the offer with the best version of a seat's contract."""
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
        """Value a finished auction for each seat; `end` is None if all players passed."""
        if end is None:
            return self.nobody_plays()
        ending = self._endings.get(end)
        if ending is None:
            offer = self.choices(end.contract, end.declarer, end.trumps, end.partner)
            ending = self._endings[end] = self._ending(offer)
        return ending

    def several(self, contract: Contract) -> Ending:
        """Return an ending with the payoff that each of several declarers can guarantee."""
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
        """Return the value of a contract at the first lead, after the recorded exchange."""
        search = Search(self.solver, self.limits)
        at = situation(self.deal, contract)
        question = Question.of_score(self.deal, contract, at, search)
        low, high = question.payoff_bounds()
        self.nodes += search.nodes
        return _paying(question, range(low, high + 1))

    def pays(self, contract: Contract, seat: str) -> bool:
        """Return whether a seat can have a gain in a contract.

        If there are several declarers, only they can gain.
        """
        if seat in contract.side or len(contract.declarers) > 1:
            return seat in contract.side
        at = situation(self.deal, contract)
        goal = payoff_objective(self.deal, contract, at)
        return any(
            self.rules.score(self.deal, contract, end)[seat]
            for value in range(len(goal.values))
            for end in goal.ends(contract, at, value)
        )

    def exchanged(self, contract: Contract) -> Ending:
        """Return the value of a contract after the best exchange."""
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
    return Contract((offer.declarer,), (offer.contract,), offer.trump, offer.called, offer.partner)


def _paying(
    question: Question[ContractGoal],
    values: Sequence[int],
    exchange: Exchange | None = None,
    outcome: str | None = None,
) -> Ending:
    """Return each seat's gain if the declaring side's value is one of `values`.

    With an `outcome`, only endings with that outcome are considered. If several endings have this
    value, each seat gets its lowest gain among them.
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
