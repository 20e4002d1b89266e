"""Find layouts that meet conditions, by rejection sampling."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import add, mul
from time import perf_counter
from typing import NamedTuple, Protocol

from spadille.base.errors import TooRareError
from spadille.core.deal import Deal
from spadille.core.knowledge.card_facts import impossible
from spadille.core.knowledge.layouts import Layout, Layouts
from spadille.core.knowledge.random_numbers import ranks

LayoutCondition = Callable[[Deal], bool]

FEW = 5_000
"""If there are at most this many layouts, all of them are tested."""
MANY = 50_000
"""If there are at most this many layouts, all are weighted; weighting is faster than testing."""
MOST_WEIGHT = 1 << 30
"""The weight of the likeliest layout, if layouts are weighted."""
_RAREST = 3_000_000  # if none of these fits, fewer than one in a million do, with 95% confidence
_ROUND = 64  # draws between progress reports
_SIFTED = 2_048  # draws between progress reports with a sieve
_BLOCKS = 1 << 40  # the first block number for additional draws with a seed


class CountedTest(NamedTuple):
    """A condition on a sum over the cards in one hand; the layouts that meet it can be counted.

    A condition on layouts may imply conditions of this kind; its attribute `counted` lists them. If
    the tests together are equivalent to the condition, its attribute `whole` is true.
    """

    seat: str
    values: Mapping[str, int]
    """The value of each card; cards not listed count as 0."""
    weights: Mapping[int, int]
    """The allowed sums, each with weight 1."""
    holds: Callable[[Sequence[str]], bool]
    """A function that returns whether a hand meets the condition."""


def name_of(condition: LayoutCondition) -> str:
    """Return the name of a condition."""
    name: str = getattr(condition, "__name__", "<lambda>")
    return "a condition" if name == "<lambda>" else name


class Sieve(Protocol):
    """Keeps each drawn layout with a certain probability, such as the likelihood of the calls."""

    name: str

    @property
    def weighs(self) -> bool:
        """Whether the probability of a layout can be computed."""

    def drawn(self, number: int, seed: int, block: int, first: int) -> list[int]:
        """Return the ranks of the layouts kept; `first` is the number of the first draw."""

    def weights(self, ranks: Sequence[int]) -> list[float]:
        """Return the probability of each of these layouts; defined only if the sieve `weighs`."""


class Known(Protocol):
    """The knowledge whose layouts are tested."""

    def deal_of(self, layout: Layout) -> Deal:
        """Return a layout as the deal at the start of play."""


def few_ranks(layouts: Layouts, few: int) -> Mapping[int, int]:
    """Return ranks that cover all layouts, each with its weight.

    These are all ranks if there are only a few, and otherwise the first rank of each layout.
    """
    if layouts.count <= few:
        return dict.fromkeys(range(layouts.count), 1)
    return dict(layouts.first_ranks())


LayoutTest = Callable[[Sequence[int]], list[int]]
"""A function that takes the ranks of layouts and returns the ranks of those that pass."""


class FittingLayouts:
    """The layouts that meet all conditions, a selection from `layouts`, accessible by rank.

    If there are few layouts, all of them are tested, and weighted if there is a `sieve`. If there
    are many layouts, ranks are drawn until enough fit. All layouts that fit are then equally
    likely; with a sieve, each has the probability that the sieve assigns to it. The search ends at
    the time `until`, on the clock of `perf_counter`.

    A condition may have an attribute `tests`: a function that returns a list of tests for `known`,
    or None. A layout meets the condition if it passes all these tests. Tests work on many layouts
    at once and are much faster than the condition itself.

    Raises DealError if there are only a few layouts and none of them fits.
    """

    def __init__(
        self,
        layouts: Layouts,
        conditions: Sequence[LayoutCondition],
        known: Known,
        sieve: Sieve | None = None,
    ) -> None:
        self._layouts = layouts
        self._known = known
        self._step = _ROUND  # layouts that are tested between two looks at the clock
        self._tests = [self._tests_of(condition) for condition in conditions]
        self._deals: dict[int, Deal] = {}  # the deals of the layouts being tested
        self._sieve = sieve
        self._names = [name_of(condition) for condition in conditions]
        if sieve is not None:
            self._names.insert(0, sieve.name)
        self._met = [0] * len(self._names)  # [i]: layouts that met conditions 0 to i
        self.drawn = 0
        self.until: float | None = None
        self._ranks: list[int] | None = None  # all fitting ranks, if there are few layouts
        self._weights: list[int] = []
        few = FEW if conditions or sieve is None else MANY
        if layouts.distinct <= few and (sieve is None or sieve.weighs):
            every = few_ranks(layouts, few)
            self.drawn = len(every)
            self._ranks = self._fitting([*every])
            if not self._ranks:
                raise impossible(f"none of {len(every)} layouts meets {self._rarest()}")
            if sieve is not None or layouts.count > len(every):
                before = [every[rank] for rank in self._ranks]
                weights: list[float] = [*before]
                if sieve is not None:
                    weights = [*map(mul, before, sieve.weights(self._ranks))]
                most = max(weights) or 1.0
                self._acceptance = sum(weights) / sum(before)
                self._weights = [max(1, round(MOST_WEIGHT * weight / most)) for weight in weights]
                self._sums = list(accumulate(self._weights))

    @property
    def count(self) -> int:
        """The number of layouts that fit; if unknown, the number of layouts to draw from."""
        return self._layouts.count if self._ranks is None else len(self._ranks)

    @property
    def distinct(self) -> int:
        """The number of different layouts; `count` may include a layout several times."""
        if self._ranks is None or len(self._ranks) == self._layouts.count:
            return self._layouts.distinct
        return len({self._layouts.unrank(rank) for rank in self._ranks})

    @property
    def ranks(self) -> Sequence[int]:
        """The ranks of all layouts that fit; all ranks if there are too many layouts to test."""
        return range(self._layouts.count) if self._ranks is None else self._ranks

    @property
    def weights(self) -> Mapping[int, int] | None:
        """The weight of each rank, if there are few layouts; None if all weights are equal."""
        if not self._weights or self._ranks is None:
            return None
        return dict(zip(self._ranks, self._weights, strict=True))

    @property
    def acceptance(self) -> float:
        """The share of tested layouts that fit."""
        if self._weights:
            return self._acceptance * (self._met[-1] / self.drawn if self._tests else 1.0)
        return self._met[-1] / self.drawn if self.drawn else 1.0

    def _tests_of(self, condition: LayoutCondition) -> list[LayoutTest]:
        """Return the tests of a condition."""
        make: Callable[[Known], list[LayoutTest] | None] | None = getattr(condition, "tests", None)
        tests = None if make is None else make(self._known)
        if tests is not None:
            return tests
        self._step = 1
        return [lambda ranks: [rank for rank in ranks if condition(self._deal(rank))]]

    def _deal(self, rank: int) -> Deal:
        if rank not in self._deals:
            self._deals[rank] = self._known.deal_of(self._layouts.unrank(rank))
        return self._deals[rank]

    def _fitting(self, drawn: Sequence[int]) -> list[int]:
        """Return those layouts in `drawn` that meet all conditions; all have passed the sieve."""
        fitting = list(drawn)
        counts = [] if self._sieve is None else [len(fitting)]
        for tests in self._tests:
            for test in tests:
                fitting = test(fitting) if fitting else []
            counts.append(len(fitting))
        self._met = list(map(add, self._met, counts))
        self._deals.clear()
        return fitting

    def sample(self, number: int, seed: int = 0, block: int = 0) -> list[int]:
        """Draw ranks of layouts that fit; fewer than `number` if time runs out.

        Raises TooRareError if fewer than one in a million fit.
        """
        return [rank for some in self.samples(number, seed, block) for rank in some]

    def samples(self, number: int, seed: int = 0, block: int = 0) -> Iterator[list[int]]:
        """Yield the same ranks as `sample`, in lists, as they are found."""
        if self._ranks is not None:
            if self._weights:
                drawn = ranks(self._sums[-1], number, seed, block)
                yield [self._ranks[bisect_right(self._sums, at)] for at in drawn]
            else:
                yield [self._ranks[at] for at in ranks(len(self._ranks), number, seed, block)]
            return
        if self._sieve is not None:
            yield from self._sifted(self._sieve, number, seed, block)
            return
        while number:
            drawn = self._layouts.sample(max(number, _ROUND), seed, block)
            for start in range(0, len(drawn), _ROUND):
                fitting: list[int] = []
                for some in self._steps(drawn[start : start + _ROUND]):
                    self.drawn += len(some)
                    fitting += self._fitting(some)
                yield fitting[:number]
                if self._late:
                    return
                number -= min(len(fitting), number)
                if not number:
                    return
            self._give_up()
            block += _BLOCKS

    @property
    def _late(self) -> bool:
        return self.until is not None and perf_counter() > self.until

    def _steps(self, ranks: Sequence[int]) -> Iterator[Sequence[int]]:
        """Yield ranks in groups that are tested together, until time runs out."""
        for start in range(0, len(ranks), self._step):
            if self._late:
                return
            yield ranks[start : start + self._step]

    def _sifted(self, sieve: Sieve, number: int, seed: int, block: int) -> Iterator[list[int]]:
        """Yield ranks of layouts that pass the sieve and meet all conditions."""
        first = 0
        while number:
            if self.until is not None and perf_counter() > self.until:
                return
            passed = sieve.drawn(_SIFTED, seed, block, first)
            first += _SIFTED
            self.drawn += _SIFTED
            fitting = [rank for some in self._steps(passed) for rank in self._fitting(some)]
            yield fitting[:number]
            number -= min(len(fitting), number)
            self._give_up()

    def _give_up(self) -> None:
        """Raise TooRareError if fewer than one in a million fit."""
        if self.drawn >= _RAREST and 1_000_000 * self._met[-1] < self.drawn:
            raise TooRareError(f"given up: {self.tested}")

    @property
    def tested(self) -> str:
        """Describe how many layouts fit."""
        return (
            f"{self._met[-1]:,} of {self.drawn:,} tested layouts fit; "
            f"the rarest condition: {self._rarest()}"
        )

    def _rarest(self) -> str:
        """Describe the condition that is met by the smallest share of the layouts tested for it."""
        tested = [self.drawn, *self._met]
        shares = [met / max(of, 1) for met, of in zip(self._met, tested, strict=False)]
        number = min(range(len(shares)), key=shares.__getitem__)
        return f"{self._names[number]}, met by {self._met[number]:,} of {tested[number]:,}"
