"""The letters and words for cards, suits and trumps in other languages.

None of these languages uses Q or J for a rank, so a deal that contains Q or J is in English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from spadille.base.card_text import NO_TRUMP, RANKS, SUITS, without_variation_selectors
from spadille.base.errors import ArgumentError, quoted


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters and words a language uses for cards; the first of several is used in output.

    `suits` and `ranks` are the letters for S H D C and for A K Q J T 9 ...; `names` are the words
    for S H D C NT.
    """

    code: str
    language: str
    suits: Mapping[str, tuple[str, ...]]
    ranks: Mapping[str, tuple[str, ...]]
    names: Mapping[str, tuple[str, ...]]

    def card(self, text: str) -> str | None:
        """Return the card, such as "HQ" for German "HD" or "♥D"; None for other text."""
        word = without_variation_selectors(text).upper()
        for suit, letters in self.suits.items():
            for letter in (*letters, *_SYMBOLS[suit]):
                start = letter.upper()
                if word.startswith(start) and (rank := self.rank(word[len(start) :])):
                    return suit + rank
        return None

    def words(self, text: str) -> str:
        """Convert the hands and cards in a text to English letters; keep everything else."""

        def word(match: re.Match[str]) -> str:
            given = match.group()
            return (self.hand(given) if "." in given else self.card(given)) or given

        return re.sub(r"[^\s,:]+(?!\S*:)", word, text)

    def rank(self, text: str) -> str | None:
        """Return the rank, such as "Q" for German "D", or "x" for a low card of unknown rank."""
        word = text.upper()
        if word == "X":
            return "x"
        for rank, letters in self.ranks.items():
            if word in letters:
                return rank
        return None

    def hand(self, text: str) -> str | None:
        """Return a hand, or the ranks of one suit, in English letters; None for other text."""
        pieces = re.findall(rf"{'|'.join(self._longest)}|[Xx.]|(.)", text.upper())
        if any(pieces):
            return None
        letters = re.finditer(rf"{'|'.join(self._longest)}|[Xx.]", text.upper())
        return "".join(
            "." if letter.group() == "." else self.rank(letter.group()) or "" for letter in letters
        )

    @property
    def _longest(self) -> list[str]:
        every = [letter for letters in self.ranks.values() for letter in letters]
        return sorted(every, key=len, reverse=True)

    def suit(self, text: str) -> str | None:
        """Return the suit or NT for a letter or a name ("H" for "Herz"); None for other text."""
        word = without_variation_selectors(text.strip().lower())
        suits: tuple[str, ...] = (*SUITS, NO_TRUMP)
        for suit in suits:
            letters = [letter.lower() for letter in self.suits.get(suit, ())]
            if word in (*letters, *self.names[suit], *_SYMBOLS.get(suit, ())):
                return suit
        return None


def _letters(code: str, language: str, suits: str, ranks: str, names: str) -> Letters:
    """Parse a row of the table: S H D C, A K Q J, and S H D C NT, with alternatives after /."""
    in_order = [tuple(word.split("/")) for word in ranks.split()]
    numerals = {rank: (rank,) for rank in RANKS if rank.isdecimal()}
    words = [tuple(way.replace("_", " ") for way in word.split("/")) for word in names.split()]
    return Letters(
        code,
        language,
        MappingProxyType(
            dict(zip(SUITS, (tuple(word.split("/")) for word in suits.split()), strict=True))
        ),
        MappingProxyType(
            dict(zip("AKQJ", in_order, strict=True)) | {"T": ("10", "T")} | numerals,
        ),
        MappingProxyType(dict(zip((*SUITS, NO_TRUMP), words, strict=True))),
    )


_SYMBOLS = {"S": ("♠", "♤"), "H": ("♥", "♡"), "D": ("♦", "♢"), "C": ("♣", "♧")}

LETTERS: Mapping[str, Letters] = MappingProxyType(
    {
        row.code: row
        for row in (
            _letters(
                "de",
                "German",
                "P H K KR/T",
                "A K D/O B/U",  # O and U are Ober and Unter
                "pik/schippen herz/coeur karo/eckstein kreuz/treff ohne/ohne_trumpf",
            ),
            _letters(
                "fr",
                "French",
                "P C K T",
                "A R D V",
                "pique/piques cœur/coeur/cœurs/coeurs carreau/carreaux "
                "trèfle/trefle/trèfles/trefles sans/sans_atout/sans-atout",
            ),
            _letters(
                "es",
                "Spanish",
                "E/P C O/D B/T",
                "A/1 R C/D S",
                "espadas/picas copas/corazones oros/diamantes bastos/tréboles/treboles "
                "sin_triunfo/sin-triunfo",
            ),
            _letters(
                "nl",
                "Dutch",
                "S H R K",
                "A H V B",
                "schoppen harten ruiten klaveren/klaver zonder/zonder_troef/sans",
            ),
            _letters(
                "da",
                "Danish",
                "S H R K",
                "E/A K D B",
                "spar hjerter ruder klør/klor uden/uden_trumf/sans",
            ),
        )
    }
)
"""Letters by language code."""

SUIT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        word: suit
        for letters in LETTERS.values()
        for suit, words in letters.names.items()
        for word in words
        if len(word) > 1
    }
)
"""Suit names in these languages, without those that mean different suits in different languages."""


def letters_of(code: str) -> Letters | None:
    """Return the letters of a language, None for "en"; raise ArgumentError for an unknown code."""
    if code == "en":
        return None
    if not isinstance(code, str) or code not in LETTERS:
        raise ArgumentError(f"letters must be one of en {' '.join(LETTERS)}, not {quoted(code)}")
    return LETTERS[code]
