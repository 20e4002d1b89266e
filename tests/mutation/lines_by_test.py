"""Record which tests run which lines (a pytest plugin), and read the record.

The plugin records into the folder named by SPADILLE_COVERING, one context per test. A record has
generations: the first covers all tests, later ones test files that were added or changed. Each
generation keeps the sources it saw, so that lines can be matched after the sources change.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import pytest

FOLDER = os.environ.get("SPADILLE_COVERING")
LINES, TESTS, FILES, SOURCES = "lines", "tests", "files.json", "sources"
# These tests read sources as text, and would notice any change.
NOT_CHOSEN = (
    "tests/code_style/test_names_and_parameters.py",
    "tests/docs/test_docs.py",
    "tests/docs/test_version.py",
    "tests/knowledge/test_knowledge_mutations.py",
    "tests/mutation/",
)
FEW = 10
"""If fewer tests run a line, the other tests of their files are tried, too: a cached value is
computed only by the first test that needs it."""


def spent() -> float:
    """Return the processor time used by this process and those it has started."""
    return sum(os.times()[:4])


class Recorder:
    """Records the lines that each test runs, and how long the test takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seconds: dict[str, float] = {}
        self.bad: set[str] = set()
        from coverage import Coverage  # from the `mutation` extra

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
        began = spent()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = spent() - began
            self.lines.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.bad.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.lines.stop()
        self.lines.save()
        kept = {test: took for test, took in self.seconds.items() if test not in self.bad}
        (self.folder / f"{TESTS}.{os.getpid()}").write_text(json.dumps(kept))


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER:
        config.pluginmanager.register(Recorder(Path(FOLDER)))


class Generation:
    """The lines that some test files ran, in the sources as they were then."""

    def __init__(self, folder: Path, tree: Path) -> None:
        self.folder = folder
        self.tree = tree
        self.files: dict[str, str] = json.loads((folder / FILES).read_text())
        self.seconds: dict[str, float] = {}
        for path in folder.glob(f"{TESTS}.*"):
            self.seconds |= json.loads(path.read_text())
        from coverage import CoverageData

        self.data = CoverageData(str(folder / LINES))
        self.data.read()

    def lines(self, module: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the lines of a file, as it is now, with the tests that ran them."""
        source = self.folder / SOURCES / module
        if not source.exists():
            return
        then, now = (path.read_text().splitlines() for path in (source, self.tree / module))
        matches = SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
        moved = {a + i + 1: b + i + 1 for a, b, size in matches for i in range(size)}
        for line, tests in self.data.contexts_by_lineno(str(self.tree / module)).items():
            if line in moved:
                yield moved[line], tests


def begin(folder: Path, tree: Path, files: Mapping[str, str], sources: Sequence[str]) -> Path:
    """Return a new folder for a generation of these test files, given with their digests."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in sources:
        target = folder / SOURCES / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(tree / name, target)
    (folder / FILES).write_text(json.dumps(files))
    return folder


def finish(folder: Path) -> None:
    """Combine the records of all processes of a run."""
    from coverage import Coverage

    lines = Coverage(data_file=folder / LINES, config_file=False)
    lines.combine([str(folder)])
    lines.save()


def digest_of(path: Path) -> str:
    return blake2b(path.read_bytes(), digest_size=8).hexdigest()


class Reach(NamedTuple):
    """The tests that may notice a bug, most promising first."""

    tests: list[str]
    directly: bool  # whether they run the line, and not only other lines of its file


class Record:
    """The whole record."""

    def __init__(self, folders: Sequence[Path], tree: Path) -> None:
        self.tree = tree
        self.generations = [Generation(folder, tree) for folder in folders]
        self.newest = {
            name: one for one in self.generations for name in one.files if (tree / name).exists()
        }
        self.seconds = {
            test: took
            for one in self.generations
            for test, took in one.seconds.items()
            if self.is_of(one, test) and not test.startswith(NOT_CHOSEN)
        }

    def is_of(self, generation: Generation, test: str) -> bool:
        return self.newest.get(test.partition("::")[0]) is generation

    def files(self) -> dict[str, str]:
        """Return the latest recorded digests of the test files."""
        return {name: one.files[name] for name, one in self.newest.items()}

    @cache  # noqa: B019 -- there is one record
    def lines(self, module: str) -> dict[int, set[str]]:
        """Return the tests that run each line of a file."""
        found: dict[int, set[str]] = {}
        for one in self.generations:
            for line, tests in one.lines(module):
                own = {test for test in tests if test in self.seconds and self.is_of(one, test)}
                found.setdefault(line, set()).update(own)
        return found

    @cache  # noqa: B019 -- there is one record
    def bodies(self, module: str) -> dict[int, range]:
        """Return the lines in functions, each with those of the function's body.

        Defaults come before the body: they are evaluated at import, and used by its callers.
        """
        found: dict[int, range] = {}
        for node in ast.walk(ast.parse((self.tree / module).read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                last = node.end_lineno or node.lineno
                body = range(node.body[0].lineno, last + 1)
                found |= dict.fromkeys(range(node.lineno, last + 1), body)
        return found

    def reach(self, module: str, lines: tuple[int, int], statement: int, most: float) -> Reach:
        """Return the tests that run a line, fast ones first, up to a total number of seconds."""
        ran = self.lines(module)
        tests: set[str] = set()
        # For a line that runs at import, only the first test to import the module is recorded.
        if (body := self.bodies(module).get(lines[0])) is not None:
            default = lines[0] < body.start
            called = body if default else range(lines[0], lines[1] + 1)
            tests = {test for line in called for test in ran.get(line, ())}
            if not tests and not default:
                tests = ran.get(statement, tests)
        directly = bool(tests)
        more: set[str] = set()
        if not directly:  # run by imports or by separate processes
            tests = {test for found in ran.values() for test in found} or {*self.seconds}
            # Tests with the module's name among their parameters may use its data alone.
            name = Path(module).stem.replace("_", "-")
            tests |= {test for test in self.seconds if name in test.partition("[")[2]}
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
    """Return the folder of the tests of a file."""
    parts = Path(module).parts[2:]
    if parts[0] in ("core", "games"):
        return "tests/knowledge/" if "knowledge" in parts else "tests/rules/"
    return f"tests/{parts[0]}/"
