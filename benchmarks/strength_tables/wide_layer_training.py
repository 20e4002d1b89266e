"""Train networks with a wide layer, for several kinds of trumps at once.

The vectors of a hand are added, and the sums pass through a wide layer and a last layer. The sums
themselves are not cut off at zero, so that 16 numbers are enough input for the wide layer.
scikit-learn has no network with such a linear step, but PyTorch can train one.

The result of one deal says little about a hand. Larger networks with different random weights
average out more of that chance than a small one; so a small one may learn from their predictions,
even for hands whose deals were never solved (Hinton, Vinyals and Dean, 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse
from torch import nn
from torch.nn import functional

_RATES = 8e-3, 5e-5  # the first and the last learning rate; in between, it falls like a cosine
_BATCH = 8000
_REFINING = 1e-3, 1e-5  # the learning rates when the last two layers are trained again
_ROUNDS = 3
_STRESS = 8  # weight of the payoff of made contracts, relative to other payoffs


class Size(NamedTuple):
    """The size of a network."""

    units: int = 16  # the length of the vectors
    wide: int = 64  # the units of the wide layer
    layer: int = 32  # the units of the last layer


class Training(NamedTuple):
    """How to train networks with different random weights."""

    networks: int
    rounds: int
    size: Size = Size()
    decay: float = 0.0  # of the weights of inputs that only one vector has
    short: bool = False  # compute the wide and the last layer with two-byte numbers, to save time


ALONE = Training(2, 40)  # from the results of deals; the better network is kept
_MANY = 3_000_000  # with so many hands, teachers need fewer rounds
_FEW = 900_000  # with fewer hands, features should explain more than single holdings
_SEEN = 160_000_000  # the most hands that a pupil sees, counting each in every round


def teachers(hands: int) -> Training:
    """Return how larger networks, too large to ship, learn from the results of these hands."""
    return Training(
        4, 14 if hands < _MANY else 6, Size(32, 128), decay=2.0 if hands < _FEW else 0.0
    )


LARGEST = Training(4, 7, Size(64, 256, 64), decay=2.0, short=True)  # teachers that see all cards


def pupil(hands: int) -> Training:
    """Return how a network learns from the shares that teachers predict for these hands."""
    return Training(1, max(min(40, _SEEN // hands), 1))


class Network(nn.Module):
    """The logits of all payoffs except the lowest, from the indexes of a hand's vectors."""

    def __init__(self, inputs: sparse.csr_matrix, payoffs: int, size: Size) -> None:
        super().__init__()
        entries = inputs.astype(np.float32).tocoo()
        self.inputs = torch.sparse_coo_tensor(
            np.stack(entries.coords), entries.data, entries.shape, check_invariants=True
        )
        sizes = (inputs.shape[1], *size, payoffs)
        self.first = nn.Linear(*sizes[:2], bias=False)
        self.wide, self.layer, self.last = map(nn.Linear, sizes[1:], sizes[2:])
        for name, numbers in self.named_parameters():
            nn.init.zeros_(numbers) if "bias" in name else nn.init.xavier_uniform_(numbers)

    def vectors(self) -> torch.Tensor:
        """Return the vectors of all holdings, positions and so on."""
        return self.inputs @ self.first.weight.T

    def sums(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the sums of the vectors of hands."""
        return functional.embedding_bag(rows, self.vectors(), mode="sum")

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return self.scored(self.sums(rows))

    def scored(self, sums: torch.Tensor) -> torch.Tensor:
        """Return the logits from the sums of vectors."""
        return self.last(functional.relu(self.layer(functional.relu(self.wide(sums)))))


def train(
    inputs: sparse.csr_matrix,
    rows: np.ndarray,
    shares: np.ndarray,
    seed: int,
    how: Training,
    stressed: int | None = None,
) -> list[Network]:
    """Train networks.

    `inputs` has the inputs of all vectors; `rows` has the indexes of each hand's vectors, and
    `shares` the shares of its deals with at least each payoff (0 or 1 for a single deal). One
    column of these may be `stressed`: it counts more than the others.
    """
    seeds = range(seed, seed + how.networks)
    return [_trained(inputs, rows, shares, one, how, stressed) for one in seeds]


def _loss(scores: torch.Tensor, shares: torch.Tensor, stressed: int | None) -> torch.Tensor:
    weights = None
    if stressed is not None:
        weights = torch.ones(shares.shape[1])
        weights[stressed] = _STRESS
        weights /= weights.mean()
    return functional.binary_cross_entropy_with_logits(scores, shares, weights)


def _trained(
    inputs: sparse.csr_matrix,
    rows: np.ndarray,
    shares: np.ndarray,
    seed: int,
    how: Training,
    stressed: int | None,
) -> Network:
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = Network(inputs, shares.shape[1], how.size)
    size = min(_BATCH, len(rows))
    steps = len(rows) // size
    adam = torch.optim.Adam(network.parameters(), _RATES[0])
    rate = torch.optim.lr_scheduler.CosineAnnealingLR(adam, how.rounds * steps, _RATES[1])
    numbers, target = torch.from_numpy(rows), torch.from_numpy(shares.astype(np.float32))
    single = torch.from_numpy(np.bincount(inputs.indices, minlength=inputs.shape[1]) <= 1)
    for _ in range(how.rounds):
        for here in torch.randperm(len(rows))[: steps * size].split(size):
            adam.zero_grad()
            sums = network.sums(numbers[here])
            with torch.autocast("cpu", torch.bfloat16, enabled=how.short):
                scores = network.scored(sums).float()
            _loss(scores, target[here], stressed).backward()
            adam.step()
            if how.decay:
                network.first.weight.data[:, single] *= 1 - how.decay * rate.get_last_lr()[0]
            rate.step()
    return network.requires_grad_(False)


def adapted(
    network: Network,
    turned: Turned,
    rows: np.ndarray,
    shares: np.ndarray,
    scale: float,
    seed: int,
    stressed: int | None = None,
) -> Turned:
    """Train a network and its turned vectors further, for vectors in multiples of 1 / `scale`.

    Every step computes the scores from rounded vectors, and then moves the vectors before rounding
    (Bengio, Léonard and Courville, 2013).
    """
    torch.manual_seed(seed)
    size = min(_BATCH // 2, len(rows))
    steps = len(rows) // size
    vectors = torch.tensor(turned.vectors, dtype=torch.float32).requires_grad_()
    network.wide.weight.copy_(torch.from_numpy(turned.weights))
    layers = [network.wide, network.layer, network.last]
    numbers = [vectors, *(each for one in layers for each in one.requires_grad_().parameters())]
    adam = torch.optim.Adam(numbers, _REFINING[0])
    rate = torch.optim.lr_scheduler.CosineAnnealingLR(adam, _ROUNDS * steps, _REFINING[1])
    inputs, target = torch.from_numpy(rows), torch.from_numpy(shares.astype(np.float32))
    for _ in range(_ROUNDS):
        for here in torch.randperm(len(rows))[: steps * size].split(size):
            adam.zero_grad()
            rounding = ((vectors * scale).round() / scale - vectors).detach()
            sums = functional.embedding_bag(inputs[here], vectors + rounding, mode="sum")
            _loss(network.scored(sums), target[here], stressed).backward()
            adam.step()
            rate.step()
    network.requires_grad_(False)
    return Turned(vectors.detach().double().numpy(), network.wide.weight.double().numpy())


def refined(
    units: np.ndarray,
    shares: np.ndarray,
    start: Sequence[np.ndarray],
    seed: int,
    stressed: int | None = None,
) -> list[np.ndarray]:
    """Train the last two layers again, from the units of the wide layer and the teachers' shares.

    `start` has the weights and the biases of both layers, in the order in which they are returned.
    """
    torch.manual_seed(seed)
    size = min(_BATCH // 2, len(units))
    steps = len(units) // size
    numbers = [torch.tensor(each, dtype=torch.float32).requires_grad_() for each in start]
    adam = torch.optim.Adam(numbers, _REFINING[0])
    rate = torch.optim.lr_scheduler.CosineAnnealingLR(adam, _ROUNDS * steps, _REFINING[1])
    inputs, target = (torch.from_numpy(each.astype(np.float32)) for each in (units, shares))
    for _ in range(_ROUNDS):
        for here in torch.randperm(len(units))[: steps * size].split(size):
            adam.zero_grad()
            layer = functional.relu(functional.linear(inputs[here], *numbers[:2]))
            _loss(functional.linear(layer, *numbers[2:]), target[here], stressed).backward()
            adam.step()
            rate.step()
    return [each.detach().double().numpy() for each in numbers]


def logits(network: Network, rows: np.ndarray) -> np.ndarray:
    """Return the logits of hands, one column per payoff except the lowest."""
    return network(torch.from_numpy(rows)).numpy()


def mean_shares(networks: Sequence[Network], rows: np.ndarray) -> np.ndarray:
    """Return the mean of the shares that networks predict."""
    parts = torch.from_numpy(rows).split(_BATCH)
    means = [torch.stack([one(part).sigmoid() for one in networks]).mean(0) for part in parts]
    return torch.cat(means).numpy()


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
