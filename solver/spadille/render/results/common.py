"""Cells shared by several tables of results."""

from __future__ import annotations

from collections.abc import Mapping

from spadille.render.tables import Cell
from spadille.render.text import suit_text


def trump_text(trump: str | None, symbols: bool = False) -> str:
    """Return a trump as shown in tables; "open" if the trump is not named yet."""
    return suit_text(trump, symbols) if trump else "open"


def seat_values(values: Mapping[str, Cell]) -> str:
    """Return values by seat as one cell, "N:3 E:-1", without unknown values."""
    return " ".join(f"{seat}:{value}" for seat, value in values.items() if value is not None)


def known_by_contractor(values: Mapping[str, Cell]) -> Cell:
    """Return the value of a single declarer, or the known values of several."""
    return next(iter(values.values())) if len(values) == 1 else seat_values(values)


def by_contractor(values: Mapping[str, Cell]) -> Cell:
    """Return the value of a single declarer, or all values of several as "1:20 4:-25"."""
    if len(values) == 1:
        return next(iter(values.values()))
    return " ".join(f"{seat}:{value}" for seat, value in values.items())
