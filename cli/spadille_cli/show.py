"""`spadille show`: each deal drawn, its hands around the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import click

from spadille.base.card_text import format_hand
from spadille.core.deal import Deal
from spadille.render.sheet import Sheet
from spadille_cli.deal_drawings import ascii_option, sheet, titled
from spadille_cli.deal_records import CONTRACT, Case, CaseRecord
from spadille_cli.deal_source import Source, played_only, replayed, source_options
from spadille_cli.guard import guarded, recorded
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.play_point import Point, point_options
from spadille_cli.status import Status, Tally
from spadille_cli.table_formats import Row

_COMMON = ("file", "index", "board", "game")
_SEAT = ("seat", "name", "dealer", "side", "hand", "discard", "drawn", "left", "to_play")


@click.command("show")
@source_options()
@point_options
@ascii_option
@output_options
def command(source: Source, point: Point, output: Output) -> Status:
    """Draw each deal: the hands around the table, in their seats.

    With them stand the talon, the auction and the play as grids with a column
    for each seat, in the order of turns, the contract and the exchange, as far
    as the file has them. Where trumps are known they stand together, from high
    to low, with the matadors and whatever else belongs there as whole cards. In
    the play > leads to a trick and * wins it. --after and --trick show what the
    hands hold at that point.

    \b
    Examples:
      spadille show deals.pbn
      spadille show --board 3 --trick 5 deals.pbn
      spadille show --ascii --format html -o deals.html deals.pbn
      spadille show --game mensch --deal "N:AK.QJ.T9.87 - - -"
    """
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
    with output.progress(cases) as steps:
        records = (recorded(case, tally, partial(_fields, case)) for case in steps)
        output.write(records, View((*_COMMON, *_SEAT), _rows, _tables), tally)
    return tally.status(fail=False)


def _fields(case: Case) -> Record:
    drawn = None if case.error else sheet(case)
    if drawn is None:
        return {}
    deal, contract = drawn.deal, drawn.contract
    auction = drawn.auction
    return {
        "dealer": deal.dealer,
        "names": {seat: drawn.names.get(seat, seat) for seat in deal.rules.seats},
        **_cards(deal),
        **(dict.fromkeys(CONTRACT) if contract is None else contract.to_dict()),
        "sides": [] if contract is None else sorted(contract.side),
        "surrender": drawn.surrender and drawn.surrender.to_dict(),
        "auction": auction and {"first": auction[0], "calls": list(auction[1])},
        "tricks": [
            {"leader": trick.leader, "cards": list(trick.cards), "winner": trick.winner}
            for trick in drawn.tricks
        ],
        "after": sum(len(trick.cards) for trick in drawn.tricks),
        "left": {seat: hand and list(hand) for seat, hand in drawn.left().items()},
        "player": drawn.to_play(),
    }


def _cards(deal: Deal) -> dict[str, Any]:
    lists = {"drawn": deal.drawn, "discard": deal.discard}
    return {
        "hands": {seat: hand and list(hand) for seat, hand in deal.hands.items()},
        "talon": list(deal.undealt),
        "talon_ordered": deal.talon_ordered,
        "current_trump": deal.current_trump,
        "turn_up": deal.turn_up,
        "pool": deal.rules.pool(deal) if deal.rules.game.ante else None,
        **{name: {seat: list(held) for seat, held in of.items()} for name, of in lists.items()},
        "from_hand": list(deal.from_hand),
        "won": dict(deal.won),
    }


def _rows(record: Record) -> Iterator[Row]:
    """A row for each seat, its cards in the notation of the Deal tag."""
    for seat, hand in record.get("hands", {}).items():
        left = record["left"][seat]
        yield (
            *(record[name] for name in _COMMON),
            seat,
            record["names"][seat],
            seat == record["dealer"],
            seat in record["sides"],
            None if hand is None else format_hand(hand),
            " ".join(record["discard"].get(seat, ())),
            " ".join(record["drawn"].get(seat, ())),
            None if left is None else format_hand(left),
            seat == record["player"],
        )


def _tables(records: Iterable[Record]) -> Iterator[Sheet]:
    for record in records:
        if isinstance(record, CaseRecord) and not record.case.error:
            found = sheet(record.case)
            if found is not None:
                yield titled(found, record)
