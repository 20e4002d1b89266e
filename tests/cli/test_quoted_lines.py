"""The lines of hand files that commands quote below errors, with a caret under the column."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from spadille.pbn.parse_document import parse
from spadille.render.text import columns, excerpt
from spadille_cli import main

DEAL = '[Deal "N:AKQ7.AKQ7.. ..AKQ7.AKQX JT98.JT98.. ..JT98.JT98"]'
HEAD = '[Game "german-solo"]\n[Dealer "N"]\n'
CONTRACT = '[Contract "solo"]\n[Declarer "N"]\n[Trump "S"]\n'


def told(text, *args, columns=100):
    result = CliRunner().invoke(main, [*args, "-"], input=text, env={"COLUMNS": str(columns)})
    assert result.exit_code == 3, result.output
    return result.stderr.splitlines()


@pytest.mark.parametrize("command", ["solve", "show", "table", "best", "score"])
def test_a_fault_shows_its_line_with_a_caret(command):
    lines = told(HEAD + DEAL + "\n" + CONTRACT, command)
    number = next(number for number, line in enumerate(lines) if "'X' is not a rank" in line)
    assert lines[number].startswith("-:3:32: ")
    assert lines[number + 1] == f"  {DEAL}"
    assert lines[number + 2] == " " * (2 + DEAL.index("X")) + "^"


def test_a_line_is_cut_to_the_width_of_the_terminal():
    lines = told(HEAD + DEAL + "\n" + CONTRACT, "solve", columns=30)
    shown, caret = lines[1:3]
    assert len(shown) < 30
    assert shown[caret.index("^")] == "X"
    assert shown.strip() in DEAL


def test_control_characters_are_visible():
    text = HEAD + DEAL.replace("N:A", "N:\x1bA") + "\n" + CONTRACT
    lines = told(text, "solve")
    assert not any("\x1b" in line for line in lines)
    number = next(number for number, line in enumerate(lines) if line.startswith("  [Deal"))
    assert r"N:\x1bAKQ7" in lines[number]


def test_a_value_with_control_characters_is_quoted_once():
    text = HEAD + DEAL.replace("X", "J") + "\n" + CONTRACT.replace("solo", "so\0lo")
    (message,) = [line for line in told(text, "solve") if line.startswith("-:4")]
    assert message.count("so\\x00lo") == 1, message


def test_a_typed_deal_shows_no_line():
    value = DEAL.split('"')[1]
    result = CliRunner().invoke(main, ["solve", "--game", "german-solo", "--deal", value])
    assert result.exit_code == 3
    assert "^" not in result.stderr


@pytest.mark.parametrize("width", [8, 20, 60])
@pytest.mark.parametrize("letter", ["a", "é", "中", "\t", "\x07"])
def test_an_excerpt_fits_and_points_at_its_letter(letter, width):
    line = letter * 40 + "!" + letter * 40
    for at in (0, 7, 40, 80):
        shown, column = excerpt(line, at, width)
        assert columns(shown) <= width
        assert column < width
    shown, column = excerpt(line, 40, width)
    assert columns(shown[: shown.index("!")]) == column


def test_the_lines_of_a_document():
    document = parse('\ufeff[Event "a"]\r\n\r\n[Event "b"]')
    assert [document.line(number) for number in (1, 2, 3)] == ['[Event "a"]', "", '[Event "b"]']
