"""Plant small bugs in the Python code, one at a time, and count how many the tests notice.

    python -m tests.mutation.mutate_python --keep FOLDER [--seed N] [--number N]

The bugs are drawn at random from those of `python_mutants.py` over `MODULES`. For each bug, the
default tests that run the changed line are run until one fails; tests that also fail without the
bug are ignored. FOLDER keeps a copy of the tree, which test runs which line, and the results: the
same command continues an interrupted run. A bug that was noticed is not tried again; one that was
not is tried again once the tree has changed. Prints the bugs that were not noticed, and the share
of those that were, with its 95% interval (Clopper-Pearson); the exit status is 1 if the lower bound
is below --least. The bugs of `EQUIVALENT` in `equivalent_mutants.py` change nothing observable and
do not count. Needs the package installed with its test extra, and coverage.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

import hypothesis  # noqa: F401 -- imported once, before processes are forked
import pytest

from tests.mutation import lines_by_test
from tests.mutation.equivalent_mutants import EQUIVALENT
from tests.mutation.python_mutants import Mutant, draw, mutants_of

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    "games/model/*.py",
    "games/*.py",
    "pbn/*.py",
    "core/validate/*.py",
    "core/knowledge/*.py",
    "batch/batch_question.py",
    "analysis/chances/*.py",
)
PLUGINS = ("-p", "no:cacheprovider")
STEPS = (0, 12, 60)  # tests run before each check of the result; most bugs are noticed early
MEMORY = 8 << 30
GRACE = 30  # seconds of processor time allowed beyond the tests' own time
SLOWER = 5  # factor by which tests may be slower
IDLE = 900  # seconds without any work after which a process counts as stuck
CAUGHT, SURVIVED = "caught", "survived"


def files_of(top: Path) -> list[str]:
    """Return the files of the working tree that git does not ignore."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others"]
    found = subprocess.run(
        [*command, "--exclude-standard"], cwd=top, check=True, capture_output=True, text=True
    ).stdout
    return sorted(name for name in found.split("\0") if name and (top / name).exists())


def digest_of(top: Path, files: Sequence[str]) -> str:
    """Return a digest of everything that a test may depend on."""
    digest = blake2b(digest_size=8)
    for name in files:
        if not name.startswith(("docs/", ".ci/", "tests/mutation/")) and not name.endswith(".md"):
            digest.update(name.encode() + b"\0" + (top / name).read_bytes())
    return digest.hexdigest()


class Workplace:
    """A copy of the tree in which bugs are planted, and what is known about its tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tree = folder / "tree"
        self.temporary = folder / "tmp"
        files = files_of(ROOT)
        self.digest = digest_of(ROOT, files)
        stamp = folder / "digest"
        if not stamp.exists() or stamp.read_text() != self.digest:
            stamp.unlink(missing_ok=True)
            self.copy(files)
            self.record(files)
            stamp.write_text(self.digest)
        self.reached = lines_by_test.Record(self.generations(), self.tree)
        self.reliable: set[str] = set()
        """Tests that failed with a bug and passed without it."""
        self.unreliable: set[str] = set()
        """Test functions that failed without a bug, such as those that start a browser, which needs
        a larger address space than the limit allows."""

    def copy(self, files: Sequence[str]) -> None:
        """Copy the tree, and the engine from where it is installed."""
        shutil.rmtree(self.tree, ignore_errors=True)
        for name in files:
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
        program = "from spadille.search import engine; print(engine.__file__)"
        found = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        for path in Path(found.stdout.strip()).parent.glob("*.so"):
            shutil.copy2(path, self.tree / "solver" / "spadille" / "search")

    def generations(self) -> list[Path]:
        """Return the folders of the record, the oldest first."""
        return sorted(path.parent for path in self.folder.glob(f"*/{lines_by_test.LINES}"))

    def environment(self) -> dict[str, str]:
        """Return the environment variables with which everything is imported from the copy."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir(parents=True)
        return {
            "PYTHONPATH": f"{self.tree / 'solver'}{os.pathsep}{self.tree / 'cli'}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.temporary / "hypothesis"),
            "TMPDIR": str(self.temporary),
        }

    def record(self, files: Sequence[str]) -> None:
        """Run the default tests of new and changed files once, noting the lines that each runs."""
        known = lines_by_test.Record(self.generations(), self.tree).files()
        changed: dict[str, dict[str, str]] = {}
        for name in files:
            if name.startswith("tests/") and Path(name).match("test_*.py"):
                digest = lines_by_test.digest_of(self.tree / name)
                if known.get(name) != digest:
                    changed.setdefault(str(Path(name).parent), {})[name] = digest
        # One folder at a time, so that an interruption loses little.
        for folder, tests in changed.items():
            print(f"recording which lines {len(tests)} files of {folder} run", file=sys.stderr)
            self.record_files(tests, files)

    def record_files(self, tests: Mapping[str, str], files: Sequence[str]) -> None:
        """Run some test files, given with their digests, and note the lines that each test runs."""
        place = lines_by_test.begin(
            self.folder / f"recorded-{len(self.generations()):03}",
            self.tree,
            tests,
            [name for name in files if name.startswith("solver/") and name.endswith(".py")],
        )
        environment = self.environment()
        environment["PYTHONPATH"] += f"{os.pathsep}{self.tree}"
        del environment["PYTHONDONTWRITEBYTECODE"]
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *PLUGINS, "-p", lines_by_test.__name__, *tests],
            cwd=self.tree,
            env={**os.environ, **environment, "SPADILLE_COVERING": str(place)},
            stdout=sys.stderr,
        )
        lines_by_test.finish(place)

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Plant a bug in the copy for the duration of the context."""
        path = self.tree / mutant.module
        source, status = path.read_bytes(), path.stat()
        path.write_bytes(mutant.planted(source))
        # Python compares the time of a source, in seconds, with the one stored in its byte code.
        os.utime(path, (1, int.from_bytes(blake2b(mutant.name.encode(), digest_size=3).digest())))
        try:
            yield
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def run(self, tests: Sequence[str]) -> str:
        """Run tests in a separate process until one fails.

        Return that test, or why the run ended, or "" if all passed.
        """
        os.environ.update(self.environment())
        told = self.folder / "failed"
        told.unlink(missing_ok=True)
        allowed = int(SLOWER * sum(map(self.reached.seconds.__getitem__, tests))) + GRACE
        child = os.fork()
        if not child:
            _run_here(self.tree, tests, told, allowed)
        worked, since = 0, time.monotonic()
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and (now := _work(child)) != worked:
                worked, since = now, time.monotonic()
            if ended or time.monotonic() > since + IDLE:
                break
            time.sleep(0.05)
        with suppress(ProcessLookupError):  # processes that the tests left running
            os.killpg(child, signal.SIGKILL)
        if not ended:
            os.waitpid(child, 0)
            return "does not end"
        if told.exists():
            return told.read_text()
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            return "does not end" if number == signal.SIGXCPU else f"signal {number}"
        return f"status {os.WEXITSTATUS(status)}" if os.WEXITSTATUS(status) else ""


class Chosen:
    """A pytest plugin that runs these tests, in this order, and notes the first that fails."""

    def __init__(self, tests: Sequence[str], told: Path) -> None:
        self.rank = {test: index for index, test in enumerate(tests)}
        self.told = told

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.rank),
            key=lambda item: self.rank[item.nodeid],
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.told.exists():
            self.told.write_text(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.told.exists():
            self.told.write_text(f"import of {report.nodeid}")


def _work(process: int) -> int:
    """Return the processor time of a process, which a busy machine does not change."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))


def _run_here(tree: Path, tests: Sequence[str], told: Path, allowed: int) -> None:
    """Run tests in this process, and exit."""
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    os.chdir(tree)
    sys.path[:0] = [str(tree / "solver"), str(tree / "cli")]
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]  # the tests must import their modules from the copy
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    options = ["-q", "-x", "-n0", *PLUGINS, "--hypothesis-seed=0"]
    status = pytest.main([*options, *files], plugins=[Chosen(tests, told)])
    os._exit(int(status))


def function_of(test: str) -> str:
    """Return the name of a test without its parameters."""
    return test.partition("[")[0]


def judge(place: Workplace, mutant: Mutant, most: float) -> dict[str, object]:
    """Return the result for a bug."""
    reach = place.reached.reach(mutant.module, mutant.lines, mutant.statement, most)
    while True:
        tests = [test for test in reach.tests if function_of(test) not in place.unreliable]
        failed = ""
        for start, stop in itertools.pairwise((*STEPS, len(tests))):
            if not failed and tests[start:stop]:
                with place.planted(mutant):
                    failed = place.run(tests[start:stop])
        if failed not in place.reached.seconds or failed in place.reliable:
            break
        # A test that also fails without the bug proves nothing.
        if not place.run([failed]):
            place.reliable.add(failed)
            break
        print(f"fails by itself: {failed}", file=sys.stderr)
        place.unreliable.add(function_of(failed))
    result = {"mutant": mutant.name, "result": CAUGHT if failed else SURVIVED, "by": failed}
    return {**result, "tests": len(tests), "reached": reach.directly, "tree": place.digest}


class Results:
    """The outcome of each bug, one per line of a file."""

    def __init__(self, path: Path, digest: str) -> None:
        self.path = path
        self.digest = digest
        self.known: dict[str, dict[str, object]] = {}
        for line in path.read_text().splitlines() if path.exists() else ():
            try:
                found = json.loads(line)
            except json.JSONDecodeError:  # the process was killed while writing it
                continue
            self.known[found["mutant"]] = found

    def get(self, mutant: Mutant) -> dict[str, object] | None:
        found = self.known.get(mutant.name)
        if found and (found["result"] == CAUGHT or found["tree"] == self.digest):
            return found
        return None

    def add(self, found: dict[str, object]) -> None:
        self.known[str(found["mutant"])] = found
        with self.path.open("a") as file:
            file.write(json.dumps(found) + "\n")


def drawn(place: Workplace, number: int, seed: int) -> list[Mutant]:
    """Draw bugs at random over all modules."""
    top = place.tree / "solver" / "spadille"
    paths = sorted({path for pattern in MODULES for path in top.glob(pattern)})
    return draw([mutant for path in paths for mutant in mutants_of(place.tree, path)], number, seed)


def report(mutants: Sequence[Mutant], results: Results, least: float) -> int:
    """Print the results; return the exit status."""
    from spadille.analysis.confidence_intervals import clopper_pearson

    missed = [mutant.name for mutant in mutants if results.known[mutant.name]["result"] != CAUGHT]
    same = [name for name in missed if name in EQUIVALENT]
    for name in missed:
        print(f"{'equivalent' if name in EQUIVALENT else 'survives  '} {name}")
    caught, counted = len(mutants) - len(missed), len(mutants) - len(same)
    low, high = clopper_pearson(caught, counted)
    print(f"{len(mutants)} bugs, {len(same)} equivalent, {caught} of the other {counted} noticed:")
    print(f"{caught / counted:.1%}, 95% interval {low:.1%} to {high:.1%}")
    whole = clopper_pearson(caught, len(mutants))
    print(f"with the equivalent ones {caught / len(mutants):.1%}, {whole[0]:.1%} to {whole[1]:.1%}")
    return 0 if low >= least else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--number", type=int, default=200, help="bugs (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    parser.add_argument("--least", type=float, default=0.85, help="lower bound (default: 0.85)")
    parser.add_argument(
        "--seconds", type=float, default=60, help="of tests for each bug (default: 60)"
    )
    options = parser.parse_args()
    keep = options.keep.resolve()
    keep.mkdir(parents=True, exist_ok=True)
    place = Workplace(keep)
    results = Results(keep / "results.jsonl", place.digest)
    mutants = drawn(place, options.number, options.seed)
    # Bugs that were never tried come first.
    for number, mutant in enumerate(sorted(mutants, key=lambda each: each.name in results.known)):
        if results.get(mutant) is None:
            found = judge(place, mutant, options.seconds)
            results.add(found)
            told = f"{found['result']} {mutant.name} | {found['by']}"
            print(f"{number + 1}/{len(mutants)} {told}", file=sys.stderr, flush=True)
    return report(mutants, results, options.least)


if __name__ == "__main__":
    raise SystemExit(main())
