"""Train networks with a wide layer, for several kinds of trumps at once.

The vectors of a hand are added, and the sums pass through a wide layer and a last layer. The sums
themselves are not cut off at zero, so that 16 numbers are enough input for the wide layer.
scikit-learn has no network with such a linear step, but PyTorch can train one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse
from torch import nn
from torch.nn import functional

UNITS = 16  # the length of a vector
WIDE = 64  # the units of the wide layer
LAYER = 32  # the units of the last layer
_RATES = 8e-3, 5e-5  # the first and the last learning rate; in between, it falls like a cosine
_BATCH = 8000
_ROUNDS = 40


class Network(nn.Module):
    """The logits of all payoffs except the lowest, from the indexes of a hand's vectors."""

    def __init__(self, inputs: sparse.csr_matrix, payoffs: int) -> None:
        super().__init__()
        entries = inputs.astype(np.float32).tocoo()
        self.inputs = torch.sparse_coo_tensor(
            np.stack(entries.coords), entries.data, entries.shape, check_invariants=True
        )
        sizes = (inputs.shape[1], UNITS, WIDE, LAYER, payoffs)
        self.first = nn.Linear(*sizes[:2], bias=False)
        self.wide, self.layer, self.last = map(nn.Linear, sizes[1:], sizes[2:])
        for name, numbers in self.named_parameters():
            nn.init.zeros_(numbers) if "bias" in name else nn.init.xavier_uniform_(numbers)

    def vectors(self) -> torch.Tensor:
        """Return the vectors of all holdings, positions and so on."""
        return self.inputs @ self.first.weight.T

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        sums = functional.embedding_bag(rows, self.vectors(), mode="sum")
        return self.last(functional.relu(self.layer(functional.relu(self.wide(sums)))))


def train(inputs: sparse.csr_matrix, rows: np.ndarray, reached: np.ndarray, seed: int) -> Network:
    """Train a network.

    `inputs` has the inputs of all vectors; `rows` has the indexes of each hand's vectors, and
    `reached` the payoffs that the hand reached.
    """
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = Network(inputs, reached.shape[1])
    size = min(_BATCH, len(rows))
    steps = len(rows) // size
    adam = torch.optim.Adam(network.parameters(), _RATES[0])
    rate = torch.optim.lr_scheduler.CosineAnnealingLR(adam, _ROUNDS * steps, _RATES[1])
    numbers, target = torch.from_numpy(rows), torch.from_numpy(reached.astype(np.float32))
    for _ in range(_ROUNDS):
        for here in torch.randperm(len(rows))[: steps * size].split(size):
            adam.zero_grad()
            functional.binary_cross_entropy_with_logits(
                network(numbers[here]), target[here]
            ).backward()
            adam.step()
            rate.step()
    return network.requires_grad_(False)


def logits(network: Network, rows: np.ndarray) -> np.ndarray:
    """Return the logits of hands, one column per payoff except the lowest."""
    return network(torch.from_numpy(rows)).numpy()


class Turned(NamedTuple):
    """The vectors, and the weights of the wide layer, one row per unit."""

    vectors: np.ndarray
    weights: np.ndarray


def turned(network: Network, rows: np.ndarray) -> Turned:
    """Rotate the sums so that rounding loses as little as possible; the scores stay the same.

    After the rotation, a rounding error has the same effect in each sum, and the sums of hands are
    uncorrelated. Sums in which hands hardly differ need few digits.
    """
    vectors = network.vectors().double().numpy()
    weights = network.wide.weight.double().numpy()
    left, size, right = np.linalg.svd(weights.T, full_matrices=False)
    vectors = vectors @ (left * size)
    often = np.bincount(rows.ravel(), minlength=len(vectors)) / rows.size
    apart = vectors - often @ vectors
    _, turn = np.linalg.eigh((apart * often[:, None]).T @ apart)
    return Turned(vectors @ turn, (turn.T @ right).T)
