"""Runs that are interrupted and killed, again and again, end with the same bytes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import sleep

import pytest

from spadille.batch.exporting import export_ledger
from spadille.batch.filling import fill
from spadille.batch.job import Job
from spadille.batch.ledger import Ledger
from spadille.deal import Deal
from spadille.pbn.dump import numbered

PROGRAM = (sys.executable, "-m", "spadille")


def hand_file(path, number):
    """Deals with contracts, some of them with faults, some twice."""
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


def killed(command, ledger, after, number):
    """Run a command, and end it so long after it began to work; whether it had ended before."""
    working = Path(f"{ledger}-wal")  # which goes when it ends, unless it is killed
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not working.exists() and process.poll() is None:
            sleep(0.01)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        stderr = process.communicate()[1]
    assert "Traceback" not in stderr
    if number == signal.SIGKILL:
        return process.returncode != -signal.SIGKILL
    assert process.returncode in (3, 130), stderr
    return process.returncode == 3


def interrupted(folder, deals, kills, numbers, threads):
    path, ledger = folder / "deals.pbn", folder / "killed.db"
    hand_file(path, deals)
    with Ledger(folder / "whole.db", Job.of("solve")) as whole:
        fill(whole, [str(path)])
        export_ledger(whole, folder / "whole.jsonl", "jsonl")
    random = Random(kills)
    command = [*PROGRAM, "batch", "solve", str(path), "--into", str(ledger), "-j", str(threads)]
    over = False
    for _ in range(kills):
        over = killed(command, ledger, random.uniform(0, 3), random.choice(numbers))
        if over:
            ledger.unlink()
            sleep(0.1)
    assert subprocess.run(command, capture_output=True).returncode == 3
    with Ledger(ledger) as found:
        assert found.standing.missing == 0
        export_ledger(found, folder / "killed.jsonl", "jsonl")
    assert (folder / "killed.jsonl").read_bytes() == (folder / "whole.jsonl").read_bytes()


@pytest.mark.ci
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_few_ends(tmp_path, number, threads):
    interrupted(tmp_path, 5000, 4, [number], threads)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_hundred_kills(tmp_path, threads):
    interrupted(tmp_path, 20000, 50, [signal.SIGKILL], threads)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_two_hundred_interruptions(tmp_path, threads):
    interrupted(tmp_path, 20000, 100, [signal.SIGINT, signal.SIGTERM], threads)
