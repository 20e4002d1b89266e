"""Unexpected exceptions, raised at any place in the work on one deal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from inspect import CO_GENERATOR
from types import FrameType
from typing import Any

from spadille.analysis import many_deals
from spadille.analysis.evening.deal_settlement import Settled
from spadille.base.errors import InternalError, attempt
from spadille.batch import file_chunks, file_questions
from spadille.core.deal import Deal
from spadille.pbn.document import PbnGame
from spadille.pbn.entry import Entry, placed
from spadille.pbn.parse_document import _Parser, parse
from spadille.pbn.tags import TagReader
from spadille_cli.case_and_answer import Case, DealAnswer
from spadille_cli.chosen_boards import ChosenBoards
from spadille_cli.evenings import _Recorded
from spadille_cli.fault_reports import deal_fault, report
from spadille_cli.guarded_cases import guarded, refused


class UnforeseenError(IndexError):
    """The exception that is raised; no command knows it."""


def board_of(value: Any) -> str | None:
    """Return the board of a deal if the value is about that deal and complete."""
    with suppress(AttributeError):
        return _board_of(value)
    return None


def _board_of(value: Any) -> str | None:
    if isinstance(value, Case):
        value = value.entry
    if isinstance(value, Entry):
        value = value.game
    if isinstance(value, Settled):
        value = value.deal
    if isinstance(value, PbnGame):
        return value.get("Board")
    if isinstance(value, Deal):
        return BOARDS.get(value.dealer)
    if isinstance(value, dict):
        board = value.get("board")
        return board if isinstance(board, str) else None
    return None


BOARDS = {"N": "north", "E": "east", "S": "south"}
"""The boards of the three deals by dealer, because a Deal has no name."""


EXEMPT = {
    function.__code__
    for function in (
        # The points where one deal ends and the next begins.
        *(
            parse,
            _Parser._tokens,
            _Parser._pair,
            _Parser._data,
            PbnGame.get,
            TagReader.__init__,
            Case.__init__,
            ChosenBoards.take,
            file_chunks.passages,
        ),
        # Code that reports errors.
        *(
            DealAnswer.__init__,
            DealAnswer.to_dict,
            deal_fault,
            report,
            InternalError.of.__func__,
            placed,
        ),
        *(file_questions._place, _Recorded.__init__),
    )
}
"""Functions in which an exception affects more than a deal: before a deal, or in error reports."""


GUARDS = {function.__code__ for function in (attempt, guarded, many_deals.result_or_error, refused)}
"""Functions that guard the work on a deal, before that work begins."""


def working_on(frame: FrameType | None) -> str | None:
    """Return the board of the innermost function about a deal, or None in work on several."""
    if frame is not None and frame.f_code in GUARDS:
        return None
    while frame is not None:
        if frame.f_code in EXEMPT:
            return None
        if "spadille" in frame.f_globals.get("__name__", ""):
            boards = {board for value in frame.f_locals.values() if (board := board_of(value))}
            if boards:
                return boards.pop() if len(boards) == 1 else None
        frame = frame.f_back
    return None


class Injection:
    """Raises UnforeseenError at the n-th call of a function in the work on a board.

    Without a number, it counts the calls. Resuming a generator does not count as a call, because an
    exception at that moment would end it for all deals.
    """

    def __init__(self, board: str, at: int | None = None) -> None:
        self.board = board
        self.at = at
        self.calls = 0
        self.place = ""

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call" or frame.f_code.co_flags & CO_GENERATOR:
            return
        name = frame.f_globals.get("__name__", "")
        if not name.startswith("spadille") or working_on(frame) != self.board:
            return
        self.calls += 1
        if self.calls == self.at:
            caller = frame.f_back
            self.place = f"{name}.{frame.f_code.co_qualname}"
            if caller is not None:
                self.place += f" from {caller.f_code.co_qualname}"
            raise UnforeseenError(self.place)

    def around(self, work: Callable[[], Any]) -> Any:
        """Do the work with the injected exception."""
        sys.setprofile(self)
        try:
            return work()
        finally:
            sys.setprofile(None)
