"""Messages quote only the beginning of very long input, and say how long it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import spadille
from spadille.base.errors import SpadilleError, quoted
from spadille_cli import main
from spadille_cli.exit_status import Status

LONG = "a" * 200_000
MOST = 4000  # characters for five faults and a table around them


def test_long_text_is_cut_and_its_length_given() -> None:
    assert quoted(LONG) == f"'{'a' * 72}'... (200,000 characters)"
    deal = "N:AKQ.T9.J.A7 JT9.AK.Q.T9 87.QJ.AK.KQ .87.T987.J8"
    assert quoted(deal) == repr(deal)
    assert len(quoted([*range(10_000)])) == 72


def test_a_long_message_is_cut_in_the_middle() -> None:
    message = str(SpadilleError(f"{LONG!r} is not a seat: N E S W"))
    assert message.startswith("'aaaa")
    assert "characters left out" in message
    assert message.endswith("aaa' is not a seat: N E S W")
    assert len(message) < 600
    assert str(SpadilleError(message)) == message  # also after pickling


@pytest.mark.parametrize(
    "words",
    [
        ["deal", LONG],
        ["deal", "ombre", "--where", LONG],
        ["deal", "ombre", "-n", LONG],
        ["rules", LONG],
        ["problems", "ombre", "--theme", LONG],
        ["solve", f"--{LONG}", "-"],
        [LONG],
    ],
)
def test_a_long_argument_is_not_repeated(words: list[str]) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == Status.USAGE
    assert "characters" in done.stderr
    assert len(done.stderr) < MOST


@pytest.mark.parametrize(
    "tags",
    [
        f'[Game "{LONG}"]\n[Deal "N:A.. .. .. .."]',
        f'[Game "ombre"]\n[Deal "{LONG}"]',
        f'[Game "ombre"]\n[Contract "{LONG}"]\n[Deal "1:A.. .. .."]',
        f'[Game "german-solo"]\n[Rules "{LONG}"]\n[Deal "N:A.. .. .. .."]',
    ],
    ids=["Game", "Deal", "Contract", "Rules"],
)
def test_a_long_tag_is_not_repeated(tags: str, tmp_path: Path) -> None:
    file = tmp_path / "long.pbn"
    file.write_text(f"{tags}\n")
    done = CliRunner().invoke(main, ["check", str(file)])
    assert done.exit_code == Status.FOUND
    assert "characters" in done.stdout
    assert len(done.stdout) < MOST
    page = spadille.page(spadille.load(file))
    assert LONG[:10_000] not in page
