"""Reads and writes `Deal.text`, the deal as one line for `Deal.parse`.

    german-solo N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98
    ombre;estuche_chips=1 3:... ... ... talon=SK,CJ,H5 pool=10

The line contains the game with its options as in the `Rules` tag, then the dealer, the hands
clockwise from the dealer, and further fields of `Deal` as `name=value`. docs/library.md describes
the format for users. The format is stable; anything new gets a new name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from spadille.base.card_text import format_hand, parse_card, parse_cards, parse_hand
from spadille.base.errors import CardError, DealError, RulesError
from spadille.base.names_in_input import meant, read_seat, read_seats, read_trump
from spadille.core.dealt_cards import DealtCards
from spadille.games import get_game


class WrittenDeal(NamedTuple):
    """The parts of a line."""

    game: str
    options: str
    hands: str
    """The hands, as in the Deal tag."""
    fields: Mapping[str, Any]
    """The other arguments for creating the deal, by name."""


def is_written_deal(text: str) -> bool:
    """Return whether a string names its game, unlike the value of a Deal tag."""
    head = text.split(maxsplit=1)[:1]
    try:
        return bool(head and get_game(head[0].partition(";")[0]))
    except RulesError:
        return False


def written_deal(deal: DealtCards) -> str:
    """Format a deal as a line."""
    rules, dealer = deal.rules, deal.dealer
    start = rules.seats.index(dealer)
    hands = [deal.hands[seat] for seat in rules.seats[start:] + rules.seats[:start]]
    words = ["-" if hand is None else format_hand(hand) for hand in hands]
    game = ";".join(filter(None, (rules.game.id, rules.text)))
    fields = [f"{name}={value}" for name, value in _written_fields(deal)]
    return " ".join([game, f"{dealer}:{words[0]}", *words[1:], *fields])


def _written_fields(deal: DealtCards) -> Iterator[tuple[str, object]]:
    if deal.talon or deal.talon_ordered:
        yield "talon", ",".join(deal.talon) if deal.talon_ordered else format_hand(deal.talon)
    follows = deal.rules.game.turns_up and deal.turn_up and deal.turn_up[0]
    if deal.current_trump is not None and deal.current_trump != follows:
        yield "current_trump", deal.current_trump
    if deal.turn_up is not None:
        yield "turn_up", deal.turn_up
    if deal.pool is not None:
        yield "pool", deal.pool
    for name, exchanged in (("drawn", deal.drawn), ("discard", deal.discard)):
        if exchanged:
            yield name, _by_seat((seat, ",".join(cards)) for seat, cards in exchanged.items())
    if deal.from_hand:
        yield "from_hand", ",".join(deal.from_hand)
    if deal.leader is not None:
        yield "leader", deal.leader
    if deal.won:
        yield "won", _by_seat(deal.won.items())


def _by_seat(values: Iterable[tuple[str, object]]) -> str:
    return ";".join(f"{seat}:{value}" for seat, value in values)


def read_written_deal(text: str) -> WrittenDeal:
    """Read the parts of a line; raise RulesError, DealError or CardError if it is invalid."""
    head, *words = text.split() or [""]
    if not head or ":" in head:
        raise DealError(
            f"{text!r} does not name its game; begin the text with the game, or pass it as `game`",
            "game-missing",
        )
    game, _, options = head.partition(";")
    known = get_game(game)
    size = len(known.seats)
    if len(words) < size or ":" not in words[0]:
        raise DealError(
            f"{text!r} is not a deal: write one of {' '.join(known.seats)} after the game, then "
            f"a colon and {size} hands",
            "deal-unreadable",
        )
    fields: dict[str, Any] = {}
    for word in words[size:]:
        name, equals, value = word.partition("=")
        if not equals or name not in _READ:
            expected = ", ".join(_READ)
            raise DealError(
                f"{word!r} is unexpected after {size} hands: write name=value with one "
                f"of {expected}{meant(name, _READ)}",
                "deal-unreadable",
            )
        if name in fields:
            raise DealError(f"{name} is given twice", "deal-unreadable")
        try:
            fields |= _READ[name](value)
        except ValueError as error:
            code = error.code if isinstance(error, (CardError, RulesError)) else "deal-unreadable"
            raise DealError(f"{word!r}: {error}", code) from None
    return WrittenDeal(known.id, options, " ".join(words[:size]), fields)


def _seats(value: str) -> dict[str, str]:
    """Parse "1:...;3:..."."""
    pairs = [part.partition(":") for part in value.split(";") if part]
    if any(not colon for _, colon, _ in pairs):
        raise ValueError("write seat:value, with a semicolon between seats")
    by_seat = {read_seat(seat): rest for seat, _, rest in pairs}
    if len(by_seat) < len(pairs):
        raise ValueError("a seat is given twice")
    return by_seat


def _number(value: str) -> int:
    if not (value.isascii() and value.isdecimal()):
        raise ValueError(f"{value!r} is not a whole number")
    return int(value)


def _talon(value: str) -> dict[str, object]:
    ordered = value.count(".") != 3
    return {"talon": parse_cards(value) if ordered else parse_hand(value), "talon_ordered": ordered}


def _exchange(name: str) -> Callable[[str], dict[str, object]]:
    def read(value: str) -> dict[str, object]:
        return {name: {seat: parse_cards(cards) for seat, cards in _seats(value).items()}}

    return read


_READ: Mapping[str, Callable[[str], dict[str, object]]] = {
    "talon": _talon,
    "current_trump": lambda value: {"current_trump": read_trump(value)},
    "turn_up": lambda value: {"turn_up": parse_card(value)},
    "pool": lambda value: {"pool": _number(value)},
    "drawn": _exchange("drawn"),
    "discard": _exchange("discard"),
    "from_hand": lambda value: {"from_hand": read_seats(value)},
    "leader": lambda value: {"leader": read_seat(value)},
    "won": lambda value: {"won": {seat: _number(tricks) for seat, tricks in _seats(value).items()}},
}
