"""Finds layouts that meet conditions by rejection sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

from spadille.base.errors import TooRareError
from spadille.core.deal import Deal
from spadille.core.knowledge.card_facts import impossible
from spadille.core.knowledge.layouts import Layout, Layouts
from spadille.core.knowledge.random_numbers import ranks

LayoutCondition = Callable[[Deal], bool]

FEW = 5_000
"""Up to this number of layouts, every layout is tested."""
_RAREST = 3_000_000  # if none of these fits, fewer than one in a million do, with 95 % confidence
_ROUND = 64  # draws between two progress reports
_BLOCKS = 1 << 40  # the first block number for further draws with a seed


def name_of(condition: LayoutCondition) -> str:
    """Return the name of a condition."""
    name: str = getattr(condition, "__name__", "<lambda>")
    return "a condition" if name == "<lambda>" else name


class Fitting:
    """The layouts in `layouts` that meet all conditions, by rank.

    If there are few layouts, all of them are tested. Otherwise ranks are drawn until enough fit, so
    that all fitting layouts stay equally likely. `until` is the `perf_counter` time at which the
    search ends.

    Raises DealError if there are few layouts and none fits.
    """

    def __init__(
        self,
        layouts: Layouts,
        conditions: Sequence[LayoutCondition],
        deal_of: Callable[[Layout], Deal],
    ) -> None:
        self._layouts = layouts
        self._conditions = conditions
        self._deal_of = deal_of
        self._met = [0] * len(conditions)  # number that met each condition after all earlier ones
        self.drawn = 0
        self.until: float | None = None
        self._ranks: list[int] | None = None  # all fitting ranks, if there are few layouts
        if layouts.count <= FEW:
            self._ranks = [rank for rank in range(layouts.count) if self.fits(rank)]
            if not self._ranks:
                raise impossible(f"none of {layouts.count} layouts meets {self._rarest()}")

    @property
    def count(self) -> int:
        """The number of fitting layouts or, if unknown, of the layouts they are drawn from."""
        return self._layouts.count if self._ranks is None else len(self._ranks)

    @property
    def distinct(self) -> int:
        """Like `count`, but with every layout counted once, whatever its weight."""
        if self._ranks is None:
            return self._layouts.distinct
        return len({self._layouts.unrank(rank) for rank in self._ranks})

    @property
    def ranks(self) -> Sequence[int]:
        """All fitting ranks, or all ranks if there are too many layouts to test."""
        return range(self._layouts.count) if self._ranks is None else self._ranks

    @property
    def acceptance(self) -> float:
        """The share of tested layouts that fit."""
        return self._met[-1] / self.drawn if self.drawn else 1.0

    def fits(self, rank: int) -> bool:
        """Return whether a layout meets all conditions."""
        self.drawn += 1
        deal = self._deal_of(self._layouts.unrank(rank))
        for number, condition in enumerate(self._conditions):
            if not condition(deal):
                return False
            self._met[number] += 1
        return True

    def sample(self, number: int, seed: int = 0, block: int = 0) -> list[int]:
        """Draw ranks of fitting layouts, fewer if time runs out.

        Raises TooRareError if fewer than one in a million fit.
        """
        return [rank for some in self.samples(number, seed, block) for rank in some]

    def samples(self, number: int, seed: int = 0, block: int = 0) -> Iterator[list[int]]:
        """Yield the ranks of `sample` in parts, as they are found."""
        if self._ranks is not None:
            yield [self._ranks[at] for at in ranks(len(self._ranks), number, seed, block)]
            return
        while number:
            drawn = self._layouts.sample(max(number, _ROUND), seed, block)
            for start in range(0, len(drawn), _ROUND):
                fitting: list[int] = []
                for rank in drawn[start : start + _ROUND]:
                    if self.until is not None and perf_counter() > self.until:
                        yield fitting
                        return
                    if self.fits(rank):
                        fitting.append(rank)
                yield fitting[:number]
                number -= min(len(fitting), number)
                if not number:
                    return
            if self.drawn >= _RAREST and 1_000_000 * self._met[-1] < self.drawn:
                raise TooRareError(f"given up: {self.told}")
            block += _BLOCKS

    @property
    def told(self) -> str:
        """The number of layouts that fit, in words."""
        return (
            f"{self._met[-1]:,} of {self.drawn:,} layouts tried fit; the rarest: {self._rarest()}"
        )

    def _rarest(self) -> str:
        """Describe the condition that the smallest share of layouts met."""
        tested = [self.drawn, *self._met]
        shares = [met / max(of, 1) for met, of in zip(self._met, tested, strict=False)]
        number = min(range(len(shares)), key=shares.__getitem__)
        name = name_of(self._conditions[number])
        return f"{name}, met by {self._met[number]:,} of {tested[number]:,}"
