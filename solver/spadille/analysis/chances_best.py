"""What contracts a seat could choose are worth on what it knows: averages over layouts.

Every contract is valued in the same layouts of the cards the seat does not see, all hands open from
the first card on, and judged by its own average. Trump and called card are part of what is chosen,
never picked for each layout: who does not see the hands cannot do that either.

All contracts are played with the hands as they were dealt, also those with an exchange. Left out
are those of several declarers, those whose trump a card decides that nobody has seen yet, and where
cards are bids those of two partners, whose cards the seat does not know.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from spadille.analysis.chances import unranker
from spadille.analysis.chances_offers import BestChances, OfferChance
from spadille.analysis.chances_result import Ended
from spadille.analysis.chances_worth import Kind, Meaning, kinds_of
from spadille.analysis.contracts import Wanted, alternatives
from spadille.analysis.drawing import Drawing, Trust, words_of
from spadille.analysis.intervals import ERROR, Interval, bounded_mean, clopper_pearson
from spadille.analysis.offers import bid_of
from spadille.asked import check_deal, contract_types
from spadille.auction import spoken
from spadille.contract import Contract
from spadille.deal import Deal
from spadille.errors import ArgumentError, ContractError, DealError
from spadille.knowledge.known import Knowledge, know
from spadille.search.encoding import situation
from spadille.search.engine import DEFAULT_MEMORY, Layouts
from spadille.search.limits import Limits, TooHardError
from spadille.search.question import Search

_TICK = 0.15  # seconds of work until what is known so far can be told
_LEAST_MEMORY = 1 << 20


def best_chances(
    deal: Deal,
    seat: str,
    contracts: str | Iterable[str] | None = None,
    *,
    trumps: Iterable[str] | None = None,
    auction: Sequence[str] = (),
    first: str | None = None,
    samples: int | None = None,
    seconds: float = 10,
    seed: int = 0,
    threads: int = 1,
    trust_auction: Trust = "no",
    memory: int = DEFAULT_MEMORY,
) -> BestChances:
    """Value the contracts a seat could choose on its own hand, as it was dealt.

    Of the deal only that hand need be known. `contracts` and `trumps` as in `best`. `auction` are
    the calls it has heard, from `first` on, else eldest. It ends after so many `samples` (None: as
    many as there is time for) or `seconds` (0: however long it takes). The same `seed` gives the
    same answer on any number of `threads`, unless time ends it.

    Raises DealError for a record that cannot have been, and for end positions, ContractError where
    the seat can choose none of the contracts, ArgumentError for other arguments.
    """
    asked = Choosing(
        deal,
        seat,
        contracts,
        trumps=trumps,
        auction=auction,
        first=first,
        drawing=Drawing(samples, seconds, seed, threads, trust_auction),
        memory=memory,
    )
    for _ in asked.steps():
        pass
    return asked.result()


class Choosing:
    """The same step by step, for who wants to know how it stands: see `best_chances`."""

    def __init__(
        self,
        deal: Deal,
        seat: str,
        contracts: str | Iterable[str] | None = None,
        *,
        trumps: Iterable[str] | None = None,
        auction: Sequence[str] = (),
        first: str | None = None,
        drawing: Drawing,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        check_deal(deal)
        if drawing.samples is None and not drawing.seconds:
            raise ArgumentError("without a limit of seconds give a number of samples")
        wanted = Wanted.of(deal.rules, [seat], trumps)
        if deal.is_ending:
            raise DealError(
                "an end position does not tell what hands were dealt, on which contracts are "
                "chosen",
                "chances-ending",
            )
        deal = replace(deal, drawn={}, discard={}, from_hand=())
        # A contract that says nothing of the cards: the layouts are the same whatever is asked.
        kind = next(
            kind
            for kind in deal.rules.contracts.values()
            if kind.side not in ("all", "called", "partner")
            and kind.holder is None
            and kind.trump != "talon"
        )
        self._known = known = know(
            deal,
            Contract((seat,), (kind.id,), deal.rules.allowed_trumps(kind, deal)[0]),
            seat,
            auction=auction,
            first=first,
            trust_auction=drawing.trust_auction,
            dealt=True,
        )
        self._drawing = drawing
        self._exact = drawing.all_of(known.layouts)
        self._ended: Ended | None = None
        chosen, self._left_out = _choices(known, contract_types(deal.rules, contracts), wanted)
        if not chosen:
            raise ContractError(f"{seat} can choose none of these contracts", "nothing-to-choose")
        room = max(memory // len(chosen), min(memory, _LEAST_MEMORY))
        self._rows = [_Row(known, contract, room) for contract in chosen]

    @property
    def samples(self) -> int:
        """Layouts valued so far."""
        return min(len(row.found) for row in self._rows)

    def steps(self) -> Iterator[None]:
        """Value layouts until a limit is reached, a step at a time.

        An interruption that comes up meanwhile leaves what was valued in the steps before.
        """
        began = perf_counter()
        threads, seconds = self._drawing.threads, self._drawing.seconds
        chunk = threads  # what is found does not hang on how much is done at a time
        self._ended = "interrupted"
        for ranks in self._drawing.parts(self._known.layouts, self._exact):
            start = 0
            while start < len(ranks):
                at = perf_counter()
                some = words_of(ranks[start : start + chunk])
                found = []
                for row in self._rows:
                    left = seconds - (perf_counter() - began) if seconds else 0.0
                    values = None
                    if not seconds or left > 0:
                        values = row.values(some, threads, left)
                    if values is None:
                        # A layout counts when every contract has been valued in it.
                        self._ended = "seconds"
                        return
                    found.append(values)
                for row, values in zip(self._rows, found, strict=True):
                    row.found += values
                done = len(found[0])
                start += done
                pace = done / max(perf_counter() - at, 1e-9)
                chunk = max(threads, min(int(pace * _TICK), 1 << 16))
                yield
        self._ended = None if self._exact else "samples"

    def result(self) -> BestChances:
        """Say what is known so far; raises TooHardError where no layout has been valued yet."""
        number = self.samples
        if not number:
            raise TooHardError("the time was over before a layout was valued", "interrupted")
        known = self._known
        exact = self._exact and number == known.layouts.count
        columns = [row.column(number) for row in self._rows]
        paid = all(column.payoff is not None for column in columns)
        # By payoff, where all have one: contracts of different stakes do not compare by making.
        orders = [column.order(paid) for column in columns]
        leader = max(range(len(columns)), key=orders.__getitem__)
        most = [max(each) for each in zip(*(column.payoffs for column in columns), strict=True)]
        ranking = sorted(orders, reverse=True)
        error = ERROR / max(len(columns) - 1, 1)
        offers = []
        for row, column, order in zip(self._rows, columns, orders, strict=True):
            best = columns[leader]
            offers.append(
                row.offer(
                    made=column.made / number,
                    made_interval=None if exact else clopper_pearson(column.made, number),
                    payoff=column.payoff,
                    payoff_interval=None if exact else column.interval(),
                    mean_tricks=column.tricks,
                    best_share=column.ahead(most) / number if paid else None,
                    behind=column.behind(best) if paid else None,
                    behind_interval=None
                    if exact or not paid or column is best
                    else column.behind_interval(best, error),
                    rank=1 + ranking.index(order),
                )
            )
        gauge = sum(most) / number - (columns[leader].payoff or 0) if paid else None
        rest = [offer for offer in offers if offer.rank > 1]
        apart = paid and all(
            (offer.behind_interval or (offer.behind or 0, 0))[0] > 0 for offer in rest
        )
        return BestChances(
            known.seat,
            known.sentences,
            known.layouts.count,
            number,
            exact,
            1.0,
            self._drawing.seed,
            gauge,
            exact or apart,
            self._ended,
            self._left_out,
            tuple(sorted(offers, key=lambda offer: offer.rank)),
        )


def heard(deal: Deal, seat: str, calls: Sequence[str], first: str | None = None) -> list[str]:
    """Return the calls a seat had heard when it last spoke; bid cards are shown all at once."""
    if deal.rules.bidding.cards is not None:
        return []
    last = before = 0
    for number in range(len(calls)):
        found = spoken(deal, calls[: number + 1], first)
        if len(found) > before and found[-1].seat == seat:
            last = number
        before = len(found)
    return [*calls[:last]]


def _choices(
    known: Knowledge, kinds: Iterable[Any], wanted: Wanted
) -> tuple[list[Contract], tuple[str, ...]]:
    """List what the seat can choose, and the ids of contracts that cannot be valued."""
    rules, seat = known.deal.rules, known.seat
    hands = {other: known.own if other == seat else None for other in rules.seats}
    # What it does not see shall not choose.
    blind = replace(known.deal, hands=hands, talon=(), talon_ordered=False)
    found: list[Contract] = []
    left_out: list[str] = []
    for kind in kinds:
        pair = kind.side == "partner"
        if kind.side == "all" or kind.trump == "talon" or (pair and rules.bidding.cards):
            left_out.append(kind.id)
            continue
        for choice in alternatives(blind, kind, named=False, wanted=wanted):
            for contract in choice:
                if pair and contract.declarer != seat:
                    contract = replace(contract, declarers=(seat,), partner=contract.declarer)
                if rules.bidding.can_bid(blind, contract):
                    found.append(contract)
    return found, tuple(left_out)


class _Row:
    """A contract and what was found of it, layout by layout."""

    def __init__(self, known: Knowledge, contract: Contract, memory: int) -> None:
        called = contract.called is not None
        partner = None if called else contract.partner
        contract = replace(contract, partner=partner)
        own = replace(known, contract=contract, partner=partner, partner_open=called)
        vars(own)["layouts"] = known.layouts  # numbered alike for all contracts
        layout = known.layouts.unrank(0)
        self.contract = contract
        self.rules = known.deal.rules
        at = situation(own.deal_of(layout), own.contract_of(layout))
        kinds = kinds_of(own, at, Search(None, Limits()))
        self.kinds = kinds.kinds
        self._unranker = unranker(known, at)
        self._layouts = Layouts(
            at.problem,
            [(kind.objective, kind.state, kind.guess) for kind in kinds.kinds],
            telling=kinds.telling,
            table=kinds.table,
            cards=False,
            memory=memory,
        )
        self.found: list[Meaning] = []

    def values(self, ranks: array[int], threads: int, seconds: float) -> list[Meaning] | None:
        """Value layouts; None where a limit stopped it."""
        hands = self._unranker.hands(ranks)
        raw = self._layouts.values(hands, threads=threads, seconds=seconds)
        if self._layouts.stopped is not None:
            return None
        numbers = memoryview(raw).cast("h").tolist()
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return [self.kinds[kind].meanings[value] for kind, value in pairs]

    def column(self, number: int) -> _Column:
        """Sum up so many layouts."""
        return _Column(self.found[:number], self.kinds)

    def offer(self, **figures: Any) -> OfferChance:
        """Say what was found of the contract."""
        contract = self.contract
        kind = self.rules.contracts[contract.ids[0]]
        bid, height = bid_of(self.rules, contract)
        return OfferChance(
            contract.declarer,
            kind.id,
            contract.trump,
            contract.called,
            contract.partner,
            bid,
            height,
            kind.exchange.who != "none",
            **figures,
        )


class _Column:
    """The sums of a contract over all layouts, in their order."""

    def __init__(self, found: Sequence[Meaning], kinds: Sequence[Kind]) -> None:
        self.number = len(found)
        self.made = sum(each.made for each in found)
        known = [each.payoff for each in found if each.payoff is not None]
        self.payoffs = known if len(known) == len(found) else [0] * len(found)
        self.payoff = sum(known) / len(found) if len(known) == len(found) else None
        tricks = [each.tricks for each in found if each.tricks is not None]
        self.tricks = sum(tricks) / len(found) if len(tricks) == len(found) else None
        all_payoffs = [m.payoff for kind in kinds for m in kind.meanings.values()]
        span = [payoff for payoff in all_payoffs if payoff is not None]
        self.span = min(span, default=0), max(span, default=0)

    def order(self, paid: bool) -> tuple[float, ...]:
        """What offers are ranked by, the greatest first."""
        payoff = (self.payoff or 0.0,) if paid else ()
        return (*payoff, self.made, self.tricks or 0.0)

    def interval(self) -> Interval | None:
        """Bound the mean payoff."""
        if self.payoff is None:
            return None
        return bounded_mean(Counter(self.payoffs), *self.span)

    def ahead(self, most: Sequence[int]) -> int:
        """Count the layouts in which nothing pays more."""
        return sum(map(int.__eq__, self.payoffs, most))

    def behind(self, leader: _Column) -> float:
        """Return by how much it pays less than another on average."""
        return (sum(leader.payoffs) - sum(self.payoffs)) / self.number

    def behind_interval(self, leader: _Column, error: float) -> Interval:
        """Bound that, the differences being those in the same layouts."""
        pairs = zip(leader.payoffs, self.payoffs, strict=True)
        low, high = leader.span[0] - self.span[1], leader.span[1] - self.span[0]
        return bounded_mean(Counter(one - other for one, other in pairs), low, high, error)
