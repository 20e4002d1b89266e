"""Value the contracts a seat could choose given what it knows, averaged over the layouts.

All contracts are valued double-dummy from the first card, in the same layouts of the unseen cards.
Contracts are ranked by average payoff or by how often they make. Trump, called card and exchange
are part of the choice and stay the same in every layout, since a player who cannot see the other
hands could not adapt them.

First, the few cards to call and exchanges that pay the most are selected (see `promising_choices`).
Contracts that are certainly worse than another are then dropped one after the other (successive
elimination: Even-Dar, Mannor and Mansour, "Action elimination and stopping conditions", JMLR 7,
2006), so the leaders get most of the layouts.

If a turned-up card makes trumps, the trump differs between layouts, and an exchange is chosen for
each trump. In games with bid cards, contracts with two partners are left out, because the seat does
not know the partner's hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from spadille.analysis.chances.belief import believing
from spadille.analysis.chances.card_chances_result import Ended
from spadille.analysis.chances.choosable_contracts import choosable
from spadille.analysis.chances.contract_chances_result import BestChances, OfferChance
from spadille.analysis.chances.contract_values_by_layout import (
    Asker,
    LayoutRows,
    Prospect,
    ProspectSums,
    made_by_some,
    tables_of,
)
from spadille.analysis.chances.exchange_from_own_hand import RULES, Tables, exchanges
from spadille.analysis.chances.promising_choices import ChoiceStrategy
from spadille.analysis.chances.sampling_loop import (
    PILOT_TIME,
    Clock,
    Sampling,
    Strategy,
    nothing_valued,
)
from spadille.analysis.chances.sampling_settings import (
    DEFAULT_DRAWING,
    Drawing,
    RankedBy,
    check_drawing,
)
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.chances.value_meaning import Meaning
from spadille.analysis.confidence_intervals import (
    EPSILON,
    ERROR,
    FIRST,
    SHARE_ERROR,
    clopper_pearson,
)
from spadille.analysis.contracts.contracts_to_solve import WantedContracts
from spadille.base.argument_checks import whole_number
from spadille.base.cache_keys import key_of
from spadille.base.errors import ArgumentError, ContractError, DealError
from spadille.base.words_for_messages import seat_label
from spadille.core.arguments import check_deal, contract_types
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.core.knowledge.starting_knowledge import Discards
from spadille.core.recorded_auction import NO_CALLS, Auction, read_auction
from spadille.search.engine import DEFAULT_MEMORY

_LEAST_MEMORY = 1 << 20
_CHOICE_TIME = 0.3  # maximum share of the time for choosing cards to call and exchanges
_FIRST_DROP = 32
"""The number of layouts before hopeless contracts are dropped for the first time."""


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
    calls the seat has heard. `drawing` works as in `chances`, but its conditions apply to the deal
    before any exchange, and it needs a number of samples if there is no time limit.

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
    """Values the contracts a seat could choose, after the best exchanges, layout by layout."""

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
            raise ContractError(
                f"{seat_label(seat)} can choose none of these contracts", "nothing-to-choose"
            )
        memory = whole_number(memory, 0, "memory must be at least 0 bytes")
        self._discards = drawing.assumed_discards
        self._rows = _rows(known, chosen, self._discards, memory)
        self.tables = Tables(known, self._discards)
        self._layouts = LayoutRows(tables_of(known, self._rows), self.tables, drawing.threads)
        self._exact = known.sieve is None and drawing.all_of(self.tables)
        self._choices = ChoiceStrategy(self._rows, self._layouts, drawing)
        self._race = self._race_of(self._rows)

    @staticmethod
    def _race_of(rows: Sequence[Prospect]) -> Race[Prospect]:
        """Return a race between rows; it ends when no row can be much better than the leader."""
        return Race([*rows], each_rival=False)

    @property
    def samples(self) -> int:
        """The number of layouts valued so far for the contracts that may still be the best."""
        return max((len(meanings) for _, meanings in self._valued()), default=0)

    def _valued(self) -> list[tuple[Prospect, list[Meaning]]]:
        """Return each row with its values; until the choices are made, only the leading rows."""
        if self._choices.over:
            return [(row, row.meanings) for row in self._rows]
        standing = self._choices.standing()
        number = min((len(meanings) for _, meanings in standing), default=0)
        return [(row, meanings[:number]) for row, meanings in standing]

    @property
    def complete(self) -> bool:
        """Whether all layouts were valued."""
        return self._exact and self._choices.over and self.samples == self.tables.count

    def parts(self, clock: Clock) -> Iterator[tuple[Sampling[list[Prospect]], Clock]]:
        """Yield the sampling that chooses called cards and exchanges, using separate layouts."""
        choice = Sampling(self._choices)
        share = clock.part(_CHOICE_TIME)
        share.stop(self.known)
        yield choice, share
        self._rows = choice.result()
        self._race = self._race_of(self._rows)

    def blocks(self, clock: Clock) -> Iterator[Iterator[list[int]]]:
        """Yield the ranks of layouts that fit, block by block."""
        clock.stop(self.known)
        return self.drawing.blocks(self.tables, self._exact, _FIRST_DROP)

    def value(self, ranks: Sequence[int], clock: Clock) -> bool:
        """Value these layouts for the contracts that may still be the best."""
        rows = self._race.alive
        values = self._layouts.values(rows, ranks, clock)
        if values is None:
            return False
        for row, meanings in zip(rows, values, strict=True):
            row.meanings += meanings
        return True

    def look(self, *, last: bool) -> bool:
        """Drop the contracts that are certainly worse; return whether the choice is settled.

        The choice is settled if no other contract can be better than the leader by more than a
        hundredth of the leader's range of values.
        """
        race, by = self._race, self._rank
        columns = {row: row.column() for row in race.alive}
        leader = max(race.alive, key=lambda row: columns[row].order(by))
        best = columns[leader]
        by = by if best.paid else "made"
        if by == "payoff" and not all(column.paid for column in columns.values()):
            return False  # the payoffs of these are unknown
        low, high = best.range(by)
        settled = race.compare(
            leader,
            lambda row, _: columns[row].behind_interval(best, self._error, by) or (0.0, 0.0),
            EPSILON * (high - low),
        )
        # The choice may be clear before the leader's own figures are reliable.
        return settled and (last or best.number >= FIRST)

    @property
    def _error(self) -> float:
        """The error of each difference between a row and the best (the union bound).

        The intervals hold at all looks at once, so the probability that the best row is ever
        dropped is at most `ERROR`.
        """
        return ERROR / max(len(self._rows) - 1, 1)

    def result(self, ended: Ended | None) -> BestChances:
        """Return the result so far; raise TooHardError if no layout has been valued."""
        known, chosen = self.known, self._choices.over
        valued = self._valued()
        if not self.samples:
            raise nothing_valued(known)
        columns = [ProspectSums(meanings, row.kinds) for row, meanings in valued]
        best = max(columns, key=self._order)
        gauge = self._gauge(columns, best) if chosen else None
        offers = self._offers([row for row, _ in valued], columns, best)
        named = {offer.contract for offer in offers}
        ids = [row.contract.ids[0] for row in self._rows]
        missing = {name: "time ran out before it was valued" for name in ids if name not in named}
        return BestChances(
            seat=known.seat,
            known=known.sentences,
            layouts=self.tables.distinct,
            samples=self.tables.distinct if self.complete else best.number,
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
            tried=self._choices.tried if chosen else None,
            assumed=tuple(self._assumed()),
            offers=tuple(sorted(offers, key=lambda offer: offer.rank)),
        )

    def _order(self, column: ProspectSums) -> tuple[float, ...]:
        """Return the sort key of offers; offers dropped early rank below all others."""
        return (column.number, *column.order(self._rank))

    def _gauge(self, columns: Sequence[ProspectSums], best: ProspectSums) -> float | None:
        """Return how much more, on average, each layout's best row gains than the leader."""
        number = min(column.number for column in columns)
        if self._rank == "made":
            return (made_by_some(columns) - sum(best.makes[:number])) / number
        if any(column.payoff is None for column in columns):
            return None
        return (sum(_most(columns)) - sum(best.lows[:number])) / number

    def _offers(
        self, rows: Sequence[Prospect], columns: Sequence[ProspectSums], best: ProspectSums
    ) -> list[OfferChance]:
        """Return the values of each contract."""
        exact, chosen = self.complete, self._choices.over
        paid = all(column.payoff is not None for column in columns)
        most = _most(columns) if paid and chosen else []
        by = self._rank
        ranking = sorted(map(self._order, columns), reverse=True)
        # Until the choices are made, these rows are the best of many, so the intervals must hold
        # for all candidates at once.
        many = 1 if chosen else self._choices.many
        shared = self._error if chosen else ERROR / many**2

        def figures(column: ProspectSums) -> dict[str, Any]:
            rival = not exact and column is not best
            made = clopper_pearson(column.made, column.number, 1 - SHARE_ERROR / many)
            return {
                "samples": self.tables.distinct if exact else column.number,
                "made": column.made / column.number,
                "made_interval": None if exact else made,
                "payoff": column.payoff,
                "bounds": column.bounds,
                "payoff_interval": None if exact else column.interval(ERROR / many),
                "mean_tricks": column.tricks,
                "best_share": column.ahead(most) / len(most) if most else None,
                "behind": column.behind(best, by),
                "behind_interval": column.behind_interval(best, shared, by) if rival else None,
                "rank": 1 + ranking.index(self._order(column)),
            }

        return [row.offer(**figures(column)) for row, column in zip(rows, columns, strict=True)]

    def _assumed(self) -> Iterator[str]:
        """Describe the assumptions about exchanges, and which exchanges were tried."""
        if not self._choices.over:
            yield (
                f"Stopped while choosing the best of {self._choices.many} exchanges or cards to "
                "call: these led so far, and the intervals allow for having picked the best of many"
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
            kept = ", except the highest of each suit" if self._discards == "keep-best" else ""
            yield (
                "Other players who may exchange discard as many of their lowest plain cards "
                f"as they can{kept}"
            )
        elif any(kind.exchange.who in ("opponents", "all") for kind in kinds):
            yield "The other players are assumed to discard random cards"


def _most(columns: Iterable[ProspectSums]) -> list[int]:
    """Return the payoff of the best row in each layout that was valued for all rows."""
    return [max(pays) for pays in zip(*(column.lows for column in columns), strict=False)]


def _known_as_dealt(deal: Deal, seat: str, auction: Auction, drawing: Drawing) -> Knowledge:
    """Return a seat's knowledge before any discards, including any cards it has already drawn."""
    if deal.is_ending:
        raise DealError(
            "contracts are chosen on dealt hands, and an end position does not record them",
            "chances-ending",
        )
    drawn = {seat: deal.drawn[seat]} if seat in deal.undecided else {}
    deal = replace(deal, drawn=drawn, discard={}, from_hand=())
    # Any contract that implies nothing about the cards will do; all questions then share layouts.
    kind = next(
        kind
        for kind in deal.rules.contracts.values()
        if kind.side not in ("all", "called", "partner")
        and kind.holder is None
        and kind.trump != "talon"
    )
    contract = Contract((seat,), (kind.id,), deal.rules.allowed_trumps(kind, deal)[0])
    # The other players have not exchanged yet, so how they discard does not matter.
    assumptions = replace(drawing, discards="uniform")
    return know(deal, contract, seat, None, auction=auction, assumptions=assumptions)


def _rows(
    known: Knowledge, contracts: Iterable[Contract], discards: Discards, memory: int
) -> list[Prospect]:
    """Return one row for each contract and exchange; identical questions share one search."""
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
            rows.append(Prospect(known, contract, exchange, askers[key], discards))
    room = max(memory // len(askers), min(memory, _LEAST_MEMORY)) if askers else memory
    for asker in askers.values():
        asker.open(room)
    return rows
