"""A deal to work on, with its faults, and the answer to a question about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from spadille.base.errors import Fault
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import Surrender
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import HandFile
from spadille.pbn.play_section import RecordedPlay


class JsonResult(Protocol):
    """A result with a JSON form."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON object."""


Found = TypeVar("Found", bound=JsonResult)
Result = TypeVar("Result", bound=JsonResult, covariant=True)


@dataclass(frozen=True, slots=True)
class Case:
    """A deal to work on; without a `deal` or `contract`, it has an `error`."""

    name: str  # the name of the file
    file: HandFile
    entry: Entry
    deal: Deal | None
    contract: Contract | None
    error: Fault | None
    play: RecordedPlay | None = None  # as recorded, with its first fault
    play_fault: Fault | None = None
    after: int | None = None  # how many recorded cards count; None = all
    further: tuple[str, ...] = ()  # cards played after that point
    surrender: Surrender | None = None  # in this contract, as recorded
    shown: bool = False  # drawn above its result
    ascii: bool = False  # suits as letters

    def __str__(self) -> str:
        """The deal's file and number, "deals.pbn: deal 3"."""
        return f"{self.name}: deal {self.entry.index + 1}"

    @property
    def label(self) -> str:
        """The name of the deal in tables: its Board tag, or its number in the file from 1."""
        return self.entry.board or f"#{self.entry.index + 1}"

    @property
    def title(self) -> str:
        """The name of the deal in titles."""
        return f"{self.name}: deal {self.label}"

    @property
    def game(self) -> str | None:
        """The id of the game."""
        return self.entry.rules.game.id if self.entry.rules else None

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards played up to the requested point."""
        return (*(self.play.cards[: self.after] if self.play else ()), *self.further)

    @property
    def given_up(self) -> Surrender | None:
        """The surrender, if it came before the requested point in the play."""
        given = self.surrender
        if given is None or given.taken_over is not None:
            return given if self.contract != self.entry.contract else None
        return given if self.after is None or self.after >= self._before(given) else None

    def _before(self, given: Surrender) -> int:
        """Return the number of recorded cards played before a surrender."""
        return self.play.before(given, self.deal.rules) if self.play and self.deal else 0

    def taken_over(self) -> Case:
        """Return the case with the contract in force at its point in the play.

        After a take-over, this is the contract of the player who took over, even if no cards were
        recorded after it.
        """
        given, deal, contract = self.surrender, self.deal, self.contract
        if given is None or given.taken_over is None or deal is None or contract is None:
            return self
        if self.after is not None and self.after <= self._before(given):
            return self
        contract = contract.taken_over(given.taken_over)
        return replace(self, deal=deal.taken_over(), contract=contract)

    def where_taken_over(self) -> Case:
        """Return the case at the point where an opponent takes over, if one does."""
        case = self.taken_over()
        if case is self or self.surrender is None:
            return self
        return replace(case, after=self._before(self.surrender))


@dataclass(frozen=True, slots=True)
class DealAnswer(Generic[Result]):
    """A deal and the answer to a question about it; the answer is None if the deal is faulty."""

    case: Case
    result: Result | None = None

    def __str__(self) -> str:
        return str(self.case)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON object: the common ones, then those of the result."""
        case, error = self.case, self.case.error
        fields = {
            "file": case.name,
            "index": case.entry.index,
            "board": case.entry.board,
            "game": case.game,
            "error": error
            and {
                "code": error.code,
                "message": error.message,
                "line": error.line,
                "column": error.column,
            },
        }
        return fields if self.result is None else fields | self.result.to_dict()
