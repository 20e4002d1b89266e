"""The model of the value of a hand: a small network whose inputs are the holdings of suits.

Each holding of a suit has a vector, and so do the position in order of play, the called card, and
the holding of the called suit. The vectors of a hand are added. The results pass through a second,
small layer, whose weighted sums are the score of each payoff: the logit of the share of deals with
at least that payoff. After each layer, negative numbers become zero. Such a network needs a few
integer look-ups and additions; chess programs call it NNUE (Nasu, 2018). scikit-learn trains it.
Some contracts have a wide layer in between (`wide_layer_training`), and one network for all kinds
of trumps. The inputs are features of holdings that a player would name and, with less weight, one
input for each holding, so rare holdings benefit from their features. A monotone piecewise linear
function, fitted to hands that were not used for training, turns each score into a share.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import optimize, sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from spadille.core.strength.holdings import TRUMP_LANE, Holdings
from spadille.core.strength.strength_tables import LAYER_SHIFT, WIDE_SHIFT, TableShape

if TYPE_CHECKING:
    from benchmarks.strength_tables.wide_layer_training import Network, Turned

UNITS = 16  # the length of a vector
LAYER = 32  # the units of the second layer
INPUT_SCALE = 32  # of vectors
WEIGHT_SCALE = 1 << LAYER_SHIFT  # of the weights of the second layer and of the scores
WIDE_INPUT_SCALE = 24  # of vectors before a wide layer; the units of that layer have INPUT_SCALE
SCALE = INPUT_SCALE * WEIGHT_SCALE  # of scores: this many units make one logit
KNOTS = 25
_FARTHEST = 6  # logits beyond this are practically certain
_FINER = 8  # factor for both scales of the last two layers if these are trained again
_FINER_UNITS = 4  # factor for the scale of the wide layer's units in that case
_FINER_VECTORS = 2  # and for the scale of vectors if there are few
_FEW_VECTORS = 1_000
_TRAINED = 0.85  # the fraction of the sample used for training; the rest is for the links
_TRAINED_WIDE = 0.95  # the same with a wide layer
_HOLDING = 0.5  # weight of the inputs of single holdings
_RATES = ((3e-3, 4), (1e-3, 3), (3e-4, 2))  # learning rates, each used for a number of rounds
_PASSES = 2  # factor for these rounds
_BATCHES = 200, 4000  # the minimum and maximum number of hands in a training step
_PENALTY = 1e-5
_FEWEST = 30  # the minimum number of hands above and below a payoff for a separate score
_STARTS = 6  # networks trained from different random weights; the best one is kept


@dataclass(frozen=True, slots=True)
class Sample:
    """Hands, each with the result of one deal; the bits are those of the representative trump."""

    hands: np.ndarray
    position: np.ndarray
    called: np.ndarray
    made: np.ndarray
    payoff: np.ndarray

    @classmethod
    def unsolved(cls, hands: np.ndarray, position: np.ndarray, called: np.ndarray) -> Sample:
        """Return hands without results."""
        return cls(hands, position, called, np.zeros(len(hands), bool), np.zeros(len(hands), int))

    def joined(self, *others: Sample) -> Sample:
        """Return these hands and those of other samples."""
        columns = ([getattr(one, field.name) for one in (self, *others)] for field in fields(self))
        return Sample(*map(np.concatenate, columns))

    def part(self, rows: np.ndarray) -> Sample:
        """Return some of the hands."""
        return Sample(*(getattr(self, field.name)[rows] for field in fields(self)))

    def __len__(self) -> int:
        return len(self.hands)


Key = tuple[str, str]
"""The key of a table: the kind of its vectors, and the ranks of the suit."""


def _indices(holdings: Holdings, masks: np.ndarray) -> np.ndarray:
    low = np.bitwise_count(masks & np.uint64((1 << holdings.low) - 1)).astype(np.int64)
    return (masks >> np.uint64(holdings.low)).astype(np.int64) * (holdings.low + 1) + low


def vectors_of(shape: TableShape, sample: Sample) -> dict[Key, list[np.ndarray]]:
    """Return the index of each hand's vector in each table; -1 means none.

    `HandTable.sums` does the same for one hand; a test compares them.
    """
    found: dict[Key, list[np.ndarray]] = {("position", ""): [sample.position.astype(np.int64)]}
    hands, called = sample.hands, sample.called
    if shape.trump is not None:
        masks = hands >> np.uint64(16 * TRUMP_LANE)
        found["trump", ""] = [_indices(shape.trump, masks)]
    for ranks, holdings in shape.plain.items():
        lanes = [lane for lane, other in enumerate(shape.lanes) if other == ranks]
        index = [_indices(holdings, hands >> np.uint64(16 * n) & np.uint64(0xFFFF)) for n in lanes]
        found["plain", ranks] = index
        if shape.called:
            calls = [(called >= 0) & (called >> 4 == lane) for lane in lanes]
            found["called", ranks] = [np.where(here, called & 15, -1) for here in calls]
            found["called suit", ranks] = [
                np.where(here, one, -1) for here, one in zip(calls, index, strict=True)
            ]
    return found


def _features(holdings: Holdings, misere: bool, every: bool = False) -> np.ndarray:
    """Return the features of every holding of a suit, one row per holding.

    With `every`, there is a feature for every card, not just for the highest.
    """
    rows = []
    length = holdings.length
    top = length if every else min(length, 6)
    paired = 6 if every else 4
    for index in range(holdings.size):
        mask = holdings.example(index)
        count = mask.bit_count()
        highest = [float(mask >> (length - 1 - n) & 1) for n in range(top)]
        row = [count / 2, count * count / 10, *(float(count == n) for n in range(length + 1))]
        row += highest
        row += [highest[a] * highest[b] for a, b in combinations(range(min(top, paired)), 2)]
        row.append(highest[0] * highest[1] * highest[2] if top > 2 else 0.0)
        if misere:
            cards = [n for n in range(length) if mask >> n & 1]
            for place in range(5):
                gap = cards[place] - 2 * place if place < len(cards) else 0
                row += [gap / 4, float(gap > 0), float(gap > 1), float(gap > 2)]
            row += [float(mask >> n & 1) for n in range(6)]
        rows.append(row)
    return np.array(rows)


def _inputs(
    shape: TableShape, misere: bool, coarse: TableShape | None = None, every: bool = False
) -> dict[Key, sparse.csr_matrix]:
    """Return the inputs for each table, one row per vector.

    If `coarse` distinguishes fewer cards of a suit, there are also inputs for its holdings. With
    `every`, there are inputs for every card.
    """

    def of_holdings(holdings: Holdings, other: Holdings | None = None) -> sparse.csr_matrix:
        own = sparse.identity(holdings.size) * _HOLDING
        parts = [sparse.csr_matrix(_features(holdings, misere, every)), own]
        if other is not None and other != holdings:
            masks = np.array([holdings.example(n) for n in range(holdings.size)], np.uint64)
            index = _indices(other, masks)
            parts.insert(1, sparse.identity(other.size, format="csr")[index])
        return sparse.hstack(parts, "csr")

    found: dict[Key, sparse.csr_matrix] = {
        ("position", ""): sparse.identity(shape.positions, format="csr")
    }
    if shape.trump is not None:
        found["trump", ""] = of_holdings(shape.trump, coarse.trump if coarse else None)
    for ranks, holdings in shape.plain.items():
        found["plain", ranks] = of_holdings(holdings, coarse.plain[ranks] if coarse else None)
        if shape.called:
            found["called", ranks] = sparse.identity(holdings.length, format="csr")
            found["called suit", ranks] = of_holdings(holdings)
    return found


def _matrix(
    shape: TableShape, inputs: Mapping[Key, sparse.csr_matrix], sample: Sample
) -> sparse.csr_matrix:
    """Return the inputs of hands, one row per hand."""
    vectors = vectors_of(shape, sample)
    parts = []
    for key, of_vector in inputs.items():
        total = None
        for index in vectors[key]:
            here = np.flatnonzero(index >= 0)
            one = sparse.csr_matrix(
                (np.ones(len(here), np.float32), (here, index[here])),
                shape=(len(index), of_vector.shape[0]),
            )
            total = one if total is None else total + one
        parts.append(total @ of_vector.astype(np.float32))
    return sparse.hstack(parts, "csr", np.float32)


@dataclass(frozen=True, slots=True)
class Link:
    """The share as a function of the score, linear between knots."""

    start: int
    step: int
    values: np.ndarray

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        return np.interp(scores, self.start + self.step * np.arange(len(self.values)), self.values)


def link(scores: np.ndarray, reached: np.ndarray, scale: int = SCALE) -> Link:
    """Fit a link from scores, in units of 1 / `scale`, to whether hands reached a payoff."""
    farthest = _FARTHEST * scale
    low, high = np.clip(np.quantile(scores, (0.0005, 0.9995)), -farthest, farthest)
    step = max(int(np.ceil((high - low) / (KNOTS - 1))), 1)
    start = int(np.floor(low))
    knots = start + step * np.arange(KNOTS)
    # Sums over small bins are enough; nonnegative rises keep the function monotone.
    last = 8 * (KNOTS - 1)
    bins = np.clip((scores - start) * 8 // step, 0, last).astype(int)
    count = np.bincount(bins, minlength=last + 1)
    total = np.bincount(bins, reached, last + 1)
    middle = np.bincount(bins, np.clip(scores, knots[0], knots[-1]), last + 1)
    some = count > 0
    count, total, middle = count[some], total[some], middle[some] / count[some]
    ramps = np.clip((middle[:, None] - knots[:-1]) / step, 0, 1)
    columns = np.hstack([np.ones((len(middle), 1)), ramps])
    weight = np.sqrt(count)[:, None]
    # A slight pull toward a straight line matters where there are few hands.
    bend = np.hstack([np.zeros((KNOTS - 2, 1)), np.diff(np.eye(KNOTS - 1), axis=0) * 6.0])
    rises, _ = optimize.nnls(
        np.vstack([columns * weight, bend]),
        np.concatenate([total / count * weight[:, 0], np.zeros(KNOTS - 2)]),
        maxiter=5000,
    )
    return Link(start, step, np.minimum(np.cumsum(rises), 1.0))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A trained network, rounded to integers, with the links of its scores."""

    shape: TableShape
    vectors: Mapping[Key, np.ndarray]
    layer: np.ndarray  # one row per unit of the second layer
    layer_bias: np.ndarray
    weights: np.ndarray  # one row per payoff except the lowest
    bias: np.ndarray
    links: Sequence[Link]
    payoffs: Sequence[int]
    made: int  # the index of the lowest payoff of a made contract
    wide: np.ndarray | None = None  # one row per unit of the wide layer
    wide_bias: np.ndarray | None = None

    def units(self, sample: Sample) -> np.ndarray:
        """Return the units before the second layer, one column per unit."""
        total = np.zeros((len(sample), self.vectors["position", ""].shape[1]), np.int64)
        for key, indices in vectors_of(self.shape, sample).items():
            vectors = np.vstack([self.vectors[key], np.zeros_like(self.vectors[key][:1])])
            for index in indices:
                total += vectors[index]
        # Integers below 2**53 are exact as floats, and products of floats are faster.
        if self.wide is None:
            return np.maximum(total, 0).astype(float)
        assert self.wide_bias is not None
        active = total.astype(float) @ self.wide.T + self.wide_bias
        return np.maximum(active, 0) // (1 << WIDE_SHIFT)

    def scores(self, sample: Sample) -> np.ndarray:
        """Return the scores of hands, one column per payoff except the lowest."""
        units = np.maximum(self.units(sample) @ self.layer.T + self.layer_bias, 0) // WEIGHT_SCALE
        return (units @ self.weights.T + self.bias).astype(np.int64)

    def shares(self, sample: Sample) -> np.ndarray:
        """Return the share of deals with at least each payoff, except for the lowest payoff."""
        scores = self.scores(sample)
        return np.stack([one(scores[:, n]) for n, one in enumerate(self.links)], axis=1)

    def predict(self, sample: Sample) -> tuple[np.ndarray, np.ndarray]:
        """Return the share of made contracts and the mean payoff of each hand."""
        shares = self.shares(sample)
        return shares[:, self.made - 1], self.payoffs[0] + shares @ np.diff(self.payoffs)


def payoffs_of(sample: Sample) -> tuple[list[int], int]:
    """Return the distinct payoffs, and the index of the lowest payoff of a made contract."""
    values, number = np.unique(sample.payoff, return_counts=True)
    least = int(sample.payoff[sample.made].min())
    if sample.made.all() or (sample.payoff[~sample.made] >= least).any():
        raise ValueError("a contract that fails pays as much as one that makes")
    above = number[::-1].cumsum()[::-1]
    kept = [int(values[0])]
    for value, many in zip(values[1:], above[1:], strict=True):
        if value == least or _FEWEST <= many <= len(sample) - _FEWEST:
            kept.append(int(value))
    return kept, kept.index(least)


def fit(shape: TableShape, sample: Sample, misere: bool, seed: int, brief: bool = False) -> Fitted:
    """Train a network; with `brief`, a rough one that predicts only whether contracts make."""
    payoffs, made = payoffs_of(sample)
    if brief:
        payoffs, made = [0, payoffs[made]], 1
    reached = (sample.payoff[:, None] >= np.array(payoffs[1:])).astype(int)
    order = np.random.default_rng(seed).permutation(len(sample))
    cut = int(_TRAINED * len(sample))
    seen, rest = order[:cut], order[cut:]
    inputs = _inputs(shape, misere)
    matrix = _matrix(shape, inputs, sample.part(seen))
    target = reached[seen] if reached.shape[1] > 1 else reached[seen, 0]
    # The error on single hands differs by up to a third between random starts.
    fitted = min(
        (
            _whole(shape, inputs, _trained(matrix, target, seed + start, brief), payoffs, made)
            for start in range(1 if brief else _STARTS)
        ),
        key=lambda one: _loss(one.scores(sample.part(rest))[:, made - 1], reached[rest, made - 1]),
    )
    scores = fitted.scores(sample.part(rest))
    links = [link(scores[:, n], reached[rest, n]) for n in range(len(payoffs) - 1)]
    return replace(fitted, links=links)


def fit_together(
    shapes: Sequence[TableShape],
    samples: Sequence[Sample],
    seed: int,
    unsolved: Sequence[Sample] = (),
    coarse: Sequence[TableShape] = (),
    whole: Sequence[TableShape] = (),
) -> list[Fitted]:
    """Train one network with a wide layer for several kinds of trumps.

    Plain suits with the same ranks share their vectors, and so do trumps of the same number. If the
    contract has a called card, each hand calls one. If there are `unsolved` hands, larger networks
    teach the network with them and the samples. It is then trained further with rounded vectors,
    and its last two layers once more after the others were rounded. It never sees the results of
    deals, so the links are fitted to the whole samples. `coarse` has shapes that may distinguish
    fewer cards (see `_inputs`). `whole` has shapes that distinguish all cards; if there are any,
    the larger networks are larger still and have these shapes, and the network learns above all
    whether a contract makes.
    """
    # This module imports PyTorch, which no other contract needs.
    from benchmarks.strength_tables import wide_layer_training as wide

    most = [int(sample.payoff.max()) for sample in samples]
    assert all(each % most[0] == 0 for each in most)
    alike = [
        replace(sample, payoff=sample.payoff // (each // most[0]))
        for sample, each in zip(samples, most, strict=True)
    ]
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(len(sample)) for sample in alike]
    cuts = [int(_TRAINED_WIDE * len(sample)) for sample in alike]
    seen = [one.part(order[:cut]) for one, order, cut in zip(alike, orders, cuts, strict=True)]
    rest = [one.part(order[cut:]) for one, order, cut in zip(alike, orders, cuts, strict=True)]
    payoffs, made = payoffs_of(alike[0].joined(*alike[1:]))
    keys, inputs = _shared_inputs(shapes, coarse or shapes)
    rows, rest_rows = (
        [_rows(shape, keys, part) for shape, part in zip(shapes, parts, strict=True)]
        for parts in (seen, rest)
    )
    reached = [part.payoff[:, None] >= np.array(payoffs[1:]) for part in seen]
    rest_reached = [part.payoff[:, None] >= np.array(payoffs[1:]) for part in rest]
    learned, shares, how = np.concatenate(rows), np.concatenate(reached), wide.ALONE
    stressed = made - 1 if whole else None
    if unsolved:
        taught = [*zip(shapes, unsolved, strict=True)]
        more = [_rows(shape, keys, part) for shape, part in taught]
        if whole:
            own_keys, own = _shared_inputs(whole, shapes, True)
            of_all = [*zip((*whole, *whole), (*seen, *unsolved), strict=True)]
            wholes = [_rows(shape, own_keys, part) for shape, part in of_all]
            known = np.concatenate(wholes[: len(seen)])
            teachers = wide.train(own, known, shares, seed, wide.LARGEST)
            shares = wide.mean_shares(teachers, np.concatenate(wholes))
            learned = np.concatenate([learned, *more])
        else:
            teachers = wide.train(inputs, learned, shares, seed, wide.teachers(len(learned)))
            learned = np.concatenate([learned, *more])
            shares = wide.mean_shares(teachers, learned)
        how = wide.pupil(len(learned))
    network = min(
        wide.train(inputs, learned, shares, seed, how, stressed),
        key=lambda one: _loss(
            SCALE * wide.logits(one, np.concatenate(rest_rows))[:, made - 1],
            np.concatenate(rest_reached)[:, made - 1],
        ),
    )
    turned = wide.turned(network, np.concatenate(rows))
    scales = Scales(WIDE_INPUT_SCALE, INPUT_SCALE)
    if unsolved:
        few = len(turned.vectors) <= _FEW_VECTORS
        scales = Scales(
            WIDE_INPUT_SCALE * (_FINER_VECTORS if few else 1), INPUT_SCALE * _FINER_UNITS
        )
        turned = wide.adapted(network, turned, learned, shares, scales.vectors, seed, stressed)
    found = []
    ends = np.cumsum([*map(len, (*seen, *unsolved))])[len(seen) - 1 :]
    for kind, (shape, each) in enumerate(zip(shapes, most, strict=True)):
        pays = [each // most[0] * one for one in payoffs]
        fitted = _whole_wide(shape, keys, network, turned, pays, made, scales)
        part, scale = rest[kind], SCALE
        if unsolved:
            taught = shares[ends[kind] : ends[kind + 1]]
            fitted = refined(fitted, unsolved[kind], taught, seed, scales, stressed)
            part, scale = alike[kind], scales.units * WEIGHT_SCALE * _FINER**2
        scores, hits = fitted.scores(part), part.payoff[:, None] >= np.array(payoffs[1:])
        links = [link(scores[:, n], hits[:, n], scale) for n in range(len(payoffs) - 1)]
        found.append(replace(fitted, links=links))
    return found


class Scales(NamedTuple):
    """The scales of a network with a wide layer."""

    vectors: int
    units: int  # of the wide layer


def refined(
    fitted: Fitted,
    hands: Sample,
    shares: np.ndarray,
    seed: int,
    scales: Scales,
    stressed: int | None = None,
) -> Fitted:
    """Train the last two layers again, after the vectors and the wide layer were rounded."""
    from benchmarks.strength_tables import wide_layer_training as wide

    unit = scales.units * WEIGHT_SCALE
    start = [fitted.layer / WEIGHT_SCALE, fitted.layer_bias / unit]
    start += [fitted.weights / WEIGHT_SCALE, fitted.bias / unit]
    layers = wide.refined(fitted.units(hands) / scales.units, shares, start, seed, stressed)
    finer = _FINER * WEIGHT_SCALE, _FINER * unit, _FINER * WEIGHT_SCALE, _FINER**2 * unit
    layer, layer_bias, weights, bias = map(_rounded, layers, finer)
    return replace(fitted, layer=layer, layer_bias=layer_bias, weights=weights, bias=bias)


def _shared_key(shape: TableShape, key: Key) -> Key:
    kind, ranks = key
    return (kind, str(shape.trump.length)) if kind == "trump" and shape.trump else (kind, ranks)


def _shared_inputs(
    shapes: Sequence[TableShape], coarse: Sequence[TableShape], every: bool = False
) -> tuple[dict[Key, slice], sparse.csr_matrix]:
    """Return the inputs of the vectors of all shapes, and the slice of each table in them."""
    places: dict[Key, slice] = {}
    parts: list[sparse.csr_matrix] = []
    start = 0
    for shape, other in zip(shapes, coarse, strict=True):
        for key, of_vector in _inputs(shape, False, other, every).items():
            shared = _shared_key(shape, key)
            if shared not in places:
                places[shared] = slice(start, start + of_vector.shape[0])
                start += of_vector.shape[0]
                parts.append(of_vector)
    return places, sparse.block_diag(parts, "csr")


def _rows(shape: TableShape, places: Mapping[Key, slice], sample: Sample) -> np.ndarray:
    """Return the indexes of each hand's vectors, one row per hand."""
    columns: list[np.ndarray] = []
    called: dict[str, np.ndarray] = {}  # the called card is in one suit, so one column is enough
    for key, indices in vectors_of(shape, sample).items():
        for index in indices:
            column = np.where(index >= 0, places[_shared_key(shape, key)].start + index, -1)
            if key[0] in ("called", "called suit"):
                called[key[0]] = np.maximum(called.get(key[0], column), column)
            else:
                columns.append(column)
    rows = np.stack([*columns, *called.values()], 1).astype(np.int32)
    assert (rows >= 0).all(), "a hand calls no card"
    return rows


def _whole_wide(
    shape: TableShape,
    places: Mapping[Key, slice],
    network: Network,
    turned: Turned,
    payoffs: Sequence[int],
    made: int,
    scales: Scales,
) -> Fitted:
    """Return a network with a wide layer, rounded to integers, without links."""
    wide_scale, unit = scales.units << WIDE_SHIFT, scales.units * WEIGHT_SCALE
    vectors = {
        key: turned.vectors[places[_shared_key(shape, key)]] for key in _inputs(shape, False)
    }
    layer, last = ((one.weight.numpy(), one.bias.numpy()) for one in (network.layer, network.last))
    return Fitted(
        shape=shape,
        vectors={key: _rounded(each, scales.vectors) for key, each in vectors.items()},
        wide=_rounded(turned.weights, wide_scale / scales.vectors),
        wide_bias=_rounded(network.wide.bias.numpy(), wide_scale),
        layer=_rounded(layer[0], WEIGHT_SCALE),
        layer_bias=_rounded(layer[1], unit),
        weights=_rounded(last[0], WEIGHT_SCALE),
        bias=_rounded(last[1], unit),
        links=(),
        payoffs=payoffs,
        made=made,
    )


def _rounded(numbers: np.ndarray, scale: float) -> np.ndarray:
    return np.rint(numbers * scale).astype(int)


def _loss(scores: np.ndarray, reached: np.ndarray) -> float:
    """Return the mean log loss of scores."""
    logits = np.where(reached, -scores, scores) / SCALE
    return float(np.logaddexp(0, logits).mean())


def _whole(
    shape: TableShape,
    inputs: Mapping[Key, sparse.csr_matrix],
    network: MLPClassifier,
    payoffs: Sequence[int],
    made: int,
) -> Fitted:
    """Return a trained network with its numbers rounded to integers, without links."""
    first, second, last = network.coefs_
    input_bias, layer_bias, bias = network.intercepts_
    vectors: dict[Key, np.ndarray] = {}
    row = 0
    for key, of_vector in inputs.items():
        width = of_vector.shape[1]
        worth = of_vector @ first[row : row + width]
        if key == ("position", ""):
            worth = worth + input_bias
        vectors[key] = _rounded(worth, INPUT_SCALE)
        row += width
    return Fitted(
        shape=shape,
        vectors=vectors,
        layer=_rounded(second.T, WEIGHT_SCALE),
        layer_bias=_rounded(layer_bias, SCALE),
        weights=_rounded(last.T, WEIGHT_SCALE),
        bias=_rounded(bias, SCALE),
        links=(),
        payoffs=payoffs,
        made=made,
    )


def _trained(
    matrix: sparse.csr_matrix, target: np.ndarray, seed: int, brief: bool
) -> MLPClassifier:
    """Train the network with falling learning rates."""
    least, most = _BATCHES
    network = MLPClassifier(
        (UNITS, LAYER),
        alpha=_PENALTY,
        batch_size=min(max(matrix.shape[0] // 200, least), most),
        max_iter=1,
        warm_start=True,
        random_state=seed,
    )
    for rate, rounds in _RATES[: 1 if brief else None]:
        network.learning_rate_init = rate
        for _ in range(_PASSES * rounds):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                network.fit(matrix, target)
    return network
