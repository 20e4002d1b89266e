"""Commands print what pages show, one after another, with the files they write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import shown

# These take long.
SLOW = {"docs/tutorials/teachers.md"}


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
    text = (shown.TOP / name).read_text(encoding="utf-8")
    assert len(shown.commands(text)) == len(re.findall(r"^```console$", text, re.MULTILINE))
    monkeypatch.chdir(shown.place(tmp_path))
    now = shown.refreshed(text)
    assert text == now, f"stale: run python tests/support/shown.py {name}"
