"""Test parameters with some games in one tier, and the others in a later one."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from spadille.games import GAMES


def games_of_each_size(among: Collection[str] = GAMES) -> list[object]:
    """Return games as parameters, those with the players and cards of an earlier one as slow."""
    sizes: set[tuple[int, int]] = set()
    games: list[object] = []
    for name in among:
        size = len(GAMES[name].seats), GAMES[name].hand_size
        games.append(pytest.param(name, marks=pytest.mark.slow) if size in sizes else name)
        sizes.add(size)
    return games


def games_by_tier(*default: str, among: Collection[str] = GAMES) -> list[object]:
    """Return games as parameters: `default` in the default tier, the rest in the tier ci."""
    rest = sorted(game for game in among if game not in default)
    return [*default, *(pytest.param(game, marks=pytest.mark.ci) for game in rest)]
