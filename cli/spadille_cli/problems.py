"""`spadille problems`: decisions with one winning card, as a hand file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import inf
from random import SystemRandom
from shlex import quote
from typing import Any

import click

from spadille.base.errors import RulesError, SpadilleError, TooFewError, attempt
from spadille.games import get_game
from spadille.generate.problems.find_problems import PROBLEM_LIMITS, TRICKS, problems
from spadille.generate.problems.plan_decision import PLAN
from spadille.generate.problems.problem import Problem
from spadille.generate.problems.themes import THEMES
from spadille.pbn.entry import Entry
from spadille.pbn.export_format import HEADER
from spadille.render.text import printable
from spadille_cli.exit_status import Status, Tally
from spadille_cli.fault_reports import deal_fault, report
from spadille_cli.input_files import load_files
from spadille_cli.output_files import check_no_hand_file, path_option
from spadille_cli.output_formats import Output
from spadille_cli.shared_options import (
    COUNT,
    GameName,
    GroupedCommand,
    all_files,
    cli_option,
    completes,
    game_option,
    give_up_option,
    letters_option,
    rules_option,
    threads_option,
    usage_errors,
)
from spadille_cli.terminal_messages import complain

_MANY = 1 << 62  # problems; more than are ever found
_MOST = 99  # tricks; more than any hand has
_RANGE = re.compile(r"(\d+(?:\.\d+)?)?(-)?(\d+(?:\.\d+)?)?")


def _between(
    ctx: click.Context, param: click.Parameter, text: str | None
) -> tuple[float, float] | None:
    """Callback: LOW-HIGH with optional ends, or one number for both."""
    if text is None:
        return None
    match = _RANGE.fullmatch(text.strip())
    if match is None or not (match[1] or match[3]):
        raise click.BadParameter(f"{text!r} is not LOW-HIGH, such as 3-5, 3- or 3", ctx, param)
    low = float(match[1] or 0)
    high = float(match[3]) if match[3] else inf if match[2] else low
    if low > high:
        raise click.BadParameter(f"{text!r} has the higher number first", ctx, param)
    return low, high


@click.command("problems", cls=GroupedCommand)
@click.argument(
    "sources",
    type=GameName(),
    metavar="GAME|FILE...",
    nargs=-1,
    required=True,
    shell_complete=completes("game"),
    envvar="SPADILLE_GAME",
)
@cli_option("-n N", "Number of problems.", name="number", type=COUNT, default=1)
@cli_option("--seed S", "The same seed finds the same problems.", type=int)
@cli_option(
    "--theme",
    "Only problems with this theme; repeat the option to allow several.",
    *THEMES,
    PLAN,
    name="themes",
    default=None,
    multiple=True,
)
@cli_option(
    "--reasoned", "Only problems whose key is the best card based on what the player knows."
)
@cli_option("--difficulty LOW-HIGH", "Difficulty, such as 2-5, 5- or -2.", callback=_between)
@cli_option(
    "--tricks LOW-HIGH",
    f"Tricks left to play (default: {TRICKS[0]}-{TRICKS[1]}, or an opening lead).",
    callback=_between,
)
@cli_option(
    "--contract ID",
    "Only this contract; repeatable.",
    name="contracts",
    multiple=True,
    complete="contract",
)
@game_option
@letters_option
@rules_option
@give_up_option("after 10,000 deals without a problem")
@threads_option
@path_option
def command(
    sources: tuple[str, ...],
    number: int,
    seed: int | None,
    themes: tuple[str, ...],
    reasoned: bool,
    difficulty: tuple[float, float] | None,
    tricks: tuple[float, float] | None,
    contracts: tuple[str, ...],
    game: str | None,
    letters: str,
    options: str,
    seconds: float,
    threads: int,
    path: str,
) -> Status:
    """Find problems for teaching: decisions with exactly one winning card.

    Double-dummy, exactly one of at least three cards makes the contract, or
    defeats it (equivalent cards count as one). Problems come from random GAME
    deals worth bidding on, played well apart from occasional slips, or from the
    play recorded in FILE, at most one per deal. Without --theme, spadille
    looks for each of the game's themes in turn; if many deals go by without the
    current theme, it accepts any other.

    With --theme plan, the key is the best card for a player who cannot see the
    other hands, even though another card is at least as good double-dummy. The
    solution is a plan.

    Each problem is a deal in a hand file, with the play up to the decision and the
    tags Question, Key, Method, Theme and Difficulty. A comment gives the solution:
    the key line, and why the most natural alternatives fail. Method says whether
    the key is also the best card based on what the player knows (reasoned), or only
    with all hands shown (double-dummy). docs/problems.md defines themes and
    difficulty; `check` verifies problems.

    \b
    Examples:
      spadille problems german-solo -n 10 --seed 1 -o problems.pbn
      spadille problems ombre -n 5 --theme privilege --difficulty 3-
      spadille problems solo-whist --contract misere --tricks 3-4
      spadille problems club-night.pbn -n 20
    """
    tally = Tally()
    seed = SystemRandom().getrandbits(32) if seed is None else seed
    call = _command_line(
        sources,
        number,
        {
            "--seed": str(seed),
            "--theme": [*themes],
            "--reasoned": reasoned,
            "--difficulty": difficulty,
            "--tricks": tricks,
            "--contract": [*contracts],
            "--game": game,
            "--letters": "" if letters == "en" else letters,
            "--rules": options,
        },
    )
    named = _game(sources[0]) if len(sources) == 1 else None
    files = () if named else all_files(sources)
    check_no_hand_file(path, files)
    played = {} if named else _entries(files, tally, game, options, letters)
    with usage_errors():
        made = problems(
            named or played,
            _MANY if reasoned else number,
            themes=themes or None,
            difficulty=difficulty or (0.0, inf),
            contracts=contracts or None,
            tricks=TRICKS if tricks is None else (_trick(tricks[0]), _trick(tricks[1])),
            options=options if named else None,
            seed=seed,
            limits=replace(PROBLEM_LIMITS, seconds=seconds),
            threads=threads,
            tell_error=partial(_refuse, played, tally),
        )
        if reasoned:
            made = (problem for problem in made if problem.reasoned)
    _write(made, number, call, Output("pbn", path), tally)
    return tally.status(fail=False)


def _game(word: str) -> str | None:
    """Return the id of a game, or None for a file and for standard input."""
    if word == "-" or os.path.exists(word) or "." in word or os.sep in word:
        return None
    try:
        return get_game(word).id
    except RulesError as error:
        raise click.UsageError(f"there is no file {word!r}: {error}") from None


def _trick(number: float) -> int:
    return int(min(number, _MOST))


def _entries(
    names: tuple[str, ...], tally: Tally, game: str | None, options: str, letters: str
) -> dict[Entry, str]:
    """Read the deals of all files, each with its file name, and report their faults."""
    by_entry = {}
    for name, file in load_files(names, tally, game, options, letters=letters):
        for entry in file.scan():
            report(name, entry.faults, tally, file.document)
            by_entry[entry] = name
    return by_entry


def _refuse(played: Mapping[Entry, str], tally: Tally, hand: object, error: SpadilleError) -> None:
    """Report a hand that cannot be searched, with its place if it was read from a file."""
    if isinstance(hand, Entry):
        report(played[hand], [deal_fault(hand, error)], tally, hand.game.document)
    else:
        tally.unusable += 1
        complain(f"spadille: {printable(str(error))}")


def _command_line(sources: Iterable[str], number: int, chosen: Mapping[str, Any]) -> str:
    """Return the command that would write the same file again."""
    words = ["spadille problems", *map(quote, sources), f"-n {number}"]
    for name, value in chosen.items():
        if isinstance(value, bool):
            words += [name] * value
            continue
        given = value if isinstance(value, list) else [value]
        texts = (_range(value) if isinstance(value, tuple) else str(value or "") for value in given)
        words += [f"{name} {quote(text)}" for text in texts if text]
    return printable(" ".join(words))


def _range(pair: tuple[float, float]) -> str:
    low, high = pair
    return f"{low:g}-" if high == inf else f"{low:g}-{high:g}"


def _text(made: Iterator[Problem], board: str, tally: Tally) -> str:
    """Return the next problem as text; report and skip one that cannot be written."""
    while True:
        text = attempt(partial(next(made).text, board))
        if isinstance(text, str):
            return text
        _refuse({}, tally, None, text)


def _write(made: Iterator[Problem], number: int, call: str, output: Output, tally: Tally) -> None:
    def pieces(steps: Iterable[int]) -> Iterator[str]:
        gap = ""
        try:
            for step in steps:
                yield gap + _text(made, str(step + 1), tally)
                gap = "\n"
        except TooFewError as error:
            tally.unusable += 1
            complain(f"spadille: {printable(str(error))}")

    with output.progress(range(number)) as steps:
        output.write_text(pieces(steps), head=f"{HEADER}% {call}\n")
