"""Damaged ledgers, foreign files and other obstacles cause a clear message and lose no data."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from spadille_cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"

# The first deal lacks a card, the second is valid: an answer, an error, and a record without a
# deal.
DEALS = """[Board "1"]
[Game "german-solo"]
[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]
[Declarer "E"]
[Contract "solo"]
[Trump "D"]

[Board "2"]
[Game "german-solo"]
[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.A.AJ8.KQ"]
"""
KINDS = ("solve", "table", "score")
EXPORTS = ("jsonl", "csv", "parquet") if find_spec("pyarrow") else ("jsonl", "csv")
VALUES = (
    *("", "5", "null", "[]", "[5]", "{}", '"x"', "{", "[" * 100_000, '{"error":5}', "1e400"),
    *('{"error":{}}', '[{"error":{"code":1}}]', '{"rows":5}', '{"rows":[5]}', "\ud800"),
    *('{"margin":1e30,"index":1}', f'{{"makes":2,"margin":{10**40}}}', '{"file":"\\ud800"}'),
    *(5, -1, 2**63 - 1, 1.5, None, b"", b"\xff{}"),
)
COLUMNS = {
    "about": ("name", "value"),
    "files": ("id", "name", "deals"),
    "answers": ("id", "key", "question", "answer"),
    "deals": ("file", "place", "board", "game", "key", "error", "line", "column"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Write a hand file, and a ledger of each kind that is filled from it."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "deals.pbn").write_text(DEALS, encoding="utf-8")
    for kind in KINDS:
        run("batch", kind, folder / "deals.pbn", "--into", folder / f"{kind}.db")
    return folder


def run(*words):
    """Run a command; its message must not be an internal error."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    told = result.output[-1000:]
    assert result.exit_code in (0, 1, 2, 3), told
    assert "internal" not in told, (words, told)
    return result


def use_all(ledger, made, kind):
    """Run every command that opens a ledger on a damaged one; count the commands that refuse it."""
    folder = ledger.parent
    refused = 0
    for form in EXPORTS:
        command = ("batch", "export", ledger, "--format", form, "-o", folder / f"x.{form}")
        refused += run(*command).exit_code == 2
    refused += run("batch", "status", ledger).exit_code == 2
    new = folder / "new.db"
    if run("batch", "merge", made / f"{kind}.db", ledger, "--into", new).exit_code == 2:
        refused += 1
        assert not list(folder.glob("new.db*"))
    else:
        new.unlink()
    refused += run("batch", kind, made / "deals.pbn", "--into", ledger).exit_code == 2
    return refused


def damage(path, statement, *values):
    """Change a ledger in a way that no batch would; return whether SQLite accepted the change."""
    with closing(sqlite3.connect(path)) as db, db:
        try:
            db.execute(statement, values)
        except (sqlite3.Error, UnicodeEncodeError):
            return False
    return True


def tried(made, folder, kind, table, column, value):
    ledger = folder / "x.db"
    shutil.copy(made / f"{kind}.db", ledger)
    if isinstance(value, str) and value.startswith("\ud800"):  # text that is not UTF-8
        done = damage(ledger, f"UPDATE {table} SET {column} = CAST(x'fffe' AS TEXT)")
    else:
        done = damage(ledger, f"UPDATE {table} SET {column} = ?", value)
    return use_all(ledger, made, kind) if done else 0


CASES = [
    (kind, table, column, value)
    for kind in KINDS
    for table, columns in COLUMNS.items()
    for column in columns
    for value in VALUES
]


@pytest.mark.ci
@pytest.mark.parametrize("number", [60, pytest.param(len(CASES), marks=pytest.mark.slow)])
def test_no_value_of_a_ledger_is_an_internal_error(number, made, tmp_path):
    refused = sum(tried(made, tmp_path, *case) for case in Random(1).sample(CASES, number))
    assert refused > number / 2


@pytest.mark.parametrize(
    "number",
    [10, pytest.param(60, marks=pytest.mark.ci), pytest.param(2000, marks=pytest.mark.slow)],
)
def test_no_byte_of_a_ledger_is_an_internal_error(number, made, tmp_path):
    random = Random(2)
    ledger = tmp_path / "x.db"
    refused = 0
    for _ in range(number):
        kind = random.choice(KINDS)
        data = bytearray((made / f"{kind}.db").read_bytes())
        for _ in range(random.choice((1, 4, 100))):
            data[random.randrange(len(data))] = random.randrange(256)
        if random.random() < 0.2:
            del data[random.randrange(len(data)) :]
        ledger.write_bytes(data)
        refused += use_all(ledger, made, kind)
        for path in tmp_path.iterdir():
            path.unlink()
    assert refused


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON deals BEGIN DELETE FROM answers; END",
        "ALTER TABLE deals ADD COLUMN more",
        "ALTER TABLE answers RENAME COLUMN answer TO reply",
        "DROP VIEW results",
        "DELETE FROM about",
    ],
)
def test_a_foreign_database_is_no_ledger(statement, made, tmp_path):
    ledger = tmp_path / "x.db"
    shutil.copy(made / "solve.db", ledger)
    assert damage(ledger, statement)
    before = ledger.read_bytes()
    assert use_all(ledger, made, "solve") == len(EXPORTS) + 3
    assert "is not a ledger" in run("batch", "status", ledger).stderr
    assert ledger.read_bytes() == before


def test_a_ledger_may_have_an_index_and_a_view_more(made, tmp_path):
    ledger = tmp_path / "x.db"
    shutil.copy(made / "solve.db", ledger)
    assert damage(ledger, "CREATE INDEX boards ON deals (board)")
    assert damage(ledger, "CREATE VIEW mine AS SELECT * FROM deals")
    assert use_all(ledger, made, "solve") == 0


def test_what_is_damaged_is_named(made, tmp_path):
    """The message names the ledger (in a merge, the part), the damage, and the way out."""
    ledger = tmp_path / "x.db"
    shutil.copy(made / "solve.db", ledger)
    assert damage(ledger, "UPDATE answers SET answer = '5'")
    told = run("batch", "export", ledger).stderr
    assert f"the ledger {str(ledger)!r} is damaged: " in told
    assert "into a new ledger" in told
    assert damage(ledger, "UPDATE files SET name = x'ff'")
    told = run("batch", "merge", made / "solve.db", ledger, "--into", tmp_path / "y.db").stderr
    assert f"the ledger {str(ledger)!r} is damaged: " in told


def part(made, path):
    """Return a part that can be opened; the damage shows only when it is read."""
    shutil.copy(made / "solve.db", path)
    assert damage(path, "UPDATE deals SET line = 'x'")
    return path


@pytest.mark.parametrize("order", [1, -1])
def test_a_merge_that_fails_leaves_nothing_behind(order, made, tmp_path):
    bad = part(made, tmp_path / "bad.db")
    parts = [made / "solve.db", bad][::order]
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert run("batch", "merge", *parts, "--into", tmp_path / "new.db").exit_code == 2
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_merge_that_fails_changes_nothing(made, tmp_path):
    """An existing target ledger keeps its contents and gains nothing from the valid part."""
    into = tmp_path / "into.db"
    run("batch", "solve", EXAMPLES / "mensch.pbn", "--into", into)
    before = run("batch", "export", into).stdout, run("batch", "status", into).stdout
    bad = part(made, tmp_path / "bad.db")
    assert run("batch", "merge", made / "solve.db", bad, "--into", into).exit_code == 2
    assert (run("batch", "export", into).stdout, run("batch", "status", into).stdout) == before
    run("batch", "merge", made / "solve.db", into, "--into", into)
    assert len(run("batch", "export", into).stdout.splitlines()) > len(before[0].splitlines())


def test_many_parts_are_merged(made, tmp_path):
    """Merge more parts than SQLite can attach at the same time."""
    files = [EXAMPLES / "german-solo.pbn", EXAMPLES / "mensch.pbn"]
    parts = [tmp_path / f"{number}.db" for number in range(13)]
    for number, path in enumerate(parts, 1):
        run("batch", "solve", *files, "--into", path, "--shard", f"{number}/13")
    run("batch", "merge", *parts, "--into", tmp_path / "all.db")
    run("batch", "solve", *files, "--into", tmp_path / "whole.db")
    both = [run("batch", "export", tmp_path / f"{name}.db").stdout for name in ("all", "whole")]
    assert both[0] == both[1] != ""


@pytest.mark.skipif(os.name == "nt", reason="names and files of POSIX")
def test_an_export_never_writes_onto_the_ledger(made, tmp_path):
    """An export never overwrites the ledger, nor the files that SQLite keeps beside it.

    This holds under any name of these files, whether they exist or not.
    """
    folder = tmp_path / "a"
    folder.mkdir()
    ledger = folder / "x.db"
    shutil.copy(made / "solve.db", ledger)
    (tmp_path / "link.db").symlink_to(ledger)
    (tmp_path / "hard.db").hardlink_to(ledger)
    (tmp_path / "folder").symlink_to(folder)
    with closing(sqlite3.connect(ledger)) as db:
        db.execute("BEGIN IMMEDIATE")  # so that its WAL exists
        db.execute("DELETE FROM files")
        db.execute("ROLLBACK")
        names = [folder / f"x.db{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]
        assert names[1].exists()
        assert names[2].exists()
        names += [tmp_path / "link.db", tmp_path / "hard.db", tmp_path / "folder" / "x.db-wal"]
        for name in [*map(str, names), f"/{folder}//x.db-shm"]:
            for opened in (ledger, tmp_path / "link.db"):
                told = run("batch", "export", opened, "-o", name)
                assert told.exit_code == 2
                assert "is the ledger" in told.stderr
    assert run("batch", "status", ledger).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["x.db"]
    assert run("batch", "export", ledger, "-o", folder / "x.db-out").exit_code == 0


@pytest.mark.skipif(os.name == "nt", reason="devices of POSIX")
@pytest.mark.parametrize("name", ["/dev/null", "/dev/full", "pipe", "link"])
def test_a_ledger_is_a_regular_file(name, made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("link").symlink_to("/dev/null")
    for words in (
        ("solve", made / "deals.pbn", "--into", name),
        ("merge", made / "solve.db", "--into", name),
        ("export", name),
        ("status", name),
        ("merge", name, "--into", "y.db"),
    ):
        told = run("batch", *words)
        assert told.exit_code == 2
        assert "not a regular file" in told.stderr
    assert sorted(os.listdir()) == ["link", "pipe"]


def test_a_ledger_has_no_name_that_sqlite_uses(made, tmp_path):
    for suffix in ("-wal", "-shm", "-journal"):
        told = run("batch", "solve", made / "deals.pbn", "--into", tmp_path / f"x.db{suffix}")
        assert told.exit_code == 2
        assert "SQLite uses" in told.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX")
def test_names_of_ledgers_may_be_odd(made, tmp_path):
    """Test names with two leading slashes, URI syntax, or bytes that are not text."""
    expected = run("batch", "export", made / "solve.db").stdout
    for name in ("/x.db", "//x.db", "/a b%20?c#d&e=f.db", "/\udcff.db", "/./y.db", "/ü.db"):
        path = f"/{tmp_path}{name}"
        assert run("batch", "solve", made / "deals.pbn", "--into", path).exit_code == 3
        assert run("batch", "export", path).stdout == expected
    assert len(list(tmp_path.iterdir())) == 5


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX")
def test_names_of_hand_files_may_be_no_text(made, tmp_path):
    """A database stores text, so such bytes are escaped."""
    path, ledger = tmp_path / "\udcff.pbn", tmp_path / "x.db"
    shutil.copy(made / "deals.pbn", path)
    for _ in range(2):
        assert run("batch", "solve", path, "--into", ledger).exit_code == 3
    lines = run("batch", "export", ledger).stdout.splitlines()
    assert [json.loads(line)["file"] for line in lines] == [f"{tmp_path}/\\xff.pbn"] * 2
