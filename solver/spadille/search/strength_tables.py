"""The tables of strength as the engine takes them, for samplers that weigh many hands."""

from __future__ import annotations

from functools import cache

from spadille.core.strength.score_tables import ScoreTable
from spadille.search.engine import StrengthTable


@cache
def engine_table(table: ScoreTable) -> StrengthTable:
    """Return the same table for the engine; hands have the bits of `search.encoding`."""
    shape = table.shape
    lanes = [
        (
            shape.plain[ranks].length,
            shape.plain[ranks].low,
            table.plain[ranks],
            table.called.get(ranks, ()),
        )
        for ranks in shape.lanes
    ]
    if shape.trump is not None:
        lanes.append((shape.trump.length, shape.trump.low, table.trump, ()))
    link = table.start, table.step, table.values
    return StrengthTable(lanes, shape.trump is not None, shape.numbers, table.position, link)
