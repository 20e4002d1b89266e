"""README is short and has its two commands; test_shown.py runs its examples."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text(encoding="utf-8")


def test_it_is_short():
    assert len(README.splitlines()) <= 120
    blocks = re.findall(r"^```(?:console|python)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    first, *others = [
        len(re.sub(r"^(?:\$|>>>) .*\n", "", b, flags=re.MULTILINE).splitlines()) for b in blocks
    ]
    assert first == 6
    assert max(others) <= 10


def test_two_commands_set_everything_up():
    first, second = re.findall(r"^python3 -m venv .*", README, re.MULTILINE)
    assert "pip install . && .venv/bin/spadille solve examples/" in first
    assert second.endswith("pytest")


def test_the_front_page_finds_its_parts():
    index = (TOP / "docs" / "index.md").read_text(encoding="utf-8")
    marks = re.findall(r'^:(?:start-after|end-before): "(.*)"$', index, re.MULTILINE)
    text = README + (TOP / "docs" / "README.md").read_text(encoding="utf-8")
    assert len(marks) >= 6
    assert [mark for mark in marks if mark.replace("\\n", "\n") not in text] == []


@pytest.mark.ci
def test_no_command_needs_an_extra_but_those_for_clusters_and_columns():
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[<>=]", each)[0] for each in project["dependencies"]}
    assert needed == {"click", "jinja2", "tabulate", "wcwidth"}
    brought = {"markupsafe"}  # by jinja2
    late = {"dask", "distributed", "pyarrow"}
    assert imported_packages() == needed | brought | late


def imported_packages():
    """Return the third-party packages that the sources import, outside of type checking."""
    found = set()
    for path in [*(TOP / "solver").rglob("*.py"), *(TOP / "cli").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
    return found - {*sys.stdlib_module_names, "spadille", "spadille_cli"}
