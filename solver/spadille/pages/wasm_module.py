"""The engine as a page carries it: a WebAssembly module that csrc/wasm.py has built."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from functools import cache
from pathlib import Path

from spadille.base.errors import SpadilleError
from spadille.search.engine import SOURCES

_HERE = Path(__file__).parent / "engine"


def is_current() -> bool:
    """Whether the module was built from the same sources as the engine of this package."""
    manifest = json.loads((_HERE / "manifest.json").read_text("utf-8"))
    return bool(manifest["sources"] == SOURCES)


@cache
def module() -> str:
    """Return the module, packed.

    Raises SpadilleError where it does not fit the engine of this package: it would find the same
    values unless a fault has been mended since, but nobody has tried.
    """
    if not is_current():
        raise SpadilleError(
            "the engine for pages was built from other sources than that of this package: "
            "`python csrc/wasm.py` builds it anew, and needs emscripten",
            "module-stale",
        )
    return packed((_HERE / "engine.wasm").read_bytes())


def packed(content: bytes) -> str:
    """Pack by gzip, as text in base64, what a page unpacks again."""
    return b64encode(gzip.compress(content, 9, mtime=0)).decode()
