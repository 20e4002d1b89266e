"""The accuracy of predicted shares: by decile on hands not fitted, and for single hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.strength_tables.draw_hands import bits_of
from benchmarks.strength_tables.model import Fitted, Sample

if TYPE_CHECKING:
    from benchmarks.strength_tables.sampling import Sampler

BETWEEN = 0.2, 0.9  # predicted shares of the hands that are valued in many layouts
_TRIES = 200  # each such hand is chosen from this many


class Decile(NamedTuple):
    """The hands with predicted shares in one tenth."""

    hands: int
    predicted: float
    actual: float


class Accuracy(NamedTuple):
    """The measured accuracy of one table."""

    deciles: Sequence[Decile]
    hands: int  # hands that were valued in many layouts
    layouts: int
    made_error: float
    """The mean absolute error of the share for single hands."""
    payoff_error: float
    """The mean absolute error of the mean payoff for single hands."""

    @property
    def worst(self) -> float:
        """The largest difference between predicted and actual share in a decile."""
        return max((abs(d.actual - d.predicted) for d in self.deciles if d.hands), default=0.0)

    @property
    def fewest(self) -> int:
        """The number of hands in the smallest decile."""
        return min(decile.hands for decile in self.deciles)

    def __str__(self) -> str:
        return (
            f"deciles within {100 * self.worst:.1f} points ({self.fewest} hands or more each), "
            f"{self.hands} hands: shares {100 * self.made_error:.1f} points off, "
            f"payoffs {self.payoff_error:.2f}"
        )


def by_decile(predicted: np.ndarray, made: np.ndarray) -> tuple[Decile, ...]:
    """Compare predicted and actual shares in each tenth."""
    tenth = np.minimum((predicted * 10).astype(int), 9)
    deciles = []
    for number in range(10):
        here = tenth == number
        some = bool(here.any())
        deciles.append(
            Decile(
                int(here.sum()),
                float(predicted[here].mean()) if some else 0.0,
                float(made[here].mean()) if some else 0.0,
            )
        )
    return tuple(deciles)


def by_hand(
    sampler: Sampler, fitted: Fitted, hands: int, layouts: int
) -> tuple[int, int, float, float]:
    """Compare predictions with many layouts of the same hand.

    Returns the number of hands, the number of layouts of each, and the mean absolute errors of the
    share and the mean payoff. The errors include the sampling error of the layouts.
    """
    rng = sampler.rng(7, 7)
    chosen: list[tuple[np.ndarray, int, int]] = []
    for _ in range(_TRIES):
        if len(chosen) >= hands:
            break
        places, position, called = sampler.candidates(rng, 2_000)
        sample = Sample.unsolved(bits_of(sampler.code, places), position, called)
        share, _ = fitted.predict(sample)
        rows = np.flatnonzero((share >= BETWEEN[0]) & (share <= BETWEEN[1]))[:20]
        chosen += [(places[row], int(position[row]), int(called[row])) for row in rows]
    errors = []
    for places, position, called in chosen[:hands]:
        sample = sampler.valued(
            rng, np.tile(places, (layouts, 1)), np.full(layouts, position), np.full(layouts, called)
        )
        share, payoff = fitted.predict(sample.part(np.arange(1)))
        errors.append((abs(share[0] - sample.made.mean()), abs(payoff[0] - sample.payoff.mean())))
    if not errors:
        return 0, layouts, 0.0, 0.0
    made_error, payoff_error = np.mean(errors, axis=0)
    return len(errors), layouts, float(made_error), float(payoff_error)
