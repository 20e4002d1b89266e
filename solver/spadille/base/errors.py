"""The exceptions of the package and `Fault`, one recorded fault of a deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from errno import ENOMEM
from numbers import Real
from operator import index
from pathlib import PurePath
from traceback import walk_tb
from typing import Literal, TypeVar

Found = TypeVar("Found")

MOST_THREADS = 1024
"""More of them than any machine has processors for; each has a table of its own."""


class SpadilleError(ValueError):
    """Base of all errors raised here: a message that quotes the input, and a stable `code`.

    `code` is kebab-case ("card-duplicate") and meant for programs; `args[0]` is for people.
    """

    default_code = "error"

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.default_code

    def __reduce__(self) -> tuple[type[SpadilleError], tuple[str, str]]:
        # Keeps `code` when the error crosses a process boundary.
        return type(self), (str(self), self.code)


class CardError(SpadilleError):
    """A text that is not a card or a hand."""

    default_code = "card-unreadable"


class DealError(SpadilleError):
    """Cards that make no deal of the game, or an exchange that cannot have happened."""

    default_code = "deal-invalid"


class ContractError(SpadilleError):
    """A contract that the game or the deal does not allow."""

    default_code = "contract-invalid"


class IllegalCardError(SpadilleError):
    """A card that may not be played now; the message names the rule it breaks."""

    default_code = "card-illegal"


class RulesError(SpadilleError):
    """An unknown game, seat, option, value or trump, or an outcome the game cannot have."""

    default_code = "rules-invalid"


class ArgumentError(SpadilleError):
    """An argument that a function does not take: an unknown word, a negative limit."""

    default_code = "argument-invalid"


class TooRareError(SpadilleError):
    """The conditions are met too rarely for a random search."""

    default_code = "conditions-too-rare"


class InternalError(SpadilleError):
    """An exception nobody foresaw, in place of the answer for one deal; its cause is kept."""

    default_code = "internal"

    @classmethod
    def of(cls, error: Exception) -> InternalError:
        """Say what went wrong and where, and ask for a report unless memory ran out."""
        if ran_out_of_memory(error):
            return cls("out of memory: free some, or raise the limit (ulimit -v)", "out-of-memory")
        reason = "".join(f": {text}" for text in [str(error)] if text)
        places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
        where = "".join(f" at {PurePath(file).name}:{line}" for file, line in places[-1:])
        internal_error = cls(
            f"internal error, {type(error).__name__}{reason}{where}; please report it with the deal"
        )
        internal_error.__cause__ = error
        return internal_error


def ran_out_of_memory(error: Exception) -> bool:
    """Whether an exception means that the process may not have more memory.

    The loader of compiled modules says so in words only, and the loader of Python modules, whose
    failed reads set no exception, with a SystemError.
    """
    if isinstance(error, OSError) and error.errno == ENOMEM:
        return True
    unmapped = isinstance(error, ImportError) and any(words in str(error) for words in _UNMAPPED)
    unread = isinstance(error, SystemError) and any(
        frame.f_code.co_filename.startswith("<frozen importlib")
        for frame, _ in walk_tb(error.__traceback__)
    )
    return unmapped or unread or isinstance(error, MemoryError)


_UNMAPPED = ("failed to map segment", "cannot allocate memory", "Cannot allocate memory")


def attempt(work: Callable[[], Found]) -> Found | SpadilleError:
    """Return what the work on one deal returns, or the error it raises instead.

    An unforeseen exception becomes an InternalError. All work on one deal goes through here, so
    that no exception in it can stop the work on another.
    """
    try:
        return work()
    except SpadilleError as error:
        return error
    except Exception as error:
        return InternalError.of(error)


_MOST_QUOTED = 72  # a line


def quoted(value: object) -> str:
    """Write a value in a message as `repr` has it, cut where it is longer than a line."""
    text = repr(value)
    return text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 3]}..."


def check_type(value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Raise ArgumentError for a value of another type; `expected` says "a deal is a Deal"."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{expected}, not {quoted(value)}")


def whole_number(value: object, least: int | None, expected: str) -> int:
    """Return a whole number, of numpy too, as an int; raises ArgumentError for less than `least`.

    `expected` says "samples are 1 or more".
    """
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError(f"{expected}, not {quoted(value)}") from None
    if least is not None and number < least:
        raise ArgumentError(f"{expected}, not {quoted(value)}")
    return number


def thread_count(value: object) -> int:
    """Return a number of threads; raises ArgumentError for less than one, and for too many."""
    expected = f"threads must be 1 to {MOST_THREADS}"
    number = whole_number(value, 1, expected)
    if number > MOST_THREADS:
        raise ArgumentError(f"{expected}, not {quoted(value)}")
    return number


def check_list(value: object, expected: str) -> None:
    """Raise ArgumentError for text, which would be taken letter by letter, and for no list."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ArgumentError(f"{expected}, not {quoted(value)}")


def number_of_seconds(value: object) -> float:
    """Return a waiting time, also one of numpy, as a float; raises ArgumentError for others."""
    if not isinstance(value, Real) or not float(value) >= 0:
        raise ArgumentError(f"seconds must be 0 or more, not {quoted(value)}")
    return float(value)  # added to the clock, a float32 would lose too many digits


def check_texts(**given: object) -> None:
    """Raise ArgumentError, with the argument's name, for values other than text and None."""
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise ArgumentError(f"{name} is text, not {quoted(value)}")


MOST_FAULTS = 100  # faults kept for one deal; the others are only counted


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a deal, with the rule it breaks; line and column count from 1.

    A warning marks input that is usable but probably a mistake.
    """

    code: str
    message: str
    tag: str | None = None  # the tag it concerns
    text: str = ""  # the quoted input, exactly as in the tag value
    rule: str = ""  # "RULES: a deal of German Solo has 8 cards a hand"
    line: int | None = None
    column: int | None = None
    severity: Literal["error", "warning"] = "error"


class Faults(list[Fault]):
    """The first faults of a deal, `first` and 100 more; of the others only the number is kept."""

    __slots__ = ("_most", "more")

    def __init__(self, first: Iterable[Fault] = ()) -> None:
        super().__init__(first)
        self._most = len(self) + MOST_FAULTS
        self.more = 0

    def append(self, fault: Fault) -> None:
        """Keep a fault, or count it."""
        if self.full:
            self.more += 1
        else:
            super().append(fault)

    @property
    def full(self) -> bool:
        """Whether further ones are only counted, so that their places need not be worked out."""
        return len(self) >= self._most

    @property
    def total(self) -> int:
        """How many there are, those that were not kept included."""
        return len(self) + self.more
