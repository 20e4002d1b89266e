"""What rules of their own did to a player's choice: the Matador privilege, the called card."""

from __future__ import annotations

from spadille.cards import NO_TRUMP, SUIT_NAMES
from spadille.deal import Contract
from spadille.position import Position
from spadille.rules import Rules

_SEATS = {"N": "North", "E": "East", "S": "South", "W": "West"}
_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}


def seat_name(seat: str) -> str:
    """Name a seat: North, Player 2."""
    return _SEATS.get(seat, f"Player {seat}")


def card_name(card: str) -> str:
    """Name a card: the ace of spades, the 7 of hearts."""
    return f"the {_RANKS.get(card[1], card[1])} of {SUIT_NAMES[card[0]]}"


def has_hints(rules: Rules, contract: Contract) -> bool:
    """Whether the rules know a Matador privilege or a called card's duty in this contract."""
    duty = contract.called is not None and rules.called_card_duty == "first-lead"
    return duty or (rules.matador_rule != "none" and contract.trump != NO_TRUMP)


def hint(position: Position, card: str) -> str | None:
    """Say what a special rule had to do with the card about to be played; mostly None.

    That is so where a matador could be kept from a trump lead (and was, or was not) or had to be
    played to it, and where a called card had to be played or kept. RULES 2 and 3.
    """
    return _called(position) or _matador(position, card)


def _called(position: Position) -> str | None:
    called = position.called
    if called is None or called not in position.hands[position.to_play]:
        return None
    legal = position.legal()
    position.called = None
    free = position.legal()
    position.called = called
    if legal == free:
        return None
    who, name = seat_name(position.to_play), card_name(called)
    if legal == [called]:
        return f"{who} had to play {name}: its suit was led, and it is the called card"
    if called in legal:
        return f"{who} could lead that suit only with {name}: it is the called card"
    return f"{who} had to keep {name}: the called card falls only when its suit is led"


def _matador(position: Position, card: str) -> str | None:
    rules, trump = position.rules, position.trump
    if rules.matador_rule == "none" or not position.trick:
        return None
    suit_of = position.suit_of
    led = position.trick[0][1]
    hand = position.hands[position.to_play]
    if suit_of[led] != trump:
        return None
    trumps = [one for one in rules.suits(trump)[trump] if one in hand]
    if not trumps or not set(trumps) <= set(rules.matadors(trump)):
        return None
    legal = position.legal()
    who = seat_name(position.to_play)
    names = " and ".join(card_name(one) for one in trumps)
    free = any(suit_of[one] != trump for one in legal)
    if not free and set(trumps) < hand:
        return f"{who} had to play {names}: a matador was led that forces it"
    if free and suit_of[card] != trump:
        return f"{who} kept {names}: no matador was led that forces it"
    if free:
        return f"{who} need not have played {card_name(card)}: no matador was led that forces it"
    return None
