"""Reading hand files with the options of `--rules`, and refusing options that no game has."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from errno import EBADF
from functools import partial

import click

from spadille.base.errors import RulesError, attempt
from spadille.games import get_game
from spadille.pbn.hand_file import HandFile, load, read
from spadille.pbn.parse_document import decode
from spadille.pbn.tags import TagReader
from spadille.render.text import printable
from spadille_cli.exit_status import Tally
from spadille_cli.fault_reports import report_unreadable
from spadille_cli.shared_options import usage_errors
from spadille_cli.terminal_messages import complain

_GAME_TAG = re.compile(r'\[\s*Game\s+"([^"]*)"', re.IGNORECASE)


def load_files(
    names: Iterable[str],
    tally: Tally,
    game: str | None = None,
    options: str = "",
    *,
    one_evening: bool = False,
    letters: str = "en",
) -> Iterator[tuple[str, HandFile]]:
    """Read each file, with `-` for standard input; report unreadable ones.

    With `one_evening`, the session continues from file to file. Raises click.UsageError before the
    last file if no deal belongs to a game that has the `options`.
    """
    chosen = parse_options(options)
    last = None
    games: set[str] = set()
    names = tuple(names)
    for number, name in enumerate(names, 1):
        file = attempt(partial(_loaded, name, game, chosen, last, letters))
        if isinstance(file, HandFile) and chosen:
            games |= _games_of(file, game)
        if number == len(names):
            _check_options_apply(chosen, games)
        if isinstance(file, HandFile):
            if not len(file):
                complain(f"no deals in {printable(name)}")
            yield name, file
            last = file if one_evening else None
        elif isinstance(file.__cause__, OSError):
            report_unreadable(name, file.__cause__, tally)
        else:
            tally.unusable += 1
            complain(f"{printable(name)}: {printable(str(file))}")


def _games_of(file: HandFile, default: str | None) -> set[str]:
    """Return the ids of the known games in a file."""
    games = set()
    for deal in file.document.games:
        game = TagReader(deal).value("Game") or default
        with suppress(RulesError):
            games |= {get_game(game).id} if game else set()
    return games


def check_options_in_files(
    options: Iterable[str], names: Sequence[str], default: str | None
) -> None:
    """Raise click.UsageError for an option of `--rules` that no game in the files has.

    The files are read only until a game has the options, and pipes not at all.
    """
    missing, games = {*options}, set[str]()
    for name in _game_tags(names, default) if all(map(os.path.isfile, names)) else ():
        if not missing:
            return
        with suppress(RulesError):
            game = get_game(name)
            games.add(game.id)
            missing -= {*game.options}
    _check_options_apply(sorted(missing), games)


def _game_tags(names: Iterable[str], default: str | None) -> Iterator[str]:
    """Yield the games that the files name; `default` is that of deals without a Game tag."""
    if default is not None:
        yield default
    for name in names:
        with suppress(OSError), open(name, encoding="utf-8", errors="replace") as file:
            for line in file:
                yield from _GAME_TAG.findall(line)


def _check_options_apply(options: Iterable[str], games: set[str]) -> None:
    """Raise click.UsageError for an option of `--rules` that none of the games has."""
    if not games:
        return  # no deal can be used, and each has its own fault
    for option in options:
        if not any(option in get_game(game).options for game in games):
            named = " or ".join(sorted(get_game(game).name for game in games))
            raise click.UsageError(
                f"--rules: {named} has no option {option!r}, and the files contain no other game"
            )


def _loaded(
    name: str, game: str | None, options: Mapping[str, str], last: HandFile | None, letters: str
) -> HandFile:
    if name != "-":
        return load(name, game, options, last, letters=letters)
    if sys.stdin is None:  # closed by the caller
        raise OSError(EBADF, "standard input is closed")
    text, encoding = decode(sys.stdin.buffer.read())
    file = read(text, game, options, last, letters=letters)
    file.encoding = encoding
    return file


def parse_options(text: str, game: str | None = None) -> Mapping[str, str]:
    """Read `--rules`; raise click.UsageError for an option that this game, or every game, lacks."""
    from spadille.games import check_option, rules_for

    options: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, equals, value = map(str.strip, part.partition("="))
        if not equals:
            raise click.UsageError(f"--rules: {part!r} is not an option: write key=value")
        if name in options:
            raise click.UsageError(f"--rules: option {name!r} is given twice")
        try:
            check_option(name, value)
        except RulesError as error:
            raise click.UsageError(f"--rules: {error}") from None
        options[name] = value
    if game is not None:
        with usage_errors("--rules"):
            rules_for(game, options)
    return options
