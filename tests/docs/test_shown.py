"""Commands print what pages show, one after another, with the files they write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spadille_cli import COMMANDS
from tests.support import shown

# These are slow.
SLOW = {
    "docs/chances.md",
    "docs/cookbook.md",
    "docs/tutorials/players.md",
    "docs/tutorials/teachers.md",
}


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.ci if name in SLOW else ())
        for name in (page.relative_to(shown.TOP).as_posix() for page in shown.pages())
    ],
)
def test_commands_print_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "docs/cookbook.md":
        pytest.importorskip("pandas")
    text = (shown.TOP / name).read_text(encoding="utf-8")
    monkeypatch.chdir(shown.place(tmp_path))
    now = shown.refreshed(text)
    assert text == now, f"stale: run python -m tests.support.shown {name}"


def test_the_cookbook_answers_thirty_questions() -> None:
    text = (shown.TOP / "docs" / "cookbook.md").read_text(encoding="utf-8")
    questions = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    assert len(questions) >= 30
    for question in questions:
        title = question.partition("\n")[0]
        assert title.endswith("?")
        assert f"- [{title}](#" in text  # the list at the top
        assert re.search(r"^(?:\$ spadille|>>>) ", question, re.MULTILINE), question
    assert {*re.findall(r"^\$ spadille (\w+)", text, re.MULTILINE)} == {*COMMANDS}
