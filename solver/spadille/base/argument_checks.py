"""Checks of arguments that raise ArgumentError: types, whole numbers, seconds, threads."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from operator import index

from spadille.base.errors import ArgumentError, quoted

MOST_THREADS = 1024
"""The maximum number of threads. This maximum is higher than the processor count of any machine."""


def check_type(value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Raise ArgumentError for a value of the wrong type; `expected` begins the message."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{expected}, not {quoted(value)}")


def whole_number(value: object, least: int | None, expected: str) -> int:
    """Return an integer (also a NumPy one) as an int; raise ArgumentError if it is below `least`.

    `expected` is the start of the message, such as "samples must be 1 or more".
    """
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError(f"{expected}, not {quoted(value)}") from None
    if least is not None and number < least:
        raise ArgumentError(f"{expected}, not {quoted(value)}")
    return number


def thread_count(value: object) -> int:
    """Return a number of threads; raise ArgumentError unless it is within the limits."""
    expected = f"threads must be 1 to {MOST_THREADS}"
    number = whole_number(value, 1, expected)
    if number > MOST_THREADS:
        raise ArgumentError(f"{expected}, not {quoted(value)}")
    return number


def check_list(value: object, expected: str) -> None:
    """Raise ArgumentError if the value is a string or not iterable."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ArgumentError(f"{expected}, not {quoted(value)}")


def number_of_seconds(value: object) -> float:
    """Return a number of seconds as a float; raise ArgumentError if it is invalid."""
    if not isinstance(value, Real) or not float(value) >= 0:
        raise ArgumentError(f"seconds must be 0 or more, not {quoted(value)}")
    return float(value)  # a float32 would lose digits when added to the clock


def check_texts(**given: object) -> None:
    """Raise ArgumentError with the argument's name unless each value is a string or None."""
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise ArgumentError(f"{name} must be text, not {quoted(value)}")
