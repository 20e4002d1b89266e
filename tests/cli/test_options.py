"""Options that all commands share: hints, lists of boards, formats by name, the environment."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest
from click.testing import CliRunner

from spadille.pbn.hand_file import read
from spadille_cli import main
from spadille_cli.chosen_boards import ChosenBoards
from spadille_cli.exit_status import Tally

DEAL = """[Board "{}"]
[Game "german-solo"]
[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]
[Declarer "E"]
[Contract "frog"]
[Trump "D"]
[Called "HA"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("deals.pbn").write_text("\n".join(DEAL.format(number) for number in range(1, 9)))
    return tmp_path


def run(*words: str, **settings):
    return CliRunner().invoke(main, words, **settings)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1-3,7", ["1", "2", "3", "7"]),
        ("#2,#4-#5", ["2", "4", "5"]),
        ("8", ["8"]),
        ("2-2", ["2"]),
    ],
)
def test_boards_in_lists_and_ranges(folder: Path, value: str, expected: list[str]) -> None:
    result = run("solve", "--board", value, "--format", "json", "deals.pbn")
    assert [one["board"] for one in json.loads(result.stdout)] == expected


def test_boards_that_are_not_there(folder: Path) -> None:
    for command in ("solve", "fmt"):
        result = run(command, "--board", "7-10,12,#9-#11", "--board", "x", "deals.pbn")
        assert result.exit_code == 3
        assert result.stderr.splitlines() == [
            f"--board {boards}: no deal with that name or number"
            for boards in ("9-10", "12", "#9-#11", "x")
        ]
    result = run("solve", "--board", "3-1", "deals.pbn")
    assert (result.exit_code, "3-1 ends before it begins" in result.stderr) == (2, True)


def test_long_numbers_of_boards(folder: Path) -> None:
    for value, missing in (
        ("1-9999999", "9-9999999"),
        ("#5-1000001", "#9-#1000001"),
        ("8,0-7", "0"),
        (f"1-{'9' * 99}", f"9-{'9' * 99}"),
    ):
        result = run("solve", "--board", value, "--format", "csv", "deals.pbn")
        assert (result.exit_code, result.stdout.count("frog")) == (3, 4 if "#" in value else 8)
        assert result.stderr == f"--board {missing}: no deal with that name or number\n"
    # A date and a number are a name.
    names = ("20260105-3", "1234567", "1234568")
    Path("long.pbn").write_text("\n".join(DEAL.format(name) for name in names))
    for value, chosen in (("20260105-3", names[:1]), ("1234567-1234568", names[1:])):
        result = run("solve", "--board", value, "--format", "json", "long.pbn")
        assert (result.exit_code, result.stderr) == (0, "")
        assert [one["board"] for one in json.loads(result.stdout)] == [*chosen]


@pytest.mark.parametrize(
    ("value", "expected", "missing"),
    [
        ("1-3,x", ["1", "02", "x"], ["3"]),
        ("x , 1", ["1", "x"], []),
        ("01-02", ["1", "02"], []),
        ("1 - 2", ["1", "02"], []),
        ("02", ["02"], []),
        ("2", [], ["2"]),
        ("5-6", ["5-6"], []),  # a name as well as a range
        ("a,b", ["a,b"], []),
        ("a,1", ["1"], ["a"]),
        ("-5", ["-5"], []),
        ("-5--4", [], ["-5--4"]),
        ("1-#3", [], ["1-#3"]),
        ("#1-#2", ["1", "02"], []),
        ("1,,x,", ["1", "x"], []),
        ("\u0661-\u0663", [], ["\u0661-\u0663"]),
        ("\u0663", ["\u0663"], []),
        ("1,20260105-3", ["1", "20260105-3"], []),
        ("7,7,8,7-8", [], ["7", "8", "7-8"]),
    ],
)
def test_names_and_ranges_of_boards(folder: Path, value, expected, missing) -> None:
    names = ("1", "02", "x", "5-6", "a,b", "-5", "\u0663", "20260105-3")
    text = "\n".join(DEAL.format(name) for name in names)
    Path("names.pbn").write_text(text, encoding="utf-8")
    for command in ("show", "score"):
        result = run(command, "--board", value, "--format", "json", "names.pbn")
        assert [one["board"] for one in json.loads(result.stdout)] == expected
        messages = [line for line in result.stderr.splitlines() if line.startswith("--board")]
        assert messages == [f"--board {each}: no deal with that name or number" for each in missing]
    result = run("fmt", "--board", value, "names.pbn")
    assert [entry.board for entry in read(result.stdout)] == expected


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (" , ", "' , ' names no deal"),
        ("", "'' names no deal"),
        ("1,#3-1", "#3-#1 ends before it begins"),
        ("x,3-01", "3-1 ends before it begins"),
    ],
)
def test_values_of_board_that_choose_nothing(folder: Path, value: str, message: str) -> None:
    result = run("solve", "--board", value, "deals.pbn")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Invalid value for '--board': {message}" in result.stderr


def test_long_ranges_cost_no_time() -> None:
    boards = ChosenBoards(["5-6,30000-" + "9" * 99, "#30000-" + "9" * 99])
    start = process_time()
    assert sum(boards.take(str(number), number) for number in range(20_000)) == 2
    assert process_time() - start < 2
    tally = Tally()
    boards.report_missing(tally)
    assert tally.unusable == 2


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.json", "["),
        ("a.jsonl", "{"),
        ("a.csv", "file,"),
        ("a.tsv", "file\t"),
        ("a.html", "<"),
        ("a.tex", "\\"),
        ("a.txt", "deals.pbn: german-solo"),
        ("a.out", "deals.pbn: german-solo"),
    ],
)
def test_the_extension_names_the_format(folder: Path, name: str, start: str) -> None:
    result = run("solve", "--board", "1", "-o", name, "deals.pbn")
    assert (result.exit_code, result.stderr) == (0, "")
    assert Path(name).read_text().lstrip().startswith(start)
    run("solve", "--board", "1", "-o", "a.md", "deals.pbn")
    assert "| ---" in Path("a.md").read_text() or "|---" in Path("a.md").read_text()


def test_a_format_that_contradicts_the_extension_is_reported(folder: Path) -> None:
    result = run("solve", "--board", "1", "-o", "a.csv", "--format", "json", "deals.pbn")
    assert result.exit_code == 0
    assert "-o a.csv: written as json, as --format says, not as csv" in result.stderr
    assert json.loads(Path("a.csv").read_text())[0]["board"] == "1"
    result = run("solve", "--board", "1", "-o", "b.csv", "--format", "csv", "deals.pbn")
    assert result.stderr == ""


def test_a_wrong_option_is_reported_once(folder: Path) -> None:
    result = run("solve", "--contract", "foo", "deals.pbn")
    assert result.exit_code == 3
    assert result.stderr.count("no contract 'foo'") == 2
    assert "the same in 7 other deals" in result.stderr


@pytest.mark.parametrize("command", ["best", "table", "cards"])
def test_a_wrong_seat_is_quoted_as_typed_and_reported_once(folder: Path, command: str) -> None:
    result = run(command, "--seat", "Nord\x1b[31m", "deals.pbn")
    assert result.exit_code == 3
    assert result.stderr.count(r"--seat: 'Nord\x1b[31m' is not a seat") == 2
    assert "the same in 7 other deals" in result.stderr


@pytest.mark.parametrize("option", ["--declarer", "--partner", "--dealer", "--contract", "--board"])
def test_an_empty_value_is_not_a_missing_option(folder: Path, option: str) -> None:
    for empty in ("", " "):
        result = run("solve", option, empty, "deals.pbn")
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"{option}': {empty!r} names no " in result.stderr


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("solve", "--json", "deals.pbn"), "--format json"),
        (("best", "--csv", "deals.pbn"), "--format csv"),
        (("solve", "--jobs", "2", "deals.pbn"), "--threads N"),
        (("show", "--lang", "de", "deals.pbn"), "--letters de"),
    ],
)
def test_unknown_options_name_what_helps(folder: Path, words: tuple[str, ...], hint: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert f"did you mean '{hint}'?" in result.stderr


@pytest.mark.parametrize(
    ("words", "shouted"),
    [
        (("show", "--letters", "de"), "DE"),
        (("fmt", "--eol", "crlf"), "CRLF"),
        (("show", "--format", "json"), "Json"),
    ],
)
def test_words_of_options_may_have_capitals(
    folder: Path, words: tuple[str, ...], shouted: str
) -> None:
    typed, expected = run(*words[:-1], shouted, "deals.pbn"), run(*words, "deals.pbn")
    assert expected.exit_code == 0
    assert (typed.exit_code, typed.stdout_bytes) == (0, expected.stdout_bytes)


@pytest.mark.parametrize("command", ["deal", "rules"])
def test_a_game_given_as_an_option_is_an_argument(command: str) -> None:
    result = run(command, "--game", "ombre")
    assert result.exit_code == 2
    hint = f"No such option '--game'; the game is an argument: spadille {command} ombre"
    assert hint in result.stderr


def test_hints_of_deal_name_no_option_it_lacks() -> None:
    result = run("deal", "german-solo", "--where", "makes(N, solo)")
    assert result.exit_code == 2
    assert "write it into the condition, as in makes(N, solo, H)" in result.stderr
    assert "--trump" not in result.stderr


@pytest.mark.ci
def test_the_environment_gives_defaults(folder: Path) -> None:
    Path("bare.pbn").write_text(DEAL.format(1).replace('[Game "german-solo"]\n', ""))
    env = {"SPADILLE_GAME": "german-solo", "SPADILLE_COLOR": "always", "SPADILLE_THREADS": "2"}
    assert run("solve", "bare.pbn").exit_code == 3
    result = run("show", "bare.pbn", env=env)
    assert (result.exit_code, "\x1b[31m" in result.output) == (0, True)
    result = run("solve", "bare.pbn", env=env | {"SPADILLE_THREADS": "many"})
    assert (result.exit_code, "SPADILLE_THREADS" in result.stderr) == (2, True)
    for words in (("deal", "-n", "2", "--seed", "1"), ("rules",), ("problems", "--seed", "2")):
        result = run(*words, env=env)
        assert (result.exit_code, "german" in result.output.lower()) == (0, True), words
    other = run("deal", "mensch", "--seed", "1", env=env)
    assert '[Game "mensch"]' in other.stdout
    assert run("problems", "mensch", "--seed", "2", env=env).exit_code == 0
    assert run("page", "bare.pbn", "-o", "bare.html", env=env).exit_code == 0
    text = run("solve", "--help").output
    for name in ("SPADILLE_GAME", "SPADILLE_COLOR", "SPADILLE_THREADS", "SPADILLE_LETTERS"):
        assert name in text.replace("\n", "").replace(" ", "")


@pytest.mark.parametrize(
    ("option", "expected"), [("--after", "a valid whole number"), ("--seconds", "a valid number")]
)
def test_a_wrong_number_is_explained_in_plain_words(option: str, expected: str) -> None:
    result = run("cards", option, "abc", "deals.pbn")
    assert result.exit_code == 2
    assert f"'abc' is not {expected}." in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("solve --show --format json deals.pbn", "--show applies to tables, not to --format json"),
        ("review --legend --format csv deals.pbn", "--legend applies to tables, not to --format"),
        ("show --title x -o a.jsonl deals.pbn", "--title applies to tables, not to --format jsonl"),
        ("show --solution --format tsv deals.pbn", "--solution applies to tables, not to"),
        ("show --answers --format json deals.pbn", "--answers applies to tables, not to"),
        (
            "show --answers --after 3 deals.pbn",
            "--answers shows only the answer key: leave out --a",
        ),
        (
            "show --answers --trick 3 deals.pbn",
            "--answers shows only the answer key: leave out --t",
        ),
        ("show --answers --solution deals.pbn", "answer key: leave out --solution"),
        ("review --by player --annotate deals.pbn", "--annotate needs --by card"),
        ("review --by player --show deals.pbn", "--show needs --by card"),
        ("review --by player --seat N deals.pbn", "--seat needs --by card"),
        ("score --by player --legend deals.pbn", "--legend needs --by deal"),
        (
            "fmt --check -o a.pbn deals.pbn",
            "--check writes nothing and cannot be combined with --o",
        ),
        ("fmt --in-place -", "--in-place cannot rewrite standard input"),
        ("page --game ombre --board 1", "--board needs a hand file"),
        ("page --game ombre --called SK", "--called needs a hand file, a deal or -n"),
        ("page --game ombre --one-evening", "--one-evening needs a hand file or a deal"),
        ("page --game ombre --chances", "--chances needs a hand file or a deal"),
        ("cards --plan --card XX deals.pbn", "Invalid value for '--card': 'XX' is not a card"),
    ],
)
def test_options_without_effect_are_refused(folder: Path, words: str, message: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert [path.name for path in folder.iterdir()] == ["deals.pbn"]


def test_rules_of_another_game_are_refused_for_a_typed_deal(folder: Path) -> None:
    deal = ("--game", "german-solo", "--deal", "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ")
    result = run("show", *deal, "--rules", "estuche_chips=1")
    assert result.exit_code == 2
    assert "--rules: German Solo has no option 'estuche_chips'" in result.stderr


@pytest.mark.parametrize("command", ["solve", "check", "score"])
def test_rules_of_another_game_are_refused_for_files(folder: Path, command: str) -> None:
    Path("mensch.pbn").write_text('[Game "mensch"]\n')
    Path("ombre.pbn").write_text('[Game "ombre"]\n')
    files = "deals.pbn", "mensch.pbn"
    result = run(command, *files, "--rules", "estuche_chips=1", "-o", "out")
    assert result.exit_code == 2
    message = "--rules: German Solo or Mensch has no option 'estuche_chips', and the files contain"
    assert message in result.stderr
    assert not Path("out").exists()
    # One deal of a game that has the option is enough.
    result = run(command, *files, "ombre.pbn", "--rules", "estuche_chips=1", "-o", "out")
    assert (result.exit_code, "--rules" in result.stderr) == (1 if command == "check" else 3, False)
    # `--game` names the game of deals without a tag.
    Path("bare.pbn").write_text('[Board "1"]\n')
    for game, refused in (("ombre", False), ("squint", True)):
        result = run(command, "bare.pbn", "--game", game, "--rules", "estuche_chips=1")
        assert ("--rules: Squint has no option" in result.stderr) == refused


def test_seats_of_another_game_are_reported_with_their_option(folder: Path) -> None:
    for option in ("--dealer", "--leader", "--seat"):
        result = run("cards", option, "1", "--board", "1", "deals.pbn")
        assert result.exit_code == 3
        assert f"{option}: '1' is not a seat in German Solo: N E S W" in result.stderr
    text = Path("deals.pbn").read_text()
    Path("played.pbn").write_text(text.partition("\n\n")[0] + '\n[Play "W"]\nDQ D9 DJ D7\n')
    result = run("review", "--seat", "1", "played.pbn")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "--seat: '1' is not a seat in German Solo: N E S W" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("solve --partner 1", "--partner: '1' is not a seat in German Solo: N E S W"),
        ("solve --partner Z", "--partner: 'Z' is not a seat in German Solo: N E S W"),
        ("solve --partner E", "--partner: E cannot be the partner of E"),
        ("solve --called S2", "--called: called card S2 is not in the pack"),
        ("solve --penalty S", "--penalty: Frog has no penalty suit"),
        ("solve --declarer N --partner 1", "--partner: '1' is not a seat in German Solo: N E S W"),
        ("solve --contract solo --partner Z", "--partner: 'Z' is not a seat in German Solo: N E"),
        (
            "solve --declarer 1 --partner 1",
            "--declarer, --partner: '1' is not a seat in German Solo",
        ),
        ("solve --trump NT", "--trump: Frog cannot be played with trump NT here"),
        ("solve --contract nemo", "--contract: German Solo has no contract 'nemo'"),
        # The file names the called card, which another declarer and trump make impossible.
        ("solve --declarer S --trump H", "--declarer, --trump: called card HA is a trump in"),
        ("table --seat 1", "--seat: '1' is not a seat in German"),
        ("table --contract nemo", "--contract: German Solo has no contract 'nemo'"),
        ("table --trump NT", "--trump: 'NT' is not a trump in German Solo"),
        ("best --seat 1", "--seat: '1' is not a seat in German"),
        ("best --chances --seat 1", "--seat: '1' is not a seat in German"),
        ("best --chances --seat N --where hcp(N)", "--where: 'hcp(N)', column 1: 'hcp' is not a"),
        ("cards --chances --where x", "--where: 'x', column 1: 'x' has no meaning by itself"),
    ],
)
def test_faults_of_an_option_name_it(folder: Path, words: str, message: str) -> None:
    result = run(*words.split(), "--board", "1", "deals.pbn")
    assert (result.exit_code, result.stdout) == (3, "")
    # The line of the file is quoted below.
    assert f"deals.pbn:3:1: {message}" in " ".join(result.stderr.split())


def test_a_missing_value_blames_no_option(folder: Path) -> None:
    Path("bare.pbn").write_text(DEAL.format(1).replace('[Trump "D"]\n', ""))
    result = run("solve", "--contract", "solo", "bare.pbn")
    assert "bare.pbn:3:1: Solo needs a trump, one of S H D C: name it with" in result.stderr
