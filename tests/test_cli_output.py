"""Output formats, files written whole or not at all, and the frame around all commands."""

from __future__ import annotations

import csv
import io
import json
import os
import stat

import click
import pytest
from click.testing import CliRunner

from spadille import __version__
from spadille.cli import COMMANDS, main
from spadille.cli.files import replacing
from spadille.cli.output import FORMATS, Output, Table, View, output_options

RECORDS = [{"seat": "N", "tricks": 5, "note": 'a "quoted", <b>'}, {"seat": "E", "tricks": 11}]
VIEW = View(
    ("seat", "tricks", "note"),
    lambda record: [(record["seat"], record["tricks"], record.get("note"))],
    lambda records: [
        Table(
            ("seat", "tricks", "note"),
            [(record["seat"], record["tricks"], record.get("note", "")) for record in records],
            title="50 % <of> it",
        )
    ],
)


@click.command()
@output_options
def listing(output):
    output.write(RECORDS, VIEW)


def written(kind, *args):
    result = CliRunner().invoke(listing, ["--format", kind, *args])
    assert result.exit_code == 0, result.output
    return result.output


def test_json_formats():
    assert json.loads(written("json")) == RECORDS
    assert [json.loads(line) for line in written("jsonl").splitlines()] == RECORDS


def test_json_without_records_is_an_empty_array(capsys):
    Output("json", "-").write([], VIEW)
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize(("kind", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_delimited_formats(kind, delimiter):
    rows = list(csv.reader(io.StringIO(written(kind)), delimiter=delimiter))
    assert rows == [["seat", "tricks", "note"], ["N", "5", RECORDS[0]["note"]], ["E", "11", ""]]


def test_table_aligns_numbers_to_the_right():
    lines = written("table").splitlines()
    assert lines[0] == "50 % <of> it"
    assert lines[3].startswith("N            5  a")
    assert lines[4].startswith("E           11")


def test_markup_is_escaped():
    assert "&lt;b&gt;" in written("html")
    assert "<h2>50 % &lt;of&gt; it</h2>" in written("html")
    assert r"\paragraph{50 \%" in written("latex")
    assert "| N      |        5 |" in written("markdown")


def test_the_last_column_is_wrapped_to_80_columns(capsys):
    table = Table(("place", "fault"), [("1:2", "word " * 40)], wraps=True)
    view = View((), lambda record: [], lambda records: [table])
    Output("table", "-").write([], view)
    lines = capsys.readouterr().out.splitlines()
    assert 70 < max(map(len, lines)) <= 80
    Output("markdown", "-").write([], view)
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_holds_what_standard_output_would(kind, tmp_path):
    target = tmp_path / "result"
    assert written(kind, "-o", str(target)) == ""
    assert target.read_text(encoding="utf-8") == written(kind)
    assert os.listdir(tmp_path) == ["result"]


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    target = tmp_path / "result"
    target.write_text("before")

    def fail(path):
        with replacing(str(path)) as stream:
            stream.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail(target)
    with pytest.raises(RuntimeError):
        fail(tmp_path / "new")
    assert target.read_text() == "before"
    assert os.listdir(tmp_path) == ["result"]


@pytest.mark.skipif(os.name == "nt", reason="modes and links of POSIX")
def test_a_replaced_file_keeps_mode_and_link(tmp_path):
    target = tmp_path / "result"
    target.write_text("before")
    target.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(target)
    with replacing(str(link)) as stream:
        stream.write("after")
    assert target.read_text() == "after"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert link.is_symlink()
    with replacing(os.devnull) as stream:
        stream.write("nothing")
    assert not os.path.isfile(os.devnull)


def test_a_place_that_cannot_be_written_is_wrong_usage(tmp_path):
    result = CliRunner().invoke(listing, ["-o", str(tmp_path / "none" / "result")])
    assert result.exit_code == 2
    assert "cannot write" in result.stderr


def test_what_was_finished_is_written_before_an_interruption(tmp_path):
    def records():
        yield RECORDS[0]
        raise KeyboardInterrupt

    target = tmp_path / "result"
    for kind in FORMATS:
        with pytest.raises(KeyboardInterrupt):
            Output(kind, str(target)).write(records(), VIEW)
        text = target.read_text(encoding="utf-8")
        if kind == "json":
            assert json.loads(text) == RECORDS[:1]
        assert "N" in text


def test_version_and_unknown_command():
    result = CliRunner().invoke(main, ["--version"])
    assert result.output == f"spadille {__version__}\n"
    result = CliRunner().invoke(main, ["slove"])
    assert result.exit_code == 2
    assert "slove" in result.stderr


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_80_columns(command):
    result = CliRunner().invoke(main, [*command.split(), "-h"], terminal_width=80)
    assert result.exit_code == 0
    assert max(map(len, result.output.splitlines())) <= 80
    assert "Examples:" in result.output
