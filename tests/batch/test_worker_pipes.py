"""A worker and the process that uses it never block each other by waiting to write."""

from __future__ import annotations

from multiprocessing.connection import wait
from threading import Thread

import pytest

from spadille.batch.batch_question import Job, Keys
from spadille.batch.workers import Processes

# Each is answered at once with an error that quotes it, so the answers are as large as the tasks.
LONG = [f'[Board "{number:04}{"x" * 1000}"]\n' for number in range(2600)]


@pytest.mark.ci
def test_both_pipes_full_block_nobody():
    """Two tasks of 2.6 MB with answers of the same size pass through pipes of about 200 KB."""
    workers = Processes(Job.of("solve"), 1)
    found = []

    def ask():
        workers.give(1, LONG)
        wait([hand.pipe for hand in workers._hands])  # it writes more answers than the pipe holds
        workers.give(2, LONG)
        while len(found) < 2:
            found.extend(workers.finished(1))

    asking = Thread(target=ask, daemon=True)
    try:
        asking.start()
        asking.join(120)
        assert not asking.is_alive()
    finally:
        workers.close()
    assert [one.task for one in found] == [1, 2]
    for one in found:
        both = zip(LONG, one.answers, strict=True)
        assert all(question[8:-3] in answer for question, answer in both)


def test_a_question_with_lone_surrogates_has_a_key() -> None:
    """Such text comes from a file name or an argument that is not UTF-8."""
    keys = Keys(Job.of("solve"))
    assert keys.of("\udcff") != keys.of("\udcfe")
