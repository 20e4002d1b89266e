"""A ledger holds the same whatever interrupts it, and no question is solved twice."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pytest

from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.errors import ArgumentError, Fault
from spadille.batch import ledger as ledger_module
from spadille.batch.batch_question import KINDS, Job
from spadille.batch.export_ledger import (
    answer_columns,
    answer_records,
    answer_rows,
    export_ledger,
    write_text,
)
from spadille.batch.fill_ledger import fill
from spadille.batch.ledger import Ledger, LedgerError, merge
from spadille.batch.workers import Alone, WorkerError

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [str(EXAMPLES / "mensch.pbn"), str(EXAMPLES / "german-solo.pbn")]
SOLVE = Job.of("solve")


class StopError(Exception):
    """The ways in which a run ends early."""


class Counting(Alone):
    """Counts questions, and may stop at one of them."""

    def __init__(self, job, stop=None):
        super().__init__(job)
        self.asked = []
        self.stop = stop
        self.seconds = 0

    def give(self, task, questions):
        if self.stop is not None and len(self.asked) >= self.stop:
            raise StopError
        self.asked += questions
        super().give(task, questions)


def exported(path, form="jsonl"):
    text = io.StringIO()
    with Ledger(path) as ledger:
        write_text(ledger, form, text)
    return text.getvalue()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("batch") / "whole.db"
    with Ledger(path, SOLVE) as ledger:
        fill(ledger, FILES)
    return path


def test_what_is_answered_is_not_asked_again(tmp_path, whole):
    path = tmp_path / "two.db"
    first = Counting(SOLVE)
    with Ledger(path, SOLVE) as ledger:
        fill(ledger, [FILES[0]], workers=first)
        second = Counting(SOLVE)
        done = fill(ledger, [*FILES, FILES[0]], workers=second)
        assert not set(first.asked) & set(second.asked)
        assert len(second.asked) == len({*second.asked}) == done.answered
        third = Counting(SOLVE)
        fill(ledger, FILES[::-1], workers=third)
    assert third.asked == []
    assert exported(path) == exported(whole)


def test_doubled_deals_are_asked_once(tmp_path):
    text = (EXAMPLES / "german-solo.pbn").read_text(encoding="utf-8")
    path = tmp_path / "doubled.pbn"
    path.write_text(f"{text}\n{text}", encoding="utf-8")
    workers = Counting(SOLVE)
    with Ledger(tmp_path / "x.db", SOLVE) as ledger:
        done = fill(ledger, [str(path)], workers=workers)
        standing = ledger.standing
    assert done.deals == 2 * len(workers.asked) == 2 * standing.answers
    assert standing.answered == standing.deals
    assert standing.missing == standing.faulty == 0


@pytest.mark.parametrize("stop", [0, 1, 9, 13])
def test_a_run_that_is_broken_off_goes_on(tmp_path, whole, stop):
    path = tmp_path / "broken.db"
    with Ledger(path, SOLVE) as ledger:
        workers = Counting(SOLVE, stop)
        with pytest.raises(StopError):
            fill(ledger, FILES, workers=workers)
        assert ledger.standing.answers == len(workers.asked)
    with Ledger(path, SOLVE) as ledger:
        again = Counting(SOLVE)
        fill(ledger, FILES, workers=again)
        assert not set(again.asked) & set(workers.asked)
    assert exported(path) == exported(whole)


def test_shards_make_up_the_whole(tmp_path, whole):
    for number in (1, 2, 3):
        with Ledger(tmp_path / f"{number}.db", SOLVE) as ledger:
            fill(ledger, FILES, shard=(number, 3))
    merge([tmp_path / f"{number}.db" for number in (3, 1)], tmp_path / "all.db")
    with Ledger(tmp_path / "all.db") as ledger, Ledger(whole) as other:
        assert ledger.standing.elsewhere == other.standing.deals - ledger.standing.deals > 0
    merge([tmp_path / f"{number}.db" for number in (2, 1)], tmp_path / "all.db")
    merge([tmp_path / "all.db"], tmp_path / "all.db")
    with Ledger(tmp_path / "all.db") as ledger:
        assert ledger.standing.missing == ledger.standing.elsewhere == 0
    assert exported(tmp_path / "all.db") == exported(whole)
    assert exported(tmp_path / "all.db", "csv") == exported(whole, "csv")


def test_files_that_change_are_read_anew(tmp_path):
    path = tmp_path / "changing.pbn"
    path.write_text((EXAMPLES / "german-solo.pbn").read_text(encoding="utf-8"), encoding="utf-8")
    with Ledger(tmp_path / "x.db", SOLVE) as ledger:
        before = fill(ledger, [str(path)]).deals
        path.write_text('[Game "german-solo"]\n[Board "1"]\n', encoding="utf-8")
        done = fill(ledger, [str(path)])
        (record,) = answer_records(ledger)
    assert before > 1
    assert (done.deals, done.faulty) == (1, 1)
    assert record["error"]["code"] == "deal-missing"
    assert (record["error"]["line"], record["board"]) == (1, "1")


def test_a_full_disk_leaves_what_was_committed(tmp_path, whole):
    path = tmp_path / "full.db"
    with Ledger(path, SOLVE) as ledger:
        pages = ledger._db.execute("PRAGMA page_count").fetchone()[0]
        ledger._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LedgerError, match="full"):
            fill(ledger, FILES)
        assert ledger.standing.answers == ledger.standing.deals == 0
    with Ledger(path, SOLVE) as ledger:
        fill(ledger, FILES)
    assert exported(path) == exported(whole)


def test_a_locked_ledger_is_told(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(ledger_module, "_WAIT", 0.01)
    path = tmp_path / "locked.db"
    with Ledger(path, SOLVE) as ledger:
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LedgerError, match="another program"):
                fill(ledger, FILES)
        fill(ledger, FILES)
    assert exported(path) == exported(whole)


def test_what_is_no_ledger_is_told(tmp_path, whole):
    with pytest.raises(LedgerError, match="there is no ledger"):
        Ledger(tmp_path / "none.db")
    (tmp_path / "text.db").write_text("a text " * 100)
    for job in (None, SOLVE):
        with pytest.raises(LedgerError, match="not a database"):
            Ledger(tmp_path / "text.db", job)
    for name, table in (("other", "x (y)"), ("about", "about (y)")):
        path = tmp_path / f"{name}.db"
        with closing(sqlite3.connect(path)) as other, other:
            other.execute(f"CREATE TABLE {table}")
        before = path.read_bytes()
        for job in (None, SOLVE):
            with pytest.raises(LedgerError, match="is not a ledger"):
                Ledger(path, job)
        assert path.read_bytes() == before
    with pytest.raises(LedgerError, match="cannot be opened"):
        Ledger(tmp_path)
    with pytest.raises(LedgerError, match="another question"):
        Ledger(whole, Job.of("table"))
    with Ledger(tmp_path / "tables.db", Job.of("table")):
        pass
    with pytest.raises(LedgerError, match="another question"):
        merge([whole, tmp_path / "tables.db"], tmp_path / "both.db")
    assert not (tmp_path / "both.db").exists()


def test_a_ledger_is_read_where_nothing_can_be_written(whole, tmp_path, monkeypatch):
    expected = exported(whole)
    monkeypatch.setattr(ledger_module.os, "access", lambda *arguments: False)
    connect = sqlite3.connect

    def opened(name, **arguments):
        assert "mode=ro&immutable=1" in name or "mode=rwc" in name
        return connect(name, **arguments)

    monkeypatch.setattr(ledger_module.sqlite3, "connect", opened)
    assert exported(whole) == expected
    merge([whole], tmp_path / "x.db")
    assert exported(tmp_path / "x.db") == expected


def test_another_engine_asks_anew(tmp_path, monkeypatch):
    path = tmp_path / "x.db"
    with Ledger(path, SOLVE) as ledger:
        fill(ledger, FILES[:1])
        answers = ledger.standing.answers
        assert ledger.standing.whole == 1
    for name in ("batch_question", "ledger"):
        monkeypatch.setattr(f"spadille.batch.{name}.engine", lambda: "another")
    with Ledger(path, SOLVE) as ledger:
        assert ledger.standing.whole == 0
        assert fill(ledger, FILES[:1]).answered == answers
        assert ledger.standing.engine == "another"


def test_what_only_the_answer_finds_out_is_told_each_time(tmp_path):
    """Each deal gets the warning, even if it is requested while the answer is being computed."""
    path = tmp_path / "deals.pbn"
    text = (EXAMPLES / "mensch.pbn").read_text(encoding="utf-8")
    path.write_text(f"{text}\n{text}", encoding="utf-8")
    job = Job.of("table", seats=["5"])
    asked = []
    for _ in range(2):
        told: list[Fault] = []
        with Ledger(tmp_path / "x.db", job) as ledger:
            done = fill(ledger, [str(path)], tell_fault=_Told(told))
            assert done.faulty == ledger.standing.faulty == len(told) == done.deals
            found = [record["error"] for record in answer_records(ledger)]
        told.sort(key=lambda fault: fault.line or 0)
        assert [(fault.code, fault.line) for fault in told] == [
            (error["code"], error["line"]) for error in found
        ]
        asked.append(done.answered)
    assert asked == [done.deals / 2, 0]


class _Told(NamedTuple):
    """Collects error messages."""

    faults: list[Fault]

    def __call__(self, name, fault, line):
        self.faults.append(fault)


@pytest.mark.ci
def test_errors_of_evenings_are_counted_deal_by_deal(tmp_path):
    told = []
    with Ledger(tmp_path / "x.db", Job.of("score")) as ledger:
        path = str(EXAMPLES / "ombre.pbn")
        done = fill(ledger, [path], tell_fault=_Told(told))
        assert done.faulty == ledger.standing.faulty == len(told)
        errors = [record["error"] for record in answer_records(ledger)]
    assert 0 < len(told) < done.deals
    assert [(fault.code, fault.line) for fault in told] == [
        (error["code"], error["line"]) for error in errors if error
    ]


@pytest.mark.ci
def test_an_evening_is_hashed_and_read_once(tmp_path, monkeypatch):
    """Hashing per deal would take four times as long for twice as many deals."""
    text = (EXAMPLES / "ombre.pbn").read_text(encoding="utf-8")
    path = tmp_path / "evening.pbn"
    path.write_text(f"{text}\n" * 2, encoding="utf-8")
    hashed, parsed, queries = [], [], []

    class Digest:
        def __init__(self, data, digest_size):
            pass

        def copy(self):
            return self

        def update(self, data):
            hashed.append(len(data))

        def digest(self):
            return b"the evening's key"

    def counted(ledger, text):
        parsed.append(len(text))
        return json.loads(text)

    monkeypatch.setattr("spadille.batch.batch_question.blake2b", Digest)
    monkeypatch.setattr("spadille.batch.stored_answers._parsed", counted)
    monkeypatch.setattr("spadille.batch.fill_ledger._GROUP", 3)  # deals looked up in one query
    with Ledger(tmp_path / "x.db", Job.of("score")) as ledger:
        for _ in range(2):
            done = fill(ledger, [str(path)])
        assert done.deals > 6
        assert len(hashed) == 2
        assert parsed[0] == parsed[-1] > 1000
        assert len(parsed) == 2
        parsed.clear()
        ledger._db.set_trace_callback(queries.append)
        assert len(list(answer_records(ledger))) == done.deals
    # Errors of single deals are stored with those deals.
    assert [size for size in parsed if size > 1000] == parsed[-1:]
    assert sum("SELECT answer" in query for query in queries) == 1


def test_csv_is_no_formula(tmp_path):
    """The cells are those of the command, so a spreadsheet does not run texts as formulas."""
    text = (EXAMPLES / "german-solo.pbn").read_text(encoding="utf-8")
    path = tmp_path / "=deals.pbn"
    boards = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "-x"]
    for number, board in enumerate(boards, 1):
        text = text.replace(f'[Board "{number}"]', f'[Board "{board}"]')
    path.write_text(text, encoding="utf-8")
    with Ledger(tmp_path / "x.db", SOLVE) as ledger:
        fill(ledger, [path])
    rows = list(csv.DictReader(io.StringIO(exported(tmp_path / "x.db", "csv"))))
    cells = [row["board"] for row in rows]
    assert cells[: len(boards)] == ["'" + boards[0], "+1", "-1", "'@SUM(A1)", "'-x"]
    assert json.loads(exported(tmp_path / "x.db").splitlines()[0])["board"] == boards[0]


def test_jobs_say_what_they_do_not_know():
    for kind, options in (
        ("cards", {}),
        ("solve", {"rows": 1}),
        ("review", {"chances": Drawing(samples=5)}),
        ("review", {"chances": Drawing(seconds=0)}),
        ("best", {"chances": Drawing(samples=5, seconds=0)}),
    ):
        with pytest.raises(ArgumentError):
            Job.of(kind, **options)
    for kind in KINDS:
        assert Job.parse(str(Job.of(kind))) == Job.of(kind)


@pytest.mark.parametrize("arguments", [{"shard": (2, 1)}, {"shard": (0, 1)}, {"threads": 0}])
def test_arguments_are_checked(tmp_path, arguments):
    with Ledger(tmp_path / "x.db", SOLVE) as ledger, pytest.raises(ArgumentError):
        fill(ledger, FILES, **arguments)


def _ends(job, pipe):
    """A worker that ends at once."""


@pytest.mark.ci
def test_workers_that_end_at_once_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr("spadille.batch.workers._work", _ends)
    monkeypatch.setattr("spadille.batch.workers.get_context", lambda method: get_context("fork"))
    with Ledger(tmp_path / "x.db", SOLVE) as ledger:
        with pytest.raises(WorkerError, match="before they answer") as caught:
            fill(ledger, FILES, threads=2)
        assert caught.value.code == "worker-lost"
        assert ledger.standing.answers == 0
        assert ledger.standing.missing > 0


def test_csv_has_a_row_an_answer(whole):
    with Ledger(whole) as ledger:
        found = list(answer_records(ledger))
        assert len(list(answer_rows("solve", found))) == len(found)
    lines = exported(whole, "csv").splitlines()
    assert lines[0].split(",") == list(answer_columns("solve"))
    assert len(lines) == len(found) + 1


@pytest.mark.ci
def test_parquet_holds_what_csv_holds(whole, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    with Ledger(whole) as ledger:
        export_ledger(ledger, tmp_path / "x.parquet", "parquet")
        expected = list(answer_rows("solve", answer_records(ledger)))
    table = parquet.read_table(tmp_path / "x.parquet").to_pylist()
    assert [list(row) for row in table[:1]] == [list(answer_columns("solve"))]
    assert [list(row.values())[:12] for row in table] == [row[:12] for row in expected]


def test_an_export_is_written_whole_or_not_at_all(whole, tmp_path, monkeypatch):
    path = tmp_path / "x.jsonl"
    path.write_text("before")

    def fails(*arguments):
        raise StopError

    monkeypatch.setattr("spadille.batch.export_ledger.write_text", fails)
    with Ledger(whole) as ledger, pytest.raises(StopError):
        export_ledger(ledger, path, "jsonl")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("x.jsonl", "before")]


@pytest.mark.skipif(os.name == "nt", reason="files of POSIX")
def test_an_export_leaves_alone_what_it_is_not(whole, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("before")
    path.chmod(0o600)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with Ledger(whole) as ledger, ThreadPoolExecutor() as pool:
        export_ledger(ledger, path, "jsonl")
        read = pool.submit(pipe.read_text)
        export_ledger(ledger, pipe, "jsonl")
        assert read.result(60) == path.read_text(encoding="utf-8") == exported(whole)
        with pytest.raises(ArgumentError, match="is the ledger"):
            export_ledger(ledger, whole, "jsonl")
    assert pipe.is_fifo()
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_view_is_read_by_sql(whole):
    with closing(sqlite3.connect(whole)) as db:
        query = "SELECT answer ->> 'contract', count(*), sum(answer ->> 'makes') FROM results"
        rows_of = db.execute(f"{query} GROUP BY 1")
        found = {contract: (number, made) for contract, number, made in rows_of}
    expected = [json.loads(line) for line in exported(whole).splitlines()]
    for contract, (number, made) in found.items():
        own = [one for one in expected if one["contract"] == contract]
        assert (number, made) == (len(own), sum(one["makes"] for one in own))


def test_files_are_a_list_of_paths(tmp_path):
    with Ledger(tmp_path / "a.db", SOLVE) as ledger:
        for wrong in (FILES[0], Path(FILES[0]), None):
            with pytest.raises(ArgumentError, match="files must be a list of paths"):
                fill(ledger, wrong)
        assert fill(ledger, [Path(FILES[0])]).answered > 0
        assert fill(ledger, FILES[:1]).asked == 0
