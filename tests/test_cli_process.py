"""The command as a process: exit statuses, closed pipes, Ctrl-C, start-up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "from spadille.cli import main; main(prog_name='spadille')"]


def spadille(*args, **extra):
    return subprocess.run(
        [*PROGRAM, *args], capture_output=True, text=True, encoding="utf-8", check=False, **extra
    )


def test_exit_status_reaches_the_shell():
    assert spadille("rules", "ombre").returncode == 0
    done = spadille("rules", "bridge")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "'bridge'" in done.stderr


def test_a_reader_who_has_had_enough_is_no_error():
    with subprocess.Popen(
        [*PROGRAM, "rules", "squint", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_is_status_130_and_one_line():
    with subprocess.Popen(
        [*PROGRAM, "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"},
    ) as process:
        # Once the hand files' module is there, nothing is left to do but wait for the input.
        for line in process.stderr:
            if b"spadille.handfile" in line:
                break
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read().splitlines()[-1] == b"spadille: interrupted"


def test_only_the_formats_that_need_them_import_their_modules():
    code = (
        "import sys; from spadille.cli import main; "
        "main(sys.argv[1:], standalone_mode=False); "
        "print(*sys.modules, file=sys.stderr)"
    )
    args = [sys.executable, "-c", code, "rules", "ombre", "--format"]
    loaded = {
        kind: set(subprocess.run([*args, kind], capture_output=True, text=True).stderr.split())
        for kind in ("jsonl", "csv", "table")
    }
    assert "tabulate" in loaded["table"]
    assert not {"tabulate", "csv"} & loaded["jsonl"]
    assert not {"tabulate", "json"} & loaded["csv"]
