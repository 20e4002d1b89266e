"""What several commands take: files, and the name of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

TRUMP = click.Choice(("S", "H", "D", "C", "NT"), case_sensitive=False)
SUIT = click.Choice(("S", "H", "D", "C"), case_sensitive=False)


def check_game(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Callback: the id of a game that exists. The games are imported only when one is named."""
    if value is not None:
        from spadille.errors import RulesError
        from spadille.games import get_game

        try:
            get_game(value)
        except RulesError as error:
            raise click.BadParameter(str(error), ctx, param) from error
    return value


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Shell completion: the games that begin so."""
    from spadille.games import GAMES

    return [name for name in GAMES if name.startswith(incomplete)]


def files_argument(command: Command) -> Command:
    """Add `FILE...`; a file that cannot be read is unusable input, not wrong usage."""
    path = click.Path(readable=False, allow_dash=True)
    return click.argument("files", metavar="FILE...", nargs=-1, required=True, type=path)(command)


game_option = click.option(
    "--game",
    metavar="GAME",
    callback=check_game,
    shell_complete=complete_game,
    help="The game of deals that name none.",
)
rules_option = click.option(
    "--rules",
    "options",
    metavar="OPTIONS",
    default="",
    help="Options for deals that name none, as key=value;key=value.",
)


def fail_option(reason: str) -> Callable[[Command], Command]:
    """Add `--fail`, which turns what was found into exit status 1."""
    return click.option("--fail", is_flag=True, help=f"End with exit status 1 if {reason}.")


threads_option = click.option(
    "-j",
    "--threads",
    metavar="N",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Deals solved at a time; results and their order stay the same.",
)
