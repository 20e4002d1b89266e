"""The value of a hand by its strength table, computed slowly (see csrc/strength.hpp)."""

from __future__ import annotations

from collections.abc import Sequence

from spadille.core.strength.holdings import TRUMP_LANE
from spadille.core.strength.strength_tables import SHARE_UNIT, HandTable, ScoreData


def made_share(table: HandTable, hand: int, position: int, called: int = -1) -> float:
    """Return the share of deals in which the contract makes."""
    return _shares(table, hand, position, called)[table.made]


def mean_payoff(table: HandTable, hand: int, position: int, called: int = -1) -> float:
    """Return the declarer's mean payoff, in points or chips."""
    paid = [table.least, *(score["payoff"] for score in table.scores)]
    shares = _shares(table, hand, position, called)
    rises = (share * (high - low) for share, low, high in zip(shares, paid, paid[1:], strict=False))
    return table.unit * (table.least + sum(rises))


def _shares(table: HandTable, hand: int, position: int, called: int) -> list[float]:
    """For each payoff except the lowest, return the share of deals that pay it or more."""
    units = _sums(table, hand, position, called)
    if len(table.layers) == 1:
        units = [max(total, 0) for total in units]
    for layer, shift in table.layers:
        rows = zip(layer["weights"], layer["bias"], strict=True)
        units = [max(_weighted(row, units) + bias, 0) >> shift for row, bias in rows]
    return [
        _share(score, _weighted(score["weights"], units) + score["bias"]) for score in table.scores
    ]


def _sums(table: HandTable, hand: int, position: int, called: int) -> list[int]:
    """Add up the vectors for a hand; `called` is the number of the called card."""
    shape = table.shape
    picked = [("position", position)]
    if shape.trump is not None:
        picked.append(("trump", shape.trump.index(hand >> 16 * TRUMP_LANE)))
    for lane, ranks in enumerate(shape.lanes):
        index = shape.plain[ranks].index(hand >> 16 * lane & 0xFFFF)
        picked.append((f"plain {ranks}", index))
        if called >= 0 and called >> 4 == lane:
            picked += [(f"called {ranks}", called & 15), (f"called suit {ranks}", index)]
    units = table.units
    rows = [table.vectors[name][index * units : (index + 1) * units] for name, index in picked]
    return [sum(column) for column in zip(*rows, strict=True)]


def _weighted(weights: Sequence[int], values: Sequence[int]) -> int:
    return sum(map(int.__mul__, weights, values))


def _share(score: ScoreData, value: int) -> float:
    """Convert a score to a share of deals."""
    knot, beyond = divmod(value - score["start"], score["step"])
    shares = score["shares"]
    if knot < 0:
        return shares[0] / SHARE_UNIT
    if knot >= len(shares) - 1:
        return shares[-1] / SHARE_UNIT
    rise = (shares[knot + 1] - shares[knot]) * beyond / score["step"]
    return (shares[knot] + rise) / SHARE_UNIT
