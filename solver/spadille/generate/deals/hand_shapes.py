"""The shape of a hand as text: 5.3.x.x by suit, 5-4-x-x in any order.

A shape has four parts, each a number of cards: `5`, `5+` (five or more), `2:4` (two to four), or
`x` (any number). Dots separate the suits in the order S.H.D.C; with hyphens, the suits may be in
any order. `5-3-3-2,6-x-x-x` allows either shape. `5+.x.x.x@H` counts with hearts as trumps; without
a trump, cards count in their printed suit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations, product

from spadille.base.card_text import SUITS, parse_hand
from spadille.base.errors import ArgumentError, CardError, RulesError, quoted
from spadille.base.names_in_input import read_seat, read_trump
from spadille.base.words_for_messages import listed
from spadille.core.counted_cards import suits_of
from spadille.generate.deals.condition_functions import Count, Setting, card_sum

Lengths = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """The allowed lengths of the suits of a hand."""

    text: str
    counts: tuple[Count, ...]  # one for each suit, in the order S H D C
    lengths: frozenset[Lengths]


def read_shape(seat: str, text: str, setting: Setting) -> Shape:
    """Read the shape of a hand; raise ArgumentError if it is invalid."""
    _check_seat(seat, setting)
    rules = setting.rules
    patterns, at, trump = text.partition("@")
    in_trump = read_trump(trump) if at else None
    if in_trump is not None and in_trump not in rules.trumps:
        known = listed(rules.trumps, "or")
        raise _error(
            text, f"{trump!r} is not a trump in {rules.game.name}: {known}", "trump-unknown"
        )
    suits = suits_of(rules, in_trump)
    room = [len(suits[suit]) for suit in SUITS]
    size = rules.game.hand_size
    shapes = {
        lengths
        for pattern in patterns.split(",")
        for lengths in _lengths(pattern.strip(), size, text)
        if all(length <= most for length, most in zip(lengths, room, strict=True))
    }
    if not shapes:
        raise _error(text, f"no hand of {size} cards has this shape", "shape-impossible")
    counts = tuple(card_sum(seat, dict.fromkeys(suits[suit], 1)) for suit in SUITS)
    return Shape(f"{seat}={text}", counts, frozenset(shapes))


def _lengths(pattern: str, size: int, text: str) -> set[Lengths]:
    in_order = "." in pattern
    parts = pattern.split("." if in_order else "-")
    if len(parts) != 4:
        raise _error(
            text,
            f"{pattern!r} is not a shape: write four numbers, 5.3.x.x by suits S.H.D.C or "
            "5-4-x-x in any order; 5+ is five or more, 2:4 two to four, x any",
            "shape-unreadable",
        )
    allowed = [_part(part, size, text) for part in parts]
    orders = [allowed] if in_order else permutations(allowed)
    shapes: set[Lengths] = set()
    for order in orders:
        for first, second, third in product(*order[:3]):
            last = size - first - second - third
            if last in order[3]:
                shapes.add((first, second, third, last))
    return shapes


def _part(part: str, size: int, text: str) -> range:
    """Read the number of cards a suit may have."""
    if part in ("x", "X"):
        return range(size + 1)
    least, colon, most = part.partition(":")
    if not colon and part.endswith("+"):
        least, most = part[:-1], str(size)
    elif not colon:
        most = least
    if not all(
        number.isascii() and number.isdecimal() and len(number) < 3 for number in (least, most)
    ):
        raise _error(text, f"{part!r} is not a length: write 5, 5+, 2:4 or x", "shape-unreadable")
    return range(int(least), min(int(most), size) + 1)


def read_cards(seat: str, text: str, setting: Setting) -> tuple[str, ...]:
    """Read the known cards of a hand, AK.Q..; raise ArgumentError if they are invalid."""
    _check_seat(seat, setting)
    rules = setting.rules
    try:
        cards = parse_hand(text)
    except CardError as error:
        raise ArgumentError(str(error), error.code) from None
    for card in cards:
        if card not in rules.deck:
            raise _error(
                text, f"{card} is not in the pack of {rules.game.name}", "card-not-in-deck"
            )
    if len(set(cards)) < len(cards):
        raise _error(text, "duplicate card", "card-duplicate")
    if len(cards) > rules.game.hand_size:
        raise _error(
            text,
            f"{len(cards)} cards, but a hand of {rules.game.name} has {rules.game.hand_size}",
            "hand-size",
        )
    return cards


def by_seat(given: Mapping[str, object], setting: Setting) -> dict[str, list[str]]:
    """Return a list of strings for each seat; `given` has one string or several for a seat.

    Raises ArgumentError for any other value.
    """
    texts_of: dict[str, list[str]] = {}
    for name, texts in given.items():
        several = [texts] if isinstance(texts, str) else texts
        if not isinstance(several, (list, tuple)) or not all(isinstance(t, str) for t in several):
            raise ArgumentError(f"cards and shapes of {name} must be text, not {quoted(texts)}")
        seat = setting.relative.get(name, read_seat(str(name)))
        texts_of.setdefault(seat, []).extend(several)
    return texts_of


def _check_seat(seat: str, setting: Setting) -> None:
    rules = setting.rules
    if seat not in rules.seats:
        known = listed([*rules.seats, *setting.relative], "or")
        raise RulesError(f"{rules.not_a_seat(seat)}: {known}", "seat-unknown")


def _error(text: str, message: str, code: str) -> ArgumentError:
    return ArgumentError(message if text in message else f"{text!r}: {message}", code)
