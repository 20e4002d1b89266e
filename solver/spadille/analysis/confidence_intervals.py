"""Compute 95% confidence intervals from samples.

If a sample is inspected repeatedly, each interval uses the `error` of one look (see `error_at`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

Interval = tuple[float, float]

ERROR = 0.05
FIRST = 256
"""The number of draws before sampling may stop; it doubles from one look to the next."""
SHARE_ERROR = ERROR / 2
"""The error probability of the confidence interval for a share, valid whenever sampling stops.

Differences between candidates decide when sampling stops, so stopping hardly biases the shares. The
other half of the error allows for that small bias; the measured coverage is in
docs/chances-measured.md.
"""
EPSILON = 0.01
"""Shares that differ by at most one percentage point count as equal."""

_STEPS = 60  # halvings of [0, 1]: more than a float can distinguish
_REACH = 40.0  # from exp(-40) to exp(40)
_TERMS = 100_000
_SMALL = 1e-300


def clopper_pearson(count: int, number: int, level: float = 0.95) -> tuple[float, float]:
    """Return the confidence interval for the share of an event seen in `count` of `number` draws.

    The coverage of the interval is at least `level` for every true share (Clopper and Pearson,
    Biometrika 1934). Without draws, the interval is (0, 1).
    """
    if not 0 <= count <= number:
        raise ValueError(f"{count} of {number}")
    tail = (1 - level) / 2
    low, high = 0.0, 1.0
    if count > 0:
        low = _inverse(tail, count, number - count + 1)
    if count < number:
        high = _inverse(1 - tail, count + 1, number - count)
    return low, high


def partial_mean(known: float, rest: float, whole: float, low: float, high: float) -> Interval:
    """Return bounds on a weighted mean, where unknown values lie between `low` and `high`.

    `known` is the weighted sum of the known values, `rest` the weight of the unknown ones, and
    `whole` the total weight. The bounds hold with certainty.
    """
    return (known + rest * low) / whole, (known + rest * high) / whole


def paired_difference(
    only_first: int, only_second: int, number: int, error: float = ERROR
) -> Interval:
    """Return the confidence interval for the difference between two shares of the same draws.

    The arguments are the number of draws, the number that count only for the first share, and the
    number that count only for the second (Bonett and Price, "Adjusted Wald confidence interval for
    a difference of binomial proportions based on paired data", Journal of Educational and
    Behavioral Statistics 37, 2012).
    """
    first = (only_first + 1) / (number + 2)
    second = (only_second + 1) / (number + 2)
    difference = first - second
    spread = (first + second - difference * difference) / (number + 2)
    reach = NormalDist().inv_cdf(1 - error / 2) * sqrt(spread)
    return max(difference - reach, -1.0), min(difference + reach, 1.0)


def bounded_mean(
    counts: Mapping[int, int], least: int, most: int, error: float = ERROR
) -> Interval:
    """Return the confidence interval for the mean of values between `least` and `most`.

    `counts` maps each value to the number of times it was drawn. You may compute the interval again
    after every draw and stop at any time: the probability that it ever misses the mean is at most
    `error`. A mean is excluded if betting against it with a universal portfolio would have
    multiplied the stake by 1/`error` (Orabona and Jun, "Tight concentrations and confidence
    sequences from the regret of universal portfolio", IEEE Transactions on Information Theory 70,
    2024).
    """
    number = sum(counts.values())
    if not number or least == most:
        return least, most
    # The gain of the best bet in hindsight; the portfolio comes within a factor of it (Cover and
    # Ordentlich, "Universal portfolios with side information", 1996).
    regret = log(pi) / 2 + lgamma(number + 1) - lgamma(number + 0.5)
    stake = regret - log(error)
    size = most - least
    drawn = [((value - least) / size, count) for value, count in counts.items() if count]
    low = _least_mean(drawn, stake)
    high = 1 - _least_mean([(1 - share, count) for share, count in drawn], stake)
    return least + low * size, least + high * size


def _least_mean(drawn: Sequence[tuple[float, int]], gain: float) -> float:
    """Return the mean m, below the mean of draws in [0, 1], on which the best bet gains `gain`.

    A bet b that the mean exceeds m gains the sum of log(1 + b (x - m)). With b = t / (1 + t m),
    this is the sum of log((1 + t x) / (1 + t m)). Each t gives the best bet for exactly one m.
    """
    if not any(share for share, _ in drawn):
        return 0.0

    def bet(t: float) -> tuple[float, float]:
        weights = [count / (1 + t * share) for share, count in drawn]
        mean = sum(w * x for w, (x, _) in zip(weights, drawn, strict=True)) / sum(weights)
        return mean, sum(count * log((1 + t * x) / (1 + t * mean)) for x, count in drawn)

    small, great = -_REACH, _REACH
    if bet(exp(great))[1] < gain:  # everything is staked: the gain is the sum of log(x / m)
        number = sum(count for _, count in drawn)
        return exp((sum(count * log(x) for x, count in drawn) - gain) / number)
    for _ in range(_STEPS):
        middle = (small + great) / 2
        if bet(exp(middle))[1] < gain:
            small = middle
        else:
            great = middle
    return bet(exp(small))[0]


def error_at(look: int, *, last: bool = False) -> float:
    """Return the error for one look (from 1); all looks together have the error `ERROR`.

    Checking repeatedly would sooner or later find an effect that does not exist, so each look gets
    only a share of the error: the union bound with ERROR / (k (k + 1)), a standard spending rule
    (Jennison and Turnbull, Group Sequential Methods, 2000, chapter 7). If the `last` look is known
    in advance, half of the error is reserved for it, because it has the most draws (after
    Haybittle, British Journal of Radiology 44, 1971, who reserves nearly all of it).
    """
    kept = ERROR / 2
    return kept * (1 + 1 / look) if last else kept / (look * (look + 1))


def _inverse(share: float, a: float, b: float) -> float:
    """Return the quantile of the Beta(a, b) distribution at `share`."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _beta(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(x: float, a: float, b: float) -> float:
    """Evaluate the Beta(a, b) distribution function by its continued fraction (DLMF 8.17.22)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Evaluate 1 + d1/(1 + d2/(1 + ...)) forward (Lentz, Applied Optics 1976)."""
    value, c, d = 1.0, 1.0, 0.0
    for term in range(1, _TERMS):
        half, odd = divmod(term, 2)
        if odd:
            part = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            part = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        d = 1 / (1 + part * d or _SMALL)
        c = 1 + part / c or _SMALL
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value
