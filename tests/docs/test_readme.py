"""The README is short, and what it shows works; tests/docs/test_shown.py runs its commands."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import shown

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text(encoding="utf-8")
CONSOLE = shown.commands(README)


def test_it_is_short():
    assert len(README.splitlines()) <= 120
    first, *others = [output.count("\n") for _, output in CONSOLE]
    assert first == 6
    assert max(others) <= 10


def test_python_shows_what_is_shown(monkeypatch):
    monkeypatch.chdir(TOP)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    example = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert doctest.DocTestRunner().run(example) == (0, len(example.examples))


def test_two_commands_set_everything_up():
    first, second = re.findall(r"^python3 -m venv .*", README, re.MULTILINE)
    assert "spadille solve examples/" in first
    assert second.endswith("pytest")
