"""Cells shared by several tables of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spadille.analysis.chances.sampling_settings import RankedBy
from spadille.analysis.confidence_intervals import Interval
from spadille.base.words_for_messages import many
from spadille.render.tables import Cell
from spadille.render.text import suit_text


def trump_text(trump: str | None, symbols: bool = False) -> str:
    """Return a trump as shown in tables; "open" if the trump is not named yet."""
    return suit_text(trump, symbols) if trump else "open"


def hurried(timed_out: int, judged: int, unjudged: int) -> Iterator[str]:
    """Yield sentences about the decisions whose analysis was cut off by the time limit."""
    hasty = timed_out - unjudged
    if hasty:
        part = f"{hasty} of the {judged} decisions"
        if hasty == judged:
            part = f"all {judged} decisions" if judged > 1 else "the only decision"
        yield (
            f"The time limit cut off the analysis of {part}: another run may judge "
            f"{'it' if hasty == 1 else 'them'} differently."
        )
    if unjudged:
        yield (
            f"The time limit left {many(unjudged, 'decision')} without a verdict: use --seconds to "
            "allow more time."
        )


def seat_values(values: Mapping[str, Cell]) -> str:
    """Return values by seat as one cell, "N:3 E:-1", without unknown values."""
    return " ".join(f"{seat}:{value}" for seat, value in values.items() if value is not None)


def known_by_contractor(values: Mapping[str, Cell]) -> Cell:
    """Return the value of a single declarer, or the known values of several by seat."""
    return next(iter(values.values())) if len(values) == 1 else seat_values(values)


def by_contractor(values: Mapping[str, Cell]) -> Cell:
    """Return the value of a single declarer, or all values of several as "1:20 4:-25"."""
    if len(values) == 1:
        return next(iter(values.values()))
    return " ".join(f"{seat}:{value}" for seat, value in values.items())


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{100 * share:.1f}"


def interval_text(interval: Interval | None, by: RankedBy = "made") -> str | None:
    """Format an interval, of shares in percent or of payoffs."""
    if interval is None:
        return None
    size, digits = (100, 1) if by == "made" else (1, 2)
    return "..".join(f"{size * end:.{digits}f}" for end in interval)
