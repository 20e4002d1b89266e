"""Seats, counts, payoffs and lists as words for messages and sentences."""

from __future__ import annotations

from collections.abc import Sequence


def many(number: int, thing: str) -> str:
    """Format a number with its noun: "1 card", "2 cards"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def signed(payoff: int | None) -> str:
    """Format a payoff: "+4", "0", or "?" if it is unknown."""
    return "?" if payoff is None else f"{payoff:+d}" if payoff else "0"


def but(text: str | None) -> str:
    """Return ", not TEXT" for the end of a message; an empty string if the text is None."""
    return "" if text is None else f", not {text}"


def seat_name(seat: str) -> str:
    """Return the name of a seat: "North", "Player 1"."""
    return _NAMES.get(seat) or f"Player {seat}"


def seat_label(seat: str) -> str:
    """Return the short name of a seat for a message: "N", "Player 1"."""
    return seat if seat.isalpha() else f"Player {seat}"


def seat_names(seats: Sequence[str]) -> str:
    """Return the names of several seats for a sentence: "North and East", "Players 1 and 3"."""
    if len(seats) > 1 and not _NAMES.keys() & {*seats}:
        return f"Players {listed(seats, 'and')}"
    return listed([seat_name(seat) for seat in seats], "and")


_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}


def capitalized(text: str) -> str:
    """Return the text with a capital first letter: "Player 1 leads"."""
    return text[:1].upper() + text[1:]


def listed(words: Sequence[str], last: str) -> str:
    """Join words with commas, and with "and" or "or" before the last: "H8, H7 or ST"."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
