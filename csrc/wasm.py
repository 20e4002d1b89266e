"""Build the engine as a WebAssembly module for pages: `python csrc/wasm.py`.

This needs emscripten (Debian's `emscripten` and `node-acorn`), and takes half a minute; afterwards
the module is in the package, next to a manifest that identifies its sources. Everything else only
compares `digest`, so nobody else needs this compiler.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
TARGET = HERE.parent / "solver" / "spadille" / "pages" / "engine"

SOURCE = "wasm.cpp"
# Threads and layouts are left out.
SOURCES = (
    SOURCE,
    "goal_automaton.cpp",
    "input_faults.cpp",
    "objective.cpp",
    "question.cpp",
    "search_fast.cpp",
    "search_plain.cpp",
    "solver.cpp",
    "natural_card_order.cpp",
)
# Browser exceptions cost nothing unless one is thrown, and only limits throw one.
FLAGS = ("-std=c++20", "-DNDEBUG", "-fno-rtti", "-fwasm-exceptions")
# With clang's usual inlining the search takes 0.85 times as long, but the module takes 218 kB of a
# page instead of 147; with that of the wheels, 0.76 and 452 kB. Unrolled loops make it a tenth
# larger.
SEARCH = ("-O2", "-fno-unroll-loops", "-mllvm", "-inline-threshold=8")
REST = ("-Os",)
LINK = (
    "-O2",
    "--no-entry",
    "-sSTANDALONE_WASM=1",
    "-sALLOW_MEMORY_GROWTH=1",
    "-sMAXIMUM_MEMORY=1GB",
)


def with_included(names: Iterable[str]) -> list[str]:
    """Return the names of sources with all sources that they include, in order of the alphabet."""
    known, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in known:
            known.add(name)
            left += re.findall(r'#include "(.*?)"', (HERE / name).read_text("utf-8"))
    return sorted(known)


def digest() -> str:
    """Return a digest of the module's sources, ignoring comments and layout."""
    found = sha256()
    for name in with_included(SOURCES):
        code = re.sub(r"//.*", "", (HERE / name).read_text("utf-8"))
        found.update(" ".join([name, *code.split()]).encode())
    return found.hexdigest()[:16]


def build() -> None:
    """Compile the module, and write it with its manifest."""
    acorn = os.environ.get("NODE_PATH") or "/usr/share/nodejs"
    compiler = {**os.environ, "NODE_PATH": acorn}
    TARGET.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        objects = []
        for name in SOURCES:
            target = f"{folder}/{name}.o"
            speed = SEARCH if name.startswith("search_") else REST
            command = ("em++", *FLAGS, *speed, "-c", str(HERE / name), "-o", target)
            run(command, check=True, env=compiler)
            objects.append(target)
        module = Path(folder, "engine.wasm")
        run(("em++", *FLAGS, *LINK, *objects, "-o", str(module)), check=True, env=compiler)
        binary = module.read_bytes()
    told = run(("em++", "--version"), check=True, env=compiler, capture_output=True, text=True)
    manifest = {
        "sources": digest(),
        "module": sha256(binary).hexdigest(),
        "compiler": told.stdout.splitlines()[0],
        "flags": " ".join((*FLAGS, *SEARCH, *LINK)),
    }
    (TARGET / "engine.wasm").write_bytes(binary)
    text = json.dumps(manifest, indent=2)
    (TARGET / "manifest.json").write_text(text + "\n", encoding="utf-8")
    print(f"{len(binary):,} bytes")


if __name__ == "__main__":
    sys.exit(build())
