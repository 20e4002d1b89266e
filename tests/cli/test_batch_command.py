"""`spadille batch` exports the output of the single commands, and reports its progress."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille.pbn.hand_file import load
from spadille_cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
EVENINGS = ["evenings/german-solo.pbn", "evenings/ombre.pbn"]
FAULTY = """
[Game "german-solo"]
[Board "sound"]
[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]
[Declarer "E"]
[Contract "solo"]
[Trump "D"]

[Game "german-solo"]
[Board "twice"]
[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.A.AJ8.KQ"]
[Declarer "E"]
[Contract "solo"]
[Trump "D"]

[Board "no contract"]
[Game "german-solo"]
[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]

[Board "no partner"]
[Game "german-solo"]
[Deal "S:- - - -"]
[Declarer "E"]
[Contract "frog"]
[Trump "D"]
[Called "HA"]

[Board "no bracket"]
[Game "german-solo"]
[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]
[Contract "solo"
"""


def run(*words, status=0):
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == status, result.output
    return result


def test_an_option_that_no_game_in_the_files_has_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solo.pbn").write_text(FAULTY)
    (tmp_path / "mensch.pbn").write_text('[Game "mensch"]\n')
    option = ("batch", "solve", "--into", "x.db", "--rules", "passout_loss=2")
    result = run(*option, "solo.pbn", status=2)
    assert "German Solo has no option 'passout_loss'" in result.output
    assert not (tmp_path / "x.db").exists()
    run(*option, "solo.pbn", "mensch.pbn", status=3)
    run(*option, "--game", "mensch", "solo.pbn", status=3)


def lasting(value):
    if isinstance(value, dict):
        return {name: lasting(one) for name, one in value.items() if name not in ("nodes", "ms")}
    return [lasting(one) for one in value] if isinstance(value, list) else value


def objects(text):
    return [lasting(json.loads(line)) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("kind", "files", "status"),
    [
        ("solve", ["german-solo.pbn", "squint.pbn"], 0),
        ("solve --leads --line", ["german-solo.pbn"], 0),
        ("table --contract solo", ["mensch.pbn"], 0),
        ("score --game german-solo", ["evenings/club.csv"], 0),
        ("solve --game german-solo", ["evenings/club.csv"], 3),
        pytest.param("best", ["german-solo.pbn"], 0, marks=pytest.mark.ci),
        pytest.param("review", ["ombre.pbn", "evenings/german-solo.pbn"], 0, marks=pytest.mark.ci),
        pytest.param("score", ["evenings"], 0, marks=pytest.mark.ci),
        pytest.param("solve", ["."], 3, marks=pytest.mark.slow),
        pytest.param("review", ["."], 0, marks=pytest.mark.slow),
    ],
)
def test_an_export_has_what_the_command_writes(kind, files, status, tmp_path, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    ledger = tmp_path / "x.db"
    command = run(*kind.split(), "--format", "jsonl", *files, status=status)
    batch = run("batch", *kind.split(), *files, "--into", ledger, status=status)
    found = objects(run("batch", "export", ledger).stdout)
    expected = sorted(objects(command.stdout), key=lambda one: (one["file"], one["index"]))
    assert json.dumps(found) == json.dumps(expected)
    told = [line for line in command.stderr.splitlines() if "skipped" not in line]
    assert set(batch.stderr.splitlines()[:-1]) == set(told)
    run("batch", "status", ledger)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("kind", "files", "status"),
    [
        ("review", ["mensch.pbn"], 0),
        ("score", ["ombre.pbn"], 3),
        ("best --seat N", ["few.pbn", "ombre.pbn"], 3),
    ],
)
def test_chances_are_those_of_the_command(kind, files, status, tmp_path, monkeypatch):
    few = run("fmt", EXAMPLES / "german-solo.pbn", "--board", "1-2").stdout_bytes
    (tmp_path / "few.pbn").write_bytes(few)
    for name in ("mensch.pbn", "ombre.pbn"):
        (tmp_path / name).symlink_to(EXAMPLES / name)
    monkeypatch.chdir(tmp_path)
    words = (*kind.split(), *files, "--chances", "--samples", "3")
    command = run(*words, "--seconds", "0", "--format", "jsonl", status=status)
    run("batch", *words, "--into", tmp_path / "x.db", status=status)
    found = run("batch", "export", tmp_path / "x.db").stdout
    assert objects(found) == sorted(
        objects(command.stdout), key=lambda one: (one["file"], one["index"])
    )


@pytest.mark.parametrize(
    ("kind", "files", "few"),
    [
        pytest.param("best --seat N", EVENINGS[:1], "1-2", marks=pytest.mark.ci),
        pytest.param("review", ["mensch.pbn"], "1-2", marks=pytest.mark.ci),
        pytest.param("score", EVENINGS[:1], "1-2", marks=pytest.mark.slow),
        *(pytest.param(kind, EVENINGS, "", marks=pytest.mark.slow) for kind in ("review", "score")),
    ],
)
def test_chances_are_the_same_however_they_are_found(kind, files, few, tmp_path, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    if few:
        path = tmp_path / "few.pbn"
        path.write_bytes(run("fmt", *files, "--board", few).stdout_bytes)
        files = [path]
    words = ("batch", *kind.split(), *files, "--chances", "--samples", "3", "--into")
    run(*words, tmp_path / "whole.db")
    run(*words, tmp_path / "two.db", "-j", "2")
    for number in (1, 2, 3):
        run(*words, tmp_path / f"{number}.db", "--shard", f"{number}/3")
    parts = [tmp_path / f"{number}.db" for number in (2, 3, 1)]
    run("batch", "merge", *parts, "--into", tmp_path / "parts.db")
    whole, *others = (
        run("batch", "export", tmp_path / f"{name}.db").stdout for name in ("whole", "two", "parts")
    )
    assert '"verdict' in whole or '"made"' in whole
    assert others == [whole, whole]


def test_faults_are_told_and_kept(tmp_path):
    path, ledger = tmp_path / "faulty.pbn", tmp_path / "x.db"
    path.write_text(FAULTY, encoding="utf-8")
    command = run("solve", "--format", "jsonl", path, status=3)
    batch = run("batch", "solve", path, "--into", ledger, status=3)
    told = command.stderr.splitlines()
    assert batch.stderr.splitlines()[:-1] == told
    quoted = told.index('  [Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.A.AJ8.KQ"]')
    assert told[quoted + 1].strip() == "^"
    assert objects(run("batch", "export", ledger).stdout) == objects(command.stdout)
    assert "faulty    4\n" in run("batch", "status", ledger).stdout


def test_lines_are_quoted_wherever_a_fault_is_found(tmp_path):
    """The quoted line is right in any deal, while reading or solving, with inherited values."""
    deal = '[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]'
    sound = f'[Game "german-solo"]\n{deal}\n[Declarer "E"]\n[Contract "solo"]\n[Trump "D"]\n'
    other = sound.replace("german-solo", "#").replace('"E"', '"X"')
    path = tmp_path / "deals.pbn"
    for text, line in (
        (f"{sound}\n{sound}\n{other}", '  [Declarer "X"]'),
        (f"{sound}\n{sound.replace('E', 'X')}", '  [Declarer "X"]'),
        (f"{sound}\n\n\n{sound.replace(deal, deal[:30] + deal[31:])}", f"  {deal[:30]}"),
    ):
        path.write_text(text, encoding="utf-8")
        command = run("solve", path, status=3)
        batch = run("batch", "solve", path, "--into", tmp_path / "x.db", status=3)
        assert batch.stderr.splitlines()[:-1] == command.stderr.splitlines()
        assert line in batch.stderr


def test_what_only_the_answer_finds_out_is_quoted(tmp_path):
    words = ("table", "--seat", "5", EXAMPLES / "mensch.pbn")
    command = run(*words, status=3)
    batch = run("batch", *words, "--into", tmp_path / "x.db", status=3)
    assert set(command.stderr.splitlines()) <= set(batch.stderr.splitlines())
    assert "\n  [Deal " in batch.stderr
    assert batch.stderr.count(": --seat: '5' is not a seat in Mensch") == 2


def test_parts_are_put_together(tmp_path):
    whole, path = tmp_path / "whole.db", EXAMPLES / "german-solo.pbn"
    run("batch", "solve", path, "--into", whole)
    deals = len(load(path))
    for number, elsewhere in ((1, deals // 2), (2, deals - deals // 2)):
        part = tmp_path / f"{number}.db"
        run("batch", "solve", path, "--into", part, "--shard", f"{number}/2")
        assert f"elsewhere {elsewhere}\n" in run("batch", "status", part, status=1).stdout
        assert "of other shards left out" in run("batch", "export", part, status=3).stderr
    run("batch", "merge", tmp_path / "1.db", tmp_path / "2.db", "--into", tmp_path / "both.db")
    for form in ("jsonl", "csv"):
        out = tmp_path / f"x.{form}"
        run("batch", "export", tmp_path / "both.db", "--format", form, "-o", out)
        expected = run("batch", "export", whole, "--format", form).stdout
        assert out.read_text(encoding="utf-8") == expected


def test_the_extension_names_the_format_of_an_export(tmp_path):
    ledger = tmp_path / "x.db"
    run("batch", "solve", EXAMPLES / "german-solo.pbn", "--into", ledger)
    lines = run("batch", "export", ledger).stdout
    for name, message in (
        ("x.jsonl", ""),
        ("x.out", ""),
        ("x.json", "written as jsonl, not as json"),
    ):
        told = run("batch", "export", ledger, "-o", tmp_path / name).stderr
        assert message in told
        assert bool(message) == bool(told)
        assert (tmp_path / name).read_text(encoding="utf-8") == lines
    run("batch", "export", ledger, "-o", tmp_path / "x.csv")
    rows = run("batch", "export", ledger, "--format", "csv").stdout
    assert (tmp_path / "x.csv").read_text(encoding="utf-8") == rows
    told = run("batch", "export", ledger, "-o", tmp_path / "x.parquet", "--format", "csv").stderr
    assert "x.parquet: written as csv, as --format says, not as parquet" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("solve x.pbn", "--into"),
        ("solve x.pbn --into no/where.db", "cannot write"),
        ("solve x.pbn --into x.db --shard 3/2", "2/5"),
        ("review x.pbn --into x.db --chances", "--samples"),
        ("review x.pbn --into x.db --samples 5", "--samples needs --chances"),
        ("best x.pbn --into x.db --belief none", "--belief needs --chances"),
        ("status none.db", "there is no ledger"),
        ("export text.db", "not a database"),
        ("merge text.db --into x.db", "not a database"),
        ("export whole.db --format parquet", "-o"),
        ("table x.pbn --into whole.db", "another question (solve objective=tricks)"),
        ("merge whole.db text.db --into y.db", "not a database"),
        ("merge whole.db --into no/where.db", "cannot write"),
        ("export whole.db -o whole.db", "is the ledger"),
        ("solve x.pbn --into x.db --dask nonsense", "is not an address such as"),
    ],
)
def test_wrong_usage_is_told(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.pbn").write_text(FAULTY, encoding="utf-8")
    Path("text.db").write_text("a text " * 100)
    run("batch", "solve", "x.pbn", "--into", "whole.db", status=3)
    if "--dask" in words:
        pytest.importorskip("distributed")
    assert message in run("batch", *words.split(), status=2).stderr


def test_a_file_that_is_not_there_does_not_stop_the_others(tmp_path):
    path, ledger = EXAMPLES / "german-solo.pbn", tmp_path / "x.db"
    found = run("batch", "solve", tmp_path / "none.pbn", path, "--into", ledger, status=3)
    assert "none.pbn: No such file" in found.stderr
    assert len(objects(run("batch", "export", ledger).stdout)) == len(load(path))


def test_a_folder_without_hand_files_is_told(tmp_path):
    (tmp_path / "deals").mkdir()
    for command in (("solve",), ("batch", "solve", "--into", tmp_path / "x.db")):
        told = run(*command, tmp_path / "deals", status=3).stderr
        assert "deals: no hand files (*.pbn) in it" in told
