"""The strength tables in the engine's format, so that it can value many hands quickly."""

from __future__ import annotations

from functools import cache
from itertools import chain, pairwise

from spadille.core.strength.strength_tables import SHARE_UNIT, HandTable
from spadille.search.engine import StrengthTable


@cache
def engine_table(table: HandTable) -> StrengthTable:
    """Return the same table for the engine; hands have the bits of `search.encoding`."""
    shape, vectors = table.shape, table.vectors
    suits = [
        (
            shape.plain[ranks].length,
            shape.plain[ranks].low,
            vectors[f"plain {ranks}"],
            vectors.get(f"called {ranks}", ()),
            vectors.get(f"called suit {ranks}", ()),
        )
        for ranks in shape.lanes
    ]
    if shape.trump is not None:
        suits.append((shape.trump.length, shape.trump.low, vectors["trump"], (), ()))
    paid = [table.least, *(score["payoff"] for score in table.scores)]
    scores = [
        (
            score["weights"],
            score["bias"],
            score["start"],
            score["step"],
            [share / SHARE_UNIT for share in score["shares"]],
            table.unit * (high - low),
        )
        for score, (low, high) in zip(table.scores, pairwise(paid), strict=True)
    ]
    return StrengthTable(
        suits,
        shape.trump is not None,
        vectors["position"],
        layers=[([*chain(*layer["weights"])], layer["bias"]) for layer, _ in table.layers],
        scores=scores,
        made=table.made,
        least=table.unit * table.least,
    )
