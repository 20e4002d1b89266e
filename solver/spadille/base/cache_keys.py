"""Cache keys built from the fields of dataclasses and named tuples.

Callers exclude fields that do not affect the answer. A new field is part of the key until somebody
excludes it. At worst, an answer is then computed twice, but two different answers never share a
key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any


def key_of(value: object, *without: str) -> tuple[Any, ...]:
    """Return the values of an object's fields, except those in `without`."""
    kind: Any = type(value)
    return _getter(kind, without)(value)


def field_names(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass or a named tuple, in order."""
    if issubclass(kind, tuple):
        return tuple(kind._fields)
    return tuple([field.name for field in fields(kind)])


@cache
def _getter(kind: Any, without: tuple[str, ...]) -> Callable[[object], tuple[Any, ...]]:
    names = field_names(kind)
    if unknown := {*without}.difference(names):
        raise ValueError(f"{kind.__name__} has no field {' '.join(sorted(unknown))}")
    kept = [name for name in names if name not in without]
    get = attrgetter(*kept)
    return get if len(kept) > 1 else lambda value: (get(value),)
