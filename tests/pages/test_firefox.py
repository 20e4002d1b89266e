"""The engine runs in Firefox, too, as Debian has it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random

import pytest
from browsers import missing, program
from test_values import expected, points, unnamed

from benchmarks.pages import place
from spadille.games import rules_for
from spadille.pages.module import is_current
from spadille.pages.page import write

pytestmark = pytest.mark.skipif(not is_current(), reason="the engine for pages is stale")

SCRIPT = Path(__file__).with_name("firefox.mjs")


@pytest.fixture
def firefox(tmp_path):
    """Open the text of a page at an address; return what stands there, and what was told of it."""
    try:
        from playwright._impl._driver import compute_driver_executable
    except ImportError:
        missing("playwright")
    node, _ = compute_driver_executable()
    path = program("firefox-esr", "firefox")

    def opened(text: str, where: str) -> dict:
        file, profile = tmp_path / "page.html", tmp_path / "profile"
        file.write_text(text, encoding="utf-8")
        profile.mkdir()
        done = subprocess.run(
            [node, SCRIPT, path, profile, f"{file.as_uri()}{where}"],
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
        return json.loads(done.stdout)

    return opened


def test_values_are_those_of_cards(firefox):
    rules = rules_for("ombre")
    [point] = points(rules, Random("firefox"), 1)
    found = firefox(write([], rules=rules), place(*point))
    assert unnamed(dict(found["cards"]), point[1]) == expected(*point)
    assert {url.split(":")[0] for url in found["asked"]} <= {"file", "blob"}
    assert not found["errors"]
