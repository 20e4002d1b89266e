"""Settings of the whole test run."""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings

from spadille.games import _FILES, GAMES
from spadille.games.outside_games import VARIABLE
from spadille.pages import wasm_module

# Background jobs of a shell ignore Ctrl-C, and programs under nohup ignore hangups. Without these
# lines, every program that tests start would ignore them, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Examples have no time limit, since a busy machine is not an error in the code. SPADILLE_EXAMPLES
# selects a profile with more examples.
settings.register_profile("default", deadline=None, max_examples=30)
settings.register_profile("ci", deadline=None, max_examples=100)
settings.register_profile("long", deadline=None, max_examples=300)
settings.load_profile(os.environ.get("SPADILLE_EXAMPLES", "default"))


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of processors available; pytest-xdist itself may count half of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep only the first cases of a test in the default tier, if `first_cases` gives a number."""
    cases: Counter[str] = Counter()
    for item in items:
        first = item.get_closest_marker("first_cases")
        if first and not item.get_closest_marker("ci"):
            name = item.nodeid.partition("[")[0]
            cases[name] += 1
            if cases[name] > first.args[0]:
                item.add_marker(pytest.mark.ci)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking through modules and tests again and again."""
    gc.collect()
    gc.freeze()


STALE = not wasm_module.is_current()


def pytest_report_header() -> str | None:
    """Say so if the tests of pages do not test the engine in them."""
    return "the engine for pages is stale: python csrc/wasm.py builds it" if STALE else None


@pytest.fixture(autouse=True, scope="session")
def _any_module() -> None:
    """Let pages be tested although the engine has changed since its module was built."""
    wasm_module.is_current = lambda: True


@pytest.fixture(autouse=True)
def _same_games() -> Iterator[None]:
    """Forget the games that a test registers."""
    before = dict(GAMES), dict(_FILES), os.environ.pop(VARIABLE, None)
    yield
    games, files, listed = before
    if games != GAMES:
        GAMES.clear()
        GAMES.update(games)
        _FILES.clear()
        _FILES.update(files)
    os.environ.pop(VARIABLE, None)
    if listed is not None:
        os.environ[VARIABLE] = listed
