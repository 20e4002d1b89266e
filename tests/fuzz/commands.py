"""Run all commands on damaged input: they fail only as documented and lose no valid deal.

A try is a command line and a hand file in which a damaged deal is between two valid ones. The
command must answer the valid deals as it does beside an empty deal. A try is determined by a seed
and a number, so it can be repeated.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import decode, parse
from spadille_cli import COMMANDS, main
from tests.fuzz import arguments, grammar
from tests.fuzz.damage import damaged, encoded

FILE, OUT, LEDGER = "deals.pbn", "out", "ledger.db"
VOLATILE = frozenset(("nodes", "ms", "totals", "line", "column", "index", "seed"))
NOTHING = '[Board "nothing"]\n[Game "mensch"]\n[Dealer "N"]\n'

Parts = dict[str, object]
"""The output of a command for each board."""


class Line(NamedTuple):
    """A command line that reads hand files, and how often it is tried."""

    words: str
    weight: int = 1
    parts: Callable[[str], Parts] | None = None
    """Splits its output into parts, to be compared."""
    alone: bool = True
    """Whether its output for a deal is independent of earlier deals of the same game."""


class Done(NamedTuple):
    """The outcome of a command."""

    status: int
    stdout: str
    stderr: str


def run(*words: str) -> Done:
    """Run a command in this process; unexpected exceptions are raised."""
    out = TextIOWrapper(BytesIO(), encoding="utf-8", errors="backslashreplace")
    errors = StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        try:
            status = main.main(list(words), standalone_mode=False)
        except SystemExit as end:
            status = end.code
        except click.exceptions.Exit as end:
            status = end.exit_code
        except click.ClickException as error:
            error.show()
            status = error.exit_code
        out.flush()
    text = decode(out.buffer.getvalue())[0]  # fmt keeps bytes that are not UTF-8
    return Done(int(status or 0), text, errors.getvalue())


def of_json(text: str) -> Parts:
    """Return the records by board, omitting fields that vary or that concern several deals."""
    records = json.loads(text) if text.startswith("[") else map(json.loads, text.splitlines())
    return {str(one["board"]): lasting(one) for one in records}


def lasting(found: object) -> object:
    """Return the output that depends neither on the run nor on the rest of the file."""
    if isinstance(found, dict):
        return {name: lasting(value) for name, value in found.items() if name not in VOLATILE}
    return [lasting(value) for value in found] if isinstance(found, list) else found


def of_games(text: str) -> Parts:
    """Return the games of a hand file by board."""
    games = text.replace("\r\n", "\n").rstrip("\n").split("\n\n")
    boards = re.compile(r'\[Board "([\w-]+)"')
    return {one[1]: game[one.start() :] for game in games for one in boards.finditer(game)}


def of_problems(text: str) -> Parts:
    """Return the games of a file of problems, whose boards are numbers, by deal."""
    return {
        deal: re.sub(r'\[Board "\d+"\]', "", game)
        for game in text.replace("\r\n", "\n").rstrip("\n").split("\n\n")
        for deal in re.findall(r'\[Deal "([^"]+)"', game)
    }


def of_page(text: str) -> Parts:
    """Return the articles of a page by the names of the deals, omitting the places of errors."""
    text = re.sub(rf"{FILE}:\d+:\d+", FILE, text)
    articles = re.findall(r'<article class="deal".*?</article>', text, re.DOTALL)
    return {name: one for one in articles for name in re.findall(r"<h2[^>]*>Deal ([\w-]+)", one)}


_FEW = "--chances --samples 4 --seconds 0"
LINES = (
    *(Line(f"{name} --format json", 3, of_json) for name in ("check", "show", "cards")),
    Line("solve --format jsonl", 3, of_json),
    Line("solve --leads --line --objective score --format json", 2, of_json),
    Line("solve --swaps --format csv"),
    Line("solve --contract solo --declarer N --trump H"),
    Line("show --after 3"),
    Line("show --contract solo --declarer N --trump H --format html"),
    Line("check --format csv"),
    Line("cards --after 0 --format csv"),
    Line("cards --trick 2 --line", 1),
    Line(f"cards {_FEW} --format json", 1, of_json),
    Line("table --format json --contract solo", 1, of_json),
    Line("table --annotate --contract misere", 1, of_games),
    Line("best --format csv --contract solo"),
    Line("best --format json --seat N --seat 1 --no-exchange", 1, of_json),
    Line(f"best {_FEW} --seat 1 --contract solo --format json", 1, of_json),
    Line("review --format json", 3, of_json),
    Line("review --annotate --optimum", 2, of_games),
    Line("review --by player --format csv"),
    Line("review --contract solo --dealer X --format markdown"),
    Line(f"review {_FEW} --format csv"),
    Line("score --format json", 2, of_json, alone=False),
    Line("score --by player", 1),
    Line("fmt", 2, of_games),
    Line("fmt --in-place", 2, of_games),
    Line("fmt --check --eol lf"),
    Line("problems -n 2 --seed 1 --tricks 2-4 -o out", 1, of_problems, alone=False),
    Line("page -o out", 1, of_page, alone=False),
    Line("page --quiz -o out"),
    Line("batch solve --into ledger.db", 2, of_json),
    Line("batch review --into ledger.db", 1, of_json),
    Line("batch score --into ledger.db", 1, of_json, alone=False),
    Line("batch table --contract solo --into ledger.db", 1, of_json),
    Line("batch best --seat N --seat 1 --contract solo --into ledger.db", 1, of_json),
)
AFTER_BATCH = (
    *("export ledger.db", "export ledger.db --format csv -o out", "status ledger.db"),
    "merge ledger.db --into merged.db",
)
"""The commands run on each ledger."""
WITHOUT_FILES = ("deal", "rules")


def names() -> set[str]:
    """Return every command, including those of groups."""
    found = set()
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        more = command.commands if isinstance(command, click.Group) else {}
        found |= {f"{name} {each}" for each in more} or {name}
    return found


def tried() -> set[str]:
    """Return the commands that are tried here."""
    lines = [*(line.words for line in LINES), *(f"batch {words}" for words in AFTER_BATCH)]
    return {*WITHOUT_FILES, *(re.match(r"batch \w+|\w+", line)[0] for line in lines)}


@dataclass(frozen=True)
class Try:
    """A command with its input."""

    words: tuple[str, ...]
    data: bytes | None = None
    """The hand file."""
    line: Line | None = None
    sound: tuple[str, str] | None = None
    """The valid games before and after the damaged one."""

    def __str__(self) -> str:
        words = " ".join(map(repr, self.words))
        return words if self.data is None else f"{words}\n{self.data!r}"


def drawn(seed: int, number: int, only: str = "") -> Try:
    """Draw the n-th try; `only` is the beginning of its command."""
    rng = Random(f"{seed} {number} {only}")
    lines = [line for line in LINES if line.words.startswith(only)]
    if rng.random() < 0.25 or not lines:
        words = arguments.drawn(rng, only)
        if words:
            return Try(words)
    line = rng.choices(lines, [line.weight for line in lines])[0]
    first, last = rng.sample(range(len(sound_games())), 2)
    sound = named(first, "sound-a"), named(last, "sound-b")
    middle = damaged(rng) if rng.random() < 0.6 else grammar.hand_file(rng, small=True)
    text = "\n".join((sound[0], middle, "", sound[1]))
    words = tuple(line.words.split())
    if rng.random() < 0.1:
        words += arguments.options(rng, words[0])
    return Try((*words, FILE), encoded(text, rng), line, sound)


@cache
def sound_games() -> tuple[str, ...]:
    """Return endings of all games that were played to the end and are quickly solved."""
    found = []
    for seed in range(200):
        text = grammar.ending(Random(seed))
        entries = list(read(text))
        if len(entries) == 1 and not entries[0].findings and entries[0].play is not None:
            found.append(text)
    return tuple(found)


def named(number: int, board: str) -> str:
    return f'[Board "{board}"]\n{sound_games()[number]}'


def check(one: Try) -> None:
    """Run a try; raise AssertionError if a requirement is violated."""
    with _folder():
        done, text = _done(one.words, one.data)
        _check_end(done, one.words)
        if one.line is None or one.data is None or done.status == 2:
            return
        if not _is_text(one.data):
            assert done.status == 3
            return
        if "--annotate" in one.words:
            before = read(decode(one.data)[0])
            assert [entry.deal for entry in read(text)] == [entry.deal for entry in before]
        if one.line.words.startswith("batch"):
            for words in AFTER_BATCH:
                _check_end(run("batch", *words.split()), words)
        if one.line.parts is None or one.sound is None or len(one.words) > _size(one.line):
            return
        found = one.line.parts(text)
        for board, answer in _expected(one).items():
            assert found.get(board) == answer, _differing(board, found.get(board), answer)


def _differing(board: str, found: object, answer: object) -> str:
    """Describe what is lost, or where the output begins to differ."""
    if found is None:
        return f"{board} is lost"
    one, other = str(found), str(answer)
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(other))
    near = slice(max(at - 99, 0), at + 99)
    return f"{board} differs: {one[near]!r}, not {other[near]!r}"


def _size(line: Line) -> int:
    return len(line.words.split()) + 1


def _check_end(done: Done, words: object) -> None:
    assert done.status in (0, 1, 2, 3), (words, done.status, done.stderr)
    for told in (done.stdout, done.stderr):
        assert "internal error" not in told, (words, told[-2000:])
        assert "Traceback" not in told, (words, told[-2000:])
    if done.status in (2, 3):
        assert done.stderr, words
    if "json" in words and done.status != 2 and OUT not in words:
        json.loads(done.stdout)


def _is_text(data: bytes) -> bool:
    """Return whether a file can be decoded; damaged UTF-16 is refused."""
    try:
        decode(data)
    except OSError:
        return False
    return True


def _done(words: tuple[str, ...], data: bytes | None) -> tuple[Done, str]:
    """Run a command, and return its outcome with what it wrote."""
    if data is not None:
        Path(FILE).write_bytes(data)
    done = run(*words)
    if done.status == 2:
        return done, ""
    if {"--annotate", "--in-place"} & {*words}:
        written = Path(FILE).read_bytes()
        return done, decode(written)[0] if _is_text(written) else ""
    if LEDGER in words:
        return done, run("batch", "export", LEDGER).stdout
    if OUT in words:
        return done, Path(OUT).read_text(encoding="utf-8") if Path(OUT).exists() else ""
    return done, done.stdout


def _expected(one: Try) -> Parts:
    """Return the required output for the valid games whose results no earlier game affects."""
    assert one.data is not None
    assert one.line is not None
    assert one.sound is not None
    text = decode(one.data)[0]
    games = parse(text).games
    answers = dict(_baseline(one.line, one.sound))
    first = of_problems if one.line.parts is of_problems else of_games
    keys = [next(iter(first(text))) for text in one.sound]
    shown = [text[game.start : game.end].strip() for game in games[:: len(games) - 1 or 1]]
    same = len(games) > 1 and [part.strip() for part in one.sound] == shown
    entries = [entry.rules and entry.rules.game.id for entry in read(text)]
    # An unreadable game between two others may belong to the same evening.
    apart = len(games) == 3 and entries[-1] not in entries[1:-1] and None not in entries[1:-1]
    faults = [fault.code for game in games for fault in game.faults]
    closed = "--annotate" not in one.words or "comment-unclosed" not in faults
    if not (same and closed) or not (one.line.alone or apart) or _is_inherited(text):
        answers.pop(keys[1], None)
    first_shown = bool(shown) and shown[0] == one.sound[0].strip()
    if _is_inherited(text) or not first_shown:  # its board may also be that of another game
        answers.pop(keys[0], None)
    return {key: answers[key] for key in keys if key in answers}


def _is_inherited(text: str) -> bool:
    return '"#' in text


@cache
def _baseline(line: Line, sound: tuple[str, str]) -> tuple[tuple[str, object], ...]:
    """Return the output for two games with an empty game between them."""
    text = "\n".join((sound[0], NOTHING, sound[1]))
    with _folder():
        _, found = _done((*line.words.split(), FILE), text.encode())
    assert line.parts is not None
    return tuple(line.parts(found).items())


@contextmanager
def _folder() -> Iterator[None]:
    """Work in a temporary folder."""
    before = os.getcwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
