"""The deals of all benchmarks, made from seeds.

Tuning uses the family TUNING, reports use MEASURING; no deal belongs to both. A deal's seed is the
text "<family> <purpose> <number>".

Hands for lone declarers and for Misère are worth a bid: the best (for Misère the lowest) of a dozen
random deals, because most random hands would be trivial.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from spadille.analysis.contracts.contracts_to_solve import alternatives
from spadille.base.card_text import NO_TRUMP, SUITS, sort_cards
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.games.model.game import Rules
from spadille.generate.problems.biddable_deals import DOZEN, bidding_points, height

TUNING = "tuning"
MEASURING = "measuring"


class Question(NamedTuple):
    """A contract, and the declarers to solve it for."""

    deal: Deal
    contract: Contract
    seats: tuple[str, ...]


Maker = Callable[[Random], Question]


def questions(family: str, purpose: str, number: int, make: Maker) -> list[Question]:
    """Return `number` questions, each from its own seed."""
    return [make(Random(f"{family} {purpose} {index}")) for index in range(number)]


def random_deal(rules: Rules, random: Random, current_trump: str | None = None) -> Deal:
    """Return a random deal of the whole pack, with any dealer."""
    cards = list(rules.deck)
    random.shuffle(cards)
    size = rules.game.hand_size
    trumps = rules.game.current_trumps
    return Deal(
        rules=rules,
        dealer=random.choice(rules.seats),
        hands={
            seat: sort_cards(cards[number * size : (number + 1) * size])
            for number, seat in enumerate(rules.seats)
        },
        talon=tuple(cards[size * len(rules.seats) :]),
        talon_ordered=True,
        current_trump=current_trump or (random.choice(trumps) if trumps else None),
    )


def best_trump(deal: Deal, contract: str, seat: str) -> str:
    """Return the allowed trump in which the hand is strongest."""
    kind = deal.rules.contract(contract)
    trumps = deal.rules.allowed_trumps(kind, deal)
    return max(trumps, key=lambda trump: bidding_points(deal, seat, trump))


def lone(game: str, contract: str, options: str = "") -> Maker:
    """Return the best of a dozen hands, alone against all in its best trump."""
    rules = rules_for(game, options)

    def make(random: Random) -> Question:
        tries = []
        for _ in range(DOZEN):
            deal = random_deal(rules, random)
            seat = random.choice(rules.seats)
            trump = best_trump(deal, contract, seat)
            tries.append((bidding_points(deal, seat, trump), deal, seat, trump))
        _, deal, seat, trump = max(tries, key=lambda each: each[0])
        return Question(deal, Contract.make(deal, contract, seat, trump), (seat,))

    return make


def misere(game: str) -> Maker:
    """Return the lowest of a dozen hands."""
    rules = rules_for(game)

    def make(random: Random) -> Question:
        tries = [(random_deal(rules, random), random.choice(rules.seats)) for _ in range(DOZEN)]
        deal, seat = min(tries, key=lambda each: height(*each))
        return Question(deal, Contract.make(deal, "misere", seat), (seat,))

    return make


def soloists(number: int) -> Maker:
    """Return the best of a dozen Squint deals for a number of simultaneous Ace solos."""
    rules = rules_for("squint")

    def make(random: Random) -> Question:
        tries = []
        for _ in range(DOZEN):
            deal = random_deal(rules, random)
            ranked = sorted(rules.seats, key=lambda seat: -bidding_points(deal, seat, NO_TRUMP))
            seats = tuple(sorted(ranked[:number]))
            tries.append((min(bidding_points(deal, seat, NO_TRUMP) for seat in seats), deal, seats))
        _, deal, seats = max(tries, key=lambda each: each[0])
        return Question(deal, Contract.make(deal, ("ace-solo",) * number, seats), seats)

    return make


def nemo() -> Maker:
    """Return a player of a Nemo: of a dozen hands, the strongest outside the penalty suit."""
    rules = rules_for("squint")

    def make(random: Random) -> Question:
        tries = []
        for _ in range(DOZEN):
            deal = random_deal(rules, random)
            seat, penalty = random.choice(rules.seats), random.choice(SUITS)
            held = sum(card[0] == penalty for card in deal.hands[seat] or ())
            tries.append((bidding_points(deal, seat, NO_TRUMP) - 3 * held, deal, seat, penalty))
        _, deal, seat, penalty = max(tries, key=lambda each: each[0])
        return Question(deal, Contract.make(deal, "nemo", penalty=penalty), (seat,))

    return make


def called(game: str, contract: str, options: str = "") -> Maker:
    """Return a random deal and caller, with the caller's best trump and a random callable card."""
    rules = rules_for(game, options)

    def make(random: Random) -> Question:
        while True:
            deal = random_deal(rules, random)
            seat = random.choice(rules.seats)
            trump = best_trump(deal, contract, seat)
            cards = rules.callable_cards(trump, deal.hands[seat] or ())
            if cards:
                card = random.choice(cards)
                return Question(deal, Contract.make(deal, contract, seat, trump, card), (seat,))

    return make


def bridge(trump: str | None = None) -> Maker:
    """Return a random deal of 52 cards with partners opposite, which DDS can play too."""
    rules = rules_for("anna-cubed")

    def make(random: Random) -> Question:
        deal = random_deal(rules, random, trump or random.choice(SUITS))
        seat = deal.dealer
        partner = rules.next_seat(rules.next_seat(seat))
        return Question(deal, Contract.make(deal, "prop-cop", seat, partner=partner), (seat,))

    return make


def duo() -> Maker:
    """Return a random Squint deal with two neighbors against three."""
    rules = rules_for("squint")

    def make(random: Random) -> Question:
        deal = random_deal(rules, random)
        seat, partner = random.sample(rules.seats, 2)
        trump = best_trump(deal, "duo", seat)
        return Question(deal, Contract.make(deal, "duo", seat, trump, partner=partner), (seat,))

    return make


def offered(game: str, contract: str) -> Maker:
    """Return a legal contract: of a dozen on random deals, the one with the best hand for it."""
    rules = rules_for(game)
    kind = rules.contract(contract)

    def hope(deal: Deal, chosen: Contract) -> float:
        if kind.aim == "misere":
            return -height(deal, chosen.declarer)
        trumps = (chosen.trump,) if chosen.trump else SUITS
        return max(bidding_points(deal, chosen.declarer, trump) for trump in trumps)

    def make(random: Random) -> Question:
        tries: list[tuple[float, Deal, Contract]] = []
        while len(tries) < DOZEN:
            deal = random_deal(rules, random)
            allowed = [each for some in alternatives(deal, kind, named=False) for each in some]
            if allowed:
                chosen = random.choice(allowed)
                tries.append((hope(deal, chosen), deal, chosen))
        _, deal, chosen = max(tries, key=lambda each: each[0])
        return Question(deal, chosen, chosen.declarers)

    return make
