"""Ctrl-C inside the process: it is never lost, and waits while results are written."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from spadille_cli import output
from spadille_cli.interrupt import heard, heeded, held
from spadille_cli.output import Output, Record, View

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

NOTHING = View((), lambda record: [], lambda records: [])


@pytest.fixture(autouse=True)
def heeding() -> Iterator[None]:
    """After an interruption the program is deaf, and these tests go on."""
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def test_one_that_python_drops_comes_again(capsys: pytest.CaptureFixture[str]) -> None:
    class Dropping:
        def __del__(self) -> None:
            ctrl_c()

    with heeded():
        here = Dropping()
        del here
        with pytest.raises(KeyboardInterrupt):
            time.sleep(5)
    assert capsys.readouterr().err == ""


def test_what_is_being_written_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records: list[Record] = [{"index": number} for number in range(5)]
    works = output._json

    def interrupted(record: Record) -> str:
        if record["index"] == 2:
            ctrl_c()
        return works(record)

    def slowly() -> Iterator[Record]:
        for record in records:
            yield record
            time.sleep(0.1)

    monkeypatch.setattr(output, "_json", interrupted)
    for kind in ("json", "jsonl"):
        target = tmp_path / kind
        with heeded(), pytest.raises(KeyboardInterrupt):
            Output(kind, str(target)).write(slowly(), NOTHING)
        text = target.read_text()
        found = json.loads(text) if kind == "json" else map(json.loads, text.splitlines())
        assert list(found) == records[:3]


def test_a_second_one_does_not_wait() -> None:
    with heeded(), held():
        ctrl_c()
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()


def test_one_on_its_way_up_is_enough() -> None:
    with heeded():
        try:
            ctrl_c()
        except KeyboardInterrupt:
            ctrl_c()
            time.sleep(0.2)
        heard(last=True)
        ctrl_c()


def test_what_was_before_comes_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with heeded():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
