"""`spadille check` and `spadille fmt` on valid and invalid hand files."""

from __future__ import annotations

import csv
import io
import json
import os
from errno import EACCES, ENOSPC
from itertools import product

import pytest

from tests.support.hand_file_commands import GOOD, run

DUPLICATE = GOOD.replace("QJ.87.A.AKJ", "QJ.J8.A.AKJ").replace('"7"', '"8"')
NO_GAME = "".join(line for line in GOOD.splitlines(True) if "Game" not in line)
STRAY = GOOD.replace('[Board "7"]', '[Board "7"')


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.pbn").write_text(GOOD)
    (tmp_path / "mixed.pbn").write_text(f"{DUPLICATE}\n{GOOD}")
    (tmp_path / "nogame.pbn").write_text(NO_GAME)
    (tmp_path / "stray.pbn").write_text(STRAY)
    return tmp_path


# check


def test_a_sound_file_has_nothing_to_show(folder):
    result = run("check", "good.pbn")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "1 deal, 0 with faults: 0 faults\n"


def test_an_explanation_checks_no_files(folder):
    for what in ("good.pbn", "--deal", "--format", "-o"):
        words = [what] if what == "good.pbn" else [what, "csv"]
        result = run("check", "--explain", "card-revoke", *words)
        option = {"good.pbn": "FILE", "-o": "--output"}.get(what, what)
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"--explain checks no deals: leave out {option}\n" in result.stderr
    assert run("check", "--color", "never", "--explain", "card-revoke").exit_code == 0


@pytest.mark.parametrize("command", ["check", "solve", "fmt", "batch solve --into a.db"])
def test_an_empty_file_name_is_wrong_usage(folder, command):
    result = run(*command.split(), "")
    assert result.exit_code == 2
    assert "Invalid value for 'FILE...': the name of a file is empty" in result.stderr
    assert not (folder / "a.db").exists()


def test_a_fault_has_place_input_and_rule(folder):
    result = run("check", "mixed.pbn")
    assert result.exit_code == 1
    text = " ".join(result.stdout.split())
    assert "mixed.pbn:5:" in text
    assert "HJ is held by E and by S" in text
    assert "(RULES 1: each card is in the pack once)" in text
    assert max(map(len, result.output.splitlines())) <= 80
    assert run("check", "mixed.pbn").exit_code == 1


def test_check_records(folder):
    records = json.loads(run("check", "--format", "json", "mixed.pbn").stdout)
    assert [(one["index"], one["board"], one["game"]) for one in records] == [
        (0, "8", "german-solo"),
        (1, "7", "german-solo"),
    ]
    assert records[1]["error"] is None
    assert records[1]["faults"] == []
    first, *_ = records[0]["faults"]
    assert records[0]["error"] == {key: first[key] for key in ("code", "message", "line", "column")}
    lines = run("check", "--format", "jsonl", "mixed.pbn").stdout.splitlines()
    assert [json.loads(line) for line in lines] == records
    rows = list(csv.DictReader(io.StringIO(run("check", "--format", "csv", "mixed.pbn").stdout)))
    assert {row["code"] for row in rows} == {fault["code"] for fault in records[0]["faults"]}


def test_a_warning_is_shown_and_changes_no_status(folder):
    hands = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    text = f'[Game "solo-whist"]\n[Dealer "N"]\n[Deal "N:{hands}"]\n[CurrentTrump "D"]\n'
    result = run("check", "-", input=text)
    assert result.exit_code == 0
    assert "-:4:16  warning: diamonds cannot have been turned up" in result.stdout
    assert result.stderr == "1 deal, 0 with faults: 0 faults, 1 warning\n"
    [record] = json.loads(run("check", "--format", "json", "-", input=text).stdout)
    assert record["error"] is None
    assert [one["severity"] for one in record["faults"]] == ["warning"]


def test_a_file_that_cannot_be_read_stops_nothing(folder):
    result = run("check", "none.pbn", "mixed.pbn")
    assert result.exit_code == 3
    assert "none.pbn: No such file" in result.stderr
    assert "HJ is held" in result.stdout


def test_a_subfolder_that_cannot_be_listed_stops_nothing(folder, monkeypatch):
    listed = os.scandir

    def scandir(path):
        if os.path.basename(path) == "closed":
            raise PermissionError(EACCES, os.strerror(EACCES), path)
        return listed(path)

    (folder / "closed").mkdir()
    monkeypatch.setattr(os, "scandir", scandir)
    for readable in (True, False):
        result = run("check", str(folder))
        assert result.exit_code == 3
        assert f"{folder / 'closed'}: " in result.stderr
        assert ("HJ is held" in result.stdout) == readable
        for file in folder.glob("*.pbn"):
            file.unlink()


def test_standard_input(folder):
    result = run("check", "-", input=DUPLICATE)
    assert "-:5:" in result.stdout


def test_a_game_for_deals_that_name_none(folder):
    assert run("check", "nogame.pbn").exit_code == 1
    assert run("check", "--game", "german-solo", "nogame.pbn").exit_code == 0
    assert run("check", "--game", "whist", "nogame.pbn").exit_code == 2
    assert run("check", "--rules", "what", "nogame.pbn").exit_code == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("what", "'what' is not an option"),
        ("colour=C", "no game has an option 'colour'"),
        ("color=X", "color='X': the values are C"),
        ("color=C;color=D", "option 'color' is given twice"),
    ],
)
def test_wrong_options_are_wrong_usage(folder, options, message):
    for command in ("check", "solve", "table"):
        result = run(command, "--rules", options, "good.pbn")
        assert result.exit_code == 2
        assert message in result.stderr


def test_an_option_only_other_games_have_is_passed_over_but_not_a_value(folder):
    (folder / "mensch.pbn").write_text('[Game "mensch"]\n')
    result = run("solve", "--rules", "passout_loss=2", "good.pbn", "mensch.pbn")
    assert result.exit_code == 3
    assert result.stdout
    assert result.stderr.startswith("mensch.pbn:")
    assert "good.pbn" not in result.stderr
    assert run("solve", "--rules", "passout_loss=2", "good.pbn").exit_code == 2
    result = run("solve", "--rules", "call_rank=ace-then-king", "good.pbn")
    assert result.exit_code == 3
    assert "good.pbn:" in result.stderr
    assert "the values are any, ace-only" in result.stderr


def test_a_file_without_permission_stops_nothing(folder, monkeypatch):
    from spadille_cli import input_files

    real = input_files.load

    def load(name, *args, **letters):
        if name == "good.pbn":
            raise PermissionError(13, "Permission denied")
        return real(name, *args, **letters)

    monkeypatch.setattr(input_files, "load", load)
    monkeypatch.setattr("os.access", lambda path, mode: path != "good.pbn")
    result = run("check", "good.pbn", "mixed.pbn")
    assert result.exit_code == 3
    assert "good.pbn: Permission denied" in result.stderr
    assert "HJ is held" in result.stdout


# fmt


def test_fmt_writes_canonical_form_and_keeps_what_it_does_not_know(folder):
    result = run("fmt", "good.pbn")
    assert result.exit_code == 0
    assert '[OurOwnTag "stays, too"]' in result.stdout
    assert "{a comment that stays}" in result.stdout
    (folder / "once.pbn").write_bytes(result.stdout_bytes)
    assert run("fmt", "once.pbn").stdout_bytes == result.stdout_bytes
    assert run("fmt", "--check", "once.pbn").exit_code == 0


def test_fmt_check_names_files_and_writes_nothing(folder):
    result = run("fmt", "--check", "good.pbn", "mixed.pbn")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "good.pbn: not in canonical form" in result.stderr
    assert (folder / "good.pbn").read_text() == GOOD


def test_fmt_in_place(folder):
    expected = run("fmt", "--eol", "keep", "good.pbn").stdout_bytes
    assert run("fmt", "-i", "good.pbn", "mixed.pbn").exit_code == 0
    assert (folder / "good.pbn").read_bytes() == expected
    before = os.stat("good.pbn").st_mtime_ns
    assert run("fmt", "-i", "good.pbn").exit_code == 0
    assert os.stat("good.pbn").st_mtime_ns == before


def test_fmt_and_line_ends(folder):
    crlf = run("fmt", "good.pbn").stdout_bytes
    assert crlf.count(b"\r\n") == crlf.count(b"\n") > 9
    assert run("fmt", "--eol", "lf", "good.pbn").stdout_bytes == crlf.replace(b"\r", b"")
    (folder / "crlf.pbn").write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert run("fmt", "-i", "crlf.pbn", "good.pbn").exit_code == 0
    assert (folder / "crlf.pbn").read_bytes() == crlf
    assert (folder / "good.pbn").read_bytes() == crlf.replace(b"\r", b"")
    assert run("fmt", "--check", "crlf.pbn", "good.pbn").exit_code == 0
    assert run("fmt", "--check", "--eol", "crlf", "crlf.pbn", "good.pbn").exit_code == 1
    assert run("fmt", "-i", "--eol", "crlf", "good.pbn").exit_code == 0
    assert (folder / "good.pbn").read_bytes() == crlf
    (folder / "none.pbn").write_bytes(b'[Event "a"]')
    assert run("fmt", "-i", "none.pbn").exit_code == 0
    assert b"\r\n" in (folder / "none.pbn").read_bytes()


@pytest.mark.parametrize("most", ["\r", "\n", "\r\n"])
def test_fmt_in_place_keeps_the_most_frequent_line_ending(folder, most):
    canonical = run("fmt", "--eol", "lf", "good.pbn").stdout_bytes
    lines = GOOD.splitlines()
    for others in ("\r", "\n", "\r\n"):
        text = others.join(lines[:3]) + most.join(["", *lines[3:], ""])
        (folder / "ends.pbn").write_text(text, newline="")
        assert run("fmt", "-i", "ends.pbn").exit_code == 0
        assert (folder / "ends.pbn").read_bytes() == canonical.replace(b"\n", most.encode())
        assert run("fmt", "--check", "ends.pbn").exit_code == 0


def test_fmt_replaces_a_lone_hash_as_its_help_says(folder):
    (folder / "hash.pbn").write_text(GOOD.replace("Club night", "#"))
    result = run("fmt", "hash.pbn")
    assert '[Event "?"]' in result.stdout
    assert "nothing-to-inherit" in run("check", "--format", "jsonl", "hash.pbn").stdout
    assert result.exit_code == 3
    assert result.stderr
    words = " ".join(run("fmt", "--help").stdout.split())
    assert "copied unchanged, except that a # with no value to repeat becomes ?." in words


def test_fmt_to_a_file(folder):
    assert run("fmt", "good.pbn", "-o", "new.pbn").stdout == ""
    assert (folder / "new.pbn").read_bytes() == run("fmt", "good.pbn").stdout_bytes


def test_fmt_reports_broken_notation(folder):
    result = run("fmt", "stray.pbn")
    assert result.exit_code == 3
    assert "stray.pbn:2:1: " in result.stderr
    assert b'[Board "7"\r\n' in result.stdout_bytes


@pytest.mark.parametrize(
    "args", [["-i", "--check", "a"], ["-i", "-o", "b", "a"], ["a", "b"], ["-o", "none/b", "a"], []]
)
def test_wrong_usage_of_fmt(folder, args):
    assert run("fmt", *args).exit_code == 2


@pytest.mark.parametrize(
    ("command", "name"),
    [
        *product(["solve", "page", "problems", "fmt"], ["deals.pbn", "."]),
        ("deal --goulash", "deals.pbn"),
    ],
)
def test_results_do_not_replace_the_hand_file(command, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "deals.pbn"
    file.write_text('[Game "mensch"]\n')
    result = run(*command.split(), name, "-o", str(file))
    assert result.exit_code == 2
    assert "would replace an input file" in result.output
    assert file.read_text() == '[Game "mensch"]\n'


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_read_only_files_are_not_replaced(folder):
    file = folder / "good.pbn"
    before = file.read_text()
    file.chmod(0o444)
    other = folder / "other.pbn"
    other.write_text(before)
    result = run("fmt", "-i", "good.pbn", "other.pbn", "nothere.pbn")
    assert result.exit_code == 2  # although an input file is missing, which alone is status 3
    assert "cannot write 'good.pbn': the file is read-only" in result.stderr
    assert file.read_text() == before != other.read_text()
    for command in ("table", "review"):
        result = run(command, "--annotate", "good.pbn")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--annotate cannot write to 'good.pbn'" in result.stderr
    result = run("check", "-o", "good.pbn", "other.pbn")
    assert result.exit_code == 2
    assert "cannot write to 'good.pbn'" in result.stderr


def test_a_rule_of_the_notation_is_named_once(folder):
    (folder / "stray.pbn").write_text('[Game "mensch"]\n]\n')
    message = run("check", "stray.pbn").stdout
    assert "(PBN 3.3)" in message
    assert "(PBN)" not in message


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_what_is_no_file_is_not_rewritten(folder):
    os.mkfifo(folder / "pipe")
    for args in (["fmt", "-i"], ["table", "--annotate"], ["review", "--annotate"]):
        result = run(*args, "pipe")
        assert result.exit_code == 2
        assert "'pipe', which is not a regular file" in result.stderr


@pytest.mark.parametrize("command", ["fmt", "solve", "rules"])
def test_an_empty_name_is_refused_before_the_work(folder, command):
    result = run(command, "-o", "", "ombre" if command == "rules" else "none.pbn")
    assert result.exit_code == 2
    assert "the name of the file is empty" in result.stderr
    assert "none.pbn" not in result.stderr


def test_a_file_changed_meanwhile_is_not_overwritten(folder, monkeypatch):
    from spadille_cli import fmt

    real = fmt.export

    def export(*args):
        (folder / "good.pbn").write_text("% somebody else\n")
        return real(*args)

    monkeypatch.setattr(fmt, "export", export)
    result = run("fmt", "-i", "good.pbn")
    assert result.exit_code == 2
    assert "the file has been changed since it was read" in result.stderr
    assert (folder / "good.pbn").read_text() == "% somebody else\n"


def test_a_full_disk_is_status_2_whatever_is_written(folder, monkeypatch):
    def full(descriptor):
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    (folder / "copy.pbn").write_text(GOOD)
    before = {path.name: path.read_text() for path in folder.iterdir()}
    monkeypatch.setattr("spadille.pbn.atomic_files.os.fsync", full)
    for words in (
        "table --annotate good.pbn copy.pbn",
        "table --annotate nothere.pbn good.pbn",  # a missing file alone is status 3
        "fmt -i good.pbn copy.pbn",
        "fmt -o out.pbn good.pbn",
        "solve -o out.csv good.pbn",
        "deal mensch -o out.pbn",
    ):
        result = run(*words.split())
        assert result.exit_code == 2
        # Every file is tried, although the first one cannot be written.
        files = words.count(".pbn") if "copy" in words else 1
        assert result.stderr.count("No space left on device") == files
        assert {path.name: path.read_text() for path in folder.iterdir()} == before


def test_owner_and_group_that_cannot_be_kept_are_told(folder, monkeypatch):
    monkeypatch.setattr("spadille.pbn.atomic_files._keep", lambda target, draft: "owner and group")
    result = run("fmt", "-i", "good.pbn")
    assert result.exit_code == 0
    assert "good.pbn: the owner and group of the file could not be kept" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_fmt_of_linked_files(folder):
    """A symbolic link remains a link; another name keeps the old text, and the user is told."""
    (folder / "link.pbn").symlink_to("good.pbn")
    result = run("fmt", "-i", "link.pbn")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (folder / "link.pbn").is_symlink()
    assert run("fmt", "--check", "good.pbn").exit_code == 0
    os.link(folder / "mixed.pbn", folder / "name.pbn")
    before = (folder / "name.pbn").read_text()
    result = run("fmt", "-i", "mixed.pbn")
    assert result.stderr == "mixed.pbn: the hard links of the file could not be kept\n"
    assert (folder / "name.pbn").read_text() == before != (folder / "mixed.pbn").read_text()
    assert run("fmt", "-i", "mixed.pbn").stderr == ""  # nothing to write
    for path in ("good.pbn", "link.pbn"):
        assert "would replace an input file" in run("fmt", "good.pbn", "-o", path).stderr
    (folder / "gone.pbn").symlink_to("nowhere.pbn")
    assert run("fmt", "-i", "gone.pbn").stderr == "gone.pbn: No such file or directory\n"


def test_check_says_what_was_found(folder):
    result = run("check", "mixed.pbn")
    assert result.exit_code == 1
    assert result.stderr == "2 deals, 1 with faults: 2 faults\n"
    assert "[card-duplicate]" in result.stdout
    assert run("check", "--exit-zero", "mixed.pbn").exit_code == 0
    assert run("check", "--exit-zero", "none.pbn", "mixed.pbn").exit_code == 3


def test_a_file_without_deals_is_named(folder):
    (folder / "empty.pbn").write_text("; nothing\n")
    for command in ("solve", "check", "table", "review"):
        result = run(command, "empty.pbn")
        assert result.exit_code == 0
        assert "no deals in empty.pbn" in result.stderr


def test_a_misspelt_command_gets_a_hint():
    result = run("sovle")
    assert result.exit_code == 2
    assert "No such command 'sovle'; did you mean 'solve'?" in result.stderr
    assert "did you mean" not in run("xyz").stderr


def test_a_file_in_place_of_a_command_gets_a_hint(folder):
    (folder / "mine.pbn").write_text("")
    result = run("mine.pbn")
    assert result.exit_code == 2
    assert "a command comes first, as in 'spadille solve mine.pbn'" in result.stderr


def test_check_shows_so_many_faults_and_counts_the_others(folder):
    (folder / "odd.pbn").write_text('[Game "mensch"] ]\n\n' * 750)
    result = run("check", "odd.pbn")
    assert result.stdout.count("odd.pbn:") == 1000
    assert "and 500 more; --format jsonl or csv lists them all" in result.stdout
    assert result.stderr == "750 deals, 750 with faults: 1500 faults\n"
    assert run("check", "--format", "csv", "odd.pbn").stdout.count("bracket-stray") == 750


def test_fmt_counts_the_faults_it_does_not_show(folder):
    (folder / "odd.pbn").write_text("]\n\n" * 1500)
    result = run("fmt", "odd.pbn")
    assert result.stdout.split() == ["]"] * 1500
    assert result.stderr.count("odd.pbn:") == 101
    assert "1400 more faults in this deal, not shown" in result.stderr


def test_fmt_writes_only_the_boards_asked_for(tmp_path):
    file = tmp_path / "three.pbn"
    deal = "N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98"
    file.write_text(
        f'[Game "##german-solo"]\n[Board "1"]\n[Deal "{deal}"]\n[Event "Club"]\n\n'
        '[Board "2"]\n[Deal "#"]\n[Event "#"]\n\n[Board "x"]\n[Deal "-"]\n'
    )
    result = run("fmt", "--board", "2", str(file))
    assert result.exit_code == 0
    assert result.stdout.count("[Deal ") == 1
    assert f'[Deal "{deal}"]' in result.stdout
    assert '[Event "Club"]' in result.stdout
    assert '[Game "german-solo"]' in result.stdout
    assert run("fmt", "--board", "#3", str(file)).stdout.count('[Board "x"]') == 1
    assert run("fmt", "--board", "9", str(file)).exit_code == 3
    assert run("fmt", "--board", "1", "-i", str(file)).exit_code == 2
