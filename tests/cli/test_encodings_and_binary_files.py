"""Encodings of hand files, control characters in them, and files that are not text."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma

import pytest

from spadille.pbn.export_format import export
from spadille.pbn.hand_file import read
from tests.support.hand_file_commands import GOOD, run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "latin-1"])
def test_encodings_are_understood_and_kept(folder, encoding):
    mark = "\ufeff" if encoding.startswith("utf") else ""
    file = folder / "café.pbn"
    file.write_bytes((mark + GOOD.replace("night", "café")).encode(encoding))
    result = run("solve", "--format", "json", "café.pbn")
    assert (result.exit_code, json.loads(result.stdout)[0]["tricks"]) == (0, 4)
    assert run("table", "--annotate", "café.pbn").exit_code == 0
    text = file.read_bytes().decode(encoding)
    assert text.startswith(mark + '[Event "Club café"]')
    assert "OptimumResultTable" in text


def test_what_looks_like_utf_16_and_is_not(folder):
    (folder / "odd.pbn").write_bytes(b"\xff\xfe" + GOOD.encode() + b"x" * (1 - len(GOOD) % 2))
    cut = ("\ufeff" + GOOD).encode("utf-16-le")[:-1]
    (folder / "cut.pbn").write_bytes(cut)
    for name in ("odd.pbn", "cut.pbn"):
        for command in ("check", "solve", "fmt"):
            result = run(command, name)
            assert result.exit_code == 3
            assert "the file begins as UTF-16, but is cut off or damaged" in result.stderr
    result = run("batch", "solve", "cut.pbn", "--into", "ledger.db")
    assert result.exit_code == 3
    assert "the file begins as UTF-16" in result.stderr


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (gzip.compress(GOOD.encode()), "file-compressed", "compressed with gzip: unpack it first"),
        (b"PK\x03\x04\x14" + bytes(30), "file-compressed", "a ZIP archive: unpack it first, or"),
        *(
            (text.encode(encoding), "byte-order-mark-missing", "save it as UTF-8")
            for encoding in ("utf-16-le", "utf-16-be")
            for text in (GOOD, f"% PBN 2.1\n{GOOD}", GOOD.replace("night", "café"))
        ),
        *(
            (data, "file-not-text", "has control characters such as U+00")
            for data in (
                *(GOOD.encode(encoding) for encoding in ("utf-32", "utf-32-le", "utf-32-be")),
                *(bz2.compress(GOOD.encode()), bz2.compress(b'[Game "mensch"]\n')),
                lzma.compress(GOOD.encode()),
                b"(\xb5/\xfd\x04\x00\x81\x00\x00" + GOOD.encode(),  # zstd, in one raw block
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\b\x06\0\0\0\x1f\x15\xc4\x89",
                b"%PDF-1.7\n1 0 obj\nstream\n" + bz2.compress(GOOD.encode()),
                b"deals.pbn" + bytes(248) + b"ustar\x0000" + bytes(247) + GOOD.encode(),  # tar
                b"SQLite format 3\0\x10\0\x01\x01\0@  " + bytes(80) + GOOD.encode(),
                b"% remark\n\n{a comment}\n\n" + bytes(2) + GOOD.encode(),
            )
        ),
    ],
)
def test_a_file_that_is_not_text_has_one_fault(folder, data, code, message):
    (folder / "odd.pbn").write_bytes(data)
    (found,) = json.loads(run("check", "--format", "json", "odd.pbn").stdout)
    assert [(fault["code"], fault["line"]) for fault in found["faults"]] == [(code, None)]
    batch = ["batch", "solve", "--into", "ledger.db"]
    for words in (["solve"], ["table", "--annotate"], ["fmt"], ["fmt", "--in-place"], batch):
        result = run(*words, "odd.pbn")
        assert result.exit_code == 3
        assert result.stderr.startswith("odd.pbn: the file is ")
        assert message in result.stderr
        assert result.stdout == ""
    assert (folder / "odd.pbn").read_bytes() == data
    (folder / "odd.csv").write_bytes(data)
    for words in (["check"], ["score"], ["fmt", "--in-place"], batch):
        assert message in run(*words, "odd.csv").output
    assert run("fmt", "odd.pbn", "-o", "new.pbn").exit_code == 3
    assert not (folder / "new.pbn").exists()


@pytest.mark.parametrize(
    "text", ["# Title  \n\n\ttext [1]: a\n", "%PDF-1.4\n1 0 obj \n", "a\0b \n"]
)
def test_fmt_leaves_a_file_without_any_tag_alone(folder, text):
    (folder / "notes.md").write_text(text)
    for words in (["fmt", "--in-place"], ["fmt", "--in-place", "--eol", "crlf"]):
        assert run(*words, "notes.md").exit_code == 3
        assert (folder / "notes.md").read_text() == text
    result = run("fmt", "notes.md")
    assert (result.exit_code, result.stdout) == (3, text)
    assert ": text belongs in a section after its tag" in result.stderr
    # In JSON, all text is in braces, as in a comment.
    (folder / "a.json").write_text('{"a": [1,\t2]} \n')
    assert run("fmt", "--in-place", "a.json").stderr == "no deals in a.json\n"
    assert (folder / "a.json").read_text() == '{"a": [1,\t2]} \n'


@pytest.mark.parametrize("before", ["", "; said\n", '[Event "first"]\n\n'])
def test_fmt_leaves_source_code_that_quotes_a_deal_alone(folder, before):
    code = f"""import sys  \n\nGOOD = '{GOOD}'\n\ndef deal():\n\treturn '[Game "ombre"]'\n"""
    (folder / "code.py").write_text(before + code)
    result = run("fmt", "--in-place", "code.py")
    assert result.exit_code == 3
    assert "text belongs in a section after its tag" in result.stderr
    changed = (folder / "code.py").read_text() != before + code
    assert changed == before.startswith("[")  # a hand file, whatever follows
    prose = f"Dear Anna,\n\nthe last deal was\n\n{GOOD}"
    (folder / "letter.txt").write_text(prose)
    assert run("fmt", "letter.txt").stdout.startswith("% PBN 2.1\n")


@pytest.mark.parametrize("sign", "\0\x1b\f\x9f")
def test_one_control_character_does_not_make_a_file_binary(folder, sign):
    """Wherever it is, the second deal is read, and any fault has a place."""
    second = GOOD.replace('"7"', '"8"')
    for at in range(len(GOOD)):
        text = f"{GOOD[:at]}{sign}{GOOD[at:]}\n{second}"
        file = read(text)
        assert [entry.board for entry in file if not entry.faults][-1:] == ["8"]
        assert all(fault.line for entry in file for fault in entry.faults)
        assert all(map(set(export(file.document)).__contains__, {*text} - {"\f"}))
    (folder / "odd.pbn").write_text(f"{sign}{GOOD}\n{second}")
    found = json.loads(run("check", "--format", "json", "odd.pbn").stdout)
    faults = [(fault["code"], fault["line"], fault["column"]) for fault in found[0]["faults"]]
    assert faults == ([] if sign == "\f" else [("text-stray", 1, 1)])
    assert found[1]["faults"] == []
    assert json.loads(run("solve", "--format", "json", "odd.pbn").stdout)[-1]["board"] == "8"


def test_files_do_not_command_the_terminal(folder):
    commands = "\x1b[2J\x07\x9b31m\u202e"
    text = GOOD.replace('"7"', f'"{commands[:4]}"') + commands + "\n\n]" + commands
    (folder / "bad.pbn").write_text(text.replace("solo", f"so{commands}lo"))
    for args in (["check"], ["solve"], ["table"], ["check", "--format", "html"]):
        result = run(*args, "bad.pbn")
        assert not set("\x1b\x07\x9b\u202e") & set(result.stdout + result.stderr), args
    assert r"so\x1b[2J\x07\x9b31m\u202elo" in run("solve", "bad.pbn").stderr


@pytest.mark.parametrize("sign", "\u200b\u2060\ufeff")
def test_characters_of_no_width_are_visible_in_messages(folder, sign):
    (folder / "joined.pbn").write_text(f"{GOOD}\n{sign}{GOOD}")
    (folder / "trump.pbn").write_text(GOOD.replace('"H"', f'"H{sign}"'))
    visible = rf"\u{ord(sign):04x}"
    for command in ("solve", "check"):
        output = run(command, "joined.pbn", "trump.pbn").output
        assert "joined.pbn:12:1" in output
        assert f"{visible}: text belongs in a section after its tag" in output
        assert f"trump H{visible} here" in output
        assert sign not in output


def test_canonical_form_of_utf_16_is_utf_8(folder):
    file = folder / "wide.pbn"
    file.write_bytes(("\ufeff" + GOOD).encode("utf-16-le"))
    assert run("fmt", "-i", "wide.pbn").exit_code == 0
    assert file.read_bytes().startswith(b"% PBN 2.1\n")
    assert run("fmt", "--check", "wide.pbn").exit_code == 0
