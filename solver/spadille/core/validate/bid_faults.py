"""Find contracts excluded by a duty to bid more, and deals that cannot be passed out.

This is part of `spadille.core.validate`. If an auction is recorded, `spadille.core.auction` judges
it call by call. This module judges contracts without an auction. Its findings are only warnings,
because players may have overlooked a duty.
"""

from __future__ import annotations

from spadille.base.words_for_messages import seat_label
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding, finding, warning
from spadille.games.model.bidding import AuctionStanding


def bid_findings(deal: Deal, contract: Contract) -> list[Finding]:
    """Return a warning for each player whose duty to bid more excludes the contract."""
    bidding = deal.rules.bidding
    duty, kind = bidding.duty, deal.rules.contracts[contract.ids[0]]
    if duty is None:
        return []
    seats = deal.rules.in_turn(deal.rules.eldest(deal.dealer))
    before, after = (AuctionStanding(deal, bidding, seats) for _ in range(2))
    height = max((n for n, bid in enumerate(bidding.bids) if bid.contract == kind.id), default=-1)
    if height >= 0:
        after.take(contract.declarer, height)
    warnings = []
    for seat in deal.rules.seats:
        least = duty(before if seat == contract.declarer else after, seat)
        if least is not None and bidding.height(least) > height:
            warnings.append(
                warning(
                    "contract-excluded",
                    f"{kind.name} cannot be the contract: {seat_label(seat)} must bid at least "
                    f"'{least}'",
                    "Contract",
                    kind.id,
                    deal.rules.cite(bidding.duty_text),
                )
            )
    return warnings


def passed_findings(deal: Deal) -> list[Finding]:
    """Return a fault if a deal is recorded as passed out but some player had to bid.

    The fault is an error if nobody can pass (RULES 9), and a warning if the holder of a card must
    play when everybody passes (RULES 3 to 7).
    """
    bidding = deal.rules.bidding
    if bidding.cards is not None:
        message = f"nobody can pass in {deal.rules.game.name}: the bid cards always make a contract"
        rule = deal.rules.cite("each player bids with a card from their hand")
        return [finding("pass-not-allowed", message, "Contract", "", rule)]
    if bidding.falls_to is None:
        return []
    card, contract = bidding.falls_to
    holder, name = deal.must_hold(card), deal.rules.contracts[contract].name
    who = f"{seat_label(holder)}, who holds {card}," if holder else f"the holder of {card}"
    message = f"the deal is passed out, but then {who} plays {name}"
    rule = deal.rules.cite(bidding.afterwards_text or f"if all pass, {name} is played")
    return [warning("contract-excluded", message, "Contract", "", rule)]
