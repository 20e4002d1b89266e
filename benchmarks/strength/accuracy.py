"""How exact predicted shares are: by decile on hands that were not fitted, and hand by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.strength.hands import bits_of
from benchmarks.strength.model import Fitted, Sample
from spadille.core.strength.score_tables import TableShape

if TYPE_CHECKING:
    from benchmarks.strength.sampling import Sampler

BETWEEN = 0.2, 0.9  # predicted shares of the hands with many layouts


class Decile(NamedTuple):
    """The hands with predicted shares in one tenth."""

    hands: int
    predicted: float
    actual: float


class Accuracy(NamedTuple):
    """What was measured of one table."""

    deciles: Sequence[Decile]
    made_error: float
    """The mean absolute error of the share, hand by hand."""
    payoff_error: float
    """The same of the mean payoff."""
    hands: int
    layouts: int

    @property
    def worst(self) -> float:
        """The greatest difference of predicted and actual share in a decile."""
        return max((abs(d.actual - d.predicted) for d in self.deciles if d.hands), default=0.0)

    @property
    def summary(self) -> str:
        """All of it in a line."""
        fewest = min((decile.hands for decile in self.deciles), default=0)
        return (
            f"deciles within {100 * self.worst:.1f} points ({fewest} hands or more each), "
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
    sampler: Sampler,
    made: Fitted,
    payoff: Callable[[TableShape, Sample], np.ndarray],
    hands: int,
    layouts: int,
) -> tuple[float, float]:
    """Compare predictions with many layouts of the same hand: mean absolute errors of both.

    They contain the sampling error of the layouts themselves.
    """
    rng = sampler.rng(7, 7)
    chosen: list[tuple[np.ndarray, int, int]] = []
    tries = 0
    while len(chosen) < hands and tries < 200:
        tries += 1
        places, position, called = sampler.candidates(rng, 2_000)
        none = np.zeros(len(places))
        share = made.predict(
            sampler.shape, Sample(bits_of(sampler.code, places), position, called, none, none)
        )
        rows = np.flatnonzero((share >= BETWEEN[0]) & (share <= BETWEEN[1]))[:20]
        chosen += [(places[row], int(position[row]), int(called[row])) for row in rows]
    errors = []
    for places, position, called in chosen[:hands]:
        sample = sampler.valued(
            rng, np.tile(places, (layouts, 1)), np.full(layouts, position), np.full(layouts, called)
        )
        one = sample.part(np.arange(1))
        for predicted, actual in (
            (made.predict(sampler.shape, one)[0], sample.made),
            (payoff(sampler.shape, one)[0], sample.payoff),
        ):
            errors.append(abs(float(predicted - actual.mean())))
    if not errors:
        return 0.0, 0.0
    return float(np.mean(errors[::2])), float(np.mean(errors[1::2]))
