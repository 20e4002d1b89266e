"""Options shared by several commands, and the groups in which help texts list options."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from importlib import import_module
from typing import Any, Final, TypeVar

import click

from spadille.base.argument_checks import MOST_THREADS
from spadille.base.card_languages import Letters, letters_of
from spadille.base.errors import SpadilleError
from spadille.base.names_in_input import read_seats, read_trump
from spadille_cli.chosen_boards import BoardRange, names_and_ranges

Command = TypeVar("Command", bound=Callable[..., Any])

# The groups in a help text; the last ones are shared by most commands.
CONTENT: Final = "What to show"
CHANCES: Final = "Chances"
CONTRACT: Final = "Which contract"
DEALS: Final = "Which deals"
LEDGER: Final = "Ledger"
OUTPUT: Final = "Output"


_OTHER_SPELLINGS = {
    **{
        f"--{name}": f"--format {name}" for name in ("json", "jsonl", "csv", "tsv", "html", "latex")
    },
    "--markdown": "--format markdown",
    "--md": "--format markdown",
    "--tex": "--format latex",
    "--out": "-o FILE",
    "--file": "-o FILE",
    "--jobs": "--threads N",
    "--workers": "--threads N",
    "--boards": "--board 1-3,7",
    "--deals": "--board 1-3,7",
    "--language": "--letters de",
    "--lang": "--letters de",
    "--no-color": "--color never",
    "--player": "--seat SEAT",
    "--trumps": "--trump SUIT",
    "--hand": "--deal 'S:87.AQJ7.7.Q - - -'",
}
"""Spellings that people may try, each with the option they mean."""


class GroupedCommand(click.Command):
    """A command whose help lists its options in groups; all commands take `--games`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; suggest a similar option for an unknown one."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = self._meant(error.option_name)
            if hint:
                message = f"No such option {error.option_name!r}; {hint}"
                raise click.UsageError(message, ctx) from error
            raise

    def _meant(self, option: str) -> str:
        """Return a hint about what the user probably meant by an unknown option; "" if unclear."""
        arguments = {param.name for param in self.params if isinstance(param, click.Argument)}
        if option == "--game" and "game" in arguments:
            return f"the game is an argument: spadille {self.name} ombre"
        hint = _OTHER_SPELLINGS.get(option)
        if hint and any(hint.split()[0] in param.opts for param in self.params):
            return f"did you mean {hint!r}?"
        return ""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options of the command, `--games`, and `--help`."""
        *params, help_option = super().get_params(ctx)
        return [*params, _games_option(), help_option]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options group by group; those without a group are under "What to show"."""
        help_option = self.get_help_option(ctx)
        groups: dict[str, list[tuple[str, str]]] = {
            group: [] for group in (CONTENT, CHANCES, CONTRACT, DEALS, LEDGER, OUTPUT)
        }
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                default = OUTPUT if param is help_option else CONTENT
                groups[getattr(param, "group", default)].append(record)
        for group, records in groups.items():
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)


def cli_option(
    spelling: str,
    meaning: str,
    *choices: str,
    name: str | None = None,
    complete: str = "",
    **settings: Any,
) -> Callable[[Command], Command]:
    """Return a decorator that adds an option, spelled as in help texts: "-j, --threads N".

    If the spelling names no value, the option is a flag, or takes one of `choices` (default: the
    first). `name` is the argument that the command receives; `complete` names the completion.
    """
    words = spelling.replace(",", "").split()
    if choices:
        words_in_any_case = click.Choice(choices, case_sensitive=False)
        settings = {"type": words_in_any_case, "default": choices[0], **settings}
    elif words[-1].startswith("-"):
        settings["is_flag"] = True
    else:
        settings["metavar"] = words.pop()
    if complete:
        settings["shell_complete"] = completes(complete)
    if name is not None:
        words.append(name)
    shown = settings.get("default") not in (None, "")
    return click.option(*words, help=meaning, **{"show_default": shown, **settings})


def added(group: str, *options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a group, in this order.

    Options that are already in a group stay there.
    """

    def add(command: Command) -> Command:
        for param in _applied(command, options):
            if not hasattr(param, "group"):
                param.group = group
        return command

    return add


def collected(
    name: str, make: Callable[..., object], *options: Callable[[Any], Any], group: str = CONTENT
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds options and combines their values in one argument, `name`."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        names: list[str] = []

        @wraps(command)
        def with_argument(**values: object) -> object:
            argument = make(**{name: values.pop(name) for name in names})
            return command(**values, **{name: argument})

        params = _applied(with_argument, [added(group, *options)])
        names += [param.name for param in params if param.expose_value]
        return with_argument

    return add


def _applied(command: Callable[..., Any], options: Iterable[Callable[[Any], Any]]) -> Any:
    """Add options to a command, and return the click.Parameter objects."""
    before = len(getattr(command, "__click_params__", ()))
    for option in reversed([*options]):
        option(command)
    return getattr(command, "__click_params__", [])[before:]


class _Suit(click.Choice):  # type: ignore[type-arg]
    """A suit, spelled as in tags: D, d, Diamonds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        letters = chosen_letters(ctx)
        meant = letters.suit(value) if letters else None
        return super().convert(meant or read_trump(value), param, ctx)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """List the suits in capital letters."""
        return f"{value!r} is not one of {' '.join(self.choices)}."


def chosen_letters(ctx: click.Context | None) -> Letters | None:
    """Return the letters of `--letters`, which is read before other options; None for English."""
    return None if ctx is None else letters_of(ctx.params.get("letters", "en"))


class Whole(click.IntRange):
    """A whole number in a range; click calls it an integer range in messages."""

    name = "whole number"


class Number(click.FloatRange):
    """A number in a range; click calls it a float range in messages."""

    name = "number"


COUNT = Whole(0, 10**12)
"""A number of deals or problems, at most a trillion, because more would never finish."""

TRUMP = _Suit(("S", "H", "D", "C", "NT"), case_sensitive=False)
SUIT = _Suit(("S", "H", "D", "C"), case_sensitive=False)


def seats(text: str) -> str:
    """Convert seats, spelled as in tags (E, e, East), to letters separated by spaces.

    Unknown seats are left as typed, so that messages can quote them.
    """
    named = read_seats(text)
    if not named:
        raise click.BadParameter(f"{text!r} names no seat")
    return " ".join(named)


class GameName(click.types.StringParamType):
    """The name of a game, as a required argument."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """List the games."""
        from spadille.games import all_games

        return f"The games are {', '.join(all_games())}."


def check_game(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Callback: return the id of a game given by id or name.

    Games are imported only if one is named.
    """
    if value is not None:
        from spadille.base.errors import RulesError
        from spadille.games import get_game

        try:
            return get_game(value).id
        except RulesError as error:
            raise click.BadParameter(str(error), ctx, param) from error
    return value


@cache
def _games_option() -> click.Option:
    """Return `--games`, which registers a file's games before other options are read."""
    option = click.Option(
        ["--games"],
        metavar="FILE",
        multiple=True,
        is_eager=True,
        expose_value=False,
        callback=_load_games,
        help="Python file with games of your own; SPADILLE_GAMES also names such files.",
    )
    option.group = DEALS  # type: ignore[attr-defined]
    return option


def _load_games(ctx: click.Context, param: click.Parameter, files: tuple[str, ...]) -> None:
    if files:
        from spadille.base.errors import RulesError
        from spadille.games import load_games

        for file in files:
            try:
                games = load_games(file)
            except RulesError as error:
                raise click.BadParameter(str(error), ctx, param) from error
            if not games:
                raise click.BadParameter(f"{file!r} defines no game", ctx, param)


def completes(what: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return a shell completion callback that imports spadille_cli.shell_completion on use."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        function = getattr(import_module("spadille_cli.shell_completion"), f"complete_{what}")
        return list(function(ctx, param, incomplete))

    return complete


def files_argument(*, required: bool = True) -> Callable[[Command], Command]:
    """Add `FILE...`; a file that cannot be read is unusable input, not wrong usage.

    A directory means all `*.pbn` files in it, sorted by name.
    """
    path = click.Path(readable=False, allow_dash=True)
    return click.argument(
        "files", metavar="FILE...", nargs=-1, required=required, type=path, callback=_all_files
    )


def _all_files(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> Any:
    if "" in names:
        raise click.BadParameter("the name of a file is empty", ctx, param)
    return all_files(names)


def after_options(message: str, *options: str) -> str:
    """Return a message after the options that caused it, if any; "" means none."""
    named = ", ".join(filter(None, options))
    return f"{named}: {message}" if named else message


def all_files(names: Iterable[str]) -> tuple[str, ...]:
    """Return these files, with each directory replaced by the hand files in it."""
    return tuple(file for name in names for file in _files(name))


def _files(name: str) -> Iterator[str]:
    """Yield the hand files in a directory; if there are none, yield the directory itself.

    Directories that cannot be listed are also yielded, so that opening them reports the error.
    """
    if name == "-" or not os.path.isdir(name):
        yield name
        return
    unlisted: list[OSError] = []
    files = False
    for folder, folders, names in os.walk(name, onerror=unlisted.append):
        folders.sort()
        for file in sorted(names):
            if file.lower().endswith(".pbn"):
                files = True
                yield os.path.join(folder, file)
    yield from (error.filename for error in unlisted)
    if not files and not unlisted:
        yield name


@contextmanager
def usage_errors(place: str = "") -> Iterator[None]:
    """Turn an error from the package into a usage error; `place` is the option at fault."""
    try:
        yield
    except SpadilleError as error:
        raise click.UsageError(f"{place}: {error}" if place else str(error)) from error


def _color(ctx: click.Context, param: click.Parameter, value: str) -> None:
    if value != "auto":
        ctx.color = value == "always"


class _Threads(Whole):
    """A number of threads, or `auto` for all processors available to the program."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "auto":
            try:
                return len(os.sched_getaffinity(0))
            except AttributeError:  # not Linux
                return os.cpu_count() or 1
        if isinstance(value, str) and not value.lstrip("-").isdecimal():
            self.fail(f"{value!r} is not a number or auto.", param, ctx)
        return super().convert(value, param, ctx)


game_option = added(
    DEALS,
    cli_option(
        "--game GAME",
        "Game to assume for deals without a Game tag.",
        callback=check_game,
        complete="game",
        envvar="SPADILLE_GAME",
        show_envvar=True,
    ),
)
letters_option = added(
    DEALS,
    cli_option(
        "--letters",
        "Language of the card letters in files and options.",
        *("en", "de", "fr", "es", "nl", "da"),
        is_eager=True,
        envvar="SPADILLE_LETTERS",
        show_envvar=True,
    ),
)


def _boards(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Callback: reject empty values of `--board`, and ranges that end before they begin."""
    for value in values:
        parts = names_and_ranges(value)
        if not parts:
            raise click.BadParameter(f"{value!r} names no deal", ctx, param)
        for part in parts:
            if isinstance(part, BoardRange) and part.last < part.first:
                raise click.BadParameter(f"{part} ends before it begins", ctx, param)
    return values


board_option = added(
    DEALS,
    cli_option(
        "--board NAME",
        "Only deals with this Board tag, or #3 for the third deal in a file; 1-3,7 for several.",
        name="boards",
        multiple=True,
        callback=_boards,
    ),
)
rules_option = added(
    DEALS,
    cli_option(
        "--rules OPTIONS",
        "Game options for deals without a Rules tag, as key=value;key=value.",
        name="options",
        default="",
        complete="options",
    ),
)
color_option = added(
    OUTPUT,
    cli_option(
        "--color",
        "Use bold and red (auto: only on a terminal).",
        *("auto", "always", "never"),
        expose_value=False,
        is_eager=True,
        callback=_color,
        envvar="SPADILLE_COLOR",
        show_envvar=True,
    ),
)
threads_option = added(
    OUTPUT,
    cli_option(
        "-j, --threads N",
        "Number of threads, or auto for all processors; results do not depend on it.",
        type=_Threads(1, MOST_THREADS),
        default=1,
        envvar="SPADILLE_THREADS",
        show_envvar=True,
    ),
)
legend_option = cli_option(
    "--legend", "Explain columns and marks below the tables (html always does).", name="explained"
)
one_evening_option = cli_option(
    "--one-evening",
    "Settle all files as one evening: the pool, Color, trumps and points carry over.",
)


def give_up_option(otherwise: str) -> Callable[[Command], Command]:
    """Add `--seconds` to a search that may find nothing; `otherwise` describes the default."""
    return cli_option(
        "--seconds S",
        f"Stop after S seconds (default: {otherwise}).",
        type=Number(0),
        default=0.0,
        show_default=False,
    )


play_options = added(
    CONTENT,
    cli_option(
        "--objective",
        "What both sides play for: tricks, or the best score they can secure.",
        *("tricks", "score"),
    ),
    cli_option("--leads", "Also show the value of every opening lead."),
    cli_option("--line", "Also show an optimal line of play."),
    cli_option("--swaps", "Also show which swaps of two cards decide whether the contract makes."),
)
"""The options for what `solve` shows in addition to the value of a contract."""

called_option = cli_option(
    "--called", "Show the best card to call, or the payoff with each card.", *("best", "all")
)
exchange_options = added(
    CONTENT,
    cli_option(
        "--exchange/--no-exchange",
        "Find the best exchange, or keep the recorded one.",
        default=True,
    ),
    cli_option(
        "--opponents-exchange",
        "Ombre: the declarer's opponents exchange as recorded, or not at all.",
        *("recorded", "none"),
    ),
)
"""The options about the exchange in `best`."""
