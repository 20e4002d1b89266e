"""Shell completion, requested the way a shell requests it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from spadille.games import GAMES
from spadille.pbn.fault_guide import explanations
from spadille_cli import COMMANDS, main


def complete(line):
    """Return the completions offered for the last word of `line`."""
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
    assert complete("spadille solve --trump N") == ["NT"]
    assert complete("spadille solve --color n") == ["never"]
    assert complete("spadille show --as") == ["--ascii"]
    assert set(complete("spadille best --sh")) == {"--show"}


def test_contracts_are_those_of_the_game():
    assert complete("spadille solve --contract ent") == ["entrada"]
    german, ombre = ([*GAMES[game].contracts] for game in ("german-solo", "ombre"))
    assert {"frog", "solo", "tout"} <= {*german}
    assert complete("spadille solve --game german-solo --contract ") == german
    assert complete("spadille problems german-solo --contract ") == german
    assert complete("spadille problems german-solo --contract=fr") == ["--contract=frog"]
    assert complete("spadille page --play german-solo --contract ") == german
    both = complete("spadille problems ombre german-solo --contract ")
    assert both == [*dict.fromkeys([*ombre, *german])]
    assert complete("spadille solve file.pbn --game german-solo --contract ") == german


def test_seats_are_those_of_the_game():
    assert complete("spadille solve --declarer ") == [*"NESW12345"]
    assert complete("spadille page --play ombre --declarer ") == [*"123"]
    assert complete("spadille cards --game mensch --seat w") == ["W"]
    for option in ("--seat", "--dealer", "--leader"):
        assert complete(f"spadille best --game ombre {option} ") == [*"123"]
    assert complete("spadille deal ombre --dealer ") == [*"123"]


def test_fault_codes():
    assert "card-revoke" in complete("spadille check --explain card-r")
    assert len(complete("spadille check --explain ")) == len(explanations())


def test_a_named_game_counts_more_than_the_environment(monkeypatch):
    monkeypatch.setenv("SPADILLE_GAME", "mensch")
    assert complete("spadille page --contract ent") == []
    for start in ("problems ombre", "page --play ombre", "solve --game ombre"):
        assert complete(f"spadille {start} --contract ent") == ["entrada"]


def test_cards():
    assert complete("spadille solve --called Ha") == ["HA"]
    assert len(complete("spadille solve --called ")) == 52


def test_options_of_games():
    assert "matador_rule=" in complete("spadille solve --rules mat")
    assert complete("spadille rules german-solo --rules color=") != []
    assert complete("spadille deal ombre --rules color") == []
    assert "estuche_chips=" in complete("spadille deal ombre --rules ")
    one = complete("spadille solve --game german-solo --rules matador_rule=h")
    assert one == ["matador_rule=higher-only"]
    two = complete("spadille solve --game german-solo --rules color=H;matador_rule=h")
    assert two == ["color=H;matador_rule=higher-only"]


def test_functions_of_conditions():
    assert complete("spadille deal mensch --where tr") == ["trumps(", "tricks("]
    assert complete("spadille deal mensch --by tricks(N,solo,H)>len")[-1].endswith("length(")


def test_values_behind_an_equals_sign():
    assert complete("spadille solve --format=js") == ["--format=json", "--format=jsonl"]
    # Bash breaks words at the equals sign, and expects what follows it.
    assert complete("spadille solve --format = js") == ["json", "jsonl"]
    assert "table" in complete("spadille solve --format =")
    assert complete("spadille solve --game = german-solo --contract fr") == ["frog"]
    assert complete("spadille solve --rules matador_rule = hi") == ["higher-only"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_made(shell, monkeypatch):
    # Completion asks Bash for its version first, since it needs 4.4 or later.
    monkeypatch.setattr(
        "click.shell_completion.BashComplete._check_version", staticmethod(lambda: None)
    )
    result = CliRunner().invoke(
        main, env={"_SPADILLE_COMPLETE": f"{shell}_source"}, prog_name="spadille"
    )
    assert result.exit_code == 0
    assert "_SPADILLE_COMPLETE" in result.output


@pytest.fixture
def path(tmp_path):
    """Return a PATH that contains the command."""
    command = tmp_path / "spadille"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m spadille "$@"\n')
    command.chmod(0o755)
    return f"{tmp_path}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh")
def test_the_line_for_zsh_works_in_a_plain_zshrc(path, tmp_path):
    (tmp_path / ".zshrc").write_text('eval "$(_SPADILLE_COMPLETE=zsh_source spadille)"\n')
    done = subprocess.run(
        ["zsh", "-i", "-c", "print $_comps[spadille]"],
        env={**os.environ, "PATH": path, "ZDOTDIR": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "not found" not in done.stderr
    assert done.stdout.strip() == "_spadille_completion"


@pytest.mark.ci
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_the_line_for_bash_completes(path):
    lines = """
        eval "$(_SPADILLE_COMPLETE=bash_source spadille)"
        COMP_WORDS=(spadille solve --format = js); COMP_CWORD=4
        _spadille_completion spadille js =; echo "${COMPREPLY[@]}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", lines],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["json", "jsonl"]
