"""Every command that writes, ended at random moments: its file is unchanged or complete.

After an interruption it may hold what was finished by then, each part complete.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from itertools import zip_longest
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from tests.batch.test_interrupted import hand_file
from tests.support.terminals import PROGRAM
from tests.support.tiers import part

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

EXAMPLES = Path(__file__).parents[2] / "examples"
BEFORE = "before\n"
END = (signal.SIGINT, signal.SIGTERM)

# Each writes to the file named by its last word.
COMMANDS = {
    "solve": "solve deals.pbn --format jsonl -o out",
    "solve -j": "solve deals.pbn -j 2 --leads --format json -o out",
    "table": "table few.pbn --format jsonl -o out",
    "best": "best few.pbn --format jsonl -o out",
    "cards": "cards deals.pbn --format jsonl -o out",
    "show": "show deals.pbn --format jsonl -o out",
    "check": "check deals.pbn --format jsonl -o out",
    "rules": "rules squint --format jsonl -o out",
    "review": "review played.pbn --format jsonl -o out",
    "score": "score played.pbn --format jsonl -o out",
    "deal": "deal german-solo -n 1000 --seed 1 -o out",
    "problems": "problems german-solo -n 3 --seed 1 -o out",
    "page": "page played.pbn -o out",
    "fmt": "fmt --in-place deals.pbn",
    "table --annotate": "table --annotate few.pbn",
    "review --annotate": "review --annotate played.pbn",
    "batch export": "batch export whole.db --format csv -o out",
    "batch export parquet": "batch export whole.db --format parquet -o out",
}
WHOLE = ("fmt", "batch export")  # their output is of no use unless it is complete


def prepare(folder: Path, name: str) -> tuple[list[str], Path]:
    """Return the words of a command, and the file it overwrites."""
    hand_file(folder / "deals.pbn", 100)
    hand_file(folder / "few.pbn", 15)
    evening = (EXAMPLES / "evenings" / "german-solo.pbn").read_text(encoding="utf-8")
    (folder / "played.pbn").write_text("\n".join([evening] * 2), encoding="utf-8")
    words = COMMANDS[name].split()
    if "parquet" in words:
        pytest.importorskip("pyarrow")
    if "whole.db" in words and not (folder / "whole.db").exists():
        line = "batch solve deals.pbn --into whole.db"
        subprocess.run([*PROGRAM, *line.split()], cwd=folder, capture_output=True, check=False)
    target = folder / words[-1]
    if words[-1] == "out":
        target.write_text(BEFORE)
    return [*PROGRAM, *words], target


def parts(data: bytes) -> list[object]:
    """Return the finished items in order: records without times, or games."""
    text = data.decode("utf-8", "replace")
    if not text:
        return []
    if not text.startswith(("{", "[\n", "[{")):
        return [*text.rstrip("\n").split("\n\n")]
    records = json.loads(text) if text[0] == "[" else map(json.loads, text.splitlines())
    return [
        {key: value for key, value in one.items() if key not in ("nodes", "ms")} for one in records
    ]


def check(name: str, found: bytes, before: bytes, whole: bytes, number: int) -> None:
    """Check that a file is unchanged or complete, or has complete parts after an interruption."""
    if found in (before, whole):
        return
    own, every = parts(found), parts(whole)
    if number == signal.SIGKILL or name.startswith(WHOLE):
        assert own == every
    elif name == "page":  # with the deals that were finished
        assert b"Interrupted: " in found
        assert found.rstrip().endswith(b"</html>")
    elif "--annotate" in name:
        assert all(one in both for one, *both in zip_longest(own, every, parts(before)))
    else:
        assert own
        assert own == every[: len(own)]


def ended(folder: Path, name: str, numbers: list[int], seed: int) -> int:
    """Send a command each of the signals; return how many arrived in time."""
    random = Random(f"{name} {seed}")
    command, target = prepare(folder, name)
    before = target.read_bytes()
    began = monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    took = monotonic() - began
    whole, status = target.read_bytes(), done.returncode
    assert status in (0, 1, 3)
    early = 0
    for number in numbers:
        prepare(folder, name)
        began = monotonic()
        with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
            try:
                process.wait(random.uniform(0.1, 1.1) * took)
                took = monotonic() - began  # the machine has become faster
            except subprocess.TimeoutExpired:
                process.send_signal(number)
            stderr = process.communicate()[1]
        found = target.read_bytes()
        drafts = list(folder.glob(".spadille-*"))
        check(name, found, before, whole, number)
        if process.returncode == status:
            assert parts(found) == parts(whole)
            assert drafts == []
        elif number == signal.SIGKILL:
            assert process.returncode == -number
        elif process.returncode == 130:
            assert "Traceback" not in stderr
            assert drafts == []
        else:  # while Python starts
            assert parts(found) == parts(before)
        early += process.returncode != status
        for draft in drafts:
            draft.unlink()
    return early


@pytest.mark.ci
@pytest.mark.parametrize("number", part([signal.SIGKILL, signal.SIGINT], 0, 2))
def test_a_file_is_whole_or_as_it_was(tmp_path, number):
    ended(tmp_path, "fmt", [number], 1)


@pytest.mark.ci
@pytest.mark.parametrize("name", ["deal", "review --annotate", "batch export"])
def test_some_commands_ended_once_each_way(tmp_path, name):
    ended(tmp_path, name, [signal.SIGKILL, *END], 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_ended_again_and_again(tmp_path, name):
    numbers = [signal.SIGKILL] * 6 + [*END] * 6
    assert ended(tmp_path, name, numbers, 3)
