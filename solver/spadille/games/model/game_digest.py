"""A digest of a game, computed from its data and the code of its functions.

It is part of cache keys, and two games with one id are the same if they have the same digest.
"""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path


@lru_cache(maxsize=64)
def game_digest(game: Hashable) -> str:
    """Return the digest of a game, 16 hexadecimal digits."""
    digest = blake2b(digest_size=8)
    for part in _parts(game):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _parts(value: object) -> list[str]:
    """Return a value as texts that are the same in every process."""
    if isinstance(value, Mapping):
        items = [part for item in value.items() for part in _parts(item)]
        return ["{", *items, "}"]
    if is_dataclass(value) and not isinstance(value, type):
        inner = [part for field in fields(value) for part in _parts(getattr(value, field.name))]
        return [type(value).__name__, *inner, ")"]
    if isinstance(value, set | frozenset):
        return ["{", *sorted("".join(_parts(each)) for each in value), "}"]
    if isinstance(value, tuple | list):
        return ["(", *(part for each in value for part in _parts(each)), ")"]
    if isinstance(value, partial):
        return ["partial", *_parts((value.func, value.args, value.keywords))]
    if callable(value):
        return _function(value)
    return [repr(value)]


def _function(function: object) -> list[str]:
    """Return a function's name with the text of its file, because it may call its neighbours.

    Without a file, its bytecode replaces the text.
    """
    name = getattr(function, "__qualname__", type(function).__qualname__)
    try:
        path = inspect.getsourcefile(function)  # type: ignore[arg-type]
        return [name, Path(path or "").read_text(encoding="utf-8")]
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        return [name, "" if code is None else f"{code.co_code!r} {code.co_consts!r}"]
