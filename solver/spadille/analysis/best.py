"""The best contract of each seat: what makes, what it pays for sure, and what bid it takes.

Every contract the rules let a seat have is looked at, in every trump, with every card to call and
every partner, and after the best exchange (see `exchange`); where bids are cards, only
what the hands hold the cards for. Of one seat's contracts the one that pays it most comes first, of
equals the one whose bid is higher, if they make.

What is called sure in Ombre holds if the opponents exchange as recorded, or not at all
(`opponents_exchange`): which cards they put away is not searched for.

What the documents leave open:

- Payoffs are the declarer's own (see `spadille.search.payoff`); where his partner's share hangs on
  what pays the side the same, the least he may get.
- Where the limits do not tell whether a Misère makes, or how much is lost by who cannot have most
  tricks, there are bounds instead of a payoff, and the contract stands by the lower one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any, Literal

from spadille.analysis.batch import answers
from spadille.analysis.contracts import ALL, Wanted, choices
from spadille.analysis.exchange import (
    best_exchange,
    may_exchange,
    opponents_may,
    without_opponents,
)
from spadille.analysis.offers import Best, Offer, bid_of, rank_bids, rank_offers, worth
from spadille.asked import check_deal, contract_types
from spadille.cards import check_held_once
from spadille.contract import Contract, first_leader
from spadille.deal import Deal
from spadille.errors import SpadilleError
from spadille.search.encoding import Situation, situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.limits import Limits
from spadille.search.objective import Count, narrow, objective_of
from spadille.search.payoff import Goal, Score, outcome_for, score_of, told, weigh
from spadille.search.steps import Steps
from spadille.search.surrender import surrendered

BEST_LIMITS = Limits(hard_nodes=2_000_000)
"""Of each contract: a deal has many."""


def best(
    deal: Deal,
    contracts: str | Iterable[str] | None = None,
    *,
    seats: Iterable[str] | None = None,
    trumps: Iterable[str] | None = None,
    calls: bool = False,
    exchange: bool = True,
    opponents_exchange: Literal["recorded", "none"] = "recorded",
    solver: Solver | None = None,
    limits: Limits = BEST_LIMITS,
    memory: int = DEFAULT_MEMORY,
) -> Best:
    """Rank the contracts of each seat, or only those with these ids, by what they are sure to pay.

    Of some `seats` or `trumps` only, nobody is said to win the auction, and there is no `ranking`.
    `calls` asks for the payoff with each card that may be called, `exchange` for the best exchange
    (see `exchange`); without it all exchange as recorded. `opponents_exchange` says what those do
    whom a contract of Ombre lets exchange after the declarer: what is called sure is so if they put
    away what is recorded, or nothing. Raises DealError for unknown hands and
    for a card that is held twice, ContractError for an unknown id or an end position that does not
    say who has won what, ArgumentError for limits of another kind.
    """
    began = perf_counter()
    hard_nodes = limits.only_hard("best")
    check_deal(deal)
    check_held_once({**deal.hands, "the talon": deal.talon})
    rules = deal.rules
    kinds = contract_types(rules, contracts)
    solver = solver or Solver(memory)
    solver.clear()
    wanted = Wanted.of(rules, seats, trumps)
    desk = _Desk(deal, solver, hard_nodes, opponents_exchange == "recorded")
    alike: dict[_Key, list[Contract]] = {}
    free: dict[tuple[str, str], list[Contract]] = {}
    for kind in kinds:
        chosen = exchange and may_exchange(deal, kind)
        for choice in choices(deal, kind, named=False, wanted=wanted):
            for contract in choice:
                if not rules.game.bidding.can_bid(deal, contract):
                    continue
                if chosen:
                    for each in filter(lambda each: wanted.plays(each.declarer), _either(contract)):
                        free.setdefault((each.declarer, kind.id), []).append(each)
                else:
                    alike.setdefault(desk.alike(contract), []).append(contract)
    desk.solve(same[0] for same in alike.values())
    # In the order in which they bid: of equal bids the first stands.
    offers: dict[str, list[Offer]] = {seat: [] for seat in rules.in_turn(rules.eldest(deal.dealer))}
    for same in alike.values():
        for offer in desk.offers(same[0]):
            cards = same if calls else same[:1]
            offers[offer.declarer] += [replace(offer, called=each.called) for each in cards]
    for contracts_of_one in free.values():
        offer = desk.exchanged(contracts_of_one)
        offers[offer.declarer].append(offer)
    made = [
        offer for each in offers.values() for offer in each if offer.makes and offer.height >= 0
    ]
    first = max(made, key=lambda offer: offer.height, default=None)
    highest = first and max(
        (offer for offer in offers[first.declarer] if offer.makes and offer.height == first.height),
        key=worth,
    )
    ranked = {
        seat: rank_offers(variants, calls)
        for seat, variants in offers.items()
        if wanted.plays(seat)
    }
    ranking = rank_bids(rules, {kind.id for kind in kinds}, made)
    if wanted != ALL:
        ranking, highest = [], None
    spent = round((perf_counter() - began) * 1000, 3)
    told_of = None
    if any(opponents_may(kind) for kind in kinds) and not deal.is_ending:
        told_of = opponents_exchange if deal.exchangers else "none"
    return Best(ranked, ranking, highest, told_of, desk.nodes, spent)


def best_many(
    deals: Iterable[Deal],
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
    """Yield the best contracts of each deal, or the error `best` raises for it, in order.

    An exception of another kind comes as InternalError. Results are the same for any number of
    threads. Raises ArgumentError for limits of another kind, and for
    less than one thread.
    """
    limits.only_hard("best_many")
    chosen, by, in_trumps = (
        each if each is None or isinstance(each, str) else tuple(each)
        for each in (contracts, seats, trumps)
    )

    def work(solver: Solver, deal: Deal) -> Best:
        return best(
            deal,
            chosen,
            seats=by,
            trumps=in_trumps,
            calls=calls,
            exchange=exchange,
            opponents_exchange=opponents_exchange,
            solver=solver,
            limits=limits,
        )

    return answers(work, deals, threads, memory)


def _either(contract: Contract) -> Iterator[Contract]:
    """Yield a contract as that of each partner."""
    yield contract
    if contract.partner is not None:
        yield replace(contract, declarers=(contract.partner,), partner=contract.declarer)


_Key = tuple[Any, ...]


class _Desk:
    """The questions of one deal, each asked once and those together that share the table."""

    def __init__(self, deal: Deal, solver: Solver, nodes: int, recorded: bool) -> None:
        self.deal = deal
        self.recorded = recorded
        self.duty = deal.rules.called_card_duty == "first-lead"
        self.solver = solver
        self.limit = nodes
        self.nodes = 0
        self.situations: dict[_Key, Situation] = {}
        self.tricks: dict[_Key, list[int]] = {}
        self.found: dict[tuple[Contract, str], tuple[Any, int, int]] = {}

    def alike(self, contract: Contract) -> _Key:
        """What a contract's worth depends on: a called card without duty only by its holder."""
        called = contract.called if self.duty else None
        trump, penalty = contract.trump, contract.penalty
        return contract.declarers, contract.ids, trump, contract.partner, penalty, called

    def solve(self, contracts: Iterable[Contract]) -> None:
        """Answer all questions: numbers of tricks first, then what else a payoff depends on."""
        questions: dict[_Key, list[tuple[Contract, str, Situation, Any]]] = {}
        for contract in contracts:
            at = self.situation(contract)
            for seat in contract.declarers:
                goal: Any = (
                    score_of(self.deal_for(contract), contract, at)
                    if len(contract.declarers) == 1
                    else objective_of(contract, at, seat)
                )
                key = self.key(contract, at, goal)
                questions.setdefault(key, []).append((contract, seat, at, goal))
        for key in sorted(questions):
            for contract, seat, at, goal in questions[key]:
                if isinstance(goal, Steps):
                    self.found[contract, seat] = goal, *self.steps(key, at, goal)
            for contract, seat, at, goal in questions[key]:
                if not isinstance(goal, Steps):
                    self.found[contract, seat] = goal, *self.payoff(key, contract, at, goal)

    def deal_for(self, contract: Contract) -> Deal:
        """Return the deal, without the exchange of the opponents if they shall have none."""
        kind = self.deal.rules.contracts[contract.ids[0]]
        if self.recorded or not opponents_may(kind):
            return self.deal
        return without_opponents(self.deal, contract)

    def situation(self, contract: Contract) -> Situation:
        deal = self.deal_for(contract)
        leader = first_leader(deal, contract)
        seat = None if deal is self.deal else contract.declarer
        key = contract.trump, leader, contract.called if self.duty else None, seat
        found = self.situations.get(key)
        if found is None:
            found = self.situations[key] = situation(deal, contract)
        return found

    def key(self, contract: Contract, at: Situation, goal: Any) -> _Key:
        """What the tricks of a side depend on."""
        marks = contract.penalty or ""
        sides = goal.side, goal.credited
        return contract.trump or "", marks, *sides, at.problem.leader, at.problem.called

    def steps(self, key: _Key, at: Situation, goal: Steps) -> tuple[int, int]:
        """Return bounds of a payoff that hangs on a number of tricks alone."""

        def reaches(need: int) -> bool | None:
            return self.reach(key, at, goal, goal.tricks(need)[0])

        return narrow(reaches, *goal.span(at.problem, goal.start), goal.guess)

    def reach(self, key: _Key, at: Situation, goal: Any, count: int) -> bool | None:
        """Whether a side reaches a count of tricks; None if a limit was reached."""
        problem, start = at.problem, goal.start
        known = self.tricks.setdefault(key, [start, start + problem.tricks])
        if known[0] < count <= known[1]:
            misere = goal.misere
            self.solver.limit(self.limit if misere else 0)
            tricks = goal.count if isinstance(goal, Steps) else goal
            low, high = tricks.bounds(self.solver, problem, start, count - 1, count, count)
            self.nodes += self.solver.nodes
            if low < high:
                return None
            if low == count:
                known[0] = count
            else:
                known[1] = count - 1
        return count <= known[0]

    def payoff(self, key: _Key, contract: Contract, at: Situation, goal: Any) -> tuple[int, int]:
        """Return bounds of a payoff that hangs on more."""
        low, high = goal.span(at.problem, goal.start)
        kind = self.deal.rules.contracts[contract.ids[0]]
        if isinstance(goal, Score) and kind.aim == "tricks":
            count = Count(goal.side, goal.side, sum(goal.layout.start[0]), kind.target)
            # Most payoffs hang on the target, and where that is reached on taking all tricks.
            for need in (kind.target, at.total):
                self.reach(key, at, count, need)
                low, high = goal.within(*self.tricks[key])
                if low == high:
                    return low, high
        limit = self.limit if kind.aim == "most" else 0
        low, high, spent = weigh(goal, self.solver, at.problem, low, high, limit)
        self.nodes += spent
        return low, high

    def offers(self, contract: Contract) -> Iterator[Offer]:
        """Yield what a contract offers its declarers, or both partners of a pair."""
        rules = self.deal.rules
        for seat in contract.declarers:
            goal, low, high = self.found[contract, seat]
            offer = self.offer(contract, seat)
            if len(contract.declarers) > 1:
                payoff = goal.values[low]
                outcome = "made" if payoff else "failed"
                offer = replace(offer, payoff=payoff, makes=bool(payoff), outcome=outcome)
            else:
                offer = self.told(offer, goal, low, high)
                offer = self.settled(offer, contract, self.situation(contract), goal, low)
            yield offer
            if contract.partner is not None and rules.contracts[offer.contract].side == "partner":
                yield replace(offer, declarer=contract.partner, partner=seat)

    def exchanged(self, contracts: list[Contract]) -> Offer:
        """Return the best of several contracts of a declarer, after the best exchange."""
        deal = self.deal_for(contracts[0])
        choice, number, most, spent = best_exchange(deal, contracts, self.solver, self.limit)
        self.nodes += spent
        offer = self.offer(choice.contract, choice.contract.declarer)
        offer = replace(offer, **choice.exchange._asdict())
        offer = self.told(offer, choice.goal, number, number)
        if offer.payoff is not None and most > choice.goal.values[number]:
            # Partners who exchange get the same.
            offer = replace(
                offer,
                payoff=None,
                bounds=(offer.payoff, most // len(choice.contract.side)),
                makes=offer.makes or None if most > 0 else offer.makes,
                outcome=None,
            )
        return self.settled(offer, choice.contract, choice.at, choice.goal, number)

    def offer(self, contract: Contract, seat: str) -> Offer:
        """Return an offer that does not say yet what it pays."""
        word, height = bid_of(self.deal.rules, contract)
        return Offer(
            seat,
            contract.ids[0],
            contract.trump,
            contract.called,
            contract.partner,
            contract.penalty,
            bid=word,
            height=height,
        )

    def told(self, offer: Offer, goal: Goal, low: int, high: int) -> Offer:
        """Say what a payoff means to the declarer, or what is known of it."""
        if low == high:
            payoff, makes, outcome = told(goal, low)
            return replace(offer, payoff=payoff, makes=makes, outcome=outcome)
        bounds = told(goal, low)[0], told(goal, high)[0]
        return replace(offer, bounds=bounds, makes=None if goal.values[high] > 0 else False)

    def settled(
        self, offer: Offer, contract: Contract, at: Situation, goal: Goal, value: int
    ) -> Offer:
        """Name the outcome where several pay the same, and let the declarer surrender."""
        kind = self.deal.rules.contracts[offer.contract]
        if kind.aim == "most" and offer.payoff is not None and offer.outcome is None:
            assert isinstance(goal, Score)
            outcome, spent = outcome_for(goal, value, self.solver, at.problem, self.limit)
            self.nodes += spent
            offer = replace(offer, outcome=outcome)
        given_up = surrendered(self.deal, contract, at)
        if not given_up:
            return offer
        floor = given_up[offer.declarer]
        low, high = offer.bounds or (offer.payoff, offer.payoff)
        if high is not None and high < floor:
            return replace(offer, payoff=floor, bounds=None, outcome="surrender")
        if low is not None and high is not None and low < floor:
            return replace(offer, bounds=(floor, high))
        return offer
