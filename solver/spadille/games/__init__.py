"""The games included in spadille, one module each, and the registry for other games."""

from __future__ import annotations

import copyreg
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from spadille.base.argument_checks import check_type
from spadille.base.cache_keys import field_names
from spadille.base.errors import RulesError, quoted
from spadille.base.names_in_input import meant, slug
from spadille.games.anna_cubed import ANNA_CUBED
from spadille.games.german_solo import GERMAN_SOLO
from spadille.games.mensch import MENSCH
from spadille.games.model.check_game import check_fits_together
from spadille.games.model.game import Game, Rules
from spadille.games.model.game_digest import game_digest
from spadille.games.ombre import OMBRE
from spadille.games.outside_games import (
    entry_points,
    games_in,
    installed_game,
    list_file,
    listed_files,
)
from spadille.games.quadrille import QUADRILLE, QUINTILLE
from spadille.games.solo_whist import SOLO_WHIST
from spadille.games.squint import SQUINT

GAMES: dict[str, Game] = {
    game.id: game
    for game in (
        MENSCH,
        GERMAN_SOLO,
        OMBRE,
        QUADRILLE,
        QUINTILLE,
        SOLO_WHIST,
        SQUINT,
        ANNA_CUBED,
    )
}


_OMBRE = ("Hombre", "L'Hombre", "LHombre", "L'Ombre", "Lomber", "Renegado")
"""Other names for the game called Ombre here."""

OTHER_NAMES: Mapping[str, str] = {
    "tresillo": "; did you mean 'ombre'? Tresillo is its later form in Spain",
    "rocambor": "; did you mean 'ombre'? Rocambor is its later form in South America",
    "voltarete": "; did you mean 'ombre'? Voltarete is its later form in Portugal",
    "whist": "; did you mean 'solo-whist'? Plain Whist is not included",
    "solo": "; several games are called Solo: german-solo, solo-whist, anna-cubed",
    "english-solo": "; did you mean 'solo-whist'?",
}
"""Suggestions for unknown game names."""


_BUILT_IN = frozenset(GAMES.values())
_FILES: dict[str, str] = {}
"""The file from which each outside game was read."""


def register(game: Game, *, replace: bool = False) -> Game:
    """Make a game known to hand files and functions by its id and name, and return it.

    The same game may be registered again; a different game needs `replace` to take its place.
    Raises RulesError for an inconsistent game, and for an id already in use.
    """
    check_type(game, Game, "a game must be a Game")
    known = GAMES.get(game.id)
    if known is not None and known.is_same(game):
        return known
    if known is not None and (known in _BUILT_IN or not replace):
        which = "comes with spadille" if known in _BUILT_IN else "is registered: use replace=True"
        raise RulesError(f"another game {game.id!r} {which}", "game-taken")
    check_fits_together(game)
    GAMES[game.id] = game
    return game


def load_games(path: str) -> tuple[Game, ...]:
    """Register the games that a Python file defines, and return them.

    Worker processes that are started later load the file, too. Raises RulesError if the file cannot
    be run, and in the same cases as `register`.
    """
    check_type(path, str, "a file of games must be given by its path, as text")
    path = os.path.abspath(path)
    loaded = tuple(game for game in games_in(path) if game not in _BUILT_IN)
    for game in loaded:
        register(game)
        _FILES[game.id] = path
    list_file(path)
    return loaded


def get_game(game: str | Game) -> Game:
    """Return the game with this id or name; if there is none, raise RulesError listing known games.

    If the game is not included in spadille, the files in `SPADILLE_GAMES` and installed packages
    are searched.
    """
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise RulesError(f"a game must be given by its id, not {quoted(game)}", "game-unknown")
    known = _known(game) or _outside(game)
    if known is None:
        hint = OTHER_NAMES.get(slug(game)) or meant(game, GAMES)
        raise RulesError(
            f"unknown game {game!r}; the games are {', '.join(GAMES)}{hint}",
            "game-unknown",
        )
    return known


def all_games() -> Mapping[str, Game]:
    """Return all games by id, including those of installed packages and of `SPADILLE_GAMES`.

    A package whose game cannot be loaded is skipped.
    """
    _read_files()
    for name in entry_points():
        if name not in GAMES:
            with suppress(RulesError):
                register(installed_game(name))
    return GAMES


def registered_games() -> tuple[Game, ...]:
    """Return the games loaded so far that are not included in spadille."""
    return tuple(game for game in GAMES.values() if game not in _BUILT_IN)


def definition(game: Game) -> str:
    """Return a digest of the rules of a game that is not included in spadille, otherwise ""."""
    return "" if game in _BUILT_IN else game_digest(game)


def _known(name: str) -> Game | None:
    return GAMES.get(name) or _named(tuple(GAMES.values())).get(slug(name))


@lru_cache(maxsize=4)
def _named(games: tuple[Game, ...]) -> dict[str, Game]:
    names = {slug(name): game for game in games for name in (game.id, game.name)}
    return names | dict.fromkeys(map(slug, _OMBRE), OMBRE)


def _outside(name: str) -> Game | None:
    """Return a game that is not included in spadille."""
    if _read_files() and (known := _known(name)):
        return known
    points = entry_points()
    if name in points or slug(name) in points:
        return register(installed_game(name if name in points else slug(name)))
    if not points.keys() <= GAMES.keys():  # one of them may have this name
        all_games()
    return _known(name)


def _read_files() -> bool:
    """Register the games from the files in `SPADILLE_GAMES`; return whether there are new ones."""
    new = [path for path in listed_files() if os.path.abspath(path) not in _FILES.values()]
    for path in new:
        load_games(path)
    return bool(new)


def rules_for(game: str | Game, options: str | Mapping[str, str] | None = None) -> Rules:
    """Return the rules of a game with options, "key=value;key=value" or a mapping.

    The game is an id, a name, or a `Game`, registered or not. Raises RulesError for an unknown
    game, option or value.
    """
    known = get_game(game)
    if options is None:
        return _rules(known, "")
    if not isinstance(options, str):
        check_type(options, Mapping, "options must be key=value;key=value or a mapping")
        options = ";".join(f"{name}={value}" for name, value in options.items())
    return _rules(known, options)


@lru_cache(maxsize=256)
def _rules(game: Game, text: str) -> Rules:
    chosen: dict[str, str] = {}
    for part in text.split(";"):
        if not part.strip():
            continue
        name, equals, value = part.partition("=")
        if not equals:
            raise RulesError(
                f"{part.strip()!r} is not an option: write key=value", "option-unreadable"
            )
        if name.strip() in chosen:
            raise RulesError(f"option {name.strip()!r} is given twice", "option-duplicate")
        chosen[name.strip()] = value
    return Rules(game, chosen)


def check_option(name: str, value: str) -> None:
    """Raise RulesError unless some game has this option with this value."""
    message = f"no game has an option {name!r}"
    for game in GAMES.values():
        if name in game.options:
            try:
                game.options[name].check(value)
            except RulesError as error:
                message = str(error)
            else:
                return
    raise RulesError(message, "option-unknown")


def _pickled_game(game: Game) -> tuple[Callable[..., Game], tuple[Any, ...]]:
    if GAMES.get(game.id) is not game:
        return _again, ({name: getattr(game, name) for name in field_names(Game)},)
    if path := _FILES.get(game.id):
        return _from_file, (path, game.id)
    if game in _BUILT_IN or game.id in entry_points():
        return get_game, (game.id,)
    return _again, ({name: getattr(game, name) for name in field_names(Game)},)


def _again(values: Mapping[str, Any]) -> Game:
    """Return the known game with these values, or a new one."""
    game = Game(**values)
    known = GAMES.get(game.id)
    return known if known is not None and known.is_same(game) else game


def _from_file(path: str, game_id: str) -> Game:
    load_games(path)
    return get_game(game_id)


def _pickled(rules: Rules) -> tuple[Callable[[Game, str], Rules], tuple[Game, str]]:
    return rules_for, (rules.game, rules.text)


# Rules contain functions of their game, so they are pickled as the game and its options. A game
# known by its id (included, from a package or from a file) is pickled as that id, any other game as
# its fields.
copyreg.pickle(Rules, _pickled)
copyreg.pickle(Game, _pickled_game)
