"""Cards and hands as text: a card is two characters, the printed suit and the rank ("SA", "HT")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from spadille.errors import CardError, DealError

SUITS = "SHDC"
RANKS = "AKQJT98765432"
NO_TRUMP = "NT"

CARDS: tuple[str, ...] = tuple(suit + rank for suit in SUITS for rank in RANKS)
CARD_ORDER: dict[str, int] = {card: number for number, card in enumerate(CARDS)}
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "NT": "no trumps"}


def parse_card(text: str) -> str:
    """Read one card: "SA", "sa", "H10"; raises CardError quoting the input."""
    card = text.strip().upper().replace("10", "T")
    if card not in CARD_ORDER:
        raise CardError(
            f"{text!r} is not a card: write suit (one of {SUITS}) and rank (one of {RANKS})"
        )
    return card


def parse_cards(text: str) -> tuple[str, ...]:
    """Read a list of cards separated by blanks or commas, in the order given: "SK H7 C10"."""
    return tuple(parse_card(word) for word in text.replace(",", " ").split())


def sort_cards(cards: Iterable[str]) -> tuple[str, ...]:
    """Sort by S, H, D, C and printed rank from high to low."""
    return tuple(sorted(cards, key=CARD_ORDER.__getitem__))


@lru_cache(maxsize=1 << 16)
def _holding(suit: str, ranks: str) -> tuple[str, ...]:
    found = [suit + rank for rank in ranks.upper().replace("10", "T")]
    for card in found:
        if card not in CARD_ORDER:
            raise CardError(f"{card[1]!r} in {ranks!r} is not a rank: use {RANKS}")
    return sort_cards(found)


def parse_hand(text: str) -> tuple[str, ...]:
    """Read a hand in PBN notation, "AK.QJ..987", as sorted cards.

    A card written twice is kept twice, for validation to find. Raises CardError.
    """
    holdings = text.strip().split(".")
    if len(holdings) != 4:
        raise CardError(
            f"{text!r} is not a hand: write the four suits {SUITS} with a dot between them",
            "hand-unreadable",
        )
    spades, hearts, diamonds, clubs = holdings
    try:
        return (
            _holding("S", spades)
            + _holding("H", hearts)
            + _holding("D", diamonds)
            + _holding("C", clubs)
        )
    except CardError as error:
        raise CardError(f"{text!r} is not a hand: {error}", "hand-unreadable") from None


def format_hand(cards: Iterable[str]) -> str:
    """Write cards in PBN notation, "AK.QJ..987"."""
    ordered = sort_cards(cards)
    return ".".join("".join(card[1] for card in ordered if card[0] == suit) for suit in SUITS)


def check_held_once(hands: Mapping[str, Iterable[str] | None]) -> None:
    """Raise DealError for a card that is held twice, by one seat or by two."""
    holder: dict[str, str] = {}
    for seat, hand in hands.items():
        for card in hand or ():
            if card in holder:
                both = seat if holder[card] == seat else f"{holder[card]} and {seat}"
                raise DealError(f"{card} is held twice, by {both}", "card-duplicate")
            holder[card] = seat
