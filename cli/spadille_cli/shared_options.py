"""What several commands take: files, the name of a game, and how they work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, TypeVar

import click

from spadille.base.errors import MOST_THREADS
from spadille.base.input_words import read_seats, read_trump

Command = TypeVar("Command", bound=Callable[..., Any])


class _Suit(click.Choice):  # type: ignore[type-arg]
    """A suit as in tags: D, d, Diamonds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(read_trump(value), param, ctx)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Say which there are, in capitals as everywhere."""
        return f"{value!r} is none of {' '.join(self.choices)}."


COUNT = click.IntRange(0, 10**12)
"""How many; more than a trillion of anything would never end."""

TRUMP = _Suit(("S", "H", "D", "C", "NT"), case_sensitive=False)
SUIT = _Suit(("S", "H", "D", "C"), case_sensitive=False)


def seats(text: str) -> str:
    """Read seats as in tags: E, e, East; several with blanks between them."""
    return " ".join(map(str.upper, read_seats(text)))


class GameName(click.types.StringParamType):
    """The name of a game, where one must be given."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Say which there are."""
        from spadille.games import GAMES

        return f"The games are {', '.join(GAMES)}."


def check_game(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Callback: the id of a game, by id or name. The games are imported only when one is named."""
    if value is not None:
        from spadille.base.errors import RulesError
        from spadille.games import get_game

        try:
            return get_game(value).id
        except RulesError as error:
            raise click.BadParameter(str(error), ctx, param) from error
    return value


def completes(what: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Shell completion by a function of spadille_cli.completion, imported when a shell asks."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        found = getattr(import_module("spadille_cli.completion"), f"complete_{what}")
        return list(found(ctx, param, incomplete))

    return complete


def added(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Add options, which help texts list in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def files_argument(*, required: bool = True) -> Callable[[Command], Command]:
    """Add `FILE...`; a file that cannot be read is unusable input, not wrong usage.

    Of a directory all files `*.pbn` are taken, in the order of their names.
    """
    path = click.Path(readable=False, allow_dash=True)
    return click.argument(
        "files", metavar="FILE...", nargs=-1, required=required, type=path, callback=_all_files
    )


def _all_files(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> Any:
    return all_files(names)


def all_files(names: Iterable[str]) -> tuple[str, ...]:
    """Return these files, and the hand files below each that is a directory."""
    return tuple(file for name in names for file in _files(name))


def _files(name: str) -> Iterator[str]:
    """Yield the hand files below a directory; one without any stays, and cannot be read."""
    if name == "-" or not os.path.isdir(name):
        yield name
        return
    found = False
    for folder, folders, names in os.walk(name):
        folders.sort()
        for file in sorted(names):
            if file.lower().endswith(".pbn"):
                found = True
                yield os.path.join(folder, file)
    if not found:
        yield name


game_option = click.option(
    "--game",
    metavar="GAME",
    callback=check_game,
    shell_complete=completes("game"),
    help="The game of deals that name none.",
)
board_option = click.option(
    "--board",
    "boards",
    metavar="NAME",
    multiple=True,
    help="Only the deal with this Board tag, or #3 for the third of a file; may be repeated.",
)
rules_option = click.option(
    "--rules",
    "options",
    metavar="OPTIONS",
    default="",
    shell_complete=completes("options"),
    help="Options for deals that name none, as key=value;key=value.",
)


def fail_option(reason: str) -> Callable[[Command], Command]:
    """Add `--fail`, which turns what was found into exit status 1."""
    return click.option("--fail", is_flag=True, help=f"End with exit status 1 if {reason}.")


def _color(ctx: click.Context, param: click.Parameter, value: str) -> None:
    if value != "auto":
        ctx.color = value == "always"


color_option = click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    expose_value=False,
    is_eager=True,
    callback=_color,
    help="Bold letters and red suits: on a terminal, always, or never.",
)


class _Threads(click.IntRange):
    """A number of threads, or `auto`: as many as there are processors for the program."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "auto":
            try:
                return len(os.sched_getaffinity(0))
            except AttributeError:  # not Linux
                return os.cpu_count() or 1
        if isinstance(value, str) and not value.lstrip("-").isdecimal():
            self.fail(f"{value!r} is neither a number nor auto.", param, ctx)
        return super().convert(value, param, ctx)


threads_option = click.option(
    "-j",
    "--threads",
    metavar="N",
    type=_Threads(1, MOST_THREADS),
    default=1,
    show_default=True,
    help="Threads to work with, or auto for all processors; results and their order stay the same.",
)


one_evening_option = click.option(
    "--one-evening",
    is_flag=True,
    help="Settle all files as one evening; pool, Color, trumps and points run on.",
)


def give_up_option(otherwise: str) -> Callable[[Command], Command]:
    """Add `--seconds`, for what may not be found; `otherwise` says when it is given up without."""
    return click.option(
        "--seconds",
        metavar="S",
        type=click.FloatRange(0),
        default=0.0,
        help=f"Give up after S seconds; otherwise {otherwise}.",
    )


def play_options(command: Command) -> Command:
    """Add what `solve` may tell besides the value of a contract."""
    return added(
        command,
        click.option(
            "--objective",
            type=click.Choice(("tricks", "score")),
            default="tricks",
            show_default=True,
            help="What to play for; with score also the payoff that can be secured.",
        ),
        click.option("--leads", is_flag=True, help="The value of every opening lead, too."),
        click.option("--line", is_flag=True, help="An optimal line of play, too."),
        click.option(
            "--swaps",
            is_flag=True,
            help="Every swap of two cards between two hands, too: which make or break it.",
        ),
    )


def exchange_options(command: Command) -> Command:
    """Add what `best` supposes of the exchange."""
    return added(
        command,
        click.option(
            "--exchange/--no-exchange",
            default=True,
            show_default=True,
            help="Look for the best exchange, or leave the cards as recorded.",
        ),
        click.option(
            "--opponents-exchange",
            type=click.Choice(("recorded", "none")),
            default="recorded",
            show_default=True,
            help="Ombre: the declarer's opponents put away what is recorded, or nothing.",
        ),
    )
