"""The engine inside a page: a WebAssembly module built by csrc/wasm.py."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

from spadille.base.errors import SpadilleError
from spadille.search.engine import SOURCES

_HERE = Path(__file__).parent / "engine"


def is_current() -> bool:
    """Return whether the module was built from the same sources as this package's engine."""
    manifest = json.loads((_HERE / "manifest.json").read_text("utf-8"))
    return bool(manifest["sources"] == SOURCES)


@cache
def module() -> str:
    """Return the packed module.

    Raises SpadilleError if this package's engine and the module were built from different sources,
    because the module's results would be untested.
    """
    if not is_current():
        raise SpadilleError(
            "the engine for pages was built from different sources than this package's engine: "
            "run `python csrc/wasm.py` to rebuild it (needs emscripten)",
            "module-stale",
        )
    return packed((_HERE / "engine.wasm").read_bytes())


def packed_json(value: Any) -> str:
    """Write a value as packed JSON."""
    return packed(json.dumps(value, separators=(",", ":")).encode())


def packed(content: bytes) -> str:
    """Compress data with gzip and encode it in base64; the page unpacks it."""
    return b64encode(gzip.compress(content, 9, mtime=0)).decode()
