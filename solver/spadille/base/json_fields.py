"""Values as JSON: one encoder, which writes dataclasses by their fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, ClassVar, TypeAlias

Cell: TypeAlias = str | int | float | bool | None
"""A value in a row."""

_PLAIN = frozenset((str, int, float, bool, type(None)))


class JsonFields:
    """A dataclass that becomes a JSON object with its fields, in their order."""

    __slots__ = ()

    json_names: ClassVar[tuple[str, ...]] = ()
    """The names of the fields and properties in JSON, if they differ from the fields."""

    json_optional: ClassVar[tuple[str, ...]] = ()
    """The names that JSON has only where their values are neither None nor empty."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON object, see docs/json.md."""
        record = {name: encoded(self.json_value(name)) for name in _names(type(self))}
        for name in self.json_optional:
            if not record[name]:
                del record[name]
        return record

    def json_value(self, name: str) -> Any:
        """Return the value of a name, before it is encoded."""
        return getattr(self, name)

    def row(self) -> dict[str, Cell]:
        """Return the fields as one flat row, for tables and data frames.

        Objects become fields of their own, "score_N"; lists of plain values are joined with spaces,
        and lists of objects are left out.
        """
        return dict(_cells(self.to_dict(), ""))


def _cells(fields: Mapping[str, Any], before: str) -> Iterator[tuple[str, Cell]]:
    """Yield the names and values of the cells of a row."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from _cells(value, f"{before}{name}_")
        elif not isinstance(value, list):
            yield before + name, value
        elif all(type(item) in _PLAIN for item in value):
            yield before + name, " ".join(map(str, value))


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
