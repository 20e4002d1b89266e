"""README is short and has its two commands; test_shown.py runs its examples."""

from __future__ import annotations

import re
from pathlib import Path

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
    assert "spadille solve examples/" in first
    assert second.endswith("pytest")
