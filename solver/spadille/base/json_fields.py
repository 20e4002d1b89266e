"""JSON output: dataclasses are written field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, ClassVar, TypeAlias

Cell: TypeAlias = str | int | float | bool | None
"""The type of a cell in a row."""

_PLAIN = frozenset((str, int, float, bool, type(None)))


class JsonFields:
    """A dataclass that becomes a JSON object, by default with the same fields in the same order."""

    __slots__ = ()

    json_names: ClassVar[tuple[str, ...]] = ()
    """The fields and properties of the JSON object, if they are not simply the dataclass's
    fields."""

    json_optional: ClassVar[tuple[str, ...]] = ()
    """The fields that are left out of the JSON object if they are None or empty."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON object (see docs/json.md)."""
        record = {name: encoded(self.json_value(name)) for name in _names(type(self))}
        for name in self.json_optional:
            if not record[name]:
                del record[name]
        return record

    def json_value(self, name: str) -> Any:
        """Return the value of a field for the JSON output."""
        return getattr(self, name)

    def row(self) -> dict[str, Cell]:
        """Return the fields as one flat row for tables and data frames.

        Nested objects become columns such as "score_N". A list of plain values becomes one cell,
        separated by spaces; a list of objects is left out.
        """
        return dict(_cells(self.to_dict(), ""))


def _cells(fields: Mapping[str, Any], before: str) -> Iterator[tuple[str, Cell]]:
    """Yield the name and the value of each cell."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield from _cells(value, f"{before}{name}_")
        elif not isinstance(value, list):
            yield before + name, value
        elif all(type(item) in _PLAIN for item in value):
            yield before + name, " ".join(map(str, value))


def encoded(value: Any) -> Any:
    """Convert a value to dictionaries, lists and plain values."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        return {key: encoded(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [encoded(item) for item in value]
    return value.to_dict()


def rounded(value: Any) -> Any:
    """Round shares and averages, also those in tuples, to the precision used in JSON and CSV."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, tuple):
        return [rounded(item) for item in value]
    return value


_known: dict[type, tuple[str, ...]] = {}


def _names(kind: Any) -> tuple[str, ...]:
    if kind not in _known:
        _known[kind] = kind.json_names or tuple(field.name for field in fields(kind))
    return _known[kind]
