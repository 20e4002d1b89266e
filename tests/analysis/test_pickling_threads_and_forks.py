"""Results pass to other processes, and several threads and forks work at the same time."""

from __future__ import annotations

import copy
import os
import pickle
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from errno import ENOMEM
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import pytest

import spadille
from spadille.base.cached import cached_property
from spadille.base.errors import InternalError
from tests.support.tiers import part

EXAMPLES = Path(__file__).parents[2] / "examples"


def results():
    """Return one result of each kind, by name."""
    deal = spadille.load(EXAMPLES / "german-solo.pbn")[0]
    played = next(one for one in spadille.load(EXAMPLES / "evenings" / "german-solo.pbn"))
    asked = played.deal, played.contract
    cards = played.play.cards
    yield "rules", deal.rules
    yield "game", deal.rules.game
    yield "deal", deal.deal
    yield "contract", deal.contract
    yield "solve", spadille.solve(deal.deal, deal.contract, leads=True, line=True, swaps=True)
    yield "table", spadille.table(deal.deal, contracts=["solo"])
    yield "best", spadille.best(deal.deal, seats="N")
    yield "card_values", spadille.card_values(deal.deal, deal.contract)
    yield "review", spadille.review(*asked, cards, refutations=True)
    yield "before_play", spadille.before_play(*asked, played.calls[1] if played.calls else ())
    yield "chances", spadille.chances(*asked, cards[:24], drawing=spadille.Drawing(samples=4))
    yield (
        "best_chances",
        spadille.best_chances(
            deal.deal, "N", contracts=["solo"], drawing=spadille.Drawing(samples=4)
        ),
    )
    yield "score", spadille.score([played])
    yield "limits", spadille.Limits()
    yield "drawing", spadille.Drawing(samples=5)
    yield "deals", list(spadille.deals("german-solo", 2, seed=1))
    yield "sheet", spadille.show(deal.deal)


def test_results_can_be_pickled_and_copied():
    for name, result in results():
        for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
            assert other == result, name
            assert repr(other) == repr(result), name
            if hasattr(result, "to_dict"):
                assert other.to_dict() == result.to_dict(), name


def test_a_hand_file_can_be_pickled():
    file = spadille.load(EXAMPLES / "ombre.pbn")
    other = pickle.loads(pickle.dumps(file))
    assert [(one.deal, one.contract, one.faults) for one in other] == [
        (one.deal, one.contract, one.faults) for one in file
    ]


def work(number):
    found = []
    for entry in spadille.load(EXAMPLES / "german-solo.pbn"):
        found.append(spadille.solve(entry.deal, entry.contract))
        found.append(spadille.card_values(entry.deal, entry.contract))
    return [*map(repr, found), *map(repr, spadille.deals("ombre", 3, seed=number % 2))]


def test_eight_threads_find_the_same():
    expected = [work(0), work(1)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(16)))
    assert found == expected * 8


class Slow:
    """Has a property that one object computes only when the test releases it."""

    def __init__(self, event=None):
        self.event = event

    @cached_property
    def value(self):
        """The cached value."""
        return self.event is None or self.event.wait(60)


def ended(child, seconds=60.0):
    """Return the exit status of a child process, or None if it had to be killed."""
    until = monotonic() + seconds
    while monotonic() < until:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
def test_a_fork_does_not_wait_for_threads_it_has_not():
    """Fork while another thread computes a property, and after the engine has been used."""
    work(0)
    event = Event()
    first = Slow(event)
    thread = Thread(target=lambda: first.value)
    thread.start()
    child = os.fork()
    if not child:
        try:
            assert Slow().value
            spadille.load(EXAMPLES / "german-solo.pbn")[0].deal  # noqa: B018
            work(1)
        finally:
            os._exit(0)
    try:
        assert ended(child)
        assert Slow().value  # another object does not wait either
    finally:
        event.set()
        thread.join()
    assert first.value is first.value is True


def test_no_module_takes_properties_that_have_a_lock():
    package = Path(spadille.__file__).parent
    for path in [*package.rglob("*.py"), *package.parents[1].glob("cli/**/*.py")]:
        assert "from functools import cached_property" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(ENOMEM, "Cannot allocate memory"),
        ImportError("engine.so: failed to map segment from shared object"),
    ],
)
def test_out_of_memory_is_no_internal_error(error):
    error = InternalError.of(error)
    assert str(error).startswith("out of memory")
    assert error.code == "out-of-memory"
    assert InternalError.of(ImportError("no module named spadille")).code == "internal"


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space as on Linux")
@pytest.mark.parametrize("megabytes", part([22, 25, 28, 40], 2, 4))
def test_a_limit_of_memory_is_told(megabytes):
    """Report modules or an engine that cannot be loaded, and a deal for which memory is short."""
    limit = megabytes << 20
    done = subprocess.run(
        [sys.executable, "-m", "spadille", "check", str(EXAMPLES / "ombre.pbn")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        assert done.returncode == 3
        assert done.stderr.startswith("spadille: out of memory")
