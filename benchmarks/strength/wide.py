"""Train networks with a wide layer, for several kinds of trumps at once.

The vectors of a hand are added, and the sums pass through a wide layer and a last layer. The sums
themselves are not cut off at zero, so that 16 numbers carry what the wide layer needs. scikit-learn
has no network with such a linear step; this one is trained by Adam (Kingma and Ba, 2015) in numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

UNITS = 16  # the length of the vectors
WIDE = 64  # the units of the wide layer
LAYER = 32  # the units of the last layer
_RATES = 4e-3, 5e-5  # the first and the last learning rate
_BATCH = 4000
_ROUNDS = 14
_MEAN, _SQUARE = 0.9, 0.999  # of Adam: the memory of mean slopes, and of mean squares
_PART = 50_000  # hands whose scores are computed at once


class Trained(NamedTuple):
    """The vectors, the weights of the layers and the scores, and their biases."""

    vectors: np.ndarray
    weights: Sequence[np.ndarray]
    bias: Sequence[np.ndarray]


def train(inputs: sparse.csr_matrix, rows: np.ndarray, reached: np.ndarray, seed: int) -> Trained:
    """Train a network.

    `inputs` has the inputs of all vectors; `rows` are the numbers of each hand's vectors, and
    `reached` says which payoffs it reached.
    """
    network = _Network(inputs.astype(np.float32), reached.shape[1], np.random.default_rng(seed))
    size = min(_BATCH, len(rows))
    reached = reached.astype(np.float32)
    for number in range(_ROUNDS):
        # The rate falls like a cosine.
        falling = (1 + np.cos(np.pi * number / (_ROUNDS - 1))) / 2
        rate = _RATES[1] + (_RATES[0] - _RATES[1]) * falling
        order = network.rng.permutation(len(rows))
        for start in range(0, len(rows) - size + 1, size):
            here = order[start : start + size]
            network.step(rows[here], reached[here], float(rate))
    return _turned(network, rows)


def _turned(network: _Network, rows: np.ndarray) -> Trained:
    """Turn the sums so that they lose least when they are rounded; the scores stay the same.

    A rounding error then has the same effect in each sum, and the sums of hands are uncorrelated:
    those in which hands hardly differ need few digits.
    """
    weights = [each.astype(float) for each in network.weights]
    vectors = network.inputs @ weights[0]
    left, size, right = np.linalg.svd(weights[1], full_matrices=False)
    vectors = vectors @ (left * size)
    often = np.bincount(rows.ravel(), minlength=len(vectors)) / rows.size
    apart = vectors - often @ vectors
    _, turn = np.linalg.eigh((apart * often[:, None]).T @ apart)
    return Trained(vectors @ turn, [turn.T @ right, *weights[2:]], list(network.bias))


def scores(trained: Trained, rows: np.ndarray) -> np.ndarray:
    """Return the scores of hands, as logits, one column per payoff but the least."""
    parts = []
    for start in range(0, len(rows), _PART):
        numbers = trained.vectors[rows[start : start + _PART]].sum(1)
        for weights, bias in zip(trained.weights[:-1], trained.bias[:-1], strict=True):
            numbers = np.maximum(numbers @ weights + bias, 0)
        parts.append(numbers @ trained.weights[-1] + trained.bias[-1])
    return np.concatenate(parts)


class _Network:
    """The weights, and what Adam remembers of their slopes."""

    def __init__(self, inputs: sparse.csr_matrix, payoffs: int, rng: np.random.Generator) -> None:
        self.inputs, self._across, self.rng = inputs, inputs.T.tocsr(), rng
        sizes = [inputs.shape[1], UNITS, WIDE, LAYER, payoffs]
        self.weights = [self._random(*pair) for pair in pairwise(sizes)]
        self.bias = [np.zeros(size, np.float32) for size in sizes[2:]]
        every = [*self.weights, *self.bias]
        self._memory = [(each, np.zeros_like(each), np.zeros_like(each)) for each in every]
        self._steps = 0

    def _random(self, before: int, after: int) -> np.ndarray:
        most = np.sqrt(6 / (before + after))
        return self.rng.uniform(-most, most, (before, after)).astype(np.float32)

    def step(self, rows: np.ndarray, reached: np.ndarray, rate: float) -> None:
        """Change the weights a little, so that the log loss of these hands falls."""
        hands, each = rows.shape
        chosen = sparse.csr_matrix(
            (
                np.ones(rows.size, np.float32),
                rows.ravel(),
                np.arange(0, rows.size + 1, each),
            ),
            shape=(hands, self.inputs.shape[0]),
        )
        numbers = [chosen @ (self.inputs @ self.weights[0])]
        for weights, bias in zip(self.weights[1:-1], self.bias[:-1], strict=True):
            numbers.append(np.maximum(numbers[-1] @ weights + bias, 0))
        logits = numbers[-1] @ self.weights[-1] + self.bias[-1]
        # Go back from the scores to the vectors.
        slope = (1 / (1 + np.exp(-np.clip(logits, -30, 30))) - reached) / hands
        of_weights, of_bias = [], []
        for layer in range(len(self.bias), 0, -1):
            of_weights.append(numbers[layer - 1].T @ slope)
            of_bias.append(slope.sum(0))
            slope = slope @ self.weights[layer].T
            if layer > 1:
                slope *= numbers[layer - 1] > 0
        of_weights.append(self._across @ (chosen.T @ slope))
        self._change([*reversed(of_weights), *reversed(of_bias)], rate)

    def _change(self, slopes: Sequence[np.ndarray], rate: float) -> None:
        self._steps += 1
        known, known_square = 1 - _MEAN**self._steps, 1 - _SQUARE**self._steps
        for (each, mean, square), slope in zip(self._memory, slopes, strict=True):
            mean *= _MEAN
            mean += (1 - _MEAN) * slope
            square *= _SQUARE
            square += (1 - _SQUARE) * slope * slope
            each -= rate / known * mean / (np.sqrt(square / known_square) + 1e-8)
