"""Which tests run which lines: a pytest plugin that records it, and what reads the record.

The plugin records into the folder named by SPADILLE_COVERING, one context per test.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from coverage import Coverage, CoverageData

FOLDER = os.environ.get("SPADILLE_COVERING")
LINES, TESTS = "lines", "tests.json"
# They read sources as text, and would notice any change.
NOT_CHOSEN = (
    "tests/docs/test_docs.py",
    "tests/docs/test_names.py",
    "tests/docs/test_releasing.py",
    "tests/knowledge/test_knowledge_mutations.py",
    "tests/mutation/",
)
FEW = 10
"""With fewer tests on a line, the others of their files are tried, too: what is cached is computed
by the first of them alone."""


class Recorder:
    """Records the lines that each test runs, and how long it takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seconds: dict[str, float] = {}
        self.bad: set[str] = set()
        self.lines = Coverage(
            data_file=folder / LINES,
            data_suffix=True,
            source=[str(Path.cwd() / "solver"), str(Path.cwd() / "cli")],
            config_file=False,
            messages=False,
        )
        self.lines.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.lines.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self.lines.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.outcome != "passed":
            self.bad.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.lines.stop()
        self.lines.save()
        if "PYTEST_XDIST_WORKER" not in os.environ:
            kept = {test: took for test, took in self.seconds.items() if test not in self.bad}
            (self.folder / TESTS).write_text(json.dumps(kept))


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER:
        config.pluginmanager.register(Recorder(Path(FOLDER)))


class Reach(NamedTuple):
    """The tests that may notice a bug, most promising first."""

    tests: list[str]
    directly: bool  # they run the line; otherwise they run some of its file


class Record:
    """What was recorded."""

    def __init__(self, folder: Path, tree: Path) -> None:
        self.tree = tree
        self.seconds: dict[str, float] = {
            test: took
            for test, took in json.loads((folder / TESTS).read_text()).items()
            if not test.startswith(NOT_CHOSEN)
        }
        self.data = CoverageData(str(folder / LINES))
        self.data.read()

    @cache  # noqa: B019 -- there is one record
    def lines(self, module: str) -> dict[int, set[str]]:
        """Return the tests that run each line of a file."""
        found = self.data.contexts_by_lineno(str(self.tree / module))
        return {line: {*tests} & self.seconds.keys() for line, tests in found.items()}

    def reach(self, module: str, lines: tuple[int, int], statement: int, most: float) -> Reach:
        """Return the tests that run a line, up to so many seconds of them, the fast ones first."""
        ran = self.lines(module)
        tests = {test for line in range(lines[0], lines[1] + 1) for test in ran.get(line, ())}
        tests = tests or ran.get(statement, set())
        directly = bool(tests)
        more: set[str] = set()
        if not directly:  # run by imports, or by processes of their own
            tests = {test for found in ran.values() for test in found}
        elif len(tests) < FEW:
            files = {test.partition("::")[0] for test in tests}
            more = {test for test in self.seconds if test.partition("::")[0] in files} - tests
        folder = _folder(module)

        def rank(test: str) -> tuple[bool, float, str]:
            return not test.startswith(folder), self.seconds[test], test

        chosen, took = [], 0.0
        for test in (*sorted(tests, key=rank), *sorted(more, key=rank)):
            took += self.seconds[test]
            if took > most:
                break
            chosen.append(test)
        return Reach(chosen, directly)


def _folder(module: str) -> str:
    """Return the folder of the tests that are about a file."""
    part = Path(module).parts[2].removesuffix(".py")
    part = "rules" if part in ("games", "rules", "bidding", "validate") else part
    return f"tests/{part}/"
