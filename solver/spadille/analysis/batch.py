"""Many deals on several threads: the engine lets go of the interpreter while it searches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from spadille.errors import ArgumentError, InternalError, SpadilleError
from spadille.search.engine import DEFAULT_MEMORY, Solver

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Found = TypeVar("Found")

# So many items for each thread are taken on before the first of them must be done.
_AHEAD = 64
_TICK = 0.02  # seconds


def answers(
    work: Callable[[Solver, Item], Found],
    items: Iterable[Item],
    threads: int = 1,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Found | SpadilleError]:
    """Yield what `parallel` does, with an exception in place of the one result it prevents.

    One that is no SpadilleError comes as InternalError.
    """

    def guarded(solver: Solver, item: Item) -> Found | SpadilleError:
        try:
            return work(solver, item)
        except SpadilleError as error:
            return error
        except Exception as error:
            return InternalError.of(error)

    return parallel(guarded, items, threads, memory)


def parallel(
    work: Callable[[Solver, Item], Found],
    items: Iterable[Item],
    threads: int = 1,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Found]:
    """Yield work(solver, item) for each item, in the order of the items.

    Each thread has a Solver of its own that keeps up to `memory` bytes; results are the same for
    any number of threads as long as `work` clears its table. An exception comes in its turn and
    ends the whole. When the iterator is left, by Ctrl-C for one, running searches stop at once.
    Raises ArgumentError for less than one thread.
    """
    if not isinstance(threads, int) or threads < 1:
        raise ArgumentError(f"threads are 1 or more, not {threads!r}")
    if not isinstance(items, Iterable):
        raise ArgumentError(f"deals or questions come one after another, not as {items!r}")
    if threads > 1:
        return _on_threads(work, items, threads, memory)
    solver = Solver(memory)
    return (work(solver, item) for item in items)


def _on_threads(
    work: Callable[[Solver, Item], Found], items: Iterable[Item], threads: int, memory: int
) -> Iterator[Found]:
    from concurrent.futures import CancelledError, ThreadPoolExecutor
    from queue import SimpleQueue
    from threading import Event
    from time import sleep

    solvers = [Solver(memory) for _ in range(threads)]
    free: SimpleQueue[Solver] = SimpleQueue()
    for solver in solvers:
        free.put(solver)

    stopping = Event()

    def run(item: Item) -> Found:
        solver = free.get()
        try:
            if stopping.is_set():
                raise CancelledError
            return work(solver, item)
        finally:
            free.put(solver)

    waiting: deque[Future[Found]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for item in items:
            waiting.append(pool.submit(run, item))
            while waiting and (waiting[0].done() or len(waiting) >= threads * _AHEAD):
                yield waiting[0].result()
                waiting.popleft()
        while waiting:
            yield waiting[0].result()
            waiting.popleft()
    finally:
        stopping.set()
        pool.shutdown(wait=False, cancel_futures=True)
        # Again and again: a search that is just about to begin has not heard the first call. What
        # was submitted as Ctrl-C came may not stand in `waiting`, so it is the solvers that count.
        while free.qsize() < threads:
            for solver in solvers:
                solver.interrupt()
            sleep(_TICK)
        pool.shutdown()
