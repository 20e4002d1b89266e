"""Test parameters with some games in the default tier, and the others only in `.ci/run`."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from spadille.games import GAMES


def games_by_tier(*default: str, among: Collection[str] = GAMES) -> list[object]:
    """Return games as parameters: `default` in the default tier, the rest in the tier ci."""
    rest = sorted(game for game in among if game not in default)
    return [*default, *(pytest.param(game, marks=pytest.mark.ci) for game in rest)]
