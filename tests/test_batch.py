"""Many questions at a time: order, errors, early ends, whatever the number of threads."""

from __future__ import annotations

import threading
import time

import pytest

from spadille.batch import run
from spadille.deal import Contract, Deal
from spadille.errors import DealError
from spadille.solve import solve


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_answers_come_in_order(threads):
    def work(question, solver):
        time.sleep(0.001 * (question % 3))
        return question * 2

    assert list(run(work, iter(range(100)), threads)) == [2 * n for n in range(100)]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_solver_is_used_by_one_thread_at_a_time(threads):
    used = {}

    def work(question, solver):
        assert used.setdefault(solver, threading.get_ident()) == threading.get_ident()
        time.sleep(0.001)
        del used[solver]
        return id(solver)

    assert 1 <= len(set(run(work, range(50), threads))) <= threads


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_stands_in_the_place_of_the_answer(threads):
    def work(question, solver):
        if question % 2:
            raise DealError(f"no {question}")
        return question

    first, second, third = run(work, range(3), threads)
    assert (first, third) == (0, 2)
    assert isinstance(second, DealError)


@pytest.mark.parametrize("threads", [1, 2])
def test_other_exceptions_are_not_swallowed(threads):
    def work(question, solver):
        return 1 // question

    with pytest.raises(ZeroDivisionError):
        list(run(work, [1, 0, 1], threads))


def test_an_early_end_stops_searches_that_run():
    deal = Deal.parse(
        "N:AQ83.K74.QT5.KJ6 KJ5.AQ9.J872.Q85 T742.J83.AK6.T93 96.T652.943.A742",
        "solo-whist",
        current_trump="H",
    )
    contract = Contract.make(deal, "solo", "N")
    stopped = []

    def work(question, solver):
        while question:
            if not solve(deal, contract, solver=solver).finished:
                stopped.append(question)
                break

    answers = run(work, range(100), 3)
    next(answers)
    answers.close()
    assert 1 <= len(stopped) <= 3
