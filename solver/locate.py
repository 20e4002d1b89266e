"""Where in a tag value the thing stands that a finding speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spadille.cards import CARD_ORDER, RANKS, SUITS
from spadille.soundness import Finding

_SOLID = re.compile(r"\S(?:.*\S)?")
_WORD = re.compile(r"\S+")
_PART = re.compile(r"\s*([^:;\s]*)\s*:?([^;]*)")


def find(tag: str, value: str, seats: tuple[str, ...], finding: Finding) -> tuple[int, str]:
    """Return index and text of what a finding concerns, in the value of its tag.

    That is the card, seat or word itself, the part of the seat where the finding names none, or
    as a last resort the whole value.
    """
    start, stop = 0, len(value)
    if finding.seat is not None:
        start, stop = (_hand if tag == "Deal" else _part)(value, seats, finding.seat)
    text = finding.fault.text
    if text:
        hand = tag == "Deal" or (tag == "Talon" and "." in value)
        pattern = _rank_pattern(text) if hand else _word_pattern(text)
        from_, to = _suit(value, start, stop, text) if hand else (start, stop)
        for nth, match in enumerate(pattern.finditer(value, from_, to)):
            if nth == finding.nth:
                return match.start(), match.group()
    solid = _SOLID.search(value, start, stop)
    return (solid.start(), solid.group()) if solid else (start, "")


def hands(value: str) -> Iterator[tuple[int, str]]:
    """Yield index and text of each hand of a Deal value."""
    for match in _WORD.finditer(value, value.find(":") + 1):
        yield match.start(), match.group()


def parts(value: str) -> Iterator[tuple[int, str, int, str]]:
    """Yield the parts of "seat:something;seat:something": index and text of seat and of rest."""
    start = 0
    for piece in value.split(";"):
        match = _PART.fullmatch(piece)
        if match is not None and piece.strip():
            yield start + match.start(1), match[1], start + match.start(2), match[2]
        start += len(piece) + 1


def words(value: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield index and text of words separated by blanks or commas."""
    for match in re.finditer(r"[^\s,]+", value):
        yield start + match.start(), match.group()


def unreadable_in_hand(text: str) -> Iterator[tuple[int, str]]:
    """Yield index and text of what cannot be a rank in a hand."""
    for match in re.finditer(rf"10|[^{RANKS}{RANKS.lower()}.]", text):
        if match.group() != "10":
            yield match.start(), match.group()


def readable_hand(text: str) -> str:
    """Return a hand of four suits from a word that is none, leaving out what cannot be read."""
    suits = [
        re.sub(rf"[^{RANKS}]", "", suit.upper().replace("10", "T")) for suit in text.split(".")
    ]
    return ".".join([*suits, "", "", ""][:4])


def _hand(value: str, seats: tuple[str, ...], seat: str) -> tuple[int, int]:
    first = value.partition(":")[0].strip().upper()
    found = list(hands(value))
    number = (seats.index(seat) - seats.index(first)) % len(seats)
    start, text = found[number]
    return start, start + len(text)


def _part(value: str, seats: tuple[str, ...], seat: str) -> tuple[int, int]:
    for start, name, rest, text in parts(value):
        if name.upper() == seat:
            return start, rest + len(text)
    return 0, len(value)


def _suit(value: str, start: int, stop: int, card: str) -> tuple[int, int]:
    for _ in range(SUITS.index(card[0])):
        start = value.find(".", start, stop) + 1
    end = value.find(".", start, stop)
    return start, stop if end < 0 else end


def _rank_pattern(card: str) -> re.Pattern[str]:
    return re.compile("10|T" if card[1] == "T" else card[1], re.IGNORECASE)


def _word_pattern(text: str) -> re.Pattern[str]:
    word = f"{text[0]}(?:10|T)" if text in CARD_ORDER and text[1] == "T" else re.escape(text)
    return re.compile(rf"(?<![A-Za-z0-9]){word}(?![A-Za-z0-9])", re.IGNORECASE)
