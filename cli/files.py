"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click


@contextmanager
def replacing(path: str, encoding: str = "utf-8") -> Iterator[IO[str]]:
    """Write a text file that takes the place of `path` when it is complete, and only then.

    Links stay links and the file keeps its mode. A pipe or a device is written to as it is.
    Raises click.UsageError when the file cannot be made.
    """
    target = os.path.realpath(path)
    whole = not os.path.exists(target) or os.path.isfile(target)
    written = f"{target}.{os.getpid()}.tmp" if whole else target
    try:
        stream = open(written, "x" if whole else "w", encoding=encoding, newline="")  # noqa: SIM115
    except OSError as error:
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from error
    try:
        with stream:
            yield stream
        if whole:
            if os.path.exists(target):
                os.chmod(written, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(written, target)
    except BaseException:
        if whole:
            os.unlink(written)
        raise
