"""Deals drawn: what `show` prints, and the other commands with `--show`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

import click

from spadille.render.grid import DrawnTrick, play_grid, tricks_of
from spadille.render.sheet import Sheet
from spadille.render.text import SYMBOLS
from spadille_cli.deal_records import Case, CaseRecord, board_label
from spadille_cli.output import Record
from spadille_cli.table_formats import TextTable

Command = TypeVar("Command", bound=Callable[..., Any])

_ascii_option = click.option("--ascii", is_flag=True, help="Letters for suits, not their symbols.")
_show_option = click.option(
    "--show", "shown", is_flag=True, help="The deal drawn above its results."
)


def ascii_option(command: Command) -> Callable[..., Any]:
    """Add `--ascii`; goes with `source_options`, and the cases know of it."""

    @wraps(command)
    def collected(**params: Any) -> Any:
        chosen = params.pop("ascii")
        return command(source=replace(params.pop("source"), ascii=chosen), **params)

    return _ascii_option(collected)


def show_option(command: Command) -> Callable[..., Any]:
    """Add `--show`, and `--ascii` with it."""

    @wraps(command)
    def collected(**params: Any) -> Any:
        chosen = params.pop("shown")
        return command(source=replace(params.pop("source"), shown=chosen), **params)

    return _show_option(ascii_option(collected))


def sheet(case: Case, *, play: bool = True) -> Sheet | None:
    """Return what is drawn of a case, None where nothing can be.

    With `play` that is drawn; without it, and up to a point of it, what the hands held there.
    """
    deal, contract = case.deal, case.contract
    if deal is None:
        return None
    rest = case.after is not None and contract is not None and None not in deal.hands.values()
    own = contract in (None, case.entry.contract) or case.surrender is not None
    posed = case.entry.posed
    return Sheet(
        deal,
        contract,
        case.entry.calls if own else None,
        recorded_tricks(case) if play or rest else (),
        rest=rest,
        names=case.entry.players,
        symbols=not case.ascii and _knows_symbols(),
        question=(posed and not rest and play and posed.question) or "",
        surrender=case.given_up,
    )


def recorded_tricks(case: Case) -> list[DrawnTrick]:
    """Return the recorded play as far as it counts."""
    deal, contract, play = case.deal, case.contract, case.play
    if deal is None or contract is None or play is None:
        return []
    left = len(case.cards)
    found = []
    for cards in play.tricks:
        if left > 0:
            found.append(cards[:left])
        left -= len(cards)
    return tricks_of(deal, contract, found, leaders=play.leaders)


def is_drawn(record: Record) -> bool:
    """Whether the deal of a record is drawn above its result."""
    return isinstance(record, CaseRecord) and record.case.shown


def drawn(record: Record) -> Iterator[Sheet]:
    """Yield the sheet that is to stand above a result, if one is."""
    if is_drawn(record) and isinstance(record, CaseRecord):
        found = sheet(record.case, play=False)
        if found is not None:
            yield titled(found, record)


def titled(found: Sheet, record: Record) -> Sheet:
    """The sheet under the name of its deal."""
    return replace(found, title=f"{record['file']}: deal {board_label(record)}")


def line_grid(
    record: Record, line: Sequence[Sequence[str]], title: str, *, played: bool = True
) -> TextTable:
    """Draw a line from the point a record is of: behind what was `played`, or from the deal."""
    assert isinstance(record, CaseRecord)
    case = record.case
    deal, contract = case.deal, case.contract
    assert deal is not None
    assert contract is not None
    earlier = recorded_tricks(case) if played else []
    if earlier and earlier[-1].winner is None:
        earlier.pop()  # the line has its cards
    before = [card for trick in earlier for card in trick.cards]
    won = Counter(dict(deal.won))
    won.update(trick.winner for trick in earlier if trick.winner)
    found = tricks_of(deal, contract, line, before=before, named=record.get("named"))
    grid = play_grid(deal.rules, contract, found, number=len(earlier) + 1, won=won)
    return grid._replace(title=title)


def _knows_symbols() -> bool:
    """Whether standard output can take the symbols of suits."""
    try:
        "".join(SYMBOLS.values()).encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeError, LookupError):
        return False
    return True
