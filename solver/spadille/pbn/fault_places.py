"""Locates the words in a tag value that findings refer to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from spadille.base.card_text import RANKS, SUITS, parse_card
from spadille.base.errors import CardError
from spadille.base.names_in_input import read_seat, read_trump
from spadille.core.deal_faults import Finding

_WORD = re.compile(r"\S+")
_RANK = re.compile(r"10|.", re.DOTALL)
_PART = re.compile(r"\s*([^:;\s]*)\s*:?([^;]*)")

# Patterns for the words in a tag value, as its reader splits it.
_WORDS = {
    "Contract": _WORD,
    "Declarer": re.compile(r"[^\s^]+"),
    "Surrender": re.compile(r"\w+"),
}
_OTHER_WORDS = re.compile(r"[^\s,;:]+")

_Place = tuple[int, int]  # start and stop


class Index:
    """The places of all cards, seats and words in one tag value, found in one pass.

    `seats` are the game's seats in the order of the hands.
    """

    def __init__(self, tag: str, value: str, seats: tuple[str, ...]) -> None:
        self._value = value
        self._parts: dict[str | None, _Place] = {None: (0, len(value))}
        self._words: dict[tuple[str | None, str], list[_Place]] = {}
        if tag == "Deal" and seats:
            first = read_seat(value.partition(":")[0])
            start = seats.index(first) if first in seats else 0
            owners = seats[start:] + seats[:start]
            for (at, text), owner in zip(hands(value), owners, strict=False):
                self._parts[owner] = at, at + len(text)
                self._add_hand(owner, at, text)
        elif tag == "Talon" and "." in value:
            self._add_hand(None, 0, value)
        else:
            self._add_words(tag)

    def find(self, finding: Finding) -> tuple[int, str]:
        """Return the index and text of the subject of a finding.

        The subject is the quoted card, seat or word. If nothing is quoted, the subject is the part
        for the seat or, as a last resort, the whole value.
        """
        text = finding.fault.text
        spans = self._words.get((finding.seat, text)) or self._words.get(
            (finding.seat, text.upper()), []
        )
        if finding.nth < len(spans):
            start, stop = spans[finding.nth]
        else:
            start, stop = self._parts.get(finding.seat, self._parts[None])
        text = self._value[start:stop]
        return start + len(text) - len(text.lstrip()), text.strip()

    def _add_hand(self, seat: str | None, start: int, text: str) -> None:
        """Record the place of each card in a hand written S.H.D.C."""
        at = start
        for suit, ranks in zip(SUITS, text.split("."), strict=False):
            for match in _RANK.finditer(ranks):
                rank = "T" if match.group() == "10" else match.group().upper()
                place = at + match.start(), at + match.end()
                self._words.setdefault((seat, suit + rank), []).append(place)
            at += len(ranks) + 1

    def _add_words(self, tag: str) -> None:
        """Index the words in the whole value, and the words in the part for each seat."""
        value = self._value
        owner = None
        ends = iter([*self._owners(), (len(value), None)])
        end, following = next(ends)
        for match in _WORDS.get(tag, _OTHER_WORDS).finditer(value):
            while match.start() >= end:
                owner = following
                end, following = next(ends)
            word = match.group()
            meanings = {word.upper(), read_seat(word), read_trump(word)}
            with suppress(CardError):
                meanings.add(parse_card(word))
            for part in {None, owner}:
                for meaning in meanings:
                    self._words.setdefault((part, meaning), []).append(match.span())

    def _owners(self) -> Iterator[tuple[int, str | None]]:
        """Yield the start of the first part for each seat, with the seat."""
        for start, name, rest, text in seat_parts(self._value):
            owner = read_seat(name)
            known = owner in self._parts
            yield start, None if known else owner
            self._parts.setdefault(owner, (start, rest + len(text)))


def hands(value: str) -> Iterator[tuple[int, str]]:
    """Yield the index and text of each hand in a Deal value."""
    for match in _WORD.finditer(value, value.find(":") + 1):
        yield match.start(), match.group()


def seat_parts(value: str) -> Iterator[tuple[int, str, int, str]]:
    """Yield the index and text of the seat and the rest of each part in "seat:...;seat:..."."""
    start = 0
    for piece in value.split(";"):
        match = _PART.fullmatch(piece)
        if match is not None and piece.strip():
            yield start + match.start(1), match[1], start + match.start(2), match[2]
        start += len(piece) + 1


def words(value: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the index and text of words separated by spaces or commas."""
    for match in re.finditer(r"[^\s,]+", value):
        yield start + match.start(), match.group()


def unreadable_in_hand(text: str) -> Iterator[tuple[int, str]]:
    """Yield the index and text of letters that cannot be ranks in a hand."""
    for match in re.finditer(rf"10|[^{RANKS}{RANKS.lower()}.]", text):
        if match.group() != "10":
            yield match.start(), match.group()


def readable_hand(text: str) -> str:
    """Return a hand's text without its unreadable parts."""
    return re.sub(rf"[^{RANKS}.]", "", text.upper().replace("10", "T"))
