"""An unexpected exception is reported for its deal, and stops no other deal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from click.testing import CliRunner, Result

import spadille as package
from spadille.analysis.contracts.best import best_many
from spadille.analysis.contracts.table import table_many
from spadille.analysis.review.review import review_many
from spadille.analysis.value.card_values import card_values, card_values_many
from spadille.analysis.value.solve import solve_many
from spadille.base.errors import InternalError
from spadille.pbn.hand_file import read
from spadille_cli import main
from spadille_cli.output_formats import View
from tests.support.tiers import part

DEAL = (
    '[Board "{}"]\n[Game "german-solo"]\n[Dealer "{}"]\n'
    '[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]\n'
    '[Declarer "E"]\n[Contract "frog"]\n[Trump "D"]\n[Called "HA"]\n[Play "{}"]\n{}\n\n'
)
SOUND = DEAL.format("{}", "S", "W", "HK HT HJ HA")
WORSE = DEAL.format("worse", "N", "E", "CK CJ CA C7")  # recognized by its dealer
TEXT = SOUND.format("one") + WORSE + SOUND.format("two")
COMMANDS = ("solve", "table", "best", "cards", "review")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "deals.pbn"
    path.write_text(TEXT)
    return path


@pytest.fixture
def worse(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make a function fail for one of the deals, recognized by `chosen` from the arguments."""

    def break_it(target: str, chosen: Callable[..., bool]) -> None:
        works = resolve_name(target)

        def fails(*args: Any, **named: Any) -> Any:
            if chosen(*args, **named):
                raise IndexError("no such card")
            return works(*args, **named)

        monkeypatch.setattr(target, fails)

    return break_it


def dealt_by_north(deal: Any, *args: Any, **named: Any) -> bool:
    return bool(deal.dealer == "N")


def spadille(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def errors(result: Result) -> list[str | None]:
    return [each["error"] and each["error"]["code"] for each in json.loads(result.stdout)]


@pytest.mark.first_cases(1)
@pytest.mark.parametrize("threads", part([1, 2], 1, 2))
@pytest.mark.parametrize("command", COMMANDS)
def test_in_the_search(command: str, threads: int, file: Path, worse: Callable[..., None]) -> None:
    function = card_values if command == "cards" else getattr(package, command)
    worse(f"{function.__module__}.{function.__name__}", dealt_by_north)
    found = spadille(command, "-j", threads, "--format", "json", file)
    assert found.exit_code == 3
    assert errors(found) == [None, "internal", None]
    line, _, caret = found.stderr.splitlines()
    assert caret == "  ^"
    assert f"{file}:15:1: internal error, IndexError: no such card at test_" in line
    assert "please report it" in line
    tables = spadille(command, "-j", threads, file)
    assert tables.exit_code == 3
    assert "two" in tables.stdout


@pytest.mark.parametrize("command", [*COMMANDS, "check"])
def test_while_reading(command: str, file: Path, worse: Callable[..., None]) -> None:
    worse("spadille.pbn.entry.deal_findings", dealt_by_north)
    found = spadille(command, "--format", "json", file)
    assert found.exit_code == 3
    assert errors(found) == [None, "internal", None]


@pytest.mark.parametrize("command", ["solve", "cards", "review"])
def test_in_what_the_options_say(command: str, file: Path, worse: Callable[..., None]) -> None:
    worse(
        "spadille_cli.contract_options.Terms.resolve", lambda terms, entry, deal: deal.dealer == "N"
    )
    found = spadille(command, "--contract", "solo", "--trump", "H", "--format", "json", file)
    assert found.exit_code == 3
    assert errors(found) == [None, "internal", None]


@pytest.mark.ci
@pytest.mark.parametrize("kind", part(["table", "csv"], 0, 2))
@pytest.mark.parametrize("command", COMMANDS)
def test_while_showing(
    command: str, kind: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(fields: tuple[str, ...], rows: Any, tables: Any) -> View:
        def failing_rows(record: Any) -> Any:
            if record.case.entry.board == "worse":
                raise IndexError("no such card")
            return rows(record)

        def failing_tables(records: Any) -> Any:
            for record in records:
                failing_rows(record)
                yield from tables([record])

        return View(fields, failing_rows, failing_tables)

    monkeypatch.setattr(f"spadille_cli.{command}.View", failing)
    found = spadille(command, "--format", kind, file)
    assert found.exit_code == 3
    assert "one" in found.stdout
    assert "two" in found.stdout
    assert f"{file}: deal 2: internal error, IndexError: no such card" in found.stderr


@pytest.mark.parametrize("command", ["table", "review"])
def test_while_annotating(command: str, file: Path, worse: Callable[..., None]) -> None:
    writer = {"review": "annotate", "table": "write_result_table"}[command]
    worse(f"spadille_cli.{command}.{writer}", lambda game, *rest: game.get("Board") == "worse")
    found = spadille(command, "--annotate", "--format", "json", file)
    assert found.exit_code == 3
    assert errors(found) == [None, "internal", None]
    parts = file.read_text().split("\n\n")
    assert parts[1] == WORSE.strip()
    assert "one" in parts[0] != SOUND.format("one").strip()
    assert "two" in parts[2] != SOUND.format("two").strip()


def test_while_exporting(file: Path, worse: Callable[..., None]) -> None:
    worse("spadille.pbn.export_format._game", lambda game, *rest: game.get("Board") == "worse")
    found = spadille("fmt", file)
    assert found.exit_code == 3
    assert "internal error, IndexError: no such card" in found.stderr
    assert WORSE.strip() in found.stdout
    assert found.stdout.count('[Site "?"]') == 2


def test_comments_of_a_copied_deal_are_written_once(
    tmp_path: Path, worse: Callable[..., None]
) -> None:
    path = tmp_path / "comments.pbn"
    path.write_text(SOUND.format("one") + "{ before }\n" + WORSE.replace("\n", " { in }\n", 1))
    worse("spadille.pbn.export_format._game", lambda game, *rest: game.get("Board") == "worse")
    found = spadille("fmt", path)
    assert (found.stdout.count("{ before }"), found.stdout.count("{ in }")) == (1, 1)


def test_in_a_whole_file(file: Path, worse: Callable[..., None]) -> None:
    worse("spadille_cli.input_files.load", lambda name, *rest, **named: name == "worse.pbn")
    found = spadille("solve", "--format", "json", "worse.pbn", file)
    assert found.exit_code == 3
    assert errors(found) == [None, None, None]
    assert "worse.pbn: internal error" in found.stderr


def test_outside_of_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spadille_cli.rules.rules_for", lambda *args: 1 // 0)
    found = spadille("rules", "ombre")
    assert found.exit_code == 3
    assert found.stderr.startswith("spadille: internal error, ZeroDivisionError: ")


@pytest.mark.ci
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("many", [solve_many, table_many, best_many, card_values_many, review_many])
def test_in_the_library(many: Any, threads: int, worse: Callable[..., None]) -> None:
    worse(f"{many.__module__}.{many.__name__.removesuffix('_many')}", dealt_by_north)
    entries = list(read(TEXT))
    plays = [(each.deal, each.contract, each.play and each.play.cards) for each in entries]
    parts = {"solve_many": 2, "card_values_many": 3, "review_many": 3}.get(many.__name__)
    questions = [play[:parts] if parts else play[0] for play in plays]
    first, second, third = many(questions, threads=threads)
    assert isinstance(second, InternalError)
    assert second.code == "internal"
    assert isinstance(second.__cause__, IndexError)
    assert not isinstance(first, Exception)
    assert not isinstance(third, Exception)
