"""Answers in a ledger: a JSON object or, for an evening, a list with an object per deal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from spadille.batch.ledger import Ledger


class AnswerError(NamedTuple):
    """The error in an answer."""

    code: str
    message: str


class Answer:
    """An answer read from a ledger; raises LedgerError unless spadille wrote it."""

    def __init__(self, ledger: Ledger, text: str) -> None:
        self._ledger = ledger
        self._fields = _parsed(ledger, text)

    def of(self, place: int) -> Mapping[str, Any]:
        """Return the fields of the answer for a deal, given its index in the file."""
        fields = self._fields
        if isinstance(fields, list):
            fields = fields[place] if 0 <= place < len(fields) else None
        if isinstance(fields, dict):
            rows = fields.get("rows", [])
            if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
                return fields
        raise self._ledger.damaged(f"no answer for deal {place + 1} in an answer")

    def error(self, place: int) -> AnswerError | None:
        """Return the error in the answer for a deal, if there is one."""
        return fault_of(self._ledger, self.of(place).get("error"))


def fault_of(ledger: Ledger, fields: Any) -> AnswerError | None:
    """Read a fault from a ledger; it is an object with a code and a message."""
    match fields:
        case None:
            return None
        case {"code": str(code), "message": str(message)}:
            return AnswerError(code, message)
    raise ledger.damaged("an error must have a code and a message")


def parsed_fault(ledger: Ledger, text: str) -> dict[str, Any]:
    """Read the fault of a deal."""
    fields = _parsed(ledger, text)
    if fault_of(ledger, fields) is None:
        raise ledger.damaged("an error must have a code and a message")
    assert isinstance(fields, dict)
    return fields


def _parsed(ledger: Ledger, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ledger.damaged(f"an answer is not JSON: {error}") from error
