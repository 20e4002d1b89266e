"""Cards and hands as text: a card is its printed suit and its rank ("SA", "HT")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from spadille.base.errors import CardError, DealError

SUITS = "SHDC"
RANKS = "AKQJT98765432"
NO_TRUMP = "NT"

CARDS: tuple[str, ...] = tuple(suit + rank for suit in SUITS for rank in RANKS)
CARD_ORDER: dict[str, int] = {card: number for number, card in enumerate(CARDS)}
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "NT": "no trumps"}
RANK_NAMES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine"}
RANK_NAMES |= {"8": "eight", "7": "seven", "6": "six", "5": "five", "4": "four", "3": "three"}
RANK_NAMES |= {"2": "two"}


# The invisible characters after a suit symbol that show it as text or as an emoji.
VARIATION_SELECTORS = "\ufe0e\ufe0f"
_WITHOUT_SELECTORS = str.maketrans("", "", VARIATION_SELECTORS)
# Suit symbols, filled and outlined.
_SYMBOLS = str.maketrans(dict(zip("♠♥♦♣♤♡♢♧", SUITS * 2, strict=True)))


def without_variation_selectors(text: str) -> str:
    """Return a text without the characters that show suit symbols as text or as emoji."""
    return text.translate(_WITHOUT_SELECTORS)


def card_name(card: str) -> str:
    """Return a card's name for a sentence: "the ace of spades"."""
    return f"the {RANK_NAMES[card[1]]} of {SUIT_NAMES[card[0]]}"


def parse_card(text: str) -> str:
    """Read one card: "SA", "sa", "H10" or "♥A"; raise CardError for other text."""
    if text in CARD_ORDER:
        return text
    card = _plain(text)
    if card in CARD_ORDER:
        return card
    if card[:1] in SUITS and (meant := rank_meant(card[1:], card[:1])):
        raise CardError(f"{text!r} is not a card{meant}")
    hint = (
        f"the suit comes first: {card[1:] + card[0]!r}"
        if card[1:] + card[:1] in CARD_ORDER
        else (f"write suit (one of {SUITS}) and rank (one of {RANKS})")
    )
    raise CardError(f"{text!r} is not a card: {hint}")


def suit_of_small(text: str) -> str | None:
    """Return the suit of a low card of unknown rank ("Sx" or "♠x"); None for other text."""
    return None if text[-1:] != "x" else next((s for s in SUITS if _plain(text) == s + "X"), None)


def rank_meant(text: str, suit: str = "") -> str:
    """Return "; did you mean ...?" if the letter is a rank in another language, else ""."""
    rank = _ELSEWHERE.get(text.upper())
    return f"; did you mean {suit + rank!r}?" if rank else ""


# German has Dame, Ober, Bube and Unter; French has Roi. A V is a Jack in French and a Queen in
# Dutch.
_ELSEWHERE = {"D": "Q", "O": "Q", "B": "J", "U": "J", "R": "K"}


def _plain(text: str) -> str:
    plain = without_variation_selectors(text.strip()).translate(_SYMBOLS)
    # In upper case, a long s (ſ) would become an S, and must not be read as a suit.
    return plain.upper().replace("10", "T") if plain.isascii() else plain


def parse_cards(text: str) -> tuple[str, ...]:
    """Read cards separated by spaces or commas, keeping their order: "SK H7 C10"."""
    return tuple(parse_card(word) for word in text.replace(",", " ").split())


def sort_cards(cards: Iterable[str]) -> tuple[str, ...]:
    """Sort cards by suit (S, H, D, C), then by printed rank from high to low.

    Raises CardError for a word that is not a card in the form that `parse_card` returns.
    """
    try:
        return tuple(sorted(cards, key=CARD_ORDER.__getitem__))
    except KeyError as error:
        raise CardError(
            f"{error} is not a card: write suit (one of {SUITS}) and rank (one of {RANKS})"
        ) from None


@lru_cache(maxsize=1 << 16)
def _holding(suit: str, ranks: str) -> tuple[str, ...]:
    cards = [suit + rank for rank in ranks.upper().replace("10", "T")]
    for card in cards:
        if card not in CARD_ORDER:
            hint = rank_meant(card[1]) or f": use {RANKS}"
            raise CardError(f"{card[1]!r} in {ranks!r} is not a rank{hint}")
    return sort_cards(cards)


def parse_hand(text: str) -> tuple[str, ...]:
    """Read a hand in PBN notation ("AK.QJ..987") and return its cards, sorted.

    A card written twice is kept twice, so that validation can report it. Raises CardError.
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
    """Write cards in PBN notation, such as "AK.QJ..987"."""
    ordered = sort_cards(cards)
    return ".".join("".join(card[1] for card in ordered if card[0] == suit) for suit in SUITS)


def check_held_once(hands: Mapping[str, Iterable[str] | None]) -> None:
    """Raise DealError if a card occurs twice, in one hand or in two."""
    holder: dict[str, str] = {}
    for seat, hand in hands.items():
        for card in hand or ():
            if card in holder:
                both = seat if holder[card] == seat else f"{holder[card]} and {seat}"
                raise DealError(f"{card} is held twice, by {both}", "card-duplicate")
            holder[card] = seat
