"""Measure deals per second of `spadille deal` under conditions that few deals meet."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.effort import Effort, timed
from spadille.generate.deals.random_deals import deals
from spadille.pbn.write_deals import numbered

# Lengths and cards of two hands, met by one deal in 300,000 to 900,000.
RARE = (
    ("german-solo", "trumps(N, H) >= 7 and matadors(N, H) == 2 and length(E, S) >= 5"),
    ("solo-whist", "length(N, S) >= 8 and length(E, H) >= 7 and holds(N, HA)"),
    ("squint", "length(1, S) >= 7 and length(3, H) >= 6 and holds(1, HA)"),
)
BAR = 1000  # deals per second


def rows(family: str, effort: Effort) -> Iterator[tuple[str, str, str, bool | None]]:
    """Return name, target, measured value and whether it is met."""
    number = effort.number(2000)
    for game, where in RARE:
        made = deals(game, number, seed=sum(map(ord, family)), where=where)
        drawn = number / timed(lambda: sum(1 for _ in made))[0]  # noqa: B023
        written = number / timed(lambda: sum(1 for _ in numbered(made)))[0]  # noqa: B023
        yield (
            f"deal : {game}, conditions met by one deal in {1 / made.share:,.0f}",
            f"at least {BAR:,} deals/s",
            f"{drawn:,.0f} deals/s, {written:,.0f} as a hand file",
            written >= BAR,
        )
