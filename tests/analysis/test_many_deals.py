"""Solve many questions at once: order, errors and early stops, for any number of threads."""

from __future__ import annotations

import threading
import time

import pytest

from spadille.analysis.many_deals import parallel
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_answers_come_in_order(threads):
    def work(solver, question):
        time.sleep(0.001 * (question % 3))
        return question * 2

    assert list(parallel(work, iter(range(100)), threads)) == [2 * n for n in range(100)]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_solver_is_used_by_one_thread_at_a_time(threads):
    used = {}

    def work(solver, question):
        assert used.setdefault(solver, threading.get_ident()) == threading.get_ident()
        time.sleep(0.001)
        del used[solver]
        return id(solver)

    assert 1 <= len(set(parallel(work, range(50), threads))) <= threads


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_comes_in_its_turn(threads):
    def work(solver, question):
        return 1 // question

    answers = parallel(work, [1, 0, 1], threads)
    assert next(answers) == 1
    with pytest.raises(ZeroDivisionError):
        next(answers)


DEAL = Deal.parse(
    "N:AQ83.K74.QT5.KJ6 KJ5.AQ9.J872.Q85 T742.J83.AK6.T93 96.T652.943.A742",
    "solo-whist",
    current_trump="H",
)
CONTRACT = Contract.make(DEAL, "solo", "N")


def search_until_stopped(solver):
    return any(not solve(DEAL, CONTRACT, solver=solver).finished for _ in range(300))


def test_an_early_end_stops_searches_that_run():
    searching = threading.Event()
    stopped = []

    def work(solver, question):
        if question == 0:
            searching.wait()
        else:
            searching.set()
            if search_until_stopped(solver):
                stopped.append(question)

    answers = parallel(work, range(100), 3)
    next(answers)
    answers.close()
    assert 1 <= len(stopped) <= 3


def until_interrupted(moment):
    """Interrupt when question `moment` is requested; return whether each running search stopped."""
    searching = threading.Event()
    stopped = []

    def work(solver, question):
        searching.set()
        stopped.append(search_until_stopped(solver))

    def questions():
        yield from range(moment)
        searching.wait()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(parallel(work, questions(), 2))
    return stopped


@pytest.mark.parametrize("moment", [1, 2, 20])
def test_a_search_nobody_waits_for_yet_is_stopped_too(moment):
    """Ctrl-C stops a search that has been handed to a thread but that nobody awaits yet."""
    stopped = until_interrupted(moment)
    assert stopped == [True] * len(stopped)
    assert 1 <= len(stopped) <= 2


def test_an_interruption_while_threads_start_is_one(monkeypatch):
    """Inside `threading`, an interruption may surface as an error from a lock."""

    def start(thread):
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        list(parallel(lambda solver, question: question, range(100), 2))


def test_a_second_interruption_stops_them_all_the_same(monkeypatch):
    interruptions = iter([KeyboardInterrupt] * 3)

    def slept(seconds):
        for error in interruptions:
            raise error
        time.sleep(seconds)

    monkeypatch.setattr("spadille.analysis.thread_pool.sleep", slept)
    stopped = until_interrupted(2)
    assert stopped == [True] * len(stopped)
    assert not [*interruptions]
