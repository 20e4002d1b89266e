"""Files written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, ENOENT, ESTALE
from typing import BinaryIO, NamedTuple

from spadille.base.errors import ArgumentError, check_type
from spadille.pbn.document import decode


def check_path(path: object) -> None:
    """Raise ArgumentError for what is no path; a number would be a file that is open already."""
    check_type(path, (str, os.PathLike), "a path is text or a Path")
    if isinstance(path, str) and "\0" in path:
        raise ArgumentError(f"no path has a zero byte in it: {path!r}")


def write_atomic(
    path: str | os.PathLike[str],
    text: str,
    encoding: str = "utf-8",
    *,
    instead_of: str | None = None,
) -> str:
    """Write a file that takes the place of `path` when it is complete, and only then.

    The mode of a file that was there is kept, and its owner and group where the user may give files
    away; links stay links, line ends are written as they are; a pipe or device takes the text as it
    comes. Returns what could not be kept: "owner", "group", "owner and group" or nothing. Raises
    OSError, for a read-only file, too, and where the file has another text than the one it is to be
    written `instead_of`, or UnicodeEncodeError, and then leaves everything as it was.
    """
    data = text.encode(encoding)
    with drafted(path, instead_of=instead_of) as draft:
        draft.stream.write(data)
    return draft.lost


class Draft(NamedTuple):
    """What is to take the place of a file."""

    stream: BinaryIO
    lost: str = ""
    """What could not be kept of that file; see `write_atomic`."""


@contextmanager
def drafted(path: str | os.PathLike[str], *, instead_of: str | None = None) -> Iterator[Draft]:
    """Open what in the end takes the place of `path`, as `write_atomic` does with a text."""
    check_path(path)
    target = os.path.realpath(path)
    if is_read_only(target):
        raise PermissionError(EACCES, "the file is read-only", target)
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as stream:
            yield Draft(stream)
        return
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(ENOENT, "no such directory", folder)
    draft = os.path.join(folder, f".spadille-{os.urandom(8).hex()}.tmp")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with open(descriptor, "wb") as stream:
            yield Draft(stream, _keep(target, draft) if os.path.exists(target) else "")
            stream.flush()
            os.fsync(descriptor)
        if instead_of is not None and _text(target) != instead_of:
            raise OSError(ESTALE, "the file has been changed since it was read", target)
        os.replace(draft, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise


def _keep(target: str, draft: str) -> str:
    """Give a file the owner, group and mode of another; returns what could not be kept."""
    old, new = os.stat(target), os.stat(draft)
    lost = []
    if hasattr(os, "chown"):
        for name, uid, gid in (("owner", old.st_uid, -1), ("group", -1, old.st_gid)):
            if (uid, gid) in ((new.st_uid, -1), (-1, new.st_gid)):
                continue
            try:
                os.chown(draft, uid, gid)
            except PermissionError:
                lost.append(name)
    os.chmod(draft, old.st_mode & 0o7777)  # which a new owner takes part of away
    return " and ".join(lost)


def _text(path: str) -> str | None:
    with suppress(FileNotFoundError), open(path, "rb") as stream:
        return decode(stream.read())[0]
    return None


def is_read_only(path: str) -> bool:
    """Tell whether a file is there and may not be changed, by whoever is not root."""
    exists = os.path.exists(path)
    return exists and not (os.access(path, os.W_OK) and os.stat(path).st_mode & 0o222)
