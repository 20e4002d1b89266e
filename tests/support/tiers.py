"""Test parameters with some cases in one tier, and the others in a later one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest
from hypothesis import settings

from spadille.games import GAMES

Test = Callable[..., None]


def games_of_extreme_sizes() -> list[object]:
    """Return games as parameters: those with the fewest and the most players and cards.

    All others are slow.
    """
    extreme = ("ombre", "squint", "solo-whist")
    rest = [pytest.param(game, marks=pytest.mark.slow) for game in GAMES if game not in extreme]
    return [*extreme, *rest]


def games_by_tier(*default: str, among: Collection[str] = GAMES) -> list[object]:
    """Return games as parameters: `default` in the default tier, the rest in the tier ci."""
    rest = sorted(game for game in among if game not in default)
    return [*default, *(pytest.param(game, marks=pytest.mark.ci) for game in rest)]


def part(cases: Iterable[Any], nth: int, of: int = 3) -> list[Any]:
    """Return every third case, from one of the first on; the others are for the `ci` tier."""
    return [
        each
        if number % of == nth
        else pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.ci)
        for number, each in enumerate(cases)
    ]


def each_of(cases: Iterable[Any], nth: int, of: int = 3) -> Callable[[Test], Test]:
    """Run a test for all cases of a game as one item; most are for the tier ci (see `part`).

    An item per case would take longer than most cases. A note names the case that failed.
    """

    def decorate(test: Test) -> Test:
        shares: dict[str, list[Any]] = {}
        for number, one in enumerate(cases):
            own = number % of == nth
            shares.setdefault(f"{one[0]}{'' if own else '-more'}", []).append(one)

        def every(share: list[Any]) -> None:
            for one in share:
                try:
                    test(*one)
                except Exception as error:
                    error.add_note(f"the case is {one}")
                    raise

        every.__name__, every.__doc__ = test.__name__, test.__doc__
        items = [
            pytest.param(share, id=name, marks=[pytest.mark.ci] * name.endswith("-more"))
            for name, share in shares.items()
        ]
        return pytest.mark.parametrize("share", items)(every)

    return decorate


def tries(few: int, many: int) -> int:
    """Return how often to repeat a random test; `many` if hypothesis tries many examples."""
    return few if settings().max_examples <= 50 else many
