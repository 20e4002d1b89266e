"""Samples contain layouts in proportion to their weights."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from spadille.core.knowledge.layouts import Layouts
from spadille.core.knowledge.seat_knowledge import know
from tests.support.game_option_cases import CASES
from tests.support.knowledge_referee import full_case, some_play
from tests.support.random_endings import case
from tests.support.tiers import part


def informed(number: int) -> Layouts:
    """Return twenty to a thousand layouts of a seat, weighted in half the cases."""
    for seed in range(number, 100_000, 20):
        random = Random(seed)
        if number % 2:
            chosen = random.choice([each for each in CASES if each[0] == "solo-whist"])
            deal, contract, _ = full_case(*chosen, seed)
        else:
            deal, contract = case(*random.choice(CASES), seed)
        size = len(deal.hands[deal.rules.seats[0]] or ()) * len(deal.rules.seats)
        cards = some_play(deal, contract, random, random.randint(size * 4 // 5 - 4, size - 3))
        layouts = know(deal, contract, random.choice(deal.rules.seats), cards).layouts
        weighed = layouts.count != layouts.distinct
        if 20 <= layouts.distinct <= 1000 and weighed == bool(number % 2):
            return layouts
    raise AssertionError


def deviation(layouts: Layouts, samples: int, seed: int) -> float:
    """Return chi-squared of samples as a normal deviate, by Wilson and Hilferty (PNAS 17, 1931)."""
    found: Counter[object] = Counter()
    for rank, often in Counter(layouts.sample(samples, seed, spread=False)).items():
        found[layouts.unrank(rank)] += often
    chi = 0.0
    for layout, weight in layouts.weighed():
        expected = samples * weight / layouts.count
        chi += (found.pop(layout, 0) - expected) ** 2 / expected
    assert not found
    free = layouts.distinct - 1
    ninth = 2 / (9 * free)
    return ((chi / free) ** (1 / 3) - (1 - ninth)) / ninth**0.5


@pytest.mark.parametrize("number", part(range(20), 3, 6))
def test_samples_are_as_frequent_as_layouts_weigh(number: int) -> None:
    assert abs(deviation(informed(number), 30_000, number)) < 4


@pytest.mark.slow
@pytest.mark.parametrize("number", range(20))
def test_a_million_samples(number: int) -> None:
    assert abs(deviation(informed(number), 1_000_000, number)) < 4


def test_spread_samples_come_as_often_as_others_on_average() -> None:
    layouts = informed(1)
    found: Counter[object] = Counter()
    for seed in range(1000):
        # Only the first draw of each sample, since the later ones may be cut off.
        found[layouts.unrank(layouts.sample(16, seed)[0])] += 1
    expected = {layout: 1000 * weight / layouts.count for layout, weight in layouts.weighed()}
    chi = sum((found[layout] - number) ** 2 / number for layout, number in expected.items())
    free = layouts.distinct - 1
    assert chi < free + 5 * (2 * free) ** 0.5
