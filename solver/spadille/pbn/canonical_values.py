"""Tag values in canonical form, for `export`.

A value that cannot be read, or that contradicts another tag, is left unchanged.
"""

from __future__ import annotations

import re
from contextlib import suppress

from spadille.base.card_text import format_hand, parse_card, parse_hand
from spadille.base.errors import CardError, RulesError
from spadille.base.names_in_input import read_contracts, read_seat, read_trump
from spadille.games import get_game
from spadille.games.model.game import Rules
from spadille.pbn.document import PbnGame, Tag, escape

_BRIDGE_CONTRACT = re.compile(r"[1-7]?(?:[SHDC]|NT)X{0,2}", re.IGNORECASE)
_SIDE_RESULT = re.compile(r"(\^?)(NS|EW) (\d\d?)(?: (?:NS|EW) \d\d?)?", re.A | re.IGNORECASE)
_VULNERABLE = {"none": "None", "love": "None", "-": "None", "ns": "NS", "ew": "EW", "all": "All"}
_VULNERABLE["both"] = "All"
_SEATS = frozenset({"Dealer", "Declarer", "Partner", "TrumpBy", "Leader"})
_TRUMPS = frozenset({"Trump", "Penalty", "CurrentTrump"})
_LISTS = frozenset({"Called", "TurnUp", "Talon", "Drawn", "Discard", "Won", "FromHand", "Key"})
_LISTED = re.compile(r"[^\s,;:]+")
_SUITS = ("S", "H", "D", "C", "NT")


def seats_in_turn(rules: Rules | None) -> tuple[str, ...]:
    """Return the seats in order of play, or the bridge seats if the game is unknown."""
    return ("N", "E", "S", "W") if rules is None else rules.turn_order


def canonical_value(game: PbnGame, tag: Tag, rules: Rules | None) -> str:
    """Return the text between the quotes of a tag."""
    value = tag.value
    turn = seats_in_turn(rules)
    if value == "#" or (tag.name == "Note" and value.startswith("#")):
        inherited = tag.document.source[tag.value_start : tag.stop] != value
        value = "###" if inherited and tag.name != "Note" else value.lstrip("#") or "?"
        if tag.name == "Trump" and value == "?":
            value = contract_of(game, rules)[1] or "?"
    elif value.startswith("##"):
        value = "##" + value
    elif tag.name == "Deal":
        value = _deal(value, read_seat(game.get("Dealer") or ""), turn)
    elif tag.name == "Vulnerable":
        value = _VULNERABLE.get(value.lower(), value)
    elif tag.name == "Contract":
        value = contract_of(game, rules)[0]
    elif tag.name == "Result":
        value = _result(value, read_seat(game.get("Declarer") or ""))
    elif tag.name == "Game":
        with suppress(RulesError):
            value = get_game(value).id
    elif tag.name in _SEATS:
        value = " ".join(seat_of(word, turn) for word in value.split())
    elif tag.name in _TRUMPS:
        trump = read_trump(value) if value.strip() else ""
        if tag.name == "Trump" and trump in ("", "?"):
            trump = contract_of(game, rules)[1] or trump
        value = trump if trump in _SUITS else value
    elif tag.name in _LISTS:
        value = _listed(value, turn)
    return escape(value)


def seat_of(word: str, turn: tuple[str, ...]) -> str:
    """Return a seat in canonical form, keeping a caret; return any other word unchanged."""
    caret, name = ("^", word[1:]) if word.startswith("^") else ("", word)
    return caret + read_seat(name) if read_seat(name) in turn else word


def _listed(value: str, turn: tuple[str, ...]) -> str:
    """Return cards and seats in canonical form, with the text between them unchanged."""
    if value.count(".") == 3:
        try:
            return format_hand(parse_hand(value))
        except CardError:
            return value
    return _LISTED.sub(lambda match: card_or(match.group(), seat_of(match.group(), turn)), value)


def card_or(text: str, other: str) -> str:
    """Return a card in canonical form, or `other` if the text is not a card."""
    try:
        return parse_card(text)
    except CardError:
        return other


def contract_of(game: PbnGame, rules: Rules | None) -> tuple[str, str | None]:
    """Return the contract; keep a trump written with it unless another tag names the trump."""
    value = game.get("Contract") or ""
    if rules is None or _BRIDGE_CONTRACT.fullmatch(value):
        return value.upper() if _BRIDGE_CONTRACT.fullmatch(value) else value, None
    ids, trump = read_contracts(value, {key: kind.name for key, kind in rules.contracts.items()})
    if not ids or any(contract_id not in rules.contracts for contract_id in ids):
        return value, None
    written = read_trump(game.get("Trump") or "")
    if trump is not None and written not in ("", "?", "#", trump):
        return value, None
    return " ".join(ids), trump


def _deal(value: str, dealer: str, turn: tuple[str, ...]) -> str:
    """Return a deal with the dealer's hand first and ranks in order; unchanged if unreadable."""
    first, _, rest = value.partition(":")
    hands = rest.split()
    seats = sorted(turn, key="NESW12345".index)  # clockwise
    first = read_seat(first)
    if first not in seats or len(hands) != len(seats):
        return value
    try:
        hands = ["-" if hand == "-" else format_hand(parse_hand(hand)) for hand in hands]
    except CardError:
        return value
    shift = (seats.index(dealer) - seats.index(first)) % len(seats) if dealer in seats else 0
    head = dealer if dealer in seats else first
    return f"{head}:{' '.join(hands[shift:] + hands[:shift])}"


def _result(value: str, declarer: str) -> str:
    """Return a bridge result as the number of tricks taken by the declarer (PBN 3.4.15)."""
    match = _SIDE_RESULT.fullmatch(value)
    if match is None or declarer not in ("N", "E", "S", "W"):
        return value
    caret, side, tricks = match.groups()
    return caret + (tricks if declarer in side.upper() else str(13 - int(tricks)))
