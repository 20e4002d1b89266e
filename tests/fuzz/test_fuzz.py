"""What the fuzzers hold true, on their corpus and on random hand files; and the fuzzers."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random

import grammar
import properties
import pytest

HERE = Path(__file__).parent
QUICK = ("reader", "passages", "fmt")


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("seed", range(3))
def test_hand_files_by_their_grammar(name, seed):
    random = Random(seed)
    for _ in range(10):
        properties.PROPERTIES[name](grammar.hand_file(random))


@pytest.mark.parametrize("name", QUICK)
def test_the_corpus(name):
    for path in sorted((HERE / "corpus").glob("*")):
        properties.PROPERTIES[name](path.read_bytes().decode("utf-8", "replace"))


@pytest.mark.ci
@pytest.mark.parametrize("name", properties.PROPERTIES)
@pytest.mark.parametrize("seed", range(3, 7))
def test_more_hand_files_by_their_grammar(name, seed):
    random = Random(seed)
    for _ in range(10 if name == "commands" else 100):
        properties.PROPERTIES[name](grammar.hand_file(random))


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize("name", properties.PROPERTIES)
@pytest.mark.parametrize(
    ("seconds", "seed"),  # a change is not judged by chance; what is long looks elsewhere each time
    [pytest.param(15, 1, marks=pytest.mark.ci), pytest.param(1800, 0, marks=pytest.mark.slow)],
)
def test_fuzzers_find_nothing(name, seconds, seed, tmp_path):
    command = [sys.executable, str(HERE / "run.py"), name, str(seconds), "--seed", str(seed)]
    path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), *sys.path)))
    found = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    found_by = [one.read_text("utf-8", "replace") for one in tmp_path.glob("crash-*")]
    assert found.returncode == 0, (found.stdout[-3000:], found.stderr[-500:], found_by)
    assert "DONE" in found.stderr or "Done" in found.stderr
