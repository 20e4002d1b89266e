"""Reads the hands in a Deal or Talon value; unreadable parts become faults at their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from spadille.base.card_languages import LETTERS
from spadille.base.card_text import RANKS, SUITS, parse_hand, rank_meant
from spadille.base.errors import CardError
from spadille.base.names_in_input import read_seat
from spadille.base.words_for_messages import many
from spadille.games.model.deal_protocols import Hands
from spadille.games.model.game import Rules
from spadille.pbn import fault_places

_CARD_RULE = f"hand files: a card is a suit ({SUITS}) and a rank ({RANKS})"
_FOREIGN_CARD_RULE = f"{_CARD_RULE}, or a card in the letters of --letters"
UNNOTED_RULE = (
    "hand files: x stands for an unrecorded low card if the other cards determine it or all "
    "choices are equivalent"
)
_HAND_RULE = "hand files: a hand is its suits S.H.D.C with dots between them"

Fail = Callable[[str, str, str, int, str, str], None]
"""A callback for faults: code, message, tag, place in its value, text and rule."""


class PartialHand(NamedTuple):
    """A hand with unrecorded low cards."""

    cards: tuple[str, ...]
    small: Mapping[str, list[int]]
    """For each suit, the places of the unrecorded cards in the value."""


def without_small(value: str, rules: Rules) -> tuple[str, dict[str, PartialHand]]:
    """Return the value with "-" for each hand that contains an "x", and those hands by seat.

    All other hands keep their places. Unreadable parts are kept, too.
    """
    first = read_seat(value.partition(":")[0])
    if "x" not in value or first not in rules.seats:
        return value, {}
    start = rules.seats.index(first)
    partial: dict[str, PartialHand] = {}
    owners = rules.seats[start:] + rules.seats[:start]
    for owner, (index, text) in zip(owners, fault_places.hands(value), strict=False):
        holdings = text.split(".")
        if "x" not in text or len(holdings) != len(SUITS):
            continue
        try:
            cards = parse_hand(text.replace("x", ""))
        except CardError:
            continue
        small: dict[str, list[int]] = {}
        for suit, holding in zip(SUITS, holdings, strict=True):
            small[suit] = [index + match.start() for match in re.finditer("x", holding)]
            index += len(holding) + 1
        partial[owner] = PartialHand(cards, small)
        place = value.index(text, value.index(":"))
        value = value[:place] + "-".ljust(len(text)) + value[place + len(text) :]
    return value, partial


def read_hands(value: str, rules: Rules, fail: Fail) -> Hands | None:
    """Read a Deal value; faulty hands become unknown. None if it is unclear whose hands they are.

    The value is first read as a whole, then hand by hand, so that every fault is reported where it
    occurs.
    """
    return _all_hands(value, rules.seats) or _each_hand(value, rules, fail)


def _all_hands(value: str, seats: tuple[str, ...]) -> Hands | None:
    """Return all hands, or None if anything is wrong with them."""
    first, _, rest = value.strip().partition(":")
    words = rest.split()
    first = read_seat(first)
    if first not in seats or len(words) != len(seats):
        return None
    try:
        hands = [None if word == "-" else parse_hand(word) for word in words]
    except CardError:
        return None
    start = len(seats) - seats.index(first)
    return dict(zip(seats, hands[start:] + hands[:start], strict=True))


def _each_hand(value: str, rules: Rules, fail: Fail) -> Hands | None:
    first, colon, _ = value.partition(":")
    hand_texts = list(fault_places.hands(value))
    name = rules.game.name
    number = len(rules.seats)
    rule = f"hand files: Deal is a seat, a colon and the {number} hands of {name}"
    if not colon or read_seat(first) not in rules.seats:
        index = len(value) - len(value.lstrip())
        code = "seat-unknown" if colon else "deal-unreadable"
        message = f"{rules.not_a_seat(first.strip())}: {' '.join(rules.seats)}"
        if not colon:
            message = "a colon is missing between the first seat and the hands"
        fail(code, message, "Deal", index, first.strip(), rule)
        return None
    if len(hand_texts) != number:
        message = f"{many(len(hand_texts), 'hand')} instead of {number}"
        if apart := re.search(r"[,;|/]", value):
            message += f": write spaces between hands, not {apart.group()!r}"
        fail("deal-hands", message, "Deal", 0, value, rule)
        return None
    hands: dict[str, tuple[str, ...] | None] = {}
    corrected: set[str] = set()
    start = rules.seats.index(read_seat(first))
    owners = rules.seats[start:] + rules.seats[:start]
    for (index, text), owner in zip(hand_texts, owners, strict=True):
        if text == "-":
            hands[owner] = None
            continue
        text = _with_dots(index, text, corrected, fail)
        if not check_hand("Deal", index, text, fail):
            hands[owner] = None
            continue
        hands[owner] = parse_hand(fault_places.readable_hand(text))
    return {owner: hands[owner] for owner in rules.seats}


def _with_dots(index: int, text: str, corrected: set[str], fail: Fail) -> str:
    """If suits are not separated by dots, return the intended hand and report a single fault."""
    apart = re.search(r"[^0-9A-Za-z.]", text)
    if text.count(".") == 3 or apart is None:
        return text
    meant = text.replace(apart.group(), ".")
    if meant.count(".") != 3:
        return text
    if apart.group() not in corrected:
        corrected.add(apart.group())
        message = f"write a dot between the suits of {text!r}, not {apart.group()!r}"
        fail("hand-unreadable", message, "Deal", index + apart.start(), apart.group(), _HAND_RULE)
    return meant


def card_rule(text: str) -> str:
    """Return the rule for a word that is not a card, which may be one in another language."""
    foreign = any(letters.card(text) for letters in LETTERS.values())
    return _FOREIGN_CARD_RULE if foreign else _CARD_RULE


def check_hand(tag: str, index: int, text: str, fail: Fail) -> bool:
    """Return whether a hand has four suits, and report letters that are not ranks."""
    if text.count(".") != 3:
        message = f"{text!r} does not have four suits"
        fail("hand-unreadable", message, tag, index, text, _HAND_RULE)
        return False
    for at, rank in fault_places.unreadable_in_hand(text):
        meant = rank_meant(rank)
        rule = _FOREIGN_CARD_RULE if meant else _CARD_RULE
        fail("card-unreadable", f"{rank!r} is not a rank{meant}", tag, index + at, rank, rule)
    return True
