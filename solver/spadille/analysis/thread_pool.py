"""A pool of threads, each with its own solver.

An exception inside this module could leave threads that never end, so the command defers Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from queue import SimpleQueue
from threading import Thread
from time import sleep
from typing import TypeAlias

from spadille.search.engine import Solver

_TICK = 0.002  # seconds

Task: TypeAlias = Callable[[Solver], None]


class Crew:
    """Threads that take tasks from a queue inside a `with` block.

    At the end of the block, running searches stop and waiting tasks are dropped. A task must not
    raise.
    """

    def __init__(self, solvers: Iterable[Solver]) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._workers = [_Worker(solver, self._tasks) for solver in solvers]

    def __enter__(self) -> SimpleQueue[Task | None]:
        """Start the threads, and return the queue."""
        try:
            for worker in self._workers:
                worker.thread.start()
        except BaseException as error:
            self.stop()
            # If Ctrl-C interrupts `threading` itself, another exception may appear in its place.
            if isinstance(error.__context__, KeyboardInterrupt):
                raise error.__context__ from None
            raise
        return self._tasks

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop the running searches and prevent new ones, even if Ctrl-C interrupts this."""
        try:
            for worker in self._workers:
                worker.stopping = True
                self._tasks.put(None)
            # A search that is just starting may miss an interrupt, so interrupt repeatedly.
            while any(worker.busy for worker in self._workers):
                for worker in self._workers:
                    worker.solver.interrupt()
                sleep(_TICK)
            for worker in self._workers:
                if worker.thread.is_alive():
                    worker.thread.join()
        except KeyboardInterrupt:
            self.stop()
            raise


class _Worker:
    """A thread with its own solver."""

    def __init__(self, solver: Solver, tasks: SimpleQueue[Task | None]) -> None:
        self.solver = solver
        self.thread = Thread(target=self._run, args=(tasks,))
        self.stopping = False
        self.busy = False

    def _run(self, tasks: SimpleQueue[Task | None]) -> None:
        """Process tasks until None arrives; while stopping, discard them instead."""
        while (task := tasks.get()) is not None:
            self.busy = True
            if not self.stopping:
                task(self.solver)
            self.busy = False
