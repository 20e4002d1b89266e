"""Workers that answer questions: this process itself, or other processes on this machine.

`spadille.batch.dask_cluster` contains the workers of a cluster.

Worker processes are spawned, not forked, and each has its own pipe. Worker processes end when this
process ends, whatever the reason. If a worker dies, only the time spent on its tasks is lost.

A pipe has only a small buffer, while a task and its answers may be large. Each worker therefore has
a thread that only reads tasks. This process can then always finish writing a task and return to
reading answers, so neither side can block the other.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import NamedTuple, Protocol

from spadille.base.errors import SpadilleError
from spadille.batch.answerer import Answerer
from spadille.batch.batch_question import Job
from spadille.games import register, registered_games
from spadille.games.model.game import Game

_DEATHS = 3  # workers lost to one question before the batch gives up
_QUEUED = 2  # tasks queued per worker, so that it need not wait for the next one
_HEARD_BY_PARENT = (signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
_ENDS = (*_HEARD_BY_PARENT, signal.SIGTERM)


class WorkerError(SpadilleError):
    """Raised if workers crash on a question or run another version of spadille."""

    default_code = "worker-lost"


class Finished(NamedTuple):
    """The answers to a task."""

    task: int
    answers: list[str]
    seconds: float


class Workers(Protocol):
    """The interface for workers; a task is a list of questions."""

    seconds: float
    """The preferred duration of a task in seconds."""

    @property
    def free(self) -> bool:
        """Whether another task can be submitted."""

    def give(self, task: int, questions: Sequence[str]) -> None:
        """Submit a task."""

    def finished(self, timeout: float | None) -> list[Finished]:
        """Wait for a task to finish and return all that have; an empty list after `timeout`."""

    def close(self) -> None:
        """Stop all workers, including busy ones."""


class Alone:
    """The current process as the only worker."""

    seconds = 0.1

    def __init__(self, job: Job) -> None:
        self._answerer = Answerer(job)
        self._finished: list[Finished] = []

    @property
    def free(self) -> bool:
        """Whether another task can be submitted."""
        return not self._finished

    def give(self, task: int, questions: Sequence[str]) -> None:
        """Answer all questions before returning."""
        began = perf_counter()
        answers = self._answerer.answers(questions)
        self._finished.append(Finished(task, answers, perf_counter() - began))

    def finished(self, timeout: float | None) -> list[Finished]:
        """Return the answers to the last task."""
        finished, self._finished = self._finished, []
        return finished

    def close(self) -> None:
        """Do nothing: there is nothing to stop."""


@contextmanager
def _ends_held() -> Iterator[None]:
    """Until a new worker has its first data, hold back the signals that end this process.

    Otherwise, the worker might print an error to the terminal if its task is incomplete, or if
    Ctrl-C arrives before the worker ignores that signal. The worker starts with these signals
    blocked. If Ctrl-C is held back here, an alarm delivers it later.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # the worker unblocks them once it has started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (*_ENDS, signal.SIGALRM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Hand:
    """A worker process."""

    def __init__(self, job: Job) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        given = (str(job), registered_games(), theirs)
        self.process = context.Process(target=_work, args=given, daemon=True)
        self.process.start()
        theirs.close()
        self.tasks: deque[tuple[int, Sequence[str]]] = deque()
        self.answered = False


class Processes:
    """A number of worker processes on this machine."""

    seconds = 0.25

    def __init__(self, job: Job, number: int) -> None:
        self._job = job
        self._hands: list[_Hand] = []
        self._deaths: dict[int, int] = {}
        self._stillborn = 0  # consecutive deaths before any worker has answered
        try:
            for _ in range(number):
                with _ends_held():
                    self._hands.append(_Hand(job))
        except BaseException:
            self.close()
            raise

    @property
    def free(self) -> bool:
        """Whether another task can be submitted."""
        return any(len(hand.tasks) < _QUEUED for hand in self._hands)

    def give(self, task: int, questions: Sequence[str]) -> None:
        """Submit a task to the worker with the fewest tasks."""
        self._give(min(self._hands, key=lambda hand: len(hand.tasks)), task, questions)

    def _give(self, hand: _Hand, task: int, questions: Sequence[str]) -> None:
        hand.tasks.append((task, questions))
        with suppress(OSError):  # the worker has died, which `finished` will notice
            hand.pipe.send(questions)

    def finished(self, timeout: float | None) -> list[Finished]:
        """Return finished tasks; if there are none, wait up to `timeout` seconds for one."""
        hands = {hand.pipe: hand for hand in self._hands}
        finished = []
        for pipe in wait(list(hands), timeout):
            assert isinstance(pipe, Connection)
            hand = hands[pipe]
            try:
                answers, seconds = pipe.recv()
            except (EOFError, OSError):
                self._replace(hand)
                continue
            task, _ = hand.tasks.popleft()
            self._deaths.pop(task, None)
            hand.answered, self._stillborn = True, 0
            finished.append(Finished(task, answers, seconds))
        return finished

    def _replace(self, dead: _Hand) -> None:
        """Give a dead worker's tasks to a new one; raise WorkerError if too many workers die."""
        dead.process.join()
        code = dead.process.exitcode
        dead.pipe.close()
        self._stillborn += not dead.answered
        if self._stillborn > _DEATHS * len(self._hands):
            raise WorkerError(
                f"workers end (exit status {code}) before they answer anything; a program of your "
                'own must start them under `if __name__ == "__main__":`'
            )
        if dead.tasks:
            task, questions = dead.tasks[0]
            self._deaths[task] = self._deaths.get(task, 0) + 1
            if dead.answered and self._deaths[task] >= _DEATHS:
                raise WorkerError(
                    f"{_DEATHS} workers have ended (exit status {code}) over the same questions, "
                    f"beginning with {questions[0]!r}"
                )
        with _ends_held():
            hand = self._hands[self._hands.index(dead)] = _Hand(self._job)
        for task, questions in dead.tasks:
            self._give(hand, task, questions)

    def close(self) -> None:
        """Stop all worker processes."""
        for hand in self._hands:
            hand.process.kill()
            hand.pipe.close()
        for hand in self._hands:
            hand.process.join()


def _work(job: str, games: tuple[Game, ...], pipe: Connection) -> None:
    """Answer tasks from the pipe until this process ends.

    `games` are the games that are not included in spadille.
    """
    for game in games:
        register(game, replace=True)
    for number in _HEARD_BY_PARENT:  # a terminal sends Ctrl-C to the parent too
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (*_ENDS, signal.SIGALRM))
    tasks: SimpleQueue[Sequence[str]] = SimpleQueue()
    Thread(target=_receive, args=(pipe, tasks), daemon=True).start()
    answerer = Answerer(Job.parse(job))
    while True:
        questions = tasks.get()
        began = perf_counter()
        answers = answerer.answers(questions)
        try:
            pipe.send((answers, perf_counter() - began))
        except OSError:
            return


def _receive(pipe: Connection, tasks: SimpleQueue[Sequence[str]]) -> None:
    """Read tasks as they arrive; exit when the other end of the pipe is closed."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(1)
