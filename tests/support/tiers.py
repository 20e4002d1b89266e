"""Test parameters with some cases in one tier, and the others in a later one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import cycle
from typing import Any

import pytest
from hypothesis import settings

from spadille.games import GAMES

Test = Callable[..., None]
LATER = {"-more": pytest.mark.ci, "-most": pytest.mark.slow}


def games_of_extreme_sizes() -> list[object]:
    """Return games as parameters: those with the fewest and the most players and cards.

    All others are slow.
    """
    extreme = ("ombre", "squint", "solo-whist")
    rest = [pytest.param(game, marks=pytest.mark.slow) for game in GAMES if game not in extreme]
    return [*extreme, *rest]


def games_by_tier(*default: str, among: Collection[str] = GAMES) -> list[object]:
    """Return games as parameters: `default` in the default tier, half of the others in ci.

    The rest are slow.
    """
    rest = sorted(game for game in among if game not in default)
    later = cycle((pytest.mark.ci, pytest.mark.slow))
    return [*default, *(pytest.param(game, marks=next(later)) for game in rest)]


def part(cases: Iterable[Any], nth: int, of: int = 3, *, some_slow: bool = False) -> list[Any]:
    """Return every third case, from one of the first on; the others are for the `ci` tier.

    With `some_slow`, half of the others are slow.
    """
    later = cycle((pytest.mark.ci, pytest.mark.slow if some_slow else pytest.mark.ci))
    return [
        each
        if number % of == nth
        else pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=next(later))
        for number, each in enumerate(cases)
    ]


def each_of(cases: Iterable[Any], nth: int, of: int = 3) -> Callable[[Test], Test]:
    """Run a test for some cases of a game as one item, and for the others in later tiers.

    Half of the others are for the tier ci, and half are slow. An item per case would take longer
    than most cases. A note names the case that failed.
    """

    def decorate(test: Test) -> Test:
        shares: dict[str, list[Any]] = {}
        later = cycle(LATER)
        for number, one in enumerate(cases):
            end = "" if number % of == nth else next(later)
            shares.setdefault(f"{one[0]}{end}", []).append(one)

        def every(share: list[Any]) -> None:
            for one in share:
                try:
                    test(*one)
                except Exception as error:
                    error.add_note(f"the case is {one}")
                    raise

        every.__name__, every.__doc__ = test.__name__, test.__doc__
        items = [
            pytest.param(share, id=name, marks=[LATER[end] for end in LATER if name.endswith(end)])
            for name, share in shares.items()
        ]
        return pytest.mark.parametrize("share", items)(every)

    return decorate


def tries(few: int, many: int) -> int:
    """Return how often to repeat a random test: `few` by default, half of `many` in .ci/run.

    In .ci/long, it is `many`.
    """
    examples = settings().max_examples
    return few if examples <= 50 else many if examples > 100 else max(few, many // 2)
