"""Fuzzing with atheris, guided by coverage: python -m tests.fuzz.run PROPERTY SECONDS [--seed N].

A failing input is written as `crash-...` into the current folder; once it is understood, put it
into tests/fuzz/corpus.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import atheris

with atheris.instrument_imports(include=["spadille"], enable_loader_override=False):
    from tests.fuzz import grammar, properties


def fuzz(name: str, seconds: int, seed: int, folder: str) -> None:
    """Fuzz one property for some seconds; `folder` receives the inputs that reach new code."""
    check = properties.PROPERTIES[name]
    for number, data in enumerate(properties.corpus()):
        Path(folder, f"seed-{number}").write_bytes(data)
    random = Random(1)

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        random.seed(seed)
        if random.random() < 0.1:
            return grammar.hand_file(random).encode()[:most]
        return bytes(atheris.Mutate(data, most))

    def one(data: bytes) -> None:
        check(data.decode("utf-8", "replace"))

    limits = ["-max_len=8192", "-timeout=60", "-verbosity=1"]
    options = [f"-max_total_time={seconds}", f"-seed={seed}", *limits]
    atheris.Setup([sys.argv[0], *options, folder], one, custom_mutator=mutated)
    atheris.Fuzz()


def main() -> None:
    """Read the command line, and fuzz."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("property", choices=properties.PROPERTIES)
    parser.add_argument("seconds", type=int)
    parser.add_argument("--seed", type=int, default=0, help="0: another one each time")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        fuzz(given.property, given.seconds, given.seed, folder)


if __name__ == "__main__":
    main()
