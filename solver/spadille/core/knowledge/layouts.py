"""Count all possible layouts of the hidden cards exactly, and number them.

A layout assigns every hidden card to a bin. A bin is an unseen hand, or the pile of cards that
nobody plays. Each card has a set of bins that may hold it, and each bin holds a fixed number of
cards. A `BinSum` adds up the values of the cards in one bin and gives each sum a weight. For a hard
constraint, weights are 0 or 1; an example is a number of cards that a bid proves. A weight above 1
means that such layouts are more likely than others.

Cards that agree in all these respects form a class. Let r be the room left in the bins, and m the
size of a class. Let x_b of its cards go into bin b, and let w be the weight of the sums that the
class completes. Then

    f_k(r) = sum over x of  m! / prod x_b! * w_k(x) * f_{k+1}(r - x),    f_K = 1,    count = f_1

and the layout with a given rank (a number below `count`) can be found without a search. A layout of
weight w has w consecutive ranks, so drawing ranks at random draws layouts by weight.

To find layouts by rank in another language, number them like this:

- Take the classes in the order of `classes`, and the cards of each class in the order listed there.
- For a class with given room and sums, the splits x are in lexicographic order of (x_0, x_1, ...),
  bin 0 first, lowest first; bins that are not allowed have 0. Splits without layouts are left out.
  A split has `ways * weight * below` ranks, where `ways` is the multinomial m! / prod x_b! and
  `below` is the value of f after it.
- Within a split, rank = (way * below + rest) * weight + copy, where `rest` is the rank within the
  remaining classes, and `copy` merely distinguishes ranks of the same layout.
- `way` is a mixed-radix number, bin 0 most significant. Its digits say which x_0 of the m cards are
  in bin 0, which x_1 of the remaining cards are in bin 1, and so on.
- Each digit is a combination in the combinatorial number system: the places p_1 < p_2 < ... < p_x,
  counted from 0 among the remaining cards, have the number C(p_1, 1) + ... + C(p_x, x).

`Layouts.table` lists all nodes and splits as plain numbers. Counts stay below 2^127 in all games.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, factorial
from operator import contains, sub
from typing import NamedTuple

from spadille.base.cached import cached_property
from spadille.core.knowledge.random_numbers import ranks

Layout = tuple[tuple[str, ...], ...]
"""The cards in each bin."""


@dataclass(frozen=True, slots=True)
class BinSum:
    """A sum over the cards in a bin, with the weight of a layout for each value of the sum.

    Cards that are not in `values` count as 0. Sums that are not in `weights` are impossible.
    """

    at: int  # the bin
    values: Mapping[str, int]
    weights: Mapping[int, int]

    @classmethod
    def number(cls, at: int, cards: Iterable[str], least: int = 0, most: int = 99) -> BinSum:
        """Return the constraint that the number of these cards in a bin is within limits."""
        values = dict.fromkeys(cards, 1)
        numbers = range(max(0, least), min(most, len(values)) + 1)
        return cls(at, values, dict.fromkeys(numbers, 1))


class CardClass(NamedTuple):
    """A class of interchangeable cards: they fit into the same bins and have the same values."""

    cards: tuple[str, ...]
    bins: tuple[int, ...]
    values: tuple[int, ...]  # one value per tally
    completes: tuple[int, ...]  # tallies that no later class affects


class Split(NamedTuple):
    """A way to divide the cards of a class among the bins, by number."""

    start: int  # number of ranks in the earlier splits of this node
    ways: int
    weight: int
    takes: tuple[int, ...]  # one number per bin
    after: Node


class Node:
    """The splits of a class, and the number of layouts of this class and all later ones."""

    __slots__ = ("count", "distinct", "splits", "starts")

    def __init__(self, splits: tuple[Split, ...], count: int, distinct: int) -> None:
        self.splits = splits
        self.starts = [split.start for split in splits]
        self.count = count
        self.distinct = distinct


class LayoutNodes(NamedTuple):
    """The nodes and splits of `Layouts` as plain numbers.

    A node is (class, first split, end of its splits). The root comes first. The node whose class is
    `len(classes)` is the end node, which has one layout. A split is (start, ways, weight, node
    after it, ranks below that node, cards into bin 0, into bin 1, ...).
    """

    classes: tuple[tuple[str, ...], ...]
    bins: int
    nodes: tuple[tuple[int, int, int], ...]
    splits: tuple[tuple[int, ...], ...]


class Layouts:
    """All ways of placing certain cards in certain bins, counted exactly; immutable.

    `allowed` maps each card to the bins that may hold it; the cards are numbered in this order.
    `capacities` are the sizes of the bins. Classes are sorted by group, and cards in different
    `groups` are never in the same class. Put the most important group first: if samples are spread
    evenly over the ranks, they are then also spread evenly over the layouts of that group. Cards in
    tallies of only a few cards come before all others.

    Raises ValueError unless the number of cards equals the total size of the bins.
    """

    def __init__(
        self,
        allowed: Mapping[str, Collection[int]],
        capacities: Sequence[int],
        tallies: Sequence[BinSum] = (),
        groups: Mapping[str, int] | None = None,
    ) -> None:
        if len(allowed) != sum(capacities):
            raise ValueError(f"{len(allowed)} cards do not fill bins of {sum(capacities)}")
        self.capacities = tuple(capacities)
        self.tallies = tuple(tallies)
        self.classes = _classes(allowed, self.tallies, groups or {})
        self._later = _later(self.classes, len(self.capacities))
        self._within_reach = _within_reach(self.classes, self.tallies)
        self._nodes: dict[tuple[int, tuple[int, ...], tuple[int, ...]], Node] = {}
        self._end = Node((), 1, 1)
        self._root = self._node(0, self.capacities, (0,) * len(self.tallies))
        self.count: int = self._root.count
        """The number of ranks. A layout with weight 3, for example, has three ranks."""
        self.distinct: int = self._root.distinct
        """The number of different layouts."""

    def __bool__(self) -> bool:
        return self.count > 0

    def __repr__(self) -> str:
        return f"<Layouts: {self.count} of {sum(self.capacities)} cards>"

    def _node(self, number: int, room: tuple[int, ...], sums: tuple[int, ...]) -> Node:
        """Return the node for a class; a node without layouts has no splits."""
        if number == len(self.classes):
            # After the last class, all tallies are complete. If there are no classes at all, each
            # tally must allow the sum 0.
            fits = self.classes or all(0 in tally.weights for tally in self.tallies)
            return self._end if fits else Node((), 0, 0)
        key = (number, room, sums)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self._expand(number, room, sums)
        return node

    def _expand(self, number: int, room: tuple[int, ...], sums: tuple[int, ...]) -> Node:
        cards, bins, values, completes = self.classes[number]
        counted = completes or any(values)
        splits = []
        start = distinct = 0
        for takes in _splits(len(cards), bins, room, self._later[number]):
            weight = 1
            after = sums
            if counted:
                weight, after = self._weigh(number, takes, sums)
                if not weight:
                    continue
            node = self._node(number + 1, tuple(map(sub, room, takes)), after)
            if node.count:
                ways = _multinomial(len(cards), takes)
                splits.append(Split(start, ways, weight, takes, node))
                start += ways * weight * node.count
                distinct += ways * node.distinct
        return Node(tuple(splits), start, distinct)

    def _weigh(
        self, number: int, takes: tuple[int, ...], sums: tuple[int, ...]
    ) -> tuple[int, tuple[int, ...]]:
        """Return the weight of a split (0 if it has no layouts) and the sums after it."""
        _, _, values, completes = self.classes[number]
        after = sums
        if any(values):
            after = tuple(
                total + value * takes[tally.at]
                for total, value, tally in zip(sums, values, self.tallies, strict=True)
            )
            if not all(map(contains, self._within_reach[number], after)):
                return 0, after
        weight = 1
        for tally in completes:
            weight *= self.tallies[tally].weights.get(after[tally], 0)
        if completes:
            after = tuple(0 if n in completes else total for n, total in enumerate(after))
        return weight, after

    @property
    def ranks(self) -> range:
        """All ranks."""
        return range(self.count)

    def unrank(self, rank: int) -> Layout:
        """Return the layout with this rank; raise IndexError if the rank is out of range."""
        if not 0 <= rank < self.count:
            raise IndexError(f"rank {rank} is out of range for {self.count} layouts")
        bins: list[list[str]] = [[] for _ in self.capacities]
        node = self._root
        for card_class in self.classes:
            split = node.splits[bisect_right(node.starts, rank) - 1]
            node = split.after
            way, rank = divmod((rank - split.start) // split.weight, node.count)
            for cards, dealt in zip(bins, _parts(card_class.cards, split, way), strict=True):
                cards += dealt
        return tuple(map(tuple, bins))

    def rank(self, layout: Iterable[Iterable[str]]) -> int:
        """Return the first rank of a layout; raise ValueError if the layout is impossible."""
        holder = {card: number for number, cards in enumerate(layout) for card in cards}
        node, rank, weight = self._root, 0, 1
        try:
            for card_class in self.classes:
                holders = [holder.pop(card) for card in card_class.cards]
                takes = tuple(holders.count(number) for number in range(len(self.capacities)))
                split = next(other for other in node.splits if other.takes == takes)
                node = split.after
                rank += weight * split.start
                weight *= split.weight
                rank += weight * _way(holders, takes) * node.count
        except (KeyError, StopIteration):
            raise ValueError("no such layout") from None
        if holder:
            raise ValueError(f"{' '.join(holder)} are not among the cards")
        return rank

    def __iter__(self) -> Iterator[Layout]:
        """Iterate over all distinct layouts in order of rank."""
        return (layout for layout, _ in self.weighed())

    def weighed(self) -> Iterator[tuple[Layout, int]]:
        """Iterate over all distinct layouts in order of rank, each with its weight."""
        return ((self.unrank(rank), weight) for rank, weight in self.first_ranks())

    def first_ranks(self) -> Iterator[tuple[int, int]]:
        """Iterate over all distinct layouts: the first rank of each, and its weight."""
        return self._walk(0, self._root, 0, 1) if self.count else iter(())

    def _walk(self, number: int, node: Node, rank: int, weight: int) -> Iterator[tuple[int, int]]:
        if number == len(self.classes):
            yield rank, weight
            return
        for start, ways, times, _, after in node.splits:
            first, step = rank + weight * start, weight * times
            for way in range(ways):
                yield from self._walk(number + 1, after, first + step * way * after.count, step)

    def sample(
        self, number: int, seed: int = 0, block: int = 0, *, spread: bool = True
    ) -> list[int]:
        """Draw ranks (see `spadille.core.knowledge.random_numbers.ranks`)."""
        return ranks(self.count, number, seed, block, spread=spread)

    def samples(self, number: int, seed: int = 0, block: int = 0) -> Iterator[list[int]]:
        """Yield the ranks of `sample` in a single block (see `FittingLayouts`)."""
        yield self.sample(number, seed, block)

    @cached_property
    def table(self) -> LayoutNodes:
        """All nodes and splits as plain numbers, for use in other languages."""
        numbers: dict[int, int] = {id(self._root): 0}
        levels = [(0, self._root)]
        for level, node in levels:  # grows during the loop
            for split in node.splits:
                if id(split.after) not in numbers:
                    numbers[id(split.after)] = len(levels)
                    levels.append((level + 1, split.after))
        nodes: list[tuple[int, int, int]] = []
        splits: list[tuple[int, ...]] = []
        for level, node in levels:
            first = len(splits)
            for start, ways, weight, takes, after in node.splits:
                splits.append((start, ways, weight, numbers[id(after)], after.count, *takes))
            nodes.append((level, first, len(splits)))
        classes = tuple(card_class.cards for card_class in self.classes)
        return LayoutNodes(classes, len(self.capacities), tuple(nodes), tuple(splits))


_FEW = 4  # cards in tallies over at most this many cards come first


def _classes(
    allowed: Mapping[str, Collection[int]], tallies: Sequence[BinSum], groups: Mapping[str, int]
) -> tuple[CardClass, ...]:
    """Group interchangeable cards into classes; the most constrained classes come first."""
    few = {card for tally in tallies if len(tally.values) <= _FEW for card in tally.values}
    alike: dict[tuple[bool, int, tuple[int, ...], tuple[int, ...]], list[str]] = {}
    for card, bins in allowed.items():
        values = tuple(tally.values.get(card, 0) for tally in tallies)
        key = (card not in few, groups.get(card, 0), tuple(sorted(set(bins))), values)
        alike.setdefault(key, []).append(card)
    # Cards with only one possible bin come first, and cards with the most bins come last.
    ordered = sorted(alike.items(), key=lambda item: (len(item[0][2]) > 1, *item[0][:2]))
    last = [
        max((n for n, (key, _) in enumerate(ordered) if key[3][tally]), default=0)
        for tally in range(len(tallies))
    ]
    return tuple(
        CardClass(
            tuple(cards),
            key[2],
            key[3],
            tuple(tally for tally, at in enumerate(last) if at == number),
        )
        for number, (key, cards) in enumerate(ordered)
    )


def _later(classes: Sequence[CardClass], bins: int) -> list[tuple[int, ...]]:
    """For each class, return the number of cards of later classes that may go into each bin."""
    later: list[tuple[int, ...]] = []
    rest = (0,) * bins
    for card_class in reversed(classes):
        later.append(rest)
        size = len(card_class.cards)
        rest = tuple(n + size * (at in card_class.bins) for at, n in enumerate(rest))
    return later[::-1]


def _within_reach(
    classes: Sequence[CardClass], tallies: Sequence[BinSum]
) -> list[list[frozenset[int]]]:
    """For each class and tally, return the sums after it that can still lead to a weight."""
    reach: list[list[frozenset[int]]] = [[] for _ in classes]
    for place, tally in enumerate(tallies):
        sums = frozenset({0})  # the tally is complete
        for card_class, at in zip(reversed(classes), reversed(reach), strict=True):
            if place in card_class.completes:
                sums = frozenset(tally.weights)
            at.append(sums)
            value = card_class.values[place]
            if value:
                takes = range(0, value * len(card_class.cards) + 1, value)
                sums = frozenset(total - take for total in sums for take in takes if total >= take)
    return reach


def _splits(
    number: int, bins: tuple[int, ...], room: tuple[int, ...], later: tuple[int, ...]
) -> Iterable[tuple[int, ...]]:
    """List all ways to put a number of cards into bins, with room left for `later` cards."""
    # For each bin, the fewest cards it needs (as later cards may not be enough to fill it) and the
    # most it can take.
    limits = [
        (max(0, have - rest), min(have, number) if at in bins else 0)
        for at, (have, rest) in enumerate(zip(room, later, strict=True))
    ]
    least = sum(low for low, _ in limits)
    most = sum(high for _, high in limits)
    partial_takes: list[tuple[tuple[int, ...], int]] = [((), number)]
    if any(low > high for low, high in limits):
        return []
    for low, high in limits:
        least -= low
        most -= high
        partial_takes = [
            ((*takes, take), left - take)
            for takes, left in partial_takes
            for take in range(max(low, left - most), min(high, left - least) + 1)
        ]
    return [takes for takes, left in partial_takes]


def _multinomial(number: int, takes: Iterable[int]) -> int:
    ways = factorial(number)
    for take in takes:
        ways //= factorial(take)
    return ways


def _parts(cards: tuple[str, ...], split: Split, way: int) -> list[list[str]]:
    """Return the cards of a class that go into each bin."""
    left = list(cards)
    ways = split.ways
    parts = []
    for take in split.takes:
        ways_to_take = comb(len(left), take)
        ways //= ways_to_take
        number, way = divmod(way, ways)
        chosen: list[str] = []
        if take:
            rest = []
            for place in range(len(left) - 1, -1, -1):
                below = comb(place, take)
                if take and number >= below:
                    number -= below
                    take -= 1
                    chosen.append(left[place])
                else:
                    rest.append(left[place])
            left = rest[::-1]
        parts.append(chosen[::-1])
    return parts


def _way(holders: Sequence[int], takes: Sequence[int]) -> int:
    """Return the index of the way in which the cards of a class are placed in the bins."""
    left = list(holders)
    way = 0
    for number, take in enumerate(takes):
        places = [place for place, holder in enumerate(left) if holder == number]
        way = way * comb(len(left), take)
        way += sum(comb(place, nth) for nth, place in enumerate(places, 1))
        left = [holder for holder in left if holder != number]
    return way
