"""Ctrl-C inside the process is never lost, and waits while results are written."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from spadille.batch.batch_question import Job
from spadille.batch.ledger import Ledger
from spadille_cli import batch, main, output_formats
from spadille_cli.exit_status import Status
from spadille_cli.interrupt import caught, heeded, interruption_held
from spadille_cli.output_formats import Output, Record, View

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

NOTHING = View((), lambda record: [], lambda records: [])


@pytest.fixture(autouse=True)
def heeding() -> Iterator[None]:
    """Restore the handler of Ctrl-C, since an interrupted program ignores further ones."""
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def test_one_that_python_drops_comes_again(capsys: pytest.CaptureFixture[str]) -> None:
    class Dropping:
        def __del__(self) -> None:
            ctrl_c()

    def drop() -> None:
        here = Dropping()
        del here
        time.sleep(5)

    with heeded(), pytest.raises(KeyboardInterrupt), caught():
        drop()
    assert capsys.readouterr().err == ""


@pytest.mark.ci
@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_what_is_being_written_is_written(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records: list[Record] = [{"index": number} for number in range(5)]
    works = output_formats.json_text

    def interrupted(record: Record) -> str:
        if record["index"] == 2:
            ctrl_c()
        return works(record)

    def slowly() -> Iterator[Record]:
        for record in records:
            yield record
            time.sleep(0.1)

    monkeypatch.setattr(output_formats, "json_text", interrupted)
    target = tmp_path / "results"
    with heeded(), pytest.raises(KeyboardInterrupt), caught():
        Output(kind, str(target)).write(slowly(), NOTHING)
    text = target.read_text()
    found = json.loads(text) if kind == "json" else map(json.loads, text.splitlines())
    assert list(found) == [{"schema": 1, **record} for record in records[:3]]


def test_a_ledger_is_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(Ledger):
        def _open(self, job: Job | None) -> None:
            ctrl_c()
            super()._open(job)

        def __enter__(self) -> Self:
            time.sleep(5)
            return self

    monkeypatch.setattr(batch, "Ledger", Interrupted)
    target, deals = str(tmp_path / "results.db"), str(tmp_path / "deals.pbn")
    with pytest.raises(SystemExit) as ended:
        main(["batch", "solve", deals, "--into", target])
    assert ended.value.code == Status.INTERRUPTED
    with Ledger(target) as ledger:
        assert ledger.standing.deals == 0


def test_a_second_one_does_not_wait() -> None:
    with heeded(), caught(), interruption_held():
        ctrl_c()
        with pytest.raises(KeyboardInterrupt):
            ctrl_c()


def test_one_on_its_way_up_is_enough() -> None:
    def clean_up() -> None:
        try:
            ctrl_c()
        finally:
            ctrl_c()
            time.sleep(0.2)

    with heeded():
        with pytest.raises(KeyboardInterrupt) as found, caught():
            clean_up()
        assert found.value.__context__ is None


def test_nobody_is_told_who_could_not_catch_it() -> None:
    with heeded():
        ctrl_c()
        time.sleep(0.1)
        with pytest.raises(KeyboardInterrupt), caught():
            raise AssertionError
        ctrl_c()
        time.sleep(0.1)


def test_threads_keep_their_locks() -> None:
    """An exception between releasing a lock and waiting would leave the lock without an owner."""

    class Shaken:
        def __init__(self) -> None:
            self.lock = threading.Lock()
            self.acquire = self.lock.acquire

        def __enter__(self) -> bool:
            return self.lock.__enter__()

        def __exit__(self, *error: object) -> None:
            self.lock.release()

        def release(self) -> None:
            self.lock.release()
            ctrl_c()

    def wait() -> None:
        condition = threading.Condition(Shaken())  # type: ignore[arg-type]
        with condition:
            condition.wait(0.01)
        time.sleep(5)

    with heeded(), pytest.raises(KeyboardInterrupt), caught():
        wait()


def test_what_was_before_comes_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with heeded():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_each_of_them_interrupts(name: str) -> None:
    with heeded(), pytest.raises(KeyboardInterrupt), caught():
        signal.raise_signal(getattr(signal, name))


@pytest.mark.ci
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_one_that_the_caller_ignores_stays_ignored(name: str) -> None:
    """Ctrl-C stays ignored under nohup and in the background jobs of a script."""
    number = getattr(signal, name)
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with heeded(), caught():
            signal.raise_signal(number)
            time.sleep(0.1)
    finally:
        signal.signal(number, before)
