"""What a sample says of all: intervals that hold what is looked for in 95 of 100 samples."""

from __future__ import annotations

from math import exp, lgamma, log, log1p

_STEPS = 60  # halvings of [0, 1]: more than a float can tell apart
_TERMS = 100_000
_SMALL = 1e-300


def clopper_pearson(held: int, number: int, level: float = 0.95) -> tuple[float, float]:
    """Return least and greatest share that `held` of `number` independent draws speak for.

    Never narrower than `level` allows, whatever the share (Clopper and Pearson, Biometrika 1934).
    Of no draws nothing is known: (0, 1).
    """
    if not 0 <= held <= number:
        raise ValueError(f"{held} of {number}")
    tail = (1 - level) / 2
    low, high = 0.0, 1.0
    if held > 0:
        low = _inverse(tail, held, number - held + 1)
    if held < number:
        high = _inverse(1 - tail, held + 1, number - held)
    return low, high


def _inverse(share: float, a: float, b: float) -> float:
    """Return where the distribution function of Beta(a, b) comes to `share`."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _beta(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(x: float, a: float, b: float) -> float:
    """The distribution function of Beta(a, b): its continued fraction, DLMF 8.17.22."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Work out 1 + d1/(1 + d2/(1 + ...)) from the front (Lentz, Applied Optics 1976)."""
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
