"""Candidate contracts as rows, with one value per layout."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import sub
from typing import Any, NamedTuple, TypeAlias

from spadille.analysis.chances.contract_chances_result import OfferChance
from spadille.analysis.chances.exchange_from_own_hand import (
    Batch,
    Numbering,
    SeatExchange,
    Tables,
    before_draw,
    others_of,
)
from spadille.analysis.chances.sampling_loop import Clock
from spadille.analysis.chances.sampling_settings import RankedBy
from spadille.analysis.chances.value_meaning import Kind, Meaning, kinds_of, layout_with
from spadille.analysis.confidence_intervals import Interval, bounded_mean
from spadille.core.call_tree import bid_of
from spadille.core.contract import Contract
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.core.knowledge.starting_knowledge import Discards
from spadille.search.encoding import situation
from spadille.search.engine import LayoutSolver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits

HandBits: TypeAlias = "array[int] | memoryview"


class Asker:
    """Values a contract in any layout after given discards."""

    def __init__(self, known: Knowledge, contract: Contract, exchange: SeatExchange) -> None:
        called = contract.called is not None
        partner = None if called else contract.partner
        at_play = before_draw(known, contract, exchange)
        vars(at_play).update(partner=partner, partner_open=called)
        layout = layout_with(at_play, {})
        self.at = situation(at_play.deal_of(layout), at_play.contract_of(layout))
        self._asked = kinds_of(at_play, self.at, Search(None, Limits()), forced=True)
        self.kinds = self._asked.kinds
        self._layouts: LayoutSolver | None = None
        self._paying: LayoutSolver | None = None

    def open(self, memory: int) -> None:
        """Create the solvers, each with a table of `memory` bytes."""
        self._layouts = self._asked.solver(self.kinds, self.at, memory, cards=False)
        paying = [kind.paying for kind in self.kinds if kind.paying is not None]
        if len(paying) == len(self.kinds):
            self._paying = self._asked.solver(paying, self.at, memory, cards=False)

    def values(self, hands: HandBits, threads: int, clock: Clock) -> list[Meaning] | None:
        """Value layouts; return None if a limit stops the search."""
        assert self._layouts is not None
        pairs = _values(self._layouts, hands, threads, clock)
        if pairs is None:
            return None
        meanings = [self.kinds[kind].meanings[value] for kind, value in pairs]
        if self._paying is None:
            return meanings
        players = self.at.problem.players
        open_ones = []
        for number, (kind, value) in enumerate(pairs):
            paying = self.kinds[kind].paying
            assert paying is not None
            payoff = paying.settled[value]
            if payoff is None:
                open_ones.append(number)
            else:
                meanings[number] = meanings[number]._replace(payoff=payoff)
        rest = array("Q", [h for n in open_ones for h in hands[n * players : (n + 1) * players]])
        paid = _values(self._paying, rest, threads, clock)
        if paid is None:
            return None
        for number, (kind, value) in zip(open_ones, paid, strict=True):
            paying = self.kinds[kind].paying
            assert paying is not None
            meanings[number] = meanings[number]._replace(payoff=paying.payoffs[value])
        return meanings


def _values(
    layouts: LayoutSolver, hands: HandBits, threads: int, clock: Clock
) -> list[tuple[int, int]] | None:
    """Return the question and the value of each layout; None if a limit stops the search."""
    raw = layouts.values(hands, threads=threads, seconds=clock.left)
    if len(hands) and layouts.stopped is not None:
        return None
    numbers = memoryview(raw).cast("h").tolist()
    return list(zip(numbers[::2], numbers[1::2], strict=True))


class Prospect:
    """A contract with one exchange, and its value in each layout."""

    def __init__(
        self,
        known: Knowledge,
        contract: Contract,
        exchange: SeatExchange,
        asker: Asker,
        discards: Discards,
    ) -> None:
        self.contract = contract
        self.exchange = exchange
        self.asker = asker
        self._known = known
        self.others = others_of(known, contract, asker.at.encoding, discards)
        self.meanings: list[Meaning] = []
        self.by_trump: Mapping[str | None, tuple[str, ...]] | None = None

    @property
    def trump(self) -> str | None:
        """The trump, which determines how the cards are numbered."""
        return self.contract.trump

    @property
    def pays_for_certain(self) -> bool:
        """Whether the payoff is known in every layout."""
        meanings = [meaning for kind in self.kinds for meaning in kind.meanings.values()]
        return all(meaning.bounds is None for meaning in meanings)

    @property
    def turned(self) -> bool:
        """Whether a turned-up card makes trumps; the row counts only in layouts with that card."""
        return self._known.deal.rules.contracts[self.contract.ids[0]].trump == "talon"

    @property
    def away(self) -> Mapping[str | None, tuple[str, ...]]:
        """The discarded cards, by trump; empty if there are none."""
        return {self.trump: self.exchange.away} if self.exchange.away else {}

    def values(self, batch: Batch, threads: int, clock: Clock) -> list[Meaning] | None:
        """Value the layouts in which the contract can be played; return None if time runs out."""
        if self.turned:
            batch = batch.part(batch.turned(self.trump))
        if not batch.ranks:
            return []
        hands = batch.dealt(self.trump).after(self.exchange, self.others)
        return self.asker.values(hands, threads, clock)

    def column(self) -> ProspectSums:
        """Return the sums over the layouts valued so far."""
        return ProspectSums(self.meanings, self.kinds)

    @property
    def kinds(self) -> Sequence[Kind]:
        """The kinds of questions about the layouts."""
        return self.asker.kinds

    def offer(self, **figures: Any) -> OfferChance:
        """Return the values of the contract as an offer."""
        contract, rules = self.contract, self._known.deal.rules
        bid, height = bid_of(rules, contract)
        return OfferChance(
            declarer=self._known.seat,
            contract=contract.ids[0],
            trump=None if self.turned else contract.trump,
            called=contract.called,
            partner=contract.partner,
            penalty=contract.penalty,
            discard=self.exchange.away,
            by_trump=self.by_trump,
            rule=self.exchange.rule,
            from_hand=self.exchange.from_hand,
            bid=bid,
            height=height,
            **figures,
        )


class Turned(Prospect):
    """A contract with a turned-up trump; each layout's talon determines its trump."""

    def __init__(self, rows: Sequence[Prospect]) -> None:
        first = rows[0]
        super().__init__(first._known, first.contract, SeatExchange(), first.asker, "uniform")
        self.parts = rows
        self.others = first.others
        self.by_trump = {row.trump: row.exchange.away for row in rows}

    def values(self, batch: Batch, threads: int, clock: Clock) -> list[Meaning] | None:
        """Value all layouts; return None if a limit stops the search."""
        by_layout: dict[int, Meaning] = {}
        for row in self.parts:
            meanings = row.values(batch, threads, clock)
            if meanings is None:
                return None
            by_layout |= zip(batch.turned(row.trump), meanings, strict=True)
        return [by_layout[number] for number in range(len(batch.ranks))]

    @property
    def away(self) -> Mapping[str | None, tuple[str, ...]]:
        """The discarded cards, by trump; empty if there are none."""
        return {trump: cards for trump, cards in (self.by_trump or {}).items() if cards}

    @property
    def kinds(self) -> Sequence[Kind]:
        """The kinds of questions about the layouts, for all trumps."""
        return [kind for row in self.parts for kind in row.kinds]


def turned_together(rows: Sequence[Prospect]) -> list[Prospect]:
    """Merge the rows of each contract with a turned-up trump into one; merged rows come last."""
    by_contract: dict[str, list[Prospect]] = {}
    for row in rows:
        if row.turned:
            by_contract.setdefault(row.contract.ids[0], []).append(row)
    return [*(row for row in rows if not row.turned), *map(Turned, by_contract.values())]


class ProspectSums:
    """A contract's values layout by layout, and their sums and means."""

    def __init__(self, meanings: Sequence[Meaning], kinds: Sequence[Kind]) -> None:
        self.number = len(meanings)
        self.makes = [meaning.made for meaning in meanings]
        self.made = sum(self.makes)
        payoffs = [_between(meaning) for meaning in meanings]
        known = [bounds for bounds in payoffs if bounds is not None]
        self.paid = len(known) == len(meanings)
        """Whether the payoff, or a lower and an upper bound on it, is known in each layout."""
        self.lows = [low for low, _ in known] if self.paid else [0] * len(meanings)
        self.highs = [high for _, high in known] if self.paid else self.lows
        mean = sum(self.lows) / len(meanings), sum(self.highs) / len(meanings)
        exact = self.paid and self.lows == self.highs
        self.payoff = mean[0] if exact else None
        self.bounds = mean if self.paid and not exact else None
        tricks = [meaning.tricks for meaning in meanings if meaning.tricks is not None]
        self.tricks = sum(tricks) / len(meanings) if len(tricks) == len(meanings) else None
        span = [payoff for kind in kinds for payoff in _payoffs(kind)]
        self.span = min(span, default=0), max(span, default=0)

    def order(self, by: RankedBy = "payoff") -> tuple[float, ...]:
        """Return the sort key of offers; greater is better.

        By default, the guaranteed payoff decides, and offers with unknown payoffs come last.
        """
        payoff = (self.paid, sum(self.lows) / self.number)
        made = (self.made,)
        first = (*payoff, *made) if by == "payoff" else (*made, *payoff)
        return (*first, self.tricks or 0.0)

    def interval(self, error: float) -> Interval | None:
        """Return the confidence interval for the mean payoff."""
        return _mean_between(self.lows, self.highs, self.span, error) if self.paid else None

    def range(self, by: RankedBy) -> tuple[int, int]:
        """Return the lowest and highest value in any layout; by "made", these are 0 and 1."""
        return self.span if by == "payoff" else (0, 1)

    def ahead(self, most: Sequence[int]) -> int:
        """Count the layouts in which no other contract pays more."""
        return sum(map(int.__eq__, self.lows, most))

    def behind(self, leader: ProspectSums, by: RankedBy = "payoff") -> float | None:
        """Return how much less the contract pays on average than the leader; None if unknown.

        With `by` = "made", return how much less often the contract makes. Only the layouts of this
        contract count; the leader was valued in all of them too.
        """
        if by == "made":
            return (sum(leader.makes[: self.number]) - self.made) / self.number
        if self.payoff is None or leader.payoff is None:
            return None
        return (sum(leader.lows[: self.number]) - sum(self.lows)) / self.number

    def behind_interval(
        self, leader: ProspectSums, error: float, by: RankedBy = "payoff"
    ) -> Interval | None:
        """Return the confidence interval of `behind`, from the difference in each layout.

        The interval is valid at all looks together (see `bounded_mean`).
        """
        span = leader.range(by)[0] - self.range(by)[1], leader.range(by)[1] - self.range(by)[0]
        if by == "made":
            return bounded_mean(Counter(map(sub, leader.makes, self.makes)), *span, error)
        if not (self.paid and leader.paid):
            return None
        return _mean_between(
            list(map(sub, leader.lows, self.highs)),
            list(map(sub, leader.highs, self.lows)),
            span,
            error,
        )


def made_by_some(columns: Iterable[ProspectSums]) -> int:
    """Among the layouts valued for every contract, count those in which some contract makes."""
    return sum(map(any, zip(*(column.makes for column in columns), strict=False)))


def _payoffs(kind: Kind) -> Sequence[int]:
    if kind.paying is not None:
        return kind.paying.span
    return [payoff for meaning in kind.meanings.values() for payoff in _between(meaning) or ()]


def _between(meaning: Meaning) -> tuple[int, int] | None:
    return meaning.bounds if meaning.payoff is None else (meaning.payoff, meaning.payoff)


def _mean_between(
    lows: Sequence[int], highs: Sequence[int], span: tuple[int, int], error: float
) -> Interval:
    """Return an interval for a mean, given lower and upper bounds on each value."""
    if lows == highs:
        return bounded_mean(Counter(lows), *span, error)
    # Each end of the interval may use half of the error.
    low, _ = bounded_mean(Counter(lows), *span, error / 2)
    _, high = bounded_mean(Counter(highs), *span, error / 2)
    return low, high


def tables_of(known: Knowledge, rows: Sequence[Prospect]) -> dict[str | None, Numbering]:
    """Return the card numbering for each trump that occurs in the rows."""
    numberings: dict[str | None, Numbering] = {}
    for row in rows:
        if row.trump not in numberings:
            numberings[row.trump] = Numbering(known, row.asker.at)
    return numberings


class LayoutRows(NamedTuple):
    """Values rows in layouts; a layout's rank determines its hands and the order of its talon."""

    by_trump: Mapping[str | None, Numbering]
    tables: Tables
    threads: int

    def values(
        self, rows: Sequence[Prospect], ranks: Sequence[int], clock: Clock
    ) -> list[list[Meaning]] | None:
        """Value the layouts with these ranks for all rows; return None if time runs out first."""
        batch = Batch(self.by_trump, self.tables, ranks)
        values = []
        for row in rows:
            meanings = None if clock.over else row.values(batch, self.threads, clock)
            if meanings is None:
                return None
            values.append(meanings)
        return values
