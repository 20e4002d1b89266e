"""Intervals of shares: against sums of binomial terms, and how often they contain the share."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, pi, prod, sin
from random import Random

import pytest

from spadille.analysis.confidence_intervals import (
    bounded_mean,
    clopper_pearson,
    error_at,
    paired_difference,
)


def tail(held, number, share):
    """Return the exact chance of at least this many successes."""
    share = Fraction(share)
    return float(
        sum(
            comb(number, k) * share**k * (1 - share) ** (number - k)
            for k in range(held, number + 1)
        )
    )


@pytest.mark.parametrize(
    ("held", "number"), [(0, 1), (1, 1), (0, 30), (7, 30), (29, 30), (50, 100)]
)
def test_ends_are_where_the_tails_are(held, number):
    low, high = clopper_pearson(held, number)
    assert low == 0 if held == 0 else tail(held, number, low) == pytest.approx(0.025, rel=1e-6)
    assert (
        high == 1
        if held == number
        else 1 - tail(held + 1, number, high) == pytest.approx(0.025, rel=1e-6)
    )


def test_known_values():
    # From Brown, Cai and DasGupta, Statistical Science 2001, and the rule of three.
    assert clopper_pearson(0, 100)[1] == pytest.approx(1 - 0.025**0.01)
    assert clopper_pearson(10, 20) == pytest.approx((0.27196, 0.72804), abs=1e-5)
    low, high = clopper_pearson(400_000, 1_000_000)
    assert high - low == pytest.approx(2 * 1.959964 * (0.24 / 1e6) ** 0.5, rel=1e-2)


def test_of_nothing_nothing_is_known():
    assert clopper_pearson(0, 0) == (0, 1)
    with pytest.raises(ValueError, match="3 of 2"):
        clopper_pearson(3, 2)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.97])
def test_they_hold_the_share_as_often_as_they_say(share):
    number = 60
    within = 0.0
    for held in range(number + 1):
        low, high = clopper_pearson(held, number)
        if low <= share <= high:
            within += comb(number, held) * share**held * (1 - share) ** (number - held)
    assert within >= 0.95


def test_differences_of_pairs_hold_the_truth_often_enough():
    # Bonett and Price 2012: with n = 30 the coverage stays near 95% for all shares.
    assert paired_difference(0, 0, 98) == pytest.approx((-0.0277180, 0.0277180), abs=1e-6)
    first, second, number = 0.3, 0.15, 30
    held = 0.0
    for b in range(number + 1):
        for c in range(number - b + 1):
            rest = number - b - c
            ways = comb(number, b) * comb(number - b, c)
            low, high = paired_difference(b, c, number)
            if low <= first - second <= high:
                held += ways * first**b * second**c * (1 - first - second) ** rest
    assert held > 0.94
    low, high = paired_difference(12, 3, 40)
    assert paired_difference(3, 12, 40) == pytest.approx((-high, -low))
    assert paired_difference(12, 3, 40, 0.01)[0] < low


def test_means_of_bounded_values_hold_the_truth():
    # For a coin that pays 0 or 10, every sample can be enumerated.
    for share in (0.02, 0.5, 0.9):
        for number in (5, 40, 200):
            held = sum(
                comb(number, k) * share**k * (1 - share) ** (number - k)
                for k in range(number + 1)
                if (found := bounded_mean({0: number - k, 10: k}, 0, 10))
                and found[0] <= 10 * share <= found[1]
            )
            assert held >= 0.95
    assert bounded_mean({}, 0, 10) == (0, 10)
    assert bounded_mean({3: 10}, 3, 3) == (3, 3)
    wide, narrow = (bounded_mean({0: n // 2, 10: n // 2}, 0, 10) for n in (100, 10_000))
    assert narrow[1] - narrow[0] < (wide[1] - wide[0]) / 5
    low, high = bounded_mean({-2: 30, 1: 5, 4: 60}, -8, 8, 0.01)
    assert bounded_mean({2: 30, -1: 5, -4: 60}, -8, 8, 0.01) == pytest.approx((-high, -low))
    assert low < bounded_mean({-2: 30, 1: 5, 4: 60}, -8, 8)[0]


def wealth(counts, mean):
    """Return the wealth of a universal portfolio that bets above and below `mean` in [0, 1]."""
    steps = 2_000
    total = 0.0
    for step in range(steps):
        # The weights of Beta(1/2, 1/2), which has these quantiles.
        share = sin(pi * (step + 0.5) / (2 * steps)) ** 2
        total += prod(
            (share * x / mean + (1 - share) * (1 - x) / (1 - mean)) ** count
            for x, count in counts.items()
        )
    return total / steps


@pytest.mark.parametrize(
    "counts",
    [{0: 12, 10: 20}, {0: 3, 2: 9, 7: 10}, {4: 30}, {1: 20, 9: 1}, {0: 40}, {3: 9, 10: 30}],
)
def test_means_are_left_out_only_where_a_bet_against_them_pays(counts):
    low, high = bounded_mean(counts, 0, 10)
    shares = {value / 10: count for value, count in counts.items()}
    for end, outside in ((low, low * 0.999), (high, high + (10 - high) * 0.001)):
        if 0 < end < 10:
            assert wealth(shares, outside / 10) > 20
            # The interval is hardly too wide: the portfolio trails the best bet by at most this
            # factor.
            assert wealth(shares, end / 10) < 20 * 3 * (pi * sum(counts.values())) ** 0.5


@pytest.mark.ci
def test_means_hold_the_truth_whenever_somebody_stops():
    random = Random(1)
    missed = 0
    for _ in range(100):
        drawn = Counter()
        for _ in range(10):
            drawn.update(random.choices((0, 0, 0, 1, 5), k=20))
            low, high = bounded_mean(drawn, 0, 5)
            if not low <= 1.2 <= high:
                missed += 1
                break
    assert missed <= 5


def test_the_errors_of_all_looks_add_up_to_the_whole():
    # Half of the error is kept for the last check, however many checks there are.
    assert sum(error_at(look) for look in range(1, 100_000)) == pytest.approx(0.025, rel=1e-4)
    assert error_at(1) == 0.0125
    for last in (1, 2, 7):
        looks = [error_at(look, last=look == last) for look in range(1, last + 1)]
        assert sum(looks) == pytest.approx(0.05)
