"""The best contract of each seat: what makes, what it pays for sure, and what bid it takes.

Every contract the rules let a seat have is looked at, in every trump, with every card to call and
every partner, and after the best exchange (`spadille.exchange`). Of one seat's contracts the one
that pays it most comes first, of equals the one whose bid is higher, if
they make.

What the documents leave open:

- Payoffs are the declarer's own (`spadille.score`); where his partner's share hangs on what pays
  the side the same, the least he may get.
- Where `nodes` do not tell whether a Misère makes, or how much is lost by who cannot have most
  tricks, there are bounds instead of a payoff, and the contract stands by the lower one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, NamedTuple

from spadille.batch import parallel
from spadille.deal import Contract, Deal, first_leader
from spadille.encoding import Situation, situation
from spadille.engine import DEFAULT_MEMORY, Solver
from spadille.errors import SpadilleError
from spadille.exchange import best_exchange, may_exchange
from spadille.objective import MISERE_NODES, Count, objective_of
from spadille.rules import Rules
from spadille.score import Goal, Score, score_of, told, weigh
from spadille.steps import Steps
from spadille.table import choices


@dataclass(slots=True)
class Offer:
    """A contract a seat may have, with the choices that pay best."""

    declarer: str
    contract: str
    trump: str
    called: str | None = None
    partner: str | None = None
    penalty: str | None = None
    drawn: tuple[str, ...] = ()
    """What the declarer takes from the talon or squint."""
    discard: tuple[str, ...] = ()
    """What he puts away for it."""
    partner_drawn: tuple[str, ...] = ()
    """The same of his partner, in a Duo."""
    partner_discard: tuple[str, ...] = ()
    from_hand: bool = False
    """Whether he plays from the hand where he need not, which may pay more."""
    payoff: int | None = None
    """What the declarer himself is sure of; None where a limit left it open."""
    bounds: tuple[int, int] | None = None
    """Then the least and the most it can be."""
    makes: bool | None = None
    outcome: str | None = None
    """None where several outcomes pay the same."""
    bid: str | None = None
    """The word that bids it; None where contracts are not bid by words, or fall to a player."""
    height: int = -1
    """How high the game ranks it, from 0; -1 if it is played only when all have passed."""
    calls: list[Offer] = field(default_factory=list)
    """Asked for with `called`: the same with each card that may be called, or partner."""

    def as_dict(self) -> dict[str, Any]:
        """Return all fields, `calls` only where there are some."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        for name in ("drawn", "discard", "partner_drawn", "partner_discard"):
            fields[name] = list(fields[name])
        fields["bounds"] = None if self.bounds is None else list(self.bounds)
        fields["calls"] = [call.as_dict() for call in self.calls]
        if not self.calls:
            del fields["calls"]
        return fields


class Rank(NamedTuple):
    """A place in the game's order of bids."""

    height: int
    bid: str | None
    """The word that bids it; None where contracts are not bid by words."""
    contract: str
    makes: tuple[str, ...]
    """For whom it makes, in the order in which they bid."""


@dataclass(slots=True)
class Best:
    """The offers of all seats."""

    seats: dict[str, list[Offer]]
    """Seat -> its contracts, the best first; seats in the order in which they bid."""
    ranking: list[Rank]
    """The game's bids, from low to high."""
    highest: Offer | None
    """The highest bid that makes, of the seat that comes first: what would win the auction."""
    nodes: int
    ms: float

    def as_dict(self) -> dict[str, Any]:
        """Return the fields JSON output gives it."""
        return {
            "seats": {
                seat: [offer.as_dict() for offer in offers] for seat, offers in self.seats.items()
            },
            "ranking": [{**rank._asdict(), "makes": list(rank.makes)} for rank in self.ranking],
            "highest": None if self.highest is None else self.highest.as_dict(),
            "nodes": self.nodes,
            "ms": self.ms,
        }


def best(
    deal: Deal,
    contracts: Iterable[str] | None = None,
    *,
    calls: bool = False,
    exchange: bool = True,
    solver: Solver | None = None,
    nodes: int = MISERE_NODES,
    memory: int = DEFAULT_MEMORY,
) -> Best:
    """Rank the contracts of each seat, or only those with these ids, by what they are sure to pay.

    `calls` asks for the payoff with each card that may be called, `exchange` for the best exchange
    (see `spadille.exchange`); without it all exchange as recorded. Raises DealError for unknown
    hands, ContractError for an unknown id or an end position that does not say who has won what.
    """
    began = perf_counter()
    rules = deal.rules
    kinds = [rules.contract(name) for name in (rules.contracts if contracts is None else contracts)]
    solver = solver or Solver(memory)
    solver.clear()
    desk = _Desk(deal, solver, nodes)
    alike: dict[_Key, list[Contract]] = {}
    free: dict[tuple[str, str], list[Contract]] = {}
    for kind in kinds:
        chosen = exchange and may_exchange(deal, kind)
        for choice in choices(deal, kind):
            for contract in choice:
                if chosen:
                    for each in _either(contract):
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
        key=_worth,
    )
    ranking = _ranking(rules, {kind.id for kind in kinds}, made)
    ranked = {seat: _ranked(variants, calls) for seat, variants in offers.items()}
    spent = round((perf_counter() - began) * 1000, 3)
    return Best(ranked, ranking, highest, desk.nodes, spent)


def best_many(
    deals: Iterable[Deal],
    contracts: Iterable[str] | None = None,
    *,
    threads: int = 1,
    calls: bool = False,
    exchange: bool = True,
    nodes: int = MISERE_NODES,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Best | SpadilleError]:
    """Yield the best contracts of each deal, or the error `best` raises for it, in order.

    They are the same for any number of threads.
    """
    chosen = None if contracts is None else tuple(contracts)

    def work(solver: Solver, deal: Deal) -> Best | SpadilleError:
        try:
            return best(
                deal,
                chosen,
                calls=calls,
                exchange=exchange,
                solver=solver,
                nodes=nodes,
            )
        except SpadilleError as error:
            return error

    return parallel(work, deals, threads, memory)


def _either(contract: Contract) -> Iterator[Contract]:
    """Yield a contract as that of each partner."""
    yield contract
    if contract.partner is not None:
        yield replace(contract, declarers=(contract.partner,), partner=contract.declarer)


def _ranked(offers: list[Offer], calls: bool) -> list[Offer]:
    """Keep the best offer of each contract, and sort them."""
    kept: dict[str, Offer] = {}
    for offer in offers:
        if offer.contract not in kept or _worth(offer) > _worth(kept[offer.contract]):
            kept[offer.contract] = offer
    for name, offer in kept.items():
        # Another trump whose payoff is open may be worth more.
        least = offer.bounds[0] if offer.bounds else offer.payoff or 0
        most = max(
            each.bounds[1] if each.bounds else each.payoff or 0
            for each in offers
            if each.contract == name
        )
        if least < most:
            kept[name] = replace(offer, payoff=None, bounds=(least, most))
    if calls:
        for offer in kept.values():
            if offer.called or offer.partner:
                alternatives = [
                    replace(each)
                    for each in offers
                    if (each.contract, each.trump) == (offer.contract, offer.trump)
                ]
                offer.calls = sorted(alternatives, key=_worth, reverse=True)
    return sorted(kept.values(), key=_worth, reverse=True)


def _worth(offer: Offer) -> tuple[int, bool, bool, int]:
    sure = offer.bounds[0] if offer.bounds else offer.payoff or 0
    return (
        sure,
        offer.payoff is not None,
        bool(offer.makes),
        offer.height * (1 if offer.makes else -1),
    )


def _ranking(rules: Rules, kinds: set[str], made: list[Offer]) -> list[Rank]:
    """List the bids of these contracts from low to high."""
    bidding = rules.game.bidding
    names: list[tuple[str | None, str, bool]]
    if not bidding.bids:
        names = [(None, name, False) for name in reversed([*rules.contracts])]
    else:
        names = [(bid.word, bid.contract, bid.in_color) for bid in bidding.bids]
    colored = {contract for _, contract, in_color in names if in_color}
    return [
        Rank(
            height,
            word,
            name,
            tuple(
                dict.fromkeys(
                    offer.declarer
                    for offer in made
                    if offer.contract == name
                    and (name not in colored or in_color == _in_color(rules, offer.trump))
                )
            ),
        )
        for height, (word, name, in_color) in enumerate(names)
        if name in kinds
    ]


def _in_color(rules: Rules, trump: str) -> bool:
    return trump == rules.options.get("color")


def bid_of(rules: Rules, contract: Contract) -> tuple[str | None, int]:
    """Return the word that bids a contract and how high it stands, None and -1 if it has none.

    Where bids are cards the contracts stand in the order in which the cards decide.
    """
    bidding = rules.game.bidding
    kind = contract.ids[0]
    if not bidding.bids:
        return None, len(rules.contracts) - 1 - list(rules.contracts).index(kind)
    colored = _in_color(rules, contract.trump)
    words = {bid.in_color: bid.word for bid in bidding.bids if bid.contract == kind}
    word = words.get(colored, words.get(False))
    return (None, -1) if word is None else (word, bidding.height(word))


_Key = tuple[Any, ...]


class _Desk:
    """The questions of one deal, each asked once and those together that share the table."""

    def __init__(self, deal: Deal, solver: Solver, nodes: int) -> None:
        self.deal = deal
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
                    score_of(self.deal, contract, at)
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

    def situation(self, contract: Contract) -> Situation:
        leader = first_leader(self.deal, contract)
        key = contract.trump, leader, contract.called if self.duty else None
        found = self.situations.get(key)
        if found is None:
            found = self.situations[key] = situation(self.deal, contract)
        return found

    def key(self, contract: Contract, at: Situation, goal: Any) -> _Key:
        """What the tricks of a side depend on."""
        marks = contract.penalty or ""
        sides = goal.side, goal.credited
        return contract.trump, marks, *sides, at.problem.leader, at.problem.called

    def steps(self, key: _Key, at: Situation, goal: Steps) -> tuple[int, int]:
        """Return bounds of a payoff that hangs on a number of tricks alone."""
        low, high = goal.span(at.problem, goal.start)
        need = goal.guess
        while low < high:
            need = min(max(need, low + 1), high)
            answer = self.reach(key, at, goal, goal.tricks(need)[0])
            if answer is None:
                break
            if answer:
                low = need
                need += 1
            else:
                high = need - 1
                need -= 1
        return low, high

    def reach(self, key: _Key, at: Situation, goal: Any, count: int) -> bool | None:
        """Whether a side reaches a count of tricks; None if a limit was reached."""
        problem, start = at.problem, goal.start
        known = self.tricks.setdefault(key, [start, start + problem.tricks])
        if known[0] < count <= known[1]:
            misere = not goal.credited & goal.side
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
            count = Count(goal.side, goal.side, sum(goal.start[0]), kind.target)
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
                offer.payoff = goal.machine.values[low]
                offer.makes = bool(offer.payoff)
                offer.outcome = "made" if offer.makes else "failed"
            else:
                self.tell(offer, goal, low, high)
            yield offer
            if contract.partner is not None and rules.contracts[offer.contract].side == "partner":
                yield replace(offer, declarer=contract.partner, partner=seat)

    def exchanged(self, contracts: list[Contract]) -> Offer:
        """Return the best of several contracts of a declarer, after the best exchange."""
        choice, number, most, spent = best_exchange(self.deal, contracts, self.solver, self.limit)
        self.nodes += spent
        offer = self.offer(choice.contract, choice.contract.declarer)
        for name, value in choice.exchange._asdict().items():
            setattr(offer, name, value)
        self.tell(offer, choice.goal, number, number)
        if offer.payoff is not None and most > choice.goal.values[number]:
            # Partners who exchange get the same.
            offer.bounds = offer.payoff, most // len(choice.contract.side)
            offer.payoff = offer.outcome = None
            if most > 0:
                offer.makes = offer.makes or None
        return offer

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

    def tell(self, offer: Offer, goal: Goal, low: int, high: int) -> None:
        """Fill in what a payoff means to the declarer, or what is known of it."""
        if low == high:
            offer.payoff, offer.makes, offer.outcome = told(goal, low)
            return
        offer.bounds = told(goal, low)[0], told(goal, high)[0]
        if goal.values[high] <= 0:
            offer.makes = False
