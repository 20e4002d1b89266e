"""The model of the worth of a hand: a generalized additive model on the holdings of suits.

The score of a hand is a sum of table look-ups: the holding of trumps, the holding of each plain
suit together with the number of trumps, the position in order of play with the number of trumps,
and the holding of the called suit with the called card. A logistic regression with a ridge penalty
fits it (Hastie and Tibshirani, Generalized Additive Models, 1990). Each holding has features that a
player would name, and a column of its own with a stronger penalty: rare holdings share the strength
of their features, frequent ones are fitted themselves. A monotone piecewise linear function, fitted
to hands the regression did not see, turns scores into shares or mean payoffs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import optimize, sparse, special

from spadille.core.strength.holdings import TRUMP_LANE, Holdings
from spadille.core.strength.score_tables import TableShape

SCALE = 128  # of scores: units for one logit
KNOTS = 25
_FARTHEST = 6 * SCALE  # scores beyond are as good as certain
_FITTED = 0.8  # the part of the sample for the regression; the rest is for the link
_HOLDING = 0.5  # columns of single holdings, as a part of those of features
_HOLDING_TRUMPS = 0.25  # of holdings with a number of trumps


@dataclass(frozen=True, slots=True)
class Sample:
    """Hands with the results of one deal each; the bits are those of the representative trump."""

    hands: np.ndarray
    position: np.ndarray
    called: np.ndarray
    made: np.ndarray
    payoff: np.ndarray

    def part(self, rows: np.ndarray) -> Sample:
        """Return some of them."""
        return Sample(*(getattr(self, name)[rows] for name in self.__slots__))

    def __len__(self) -> int:
        return len(self.hands)


def _indices(holdings: Holdings, masks: np.ndarray) -> np.ndarray:
    low = np.bitwise_count(masks & np.uint64((1 << holdings.low) - 1)).astype(np.int64)
    return (masks >> np.uint64(holdings.low)).astype(np.int64) * (holdings.low + 1) + low


def entries_of(
    shape: TableShape, hands: np.ndarray, position: np.ndarray, called: np.ndarray
) -> dict[tuple[str, object], list[np.ndarray]]:
    """Return the entries of each table that count for each hand, -1 for none.

    `ScoreTable.score` does the same for one hand; a test compares them.
    """
    found: dict[tuple[str, object], list[np.ndarray]] = {}
    numbers = np.zeros(len(hands), np.int64)
    if shape.trump is not None:
        masks = hands >> np.uint64(16 * TRUMP_LANE)
        numbers = np.bitwise_count(masks).astype(np.int64)
        found["trump", None] = [_indices(shape.trump, masks)]
    for ranks, holdings in shape.plain.items():
        here = found["plain", ranks] = []
        of_called = found["called", ranks] = []
        for lane, other in enumerate(shape.lanes):
            if other != ranks:
                continue
            masks = hands >> np.uint64(16 * lane) & np.uint64(0xFFFF)
            index = _indices(holdings, masks)
            here.append(numbers * holdings.size + index)
            calls = (called >= 0) & (called >> 4 == lane)
            of_called.append(np.where(calls, (called & 15) * holdings.size + index, -1))
    found["position", None] = [position.astype(np.int64) * shape.numbers + numbers]
    return found


def _features(holdings: Holdings, misere: bool) -> sparse.csr_matrix:
    """Return the features of every holding of a suit, a row each, the first column its length."""
    rows = []
    length = holdings.length
    top = min(length, 6)
    for index in range(holdings.size):
        mask = holdings.example(index)
        count = mask.bit_count()
        highest = [float(mask >> (length - 1 - n) & 1) for n in range(top)]
        row = [count / 2, count * count / 10, *(float(count == n) for n in range(length + 1))]
        row += highest
        row += [highest[a] * highest[b] for a, b in combinations(range(min(top, 4)), 2)]
        row.append(highest[0] * highest[1] * highest[2] if top > 2 else 0.0)
        if misere:
            cards = [n for n in range(length) if mask >> n & 1]
            for place in range(5):
                gap = cards[place] - 2 * place if place < len(cards) else 0
                row += [gap / 4, float(gap > 0), float(gap > 1), float(gap > 2)]
            row += [float(mask >> n & 1) for n in range(6)]
        rows.append(row)
    return sparse.csr_matrix(np.array(rows))


def _one_hot(index: np.ndarray, width: int, scale: float = 1.0) -> sparse.csr_matrix:
    number = len(index)
    return sparse.csr_matrix(
        (np.full(number, scale), (np.arange(number), index)), shape=(number, width)
    )


class Design:
    """The columns of the regression, and the way back from coefficients to tables."""

    def __init__(self, shape: TableShape, misere: bool) -> None:
        self.shape = shape
        self.blocks: list[tuple[str, object, sparse.csr_matrix]] = []
        """(table, part of it, matrix from its entries to columns)."""
        if shape.trump is not None:
            size = shape.trump.size
            one = sparse.identity(size, format="csr") * _HOLDING
            features = _features(shape.trump, misere)
            self.blocks.append(("trump", None, sparse.hstack([features, one], "csr")))
        numbers = shape.numbers
        for ranks, holdings in shape.plain.items():
            features = _features(holdings, misere)
            size = holdings.size
            # Entries are (number of trumps, holding).
            tiled = sparse.vstack([features] * numbers, "csr")
            parts = [tiled, sparse.vstack([sparse.identity(size) * _HOLDING] * numbers, "csr")]
            if numbers > 1:
                slope = (np.arange(numbers) - numbers / 2) / 3
                parts.append(sparse.vstack([features * one for one in slope], "csr"))
                bend = slope**2
                parts.append(sparse.vstack([features * one for one in bend], "csr") * 0.7)
                parts.append(sparse.identity(numbers * size, format="csr") * _HOLDING_TRUMPS)
            self.blocks.append(("plain", ranks, sparse.hstack(parts, "csr")))
        size = shape.positions * numbers
        by_position = _one_hot(np.arange(size) // numbers, shape.positions)
        self.blocks.append(
            (
                "position",
                None,
                sparse.hstack([by_position, sparse.identity(size) * _HOLDING], "csr"),
            )
        )
        if shape.called:
            for ranks, holdings in shape.plain.items():
                ranks_called = holdings.length
                features = _features(holdings, misere)
                size = holdings.size
                blocks = sparse.block_diag([features] * ranks_called, "csr")
                own = sparse.identity(ranks_called * size, format="csr") * _HOLDING
                by_rank = _one_hot(np.arange(ranks_called * size) // size, ranks_called)
                self.blocks.append(("called", ranks, sparse.hstack([by_rank, blocks, own], "csr")))

    def counts(
        self, hands: np.ndarray, position: np.ndarray, called: np.ndarray
    ) -> list[sparse.csr_matrix]:
        """Return for each block how often a hand has each entry, a row for each hand."""
        entries = entries_of(self.shape, hands, position, called)
        found = []
        for table, part, columns in self.blocks:
            total = None
            for index in entries[table, part]:
                here = index >= 0
                picked = _one_hot(np.where(here, index, 0), columns.shape[0])
                picked.data[~here] = 0
                total = picked if total is None else total + picked
            found.append(total.tocsr())
        return found

    def tables(self, worths: Sequence[np.ndarray]) -> dict[tuple[str, object], np.ndarray]:
        """Return the tables of these scores of the entries, in whole units."""
        return {
            (table, part): np.rint(worth * SCALE).astype(int)
            for (table, part, _), worth in zip(self.blocks, worths, strict=True)
        }


def regression(
    counts: Sequence[sparse.csr_matrix],
    columns: Sequence[sparse.csr_matrix],
    target: np.ndarray,
    steps: int,
) -> tuple[list[np.ndarray], float]:
    """Fit a logistic regression with a ridge penalty to targets from 0 to 1; return the scores
    of the entries, and what is added to all.

    Hands have few entries, and entries have many columns, so the product of both is never formed.
    Coefficients are scaled by the curvature of the loss, which makes the search far shorter.
    """
    back = [one.T.tocsr() for one in counts]
    widths = np.cumsum([0, *(one.shape[1] for one in columns)])
    mean = min(max(target.mean(), 1e-4), 1 - 1e-4)
    scale = np.concatenate(
        [
            one.power(2).T @ np.asarray(count.sum(0)).ravel()
            for count, one in zip(counts, columns, strict=True)
        ]
    )
    scale = np.append(np.sqrt(0.1 * scale + 1), np.sqrt(0.1 * len(target) + 1))

    def worths(coefficients: np.ndarray) -> list[np.ndarray]:
        return [
            one @ coefficients[start:end]
            for one, start, end in zip(columns, widths, widths[1:], strict=False)
        ]

    def loss(scaled: np.ndarray) -> tuple[float, np.ndarray]:
        coefficients = scaled / scale
        score = np.full(len(target), coefficients[-1])
        for count, worth in zip(counts, worths(coefficients), strict=True):
            score += count @ worth
        share = special.expit(score)
        found = (np.maximum(score, 0) + np.log1p(np.exp(-np.abs(score)))).sum() - target @ score
        rest = share - target
        slopes = [one.T @ (count @ rest) for one, count in zip(columns, back, strict=True)]
        slope = np.concatenate([*slopes, [rest.sum()]])
        slope[:-1] += coefficients[:-1]
        return found + 0.5 * (coefficients[:-1] ** 2).sum(), slope / scale

    start = np.zeros(len(scale))
    start[-1] = special.logit(mean) * scale[-1]
    options = {"maxiter": steps, "maxfun": 2 * steps, "ftol": 1e-9, "gtol": 1e-3}
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    coefficients = found.x / scale
    worth = worths(coefficients)
    return worth, float(coefficients[-1])


def link(scores: np.ndarray, target: np.ndarray) -> tuple[int, int, np.ndarray]:
    """Fit a monotone piecewise linear function: first knot, distance of knots, values there."""
    low, high = np.clip(np.quantile(scores, (0.0005, 0.9995)), -_FARTHEST, _FARTHEST)
    step = max(int(np.ceil((high - low) / (KNOTS - 1))), 1)
    start = int(np.floor(low))
    knots = start + step * np.arange(KNOTS)
    # Sums over small bins are enough, and nonnegative rises between knots keep it monotone.
    bins = np.clip((scores - start) * 8 // step, 0, 8 * (KNOTS - 1)).astype(int)
    count = np.bincount(bins, minlength=8 * (KNOTS - 1) + 1)
    total = np.bincount(bins, target, len(count))
    middle = np.bincount(bins, np.clip(scores, knots[0], knots[-1]), len(count))
    some = count > 0
    count, total, middle = count[some], total[some], middle[some] / count[some]
    ramps = np.clip((middle[:, None] - knots[:-1]) / step, 0, 1)
    columns = np.hstack([np.ones((len(middle), 1)), ramps])
    weight = np.sqrt(count)[:, None]
    # Little pull to a straight line where there are few hands.
    bend = np.diff(np.eye(KNOTS - 1), axis=0) * 6.0
    bend = np.hstack([np.zeros((KNOTS - 2, 1)), bend])
    rises, _ = optimize.nnls(
        np.vstack([columns * weight, bend]),
        np.concatenate([total / count * weight[:, 0], np.zeros(KNOTS - 2)]),
        maxiter=5000,
    )
    return start, step, np.minimum(np.cumsum(rises), 1.0)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted table: scores, and the link to what it predicts."""

    tables: dict[tuple[str, object], np.ndarray]
    start: int
    step: int
    values: np.ndarray

    def scores(self, shape: TableShape, sample: Sample) -> np.ndarray:
        """Return the scores of hands."""
        entries = entries_of(shape, sample.hands, sample.position, sample.called)
        total = np.zeros(len(sample), np.int64)
        for key, worth in self.tables.items():
            for index in entries[key]:
                total += np.where(index >= 0, worth[index], 0)
        return total

    def predict(self, shape: TableShape, sample: Sample) -> np.ndarray:
        """Return what it predicts of hands."""
        knots = self.start + self.step * np.arange(len(self.values))
        return np.interp(self.scores(shape, sample), knots, self.values)


def fit(
    shape: TableShape, sample: Sample, target: np.ndarray, misere: bool, seed: int, steps: int = 200
) -> Fitted:
    """Fit a table to targets from 0 to 1."""
    design = Design(shape, misere)
    order = np.random.default_rng(seed).permutation(len(sample))
    cut = int(_FITTED * len(sample))
    seen, rest = order[:cut], order[cut:]
    counts = design.counts(sample.hands[seen], sample.position[seen], sample.called[seen])
    columns = [columns for _, _, columns in design.blocks]
    worths, constant = regression(counts, columns, target[seen], steps)
    tables = design.tables(worths)
    tables["position", None] += round(constant * SCALE)
    fitted = Fitted(tables, 0, 1, np.zeros(1))
    scores = fitted.scores(shape, sample.part(rest))
    return Fitted(tables, *link(scores, target[rest]))
