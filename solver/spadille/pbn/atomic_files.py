"""Files written atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, ENOENT, ESTALE
from typing import BinaryIO, NamedTuple

from spadille.base.argument_checks import check_type
from spadille.base.errors import ArgumentError
from spadille.pbn.parse_document import decode


def check_path(path: object) -> None:
    """Raise ArgumentError unless the value is a path; a number would mean a file descriptor."""
    check_type(path, (str, os.PathLike), "a path must be text or a Path")
    if isinstance(path, str) and "\0" in path:
        raise ArgumentError(f"a path cannot contain a zero byte: {path!r}")


def write_atomic(
    path: str | os.PathLike[str],
    text: str,
    encoding: str = "utf-8",
    *,
    instead_of: str | None = None,
) -> str:
    """Write a file atomically: it replaces `path` only when it is complete.

    An existing file keeps its mode, and its owner and group if the user may change owners. A
    symbolic link remains a link; other names of the file (hard links) keep the old text. Line
    endings are written unchanged. A pipe or device receives the text directly. Returns the
    properties that could not be kept, such as "owner and group", or "". Raises UnicodeEncodeError
    for text that cannot be encoded, and OSError, for example if the file is read-only or its text
    is not `instead_of`. After an error, nothing has changed.
    """
    data = text.encode(encoding)
    with drafted(path, instead_of=instead_of) as draft:
        draft.stream.write(data)
    return draft.lost


class Draft(NamedTuple):
    """The text that will replace a file."""

    stream: BinaryIO
    lost: str = ""
    """The properties of the file that could not be kept (see `write_atomic`)."""


@contextmanager
def drafted(path: str | os.PathLike[str], *, instead_of: str | None = None) -> Iterator[Draft]:
    """Open a file that will replace `path`, as in `write_atomic`."""
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
    """Give a file the owner, group and mode of another; return the properties that are lost."""
    old, new = os.stat(target), os.stat(draft)
    lost = ["hard links"] if old.st_nlink > 1 else []
    if hasattr(os, "chown"):
        for name, uid, gid in (("owner", old.st_uid, -1), ("group", -1, old.st_gid)):
            if (uid, gid) in ((new.st_uid, -1), (-1, new.st_gid)):
                continue
            try:
                os.chown(draft, uid, gid)
            except PermissionError:
                lost.append(name)
    os.chmod(draft, old.st_mode & 0o7777)  # a change of owner clears part of it
    return " and ".join(lost)


def _text(path: str) -> str | None:
    with suppress(FileNotFoundError), open(path, "rb") as stream:
        return decode(stream.read())[0]
    return None


def is_read_only(path: str) -> bool:
    """Return whether a file is read-only (never the case for root)."""
    exists = os.path.exists(path)
    return exists and not (os.access(path, os.W_OK) and os.stat(path).st_mode & 0o222)
