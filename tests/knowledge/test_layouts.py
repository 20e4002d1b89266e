"""Layouts compared with putting every card into every bin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, permutations, product
from math import comb, prod
from random import Random

import pytest

from spadille.base.card_text import RANKS
from spadille.core.knowledge.layouts import BinSum, Layout, Layouts
from spadille.core.knowledge.random_numbers import Draws, ranks
from spadille.games import GAMES, rules_for


def every(
    allowed: dict[str, list[int]], capacities: Sequence[int], tallies: Sequence[BinSum]
) -> dict[Layout, int]:
    """Return every layout with its weight, computed as simply as possible."""
    found = {}
    for bins in product(range(len(capacities)), repeat=len(allowed)):
        held = list(zip(allowed, bins, strict=True))
        if any(one not in allowed[card] for card, one in held):
            continue
        if any(bins.count(one) != size for one, size in enumerate(capacities)):
            continue
        weight = 1
        for tally in tallies:
            total = sum(tally.values.get(card, 0) for card, one in held if one == tally.at)
            weight *= tally.weights.get(total, 0)
        if weight:
            layout = tuple(
                tuple(sorted(card for card, one in held if one == number))
                for number in range(len(capacities))
            )
            found[layout] = weight
    return found


def problem(seed: int) -> tuple[dict[str, list[int]], list[int], list[BinSum], dict[str, int]]:
    random = Random(seed)
    bins = random.randint(1, 4)
    capacities = [random.randint(0, 3) for _ in range(bins)]
    while sum(capacities) > 6:
        capacities[random.randrange(bins)] = 0
    cards = [f"c{number}" for number in range(sum(capacities))]
    allowed = {card: [one for one in range(bins) if random.random() < 0.75] for card in cards}
    tallies = []
    for _ in range(random.randint(0, 2)):
        some = random.sample(cards, random.randint(0, min(4, len(cards))))
        one = random.randrange(bins)
        kind = random.randrange(3)
        if kind == 0:
            tallies.append(BinSum.number(one, some, random.randint(0, 1), random.randint(1, 3)))
        elif kind == 1:
            tallies.append(BinSum(one, dict.fromkeys(some, 1), {n: n + 1 for n in range(5)}))
        else:
            sets = chain.from_iterable(combinations(some, size) for size in range(5))
            fit = {frozenset(each) for each in sets if random.random() < 0.7}
            values = {card: 1 << number for number, card in enumerate(some)}
            tallies.append(BinSum(one, values, {sum(map(values.get, held)): 1 for held in fit}))
    return allowed, capacities, tallies, {card: random.randint(0, 1) for card in cards}


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_layouts_are_those_of_brute_force_and_ranks_lead_to_them(first: int) -> None:
    for seed in range(first, first + 20):
        allowed, capacities, tallies, groups = problem(seed)
        layouts = Layouts(allowed, capacities, tallies, groups)
        found = dict(layouts.weighed())
        expected = every(allowed, capacities, tallies)
        assert {tuple(tuple(sorted(one)) for one in lay): w for lay, w in found.items()} == expected
        if allowed:
            assert layouts.count == sum(expected.values())
        assert layouts.distinct == len(expected)
        rank = 0
        for layout, weight in found.items():
            assert layouts.rank(layout) == rank
            for copy in range(weight if allowed else 1):
                assert layouts.unrank(rank + copy) == layout
            rank += weight


def test_the_numbers_of_layouts_of_the_games() -> None:
    counts = {}
    for game in GAMES:
        rules = rules_for(game)
        size = rules.game.hand_size
        hidden = rules.deck[size:]
        bins = [size] * (len(rules.seats) - 1)
        bins += [rules.game.talon_size] * bool(rules.game.talon_size)
        everywhere = range(len(bins))
        one = Layouts(dict.fromkeys(hidden, everywhere), bins)
        two = Layouts(
            dict.fromkeys(hidden, everywhere), bins, groups={c: c[0] == "S" for c in hidden}
        )
        assert one.count == two.count == one.distinct
        counts[game] = one.count
    assert counts["german-solo"] == 9465511770
    assert f"{counts['squint']:.1e}" == "4.1e+24"
    assert all(count < 1 << 127 for count in counts.values())


def test_the_table_has_what_it_takes_to_find_a_layout() -> None:
    allowed, capacities, tallies, groups = problem(7)
    layouts = Layouts(allowed, capacities, tallies, groups)
    table = layouts.table
    assert table.classes == tuple(one.cards for one in layouts.classes)
    ends = 0
    for level, first, behind in table.nodes:
        ends += level == len(table.classes)
        start = 0
        for begins, ways, weight, after, below, *takes in table.splits[first:behind]:
            assert begins == start
            assert table.nodes[after][0] == level + 1
            assert sum(takes) == len(table.classes[level])
            start += ways * weight * below
        if first == 0:
            assert start == layouts.count
    assert ends == 1


def test_cards_that_do_not_fill_the_bins_and_ranks_that_are_none() -> None:
    with pytest.raises(ValueError, match="2 cards do not fill bins of 3"):
        Layouts({"SA": [0], "SK": [0]}, [3])
    layouts = Layouts({"SA": [0, 1], "SK": [0, 1]}, [1, 1])
    assert [layouts.unrank(0), layouts.unrank(1)] == [(("SK",), ("SA",)), (("SA",), ("SK",))][::-1]
    for rank in (-1, 2):
        with pytest.raises(IndexError):
            layouts.unrank(rank)
    for layout in ([["SA", "SK"], []], [["SA"], ["SQ"]], [["SA"]]):
        with pytest.raises(ValueError, match=r"no such layout|are not among"):
            layouts.rank(layout)
    assert not Layouts({"SA": [0], "SK": [0]}, [1, 1])


def test_spread_ranks_lie_in_equal_parts_in_random_order() -> None:
    for count, number in ((10**24, 32), (1000, 64), (7, 7), (5, 20)):
        found = ranks(count, number, seed=3)
        parts = sorted(rank * number // count for rank in found)
        if count >= number and count % number == 0:
            assert parts == list(range(number))
        assert found != sorted(found)
        assert all(0 <= rank < count for rank in found)
        assert found == ranks(count, number, seed=3)
        assert found != ranks(count, number, seed=4) != ranks(count, number, seed=4, block=1)
    # Every rank is drawn equally often, even where blocks have unequal sizes.
    often = [0] * 5
    for seed in range(2000):
        for rank in ranks(5, 2, seed):
            often[rank] += 1
    assert all(abs(number - 800) < 110 for number in often)


def test_random_numbers_are_those_of_splitmix64() -> None:
    # From the reference implementation by Sebastiano Vigna, with the seed 1234567.
    draws = Draws(0)
    draws._state = 1234567
    assert [draws.word() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_sums_that_lead_to_no_weight_are_left_out_at_once():
    """Two hands of given shapes in any order: without pruning, some hundred thousand nodes."""
    suits = {suit: [suit + rank for rank in RANKS] for suit in "SHDC"}
    values = {card: 14**n for n, suit in enumerate("SHDC") for card in suits[suit]}

    def shape(bin_, lengths):
        sums = {sum(14**n * size for n, size in enumerate(p)) for p in permutations(lengths)}
        return BinSum(bin_, values, dict.fromkeys(sums, 1))

    found = Layouts(
        dict.fromkeys(values, (0, 1, 2)),
        (13, 13, 26),
        [shape(0, (5, 4, 3, 1)), shape(1, (6, 4, 2, 1))],
    )
    assert len(found._nodes) < 2000
    assert found.count == sum(
        prod(comb(13, mine) * comb(13 - mine, other) for mine, other in zip(one, two, strict=True))
        for one in permutations((5, 4, 3, 1))
        for two in permutations((6, 4, 2, 1))
    )


def test_cards_that_weights_name_are_numbered_before_all_others() -> None:
    allowed = dict.fromkeys("abcdef", (0, 1))
    tally = BinSum(0, {"e": 1}, {0: 1, 1: 3})
    layouts = Layouts(allowed, (3, 3), [tally], {"a": 0, "b": 0, "c": 1, "d": 1, "e": 2, "f": 2})
    assert [each.cards for each in layouts.classes] == [("e",), ("a", "b"), ("c", "d"), ("f",)]
    # They are ordered by groups next, and cards with only one place come before all others.
    placed = Layouts({**allowed, "f": (1,)}, (3, 3), [tally], {})
    assert [each.cards for each in placed.classes] == [("f",), ("e",), ("a", "b", "c", "d")]
