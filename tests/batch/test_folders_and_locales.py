"""The environment of a batch: read-only folders, leftover files, unusual locales."""

from __future__ import annotations

import importlib
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner

from spadille_cli import main
from tests.support.tiers import tries

EXAMPLES = Path(__file__).parents[2] / "examples"
DEALS = EXAMPLES / "german-solo.pbn"

posix = pytest.mark.skipif(os.name == "nt", reason="users, locales and signals of POSIX")


def run(*words, status=0):
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == status, result.output
    return result


@contextmanager
def nobody():
    """Continue as a user bound by file permissions, which root is not."""
    if os.geteuid():
        yield
        return
    os.setresgid(65534, 65534, 0)
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)


@pytest.fixture
def folder():
    """Return a folder that everybody may enter, unlike those of pytest."""
    with TemporaryDirectory() as made:
        path = Path(made)
        path.chmod(0o755)
        yield path
        path.chmod(0o755)
        for each in path.iterdir():
            each.chmod(0o755)


@pytest.fixture
def locked(folder):
    """Return a read-only folder with deals and their ledger, and a writable one beside it."""
    importlib.import_module("csv")  # the user "nobody" may be unable to read the modules later
    inner = folder / "locked"
    inner.mkdir()
    shutil.copy(DEALS, inner / "deals.pbn")
    run("batch", "solve", inner / "deals.pbn", "--into", inner / "x.db")
    run("batch", "merge", inner / "x.db", "--into", inner / "y.db")
    run("batch", "export", inner / "x.db", "--format", "csv")
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    (inner / "y.db").unlink()
    return inner


@posix
def test_a_read_only_folder_is_read(locked):
    expected = run("batch", "export", locked / "x.db").stdout
    into = locked.parent / "open"
    locked.chmod(0o555)
    with nobody():
        assert run("batch", "export", locked / "x.db").stdout == expected
        run("batch", "status", locked / "x.db")
        run("batch", "solve", locked, "--into", into / "x.db")
        run("batch", "merge", locked / "x.db", "--into", into / "y.db")
        for command in ("solve", locked), ("merge", locked / "x.db"):
            told = run("batch", *command, "--into", locked / "new.db", status=2).stderr
            assert "cannot write to" in told
        told = run("batch", "export", locked / "x.db", "-o", locked / "new.csv", status=2).stderr
        assert "cannot write to" in told
        (into / "link.db").symlink_to(locked / "x.db")
        assert run("batch", "export", into / "link.db").stdout == expected
    assert sorted(path.name for path in locked.iterdir()) == ["deals.pbn", "x.db"]


def leave_wal(ledger):
    """Write to a ledger and exit as a killed program does, with committed data in its WAL."""
    code = (
        "import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "db.execute('PRAGMA wal_autocheckpoint = 0');"
        "db.execute('INSERT INTO files (name, deals) VALUES (\\'late.pbn\\', 0)'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, ledger], check=True)
    assert os.path.getsize(f"{ledger}-wal") > 0


@posix
def test_what_a_wal_holds_is_read_or_asked_for(locked):
    """SQLite cannot read such a ledger in a read-only folder; the message says what to do."""
    ledger = locked / "x.db"
    leave_wal(ledger)
    Path(f"{ledger}-shm").unlink()
    locked.chmod(0o555)
    into = locked.parent / "open" / "y.db"
    with nobody():
        for command in ("status", ledger), ("export", ledger), ("merge", ledger, "--into", into):
            told = run("batch", *command, status=2).stderr
            assert f"{str(ledger) + '-wal'!r}, which needs a writable folder" in told
    assert not into.exists()
    locked.chmod(0o755)
    assert "files     2, 2" in run("batch", "status", ledger).stdout


def test_a_wal_left_over_is_used_once(tmp_path):
    """A WAL beside its ledger is read; a WAL without its ledger is ignored."""
    ledger = tmp_path / "x.db"
    run("batch", "solve", DEALS, "--into", ledger)
    leave_wal(ledger)
    shutil.copy(f"{ledger}-wal", tmp_path / "new.db-wal")
    assert "files     2, 2" in run("batch", "status", ledger).stdout
    assert [path.name for path in tmp_path.glob("x.db*")] == ["x.db"]
    run("batch", "solve", DEALS, "--into", tmp_path / "new.db")
    assert "files     1, 1" in run("batch", "status", tmp_path / "new.db").stdout
    with closing(sqlite3.connect(tmp_path / "new.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def spoken(*words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "spadille", *map(str, words)],
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )


ASCII = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


@pytest.mark.ci
@posix
def test_names_are_the_same_in_every_locale(tmp_path):
    """A name that the locale cannot encode still means the same file, and a page shows it."""
    path, ledger = tmp_path / "für ♠.pbn", tmp_path / "für ♠.db"
    shutil.copy(DEALS, path)
    for environment in ({"LC_ALL": "C.UTF-8"}, ASCII)[-tries(1, 2) :]:
        assert spoken("batch", "solve", path, "--into", ledger, **environment).returncode == 0
        found = spoken("batch", "export", ledger, "-o", tmp_path / "x.jsonl", **environment)
        assert found.returncode == 0
        text = (tmp_path / "x.jsonl").read_text(encoding="utf-8")
        assert len(text.splitlines()) == 5
        assert text.count("für ♠.pbn") == 5
        page = spoken("page", path, "-o", tmp_path / "x.html", **environment)
        assert page.returncode == 0, page.stderr
    assert "files     1, 1" in run("batch", "status", ledger).stdout
