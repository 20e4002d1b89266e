"""Values as JSON: one encoder, which writes dataclasses by their fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar

_PLAIN = frozenset((str, int, float, bool, type(None)))


class JsonFields:
    """A dataclass that becomes a JSON object with its fields, in their order."""

    __slots__ = ()

    json_names: ClassVar[tuple[str, ...]] = ()
    """The names of the fields and properties in JSON, if they differ from the fields."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON object, see docs/json.md."""
        return {name: encoded(getattr(self, name)) for name in _names(type(self))}


def encoded(value: Any) -> Any:
    """Return a value that contains only lists, dictionaries and plain values."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        return {key: encoded(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [encoded(item) for item in value]
    return value.to_dict()


_known: dict[type, tuple[str, ...]] = {}


def _names(kind: Any) -> tuple[str, ...]:
    if kind not in _known:
        _known[kind] = kind.json_names or tuple(field.name for field in fields(kind))
    return _known[kind]
