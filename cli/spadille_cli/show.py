"""`spadille show`: drawings of deals, with the hands around the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import click

from spadille.base.card_languages import letters_of
from spadille.base.card_text import format_hand
from spadille.base.errors import attempt
from spadille.render.deal_sheet import Sheet
from spadille.render.tables import Column, TextTable
from spadille.render.text import drawn_with
from spadille_cli.case_and_answer import Case, DealAnswer
from spadille_cli.contract_options import refused_seat
from spadille_cli.csv_columns import CONTRACT_FIELDS, rows_by_deal
from spadille_cli.deal_drawings import sheet, solution_text
from spadille_cli.deal_source import Source, ascii_option, played_only, replayed, source_options
from spadille_cli.exit_status import Status, Tally
from spadille_cli.guarded_cases import answered, guarded
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.play_point import Point, point_options
from spadille_cli.shared_options import GroupedCommand, cli_option
from spadille_cli.terminal_messages import complain


@click.command("show", cls=GroupedCommand)
@source_options(ascii_option)
@refused_seat
@point_options
@cli_option("--solution", "Also show the key and the solution of problems.", name="solved")
@cli_option("--answers", "Show only the answer key: number, key and solution of each problem.")
@cli_option("--title TEXT", "Heading above the sheets.")
@output_options
def command(
    source: Source,
    point: Point,
    solved: bool,
    answers: bool,
    title: str | None,
    output: Output,
) -> Status:
    """Draw each deal, with the hands around the table.

    Below the hands come the talon, contract, exchange, auction and play, if the
    file has them; auction and play have one column per seat, in turn order. If the
    trump suit is known, trumps are grouped from high to low; matadors and other
    permanent trumps keep their own suit symbols. In the play, > marks the card led
    and * the card that won. --after and --trick show the hands as they were at that
    point.

    \b
    Examples:
      spadille show deals.pbn
      spadille show --board 3 --trick 5 deals.pbn
      spadille show --ascii --title "Lesson 3" -o lesson.html deals.pbn
      spadille show --answers problems.pbn
      spadille show --game mensch --deal "N:AK.QJ.T9.87 - - -"
    """
    if answers and (solved or point.named):
        option = "--solution" if solved else "--after" if point.trick is None else "--trick"
        raise click.UsageError(f"--answers shows only the answer key: leave out {option}")
    tally = Tally()
    cases = source.cases(tally, optional=True)
    if point.played:
        cases = list(played_only(cases))
    if point.named:
        cases = [guarded(lambda case: point.of(case, tally), case, tally) for case in cases]
    else:
        cases = [
            guarded(lambda case: replayed(case, tally).taken_over(), case, tally) for case in cases
        ]
    if answers and not any(case.error is None and solution_text(case) for case in cases):
        complain("nothing to do: no deal has a Key tag or a comment that begins with Solution:")
    results = (attempt(partial(_drawing, solved, case)) for case in cases if case.error is None)
    view = View(*rows_by_deal(_HAND, _hands), partial(_tables, answers, title))
    with drawn_with(letters_of(source.letters)), output.progress(cases) as steps:
        output.write(answered(steps, results, tally), view, tally)
    return tally.status(fail=False)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A drawn deal."""

    sheet: Sheet

    def to_dict(self) -> dict[str, object]:
        """Return the fields of the JSON object."""
        drawn, deal, contract = self.sheet, self.sheet.deal, self.sheet.contract
        auction, given = drawn.auction, drawn.surrender
        return {
            "dealer": deal.dealer,
            "names": {seat: drawn.names.get(seat, seat) for seat in deal.rules.seats},
            "hands": deal.hands,
            "talon": deal.undealt,
            "talon_ordered": deal.talon_ordered,
            "current_trump": deal.current_trump,
            "turn_up": deal.turn_up,
            "pool": deal.rules.pool(deal) if deal.rules.game.ante else None,
            "drawn": dict(deal.drawn),
            "discard": dict(deal.discard),
            "from_hand": list(deal.from_hand),
            "won": dict(deal.won),
            **(dict.fromkeys(CONTRACT_FIELDS) if contract is None else contract.to_dict()),
            "sides": [] if contract is None else sorted(contract.side),
            "surrender": None if given is None else given.to_dict(),
            "auction": auction and {"first": auction[0], "calls": auction[1]},
            "tricks": [trick._asdict() for trick in drawn.tricks],
            "after": sum(len(trick.cards) for trick in drawn.tricks),
            "left": drawn.left(),
            "player": drawn.to_play(),
        }


def _drawing(solved: bool, case: Case) -> _Drawing | None:
    drawing = sheet(case)
    solution = solution_text(case) if solved else ""
    if drawing is None:
        return None
    return _Drawing(replace(drawing, title=case.title, solution=solution))


class _Hand(NamedTuple):
    """A row of the output: one hand of a deal."""

    sheet: Sheet
    seat: str


def _hands(drawing: _Drawing) -> Iterator[_Hand]:
    return (_Hand(drawing.sheet, seat) for seat in drawing.sheet.deal.hands)


def _cards(hand: tuple[str, ...] | None) -> str | None:
    return None if hand is None else format_hand(hand)


def _declares(hand: _Hand) -> bool:
    return hand.sheet.contract is not None and hand.seat in hand.sheet.contract.side


_HAND: tuple[Column[_Hand], ...] = (
    Column("seat", lambda hand: hand.seat),
    Column("name", lambda hand: hand.sheet.names.get(hand.seat, hand.seat)),
    Column("dealer", lambda hand: hand.seat == hand.sheet.deal.dealer),
    Column("side", _declares),
    Column("hand", lambda hand: _cards(hand.sheet.deal.hands[hand.seat])),
    Column("discard", lambda hand: " ".join(hand.sheet.deal.discard.get(hand.seat, ()))),
    Column("drawn", lambda hand: " ".join(hand.sheet.deal.drawn.get(hand.seat, ()))),
    Column("left", lambda hand: _cards(hand.sheet.left()[hand.seat])),
    Column("to_play", lambda hand: hand.seat == hand.sheet.to_play()),
)


def _tables(
    key_only: bool, title: str | None, answers: Iterable[DealAnswer[_Drawing]]
) -> Iterator[TextTable | Sheet]:
    shown = [answer for answer in answers if answer.result is not None] if key_only else answers
    if key_only:
        posed = [(answer.case.label, solution_text(answer.case)) for answer in shown]
        rows = [(label, text) for label, text in posed if text]
        heading = ": ".join(filter(None, (title, "answer key")))
        if rows:
            yield TextTable(("deal", "answer"), rows, heading, wraps=True)
        return
    for answer in shown:
        if answer.result is not None:
            if title:
                yield TextTable(("",), (), title)
                title = None
            yield answer.result.sheet
