"""An exception anywhere in the work on one deal affects only that deal, in every command."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner, Result

from spadille_cli import COMMANDS, main
from tests.support.fault_injection import Injection
from tests.support.tiers import part

DEALS = """\
[Board "north"]
[Game "german-solo"]
[Dealer "N"]
[Deal "N:.J..KJ97 KT.Q7.K. .T8.97.8 7.A.J8.A"]
[Leader "W"]
[Declarer "E"]
[Contract "solo"]
[Trump "H"]
[Won "E:2;N:1"]
[Play "W"]
DJ CJ DK D9
HA HJ H7 HT

[Board "east"]
[Game "german-solo"]
[Dealer "E"]
[Deal "N:.T.Q97.7 Q.J..AQT A7..A.KJ 8.K7.T8."]
[Leader "W"]
[Declarer "E"]
[Contract "solo"]
[Trump "H"]
[Won "E:2;N:1"]
[Play "W"]
S8 D7 CA S7
H7 HT HJ CJ

[Board "south"]
[Game "german-solo"]
[Dealer "S"]
[Deal "N:KT.9..T7 A.T7.Q.J .8.A98.8 J9.KQ..K"]
[Leader "W"]
[Declarer "E"]
[Contract "solo"]
[Trump "H"]
[Won "E:2;N:1"]
[Play "W"]
S9 ST SA C8
CK C7 CJ DA
"""
"""Endings that each contain a problem, with different dealers."""
BOARDS = ("north", "east", "south")
VOLATILE = ("nodes", "ms", "totals", "end", "line", "column")

Parts = dict[str, object]
"""The results of each deal."""


def of_json(text: str) -> Parts:
    """Return the records by board, omitting fields that vary or that concern several deals."""
    records = json.loads(text) if text.startswith("[") else map(json.loads, text.splitlines())
    return {one["board"]: _lasting(one) for one in records}


def _lasting(found: object) -> object:
    if isinstance(found, dict):
        return {name: _lasting(value) for name, value in found.items() if name not in VOLATILE}
    return [_lasting(value) for value in found] if isinstance(found, list) else found


def of_games(text: str) -> Parts:
    """Return the games of a hand file by board."""
    games = text.replace("\r\n", "\n").split("\n\n")
    return {board: game for game in games for board in re.findall(r'\[Board "(\w+)"', game)}


def of_problems(text: str) -> Parts:
    """Return the games of a file of problems, whose boards are numbers, by dealer."""
    dealers = {board[0].upper(): board for board in BOARDS}
    return {
        dealers[dealer]: re.sub(r'\[Board "\d+"\]', "", game)
        for game in text.replace("\r\n", "\n").split("\n\n")
        for dealer in re.findall(r'\[Dealer "(\w)"', game)
    }


def of_page(text: str) -> Parts:
    """Return the articles of a page by board, except any that failed before its heading."""
    found = {}
    for article in re.findall(r'<article class="deal".*?</article>', text, re.DOTALL):
        for board in re.findall(r"<h2[^>]*>Deal (\w+)", article):
            found[board] = article
    return found


def of_rows(text: str) -> Parts:
    """Return the lines of a csv table by board."""
    found: dict[str, object] = {}
    for line in text.splitlines()[1:]:
        board = next((board for board in BOARDS if f",{board}," in line), None)
        if board is not None:
            found[board] = f"{found.get(board, '')}{re.sub(',[0-9.]+$', '', line)}\n"
    return found


READ = ("solve", "table", "best", "cards", "review", "show", "check")
LINES: dict[str, Callable[[str], Parts]] = {
    **{f"{name} --format json deals.pbn": of_json for name in (*READ, "score")},
    **{f"{name} --format csv deals.pbn": of_rows for name in ("best", "cards", "review", "show")},
    "cards --chances --samples 5 --seconds 0 --format json deals.pbn": of_json,
    "review --chances --samples 5 --seconds 0 --format json deals.pbn": of_json,
    "best --seat E --chances --samples 3 --seconds 0 --format json deals.pbn": of_json,
    "fmt deals.pbn": of_games,
    "table --annotate --format json -o out deals.pbn": of_games,
    "review --annotate --format json -o out deals.pbn": of_games,
    "problems deals.pbn -n 3 --seed 1": of_problems,
    "page deals.pbn -o out": of_page,
    **{
        f"batch {name} deals.pbn --into ledger.db": of_json
        for name in ("solve", "table", "best", "review")
    },
}
"""The commands to run, and the functions that split their output."""
REPEATS = {
    *(f"{name} --format csv deals.pbn" for name in ("best", "review", "show")),
    "review --chances --samples 5 --seconds 0 --format json deals.pbn",
    "batch table deals.pbn --into ledger.db",
    "batch best deals.pbn --into ledger.db",
}
"""Commands that do what two others in LINES do; only the slow tests run them."""
WITHOUT_FILES = {"deal", "rules"}
"""Commands that read no deals."""
OF_LEDGERS = {"merge", "export", "status"}
"""Commands of a group that read no hand files."""


def names() -> set[str]:
    """Return every command, including those of groups."""
    found = set()
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        more = command.commands if isinstance(command, click.Group) else {}
        found |= {f"{name} {each}" for each in more} or {name}
    return found


def test_every_command_is_tried() -> None:
    tried = {re.match(r"batch \w+|\w+", line)[0] for line in LINES}  # type: ignore[index]
    ledgers = {f"batch {name}" for name in OF_LEDGERS}
    assert tried | WITHOUT_FILES | ledgers | {"batch score"} == names()


def spadille(line: str) -> Result:
    return CliRunner().invoke(main, line.split())


def found(line: str, folder: Path) -> tuple[int, str]:
    """Return the exit status, and what the command wrote to any place."""
    (folder / "deals.pbn").write_text(DEALS)
    for path in (folder / "out", *folder.glob("ledger.db*")):
        path.unlink(missing_ok=True)
    done = spadille(line)
    assert isinstance(done.exception, SystemExit | None), done.exc_info
    text = done.stdout
    if "--annotate" in line:
        text = (folder / "deals.pbn").read_text()
    elif "-o out" in line and (folder / "out").exists():
        text = (folder / "out").read_text()
    return done.exit_code, text


def answers(line: str, folder: Path, injection: Injection | None = None) -> tuple[int, Parts, str]:
    """Return the status and the results of each deal, with or without an injected exception."""
    work = partial(found, line, folder)
    status, text = injection.around(work) if injection else work()
    if line.startswith("batch"):
        text = spadille("batch export ledger.db").stdout
    return status, LINES[line](text), text


@pytest.mark.ci
@pytest.mark.parametrize(
    ("line", "seed", "tries"),
    [
        *part([(line, 1, 1) for line in LINES if line not in REPEATS], 0, 2, some_slow=True),
        *(pytest.param(line, 2, 60, marks=pytest.mark.slow) for line in LINES),
    ],
)
def test_it_costs_one_deal(
    line: str, seed: int, tries: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, sound, text = answers(line, tmp_path)
    assert {*sound} == {*BOARDS}, text
    counting = Injection("east")
    answers(line, tmp_path, counting)
    random = Random(f"{line} {seed}")
    for _ in range(tries):
        injection = Injection("east", random.randint(1, counting.calls))
        status, parts, text = answers(line, tmp_path, injection)
        told = f"{injection.at}: {injection.place}"
        assert status in (0, 1, 3), told
        for board in ("north", "south"):
            assert parts.get(board) == sound[board], (told, board)


@pytest.mark.ci
def test_one_place_catches_every_exception() -> None:
    """One place catches them for deals, and another around the program catches all others."""
    top = Path(__file__).parents[2]
    found = {
        path.relative_to(top).as_posix()
        for folder in ("solver", "cli")
        for path in (top / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
    }
    assert found == {"solver/spadille/base/errors.py", "cli/spadille_cli/__init__.py"}
