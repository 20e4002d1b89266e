"""Drawings of deals: the output of `show`, and of other commands with `--show`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from spadille.render.deal_sheet import Sheet
from spadille.render.play_and_auction_grids import DrawnTrick, play_grid, tricks_of
from spadille.render.text import SYMBOLS, card_text
from spadille_cli.case_and_answer import Case, DealAnswer, Found
from spadille_cli.human_readable_tables import TextTable


def sheet(case: Case, *, play: bool = True) -> Sheet | None:
    """Return the drawing of a case, or None if it has no deal.

    With `play`, the drawing includes the play; otherwise, it shows the hands left at the requested
    point.
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


def solution_text(case: Case) -> str:
    """Return the key and the solution of a problem, or "" if it has neither."""
    posed = case.entry.posed
    if posed is None:
        return ""
    key = posed.key and f"Key: {card_text(posed.key, not case.ascii and _knows_symbols())}."
    has_key = posed.solution is not None and posed.solution.startswith("Solution:")
    return " ".join(filter(None, (None if has_key else key, posed.solution)))


def recorded_tricks(case: Case) -> list[DrawnTrick]:
    """Return the recorded play up to the requested point."""
    deal, contract, play = case.deal, case.contract, case.play
    if deal is None or contract is None or (play is None and not case.further):
        return []
    if case.further:  # the play continues with these cards
        size = len(deal.rules.seats)
        chunks = [case.cards[at : at + size] for at in range(0, len(case.cards), size)]
        return tricks_of(deal, contract, chunks)
    assert play is not None
    left = len(case.cards)
    tricks = []
    for cards in play.tricks:
        if left > 0:
            tricks.append(cards[:left])
        left -= len(cards)
    return tricks_of(deal, contract, tricks, leaders=play.leaders)


def tables_by_deal(
    tables: Callable[[Found, str], Iterable[TextTable]],
) -> Callable[[Iterable[DealAnswer[Found]]], Iterator[TextTable | Sheet]]:
    """Return the tables of each answer, under the name of its deal and game."""

    def of_all(answers: Iterable[DealAnswer[Found]]) -> Iterator[TextTable | Sheet]:
        for answer in answers:
            if answer.result is not None:
                yield from drawn(answer.case)
                yield from tables(answer.result, f"{answer.case.title}, {answer.case.game}")

    return of_all


def drawn(case: Case) -> Iterator[Sheet]:
    """Yield the drawing above a result if `--show` is given."""
    drawing = sheet(case, play=False) if case.shown else None
    if drawing is not None:
        yield replace(drawing, title=case.title)


def line_grid(
    case: Case, line: Sequence[Sequence[str]], title: str, named: str | None, *, played: bool = True
) -> TextTable:
    """Draw a line of play after the recorded cards or, without `played`, from the first card."""
    deal, contract = case.deal, case.contract
    assert deal is not None
    assert contract is not None
    earlier = recorded_tricks(case) if played else []
    if earlier and earlier[-1].winner is None:
        earlier.pop()  # the line contains these cards
    before = [card for trick in earlier for card in trick.cards]
    won = Counter(dict(deal.won))
    won.update(trick.winner for trick in earlier if trick.winner)
    tricks = tricks_of(deal, contract, line, before=before, named=named)
    grid = play_grid(deal.rules, contract, tricks, number=len(earlier) + 1, won=won)
    return grid._replace(title=title)


def _knows_symbols() -> bool:
    """Return whether standard output can show the suit symbols."""
    try:
        "".join(SYMBOLS.values()).encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeError, LookupError):
        return False
    return True
