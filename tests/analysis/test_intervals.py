"""Intervals of shares: against sums of binomial terms, and how often they hold the share."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from spadille.analysis.intervals import clopper_pearson


def tail(held, number, share):
    """The chance of so many or more, in exact numbers."""
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
    # Brown, Cai and DasGupta, Statistical Science 2001; and the rule of three.
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
