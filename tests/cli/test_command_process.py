"""The command as a process: exit statuses, closed pipes, Ctrl-C, start-up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from spadille.base.card_text import format_hand
from spadille.games import rules_for
from tests.support.deals_and_outcomes import random_deal
from tests.support.terminals import PROGRAM
from tests.support.tiers import part

TELLING_IMPORTS = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}


def wait_for_import(process, module):
    for line in process.stderr:
        if module in line:
            break


def wait_for_work(process, seconds):
    """Wait until the process has used some processor time; a busy machine needs longer."""
    stat = Path(f"/proc/{process.pid}/stat")
    if not stat.exists():
        time.sleep(5 * seconds)
        return

    def used():
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    began = used()
    while used() < began + seconds:
        time.sleep(0.02)


def spadille(*args, **extra):
    return subprocess.run(
        [*PROGRAM, *args], capture_output=True, text=True, encoding="utf-8", check=False, **extra
    )


def test_ctrl_c_is_heeded_before_anything_else_is_imported():
    """Before that, Python itself would show a traceback."""
    code = (
        "import sys; before = {*sys.modules}; import spadille.__main__; "
        "print({*sys.modules} - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = ("spadille", "spadille.__main__", "spadille.base", "spadille.base.display_registry")
    assert eval(done.stdout) <= {*own, "_signal", "__future__"}


@pytest.mark.ci
def test_ctrl_c_during_the_first_import_shows_no_traceback():
    code = """import os, signal, sys
class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == "spadille_cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
from spadille.__main__ import run
run()"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "spadille: interrupted\n")


@pytest.mark.ci
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_python_ends_does_not_kill_the_process(name):
    code = """import os, signal, sys
from spadille.__main__ import run
class Late:
    def __del__(self, kill=os.kill, process=os.getpid()):
        kill(process, signal.{name})
late = Late()
sys.argv[1:] = ["rules", "ombre"]
try:
    run()
finally:
    {now}"""
    whole = spadille("rules", "ombre").stdout
    for now, status in (("del late", 130), ("pass", 0)):
        line = [sys.executable, "-c", code.format(name=name, now=now)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (status, whole)


@pytest.mark.ci
def test_exit_status_reaches_the_shell():
    assert spadille("rules", "ombre").returncode == 0
    done = spadille("rules", "bridge")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "'bridge'" in done.stderr


@pytest.mark.ci
@pytest.mark.skipif(os.name == "nt", reason="file names of POSIX")
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_characters_that_cannot_be_written_are_no_error(tmp_path, encoding):
    strict = {**os.environ, "PYTHONIOENCODING": encoding}
    if encoding == "ascii":
        assert spadille("rules", "squint", env=strict).returncode == 0
    try:
        file = tmp_path / os.fsdecode(b"caf\xe9.pbn")
        file.write_bytes(b"")
    except OSError:
        pytest.skip("such file names are not allowed here")
    file.write_text('[Game "mensch"]\n[Deal "N:- - - -"]\n')
    for extra in ([], ["-o", tmp_path / "found"])[: 1 + (encoding == "ascii")]:
        done = spadille("check", "--format", "json", file, *extra, env=strict)
        assert "Traceback" not in done.stderr
        assert done.returncode == 0


@pytest.mark.ci
@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
def test_closed_streams():
    line = 'exec "$@" check - <&-'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "-: standard input is closed" in done.stderr
    line = 'exec "$@" rules ombre >&-'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "cannot write results: standard output is closed" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
def test_a_full_disk():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PROGRAM, "rules", "squint", "--format", "jsonl"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
@pytest.mark.parametrize("words", ["rules ombre -o /dev/full", "batch status missing.db"])
def test_a_file_that_fails_is_no_wrong_usage(words):
    done = subprocess.run([*PROGRAM, *words.split()], capture_output=True, text=True, check=False)
    assert (done.returncode, "Usage" in done.stderr) == (2, False)


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
        env=TELLING_IMPORTS,
    ) as process:
        # Once the module for hand files is imported, the process only waits for its input.
        wait_for_import(process, b"spadille.pbn.hand_file")
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read().splitlines()[-1] == b"spadille: interrupted"


MORE_STOPS = [("1", "SIGINT"), ("2", "SIGTERM")]


@pytest.mark.ci
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("threads", "stop"),
    [("2", "SIGINT"), *(pytest.param(*one, marks=pytest.mark.slow) for one in MORE_STOPS)],
)
def test_an_interruption_keeps_what_was_finished(threads, stop, tmp_path):
    stop = signal.Signals[stop]
    rng = Random(1)
    path = tmp_path / "deals.pbn"
    path.write_text("\n".join(thirteen_cards(rng) for _ in range(800)))
    target = tmp_path / "results.json"
    to_file = ["--format", "json", "-o", str(target), str(path)]
    with solving("--format", "jsonl", str(path), "-j", threads) as process:
        lines = [process.stdout.readline()]
        process.send_signal(stop)
        lines += process.stdout.readlines()
        assert process.wait() == 130
        assert process.stderr.read().strip() == b"spadille: interrupted"
    assert 1 <= len(lines) < 800
    assert [json.loads(line)["index"] for line in lines] == [*range(len(lines))]

    with solving(*to_file, "-j", threads, env=TELLING_IMPORTS) as process:
        wait_for_import(process, b"spadille.analysis.value.solve")
        wait_for_work(process, 1.2)
        process.send_signal(stop)
        assert process.wait() == 130
    records = json.loads(target.read_text())
    assert len(records) < 800
    assert all(record["tricks"] is not None for record in records)
    assert sorted(os.listdir(tmp_path)) == ["deals.pbn", "results.json"]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "module",
    part(
        [
            "click.globals",
            "spadille_cli.terminal_messages",
            "spadille.pbn.document",
            "spadille.games",
        ],
        2,
        4,
    ),
)
def test_ctrl_c_at_the_start(module):
    with subprocess.Popen(
        [*PROGRAM, "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=TELLING_IMPORTS,
    ) as process:
        wait_for_import(process, module.encode())
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait() == 130
    assert b"Traceback" not in said
    assert said.splitlines()[-1] == b"spadille: interrupted"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("threads", "pause"),
    [
        ("2", 0.001),
        *(pytest.param("2", pause, marks=pytest.mark.ci) for pause in (0, 0.01, 0.1)),
        *(pytest.param("1", pause, marks=pytest.mark.ci) for pause in (0, 0.001, 0.01, 0.1)),
    ],
)
def test_ctrl_c_again_and_again(threads, pause, tmp_path):
    rng = Random(3)
    path = tmp_path / "deals.pbn"
    path.write_text("\n".join(thirteen_cards(rng) for _ in range(500)))
    with solving("--format", "jsonl", str(path), "-j", threads) as process:
        process.stdout.readline()
        for _ in range(5):
            process.send_signal(signal.SIGINT)
            time.sleep(pause)
        said = process.stderr.read()
        assert process.wait() == 130
    assert said.strip() == b"spadille: interrupted"


@pytest.mark.ci
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_what_is_deaf_to_ctrl_c_stays_so():
    """Ctrl-C stays ignored under nohup and in the background of a shell."""
    line = 'trap "" INT; exec "$@"'
    with subprocess.Popen(
        ["sh", "-c", line, "sh", *PROGRAM, "check", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=TELLING_IMPORTS,
    ) as process:
        wait_for_import(process, b"spadille.pbn.hand_file")
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert process.wait() == 0


@contextmanager
def solving(*args, **extra):
    with subprocess.Popen(
        [*PROGRAM, "solve", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **extra
    ) as process:
        try:
            yield process
        finally:
            process.kill()  # otherwise the test would wait for a process that ignores Ctrl-C


def thirteen_cards(rng):
    """A deal that takes the solver long enough to be interrupted."""
    deal = random_deal(rules_for("solo-whist"), rng)
    hands = " ".join(format_hand(deal.hands[seat]) for seat in "NESW")
    return (
        f'[Game "solo-whist"]\n[Dealer "N"]\n[Deal "N:{hands}"]\n[CurrentTrump "S"]\n'
        '[Declarer "N"]\n[Contract "solo"]\n'
    )


@pytest.mark.ci
def test_only_the_formats_that_need_them_import_their_modules():
    code = (
        "import sys; from spadille_cli import main; "
        "main(sys.argv[1:], standalone_mode=False); "
        "print(*sys.modules, file=sys.stderr)"
    )
    args = [sys.executable, "-c", code, "rules", "ombre", "--format"]
    loaded = {
        kind: set(subprocess.run([*args, kind], capture_output=True, text=True).stderr.split())
        for kind in ("jsonl", "csv")
    }
    assert not {"jinja2", "tabulate", "csv"} & loaded["jsonl"]
    assert not {"jinja2", "tabulate", "json"} & loaded["csv"]


@pytest.mark.ci
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
@pytest.mark.parametrize(
    "line",
    [
        *('"$@" --help >/dev/full', '"$@" slove 2>/dev/full', '"$@" slove >&- 2>&-'),
        *('"$@" --version >/dev/full', '"$@" check -h >/dev/full', '"$@" slove 2>&-'),
        '"$@" rules ombre >/dev/full 2>/dev/full',
    ],
)
def test_streams_that_take_nothing(line):
    done = subprocess.run(["sh", "-c", line, "sh", *PROGRAM], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
@pytest.mark.parametrize("stream", part(["2>&-", "2>/dev/full"], 0, 2))
def test_messages_nobody_takes_stop_nothing(stream, tmp_path):
    path = tmp_path / "deals.pbn"
    path.write_text(f'[Game "mensch"]\n\n{thirteen_cards(Random(2))}')
    line = f'"$@" check --format json none.pbn "{path}" {stream}'
    done = subprocess.run(["sh", "-c", line, "sh", *PROGRAM], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (3, b"")
    assert len(json.loads(done.stdout)) == 2


@pytest.mark.ci
def test_help_for_a_reader_who_has_had_enough():
    with subprocess.Popen(
        [*PROGRAM, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
