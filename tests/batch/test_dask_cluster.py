"""A real scheduler with workers in separate processes, one of which dies during the run."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from time import monotonic, sleep

import pytest

from spadille.batch.batch_question import Job
from spadille.batch.export_ledger import export_ledger
from spadille.batch.fill_ledger import fill
from spadille.batch.ledger import Ledger
from spadille.batch.workers import WorkerError
from tests.batch.test_interrupted import hand_file

pytest.importorskip("distributed")
pytestmark = pytest.mark.ci

SOLVE = Job.of("solve")


@contextmanager
def process(folder, *command):
    """Start a process that logs to a file; yield both, and end the process afterwards."""
    log = folder / f"{command[2].rpartition('.')[2]}-{monotonic()}.log"
    with log.open("w") as stream, subprocess.Popen(command, stdout=stream, stderr=stream) as one:
        try:
            yield one, log
        finally:
            one.kill()


@contextmanager
def cluster(folder, workers=2):
    """Start a scheduler with workers; yield its address and the processes of both."""
    with ExitStack() as stack:
        scheduler = (sys.executable, "-m", "distributed.cli.dask_scheduler")
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        alive, log = stack.enter_context(process(folder, *scheduler, *options))
        until = monotonic() + 60
        while not (found := re.search(r"Scheduler at:\s*(tcp://\S+)", log.read_text())):
            assert monotonic() < until, log.read_text()
            sleep(0.1)
        worker = (sys.executable, "-m", "distributed.cli.dask_worker", found[1])
        alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", folder)
        started = [
            stack.enter_context(process(folder, *worker, *map(str, alone)))[0]
            for _ in range(workers)
        ]
        yield found[1], started, alive


def exported(folder, name):
    with Ledger(folder / f"{name}.db") as ledger:
        assert ledger.standing.missing == 0
        export_ledger(ledger, folder / f"{name}.jsonl", "jsonl")
    return (folder / f"{name}.jsonl").read_bytes()


def test_a_worker_that_dies_costs_nothing_but_time(tmp_path):
    from spadille.batch.dask_cluster import Cluster

    path = tmp_path / "deals.pbn"
    hand_file(path, 3_000)
    with cluster(tmp_path) as (address, workers, _), Ledger(tmp_path / "x.db", SOLVE) as ledger:

        def tell(done):
            if done.answered > 800 and workers[0].poll() is None:
                os.kill(workers[0].pid, signal.SIGKILL)

        done = fill(ledger, [str(path)], workers=Cluster(SOLVE, address), tell=tell)
        assert workers[0].poll() == -signal.SIGKILL
        assert workers[1].poll() is None
    assert done.answered == done.asked
    with Ledger(tmp_path / "whole.db", SOLVE) as ledger:
        fill(ledger, [str(path)])
    assert exported(tmp_path, "x") == exported(tmp_path, "whole")


def test_a_scheduler_that_dies_ends_the_run_and_another_goes_on(tmp_path, capfd):
    from spadille.batch.dask_cluster import Cluster

    path = tmp_path / "deals.pbn"
    hand_file(path, 3_000)

    with cluster(tmp_path, 1) as (address, _, scheduler), Ledger(tmp_path / "x.db", SOLVE) as one:

        def tell(done):
            if done.answered > 800:
                scheduler.kill()

        with pytest.raises(WorkerError, match=f"the Dask scheduler at {address} is gone"):
            fill(one, [str(path)], workers=Cluster(SOLVE, address), tell=tell)
        assert one.standing.answers > 800
    assert "Traceback" not in capfd.readouterr().err
    with cluster(tmp_path, 1) as (address, _, _), Ledger(tmp_path / "x.db", SOLVE) as one:
        before = one.standing.answers
        done = fill(one, [str(path)], workers=Cluster(SOLVE, address))
        assert done.answered == one.standing.answers - before
    with Ledger(tmp_path / "whole.db", SOLVE) as ledger:
        fill(ledger, [str(path)])
    assert exported(tmp_path, "x") == exported(tmp_path, "whole")


def test_workers_of_another_version_are_refused(tmp_path, monkeypatch):
    from spadille.batch import dask_cluster as module

    with cluster(tmp_path, 1) as (address, _, _):
        monkeypatch.setattr(module, "engine", lambda: "another")
        with pytest.raises(WorkerError, match="have another version"):
            module.Cluster(SOLVE, address)


def test_where_there_is_no_scheduler_it_says_so(monkeypatch):
    from spadille.batch import dask_cluster as module

    monkeypatch.setattr(module, "_WAIT", 0.5)
    with pytest.raises(WorkerError, match="no Dask cluster"):
        module.Cluster(SOLVE, "tcp://127.0.0.1:9")


def test_local_workers_answer(tmp_path):
    from spadille.batch.dask_cluster import Cluster

    path = tmp_path / "deals.pbn"
    hand_file(path, 500)
    with Ledger(tmp_path / "x.db", SOLVE) as ledger:
        done = fill(ledger, [str(path)], workers=Cluster(SOLVE, "local", 2))
        assert done.answered == done.asked == ledger.standing.answers
