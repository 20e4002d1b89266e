"""Encode the decision of the player to move for the engine."""

from __future__ import annotations

from spadille.base.errors import ArgumentError
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.search.encoding import Situation, situation
from spadille.search.verdict import lost_at


def decision_of(known: Knowledge) -> Situation:
    """Encode the decision for the engine; the first layout stands for all of them."""
    layout = known.layouts.unrank(0)
    contract = known.contract_of(layout)
    at = situation(known.deal_of(layout), contract, [card for _, card in known.played])
    if not at.problem.tricks or lost_at(contract, at) is not None:
        raise ArgumentError("the hand is over; there is no card to play")
    # If a side has won all tricks so far in some layout, playing a card means going on for all
    # tricks.
    return at._replace(goes_on=True)
