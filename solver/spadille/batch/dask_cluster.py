"""Workers on a Dask cluster; this needs the `dask` extra (`pip install 'spadille[dask]'`).

All progress is recorded in the ledger. The scheduler has only a few tasks at a time. If the
scheduler loses tasks, they are submitted again. When a worker dies, only the time spent on its
tasks is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from logging import CRITICAL, getLogger
from time import monotonic, perf_counter, sleep
from typing import Any

from spadille.batch.answerer import Answerer
from spadille.batch.batch_question import Job, engine
from spadille.batch.workers import Finished, WorkerError
from spadille.games import register, registered_games
from spadille.games.model.game import Game

_IN_FLIGHT = 3  # tasks in flight per thread of the cluster
_WAIT = 60.0  # seconds to wait for the first worker
_TICK = 0.005
_LOG = 10  # messages kept for debugging; at the default of 1000, all questions would take 80 MB


class Cluster:
    """The workers of a Dask scheduler (see `spadille.batch.workers.Workers`)."""

    seconds = 1.0

    def __init__(self, job: Job, address: str, workers: int = 1) -> None:
        """Connect to the scheduler at `address`; for "local", start `workers` processes here.

        Raises ImportError if distributed is not installed, and WorkerError if there is no scheduler
        or no worker, or if a worker has another version of spadille.
        """
        from dask import config
        from distributed import Client, as_completed
        from distributed.comm.addressing import get_address_host_port

        self._job = str(job)
        self._address = address
        # If the scheduler is lost, this logger would print a traceback; `finished` raises an error
        # instead.
        getLogger("distributed.client").setLevel(CRITICAL)
        try:
            if address != "local":
                get_address_host_port(address)
        except ValueError as error:
            raise WorkerError(
                f"{address!r} is not an address such as tcp://10.0.0.1:8786: {error}"
            ) from error
        try:
            with config.set({"distributed.admin.low-level-log-length": _LOG}):
                if address == "local":
                    self._client = Client(
                        n_workers=workers, threads_per_worker=1, dashboard_address=None
                    )
                else:
                    self._client = Client(address, timeout=_WAIT, set_as_default=False)
            self._client.wait_for_workers(1, timeout=_WAIT)
        except (OSError, TimeoutError) as error:
            raise WorkerError(f"no Dask cluster at {address}: {error}") from error
        try:
            self._check_versions()
        except BaseException:
            self._client.close()
            raise
        self._done = as_completed(loop=self._client.loop)
        self._tasks: dict[Any, tuple[int, Sequence[str]]] = {}
        self._looked = 0.0
        self._threads = self._count()

    def _check_versions(self) -> None:
        """Raise WorkerError unless all workers have the same version as this process."""
        self._engines = self._client.run(_engine)
        ours = engine()
        others = {where: theirs for where, theirs in self._engines.items() if theirs != ours}
        if others:
            where, theirs = next(iter(others.items()))
            raise WorkerError(
                f"{len(others)} of {len(self._engines)} workers have another version: {where} has"
                f" {theirs}, this process has {ours}"
            )

    def _count(self) -> int:
        """Return the number of threads in the cluster, asking for it once a second."""
        if monotonic() - self._looked > 1:
            self._looked = monotonic()
            with self._connected():
                self._threads = max(sum(self._client.nthreads().values()), 1)
        return self._threads

    @property
    def free(self) -> bool:
        """Whether another task can be submitted."""
        return len(self._tasks) < _IN_FLIGHT * self._count()

    def give(self, task: int, questions: Sequence[str]) -> None:
        """Submit a task."""
        with self._connected():
            future = self._client.submit(
                *(_answers, self._job, registered_games(), engine(), list(questions)),
                pure=False,
                retries=2,
            )
        self._tasks[future.key] = (task, questions)
        self._done.add(future)

    def finished(self, timeout: float | None) -> list[Finished]:
        """Wait for a task to finish and return all that have; an empty list after `timeout`."""
        until = None if timeout is None else monotonic() + timeout
        # Poll with short sleeps, because Ctrl-C cannot interrupt Dask's own wait.
        while not (done := self._done.next_batch(block=False)) and self._tasks:
            if until is not None and monotonic() > until:
                break
            sleep(_TICK)
        return [self._taken(future) for future in done]

    def _taken(self, future: Any) -> Finished:
        task, _ = self._tasks.pop(future.key)
        if future.status == "error":
            raise WorkerError(f"a task of the cluster failed: {future.exception()}")
        if future.status != "finished":
            raise self._gone()
        answers, seconds = future.result()
        future.release()
        return Finished(task, answers, seconds)

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Raise WorkerError if the scheduler is gone."""
        from distributed.client import ClosedClientError

        try:
            yield
        except (ClosedClientError, OSError) as error:
            raise self._gone() from error

    def _gone(self) -> WorkerError:
        return WorkerError(
            f"the Dask scheduler at {self._address} is gone; once it is running again, repeat the"
            " same command to continue"
        )

    def close(self) -> None:
        """Cancel all tasks and disconnect; stop the cluster if it was started here."""
        with suppress(WorkerError), self._connected():
            self._client.cancel([*self._tasks])
        self._client.close()


def _engine() -> str:
    return engine()


_answerers: dict[tuple[str, int], Answerer] = {}


def _answers(
    job: str, games: tuple[Game, ...], version: str, questions: list[str]
) -> tuple[list[str], float]:
    """Answer the questions of a task; each thread of a worker keeps its own Solver."""
    for game in games:
        register(game, replace=True)
    from threading import get_ident

    if version != engine():
        raise WorkerError(f"this worker has version {engine()}, not {version}")
    key = job, get_ident()
    if key not in _answerers:
        _answerers[key] = Answerer(Job.parse(job))
    began = perf_counter()
    return _answerers[key].answers(questions), perf_counter() - began
