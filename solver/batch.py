"""Many deals at a time: one solver to a thread, results in the order of the questions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, TypeVar

from spadille.engine import DEFAULT_MEMORY, Solver
from spadille.errors import SpadilleError

if TYPE_CHECKING:
    from concurrent.futures import Future

Question = TypeVar("Question")
Answer = TypeVar("Answer")

# Questions handed out ahead of the one whose answer is awaited, for each thread.
_AHEAD = 8


def run(
    work: Callable[[Question, Solver], Answer],
    questions: Iterable[Question],
    threads: int = 1,
    memory: int = DEFAULT_MEMORY,
) -> Generator[Answer | SpadilleError]:
    """Do `work` on each question, yielding answers in order whatever the number of threads.

    A SpadilleError is yielded in the place of the answer; anything else `work` raises ends the
    iteration. Each solver keeps up to `memory` bytes. When the iteration ends early, on Ctrl-C
    for example, searches that are running are stopped.
    """
    if threads == 1:
        solver = Solver(memory)
        for question in questions:
            yield _answer(work, question, solver)
    else:
        yield from _run_threads(work, questions, threads, memory)


def _answer(
    work: Callable[[Question, Solver], Answer], question: Question, solver: Solver
) -> Answer | SpadilleError:
    try:
        return work(question, solver)
    except SpadilleError as error:
        return error


def _run_threads(
    work: Callable[[Question, Solver], Answer],
    questions: Iterable[Question],
    threads: int,
    memory: int,
) -> Generator[Answer | SpadilleError]:
    from concurrent.futures import ThreadPoolExecutor, wait

    solvers = [Solver(memory) for _ in range(threads)]
    idle = deque(solvers)

    def answer(question: Question) -> Answer | SpadilleError:
        solver = idle.pop()
        try:
            return _answer(work, question, solver)
        finally:
            idle.append(solver)

    waiting: deque[Future[Answer | SpadilleError]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for question in questions:
                waiting.append(pool.submit(answer, question))
                if len(waiting) > threads * _AHEAD:
                    yield waiting[0].result()
                    waiting.popleft()
            while waiting:
                yield waiting[0].result()
                waiting.popleft()
        finally:
            running = [future for future in waiting if not future.cancel()]
            # Again and again: work that asks several questions begins another search.
            while wait(running, timeout=0.02).not_done:
                for solver in solvers:
                    solver.interrupt()
