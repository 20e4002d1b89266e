"""The best exchange, against solving the deal after every exchange there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from dealing import random_deal

from spadille.best import Offer, best
from spadille.cards import sort_cards
from spadille.deal import Contract, Deal
from spadille.engine import Solver
from spadille.games import GAMES, rules_for
from spadille.rules import Rules
from spadille.solve import solve
from spadille.validate import faults


def small(game: str, size: int, talon: int, number: int) -> Deal:
    """A deal of few cards, high ones above all, in rules to match."""
    random = Random(f"{game} {number}")
    whole = GAMES[game]
    contracts = {
        name: replace(kind, target=min(kind.target, 2), first_run=min(kind.first_run, 2))
        for name, kind in whole.contracts.items()
    }
    rules = Rules(replace(whole, id=f"{size} {game}", hand_size=size, contracts=contracts), {})
    cards = list(rules.deck)
    random.shuffle(cards)
    cards.sort(key=lambda card: card[1] in "3456" or card[0] == "D")
    dealt = cards[: size * len(rules.seats) + talon]
    random.shuffle(dealt)
    hands = {
        seat: sort_cards(dealt[start * size : (start + 1) * size])
        for start, seat in enumerate(rules.seats)
    }
    left = tuple(dealt[size * len(rules.seats) :])
    return Deal(rules, random.choice(rules.seats), hands, left, talon_ordered=True, pool=number)


def exchanges(deal: Deal, seat: str) -> Iterator[Deal]:
    """The deal after everything one player may do, card by card."""
    hand = deal.hands[seat] or ()
    if deal.rules.game.id.endswith("squint"):
        yield replace(deal, from_hand=(seat,))
        for away in combinations((*hand, *deal.talon), 2):
            yield replace(deal, drawn={seat: deal.talon}, discard={seat: away})
    else:
        for count in range(len(hand)):
            for away in combinations(hand, count):
                yield replace(deal, discard={**({seat: away} if away else {}), **deal.discard})


def check(deal: Deal, offer: Offer, variants: list[Deal], solver: Solver) -> None:
    payoffs = []
    for trump in deal.rules.allowed_trumps(deal.rules.contract(offer.contract), deal):
        contract = Contract((offer.declarer,), (offer.contract,), trump)
        for variant in variants:
            secured = solve(variant, contract, objective="score", solver=solver).secured
            assert secured is not None
            payoffs.append(secured.payoff)
    assert offer.payoff == max(payoff for payoff in payoffs if payoff is not None)
    # What the offer says to do pays so much.
    told = {} if not offer.drawn else {offer.declarer: offer.drawn}
    away = {} if not offer.discard else {offer.declarer: offer.discard}
    chosen = replace(
        deal,
        drawn=told,
        discard={**away, **deal.discard},
        from_hand=(offer.declarer,) if offer.from_hand else (),
    )
    contract = Contract((offer.declarer,), (offer.contract,), offer.trump)
    secured = solve(chosen, contract, objective="score", solver=solver).secured
    assert secured is not None
    assert secured.payoff == offer.payoff


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("game", "size", "talon"), [("squint", 3, 2), ("ombre", 4, 6)])
def test_every_exchange(game: str, size: int, talon: int, number: int) -> None:
    deal = small(game, size, talon, number)
    solver = Solver()
    names = [
        name for name, kind in deal.rules.contracts.items() if kind.side in ("alone", "individual")
    ]
    for seat, offers in best(deal, names, solver=solver).seats.items():
        variants = list(exchanges(deal, seat))
        for offer in offers:
            only = variants if offer.contract != "solo" or game == "squint" else [deal]
            check(deal, offer, only, solver)


def test_opponents_exchange_as_recorded() -> None:
    deal = small("ombre", 4, 8, 5)
    for seat in deal.rules.seats:
        other = deal.rules.next_seat(seat)
        hand = deal.hands[other] or ()
        known = replace(deal, discard={other: hand[:2]})
        [offer] = best(known, ["entrada"]).seats[seat]
        check(known, offer, list(exchanges(known, seat)), Solver())


def test_without_exchange_the_hands_are_played_as_recorded() -> None:
    deal = small("ombre", 4, 6, 1)
    found = best(deal, ["entrada", "vuelta"], exchange=False)
    for seat, offers in found.seats.items():
        for offer in offers:
            assert not offer.discard
            check(deal, offer, [deal], Solver())
        [free] = best(deal, ["entrada"]).seats[seat]
        [bound] = [offer for offer in offers if offer.contract == "entrada"]
        assert (free.payoff or 0) >= (bound.payoff or 0)
    unordered = replace(deal, talon_ordered=False)
    assert best(unordered, ["entrada"]).seats == best(deal, ["entrada"], exchange=False).seats


def test_whole_deals_of_ombre_are_exchanged_by_the_rules() -> None:
    random = Random(3)
    deal = random_deal(rules_for("ombre"), random)
    for seat, offers in best(deal).seats.items():
        for offer in offers:
            chosen = replace(
                deal,
                drawn={seat: offer.drawn} if offer.drawn else {},
                discard={seat: offer.discard} if offer.discard else {},
            )
            contract = Contract.make(chosen, offer.contract, seat, offer.trump)
            assert faults(chosen, contract) == []
            secured = solve(chosen, contract, objective="score").secured
            assert secured is not None
            assert secured.payoff == offer.payoff


def test_a_pair_that_makes_plays_from_the_hand() -> None:
    deal = small("squint", 3, 2, 7)
    found = best(deal, ["duo"])
    recorded = best(deal, ["duo"], exchange=False)
    for seat, [offer] in found.seats.items():
        [plain] = recorded.seats[seat]
        assert plain.payoff is not None
        assert offer.payoff == max(plain.payoff, 2 * plain.payoff)
        assert offer.from_hand == (plain.payoff > 0)
