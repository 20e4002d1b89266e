"""The documents say all there is, and what they show is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

import spadille
from spadille.cli import main
from spadille.handfile import read

TOP = Path(__file__).parent.parent
DOCS = TOP / "docs"
HAND_FILES = (DOCS / "hand-files.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(pbn|console)\n(.*?)^```", HAND_FILES, re.DOTALL | re.MULTILINE)


# Hand files


def test_hand_files_shown_do_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, text in BLOCKS:
        if kind == "pbn":
            Path("deal.pbn").write_text(text, encoding="utf-8")
        else:
            line, output = text.split("\n", 1)
            _, *words = shlex.split(line.removeprefix("$ "))
            assert CliRunner().invoke(main, words).stdout == output


def test_hand_files_shown_can_be_used():
    files = [read(text) for kind, text in BLOCKS if kind == "pbn"]
    *sound, faulty = files
    assert [fault for file in sound for fault in file[0].faults] == []
    assert all(file[0].contract for file in sound)
    assert faulty[0].faults


def _sources(*modules):
    package = Path(spadille.__file__).parent
    return "".join((package / f"{name}.py").read_text(encoding="utf-8") for name in modules)


def test_every_tag_is_in_the_table():
    names = (
        "handfile",
        "tags",
        "play",
        "auctionfile",
        "soundness",
        "validate",
        "annotate",
        "table",
    )
    used = set(re.findall(r'"([A-Z][a-z]+(?:[A-Z][a-z]+)*)"', _sources(*names)))
    table = HAND_FILES.partition("\n## Tags\n")[2].partition("\n## ")[0]
    assert used - {"Entry", "HandFile", "Finding", "Note"} == set(
        re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    )


def test_every_fault_is_in_the_table():
    text = _sources("document", "tags", "soundness", "validate", "play", "auctionfile", "auction")
    used = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', text)) - {"until-settled"}
    table = HAND_FILES.partition("| what | codes |")[2].partition("\n\n")[0]
    listed = re.findall(r"`([a-z-]+)`", table)
    assert len(listed) == len(set(listed))
    assert used <= set(listed)
    everywhere = "".join(path.read_text(encoding="utf-8") for path in TOP.glob("*/*.py"))
    assert [code for code in listed if f'"{code}"' not in everywhere] == []
