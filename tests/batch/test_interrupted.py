"""Runs that are interrupted or killed many times produce the same bytes in the end."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Timer
from time import sleep
from unittest.mock import Mock

import pytest

from spadille.batch import workers
from spadille.batch.batch_question import Job
from spadille.batch.export_ledger import export_ledger
from spadille.batch.ledger import Ledger
from spadille.core.deal import Deal
from spadille.pbn.write_deals import numbered
from spadille_cli.interrupt import caught, heeded, interruption_held

EVENINGS = Path(__file__).parents[2] / "examples" / "evenings"
PROGRAM = (sys.executable, "-m", "spadille")


def hand_file(path, number):
    """Return deals with contracts; some are invalid and some occur twice."""
    random = Random(5)
    deals = [Deal.random("german-solo", seed) for seed in range(number)]
    blocks = []
    for text in numbered(deals):
        seat, trump = random.choice("NESW"), random.choice("SHDC")
        text = text.replace('[Declarer "?"]', f'[Declarer "{seat}"]')
        text = text.replace('[Contract "?"]', f'[Contract "solo"]\n[Trump "{trump}"]')
        blocks.append(text)
    for at in random.sample(range(number), number // 50):
        blocks[at] = blocks[at].replace(".", "", 1)
    for at in random.sample(range(number), number // 20):
        blocks[at] = random.choice(blocks)
    path.write_text("\n".join(blocks), encoding="utf-8")


def ended(command, ledger, after, number, statuses, within=None):
    """Run a command and send it a signal after a delay; return whether it had ended before."""
    working = Path(f"{ledger}-wal")  # removed at the end of a run, unless the run is killed
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while not working.exists() and process.poll() is None:
            sleep(0.01)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            if number in (signal.SIGINT, signal.SIGHUP):  # as a terminal does, its workers included
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
        stderr = process.communicate(timeout=within)[1]
    # A worker started just before the program was killed has no task yet and runs none of our code.
    unborn = stderr.count("EOFError: Ran out of input") if number == signal.SIGKILL else 0
    assert stderr.count("Traceback") == unborn, stderr
    if number == signal.SIGKILL:
        return process.returncode != -signal.SIGKILL
    assert process.returncode in (*statuses, 130), stderr
    return process.returncode in statuses


def exported(ledger):
    with Ledger(ledger) as found:
        standing = found.standing
        assert standing.missing == standing.elsewhere == 0
        assert standing.files == standing.whole
        export_ledger(found, f"{ledger}.jsonl", "jsonl")
    return Path(f"{ledger}.jsonl").read_bytes()


def interrupted(folder, words, files, kills, numbers, after=3.0, within=None):
    """Interrupt a command that fills a ledger until it completes; check the ledger's contents."""
    whole, ledger = folder / "whole.db", folder / "ended.db"
    first = subprocess.run([*PROGRAM, *words, *files, "--into", whole], capture_output=True)
    statuses = (0, 3)
    assert first.returncode in statuses
    random = Random(f"{words} {kills}")
    command = [*PROGRAM, *words, *files, "--into", str(ledger)]
    signals = [random.choice(numbers) for _ in range(kills)]
    # A killed process leaves its working files behind, so SIGKILL comes last.
    for number in sorted(signals, key=lambda one: one == signal.SIGKILL):
        if ended(command, ledger, random.uniform(0, after), number, statuses, within):
            for path in folder.glob("ended.db*"):
                path.unlink()
    again = subprocess.run(command, capture_output=True)
    assert again.returncode == first.returncode
    assert exported(ledger) == exported(whole)


def solve_and_end(folder, deals, kills, numbers, threads, after=3.0):
    path = folder / "deals.pbn"
    hand_file(path, deals)
    words = ["batch", "solve", "-j", str(threads)]
    interrupted(folder, words, [str(path)], kills, numbers, after)


ENDS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.mark.ci
@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_few_ends(tmp_path, threads):
    solve_and_end(tmp_path, 800, 3, ENDS, threads, after=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_hundred_kills(tmp_path, threads):
    solve_and_end(tmp_path, 20000, 50, [signal.SIGKILL], threads)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGALRM"])
def test_no_worker_is_left_half_started(name, monkeypatch):
    """A new worker gets its task before an interruption, or a second one, takes effect."""
    number = getattr(signal, name)
    told = []

    class Hand:
        process = pipe = Mock()

        def __init__(self, job):
            signal.raise_signal(number)
            told.append(job)

    def interrupt(number, frame):
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "_Hand", Hand)
    before = signal.signal(number, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            workers.Processes(Job.of("solve"), 2)
    finally:
        signal.signal(number, before)
    assert len(told) == 1


@pytest.fixture
def hearing():
    """Restore the handler of Ctrl-C, since an interrupted program ignores further ones."""
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.ci
@pytest.mark.usefixtures("hearing")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_one_that_comes_while_another_program_writes_is_heard(name, tmp_path):
    """SQLite itself would wait for half a minute, without handling signals."""
    path = str(tmp_path / "ledger.db")
    with Ledger(path, Job.of("solve")) as ledger, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        Timer(0.3, os.kill, (os.getpid(), getattr(signal, name))).start()
        with heeded(), pytest.raises(KeyboardInterrupt), caught(), ledger.batch(interruption_held):
            pytest.fail("nothing can be written")
        other.execute("ROLLBACK")
        with ledger.batch():
            ledger.file("deals.pbn")


@pytest.mark.ci
def test_a_batch_ends_while_another_program_writes(tmp_path):
    path, deals = str(tmp_path / "ledger.db"), tmp_path / "deals.pbn"
    hand_file(deals, 3)
    with Ledger(path, Job.of("solve")), closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        words = [*PROGRAM, "batch", "solve", str(deals), "--into", path]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
            waiting = Path(f"/proc/{process.pid}/fd")
            while waiting.exists() and not any(
                path in os.readlink(one) for one in waiting.iterdir() if one.is_symlink()
            ):
                sleep(0.05)
            sleep(1)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=25)[1]
    assert process.returncode in (2, 130), said
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_hundred_signals_on_a_busy_machine(tmp_path, threads):
    """Each signal ends the batch within half a minute, even on a busy machine."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(6)]
    try:
        path = tmp_path / "deals.pbn"
        hand_file(path, 20000)
        words = ["batch", "solve", "-j", str(threads)]
        interrupted(tmp_path, words, [str(path)], 50, ENDS[1:], within=30)
    finally:
        for process in busy:
            process.kill()
            process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_two_hundred_interruptions(tmp_path, threads):
    solve_and_end(tmp_path, 20000, 100, [signal.SIGINT, signal.SIGTERM], threads)


OTHERS = {
    "table": ("table", 150),
    "best": ("best", 50),
    "best --chances": ("best --seat N --chances --samples 20", 4),
    "review": ("review", 0),
    "review --chances": ("review --chances --samples 20", 0),
    "score": ("score", 0),
    "score --chances": ("score --chances --samples 20", 0),
}


def end_another(folder, name, kills, threads, evenings, part=1):
    words, deals = OTHERS[name]
    deals //= part
    if deals:
        files = [folder / "deals.pbn"]
        hand_file(*files, deals)
    else:
        files = [*evenings, EVENINGS.parent / "ombre.pbn"]
    words = ["batch", *words.split(), "-j", str(threads)]
    interrupted(folder, words, [str(path) for path in files], kills, ENDS, 1.5)


@pytest.mark.ci
@pytest.mark.parametrize("name", ["table", pytest.param("best --chances", marks=pytest.mark.slow)])
def test_other_questions_go_on(tmp_path, name):
    end_another(tmp_path, name, 2, 1, (), part=2)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", OTHERS)
def test_every_question_goes_on_again_and_again(tmp_path, name, threads):
    end_another(tmp_path, name, 12, threads, sorted(EVENINGS.glob("*.pbn")))


@pytest.mark.parametrize(
    ("kills", "deals"),
    [pytest.param(2, 1000, marks=pytest.mark.ci), pytest.param(30, 2000, marks=pytest.mark.slow)],
)
def test_a_merge_goes_on(tmp_path, kills, deals):
    path = tmp_path / "deals.pbn"
    hand_file(path, deals)
    parts = [str(tmp_path / f"{number}.db") for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        words = ["batch", "solve", str(path), "--into", part, "--shard", f"{number}/3"]
        subprocess.run([*PROGRAM, *words], capture_output=True)
    interrupted(tmp_path, ["batch", "merge"], parts, kills, ENDS, after=0.2)
