"""Deals with contracts worth bidding, because purely random deals make trivial problems."""

from __future__ import annotations

from random import Random

from spadille.analysis.contracts.contracts_to_solve import WantedContracts, alternatives
from spadille.base.card_text import NO_TRUMP
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.reachable_contracts import is_reachable
from spadille.core.validate import bid_findings
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules

DOZEN = 12
_MOST_TRIES = 50 * DOZEN


def bidding_points(deal: Deal, seat: str, trump: str) -> float:
    """Return a bidder's estimate of strength: trumps, and the three highest cards in each suit."""
    hand = deal.hands[seat] or ()
    points = 0.0
    for suit, cards in deal.rules.suits(trump).items():
        points += sum(4.5 - 1.5 * place for place in range(3) if cards[place] in hand)
        if suit == trump:
            points += sum(3 for card in cards if card in hand)
    return points


def height(deal: Deal, seat: str) -> int:
    """Return how high a hand's cards rank in their suits at no trump."""
    hand = deal.hands[seat] or ()
    return sum(
        len(cards) - place
        for cards in deal.rules.suits(NO_TRUMP).values()
        for place, card in enumerate(cards)
        if card in hand
    )


def hope(deal: Deal, contract: Contract, kind: ContractType) -> float:
    """Rate the declarer's hand: how strong it is or, in a Misère, how low."""
    if kind.aim == "misere":
        return -height(deal, contract.declarer)
    return bidding_points(deal, contract.declarer, contract.trump or NO_TRUMP)


def bid_on(rules: Rules, kind: ContractType, random: Random) -> tuple[Deal, Contract] | None:
    """Return a deal and contract; the declarer has the best of a dozen hands that could bid it.

    If there are several declarers, the first gets that hand. Return None if hardly any deal allows
    the contract.
    """
    tries: list[tuple[float, Deal, Contract]] = []
    for _ in range(_MOST_TRIES):
        deal = Deal.random(rules.game.id, random.getrandbits(32), options=rules.options)
        chosen = _some(deal, kind, random)
        if chosen is not None:
            tries.append((hope(deal, chosen, kind), deal, chosen))
            if len(tries) == DOZEN:
                break
    for _, deal, chosen in sorted(tries, key=lambda tried: -tried[0]):
        if is_reachable(deal, chosen):
            return deal, chosen
    return None


def _some(deal: Deal, kind: ContractType, random: Random) -> Contract | None:
    """Return a contract that a random seat could have bid in its best trump."""
    if kind.side == "individual":
        return _soloists(deal, kind, random)
    seat = random.choice(deal.rules.seats) if kind.holder is None else deal.holder(kind.holder)
    trumps = deal.rules.allowed_trumps(kind, deal)
    if seat is None or not trumps:
        return None
    trump = max(trumps, key=lambda trump: bidding_points(deal, seat, trump))
    wanted = WantedContracts(frozenset({seat}), frozenset({trump}))
    allowed = [contract for some in alternatives(deal, kind, wanted=wanted) for contract in some]
    chosen = random.choice(allowed) if allowed else None
    return None if chosen is None or bid_findings(deal, chosen) else chosen


def _soloists(deal: Deal, kind: ContractType, random: Random) -> Contract:
    """Return a contract with one declarer, or several at once."""
    kinds = deal.rules.contracts.values()
    others = [other.id for other in kinds if other.side == "individual"]
    seats = random.sample(deal.rules.seats, random.choice((1, 1, 2, 3)))
    ids = (kind.id, *(random.choice(others) for _ in seats[1:]))
    return Contract.make(deal, ids, tuple(seats))
