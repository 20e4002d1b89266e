"""Find each seat's best contract: whether it makes, its guaranteed payoff, and its bid.

The search covers every contract that a legal auction can reach, in every trump, with every callable
card and every partner, after the best exchange (see `best_exchange`). If bid cards are recorded,
a seat can play the contracts to which its own cards lead, given the cards the others showed. If no
bid cards are recorded, a seat can play any contract for which the players have the bid cards. Each
seat's contracts are sorted by payoff; of two contracts that make and pay the same, the one with the
higher bid comes first.

spadille does not search for the opponents' best exchange in Ombre. Guaranteed payoffs there assume
that the opponents exchange as recorded, or not at all (`opponents_exchange`).

Where the rule documents are silent:

- The payoff is the declarer's alone (see `spadille.search.make_payoff_objective`). If the payoff
  depends on the partner's share, the lowest possible payoff is used.
- A limit may leave open whether a Misère makes, or how much a failed contract loses. The contract
  then has bounds instead of a payoff and is ranked by the lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from spadille.analysis.contracts.best_exchange import (
    best_exchange,
    may_exchange,
    opponents_may,
    without_opponents,
)
from spadille.analysis.contracts.best_result import (
    Best,
    BidCards,
    Offer,
    highest_bid,
    rank_bids,
    rank_offers,
)
from spadille.analysis.contracts.contracts_to_solve import ALL, WantedContracts, alternatives
from spadille.analysis.many_deals import answers
from spadille.analysis.result_text_forms import written_contract
from spadille.base.card_text import check_held_once
from spadille.base.errors import ArgumentError, ContractError, SpadilleError, quoted
from spadille.core.arguments import auction_words, check_deal, contract_types, text_or_list
from spadille.core.call_tree import bid_of
from spadille.core.contract import Contract, first_leader
from spadille.core.deal import Deal
from spadille.core.reachable_contracts import Reachable, is_settled_by, is_way, reachable
from spadille.games.model.contract_types_and_options import ContractType
from spadille.search.contract_objective import TrickCount
from spadille.search.encoding import Situation, open_hands, situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits, check_limits
from spadille.search.make_payoff_objective import by_outcome
from spadille.search.payoff_objectives import Goal
from spadille.search.question import Question
from spadille.search.surrender_value import counts, secured_by

BEST_LIMITS = Limits(hard_nodes=2_000_000)
"""The default limits for each contract."""


def best(
    deal: Deal,
    contracts: str | Iterable[str] | None = None,
    *,
    seats: Iterable[str] | None = None,
    trumps: Iterable[str] | None = None,
    auction: str | Iterable[str] = (),
    every: bool = False,
    calls: bool = False,
    exchange: bool = True,
    opponents_exchange: Literal["recorded", "none"] = "recorded",
    solver: Solver | None = None,
    limits: Limits = BEST_LIMITS,
) -> Best:
    """Value the contracts that each seat can play, and rank them by guaranteed payoff.

    `auction` lists the recorded calls, beginning with eldest's. Without an auction,
    everybody who may pass is assumed to have passed. `contracts` restricts the search to these ids,
    and `every` adds contracts that no auction can reach. If only some `seats` or `trumps` are
    requested, `highest` is None and `ranking` is empty. `calls` adds the payoff with each callable
    card. `exchange` searches for the declaring side's best exchange (see `best_exchange`);
    otherwise, everybody exchanges as recorded. In Ombre, guaranteed payoffs assume certain
    exchanges by the opponents; `opponents_exchange` says which: the recorded ones, or none.

    A node limit applies to each contract, and a time limit to the whole call. If a limit stops the
    search for a payoff, the offer has `bounds` instead and is ranked by the lower bound. An end
    position may not say which tricks of Nemo were clean; Nemo is then in `left_out`, unless
    `contracts` names it.

    Raises DealError if a hand is unknown or a card is in two hands, ContractError for an unknown id
    or an end position without the tricks won, and ArgumentError if `limits` is not a Limits.
    """
    search = Search(solver, limits)
    check_deal(deal)
    check_held_once({**deal.hands, "the talon": deal.talon})
    open_hands(deal)
    rules = deal.rules
    kinds = contract_types(rules, contracts)
    wanted = WantedContracts.of(rules, seats, trumps)
    if opponents_exchange not in ("recorded", "none"):
        given = quoted(opponents_exchange)
        raise ArgumentError(f"opponents_exchange must be recorded or none, not {given}")
    desk = _Desk(deal, search, opponents_exchange == "recorded", named=contracts is not None)
    where = reachable(deal, auction_words(auction))
    choosable = list(_contracts(deal, where, kinds, wanted, every))
    valued = _valued(desk, where, choosable, wanted, exchange=exchange, calls=calls)
    # The first of equal bids wins, so the seats are in bidding order.
    order = [seat for seat in rules.in_turn(rules.eldest(deal.dealer)) if wanted.plays(seat)]
    offers, brought = _by_seat(where, valued, order, every)
    made = [offer for seat_offers in offers.values() for offer in seat_offers if offer.makes]
    payoffs_assume = None
    if any(opponents_may(kind) for kind in kinds) and not deal.is_ending:
        payoffs_assume = opponents_exchange if deal.exchangers else "none"
    search.check_not_interrupted()
    return Best(
        seats={seat: rank_offers(variants, calls) for seat, variants in offers.items()},
        ranking=rank_bids(rules, {kind.id for kind in kinds}, made) if wanted == ALL else (),
        highest=highest_bid(brought) if wanted == ALL else None,
        brought={seat: rank_offers(variants, calls) for seat, variants in brought.items()},
        bid_cards=_bid_cards(where, valued, order),
        opponents_exchange=payoffs_assume,
        left_out={
            written: reason
            for written, (seat, reason) in desk.left_out.items()
            if wanted.plays(seat)
        },
        nodes=search.nodes,
        ms=search.ms,
    )


def best_many(
    deals: Iterable[Deal | tuple[Deal, Iterable[str]]],
    contracts: str | Iterable[str] | None = None,
    *,
    seats: Iterable[str] | None = None,
    trumps: Iterable[str] | None = None,
    threads: int = 1,
    calls: bool = False,
    exchange: bool = True,
    opponents_exchange: Literal["recorded", "none"] = "recorded",
    limits: Limits = BEST_LIMITS,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Best | SpadilleError]:
    """Yield the best contracts of each deal in order, or the error `best` raises for it.

    An item may also be a pair: a deal and the calls of its auction. An unexpected exception is
    yielded as InternalError. Results do not depend on the number of threads unless a time limit
    ends a search. Raises ArgumentError unless `limits` is a Limits and the number of threads is 1
    to 1,024.
    """
    check_limits(limits)
    chosen = text_or_list("contracts", contracts)
    by, in_trumps = text_or_list("seats", seats), text_or_list("trumps", trumps)

    def work(solver: Solver, item: Deal | tuple[Deal, Iterable[str]]) -> Best:
        deal, auction = item if isinstance(item, tuple) else (item, ())
        return best(
            deal,
            chosen,
            auction=auction,
            seats=by,
            trumps=in_trumps,
            calls=calls,
            exchange=exchange,
            opponents_exchange=opponents_exchange,
            solver=solver,
            limits=limits,
        )

    return answers(work, deals, threads, memory)


def _contracts(
    deal: Deal,
    where: Reachable,
    kinds: Sequence[ContractType],
    wanted: WantedContracts,
    every: bool,
) -> Iterator[Contract]:
    """Yield the contracts that an auction can reach or, with `every`, all contracts.

    A contract of several kinds is listed once, under the first of them.
    """
    for kind in kinds:
        if where.by_card and not every:
            for contract in where.contracts:
                first = next((wish for wish in kinds if wish.id in contract.ids), None)
                if first is kind and wanted.takes(contract):
                    yield contract
            continue
        for choice in alternatives(deal, kind, named=False, wanted=wanted):
            for contract in choice:
                if every or deal.is_ending or where.allows(contract):
                    yield contract


def _valued(
    desk: _Desk,
    where: Reachable,
    contracts: Iterable[Contract],
    wanted: WantedContracts,
    *,
    exchange: bool,
    calls: bool,
) -> list[tuple[Contract, Offer]]:
    """Value all contracts; with `calls`, there is one offer for each callable card."""
    rules = desk.deal.rules
    equal: dict[_Key, list[Contract]] = {}
    exchanged: dict[object, list[Contract]] = {}
    for contract in contracts:
        kind = rules.contracts[contract.ids[0]]
        if exchange and len(contract.ids) == 1 and may_exchange(desk.deal, kind):
            for version in _either(contract):
                if wanted.plays(version.declarer):
                    # If bids are cards, each contract is valued separately.
                    key = version if where.by_card else (version.declarer, kind.id)
                    exchanged.setdefault(key, []).append(version)
        else:
            equal.setdefault(desk.alike(contract), []).append(contract)
    desk.solve(same[0] for same in equal.values())
    valued: list[tuple[Contract, Offer]] = []
    for same in equal.values():
        for offer in desk.offers(same[0]):
            valued += [
                (contract, replace(offer, called=contract.called))
                for contract in (same if calls else same[:1])
            ]
    for same in exchanged.values():
        offer = desk.exchanged(same)
        valued.append((replace(same[0], trump=offer.trump), offer))
    return valued


def _by_seat(
    where: Reachable, valued: Iterable[tuple[Contract, Offer]], seats: Iterable[str], every: bool
) -> tuple[dict[str, list[Offer]], dict[str, list[Offer]]]:
    """Return each seat's offers, and the offers it could have reached by its own calls."""
    offers: dict[str, list[Offer]] = {seat: [] for seat in seats}
    brought: dict[str, list[Offer]] = {seat: [] for seat in offers}
    for contract, offer in valued:
        seat = offer.declarer
        if seat not in offers:
            continue
        bid_cards = where.bid_cards(seat, contract)
        if bid_cards:
            offer = replace(offer, bid=" ".join(bid_cards))
        brings = bool(bid_cards) or where.brings(seat, contract)
        if brings:
            brought[seat].append(offer)
        if brings or every or not where.by_card:
            offers[seat].append(offer)
    return offers, brought


def _bid_cards(
    where: Reachable, valued: Sequence[tuple[Contract, Offer]], seats: Iterable[str]
) -> dict[str, tuple[BidCards, ...]]:
    """Return the contracts and the payoff to which each bid card of each seat leads."""
    outcomes: dict[str, tuple[BidCards, ...]] = {}
    for seat in seats if where.by_card else ():
        cards: dict[tuple[Contract, ...], list[str]] = {}
        for card, ways in where.outcomes[seat].items():
            cards.setdefault(ways, []).append(card)
        outcomes[seat] = tuple(
            BidCards(
                cards=tuple(cards_alike),
                contracts=tuple(written_contract(way) for way in ways),
                payoff=max(
                    (
                        offer.payoff
                        for contract, offer in valued
                        if offer.declarer == seat
                        and offer.payoff is not None
                        and is_way(contract, ways)
                        and is_settled_by(seat, ways)
                    ),
                    default=None,
                ),
            )
            for ways, cards_alike in cards.items()
        )
    return outcomes


def _either(contract: Contract) -> Iterator[Contract]:
    """Yield a contract with each of its partners as declarer."""
    yield contract
    if contract.partner is not None:
        yield replace(contract, declarers=(contract.partner,), partner=contract.declarer)


_Key = tuple[Any, ...]


class _Desk:
    """Solves each question about a deal once, in an order that lets questions share the table."""

    def __init__(self, deal: Deal, search: Search, recorded: bool, named: bool) -> None:
        self.deal = deal
        self.named = named  # whether the caller named the contracts
        self.left_out: dict[str, tuple[str, str]] = {}  # the declarer and the reason
        self.recorded = recorded
        self.duty = deal.rules.called_card_duty == "first-lead"
        self.search = search
        self.situations: dict[_Key, Situation] = {}
        self.tricks: dict[_Key, tuple[int, int]] = {}
        self.answers: dict[tuple[Contract, str], tuple[Question[Goal], int, int]] = {}

    def alike(self, contract: Contract) -> _Key:
        """Return a key that is equal for contracts with the same value."""
        called = contract.called if self.duty else None
        trump, penalty = contract.trump, contract.penalty
        return contract.declarers, contract.ids, trump, contract.partner, penalty, called

    def solve(self, contracts: Iterable[Contract]) -> None:
        """Answer all questions; those about numbers of tricks come first to help with the rest."""
        questions: dict[_Key, list[Question[Goal]]] = {}
        for contract in contracts:
            deal, at = self.deal_for(contract), self.situation(contract)
            for seat in contract.declarers:
                try:
                    question = Question.of_payoff(deal, contract, at, seat, self.search)
                except ContractError as error:
                    if self.named or error.code != "nemo-won":
                        raise
                    written = f"{seat} {contract.ids[0]} {contract.penalty}"
                    self.left_out[written] = seat, str(error)
                    continue
                questions.setdefault(self.key(question), []).append(question)
        for key in sorted(questions):
            for question in sorted(questions[key], key=lambda item: not item.objective.by_tricks):
                self.search.next_question()
                bounds = self.bounds(key, question)
                self.answers[question.contract, question.seat] = question, *bounds

    def deal_for(self, contract: Contract) -> Deal:
        """Return the deal without any exchange that should be ignored for this contract."""
        kind = self.deal.rules.contracts[contract.ids[0]]
        if kind.side == "individual" and len(contract.ids) > 1:
            # The recorded exchanges may belong to another contract.
            return replace(self.deal, drawn={}, discard={}, from_hand=())
        if self.recorded or not opponents_may(kind):
            return self.deal
        return without_opponents(self.deal, contract)

    def situation(self, contract: Contract) -> Situation:
        deal = self.deal_for(contract)
        leader = first_leader(deal, contract)
        seat = None if deal is self.deal else contract.declarer
        key = contract.trump, leader, contract.called if self.duty else None, seat
        at = self.situations.get(key)
        if at is None:
            at = self.situations[key] = situation(deal, contract)
        return at

    def key(self, question: Question[Goal]) -> _Key:
        """Return a key: questions with equal keys ask for the same number of tricks."""
        contract, goal, problem = question.contract, question.objective, question.at.problem
        asked = contract.trump or "", contract.penalty or "", goal.side, goal.credited
        return *asked, problem.leader, problem.called

    def bounds(self, key: _Key, question: Question[Goal]) -> tuple[int, int]:
        """Return bounds on a payoff; known numbers of tricks are used first."""
        goal = question.objective
        low, high = goal.narrow(partial(self.reach, key, question), *question.span())
        if low == high or goal.by_tricks:
            return low, high
        limit = self.search.hard_nodes if question.kind.aim == "most" else 0
        return question.weigh(low, high, limit)

    def reach(
        self, key: _Key, question: Question[Goal], count: TrickCount, need: int
    ) -> tuple[int, int]:
        """Return bounds on a side's tricks, tight enough to compare with `need` (see `Ask`)."""
        least, most = self.tricks.get(key) or question.asking(count).span()
        if least < need <= most:
            self.search.limit(self.search.hard_nodes if question.kind.aim == "misere" else 0)
            low, high = question.asking(count).narrow(need - 1, need, need)
            if low == need:
                least = need
            elif high < need:
                most = high
        self.tricks[key] = least, most
        return least, most

    def offers(self, contract: Contract) -> Iterator[Offer]:
        """Yield an offer for each declarer, or for both partners of a pair."""
        rules = self.deal.rules
        for seat in contract.declarers:
            if (contract, seat) not in self.answers:  # left out
                continue
            question, low, high = self.answers[contract, seat]
            offer = self.settled(self.offer(question, low, high), question, low)
            yield offer
            if contract.partner is not None and rules.contracts[offer.contract].side == "partner":
                yield replace(offer, declarer=contract.partner, partner=seat)

    def exchanged(self, contracts: list[Contract]) -> Offer:
        """Return a declarer's best contract among several, after the best exchange."""
        deal = self.deal_for(contracts[0])
        self.search.next_question()
        exchange, question, value, most = best_exchange(deal, contracts, self.search)
        offer = replace(self.offer(question, value, value), **exchange._asdict())
        if offer.payoff is not None and most > question.objective.values[value]:
            # `most` is the whole side's payoff; if two partners exchange, each gets half of it.
            offer = replace(
                offer,
                payoff=None,
                bounds=(offer.payoff, most // len(question.contract.side)),
                makes=offer.makes or None if most > 0 else offer.makes,
                outcome=None,
            )
        return self.settled(offer, question, value)

    def offer(self, question: Question[Goal], low: int, high: int) -> Offer:
        """Return the declarer's offer, given bounds on its payoff."""
        contract, goal = question.contract, question.objective
        word, height = bid_of(self.deal.rules, contract)
        offer = Offer(
            declarer=question.seat,
            contract=question.kind.id,
            trump=contract.trump,
            called=contract.called,
            partner=contract.partner,
            penalty=contract.penalty,
            bid=word,
            height=height,
        )
        worst, best = goal.meaning(low), goal.meaning(high)
        if low == high:
            return replace(offer, **worst._asdict())
        makes = None if goal.values[high] > 0 else False
        return replace(offer, bounds=(worst.payoff, best.payoff), makes=makes)

    def settled(self, offer: Offer, question: Question[Goal], value: int) -> Offer:
        """Fill in the best of the outcomes that pay the same, and allow for a surrender."""
        if question.kind.aim == "most" and offer.payoff is not None and offer.outcome is None:
            offer = replace(offer, outcome=self.outcome(question, value))
        low, high = offer.bounds or (offer.payoff, offer.payoff)
        if low is None or high is None or not counts(question.deal, question.contract, question.at):
            return offer
        right = secured_by(question, low, high)
        if right.bounds == (low, high):
            return offer
        least, most = right.bounds
        offer = replace(offer, surrenders=right.score is not None)
        if least == most:
            return replace(offer, payoff=least, bounds=None)
        return replace(offer, bounds=right.bounds)

    def outcome(self, question: Question[Goal], value: int) -> str | None:
        """Return the best outcome the side can force among the outcomes with the same payoff."""
        payoff = question.objective.values[value]
        finer, names = by_outcome(question.deal, question.contract, question.at, payoff)
        first = finer.values.index(payoff * len(names))
        last = first + len(names) - 1
        self.search.limit(self.search.hard_nodes)
        low, high = question.asking(finer).narrow(first, last, last)
        self.search.limit()
        return names[low - first] if low == high else None
