"""A file read in passages gives the same games as the whole file."""

from __future__ import annotations

import tracemalloc
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spadille.batch import file_chunks as module
from spadille.batch.file_chunks import passages
from spadille.pbn.parse_document import decode, parse

EXAMPLES = sorted(Path(__file__).parents[2].glob("examples/**/*.pbn"))
PIECES = (
    *('[Game "mensch"]', '[Board "1"]', '[Game "x"', "[Game\n", '"x"]', "[", "]", '"', "\\"),
    *("% escape", "; comment", "{ open", "close }", "{ both }", "D9 DQ", "\n", "\n\n", "\r\n\r\n"),
    *("\r", " \t\n", '[Play "N"]\nD9\n', "\ufeff", "\u00e4", '[Deal "N:a b c d"]\n', "\n  \n"),
)


def told(document, line=0):
    """Return the contents of a document, with places in the file."""
    for game in document.games:
        tags = []
        for tag in game.tags:
            at, column = document.position(tag.start)
            body = document.source[tag.body : tag.body_end] if tag.body else ""
            tags.append((tag.name, tag.value, at + line, column, body.rstrip()))
        faults = [
            (fault.code, fault.message, fault.line and fault.line + line, fault.column)
            for fault in game.faults
        ]
        yield tags, faults, game.faults.more


def in_passages(data):
    for passage in passages(BytesIO(data)):
        yield from told(passage.document or parse(passage.text), passage.line)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_in_passages_are_the_same(path):
    data = path.read_bytes()
    assert list(in_passages(data)) == list(told(parse(decode(data)[0])))


@example([b"[Game\n", b"\n", b'"x"]'], 1)
@example([b"{ open", b"\n\n", b'[Game "x"]', b"close }"], 1)
@example([b"D9 DQ\n\n", b"D9\n\n", b'[Game "x"]\n'], 1)
@example([b'[Board "1"]\n', b"\r", b"\n", b'[Board "2"]\n'], 2)
@example(["\ufeff".encode(), b"\n\n", b'[Board "2"]\n'], 3)
@example([b"PK\x03\x04", b"\n\n", b'[Board "2"]\n'], 1)
@example([b'[Board "1"]\n\n', b"PK\x03\x04", b"\n\n", b'[Board "2"]\n'], 1)
@example([b'[Board "1"]\n\n', b"a\0" * 9, b"\n\n", b'[Board "2"]\n'], 1)
@example([b"%a\0\n\n", b"a\0", b"\n\n", b'[Board "2"]\n'], 1)
@given(
    st.lists(st.sampled_from([piece.encode() for piece in PIECES] + [b"\xe4", b'"#"'])),
    st.sampled_from([1, 3, 1 << 20]),
)
def test_any_text_in_passages_is_the_same(pieces, block):
    data = b"".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        patch.setattr(module, "_AHEAD", min(block, 3))
        assert list(in_passages(data)) == list(told(parse(decode(data)[0])))


@pytest.mark.parametrize("block", range(1, 60))
def test_an_inherited_value_is_seen_wherever_the_file_is_read_in_parts(block, monkeypatch):
    data = b'[Board "1"]\n[Game "mensch"]\n\n[Board "2"]\n[Game "#"]\n'
    monkeypatch.setattr(module, "_BLOCK", block)
    monkeypatch.setattr(module, "_AHEAD", 3)
    (found,) = passages(BytesIO(data))  # all in one passage
    assert found.document is not None
    assert [game.get("Game") for game in found.document.games] == ["mensch"] * 2


@pytest.mark.ci
def test_empty_lines_take_no_room():
    data = b"\r\n \n" * (1 << 20) + b'[Board "1"]\n'
    tracemalloc.start()
    try:
        (found,) = passages(BytesIO(data))
        assert tracemalloc.get_traced_memory()[1] < 30e6
    finally:
        tracemalloc.stop()
    assert (found.line, found.text) == (2 << 20, '[Board "1"]\n')
