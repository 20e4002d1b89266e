"""The engine that pages contain is the one of the package."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import pytest

from spadille.base.errors import SpadilleError
from spadille.pages import wasm_module
from spadille.search.engine import SOURCES

TOP = Path(__file__).parents[2]
ENGINE = Path(wasm_module.__file__).parent / "engine"


@pytest.fixture
def builder(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # csrc/ holds sources only
    spec = importlib.util.spec_from_file_location("wasm", TOP / "csrc" / "wasm.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_the_module_is_that_of_its_manifest():
    manifest = json.loads((ENGINE / "manifest.json").read_text())
    binary = (ENGINE / "engine.wasm").read_bytes()
    assert sha256(binary).hexdigest() == manifest["module"]
    assert gzip.decompress(b64decode(wasm_module.module())) == binary


def test_it_takes_no_more_room_than_it_may():
    assert len(wasm_module.module()) <= 160_000


def test_the_engine_tells_what_it_was_built_from(builder):
    assert builder.digest() == SOURCES


def test_comments_and_layout_make_no_other_sources(builder, monkeypatch, tmp_path):
    before = builder.digest()
    for path in (TOP / "csrc").glob("*.?pp"):
        (tmp_path / path.name).write_text(path.read_text())
    monkeypatch.setattr(builder, "HERE", tmp_path)
    header = tmp_path / "problem.hpp"
    header.write_text("// Another comment.\n\n" + header.read_text())
    assert builder.digest() == before
    header.write_text(header.read_text() + "struct Another {};\n")
    assert builder.digest() != before


def test_a_stale_module_is_refused(monkeypatch):
    wasm_module.module.cache_clear()
    monkeypatch.setattr(wasm_module, "is_current", lambda: False)
    with pytest.raises(SpadilleError, match=r"`python csrc/wasm\.py` to rebuild it") as caught:
        wasm_module.module()
    assert caught.value.code == "module-stale"
    wasm_module.module.cache_clear()
