"""Random endings and contracts of any game, for tests of code that uses the engine."""

from __future__ import annotations

from random import Random

from spadille.base.card_text import NO_TRUMP, SUITS, sort_cards
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules

SIZE = {3: 4, 4: 3, 5: 3}  # cards a hand that brute force settles at once


def ending(rules: Rules, trump: str, random: Random, size: int = 0) -> Deal:
    """Deal some cards to each hand, preferring high trumps, and choose the tricks won so far."""
    size = size or SIZE[len(rules.seats)]
    best = rules.suits(trump)[trump][:4] if trump != NO_TRUMP else ()
    number = size * len(rules.seats)
    cards = list(best) if random.random() < 0.7 else []
    suits = random.sample(SUITS, random.randint(2, 4))
    rest = [card for card in rules.deck if card not in cards]
    random.shuffle(rest)
    rest.sort(key=lambda card: card[0] not in suits)
    cards += rest[: number - len(cards)]
    random.shuffle(cards)
    won = dict.fromkeys(rules.seats, 0)
    for _ in range(rules.game.hand_size - size):
        won[random.choice(rules.seats)] += 1
    current = rules.game.current_trumps
    return Deal(
        rules=rules,
        dealer=random.choice(rules.seats),
        hands={
            seat: sort_cards(cards[start * size : (start + 1) * size])
            for start, seat in enumerate(rules.seats)
        },
        current_trump=trump if trump in current else random.choice(current) if current else None,
        leader=random.choice(rules.seats),
        won=won,
    )


def some_trump(rules: Rules, kind: ContractType, random: Random) -> str:
    """Return a trump in which the contract can be played on some deal."""
    if kind.trump == "none":
        return NO_TRUMP
    if kind.trump == "current":
        return random.choice(rules.game.current_trumps)
    return kind.trump if kind.trump in SUITS else random.choice(SUITS)


def contract_of(deal: Deal, kind: ContractType, trump: str, random: Random) -> Contract:
    """Return a contract of a random declarer, with a random card to call or partner."""
    seats = deal.rules.seats
    seat, other = random.sample(seats, 2)
    if kind.side == "all":
        ids = (kind.id,) * len(seats)
        return Contract(seats, ids, trump, penalty=random.choice(SUITS))
    if kind.side == "called":
        allowed = {card for tier in deal.rules.call_tiers(trump, kind) for card in tier}
        free = [card for card in deal.hands[other] or () if card in allowed]
        return Contract((seat,), (kind.id,), trump, random.choice(free or [None]), other)
    return Contract((seat,), (kind.id,), trump, partner=other if kind.side == "partner" else None)


def case(game: str, options: str, contract_id: str, seed: int) -> tuple[Deal, Contract]:
    """Return an ending and a contract of that kind."""
    random = Random(f"{game} {options} {contract_id} {seed}")
    rules = rules_for(game, options)
    kind = rules.contract(contract_id)
    trump = some_trump(rules, kind, random)
    deal = ending(rules, trump, random)
    if kind.aim == "nemo":  # an end position does not record which tricks were clean
        deal = Deal(rules, deal.dealer, deal.hands, leader=deal.leader)
    return deal, contract_of(deal, kind, trump, random)
