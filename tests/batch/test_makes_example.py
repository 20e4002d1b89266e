"""examples/makes.py does what docs/batch.md shows, on a few deals."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci
SCRIPT = Path(__file__).parents[2] / "examples" / "makes.py"


def test_pandas_and_duckdb_count_the_same(tmp_path):
    for name in ("duckdb", "matplotlib", "pandas", "pyarrow"):
        pytest.importorskip(name)
    words = SCRIPT.read_text(encoding="utf-8").partition('"""')[2].partition("\n\n")[2]
    commands = [line.split() for line in words.partition("\n\n")[0].splitlines()]
    assert [command[0] for command in commands] == ["spadille"] * 3 + ["python"]
    for command in commands:
        first = {"spadille": (sys.executable, "-m", "spadille"), "python": (sys.executable,)}
        rest = ["1000" if word == "100000" else word for word in command[1:]]
        rest = [str(SCRIPT) if word == "examples/makes.py" else word for word in rest]
        full = [*first[command[0]], *(word.strip('"') for word in rest)]
        found = subprocess.run(full, cwd=tmp_path, capture_output=True, text=True)
        assert found.returncode == 0, found.stderr
    assert "german-solo frog" in found.stdout
    assert (tmp_path / "makes.svg").stat().st_size > 1000
