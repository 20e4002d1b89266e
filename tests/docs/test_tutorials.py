"""The tutorials do what they show, one command after another, with the files they write."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille_cli import main

TOP = Path(__file__).parents[2]
TUTORIALS = TOP / "docs" / "tutorials"
BLOCK = re.compile(r"^```(pbn|console)\n(?:% (\S+)\n|\$ spadille ([^\n]*)\n)(.*?)^```", re.M | re.S)


@pytest.mark.parametrize("name", ["players", pytest.param("teachers", marks=pytest.mark.ci)])
def test_a_tutorial_does_what_it_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(TOP / "examples")
    text = (TUTORIALS / f"{name}.md").read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert len(blocks) == len(re.findall(r"^```(?:pbn|console)$", text, re.M)) > 5
    for kind, file, command, shown in blocks:
        if kind == "pbn":
            Path(file).write_text(shown, encoding="utf-8")
        else:
            assert CliRunner().invoke(main, shlex.split(command)).output == shown, command
