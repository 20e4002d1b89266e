"""Shell completion, asked the way a shell asks."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from spadille.games import GAMES
from spadille_cli import COMMANDS, main


def complete(line):
    """The words offered for the last word of `line`."""
    words = line.split(" ")
    result = CliRunner().invoke(
        main,
        env={
            "_SPADILLE_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
        prog_name="spadille",
    )
    return [answer.split(",", 1)[1] for answer in result.output.split()]


def test_commands():
    assert set(complete("spadille ")) == set(COMMANDS)
    assert complete("spadille ru") == ["rules"]


def test_games_and_values():
    assert complete("spadille rules qui") == ["quintille"]
    assert set(complete("spadille rules ")) == set(GAMES)
    assert complete("spadille rules ombre --format js") == ["json", "jsonl"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_made(shell, monkeypatch):
    # Bash is asked for its version first; completion works from 4.4 on.
    monkeypatch.setattr(
        "click.shell_completion.BashComplete._check_version", staticmethod(lambda: None)
    )
    result = CliRunner().invoke(
        main, env={"_SPADILLE_COMPLETE": f"{shell}_source"}, prog_name="spadille"
    )
    assert result.exit_code == 0
    assert "_SPADILLE_COMPLETE" in result.output
