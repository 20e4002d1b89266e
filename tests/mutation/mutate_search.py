"""Break the search on purpose, one rule at a time, and check whether the tests notice.

    python -m tests.mutation.mutate_search [--jobs N] [--positions N] [--only NAME ...]
        [--answers FILE]

Brute force answers all questions about dense positions once (about 20 ms a position); the real
engine and each broken engine then answer the same questions. A broken engine without a wrong value
then gets positions made to break the bounds, whose value must be that of their best successor. Last
come larger positions, on which it must agree with itself: with and without a kept table, and on the
value and the best card. It gets at least --enough positions of each kind, and more until a value is
wrong. Prints the table of docs/mutations.md. The exit status is 1 if the real engine is wrong, or
if no wrong value was found in a broken engine that the table does not list as surviving. Needs the
package installed with its test extra, Cython and a C++ compiler (CXX, default c++).
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tests.mutation.all_mutations import MUTATIONS, Mutation
from tests.mutation.marked_mutation import marked

ROOT = Path(__file__).resolve().parents[2]
BATCH = 1_000  # positions per seed
LOPSIDED = 88_000  # positions made to break the bounds
TURNS = 4_000  # questions that each differ in one respect from the previous one
LARGE = 20_000  # positions too large for brute force
SECONDS = 900  # a broken engine may never end
FLAGS = ["-std=c++20", "-O1", "-fPIC", f"-I{sysconfig.get_paths()['include']}"]
# Only the plain search is broken: this halves the work and runs on every machine.
NO_FAST_PATH = """
#include "solver.hpp"
namespace spadille {
bool fast_path() { return false; }
std::unique_ptr<Solver> make_fast(std::size_t) { return nullptr; }
}
"""


class Outcome(NamedTuple):
    """The outcome for one engine."""

    asked: int  # number of positions
    wrong: int  # number of positions with a wrong value
    first: int  # number of the first wrong position, counted from 1; 0 if there is none
    by: str = "brute force"
    failure: str = ""  # why it crashed or did not end


def compiler() -> list[str]:
    return os.environ.get("CXX", "c++").split()


def run(command: Iterable[str | Path]) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{done.args}:\n{done.stdout}{done.stderr}")


def compile_into(target: Path, source: Path, includes: Path) -> Path:
    run([*compiler(), *FLAGS, f"-I{includes}", "-c", source, "-o", target])
    return target


def link(target: Path, objects: Iterable[Path]) -> Path:
    undefined = ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    run([*compiler(), "-shared", *undefined, *objects, "-o", target])
    return target


class Builder:
    """Compiles the objects of the engine, and builds engines with some of them replaced."""

    def __init__(
        self, place: Path, prepare: Callable[[Path], object] = lambda sources: None
    ) -> None:
        self.place = place
        self.sources = place / "csrc"
        shutil.copytree(ROOT / "csrc", self.sources)
        prepare(self.sources)
        (self.sources / "search_fast.cpp").write_text(NO_FAST_PATH)
        binding = place / "engine.cpp"
        pyx = ROOT / "solver" / "spadille" / "search" / "engine.pyx"
        run([sys.executable, "-m", "cython", "-3", "--cplus", pyx, "-o", binding])
        for_pages = self.sources / "wasm.cpp"
        self.objects = {
            source.stem: compile_into(place / f"{source.stem}.o", source, self.sources)
            for source in (binding, *sorted({*self.sources.glob("*.cpp")} - {for_pages}))
        }

    def engine(self) -> Path:
        return link(self.place / "engine.so", self.objects.values())

    def broken(self, mutation: Mutation) -> Path:
        """Build the engine with one mutation."""
        name = dict(marked())[mutation.name]

        def change(place: Path) -> None:
            (place / name).write_text(mutation.broken((place / name).read_text()))

        changed = {
            "goal_automaton.cpp": ["goal_automaton"],
            "goal_automaton.hpp": ["goal_automaton", "search_plain"],
        }
        return self.rebuilt(mutation.name, change, changed.get(name, ["search_plain"]))

    def rebuilt(
        self, name: str, change: Callable[[Path], object], stems: Iterable[str] = ("search_plain",)
    ) -> Path:
        """Build an engine whose sources `change` edits, recompiling the objects of `stems`."""
        place = self.place / name
        shutil.copytree(self.sources, place)
        change(place)
        objects = self.objects | {
            stem: compile_into(place / f"{stem}.o", place / f"{stem}.cpp", place) for stem in stems
        }
        return link(place / "engine.so", objects.values())


def judge_batch(seed: int, number: int) -> bytes:
    """Return positions with brute force's answers, pickled."""
    from tests.support.engine_questions import interleaved, judged

    cases = islice(interleaved(seed, batch=50, chunk=25), number)
    return pickle.dumps([(case, judged(case)) for case in cases])


def judge_all(place: Path, number: int, pool: Executor) -> None:
    place.mkdir(parents=True, exist_ok=True)
    missing = [
        seed for seed in range(-(-number // BATCH)) if not (place / f"{seed}.pickle").exists()
    ]
    batches = pool.map(judge_batch, missing, [BATCH] * len(missing))
    for seed, batch in zip(missing, batches, strict=True):
        (place / f"{seed}.pickle").write_bytes(batch)
        print(f"brute force: {BATCH} positions of seed {seed}", file=sys.stderr)


def load(engine: Path) -> None:
    """Load this file as the module spadille.search.engine."""
    spec = spec_from_file_location("spadille.search.engine", engine)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules["spadille.search.engine"] = module
    spec.loader.exec_module(module)


def ask(engine: Path, answers: Path, number: int, enough: int, always: bool) -> Outcome:
    """Ask an engine in this process."""
    load(engine)
    total = Outcome(0, 0, 0)
    for by, rights, most in (
        ("brute force", ask_judged(answers), number),
        ("alternating questions", ask_by_turns(), TURNS),
        ("successors", ask_lopsided(), LOPSIDED),
        ("larger position", ask_large(), LARGE),
    ):
        found = count(rights, most, most if always else enough)
        if found.first and not always:
            return found._replace(by=by)
        total = Outcome(total.asked + found.asked, total.wrong + found.wrong, 0)
    return total


def count(rights: Iterable[bool], number: int, enough: int) -> Outcome:
    asked = wrong = first = 0
    for right in islice(rights, number):
        asked += 1
        if not right:
            wrong += 1
            first = first or asked
        if first and asked >= enough:
            break
    return Outcome(asked, wrong, first)


def ask_judged(answers: Path) -> Iterator[bool]:
    """Yield for each position whether the engine agrees with brute force."""
    from tests.support.engine_questions import askers

    for seed in itertools.count():
        kept = askers(1 << 16 if seed % 4 == 3 else 64 << 20, plain=True)
        for case, expected in pickle.loads((answers / f"{seed}.pickle").read_bytes()):
            wrong = [kind for asker in kept for kind in asker.wrong(case, expected)]
            yield not wrong


def ask_lopsided() -> Iterator[bool]:
    """Yield for each position whether its value is that of its best successor."""
    from spadille.search.engine import Solver
    from tests.support.pathological_positions import FAMILIES, positions, sound

    kept, fresh = Solver(plain=True, patience=0), Solver(plain=True)
    families = [positions(make, "mutations") for make in FAMILIES]
    while True:
        for family in families:
            for question in islice(family, 50):
                yield sound(kept, fresh, question)


def ask_by_turns() -> Iterator[bool]:
    """Yield whether the engine uses a table for one question only."""
    from tests.support.engine_questions import by_turns

    return by_turns(5)


def ask_large() -> Iterator[bool]:
    """Yield whether the engine agrees with itself."""
    from spadille.search.engine import Solver
    from tests.support.engine_questions import LARGE as SIZES
    from tests.support.engine_questions import agree, interleaved

    kept, fresh = Solver(plain=True, patience=0), Solver(plain=True, patience=0)
    for case in interleaved(1, batch=100, chunk=50, sizes=SIZES):
        yield agree(kept, fresh, case)


def ask_apart(
    engine: Path, answers: Path, number: int, enough: int, always: bool = False
) -> Outcome:
    """Ask an engine in a separate process, since it may crash."""
    command = [
        sys.executable,
        "-m",
        "tests.mutation.mutate_search",
        "--ask",
        engine,
        "--answers",
        answers,
    ]
    command += ["--always"] if always else []
    command += ["--positions", str(number), "--enough", str(enough)]
    try:
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return Outcome(0, 0, 0, failure="does not end")
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"signal {-done.returncode}"])[-1]
        return Outcome(0, 0, 0, failure=f"crash: {last}")
    return Outcome(*json.loads(done.stdout))


def row(mutation: Mutation, outcome: Outcome) -> str:
    wrong = f"{outcome.wrong:,} of {outcome.asked:,}"
    if outcome.failure:
        result = f"{outcome.failure} |  | "
    elif outcome.first:
        result = f"{outcome.by} | {outcome.first:,} | {wrong}"
    else:
        result = f"**survives** | none | {wrong}"
    return f"| `{mutation.name}` | {mutation.rule} | {result} |"


def not_found() -> list[str]:
    """Return the mutations that docs/mutations.md lists as not found."""
    text = (ROOT / "docs" / "mutations.md").read_text(encoding="utf-8")
    return re.findall(
        r"^\| `(\S+)` \|.*(?:\*\*survives\*\*|made-for position) \|", text, re.MULTILINE
    )


def outcomes(
    builder: Builder,
    mutations: list[Mutation],
    jobs: int,
    judge: Callable[[Path], Outcome],
) -> Iterator[Outcome]:
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda mutation: judge(builder.broken(mutation)), mutations)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--enough", type=int, default=5_000)
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[m.name for m in MUTATIONS])
    parser.add_argument("--answers", type=Path, help="directory that keeps brute force's answers")
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--always", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        number, enough = options.positions, options.enough
        print(json.dumps(ask(options.ask, options.answers, number, enough, options.always)))
        return 0

    mutations = [mutation for mutation in MUTATIONS if mutation.name in options.only]
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        answers = options.answers or place / "answers"

        def judge(engine: Path) -> Outcome:
            return ask_apart(engine, answers, options.positions, options.enough)

        with ProcessPoolExecutor(options.jobs) as pool:
            judge_all(answers, options.positions, pool)
        builder = Builder(place)
        sound = ask_apart(builder.engine(), answers, options.positions, options.positions, True)
        print(f"The engine as it is: {sound.asked} positions, {sound.wrong} wrong", sound.failure)
        print("\n| mutation | rule | noticed by | first wrong | wrong |")
        print("|---|---|---|---|---|", flush=True)
        survivors = []
        for mutation, outcome in zip(
            mutations, outcomes(builder, mutations, options.jobs, judge), strict=True
        ):
            print(row(mutation, outcome), flush=True)
            if not outcome.first and not outcome.failure:
                survivors.append(mutation.name)
    print(f"\n{len(mutations)} mutations, {len(survivors)} survive: {', '.join(survivors)}")
    new = [name for name in survivors if name not in not_found()]
    if new:
        print(f"found before: {', '.join(new)}")
    return 1 if new or sound.wrong or sound.failure else 0


if __name__ == "__main__":
    raise SystemExit(main())
