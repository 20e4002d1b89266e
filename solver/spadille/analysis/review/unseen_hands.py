"""Review play with some unknown hands: list the tricks, and whether each player had a choice.

If a hand is unknown, no card has a double-dummy value, and so all costs are unknown too. If a
player's hand is known, that player's decisions can still be judged, given the player's knowledge
(see `spadille.analysis.chances.review_chances`).
"""

from __future__ import annotations

from collections.abc import Iterable

from spadille.analysis.review.card_costs import Account, CostTally, Moved, ReviewedCard
from spadille.analysis.review.replay import Played, before_surrender
from spadille.analysis.review.review_result import Review
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import follower
from spadille.games.model.contract_types_and_options import Surrender
from spadille.search.verdict import Unit

_OPEN = Moved(before=None, after=None, cost=None)


def unseen_review(
    deal: Deal, contract: Contract, play: Iterable[str], surrender: Surrender | None = None
) -> Review:
    """Return a review without values for a deal with unknown hands.

    A card from a known hand counts as a choice if another card was legal. This holds even for
    equivalent cards, because equivalence depends on the unknown hands. A card from an unknown hand
    is never a choice. Raises DealError for an impossible record and IllegalCardError for a card
    that cannot have been played.
    """
    following = follower(deal, contract)
    position = following.position
    leader = position.to_play
    cards: list[Played] = []
    for card in play:
        seat = position.to_play
        choice = deal.hands[seat] is not None and len(position.legal()) > 1
        cards.append(Played(len(position.tricks) + 1, seat, card, choice, None))
        following.card(card)
    given_up = None if surrender is None else before_surrender(surrender, cards)
    tricks: list[tuple[str, tuple[str, ...], str | None]] = [*position.tricks]
    if position.trick:
        tricks.append((position.leader, tuple([card for _, card in position.trick]), None))
    seats, several = deal.rules.seats, len(contract.declarers) > 1
    kind = deal.rules.contract(contract.ids[0])
    unit: Unit = "points" if several else "tricks" if kind.counts_tricks else "outcome"
    open_cards = sum(played.choice for played in cards)
    return Review(
        contract=contract,
        leader=leader,
        sides=tuple([seat for seat in seats if seat in contract.side]),
        unit=unit,
        target=kind.target if kind.counts_tricks and not several else None,
        finished=position.finished and surrender is None,
        score=None,
        steps=tuple(
            [
                ReviewedCard(
                    trick=played.trick,
                    seat=played.seat,
                    card=played.card,
                    choice=played.choice,
                    contractors=dict.fromkeys(contract.declarers, _OPEN),
                )
                for played in cards
            ]
        ),
        tricks=tuple(tricks),
        accounts=dict.fromkeys(contract.declarers, _account(open_cards)),
        players={
            seat: CostTally.of((card.choice, None) for card in cards if card.seat == seat)
            for seat in seats
        },
        unseen=tuple([seat for seat in seats if deal.hands[seat] is None]),
        surrender=surrender,
        given_up=given_up,
    )


def _account(open_cards: int) -> Account:
    """Return an account in which everything is unknown."""
    return Account(
        start=None,
        result=None,
        lost=0,
        given=0,
        left=0,
        made_at_start=None,
        made=None,
        turning_point=None,
        open=open_cards,
    )
