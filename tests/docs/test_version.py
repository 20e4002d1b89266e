"""The version is defined in one place, and the changelog begins with it."""

from __future__ import annotations

import re
from pathlib import Path

import spadille

ROOT = Path(__file__).parents[2]


def test_the_changes_begin_with_the_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (.*)$", changes, re.M)
    assert newest
    version, _, day = newest[1].partition(", ")
    assert version == spadille.__version__
    assert day == "unreleased" or re.fullmatch(r"\d{4}-\d{2}-\d{2}", day)


def test_no_other_file_has_the_version() -> None:
    for name in ("pyproject.toml", "CITATION.cff", "setup.py", ".ci/wheels"):
        assert spadille.__version__ not in re.findall(
            r"(?<![\w.=])\d+\.\d+\.\d+(?![\w.])", (ROOT / name).read_text("utf-8")
        ), name
