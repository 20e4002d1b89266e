"""The exceptions of the package, and `Fault`, a problem found in a recorded deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from errno import ENOMEM
from pathlib import PurePath
from traceback import walk_tb
from typing import Literal, TypeVar

Found = TypeVar("Found")


class SpadilleError(ValueError):
    """Base class of the package's exceptions: a message that quotes the input, and a `code`.

    `code` is a stable kebab-case identifier for programs, such as "card-duplicate"; `args[0]` is
    the message for people.
    """

    default_code = "error"

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(shortened(message))
        self.code = code or self.default_code

    def __reduce__(self) -> tuple[type[SpadilleError], tuple[str, str]]:
        # Errors are pickled when they pass between processes, and must keep `code`.
        return type(self), (str(self), self.code)


class CardError(SpadilleError):
    """Text that is not a card or a hand."""

    default_code = "card-unreadable"


class DealError(SpadilleError):
    """Cards that do not form a deal of the game, or an impossible exchange."""

    default_code = "deal-invalid"


class ContractError(SpadilleError):
    """A contract that the game or the deal does not allow."""

    default_code = "contract-invalid"


class IllegalCardError(SpadilleError):
    """A card that cannot legally be played now; the message names the rule it breaks."""

    default_code = "card-illegal"


class RulesError(SpadilleError):
    """An unknown game, seat, option, value or trump, or an outcome the game does not allow."""

    default_code = "rules-invalid"


class ArgumentError(SpadilleError):
    """An invalid function argument, such as an unknown word or a negative limit."""

    default_code = "argument-invalid"


class TooRareError(SpadilleError):
    """The conditions are so rarely met that a random search finds no deals."""

    default_code = "conditions-too-rare"


class TooHardError(SpadilleError):
    """A limit on nodes or seconds stopped the search, or there are too many layouts for a plan."""


class TooFewError(SpadilleError):
    """These hands contain no more problems, or problems are too rare."""

    default_code = "problems-rare"


class InternalError(SpadilleError):
    """An unexpected exception, returned instead of a deal's answer and kept as `__cause__`."""

    default_code = "internal"

    @classmethod
    def of(cls, error: Exception) -> InternalError:
        """Describe the exception and its place, and ask for a report unless memory ran out."""
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
    """Return whether an exception was raised because memory ran out.

    During the import of a compiled module, only the message of the ImportError shows that memory
    ran out. During the import of a Python module, Python raises SystemError instead of MemoryError.
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
    """Return the result of `work`, or the exception it raised.

    An unexpected exception becomes an InternalError. Work on many deals goes through this function,
    so that an exception in one deal never stops the work on the others.
    """
    try:
        return work()
    except SpadilleError as error:
        return error
    except Exception as error:
        return InternalError.of(error)


_LINE = 72
_MOST_QUOTED = 200  # a deal or a contract is shorter
_MOST_MESSAGE = 2000


def quoted(value: object) -> str:
    """Format a value as `repr` does, for use in a message; cut a long one to about one line.

    If the value is text, also state its length.
    """
    text = repr(value)
    if isinstance(value, (str, bytes)):
        if len(text) <= _MOST_QUOTED:
            return text
        return f"{value[:_LINE]!r}... ({len(value):,} characters)"
    return text if len(text) <= _LINE else f"{text[: _LINE - 3]}..."


def shortened(message: str) -> str:
    """Cut the middle out of a message that quotes very long input."""
    if len(message) <= _MOST_MESSAGE:
        return message
    begin, end = message[: 4 * _LINE], message[-2 * _LINE :]
    left_out = len(message) - len(begin) - len(end)
    return f"{begin}... ({left_out:,} characters left out) ...{end}"


MOST_FAULTS = 100  # faults stored per deal; any more are only counted


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a recorded deal, with the rule it breaks; lines and columns are counted from 1.

    A warning marks input that is usable but probably a mistake.
    """

    code: str
    message: str
    tag: str | None = None  # the affected tag
    text: str = ""  # quoted input, exactly as in the tag's value
    rule: str = ""  # such as "RULES 1: a hand of German Solo has 8 cards"
    line: int | None = None
    column: int | None = None
    severity: Literal["error", "warning"] = "error"

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", shortened(self.message))


class Faults(list[Fault]):
    """The faults of a deal: those in `first` and up to 100 more; any others are only counted."""

    __slots__ = ("_most", "more")

    def __init__(self, first: Iterable[Fault] = ()) -> None:
        super().__init__(first)
        self._most = len(self) + MOST_FAULTS
        self.more = 0

    def append(self, fault: Fault) -> None:
        """Store a fault, or only count it once the limit is reached."""
        if self.full:
            self.more += 1
        else:
            super().append(fault)

    @property
    def full(self) -> bool:
        """Whether the list is full; further faults are then only counted, without their places."""
        return len(self) >= self._most

    @property
    def total(self) -> int:
        """The number of faults, including those that were only counted."""
        return len(self) + self.more
