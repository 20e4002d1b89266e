"""Read the names of seats, suits, games and contracts, and suggest spellings.

Unknown text is returned unchanged so that messages can quote it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

from spadille.base.card_languages import SUIT_WORDS
from spadille.base.card_text import without_variation_selectors

_SEATS = {
    **dict.fromkeys(("n", "north"), "N"),
    **dict.fromkeys(("e", "east"), "E"),
    **dict.fromkeys(("s", "south"), "S"),
    **dict.fromkeys(("w", "west"), "W"),
}
_TRUMPS = {
    **dict.fromkeys(("s", "spades", "spade", "♠", "♤"), "S"),
    **dict.fromkeys(("h", "hearts", "heart", "♥", "♡"), "H"),
    **dict.fromkeys(("d", "diamonds", "diamond", "♦", "♢"), "D"),
    **dict.fromkeys(("c", "clubs", "club", "♣", "♧"), "C"),
    **dict.fromkeys(("nt", "n", "no-trumps", "no-trump", "notrumps", "notrump"), "NT"),
}


def read_seat(text: str) -> str:
    """Read a seat: "N", "n", "North"."""
    return _SEATS.get(text.strip().lower(), text.strip())


def read_seats(text: str) -> tuple[str, ...]:
    """Read seats separated by spaces or commas."""
    return tuple(read_seat(word) for word in text.replace(",", " ").split())


def read_trump(text: str) -> str:
    """Read a suit or NT: "D", "d", "Diamonds", "♦", "no trumps", "Karo", "oros"."""
    word = re.sub(r"\s+", "-", without_variation_selectors(text.strip().lower()))
    return _TRUMPS.get(word) or SUIT_WORDS.get(text.strip().lower()) or text.strip()


def read_contracts(text: str, named: Mapping[str, str]) -> tuple[tuple[str, ...], str | None]:
    """Read contracts by id or name, and the trump if the text names one.

    Accepts forms such as "ace-solo misere", "Abundance Declared", "solo-H" and "Solo Hearts";
    `named` maps the known ids to their names.
    """
    if text in named:
        return (text,), None
    ids = {slug(text): key for key, name in named.items() for text in (key, name)}
    written = slug(text)
    if written in ids:
        return (ids[written],), None
    contract, _, last = written.rpartition("-")
    trump = read_trump(last)
    if contract in ids and trump in ("S", "H", "D", "C", "NT"):
        return (ids[contract],), trump
    words = ((word, word.lower()) for word in text.split())
    return tuple(lower if lower in named else word for word, lower in words), None


@lru_cache(maxsize=1024)
def slug(text: str) -> str:
    """Convert a name to an id: "Misère Ouverte" to "misere-ouverte", "Prop & Cop" to "prop-cop"."""
    plain = unicodedata.normalize("NFKD", text.lower())
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    words = re.split(r"[\s_&/()-]+", letters)
    return "-".join(word for word in words if word not in ("", "and", "in"))


def meant(text: str, known: Iterable[str]) -> str:
    """Return "; did you mean ...?" if a known word is similar; an empty string if none is."""
    lower = {word.lower(): word for word in known}
    close = get_close_matches(text.strip().lower()[:_LONGEST], lower, 1, 0.7)
    return f"; did you mean {lower[close[0]]!r}?" if close else ""


_LONGEST = 40  # no known word is longer
