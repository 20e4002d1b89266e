"""Output formats, files that are always complete, and the frame around all commands."""

from __future__ import annotations

import csv
import io
import json
import os

import click
import pytest
from click.testing import CliRunner

from spadille import __version__
from spadille_cli import COMMANDS, main
from spadille_cli.human_readable_tables import TextTable
from spadille_cli.output_formats import FORMATS, Output, View, output_options

RECORDS = [{"seat": "N", "tricks": 5, "note": 'a "quoted", <b>'}, {"seat": "E", "tricks": 11}]
VIEW = View(
    ("seat", "tricks", "note"),
    lambda record: [(record["seat"], record["tricks"], record.get("note"))],
    lambda records: [
        TextTable(
            ("seat", "tricks", "note"),
            [(record["seat"], record["tricks"], record.get("note", "")) for record in records],
            title="50% <of> it",
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
    expected = [{"schema": 1, **record} for record in RECORDS]
    assert json.loads(written("json")) == expected
    assert [json.loads(line) for line in written("jsonl").splitlines()] == expected
    assert all(next(iter(record)) == "schema" for record in json.loads(written("json")))


def test_json_without_records_is_an_empty_array(capsys):
    Output("json", "-").write([], VIEW)
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize(("kind", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_delimited_formats(kind, delimiter):
    rows = list(csv.reader(io.StringIO(written(kind)), delimiter=delimiter))
    assert rows == [["seat", "tricks", "note"], ["N", "5", RECORDS[0]["note"]], ["E", "11", ""]]


def test_table_aligns_numbers_to_the_right():
    lines = written("table").splitlines()
    assert lines[0] == "50% <of> it"
    assert lines[3] == 'N          5  a "quoted", <b>'
    assert lines[4] == "E         11"


def test_markup_is_escaped():
    assert "&lt;b&gt;" in written("html")
    assert "<h2>50% &lt;of&gt; it</h2>" in written("html")
    assert '<td style="text-align: right;">5</td><td>a &quot;quoted&quot;, ' in written("html")
    assert written("html").startswith('<!DOCTYPE html>\n<meta charset="utf-8">\n<title>')
    assert r"\paragraph{50\%" in written("latex")
    assert "| N    |      5 |" in written("markdown")


def test_the_last_column_is_wrapped_to_80_columns(capsys):
    table = TextTable(("place", "fault"), [("1:2", "word " * 40)], wraps=True)
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


def test_a_file_is_not_touched_by_a_failure(tmp_path):
    def records():
        yield RECORDS[0]
        raise RuntimeError

    target = tmp_path / "result"
    target.write_text("before")
    with pytest.raises(RuntimeError):
        Output("jsonl", str(target)).write(records(), VIEW)
    assert target.read_text() == "before"
    assert os.listdir(tmp_path) == ["result"]


@pytest.mark.skipif(os.name == "nt", reason="a device of POSIX")
def test_a_device_is_written_to_not_replaced():
    assert written("json", "-o", os.devnull) == ""
    assert not os.path.isfile(os.devnull)


def test_a_place_that_cannot_be_written_is_wrong_usage(tmp_path):
    result = CliRunner().invoke(listing, ["-o", str(tmp_path / "none" / "result")])
    assert result.exit_code == 2
    assert "cannot write to" in result.stderr
    assert "none': there is no such folder" in " ".join(result.stderr.split())


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
            assert json.loads(text) == [{"schema": 1, **RECORDS[0]}]
        assert "N" in text


def test_a_file_stays_as_it_was_where_nothing_was_finished(tmp_path):
    def records():
        raise KeyboardInterrupt
        yield

    target = tmp_path / "result"
    target.write_text("before")
    for kind in FORMATS:
        with pytest.raises(KeyboardInterrupt):
            Output(kind, str(target)).write(records(), VIEW)
        with pytest.raises(KeyboardInterrupt):
            Output(kind, str(target)).write_text(records(), ["last"], head="first")
        assert target.read_text() == "before"


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


def view_of(*rows, title="", wraps=False):
    table = TextTable(("name", "value"), rows, title, wraps=wraps)
    return View(("name", "value"), lambda record: rows, lambda records: [table])


def test_long_texts_are_broken_before_words(capsys):
    place = "a/folder/with/a/name/that/is/longer/than/others.pbn:12:3"
    Output("table", "-").write([], view_of((place, "word " * 30), ("short", "y")))
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith(f"{place}  word word")
    assert 70 < max(map(len, lines)) <= 80
    assert lines[-1].split() == ["short", "y"]


def test_markdown_is_escaped(capsys):
    view = view_of(("*a|b*", "<b>`x`</b> [y](z) $1$ _u_"), title="**t** | <i>")
    Output("markdown", "-").write([], view)
    text = capsys.readouterr().out
    assert text.startswith(r"**\*\*t\*\* \| \<i\>**")
    assert r"\*a\|b\*" in text
    assert r"\<b\>\`x\`\</b\> \[y\](z) \$1\$ \_u\_" in text


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_spreadsheets_get_no_formulas(kind, capsys):
    texts = ["=1+1", "+cmd", "-cmd|x", "@sum", "\tx", "-", "-3", "+2.5", "a=b", ""]
    rows = [(text, number) for number, text in enumerate(texts, -3)]
    Output(kind, "-").write([{}], view_of(*rows))
    read = csv.reader(
        io.StringIO(capsys.readouterr().out), delimiter="\t" if kind == "tsv" else ","
    )
    found = list(read)[1:]
    assert [row[0] for row in found] == ["'=1+1", "'+cmd", "'-cmd|x", "'@sum", "'\tx", *texts[5:]]
    assert [row[1] for row in found] == [str(number) for number in range(-3, 7)]


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_json_holds_no_control_characters(kind, capsys):
    text = "\x1b[31m \x9b \u202e \u2028 \x7f"
    Output(kind, "-").write([{"text": text}], VIEW)
    out = capsys.readouterr().out
    assert out.isprintable() or out.replace("\n", "").isprintable()
    found = json.loads(out)
    assert (found[0] if kind == "json" else found) == {"schema": 1, "text": text}
