"""Process many deals on several threads: the engine releases the GIL while it searches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import TypeVar

from spadille.base.argument_checks import thread_count
from spadille.base.errors import ArgumentError, SpadilleError, attempt, quoted
from spadille.search.engine import DEFAULT_MEMORY, Solver

Item = TypeVar("Item")
Answer = TypeVar("Answer")

# At most this many items per thread are started before the first of them is done.
_AHEAD = 64


def answers(
    work: Callable[[Solver, Item], Answer],
    items: Iterable[Item],
    threads: int = 1,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Answer | SpadilleError]:
    """Yield the same results as `parallel`, but yield errors instead of raising them.

    An exception other than a SpadilleError becomes an InternalError.
    """
    return parallel(partial(result_or_error, work), items, threads, memory)


def result_or_error(
    work: Callable[[Solver, Item], Answer], solver: Solver, item: Item
) -> Answer | SpadilleError:
    """Return the result of `work`, or the error raised instead."""
    return attempt(partial(work, solver, item))


def spread(
    work: Callable[[Solver, Item, int], Answer],
    items: Iterable[Item],
    threads: int = 1,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Answer | SpadilleError]:
    """Like `answers`, but `work` takes a third argument, the number of threads.

    A single item may use all threads; each of several items uses one.
    """
    threads = _checked(items, threads)
    if threads == 1:
        return answers(lambda solver, item: work(solver, item, 1), items, 1, memory)

    def results() -> Iterator[Answer | SpadilleError]:
        rest = iter(items)
        first_two = list(islice(rest, 2))
        alone = len(first_two) < 2

        def worked(solver: Solver, item: Item) -> Answer:
            return work(solver, item, threads if alone else 1)

        yield from answers(worked, chain(first_two, rest), 1 if alone else threads, memory)

    return results()


def parallel(
    work: Callable[[Solver, Item], Answer],
    items: Iterable[Item],
    threads: int = 1,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Answer]:
    """Yield work(solver, item) for each item, in the order of the items.

    Each thread has its own Solver with a table of up to `memory` bytes. Results do not depend on
    the number of threads if `work` clears this table. An exception in `work` is raised when its
    result is due, and the iteration then ends. If the iterator is closed, for example by Ctrl-C,
    running searches stop at once. Raises ArgumentError if the number of threads is not between 1
    and 1,024.
    """
    threads = _checked(items, threads)
    if threads > 1:
        return _on_threads(work, items, threads, memory)
    solver = Solver(memory)
    return (work(solver, item) for item in items)


def _checked(items: object, threads: object) -> int:
    """Return the number of threads; raise ArgumentError if an argument is invalid."""
    number = thread_count(threads)
    if not isinstance(items, Iterable):
        raise ArgumentError(f"expected an iterable of deals or questions, not {quoted(items)}")
    return number


def _on_threads(
    work: Callable[[Solver, Item], Answer], items: Iterable[Item], threads: int, memory: int
) -> Iterator[Answer]:
    """Yield the results of several threads, in the order of the items.

    Ctrl-C can interrupt this thread at any point. This thread therefore waits only for
    SimpleQueues, which survive such an exception. The locks of `threading`, and everything built on
    them, do not survive it.
    """
    from queue import SimpleQueue

    from spadille.analysis.thread_pool import Crew

    waiting: deque[SimpleQueue[Callable[[], Answer]]] = deque()

    def task(item: Item) -> Callable[[Solver], None]:
        answer: SimpleQueue[Callable[[], Answer]] = SimpleQueue()
        waiting.append(answer)
        return lambda solver: answer.put(attempted(work, solver, item))

    with Crew([Solver(memory) for _ in range(threads)]) as tasks:
        for item in items:
            tasks.put(task(item))
            while waiting and (not waiting[0].empty() or len(waiting) >= threads * _AHEAD):
                yield waiting.popleft().get()()
        while waiting:
            yield waiting.popleft().get()()


def attempted(
    work: Callable[[Solver, Item], Answer], solver: Solver, item: Item
) -> Callable[[], Answer]:
    """Call `work`, and return a function that returns the result or raises the exception."""
    try:
        result = work(solver, item)
    except BaseException as error:
        raised = error
    else:
        return lambda: result

    def fail() -> Answer:
        raise raised

    return fail
