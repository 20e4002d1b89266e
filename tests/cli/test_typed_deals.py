"""A deal may be typed instead of a file; boards and directories select deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from spadille_cli import main
from tests.support.tiers import part

HANDS = "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"
GAME = ("--game", "german-solo", "--deal", HANDS)
TERMS = ("--declarer", "E", "--contract", "frog", "--trump", "D", "--called", "HA")
FILE = f"""\
[Board "one"]
[Game "german-solo"]
[Dealer "S"]
[Deal "{HANDS}"]
[Declarer "E"]
[Contract "frog"]
[Trump "D"]
[Called "HA"]
[Play "W"]
HK HT HJ HA
-  -  -  SQ
"""
PLAY = "HK HT HJ HA SQ"
COMMANDS = ("show", "solve", "table", "best", "cards", "review")


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in args])


def records(*args: object) -> list[Any]:
    result = run(*args, "--format", "json")
    assert result.exit_code in (0, 3), result.output
    return json.loads(result.stdout)  # type: ignore[no-any-return]


def same(record: Any) -> Any:
    """Return the results without the source of the deal and the time taken."""
    return {key: value for key, value in record.items() if key not in ("file", "board", "ms")}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_typed_deal_is_that_of_a_file(command: str, tmp_path: Path) -> None:
    file = tmp_path / "deal.pbn"
    file.write_text(FILE)
    terms = () if command in ("table", "best") else TERMS
    (typed,) = records(command, *GAME, "--dealer", "S", *terms, "--play", PLAY)
    (read,) = records(command, file)
    assert typed["file"] == "--deal"
    assert typed["error"] is None
    assert same(typed) == same(read)


def test_check_finds_the_faults_of_a_typed_deal() -> None:
    good = run("check", *GAME, *TERMS, "--dealer", "S", "--play", PLAY)
    assert (good.exit_code, good.stdout) == (0, "")
    text = run("check", *GAME, *TERMS, "--dealer", "S", "--play", "HK,HT,SA,HA").stdout
    assert "--play  " in text
    text = run("check", *GAME, "--talon", "SK").stdout
    assert "--talon  " in text


@pytest.mark.parametrize(
    ("args", "option", "message"),
    [
        (("--game", "mensch", "--deal", "N:AK.. - -"), "--deal", ""),
        ((*GAME, "--contract", "foo", "--declarer", "E"), "--contract", "'foo' is not a contract"),
        ((*GAME, *TERMS, "--dealer", "X"), "--dealer", "'X' is not a seat"),
        ((*GAME, *TERMS[:-1], "DA"), "--called", ""),
    ],
)
def test_faults_name_the_option(args: tuple[str, ...], option: str, message: str) -> None:
    result = run("solve", *args)
    assert result.exit_code == 3
    assert result.stderr.startswith(f"{option}: ")
    assert message in result.stderr


def test_rules_of_a_typed_deal() -> None:
    assert run("solve", *GAME, *TERMS, "--rules", "called_card_duty=none").exit_code in (0, 3)
    assert run("solve", *GAME, *TERMS, "--rules", "colour=1").exit_code == 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--deal", HANDS), "--deal needs --game"),
        ((*GAME, "x.pbn"), "--deal replaces FILE"),
        (("x.pbn", "--talon", "SA"), "--talon needs --deal"),
        ((), "name a hand file"),
    ],
)
@pytest.mark.parametrize("command", [*COMMANDS, "check"])
def test_wrong_usage(command: str, args: tuple[str, ...], message: str) -> None:
    result = run(command, *args)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("command", ["table", "review"])
def test_nothing_is_written_into_a_typed_deal(command: str) -> None:
    result = run(command, *GAME, "--annotate")
    assert result.exit_code == 2
    assert "and --deal has none" in result.stderr


def test_contracts_of_files_are_their_own_in_check() -> None:
    assert run("check", "x.pbn", "--contract", "solo").exit_code == 2


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    other = FILE.replace('"one"', '"two"')
    (tmp_path / "club" / "b").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "club" / "c.pbn").write_text(f"{FILE}\n{other}")
    (tmp_path / "club" / "b" / "a.PBN").write_text(FILE.replace('[Board "one"]\n', ""))
    (tmp_path / "club" / "a.txt").write_text("no hand file")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", part([*COMMANDS, "check"], 1))
def test_boards(command: str) -> None:
    def picked(*boards: str) -> list[tuple[str, int]]:
        options = [part for board in boards for part in ("--board", board)]
        found = records(command, "club/c.pbn", "club/b/a.PBN", *options)
        return [(each["file"][-5:], each["index"]) for each in found]

    assert picked() == [("c.pbn", 0), ("c.pbn", 1), ("a.PBN", 0)]
    assert picked("two") == [("c.pbn", 1)]
    assert picked("#1") == [("c.pbn", 0), ("a.PBN", 0)]
    assert picked("two", "one") == [("c.pbn", 0), ("c.pbn", 1)]
    result = run(command, "club/c.pbn", "--board", "three", "--board", "one")
    assert result.exit_code == 3
    assert "--board three: no deal" in result.stderr


@pytest.mark.usefixtures("folder")
def test_faults_of_deals_that_are_not_picked_do_not_count() -> None:
    path = Path("club/c.pbn")
    path.write_text(path.read_text().replace("QT7.A.KT7.J", "QT7.A.KT7.Q", 1))
    assert run("solve", path, "--board", "two").exit_code == 0
    assert run("solve", path).exit_code == 3


@pytest.mark.ci
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", [*COMMANDS, "check"])
def test_directories(command: str) -> None:
    found = records(command, "club")
    names = [Path(each["file"]).as_posix() for each in found]
    assert names == ["club/c.pbn", "club/c.pbn", "club/b/a.PBN"]
    result = run(command, "empty")
    assert result.exit_code == 3
    assert "empty: " in result.stderr


@pytest.mark.usefixtures("folder")
def test_results_do_not_replace_a_file_of_a_directory() -> None:
    assert run("solve", "club", "-o", "club/c.pbn").exit_code == 2


@pytest.mark.parametrize(
    "terms",
    [
        ("--declarer", "East", "--contract", "Frog", "--trump", "Diamonds", "--called", "♥A"),
        ("--declarer", "e", "--contract", "FROG", "--trump", "♦", "--called", "ha"),
        ("--declarer", "e", "--contract", "frog-♦\ufe0e", "--called", "♥\ufe0eA"),
        ("--declarer", "e", "--contract", "frog", "--trump", "♦\ufe0e", "--called", "♥\ufe0fA"),
        ("--declarer", "east", "--contract", "frog-D", "--called", "HA"),
    ],
)
def test_options_understand_names_as_tags_do(terms: tuple[str, ...], tmp_path: Path) -> None:
    expected = records("solve", *GAME, *TERMS)
    for record in expected:
        del record["ms"]
    path = tmp_path / "deals.pbn"
    path.write_text(f'[Deal "{HANDS}"]\n')
    typed = ("--deal", HANDS, "--dealer", "South")
    for where in (typed, (path, "--dealer", "South")):
        found = records("solve", "--game", "German Solo", *where, *terms)
        for record in found:
            del record["ms"]
            record["file"] = expected[0]["file"]
        assert found == expected


def test_rows_are_chosen_by_names_too() -> None:
    short = ("--seat", "E", "--trump", "D", "--contract", "solo")
    long = ("--seat", "East", "--trump", "Diamonds", "--contract", "Solo")
    for command in ("table", "best"):
        assert run(command, *GAME, *long).stdout == run(command, *GAME, *short).stdout


@pytest.mark.parametrize("tag", ["Contract", "Game", "Declarer", "Trump", "Called"])
def test_what_is_missing_is_said_with_the_option_that_gives_it(tag: str, tmp_path: Path) -> None:
    path = tmp_path / "deals.pbn"
    lines = FILE.splitlines(keepends=True)[:8]
    path.write_text("".join(line for line in lines if not line.startswith(f"[{tag} ")))
    told = f": name it with {tag} or --{tag.lower()}"
    assert told in run("solve", path).stderr


def test_what_is_missing_is_not_quoted() -> None:
    hands = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
    terms = ("--contract", "Prop & Cop", "--declarer", "North", "--trump", "S")
    told = run("solve", "--game", "solo-whist", "--deal", hands, *terms).stderr
    assert "Prop & Cop needs a partner for N: name it with Partner or --partner" in told
