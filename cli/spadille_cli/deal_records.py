"""Deals to work on, and the records that are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from spadille.base.errors import Fault
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_kinds import Surrender
from spadille.pbn.hand_file import Entry, HandFile, RecordedPlay

if TYPE_CHECKING:
    from spadille.analysis.review.card_costs import ReviewedCard


CONTRACT = ("declarer", "contract", "trump", "called", "partner", "penalty")
"""The fields that say which one it is."""


@dataclass(frozen=True, slots=True)
class Case:
    """A deal to work on; without `deal` or `contract` there is an `error`."""

    name: str  # of the file
    file: HandFile
    entry: Entry
    deal: Deal | None
    contract: Contract | None
    error: Fault | None
    play: RecordedPlay | None = None  # as recorded, and its first fault
    play_fault: Fault | None = None
    after: int | None = None  # the play up to that card counts, all of it without
    surrender: Surrender | None = None  # of this contract, as recorded
    shown: bool = False  # drawn above its result
    ascii: bool = False  # suits as letters

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that were played, as far as they count."""
        return self.play.cards[: self.after] if self.play else ()

    @property
    def given_up(self) -> Surrender | None:
        """The surrender, where the case stands behind it."""
        given = self.surrender
        if given is None or given.taken_over is not None:
            return given if self.contract != self.entry.contract else None
        return given if self.after is None or self.after >= self._before(given) else None

    def _before(self, given: Surrender) -> int:
        """How many of the recorded cards were played before a surrender."""
        return self.play.before(given, self.deal.rules) if self.play and self.deal else 0

    def taken_over(self) -> Case:
        """The case with the contract that is played where it stands.

        That is the one of whoever took over, behind the surrender, and where the record ends there.
        """
        given, deal, contract = self.surrender, self.deal, self.contract
        if given is None or given.taken_over is None or deal is None or contract is None:
            return self
        if self.after is not None and self.after <= self._before(given):
            return self
        contract = contract.taken_over(given.taken_over)
        return replace(self, deal=deal.taken_over(), contract=contract)

    def where_taken_over(self) -> Case:
        """The case where an opponent of the declarer takes over, if one does."""
        found = self.taken_over()
        if found is self or self.surrender is None:
            return self
        return replace(found, after=self._before(self.surrender))


class CaseRecord(dict[str, Any]):
    """The JSON fields of a result, with the case it is of, and of a review its steps."""

    __slots__ = ("case", "steps")

    def __init__(self, case: Case, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self.case = case
        self.steps: Sequence[ReviewedCard] = ()


def common_fields(case: Case) -> CaseRecord:
    """The fields every result has in JSON."""
    entry, error = case.entry, case.error
    found = {
        "file": case.name,
        "index": entry.index,
        "board": entry.board,
        "game": entry.rules.game.id if entry.rules else None,
        "error": error
        and {
            "code": error.code,
            "message": error.message,
            "line": error.line,
            "column": error.column,
        },
    }
    return CaseRecord(case, found)


def board_label(record: Mapping[str, Any]) -> str:
    """What a deal is called in tables: its Board tag, or its number in the file from 1."""
    return record["board"] or f"#{record['index'] + 1}"
