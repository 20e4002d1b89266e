"""Fuzzing with atheris, led by coverage: python tests/fuzz/run.py PROPERTY SECONDS [FOLDER].

What fails is written as `crash-...` into the folder it is run in; put it into tests/fuzz/corpus
once it is understood. FOLDER keeps the inputs that reach something new, for the next run.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import atheris

sys.path[:0] = [str(Path(__file__).parent)]

with atheris.instrument_imports(include=["spadille"], enable_loader_override=False):
    import grammar
    import properties


def fuzz(name: str, seconds: int, folder: str) -> None:
    """Fuzz one property for so long."""
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

    options = [f"-max_total_time={seconds}", "-max_len=8192", "-timeout=60", "-verbosity=1"]
    arguments = [sys.argv[0], *options, folder]
    atheris.Setup(arguments, one, custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) > 3:
        fuzz(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    else:
        with TemporaryDirectory() as found:
            fuzz(sys.argv[1], int(sys.argv[2]), found)
