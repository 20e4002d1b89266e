"""The engine finds the same layout of a rank as `spadille.core.knowledge.layouts`."""

from __future__ import annotations

from array import array
from random import Random

import pytest

from spadille.base.errors import ArgumentError
from spadille.core.knowledge.layouts import BinSum, Layouts
from spadille.search.engine import Unranker

MASK = (1 << 64) - 1


def words(ranks: list[int]) -> array[int]:
    return array("Q", [half for rank in ranks for half in (rank & MASK, rank >> 64)])


def some_layouts(random: Random, cards: int) -> Layouts:
    """Draw cards over three to six bins, some for certain bins only, and hands with conditions."""
    bins = random.randint(3, 6)
    cuts = sorted(random.choices(range(cards + 1), k=bins - 1))
    sizes = [b - a for a, b in zip([0, *cuts], [*cuts, cards], strict=True)]
    names = [f"{number:02}" for number in range(cards)]
    allowed = {name: random.sample(range(bins), random.choice((bins, bins, 2))) for name in names}
    tallies = []
    if random.random() < 0.6:
        most = random.randint(1, cards)
        tallies.append(BinSum.number(0, random.sample(names, most), 0, most // 2 + 1))
    if random.random() < 0.6:
        few = random.sample(names, 2)
        tallies.append(BinSum(1, dict.fromkeys(few, 1), {0: 1, 1: 2, 2: 5}))
    return Layouts(allowed, sizes, tallies, {name: int(name) % 3 for name in names[:4]})


def unranker(layouts: Layouts, bins: list[int], hands: list[int]) -> Unranker:
    found = layouts.table
    classes = [[int(card) for card in cards] for cards in found.classes]
    return Unranker(classes, found.nodes, found.splits, bins, hands)


@pytest.mark.parametrize("seed", range(14))
def test_hands_of_ranks(seed: int) -> None:
    random = Random(seed)
    layouts = some_layouts(random, random.choice((3, 9, 20, 39, 52)))
    while not layouts:
        layouts = some_layouts(random, 12)
    bins = len(layouts.capacities)
    players = random.choice([number for number in (3, 4, 5) if number >= bins - 1])
    owners = random.sample([*range(players), -1], bins)
    known = [random.getrandbits(8) << 54 for _ in range(players)]
    ranks = [0, layouts.count - 1, *layouts.sample(30, seed)]
    found = unranker(layouts, owners, known).hands(words(ranks))
    for number, rank in enumerate(ranks):
        expected = [*known]
        for owner, cards in zip(owners, layouts.unrank(rank), strict=True):
            if owner >= 0:
                expected[owner] |= sum(1 << int(card) for card in cards)
        assert found[number * players : (number + 1) * players].tolist() == expected


def test_what_are_no_layouts_is_refused() -> None:
    layouts = Layouts({"00": [0, 1], "01": [0, 1]}, [1, 1])
    found = unranker(layouts, [1, 2], [0, 0, 0])
    assert found.hands(words([0, 1])).tolist() in ([0, 1, 2, 0, 2, 1], [0, 2, 1, 0, 1, 2])
    assert found.hands(words([])).tolist() == []
    with pytest.raises(ArgumentError, match="a rank is too large"):
        found.hands(words([2]))
    with pytest.raises(ArgumentError, match="belongs to an unknown player"):
        unranker(layouts, [1, 3], [0, 0, 0])
    with pytest.raises(ArgumentError, match="for each bin"):
        unranker(layouts, [1], [0, 0, 0])
    with pytest.raises(ArgumentError, match="3 to 5 hands"):
        unranker(layouts, [1, 0], [0, 0])
