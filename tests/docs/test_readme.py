"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille_cli import COMMANDS, main

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ spadille ([^\n]*)\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("command", "output"), CONSOLE)
def test_commands_print_what_is_shown(command, output, monkeypatch):
    monkeypatch.chdir(TOP)
    assert CliRunner().invoke(main, shlex.split(command)).output == output


def test_python_shows_what_is_shown(monkeypatch):
    monkeypatch.chdir(TOP)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    example = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert doctest.DocTestRunner().run(example) == (0, len(example.examples))


def test_every_command_is_named():
    assert set(re.findall(r"^\| `spadille (\w+)", README, re.MULTILINE)) == set(COMMANDS)


def test_two_commands_set_everything_up():
    first, second = re.findall(r"^python3 -m venv .*", README, re.MULTILINE)
    assert "spadille solve examples/" in first
    assert second.endswith("pytest")
