"""Records of the accuracy of a table: by decile, and for single hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Decile(NamedTuple):
    """The hands with predicted shares in one tenth."""

    hands: int
    predicted: float
    actual: float


class HandError(NamedTuple):
    """The absolute errors of a prediction for one hand, or their means for several hands."""

    share: float
    payoff: float

    def stated(self) -> dict[str, float]:
        """Return the errors as a data file states them."""
        return {"made_error": round(self.share, 4), "payoff_error": round(self.payoff, 3)}

    def __str__(self) -> str:
        return f"shares {100 * self.share:.1f} points off, payoffs {self.payoff:.2f}"


class Accuracy(NamedTuple):
    """The measured accuracy of one table."""

    deciles: Sequence[Decile]
    hands: int  # hands that were valued in many layouts
    layouts: int
    error: HandError  # the mean for these hands

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
            f"{self.hands} hands: {self.error}"
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
