"""Value the contracts a seat could choose given what it knows, averaged over the layouts.

All contracts are valued double-dummy from the first card, in the same layouts of the unseen cards,
and ranked by their average payoffs or by how often they make. Trump, called card and exchange are
part of the choice and stay the same in every layout, since a player who cannot see the other hands
could not adapt them.

First, `exchange_heats` picks the few exchanges that pay most. If a turned-up card makes trumps,
each layout has its own trump, and an exchange is chosen for each trump. In games with bid cards,
contracts between two partners are left out because the seat does not know the partner's hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from spadille.analysis.chances.belief import believing
from spadille.analysis.chances.card_chances_result import Ended
from spadille.analysis.chances.choosable_contracts import choosable
from spadille.analysis.chances.contract_chances_result import BestChances, OfferChance
from spadille.analysis.chances.contract_rows import (
    Asker,
    LayoutRows,
    Prospect,
    ProspectSums,
    made_by_some,
    tables_of,
)
from spadille.analysis.chances.exchange_choice import RULES, Tables, exchanges
from spadille.analysis.chances.exchange_heats import ExchangeStrategy
from spadille.analysis.chances.sampling_loop import (
    PILOT_TIME,
    Clock,
    Sampling,
    Strategy,
    nothing_valued,
)
from spadille.analysis.chances.sampling_plan import (
    DEFAULT_DRAWING,
    Drawing,
    RankedBy,
    check_drawing,
)
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.chances.value_meaning import Meaning
from spadille.analysis.confidence_intervals import EPSILON, ERROR, clopper_pearson
from spadille.analysis.contracts.available_contracts import WantedContracts
from spadille.base.cache_keys import key_of
from spadille.base.errors import ArgumentError, ContractError, DealError, whole_number
from spadille.core.arguments import check_deal, contract_types
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.core.recorded_auction import NO_CALLS, Auction, read_auction
from spadille.search.engine import DEFAULT_MEMORY

_LEAST_MEMORY = 1 << 20
_EXCHANGE_TIME = 0.3  # maximum share of the time for choosing exchanges


def best_chances(
    deal: Deal,
    seat: str,
    contracts: str | Iterable[str] | None = None,
    *,
    trumps: Iterable[str] | None = None,
    auction: Auction | str | Iterable[str] = (),
    drawing: Drawing = DEFAULT_DRAWING,
    memory: int = DEFAULT_MEMORY,
) -> BestChances:
    """Value the contracts and exchanges a seat could choose on its own dealt hand.

    Only that hand needs to be known. If the seat has drawn cards but not yet discarded, the answer
    says which cards to discard. `contracts` and `trumps` work as in `best`, and `auction` lists the
    calls the seat has heard. `drawing` works as in `chances`, except that its conditions apply to
    the deal before any exchange, and that without a time limit it needs a number of samples.

    Raises DealError for an impossible record or an end position, ContractError if the seat cannot
    choose any of the contracts, and ArgumentError for other invalid arguments.
    """
    strategy = ContractStrategy(
        deal,
        seat,
        contracts,
        trumps=trumps,
        auction=read_auction(auction),
        drawing=drawing,
        memory=memory,
    )
    return Sampling(strategy).run()


class ContractStrategy(Strategy[BestChances]):
    """Value each contract a seat could choose in every layout, after the best exchanges."""

    _rank: RankedBy = "payoff"

    def __init__(
        self,
        deal: Deal,
        seat: str,
        contracts: str | Iterable[str] | None = None,
        *,
        trumps: Iterable[str] | None = None,
        auction: Auction = NO_CALLS,
        drawing: Drawing = DEFAULT_DRAWING,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        check_deal(deal)
        check_drawing(drawing)
        self._rank = drawing.rank or self._rank
        if drawing.samples is None and not drawing.seconds:
            raise ArgumentError("give a number of samples if there is no time limit")
        wanted = WantedContracts.of(deal.rules, [seat], trumps)
        known = _known_as_dealt(deal, seat, auction, drawing)
        pilot = Clock(PILOT_TIME * drawing.seconds)
        known, self._belief = believing(known, drawing.spread, lambda: pilot.over)
        self.prepared, self.hurried = pilot.spent, pilot.over
        self.known = known
        self.drawing = drawing
        contract_kinds = contract_types(deal.rules, contracts)
        chosen, self._left_out = choosable(known, contract_kinds, wanted, auction)
        if not chosen:
            raise ContractError(f"{seat} can choose none of these contracts", "nothing-to-choose")
        memory = whole_number(memory, 0, "memory must be at least 0 bytes")
        keep_trumps = drawing.discards == "keep-trumps"
        self._rows = _rows(known, chosen, keep_trumps, memory)
        self.tables = Tables(known, keep_trumps)
        self._layouts = LayoutRows(tables_of(known, self._rows), self.tables, drawing.threads)
        self._exact = known.sieve is None and drawing.all_of(self.tables)
        self._exchanges = ExchangeStrategy(self._rows, self._layouts, drawing)
        self._race = Race(self._rows)

    @property
    def samples(self) -> int:
        """The number of layouts valued so far."""
        return min((len(meanings) for _, meanings in self._valued()), default=0)

    def _valued(self) -> list[tuple[Prospect, list[Meaning]]]:
        """Return the values of each row, or of the leading rows until exchanges are chosen."""
        if self._exchanges.over:
            return [(row, row.meanings) for row in self._rows]
        return self._exchanges.standing()

    @property
    def complete(self) -> bool:
        """Whether all layouts were valued."""
        return self._exact and self._exchanges.over and self.samples == self.tables.count

    def parts(self, clock: Clock) -> Iterator[tuple[Sampling[list[Prospect]], Clock]]:
        """Yield the sampling that chooses exchanges; its layouts are not used for the values."""
        choice = Sampling(self._exchanges)
        share = clock.part(_EXCHANGE_TIME)
        share.stop(self.known)
        yield choice, share
        self._rows = choice.result()
        self._race = Race(self._rows)

    def blocks(self, clock: Clock) -> Iterator[Iterator[list[int]]]:
        """Yield the ranks of fitting layouts, block by block."""
        clock.stop(self.known)
        return self.drawing.blocks(self.tables, self._exact)

    def value(self, ranks: Sequence[int], clock: Clock) -> bool:
        """Value these layouts; they count once every contract has been valued in them."""
        values = self._layouts.values(self._rows, ranks, clock)
        if values is None:
            return False
        for row, meanings in zip(self._rows, values, strict=True):
            row.meanings += meanings
        return True

    def look(self, *, last: bool) -> bool:
        """Return whether the best contract is certainly better than every other, or equal to it."""
        columns = {row: row.column(self.samples) for row in self._rows}
        leader = max(self._rows, key=lambda row: columns[row].order(self._rank))
        best = columns[leader]
        race = self._race
        race.begin_look(last=last)
        if self._rank == "made" or not best.paid:
            return race.compare(
                leader, lambda row, error: columns[row].fewer_interval(best, error), EPSILON
            )
        if not all(column.paid for column in columns.values()):
            return False  # offers whose payoffs are unknown
        # These intervals are valid at every look, so they do not use up any of the error.
        error = ERROR / max(len(self._rows) - 1, 1)
        return race.compare(
            leader,
            lambda row, _: columns[row].behind_interval(best, error) or (0.0, 1.0),
            EPSILON * (best.span[1] - best.span[0]),
        )

    def result(self, ended: Ended | None) -> BestChances:
        """Return the result so far; raise TooHardError if no layout has been valued."""
        known, chosen = self.known, self._exchanges.over
        valued = self._valued()
        number = min((len(meanings) for _, meanings in valued), default=0)
        if not number:
            raise nothing_valued(known)
        columns = [ProspectSums(meanings[:number], row.kinds) for row, meanings in valued]
        paid = all(column.payoff is not None for column in columns)
        best = max(columns, key=lambda column: column.order(self._rank))
        most = [max(pays) for pays in zip(*(column.lows for column in columns), strict=True)]
        gauge = sum(most) / number - (best.payoff or 0) if paid and chosen else None
        if self._rank == "made":
            gauge = (made_by_some(columns) - best.made) / number if chosen else None
        offers = self._offers([row for row, _ in valued], columns, most, ended)
        named = {offer.contract for offer in offers}
        ids = [row.contract.ids[0] for row in self._rows]
        missing = {name: "time ran out before it was valued" for name in ids if name not in named}
        return BestChances(
            seat=known.seat,
            known=known.sentences,
            layouts=self.tables.distinct,
            samples=self.tables.distinct if self.complete else number,
            exact=self.complete,
            belief=self._belief,
            acceptance=known.acceptance,
            seed=self.drawing.seed,
            ranked_by=self._rank,
            gauge=gauge,
            settled=self.complete or self._race.settled,
            ended=ended,
            repeatable=not self.hurried and ended != "interrupted",
            left_out=self._left_out | missing,
            tried=self._exchanges.tried if chosen else None,
            assumed=tuple(self._assumed()),
            offers=tuple(sorted(offers, key=lambda offer: offer.rank)),
        )

    def _offers(
        self,
        rows: Sequence[Prospect],
        columns: Sequence[ProspectSums],
        most: Sequence[int],
        ended: Ended | None,
    ) -> list[OfferChance]:
        """Return the values of each contract; `most` is the best payoff in each layout."""
        exact, chosen = self.complete, self._exchanges.over
        number = len(most)
        paid = all(column.payoff is not None for column in columns)
        by = self._rank
        best = max(columns, key=lambda column: column.order(by))
        ranking = sorted((column.order(by) for column in columns), reverse=True)
        error = self._race.error_of_result(interrupted=ended == "interrupted")
        # Until the exchanges are chosen, these rows are the best of many, so the intervals must
        # cover all of those at once.
        many = 1 if chosen else self._exchanges.many
        shared = ERROR / max(len(columns) - 1, 1) if chosen else ERROR / many**2
        shared_made = error / max(self._race.rivals, 1) if chosen else error / many**2

        def figures(column: ProspectSums) -> dict[str, Any]:
            interval = None
            if not exact and column is not best and by == "made":
                interval = column.fewer_interval(best, shared_made)
            elif not exact and column is not best:
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
                "behind": column.behind(best, by),
                "behind_interval": interval,
                "rank": 1 + ranking.index(column.order(by)),
            }

        return [row.offer(**figures(column)) for row, column in zip(rows, columns, strict=True)]

    def _assumed(self) -> Iterator[str]:
        """Describe the assumptions about exchanges, and say which exchanges were tried."""
        if not self._exchanges.over:
            yield (
                f"Stopped while choosing the best of {self._exchanges.many} exchanges: these "
                "led so far, and the intervals allow for having picked the best of many"
            )
        if any(row.turned for row in self._rows):
            yield "In each layout, the turned-up card makes trumps"
        if self.known.deal.drawn:
            yield (
                "Only the lowest cards of plain suits were tried as discards; in a Misère, the "
                "highest cards"
            )
        elif any(row.away for row in self._rows):
            yield (
                "Only exchanges that keep all trumps and discard the lowest cards of the "
                "other suits were tried"
            )
        for name in dict.fromkeys(
            row.contract.ids[0] for row in self._rows if not row.pays_for_certain
        ):
            yield (
                f"The cost of a lost {name} depends on the tricks of each opponent and would "
                "take seconds per layout to compute, so its payoff has two bounds; the lower "
                "one is guaranteed"
            )
        for rule in dict.fromkeys(row.exchange.rule for row in self._rows):
            if rule is not None:
                yield f"{rule}: after drawing, the seat discards {RULES[rule]}"
        kinds = [self.known.deal.rules.contracts[row.contract.ids[0]] for row in self._rows]
        if any(row.others for row in self._rows):
            yield (
                "Other players who may exchange discard as many of their lowest plain cards "
                "as they can"
            )
        elif any(kind.exchange.who in ("opponents", "all") for kind in kinds):
            yield "The other players are assumed to discard random cards"


def _known_as_dealt(deal: Deal, seat: str, auction: Auction, drawing: Drawing) -> Knowledge:
    """Return a seat's knowledge before any exchange, with the cards it has drawn itself."""
    if deal.is_ending:
        raise DealError(
            "contracts are chosen on dealt hands, and an end position does not record them",
            "chances-ending",
        )
    drawn = {seat: deal.drawn[seat]} if seat in deal.undecided else {}
    deal = replace(deal, drawn=drawn, discard={}, from_hand=())
    # This contract implies nothing about the cards, so all questions share the same layouts.
    kind = next(
        kind
        for kind in deal.rules.contracts.values()
        if kind.side not in ("all", "called", "partner")
        and kind.holder is None
        and kind.trump != "talon"
    )
    contract = Contract((seat,), (kind.id,), deal.rules.allowed_trumps(kind, deal)[0])
    # The others have not exchanged yet, so their discards do not matter.
    assumptions = replace(drawing, discards="uniform")
    return know(deal, contract, seat, None, auction=auction, assumptions=assumptions)


def _rows(
    known: Knowledge, contracts: Iterable[Contract], keep_trumps: bool, memory: int
) -> list[Prospect]:
    """List each contract with each exchange; identical questions share one search."""
    rules = known.deal.rules
    askers: dict[object, Asker] = {}
    rows = []
    for contract in contracts:
        best = rules.trump_cards(contract.trump)[: rules.held_pay]
        for exchange in exchanges(known, contract):
            kept = tuple(card not in exchange.away for card in best)
            number = exchange.number if best else 0
            key = contract, key_of(exchange, "away", "rule", "number"), kept, number
            if key not in askers:
                askers[key] = Asker(known, contract, exchange)
            rows.append(Prospect(known, contract, exchange, askers[key], keep_trumps))
    room = max(memory // len(askers), min(memory, _LEAST_MEMORY)) if askers else memory
    for asker in askers.values():
        asker.open(room)
    return rows
