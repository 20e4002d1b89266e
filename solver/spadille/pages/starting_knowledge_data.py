"""Finds each seat's knowledge before the first card, for the script, which plays the other hands.

The script draws layouts from this knowledge. Later, the play restricts the layouts: a layout is
possible only if every card played so far is legal in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spadille.base.errors import SpadilleError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import Assumptions, Knowledge, know
from spadille.core.recorded_auction import Auction
from spadille.pages.belief_data import heard_bidder, heard_by


def views(known: Mapping[str, Knowledge]) -> dict[str, dict[str, Any]]:
    """Return each seat's knowledge, in the form the script needs."""
    return {seat: _view(knowledge) for seat, knowledge in known.items()}


def bidders(known: Mapping[str, Knowledge]) -> dict[str, dict[str, Any]]:
    """Return the choices, by seat, of each player whose calls others take into account."""
    heard = {
        bidder.seat: (knowledge, bidder)
        for knowledge in known.values()
        for bidder in knowledge.heard
    }
    return {
        seat: heard_bidder(knowledge.deal.rules, bidder)
        for seat, (knowledge, bidder) in heard.items()
    }


def known_by_seats(
    deal: Deal, contract: Contract | None, auction: Auction | None
) -> dict[str, Knowledge] | None:
    """Return what each seat knows before the first card; None if the page cannot play the deal.

    The page plays all hands, so the trump and every hand must be known.
    """
    if contract is None or contract.trump is None or None in deal.hands.values():
        return None
    believing = Assumptions(belief="auction")
    try:
        return {
            seat: know(deal, contract, seat, auction=auction or (), assumptions=believing)
            for seat in deal.rules.seats
        }
    except SpadilleError:
        return None


def _view(known: Knowledge) -> dict[str, Any]:
    """Return the places of the unseen cards, and the facts known about them.

    `never` lists the unseen cards that cannot be in a place, and `sums` holds the weights of sums
    over a hand.
    """
    return {
        "sizes": known.sizes,
        "unseen": list(known.unseen),
        "never": {
            place: cards
            for place in known.places
            if (cards := [card for card, places in known.unseen.items() if place not in places])
        },
        "sums": [
            {"seat": condition.seat, "values": condition.values, "weights": condition.weights}
            for condition in known.conditions
        ],
        "partner": known.partner,
        "partnerOpen": known.partner_open,
        **heard_by(known),
    }
