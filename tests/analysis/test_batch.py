"""Many questions at a time: order, errors, early ends, whatever the number of threads."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from spadille.analysis.batch import parallel
from spadille.analysis.solve import solve
from spadille.contract import Contract
from spadille.deal import Deal


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
    began = time.monotonic()
    while time.monotonic() - began < 10:
        if not solve(DEAL, CONTRACT, solver=solver).finished:
            return True
    return False


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


@pytest.mark.parametrize("moment", [1, 2, 20])
def test_a_search_nobody_waits_for_yet_is_stopped_too(moment, monkeypatch):
    """As Ctrl-C comes, a question may have been handed over whose answer is not yet noted."""
    submit, handed = ThreadPoolExecutor.submit, []

    def submitted(*args):
        handed.append(submit(*args))
        if len(handed) == moment:
            time.sleep(0.1)  # the search begins
            raise KeyboardInterrupt
        return handed[-1]

    monkeypatch.setattr(ThreadPoolExecutor, "submit", submitted)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        list(parallel(lambda solver, question: search_until_stopped(solver), range(100), 2))
    assert time.monotonic() - began < 5
    assert handed[0].result() is True
