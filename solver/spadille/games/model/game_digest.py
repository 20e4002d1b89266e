"""A digest of a game, computed from its data and the code of its functions.

The digest is part of cache keys. Two games with the same id are the same game if their digests are
equal.
"""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any


@lru_cache(maxsize=64)
def game_digest(game: Hashable) -> str:
    """Return the digest of a game, 16 hexadecimal digits."""
    digest = blake2b(digest_size=8)
    for part in _parts(game):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _parts(value: object) -> list[str]:
    """Convert a value to strings that are the same in every process."""
    inner: Iterable[object]
    if isinstance(value, Mapping):
        inner = chain.from_iterable(value.items())
    elif is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, field.name) for field in fields(value)]
    elif isinstance(value, set | frozenset):
        inner = sorted(value, key=_parts)
    elif isinstance(value, tuple | list):
        inner = value
    elif isinstance(value, partial):
        inner = (value.func, value.args, value.keywords)
    else:
        return _function(value) if callable(value) else [repr(value)]
    return [type(value).__name__, *(part for item in inner for part in _parts(item)), ")"]


def _function(function: object) -> list[str]:
    """Return a function's name and the text of its file, whose other functions it may call.

    If there is no file, the function's bytecode is returned instead of the text.
    """
    name = getattr(function, "__qualname__", type(function).__qualname__)
    try:
        path: Any = inspect.getsourcefile(function)  # type: ignore[arg-type]
        return [name, Path(path).read_text(encoding="utf-8")]
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        return [name, "" if code is None else f"{code.co_code!r} {code.co_consts!r}"]
