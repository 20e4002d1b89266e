"""`spadille cards`: the value of every card that may be played at some point of the play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import click

from spadille.analysis.chances.sampling_plan import Drawing
from spadille.analysis.value.card_values import card_values_many
from spadille.render.results import chances as chances_view
from spadille.render.results.cards import flat, tables
from spadille.render.sheet import Sheet
from spadille_cli import chances_options as chances_of
from spadille_cli.chances_options import chances_options
from spadille_cli.deal_drawings import drawn, line_grid, show_option
from spadille_cli.deal_records import board_label
from spadille_cli.deal_source import Source, played_only, source_options, warned_of_matadors
from spadille_cli.guard import answered, guarded, recorded, records
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.play_point import Point, point_options
from spadille_cli.score_rows import ScoreColumns
from spadille_cli.shared_options import threads_option
from spadille_cli.status import Status, Tally
from spadille_cli.table_formats import Row, TextTable

_COMMON = ("file", "index", "board", "game", "after", "trick", "player")
_CARD = (
    "card",
    "tricks",
    "makes",
    "margin",
    "outcome",
    "points",
    "cost",
    "effect",
    "named",
)


@click.command("cards")
@source_options()
@show_option
@point_options
@click.option("--line", is_flag=True, help="An optimal line of play from there, too.")
@chances_options(
    "What the cards are worth on what the player knows, averaged over layouts.",
    "a decision",
    where=True,
)
@threads_option
@output_options
def command(
    source: Source,
    point: Point,
    line: bool,
    drawing: Drawing | None,
    where: tuple[str, ...],
    threads: int,
    output: Output,
) -> Status:
    """Value every card the player to move may play, all hands open.

    For each card: the tricks the declaring side gets (or the outcome, or the
    points each contractor is sure of), what the card costs the side that
    plays it, and whether it keeps or loses what that side has in hand, the
    contract or its defeat; * marks the best. The point is where the recorded play stands,
    unless --after or --trick names an earlier one. Before each of the first four
    cards of Ombre in an Entrada, a row shows what surrendering pays.

    With --chances also what the player could know: in how many of the layouts
    that fit it the contract makes after each card, everybody playing with
    open cards from there, with intervals of 95 %. It stops when the answer is
    settled, at --samples or at --seconds.

    \b
    Examples:
      spadille cards deals.pbn
      spadille cards --after 0 --line deals.pbn
      spadille cards --trick 3 --format csv deals.pbn
      spadille cards --after 0 --chances --seconds 5 deals.pbn
    """
    tally = Tally()
    cases = warned_of_matadors(source.cases(tally, seen=bool(drawing)), tally)
    if point.played:
        cases = list(played_only(cases))
    cases = [guarded(lambda case: point.of(case, tally), case, tally) for case in cases]
    if drawing and line:
        raise click.UsageError("--line is of open hands, and does not go with --chances")
    scores = ScoreColumns.of(cases)
    extra = chances_of.FIELDS if drawing else ()
    fields = (*_COMMON, *_CARD, *scores.fields(), *extra)
    view = View(fields, partial(_rows, scores, bool(drawing)), _tables)
    if drawing:
        records_of = (
            recorded(case, tally, lambda: found or {})  # noqa: B023
            for case, found in answered(
                cases, chances_of.fields_of_cards(cases, drawing, where, output), tally
            )
        )
        output.write(records_of, view, tally)
        return tally.status(fail=False)
    questions = (
        (case.deal, case.contract, case.cards)
        for case in cases
        if case.error is None and case.deal and case.contract
    )
    results = card_values_many(questions, line=line, threads=threads)
    with output.progress(cases) as steps:
        output.write(records(steps, results, tally), view, tally)
    return tally.status(fail=False)


def _rows(scores: ScoreColumns, chances: bool, record: Record) -> Iterator[Row]:
    common = [record.get(name) for name in _COMMON]
    for card in record.get("cards", ()):
        values = [flat(card.get(name)) for name in _CARD]
        row = common + values + scores.cells(card.get("score"), record["declarer"])
        yield row + (chances_of.cells(card) if chances else [])


def _tables(records: Iterable[Record]) -> Iterator[TextTable | Sheet]:
    for record in records:
        if record["error"] is None:
            yield from drawn(record)
            title = f"{record['file']}: deal {board_label(record)}, {record['contract']}"
            if "gauge" in record:
                yield from chances_view.tables(record, title)
            else:
                yield from tables(record, title, partial(line_grid, record))
