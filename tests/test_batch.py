"""Many questions at a time: order, errors, early ends, whatever the number of threads."""

from __future__ import annotations

import threading
import time

import pytest

from spadille.analysis.batch import parallel
from spadille.analysis.solve import solve
from spadille.deal import Contract, Deal


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


def test_an_early_end_stops_searches_that_run():
    deal = Deal.parse(
        "N:AQ83.K74.QT5.KJ6 KJ5.AQ9.J872.Q85 T742.J83.AK6.T93 96.T652.943.A742",
        "solo-whist",
        current_trump="H",
    )
    contract = Contract.make(deal, "solo", "N")
    searching = threading.Event()
    stopped = []

    def work(solver, question):
        if question == 0:
            searching.wait()
        while question:
            searching.set()
            if not solve(deal, contract, solver=solver).finished:
                stopped.append(question)
                break

    answers = parallel(work, range(100), 3)
    next(answers)
    answers.close()
    assert 1 <= len(stopped) <= 3
