"""What contracts a seat could choose are worth on what it knows: averages over layouts.

Every contract is valued in the same layouts of the cards the seat does not see, all hands open from
the first card on, and judged by its own average. Trump, called card and what is put away are part
of what is chosen, never picked for each layout: who does not see the hands cannot do that either.

Of exchanges the few that pay most are found before, see `heats`. Where a card that is
turned up makes trumps each layout has its own, and for each trump there is an exchange. Left out
are, where cards are bids, contracts of two partners, whose cards the seat does not know.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

from spadille.analysis.chances.card_chances import nothing_valued
from spadille.analysis.chances.card_chances_result import Ended
from spadille.analysis.chances.contract_chances_result import BestChances
from spadille.analysis.chances.contract_rows import Asker, Prospect, ProspectSums, tables_of
from spadille.analysis.chances.exchange_choice import RULES, Batch, Tables, exchanges
from spadille.analysis.chances.exchange_heats import Heats
from spadille.analysis.chances.sampling_plan import Drawing, Trust
from spadille.analysis.chances.value_meaning import Meaning
from spadille.analysis.confidence_intervals import EPSILON, ERROR, clopper_pearson, error_at
from spadille.analysis.contracts.available_contracts import WantedContracts, alternatives
from spadille.base.cache_keys import key_of
from spadille.base.errors import ArgumentError, ContractError, DealError, whole_number
from spadille.base.input_words import many
from spadille.core.arguments import auction_words, check_deal, contract_types
from spadille.core.auction import spoken
from spadille.core.call_tree import Calls
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.conditioned_layouts import LayoutCondition
from spadille.core.knowledge.seat_knowledge import Discards, Knowledge, conditions, know
from spadille.core.reachable_contracts import reachable
from spadille.search.engine import DEFAULT_MEMORY

_TICK = 0.15  # seconds of work until what is known so far can be told
_LEAST_MEMORY = 1 << 20
_HEAT_TIME = 0.3  # the most of the time that goes into the choice of exchanges


def best_chances(
    deal: Deal,
    seat: str,
    contracts: str | Iterable[str] | None = None,
    *,
    trumps: Iterable[str] | None = None,
    auction: str | Iterable[str] = (),
    first: str | None = None,
    samples: int | None = None,
    seconds: float = 10,
    seed: int = 0,
    threads: int = 1,
    trust_auction: Trust = "no",
    discards: Discards = "uniform",
    where: LayoutCondition | Iterable[LayoutCondition] = (),
    memory: int = DEFAULT_MEMORY,
) -> BestChances:
    """Value the contracts a seat could choose on its own hand, as it was dealt, and exchanges.

    Of the deal only that hand need be known; where it has drawn cards and put none away, it is
    asked which. `contracts` and `trumps` as in `best`. `auction` are
    the calls it has heard, from `first` on, else eldest. It ends when the best is settled, after so
    many `samples` (None: however many it takes) or `seconds` (0: however long it takes). The same
    `seed` gives the same answer on any number of `threads`, unless time ends it. `discards`:
    whether others who exchange put away any cards, or no trumps ("keep-trumps"). `where`: functions
    of the deal, before exchanges, that tell which layouts there can be.

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
        drawing=Drawing(
            samples, seconds, seed, threads, trust_auction, discards, conditions(where)
        ),
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
        auction: str | Iterable[str] = (),
        first: str | None = None,
        drawing: Drawing,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        check_deal(deal)
        calls = auction_words(auction)
        if drawing.samples is None and not drawing.seconds:
            raise ArgumentError("without a limit of seconds give a number of samples")
        wanted = WantedContracts.of(deal.rules, [seat], trumps)
        if deal.is_ending:
            raise DealError(
                "an end position does not tell what hands were dealt, on which contracts are "
                "chosen",
                "chances-ending",
            )
        drawn = {seat: deal.drawn[seat]} if seat in deal.undecided else {}
        deal = replace(deal, drawn=drawn, discard={}, from_hand=())
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
            auction=calls,
            first=first,
            trust_auction=drawing.trust_auction,
            dealt=True,
            where=drawing.where,
        )
        self._drawing = drawing
        self._ended: Ended | None = None
        self._looks = 0
        self._error = ERROR  # of the last look
        self._apart = False
        kinds = contract_types(deal.rules, contracts)
        found, self._left_out = _choices(known, kinds, wanted, _at_turn(deal, seat, calls, first))
        if not found:
            raise ContractError(f"{seat} can choose none of these contracts", "nothing-to-choose")
        memory = whole_number(memory, 0, "memory is 0 bytes or more")
        self._rows = list(_rows(known, found, drawing.discards == "keep-trumps", memory))
        self._dealt = tables_of(known, self._rows)
        self._tables = Tables(known, drawing.discards == "keep-trumps")
        self._exact = drawing.all_of(self._tables)
        self._heats = Heats(self._rows, self._tables, drawing.seed)
        self._alive: list[Prospect] = []
        self._chunk = drawing.threads  # what is found does not hang on how much is done at a time

    @property
    def samples(self) -> int:
        """Layouts valued so far."""
        return min((len(found) for _, found in self._found()), default=0)

    def _found(self) -> list[tuple[Prospect, list[Meaning]]]:
        """Return what was found of each row; while exchanges are chosen, of those that lead."""
        if self._heats.over:
            return [(row, row.found) for row in self._rows]
        return self._heats.standing()

    def steps(self) -> Iterator[None]:
        """Value layouts until the best is settled or a limit is reached, a step at a time.

        An interruption that comes up meanwhile leaves what was valued in the steps before.
        """
        began = perf_counter()
        threads, seconds = self._drawing.threads, self._drawing.seconds
        self._ended = "interrupted"
        until = began + _HEAT_TIME * seconds if seconds else None
        self._tables.stop_at(until)
        yield from self._heats.steps(partial(self._values, until=until), max(threads, 4))
        self._alive = self._rows = self._heats.rows
        until = began + seconds if seconds else None
        self._tables.stop_at(until)
        for block in self._drawing.blocks(self._tables, self._exact):
            over = False
            for ranks in block:
                over = yield from self._valued(ranks, until)
            over = over or (until is not None and perf_counter() >= until)
            settled = self._all or (self.samples > 0 and self._settled(last=over))
            if settled or over:
                hurried = self._heats.hurried or (over and not self._all)
                self._ended = "seconds" if hurried else None
                return
        self._ended = "seconds" if self._heats.hurried else "samples"

    def _valued(self, ranks: Sequence[int], until: float | None) -> Generator[None, None, bool]:
        """Value layouts a step at a time; return whether the time was over before."""
        start = 0
        while start < len(ranks):
            at = perf_counter()
            some = ranks[start : start + self._chunk]
            found = self._values(self._rows, some, until)
            if found is None:
                # A layout counts when every contract has been valued in it.
                return True
            for row, values in zip(self._rows, found, strict=True):
                row.found += values
            start += len(some)
            pace = len(some) / max(perf_counter() - at, 1e-9)
            self._chunk = max(self._drawing.threads, min(int(pace * _TICK), 1 << 16))
            yield
        return False

    @property
    def _all(self) -> bool:
        """Whether all layouts were valued."""
        return self._exact and self._heats.over and self.samples == self._tables.count

    def _values(
        self, rows: Sequence[Prospect], ranks: Sequence[int], until: float | None
    ) -> list[list[Meaning]] | None:
        """Value layouts for all rows; None where the time is over before."""
        batch = Batch(self._dealt, self._tables, ranks)
        found = []
        for row in rows:
            left = 0.0 if until is None else until - perf_counter()
            if until is not None and left <= 0:
                return None
            values = row.values(batch, self._drawing.threads, left)
            if values is None:
                return None
            found.append(values)
        return found

    def _settled(self, *, last: bool) -> bool:
        """Look whether the best offer is certainly better than the others, or as good as they.

        The `last` look is one when the time is over.
        """
        number = self.samples
        columns = {row: row.column(number) for row in self._rows}
        self._looks += 1
        self._error = error_at(self._looks, last=last or number == self._drawing.samples)
        leader = max(self._rows, key=lambda row: columns[row].order)
        rivals = [row for row in self._alive if row is not leader]
        best = columns[leader]
        paid = best.paid
        if paid and not all(column.paid for column in columns.values()):
            return False  # nobody knows whether these pay more
        if paid:
            # These hold at every look, so that nothing of the error is spent.
            error = ERROR / max(len(self._rows) - 1, 1)
            found = {row: columns[row].behind_interval(best, error) or (0.0, 1.0) for row in rivals}
        else:
            error = self._error / max(len(rivals), 1)
            found = {row: columns[row].fewer_interval(best, error) for row in rivals}
        self._alive = [leader, *(row for row in rivals if found[row][0] <= 0)]
        close = EPSILON * (best.span[1] - best.span[0] if paid else 1)
        self._apart = all(low > 0 or high <= close for low, high in found.values())
        return self._apart

    def result(self) -> BestChances:
        """Say what is known so far; raises TooHardError where no layout has been valued yet."""
        known, chosen = self._known, self._heats.over
        rows = self._found()
        number = min((len(found) for _, found in rows), default=0)
        if not number:
            raise nothing_valued(known)
        exact = self._all
        columns = [ProspectSums(found[:number], row.kinds) for row, found in rows]
        paid = all(column.payoff is not None for column in columns)
        orders = [column.order for column in columns]
        best = max(columns, key=lambda column: column.order)
        most = [max(each) for each in zip(*(column.lows for column in columns), strict=True)]
        ranking = sorted(orders, reverse=True)
        error = error_at(self._looks + 1) if self._ended == "interrupted" else self._error
        # While exchanges are chosen these are the best of many, of all of which it must hold.
        many = 1 if chosen else self._heats.many
        shared = ERROR / max(len(columns) - 1, 1) if chosen else ERROR / many**2

        def figures(column: ProspectSums, order: tuple[float, ...]) -> dict[str, Any]:
            interval = None
            if not exact and column is not best:
                interval = column.behind_interval(best, shared)
            made = clopper_pearson(column.made, number, 1 - error / many)
            return {
                "made": column.made / number,
                "made_interval": None if exact else made,
                "payoff": column.payoff,
                "bounds": column.bounds,
                "payoff_interval": None if exact else column.interval(ERROR / many),
                "mean_tricks": column.tricks,
                "best_share": column.ahead(most) / number if paid and chosen else None,
                "behind": column.behind(best),
                "behind_interval": interval,
                "rank": 1 + ranking.index(order),
            }

        offers = [
            row.offer(**figures(column, order))
            for (row, _), column, order in zip(rows, columns, orders, strict=True)
        ]
        told = {offer.contract for offer in offers}
        ids = [row.contract.ids[0] for row in self._rows]
        missing = {name: "there was no time for it yet" for name in ids if name not in told}
        return BestChances(
            seat=known.seat,
            known=known.sentences,
            layouts=self._tables.count,
            samples=number,
            exact=exact,
            acceptance=known.acceptance,
            seed=self._drawing.seed,
            gauge=sum(most) / number - (best.payoff or 0) if paid and chosen else None,
            settled=exact or self._apart,
            ended=self._ended,
            left_out=self._left_out | missing,
            tried=self._heats.tried if chosen else None,
            assumed=tuple(self._assumed()),
            offers=tuple(sorted(offers, key=lambda offer: offer.rank)),
        )

    def _assumed(self) -> Iterator[str]:
        """Say what is supposed of exchanges, and which of them were looked at."""
        if not self._heats.over:
            yield (
                f"Stopped while the best of {self._heats.many} exchanges were chosen: these led "
                "so far, and the intervals are those of the best of many"
            )
        if any(row.turned for row in self._rows):
            yield "Each layout has the trump of the card that is turned up in it"
        if self._known.deal.drawn:
            yield (
                "Of the cards it holds only the lowest of suits that are no trumps were looked at "
                "to be put away, in a Misère the highest"
            )
        elif any(row.away for row in self._rows):
            yield (
                "Of exchanges only those were looked at that keep all trumps and put away the "
                "lowest cards of each other suit"
            )
        for name in dict.fromkeys(row.contract.ids[0] for row in self._rows if not row.told):
            yield (
                f"What {name} costs where it is lost hangs on the tricks of each opponent, and "
                "takes seconds a layout to tell: its payoff lies between two bounds, of which the "
                "first is sure"
            )
        for rule in dict.fromkeys(row.exchange.rule for row in self._rows):
            if rule is not None:
                yield f"{rule}: of all it holds when it has drawn, {RULES[rule]} are put away"
        kinds = [self._known.deal.rules.contracts[row.contract.ids[0]] for row in self._rows]
        if any(row.others for row in self._rows):
            yield (
                "Others who may exchange put away as many cards as they can, the lowest that are "
                "no trumps"
            )
        elif any(kind.exchange.who in ("opponents", "all") for kind in kinds):
            yield "What others put away is taken for any cards"


def _rows(
    known: Knowledge, contracts: Iterable[Contract], keep_trumps: bool, memory: int
) -> Iterator[Prospect]:
    """Yield each contract with each exchange; those that are asked about alike share the search."""
    rules = known.deal.rules
    askers: dict[object, Asker] = {}
    found = []
    for contract in contracts:
        best = rules.trump_cards(contract.trump)[: rules.held_pay]
        for exchange in exchanges(known, contract):
            held = tuple(card in known.own and card not in exchange.away for card in best)
            number = exchange.number if best else 0
            key = contract, key_of(exchange, "away", "rule", "number"), held, number
            if key not in askers:
                askers[key] = Asker(known, contract, exchange)
            found.append(Prospect(known, contract, exchange, askers[key], keep_trumps))
    room = max(memory // len(askers), min(memory, _LEAST_MEMORY)) if askers else memory
    for asker in askers.values():
        asker.open(room)
    return iter(found)


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


def _at_turn(deal: Deal, seat: str, calls: Sequence[str], first: str | None) -> list[str]:
    """Return the calls before the one a seat is about to make, or made last."""
    tree = Calls(deal)
    standing = tree.start()
    for said in tree.said([*calls, "*"]):
        standing = tree.after(said.standing, said.call)
    made = seat in standing.spoken and tree.to_call(standing) != seat
    return heard(deal, seat, calls, first) if made else [*calls]


def _choices(
    known: Knowledge, kinds: Iterable[Any], wanted: WantedContracts, heard: Sequence[str]
) -> tuple[list[Contract], dict[str, str]]:
    """List what the seat can choose, and the ids of contracts that cannot be valued, with why."""
    rules, seat = known.deal.rules, known.seat
    drawn = known.deal.drawn.get(seat, ())
    # It has bid on the hand it was dealt, and what it does not see shall not choose.
    hands = {other: known.deal.hands[seat] if other == seat else None for other in rules.seats}
    blind = replace(known.deal, hands=hands, talon=(), talon_ordered=False, drawn={})
    where = reachable(blind, heard=heard)
    found: list[Contract] = []
    left_out: dict[str, str] = {}
    for kind in kinds:
        pair = kind.side == "partner"
        if pair and rules.bidding.cards:
            left_out[kind.id] = "who will bid its suit, too, is not known"
            continue
        if drawn and (kind.exchange.who, kind.exchange.most) != ("side", len(drawn)):
            left_out[kind.id] = f"nobody draws {many(len(drawn), 'card')} for it alone"
            continue
        if kind.trump == "talon" and wanted.trumps is not None:
            left_out[kind.id] = "its trump is turned up, not chosen"
            continue
        legal = False
        for choice in alternatives(blind, kind, named=False, wanted=wanted):
            for contract in choice:
                if pair and contract.declarer != seat:
                    contract = replace(contract, declarers=(seat,), partner=contract.declarer)
                # What all play falls to a seat by the others' cards.
                if kind.side == "all" or where.allows(contract):
                    legal = True
                    found.append(contract)
        if not legal and not rules.bidding.cards:
            left_out[kind.id] = "no legal auction brings it about"
    return found, left_out
