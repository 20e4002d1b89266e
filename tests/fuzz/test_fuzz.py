"""Test the fuzzers, and their properties on the corpus and on random hand files."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import commands, grammar, properties

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


def test_every_command_is_fuzzed():
    assert commands.tried() == commands.names()


STARTS = sorted({*commands.WITHOUT_FILES, *(line.words.split()[0] for line in commands.LINES)})


@pytest.mark.first_cases(2)
@pytest.mark.parametrize("command", STARTS)
@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param(range(3), id="few"),
        pytest.param(range(3, 6), marks=pytest.mark.ci, id="more"),
        pytest.param(range(6, 40), marks=pytest.mark.slow, id="many"),
    ],
)
def test_no_command_fails_or_loses_a_sound_deal(command, numbers):
    for number in numbers:
        one = commands.drawn(1, number, command)
        try:
            commands.check(one)
        except Exception as error:
            error.add_note(f"try {number} of {command}: {one}")
            raise


def test_a_lost_deal_is_found(monkeypatch):
    line = commands.LINES[3]
    sound = commands.named(0, "sound-a"), commands.named(1, "sound-b")
    text = "\n".join((*sound[:1], commands.NOTHING, *sound[1:]))
    one = commands.Try((*line.words.split(), commands.FILE), text.encode(), line, sound)
    commands.check(one)
    works = commands.run

    def losing(*words):
        done = works(*words)
        return done._replace(stdout="".join(done.stdout.splitlines(True)[:-1]))

    monkeypatch.setattr(commands, "run", losing)
    with pytest.raises(AssertionError, match="sound-b is lost"):
        commands.check(one)


@pytest.mark.ci
@pytest.mark.parametrize("name", properties.PROPERTIES)
@pytest.mark.parametrize(
    "seed", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in range(4, 12))]
)
def test_more_hand_files_by_their_grammar(name, seed):
    random = Random(seed)
    for _ in range(5 if name == "commands" else 60):
        properties.PROPERTIES[name](grammar.hand_file(random))


# A fixed seed in CI, without the commands, which take half a minute to load; long runs use a new
# seed each time.
SHORT = [
    pytest.param(name, 1, 1, marks=pytest.mark.ci)
    for name in properties.PROPERTIES
    if name != "commands"
]
LONG = [pytest.param(name, 1800, 0, marks=pytest.mark.slow) for name in properties.PROPERTIES]


@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.parametrize(("name", "seconds", "seed"), [*SHORT, *LONG])
def test_fuzzers_find_nothing(name, seconds, seed, tmp_path):
    command = [sys.executable, "-m", "tests.fuzz.run", name, str(seconds), "--seed", str(seed)]
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
