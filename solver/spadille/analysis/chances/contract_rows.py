"""Contracts that could be chosen, as rows of what they are worth layout by layout."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import sub
from time import perf_counter
from typing import Any, TypeAlias

from spadille.analysis.chances.contract_chances_result import OfferChance
from spadille.analysis.chances.exchange_choice import (
    Batch,
    Numbering,
    Others,
    SeatExchange,
    drawing,
    others_of,
)
from spadille.analysis.chances.value_meaning import Kind, Meaning, Paying, kinds_of, layout_with
from spadille.analysis.confidence_intervals import Interval, bounded_mean, paired_difference
from spadille.core.call_tree import bid_of
from spadille.core.contract import Contract
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.search.encoding import situation
from spadille.search.engine import LayoutSolver
from spadille.search.limits import Limits
from spadille.search.question import Search

_SHORT = 1e-3  # seconds where none are left: 0 would be no limit
HandBits: TypeAlias = "array[int] | memoryview"


class Asker:
    """A contract as it is asked about in any layout, whatever was put away before."""

    def __init__(self, known: Knowledge, contract: Contract, exchange: SeatExchange) -> None:
        called = contract.called is not None
        partner = None if called else contract.partner
        own = drawing(known, contract, exchange)
        vars(own).update(partner=partner, partner_open=called)
        layout = layout_with(own, {})
        self.at = situation(own.deal_of(layout), own.contract_of(layout))
        found = kinds_of(own, self.at, Search(None, Limits()), forced=True)
        self.kinds = found.kinds
        self._found = found
        self._layouts: LayoutSolver | None = None
        self._paying: LayoutSolver | None = None

    def open(self, memory: int) -> None:
        """Make room for the search, so much for each of its tables."""
        self._layouts = self._asking(self.kinds, memory)
        paying = [kind.paying for kind in self.kinds if kind.paying is not None]
        if len(paying) == len(self.kinds):
            self._paying = self._asking(paying, memory)

    def _asking(self, asked: Sequence[Kind | Paying], memory: int) -> LayoutSolver:
        return LayoutSolver(
            self.at.problem,
            [(each.objective, each.state, each.guess) for each in asked],
            telling=self._found.telling,
            table=self._found.table,
            cards=False,
            memory=memory,
        )

    def values(self, hands: HandBits, threads: int, seconds: float) -> list[Meaning] | None:
        """Value layouts; None where a limit stopped it."""
        assert self._layouts is not None
        pairs = _asked(self._layouts, hands, threads, seconds)
        if pairs is None:
            return None
        found = [self.kinds[kind].meanings[value] for kind, value in pairs]
        if self._paying is None:
            return found
        players = self.at.problem.players
        more = []
        for number, (kind, value) in enumerate(pairs):
            paying = self.kinds[kind].paying
            assert paying is not None
            payoff = paying.settled[value]
            if payoff is None:
                more.append(number)
            else:
                found[number] = found[number]._replace(payoff=payoff)
        rest = array("Q", [h for n in more for h in hands[n * players : (n + 1) * players]])
        paid = _asked(self._paying, rest, threads, seconds)
        if paid is None:
            return None
        for number, (kind, value) in zip(more, paid, strict=True):
            paying = self.kinds[kind].paying
            assert paying is not None
            found[number] = found[number]._replace(payoff=paying.payoffs[value])
        return found


def _asked(
    layouts: LayoutSolver, hands: HandBits, threads: int, seconds: float
) -> list[tuple[int, int]] | None:
    """Return the question and the value of each layout; None where a limit stopped it."""
    raw = layouts.values(hands, threads=threads, seconds=seconds)
    if len(hands) and layouts.stopped is not None:
        return None
    numbers = memoryview(raw).cast("h").tolist()
    return list(zip(numbers[::2], numbers[1::2], strict=True))


class Prospect:
    """A contract after an exchange, and what was found of it, layout by layout."""

    def __init__(
        self,
        known: Knowledge,
        contract: Contract,
        exchange: SeatExchange,
        asker: Asker,
        keep_trumps: bool,
    ) -> None:
        self.contract = contract
        self.exchange = exchange
        self.asker = asker
        self._known = known
        self.others: Others | None = None
        if keep_trumps:
            self.others = others_of(known, contract, asker.at.encoding)
        self.found: list[Meaning] = []
        self.by_trump: Mapping[str | None, tuple[str, ...]] | None = None

    @property
    def trump(self) -> str | None:
        """In whose numbers its hands are."""
        return self.contract.trump

    @property
    def told(self) -> bool:
        """Whether it is known in every layout what it pays."""
        meanings = [each for kind in self.kinds for each in kind.meanings.values()]
        return all(each.bounds is None for each in meanings)

    @property
    def turned(self) -> bool:
        """Whether a card makes the trump that is turned up: it counts in such layouts only."""
        return self._known.deal.rules.contracts[self.contract.ids[0]].trump == "talon"

    @property
    def away(self) -> Mapping[str | None, tuple[str, ...]]:
        """What is put away, by trump; empty where nothing is."""
        return {self.trump: self.exchange.away} if self.exchange.away else {}

    def values(self, batch: Batch, threads: int, seconds: float) -> list[Meaning] | None:
        """Value the layouts in which it can be played; None where a limit stopped it."""
        if self.turned:
            batch = batch.part(batch.turned(self.trump))
        if not batch.ranks:
            return []
        hands = batch.dealt(self.trump).after(self.exchange, self.others)
        return self.asker.values(hands, threads, seconds)

    def column(self, number: int) -> ProspectSums:
        """Sum up so many layouts."""
        return ProspectSums(self.found[:number], self.kinds)

    @property
    def kinds(self) -> Sequence[Kind]:
        """What is asked."""
        return self.asker.kinds

    def offer(self, **figures: Any) -> OfferChance:
        """Say what was found of the contract."""
        contract, rules = self.contract, self._known.deal.rules
        bid, height = bid_of(rules, contract)
        return OfferChance(
            self._known.seat,
            contract.ids[0],
            None if self.turned else contract.trump,
            contract.called,
            contract.partner,
            contract.penalty,
            self.exchange.away,
            self.by_trump,
            self.exchange.rule,
            self.exchange.from_hand,
            bid,
            height,
            **figures,
        )


class Turned(Prospect):
    """A contract whose trump is turned up: in each layout that of its talon."""

    def __init__(self, rows: Sequence[Prospect]) -> None:
        first = rows[0]
        super().__init__(first._known, first.contract, SeatExchange(), first.asker, False)
        self.parts = rows
        self.others = first.others
        self.by_trump = {row.trump: row.exchange.away for row in rows}

    def values(self, batch: Batch, threads: int, seconds: float) -> list[Meaning] | None:
        """Value all layouts; None where a limit stopped it."""
        found: dict[int, Meaning] = {}
        began = perf_counter()
        for row in self.parts:
            left = seconds and max(seconds - (perf_counter() - began), _SHORT)
            each = row.values(batch, threads, left)
            if each is None:
                return None
            found |= zip(batch.turned(row.trump), each, strict=True)
        return [found[number] for number in range(len(batch.ranks))]

    @property
    def away(self) -> Mapping[str | None, tuple[str, ...]]:
        """What is put away, by trump; empty where nothing is."""
        return {trump: cards for trump, cards in (self.by_trump or {}).items() if cards}

    @property
    def kinds(self) -> Sequence[Kind]:
        """What is asked in any of the trumps."""
        return [kind for row in self.parts for kind in row.kinds]


def turned_together(rows: Sequence[Prospect]) -> list[Prospect]:
    """Make one row of the trumps of a contract whose trump is turned up, the last ones then."""
    found: dict[str, list[Prospect]] = {}
    for row in rows:
        if row.turned:
            found.setdefault(row.contract.ids[0], []).append(row)
    return [*(row for row in rows if not row.turned), *map(Turned, found.values())]


class ProspectSums:
    """The sums of a contract over all layouts, in their order."""

    def __init__(self, found: Sequence[Meaning], kinds: Sequence[Kind]) -> None:
        self.number = len(found)
        self._makes = [each.made for each in found]
        self.made = sum(self._makes)
        payoffs = [_between(each) for each in found]
        known = [each for each in payoffs if each is not None]
        self.paid = len(known) == len(found)
        """Whether there is a payoff in each layout, or what it lies between."""
        self.lows = [low for low, _ in known] if self.paid else [0] * len(found)
        self.highs = [high for _, high in known] if self.paid else self.lows
        mean = sum(self.lows) / len(found), sum(self.highs) / len(found)
        self._told = self.paid and self.lows == self.highs
        self.payoff = mean[0] if self._told else None
        self.bounds = mean if self.paid and not self._told else None
        tricks = [each.tricks for each in found if each.tricks is not None]
        self.tricks = sum(tricks) / len(found) if len(tricks) == len(found) else None
        span = [payoff for kind in kinds for payoff in _payoffs(kind)]
        self.span = min(span, default=0), max(span, default=0)

    @property
    def order(self) -> tuple[float, ...]:
        """What offers are ranked by, the greatest first: by sure payoff, those that have none last.

        Contracts of different stakes do not compare by how often they make.
        """
        return self.paid, sum(self.lows) / self.number, self.made, self.tricks or 0.0

    def interval(self, error: float) -> Interval | None:
        """Bound the mean payoff."""
        return _mean_between(self.lows, self.highs, self.span, error) if self.paid else None

    def ahead(self, most: Sequence[int]) -> int:
        """Count the layouts in which nothing pays more."""
        return sum(map(int.__eq__, self.lows, most))

    def behind(self, leader: ProspectSums) -> float | None:
        """Return by how much it pays less than another on average; None where that is not told."""
        if self.payoff is None or leader.payoff is None:
            return None
        return (sum(leader.lows) - sum(self.lows)) / self.number

    def behind_interval(self, leader: ProspectSums, error: float) -> Interval | None:
        """Bound that, the differences being those in the same layouts."""
        if not (self.paid and leader.paid):
            return None
        return _mean_between(
            list(map(sub, leader.lows, self.highs)),
            list(map(sub, leader.highs, self.lows)),
            (leader.span[0] - self.span[1], leader.span[1] - self.span[0]),
            error,
        )

    def fewer_interval(self, leader: ProspectSums, error: float) -> Interval:
        """Bound by how much it makes less often than another, in the same layouts."""
        pairs = list(zip(leader._makes, self._makes, strict=True))
        ahead = sum(one and not other for one, other in pairs)
        behind = sum(other and not one for one, other in pairs)
        return paired_difference(ahead, behind, self.number, error)


def _payoffs(kind: Kind) -> list[int]:
    if kind.paying is not None:
        payoffs = (*kind.paying.payoffs, *kind.paying.settled.values())
        return [payoff for payoff in payoffs if payoff is not None]
    return [payoff for each in kind.meanings.values() for payoff in _between(each) or ()]


def _between(found: Meaning) -> tuple[int, int] | None:
    """Return between what a payoff lies; None where nothing is known of it."""
    return found.bounds if found.payoff is None else (found.payoff, found.payoff)


def _mean_between(
    lows: Sequence[int], highs: Sequence[int], span: tuple[int, int], error: float
) -> Interval:
    """Bound the mean of what lies between two numbers in each layout."""
    if lows == highs:
        return bounded_mean(Counter(lows), *span, error)
    # Each side may err with half of it.
    low, _ = bounded_mean(Counter(lows), *span, error / 2)
    _, high = bounded_mean(Counter(highs), *span, error / 2)
    return low, high


def tables_of(known: Knowledge, rows: Sequence[Prospect]) -> dict[str | None, Numbering]:
    """Return the numbers of each trump the rows are played in."""
    found: dict[str | None, Numbering] = {}
    for row in rows:
        if row.trump not in found:
            found[row.trump] = Numbering(known, row.asker.at)
    return found
