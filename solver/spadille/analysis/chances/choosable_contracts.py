"""The contracts that a seat can choose with its own hand, after the calls it has heard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spadille.analysis.contracts.contracts_to_solve import WantedContracts, alternatives
from spadille.base.words_for_messages import many
from spadille.core.auction import spoken
from spadille.core.call_tree import Calls
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.core.reachable_contracts import reachable
from spadille.core.recorded_auction import Auction
from spadille.games.model.contract_types_and_options import ContractType


def heard(deal: Deal, seat: str, auction: Auction) -> Auction:
    """Return the calls a seat had heard when it last spoke; none in games with bid cards."""
    if deal.rules.bidding.cards is not None:
        return Auction((), auction.first)
    last = before = 0
    for number in range(len(auction.calls)):
        counted = spoken(deal, auction.calls[: number + 1], auction.first)
        if len(counted) > before and counted[-1].seat == seat:
            last = number
        before = len(counted)
    return Auction(auction.calls[:last], auction.first)


def _at_turn(deal: Deal, seat: str, auction: Auction) -> Auction:
    """Return the calls before the seat's next or latest call."""
    tree = Calls(deal)
    standing = tree.start()
    for said in tree.said([*auction.calls, "*"]):
        standing = tree.after(said.standing, said.call)
    made = seat in standing.spoken and tree.to_call(standing) != seat
    return heard(deal, seat, auction) if made else auction


def choosable(
    known: Knowledge,
    contract_types: Iterable[ContractType],
    wanted: WantedContracts,
    auction: Auction,
) -> tuple[list[Contract], dict[str, str]]:
    """List the contracts the seat can choose, with the reasons why others cannot be valued."""
    rules, seat = known.deal.rules, known.seat
    drawn = known.deal.drawn.get(seat, ())
    # The seat bid without seeing any other cards, so other cards must not affect the choice.
    hands = {other: known.deal.hands[seat] if other == seat else None for other in rules.seats}
    blind = replace(known.deal, hands=hands, talon=(), talon_ordered=False, drawn={})
    where = reachable(blind, heard=_at_turn(known.deal, seat, auction).calls)
    contracts: list[Contract] = []
    left_out: dict[str, str] = {}
    for kind in contract_types:
        pair = kind.side == "partner"
        if pair and rules.bidding.cards:
            left_out[kind.id] = "the other bidders of its suit are unknown"
            continue
        if drawn and (kind.exchange.who, kind.exchange.most) != ("side", len(drawn)):
            left_out[kind.id] = f"no single player draws {many(len(drawn), 'card')} in it"
            continue
        if kind.trump == "talon" and wanted.trumps is not None:
            left_out[kind.id] = "its trump is turned up, not chosen"
            continue
        legal = False
        for choice in alternatives(blind, kind, named=False, wanted=wanted):
            for contract in choice:
                if pair and contract.declarer != seat:
                    contract = replace(contract, declarers=(seat,), partner=contract.declarer)
                # In a contract that concerns all players, the other players' cards decide who plays
                # it.
                if kind.side == "all" or where.allows(contract):
                    legal = True
                    contracts.append(contract)
        if not legal and not rules.bidding.cards:
            left_out[kind.id] = "no legal auction leads to it"
    return contracts, left_out
