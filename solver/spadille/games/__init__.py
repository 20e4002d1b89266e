"""The games, one module each; a new variant is a new module and its name in `GAMES`."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping
from functools import lru_cache

from spadille.base.errors import RulesError, check_type, quoted
from spadille.base.input_words import meant, slug
from spadille.games.anna_cubed import ANNA_CUBED
from spadille.games.german_solo import GERMAN_SOLO
from spadille.games.mensch import MENSCH
from spadille.games.model.game import Game, Rules
from spadille.games.ombre import OMBRE
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
"""Other names of the game described as Ombre."""

OTHER_NAMES: Mapping[str, str] = {
    "tresillo": "; did you mean 'ombre'? Tresillo is its later form in Spain",
    "rocambor": "; did you mean 'ombre'? Rocambor is its later form in South America",
    "voltarete": "; did you mean 'ombre'? Voltarete is its later form in Portugal",
    "whist": "; did you mean 'solo-whist'? Plain Whist is not among them",
    "solo": "; several are called Solo: german-solo, solo-whist, anna-cubed",
    "english-solo": "; did you mean 'solo-whist'?",
}
"""A hint for an unknown name: the games that other games of the family may mean."""


def get_game(game_id: str) -> Game:
    """Return the game with this id or name; raise RulesError, which names the existing ones."""
    if not isinstance(game_id, str):
        raise RulesError(f"a game is told by its id, not by {quoted(game_id)}", "game-unknown")
    game = GAMES.get(game_id) or _named().get(slug(game_id))
    if game is None:
        hint = OTHER_NAMES.get(slug(game_id)) or meant(game_id, GAMES)
        raise RulesError(
            f"unknown game {game_id!r}; the games are {', '.join(GAMES)}{hint}",
            "game-unknown",
        )
    return game


@lru_cache(maxsize=1)
def _named() -> dict[str, Game]:
    names = {slug(name): game for game in GAMES.values() for name in (game.id, game.name)}
    return names | dict.fromkeys(map(slug, _OMBRE), OMBRE)


def rules_for(game_id: str, options: str | Mapping[str, str] | None = None) -> Rules:
    """Return the rules of a game, options as in the Rules tag ("key=value;key=value") or a mapping.

    Raises RulesError for a game, option or value that does not exist.
    """
    get_game(game_id)
    if options is None:
        return _rules(game_id, "")
    if not isinstance(options, str):
        check_type(options, Mapping, "options are key=value;key=value or a mapping")
        options = ";".join(f"{name}={value}" for name, value in options.items())
    return _rules(game_id, options)


@lru_cache(maxsize=256)
def _rules(game_id: str, text: str) -> Rules:
    game = get_game(game_id)
    chosen: dict[str, str] = {}
    for part in text.split(";"):
        if not part.strip():
            continue
        name, equals, value = part.partition("=")
        if not equals:
            raise RulesError(f"{part.strip()!r} is no option: write key=value", "option-unreadable")
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


def _pickled_game(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    return get_game, (game.id,)


def _pickled(rules: Rules) -> tuple[Callable[[str, str], Rules], tuple[str, str]]:
    return rules_for, (rules.game.id, rules.text)


# Rules hold functions of their game, so they are pickled as its id and options; so is a game, of
# which there is one.
copyreg.pickle(Rules, _pickled)
copyreg.pickle(Game, _pickled_game)
