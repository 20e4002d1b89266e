"""The command on a terminal: its width, its styles, and the line of the progress bar."""

from __future__ import annotations

import os
import re
import struct
import subprocess
from pathlib import Path

import pytest
from test_cli_process import PROGRAM

EXAMPLES = Path(os.path.relpath(Path(__file__).parent.parent / "examples"))
NOT_STYLED = ({"NO_COLOR": "1"}, {"TERM": "dumb"})

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")


def shown(*args: object, columns: int = 80, **variables: str) -> tuple[int, bytes]:
    """Exit status and what a terminal of that width is sent."""
    import fcntl
    import pty
    import termios

    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment.pop("COLUMNS", None)
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen(
        [*PROGRAM, *map(str, args)],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment | {"TERM": "xterm"} | variables,
    ) as process:
        os.close(follower)
        text = b""
        try:
            while some := os.read(leader, 65536):
                text += some
        except OSError:  # Linux, when the other end is closed
            pass
        status = process.wait()
    os.close(leader)
    return status, text


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """Three deals, the second with an unknown hand."""
    deal = '[Game "german-solo"]\n[Deal "N:AK.AKQ.8.Q7 {} QJ.87.A.AKJ ..KQJ97.T98"]\n'
    terms = '[Dealer "N"]\n[Declarer "N"]\n[Contract "solo"]\n[Trump "H"]\n\n'
    known, unknown = (deal.format(hand) + terms for hand in ("T987.JT9.T.", "-"))
    file = tmp_path / "deals.pbn"
    file.write_text(known + unknown + known)
    return file


@pytest.mark.parametrize("command", ["solve", "table"])
@pytest.mark.parametrize("variables", [{}, NOT_STYLED[0]])
def test_nothing_stands_behind_a_progress_bar(
    deals: Path, command: str, variables: dict[str, str]
) -> None:
    status, text = shown(command, deals, **variables)
    assert status == 3
    assert b"1/3" in text
    # What a carriage return or the sequence to clear a line puts away is not seen.
    lines = [line.rstrip(b"\r") for line in text.split(b"\n")]
    for line in lines:
        visible = re.split(rb"\r|\x1b\[K", line)[-1]
        assert b"/3" not in visible or visible.endswith((b"/3", b"/3\x1b[?25h")), line


def test_bold_letters(deals: Path) -> None:
    assert b"\x1b[1m" in shown("solve", deals)[1]
    assert b"\x1b[1m" in shown("solve", deals, NO_COLOR="")[1]


@pytest.mark.parametrize("variables", NOT_STYLED)
def test_no_styles_where_none_are_wanted(deals: Path, variables: dict[str, str]) -> None:
    for command in ("solve", "check", "rules"):
        _, text = shown(command, "squint" if command == "rules" else deals, **variables)
        assert not re.search(rb"\x1b\[[0-9;]*m", text)
        assert b"TERM" not in variables or b"\x1b" not in text


@pytest.mark.parametrize(
    "args",
    [
        ("solve", "--leads", EXAMPLES / "german-solo.pbn"),
        ("best", EXAMPLES / "mensch.pbn"),
        ("table", EXAMPLES / "german-solo.pbn"),
        ("review", EXAMPLES / "quintille.pbn"),
        ("cards", EXAMPLES / "german-solo.pbn"),
        ("rules", "ombre"),
        ("check", "--help"),
    ],
    ids=lambda args: args[0],
)
def test_60_columns(args: tuple[object, ...]) -> None:
    text = shown(*args, columns=60)[1].decode()
    # What follows a carriage return or the sequence to clear a line takes the place of the rest.
    lines = [re.split(r"\r|\x1b\[K", line)[-1] for line in re.split(r"\r?\n", text)]
    seen = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line) for line in lines]
    # Examples to copy are not broken, nor are messages, so that they can be searched for.
    left = re.compile("    spadille|.* passed over$")
    assert max(len(line) for line in seen if not left.match(line)) <= 60
