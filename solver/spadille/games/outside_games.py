"""Games that are not included in spadille: from installed packages, and from files.

A package provides a game as an entry point in the `spadille.games` group, named after the game's
id. Entry points are loaded only when a game that is not included in spadille is needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from spadille.base.errors import RulesError, SpadilleError, attempt
from spadille.games.model.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Loaded = TypeVar("Loaded")

GROUP = "spadille.games"
VARIABLE = "SPADILLE_GAMES"
"""The environment variable that lists files with games, separated as in PATH."""


@cache
def entry_points() -> Mapping[str, EntryPoint]:
    """Return the entry points of installed packages by game id."""
    from importlib.metadata import entry_points as installed

    return {point.name: point for point in installed(group=GROUP)}


def installed_game(name: str) -> Game:
    """Return the game of an entry point; raise RulesError if it cannot be loaded."""
    point = entry_points()[name]
    package = point.dist.name if point.dist else point.value
    game = _load(point.load, f"the game {name!r} of {package}")
    if not isinstance(game, Game) or game.id != name:
        message = f"the entry point {name!r} of {package} is not a Game with that id, but {game!r}"
        raise RulesError(message, "game-unloadable")
    return game


def listed_files() -> tuple[str, ...]:
    """Return the files listed in the environment variable."""
    return tuple(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))


def list_file(path: str) -> None:
    """Add a file to the environment variable, so that child processes also load it."""
    if path not in listed_files():
        os.environ[VARIABLE] = os.pathsep.join((*listed_files(), path))


def games_in(path: str) -> Iterator[Game]:
    """Run a Python file, and yield the games it defines.

    Raises RulesError if the file cannot be run.
    """
    name = f"spadille_games_{blake2b(path.encode(), digest_size=6).hexdigest()}"
    if name not in sys.modules:
        spec = spec_from_file_location(name, path)
        if not Path(path).is_file() or spec is None or spec.loader is None:
            message = f"there is no file with games {path!r}: name a file that ends in .py"
            raise RulesError(message, "game-unloadable")
        module = sys.modules[name] = module_from_spec(spec)
        loader = spec.loader
        try:
            _load(lambda: loader.exec_module(module), f"the games of {path!r}")
        except RulesError:
            del sys.modules[name]
            raise
    yield from (value for value in vars(sys.modules[name]).values() if isinstance(value, Game))


def _load(load: Callable[[], Loaded], what: str) -> Loaded:
    """Run external code; raise RulesError for any exception it raises."""
    loaded = attempt(load)
    if isinstance(loaded, SpadilleError):
        error = loaded.__cause__ or loaded
        reason = f"{type(error).__name__}: {error}"
        raise RulesError(f"{what} cannot be loaded: {reason}", "game-unloadable") from error
    return loaded
