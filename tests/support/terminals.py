"""The command on a POSIX terminal: a pseudo-terminal whose output is read as shown."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from spadille_cli import main

PROGRAM = [sys.executable, "-m", "spadille"]


@contextmanager
def terminal(columns: int) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the program's end, and a list of everything sent to it, complete after closing."""
    import fcntl
    import pty
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    sent: list[bytes] = []

    def read() -> None:
        try:
            while some := os.read(leader, 65536):
                sent.append(some)
        except OSError:  # Linux raises this when the other end is closed
            pass

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(read)
        try:
            yield follower, sent
        finally:
            os.close(follower)
            done.result()
            os.close(leader)


def environment(variables: dict[str, str]) -> dict[str, str]:
    plain = {key: os.environ[key] for key in os.environ if key not in ("NO_COLOR", "COLUMNS")}
    return plain | {"TERM": "xterm"} | variables


def shown(
    *args: object, columns: int = 80, stdout: int | None = None, **variables: str
) -> tuple[int, bytes]:
    """Return exit status and output on a terminal of that width; standard output may go elsewhere.

    The command runs in this process, which takes a tenth of the time of a separate one.
    """
    status: object = 0
    with terminal(columns) as (end, sent), ExitStack() as stack:
        stdin, out, err = (
            stack.enter_context(open(os.dup(fd), mode, encoding="utf-8"))
            for fd, mode in ((end, "r"), (end if stdout is None else stdout, "w"), (end, "w"))
        )
        streams = {"stdin": stdin, "stdout": out, "stderr": err, "__stdout__": out}
        stack.enter_context(patch.multiple(sys, **streams))
        stack.enter_context(patch.dict(os.environ, environment(variables), clear=True))
        try:
            main([*map(str, args)], prog_name="spadille")
        except SystemExit as exit_:
            status = exit_.code or 0
    assert isinstance(status, int)
    return status, b"".join(sent)


def shown_by_a_process(*args: object, columns: int = 80, **variables: str) -> tuple[int, bytes]:
    """Return the same for a separate process."""
    with terminal(columns) as (end, sent):
        done = subprocess.run(
            [*PROGRAM, *map(str, args)],
            stdin=end,
            stdout=end,
            stderr=end,
            env=environment(variables),
            check=False,
        )
    return done.returncode, b"".join(sent)


def seen(text: bytes) -> list[str]:
    """Return the lines that remain; the sequence that clears a line removes the text before it."""
    lines = re.split(r"\r?\n", text.decode())
    return [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line.split("\r\x1b[K")[-1]) for line in lines]
