"""The command on a terminal: its width, its styles, and the progress bar."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille_cli import main
from spadille_cli.output_formats import FORMATS
from tests.support.terminals import seen, shown, shown_by_a_process

EXAMPLES = Path(os.path.relpath(Path(__file__).parents[2] / "examples"))
NOT_STYLED = ({"NO_COLOR": "1"}, {"TERM": "dumb"})

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """Write three deals, the second with a card that the pack does not have."""
    deal = '[Game "german-solo"]\n[Deal "N:AK.AKQ.8.Q7 {} QJ.87.A.AKJ ..KQJ97.T98"]\n'
    terms = '[Dealer "N"]\n[Declarer "N"]\n[Contract "solo"]\n[Trump "H"]\n\n'
    known, unknown = (deal.format(hand) + terms for hand in ("T987.JT9.T.", "T987.JT9.2."))
    file = tmp_path / "deals.pbn"
    file.write_text(known + unknown + known)
    return file


@pytest.mark.parametrize(
    ("command", "variables"),
    [
        ("solve", {}),
        ("best", NOT_STYLED[0]),
        *(
            pytest.param(command, variables, marks=pytest.mark.ci)
            for command, variables in (
                *(("solve", NOT_STYLED[0]), ("table", {}), ("table", NOT_STYLED[0])),
                *(("best", {}), ("cards", {}), ("cards", NOT_STYLED[0])),
            )
        ),
    ],
)
def test_nothing_stays_of_the_progress(
    deals: Path, command: str, variables: dict[str, str]
) -> None:
    status, text = shown(command, deals, **variables)
    assert status == 3
    assert b"0/3" in text
    assert [line for line in seen(text) if "/3" in line] == []


@pytest.mark.parametrize("kind", ["table", "jsonl"])
def test_no_progress_where_a_pipe_may_lead_to_the_same_terminal(deals: Path, kind: str) -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as reader:
        assert reader.stdin is not None
        assert b"/3" not in shown("solve", deals, "--format", kind, stdout=reader.stdin.fileno())[1]
        reader.stdin.close()


def test_progress_beside_a_file(deals: Path, tmp_path: Path) -> None:
    with open(tmp_path / "found", "w") as file:
        text = shown("solve", deals, "--format", "jsonl", stdout=file.fileno())[1]
    assert b"0/3" in text
    text = shown("solve", deals, "-o", tmp_path / "found2")[1]
    assert b"0/3" in text
    assert [line for line in seen(text) if "/3" in line] == []


def test_no_progress_between_lines_for_programs(deals: Path) -> None:
    assert b"/3" not in shown("solve", deals, "--format", "jsonl")[1]


@pytest.mark.parametrize(
    "kind",
    ["table", *(pytest.param(one, marks=pytest.mark.ci) for one in FORMATS if one != "table")],
)
@pytest.mark.parametrize(
    "command",
    [
        *("show", "solve", "review", "check"),
        *(pytest.param(one, marks=pytest.mark.ci) for one in ("table", "best", "cards")),
    ],
)
def test_a_file_commands_no_terminal(command: str, kind: str, tmp_path: Path) -> None:
    control = b"\x1b]0;pwn\x07\x1b[31m\xc2\x9b31m\xe2\x80\xae"
    file = tmp_path / "deals.pbn"
    file.write_bytes(
        b'[Board "' + control + b'"]\n[Game "german-solo"]\n[Dealer "S"]\n'
        b'[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]\n[Declarer "E"]\n'
        b'[Contract "frog"]\n[Trump "D"]\n[Called "HA"]\n[Play "W"]\nHK HT ' + control + b" HA\n"
    )
    text = shown(command, file, "--format", kind, TERM="dumb")[1].decode()
    assert not re.search("[\0-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202e]", text)
    assert command == "check" or "pwn" in text


@pytest.mark.parametrize("words", [("fmt",), ("fmt", "--board", "#1")])
def test_fmt_writes_no_escape_sequence_to_a_terminal(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "deals.pbn"
    file.write_bytes(
        b'[Board "\x1b]0;pwn\x07\x1b[31m"]\n[Site "\xc2\x9b31m\xe2\x80\xae"]\n[Game "mensch"]\n'
        b'[Deal "N:- - - -"]\n{\x1b[2J \x7f}\n[Play "N"]\n\x1b[1m'
    )
    for end in ("lf", "crlf", "keep"):
        text = shown(*words, "--eol", end, file, TERM="dumb")[1].decode()
        assert not re.search("[\0-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202e]", text)
        assert '[Board "\\x1b]0;pwn\\x07\\x1b[31m"]' in text.splitlines()
    with open(tmp_path / "copy", "w+b") as copy:
        shown(*words, file, stdout=copy.fileno())
        copy.seek(0)
        assert b'[Board "\x1b]0;pwn\x07\x1b[31m"]' in copy.read()


def test_into_a_pipe_only_data_has_escape_sequences(deals: Path) -> None:
    file = deals.with_name("red.pbn")
    file.write_text('[Board "\x1b[31m"]\n' + deals.read_text().partition("\n\n")[0])
    kept = {
        words
        for words in ("fmt", *(f"show --format {kind}" for kind in FORMATS))
        if "\x1b[31m" in CliRunner().invoke(main, [*words.split(), str(file)]).stdout
    }
    assert kept == {"fmt", "show --format csv", "show --format tsv"}


def test_a_page_is_not_for_a_terminal(deals: Path) -> None:
    status, told = shown("page", deals)
    assert status == 2
    assert b"name a file, such as -o evening.html" in told
    assert b"<html" not in told


def test_bold_letters(deals: Path) -> None:
    assert b"\x1b[1m" in shown("solve", deals)[1]
    assert b"\x1b[1m" in shown("solve", deals, NO_COLOR="")[1]


@pytest.mark.parametrize(
    "variables", [NOT_STYLED[0], pytest.param(NOT_STYLED[1], marks=pytest.mark.ci)]
)
def test_no_styles_where_none_are_wanted(deals: Path, variables: dict[str, str]) -> None:
    for command in ("solve", "check", "rules"):
        _, text = shown(command, "squint" if command == "rules" else deals, **variables)
        assert not re.search(rb"\x1b\[[0-9;]*m", text)
        assert b"TERM" not in variables or b"\x1b" not in text


@pytest.mark.ci
@pytest.mark.parametrize(
    "args",
    [
        ("best", EXAMPLES / "mensch.pbn"),
        ("review", EXAMPLES / "quintille.pbn"),
        ("check", "--help"),
        ("solve", "--leads", EXAMPLES / "german-solo.pbn"),
        ("table", EXAMPLES / "german-solo.pbn"),
        ("cards", EXAMPLES / "german-solo.pbn"),
        ("rules", "ombre"),
    ],
    ids=lambda args: args[0],
)
def test_60_columns(args: tuple[object, ...]) -> None:
    lines = seen(shown(*args, columns=60)[1])
    # Examples are not wrapped, so that they can be pasted.
    assert max(len(line) for line in lines if not line.startswith("    spadille")) <= 60


def test_messages_fit_any_width() -> None:
    status, text = shown("review", "--board", "2", EXAMPLES / "german-solo.pbn", columns=40)
    lines = seen(text)
    assert status == 0
    assert max(map(len, lines)) <= 40
    assert "nothing to do: no file has recorded play (tag Play" in " ".join(lines)


@pytest.mark.ci
def test_a_process_of_its_own_is_shown_the_same(deals: Path) -> None:
    for args in (("solve", "--leads", deals), ("rules", "squint")):
        status, text = shown(*args, columns=50)
        by_itself = shown_by_a_process(*args, columns=50)
        assert (status, seen(text)) == (by_itself[0], seen(by_itself[1]))
        assert (b"\x1b[1m" in by_itself[1]) == (args[0] == "solve")


@pytest.mark.parametrize(
    ("game", "columns"),
    [
        *(("german-solo", columns) for columns in (40, 200)),
        *(
            pytest.param(game, columns, marks=pytest.mark.ci)
            for game, columns in (("german-solo", 60), ("german-solo", 80), ("squint", 40))
        ),
    ],
)
def test_swaps_fit_any_width(game: str, columns: int) -> None:
    board = ("--board", "1", EXAMPLES / f"{game}.pbn")
    lines = seen(shown("solve", "--swaps", *board, columns=columns)[1])
    told = next(number for number, line in enumerate(lines) if "swaps" in line)
    assert max(map(len, lines[told:])) <= columns
    text = " ".join(" ".join(lines[told:]).split())
    assert re.search(r"\d+ of \d+ swaps (make|break)s? it .*in words .*Swapping ", text)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("game", "columns"),
    [
        *(("german-solo", columns) for columns in (40, 60, 80, 200)),
        ("squint", 40),
    ],
)
def test_refutations_fit_any_width(game: str, columns: int) -> None:
    lines = seen(shown("review", EXAMPLES / f"{game}.pbn", columns=columns)[1])
    assert max(map(len, lines)) <= columns
    text = " ".join(" ".join(lines).split())
    assert re.search(r"Trick \d+, \w\w\?\? by \w why -+ After .*, .*\. .* tricks?", text)
    assert re.search(r"trick .* with ", text)
