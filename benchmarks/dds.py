"""DDS through endplay, the reference for deals of 52 cards with partners opposite.

endplay must be called from only one thread. DDS keeps its table between questions about the same
deal, so never time two questions in a row on one deal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.deals import Question
from benchmarks.plays_with_errors import recorded
from spadille.base.card_text import SUITS, format_hand

try:
    import endplay.dds as endplay_dds
    import endplay.types as endplay_types
except ImportError:  # no wheels for this platform or this Python
    AVAILABLE = False
else:
    AVAILABLE = True
    # One thread, as for spadille.
    endplay_dds._dds.SetMaxThreads(1)

TRICKS = 13
Solve = Callable[[], Any]


def position(question: Question) -> Any:
    """Return the deal in endplay's form, with trump and first leader."""
    deal, contract = question.deal, question.contract
    hands = " ".join(format_hand(deal.hands[seat] or ()) for seat in "NESW")
    return endplay_types.Deal(
        f"N:{hands}",
        first=endplay_types.Player.find(deal.rules.eldest(deal.dealer)),
        trump=endplay_types.Denom.find(contract.trump),
    )


def solve(question: Question) -> Solve:
    """Return a task: the tricks of the declaring side, whose left neighbor leads."""
    deal = position(question)
    return lambda: endplay_dds.analyse_start(deal)


def leads(question: Question) -> Solve:
    """Return a task: card -> tricks of the declaring side, for every opening lead."""
    deal = position(question)

    def run() -> dict[str, int]:
        board = endplay_dds.solve_board(deal)
        return {SUITS[int(card.suit)] + card.rank.abbr: TRICKS - tricks for card, tricks in board}

    return run


def table(question: Question) -> Solve:
    """Return a task: rows S H D C NT of the tricks of declarers N E S W."""
    deal = position(question)
    return lambda: endplay_dds.calc_dd_table(deal).to_list()


def trace(question: Question) -> Solve:
    """Return a task: the declaring side's tricks before each card, up to the last trick."""
    deal, play = position(question), recorded(question)
    return lambda: list(endplay_dds.analyse_play(deal, play))


def version() -> str | None:
    """Return the version of endplay, or None if it is not installed."""
    if not AVAILABLE:
        return None
    from importlib.metadata import version

    return version("endplay")
