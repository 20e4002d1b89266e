"""`spadille score`: what the deals of an evening paid, and what they could have paid."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

import click

from spadille.analysis.chances.sampling_plan import Drawing
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.score import Stakes, by_player
from spadille.analysis.evening.settlement import NOT_SETTLED
from spadille.base.errors import SpadilleError
from spadille.render.results.score import evening_labels, game_end, players, score_legend, tables
from spadille_cli.chances_options import chances_options
from spadille_cli.deal_records import Case, board_label, common_fields
from spadille_cli.deal_source import Source, source_options
from spadille_cli.evening_table import Evening
from spadille_cli.guard import recorded
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.score_rows import ScoreColumns
from spadille_cli.shared_options import one_evening_option, threads_option
from spadille_cli.status import Status, Tally
from spadille_cli.table_formats import Row, TextTable, room

_COMMON = ("file", "index", "board", "game")
_DEAL = ("declarer", "contract", "trump", "called", "partner", "outcome", "made")


@click.command("score")
@source_options()
@click.option(
    "--by",
    type=click.Choice(("deal", "player")),
    default="deal",
    show_default=True,
    help="A row or object for each deal, or for each player over all deals.",
)
@one_evening_option
@chances_options(
    "Also which errors could have been known, and which cards were only lucky.", "a deal"
)
@click.option(
    "--chips",
    metavar="N",
    type=click.IntRange(0),
    help="Chips each player starts with (default: Ombre 50, Quadrille and Quintille 40).",
)
@click.option(
    "--stake", metavar="AMOUNT", help="What a point or chip is worth, in money, such as 0.10."
)
@threads_option
@output_options
def command(
    source: Source,
    by: str,
    one_evening: bool,
    drawing: Drawing | None,
    chips: int | None,
    stake: str | None,
    threads: int,
    output: Output,
) -> Status:
    """Settle an evening: what every deal paid, and to whom.

    Each file is an evening, or with --one-evening all files together. What one
    deal leaves in the pool is played for in the next, and points run on. A
    deal's Pool wins over what was carried; a difference is a warning. Players
    are known by the tags North, East, South, West or Player1 to Player5, so they
    may change seats; else they are their seats. A deal is settled by Play,
    Result, Surrender, or a Contract "Pass"; one that is not is reported, and the
    others go on. Where a game ends after a number of hands or points, the
    winner is named, or how many more hands are due.

    Beside what was paid stand, all hands open, what best play would have paid,
    the best contract there was, the bids that were missed, and what the errors
    of each player cost in tricks and in points. --chances counts the cards of
    each player that were errors on what he knew, unlucky, lucky or fine.

    \b
    Examples:
      spadille score evening.pbn
      spadille score --by player --format csv evenings/ > players.csv
      spadille score --chances --seconds 5 evening.pbn
      spadille score friday.pbn saturday.pbn --one-evening
      spadille score --format jsonl evening.pbn
    """
    try:
        stakes = Stakes(chips, stake)
    except SpadilleError as error:
        raise click.UsageError(f"--stake: {error}") from error
    tally = Tally()
    evening = Evening.of(replace(source, one_evening=one_evening), tally)
    if by == "player":
        evening.write_players(output, tally, threads, drawing, stakes)
        return tally.status(fail=False)
    columns = ScoreColumns.of(evening.cases)
    fields = (
        *(*_COMMON, *_DEAL, "pool_before", "pool_after"),
        *(f"player_{seat}" for seat in columns.seats if seat != "pool"),
        *columns.fields("points"),
        *columns.fields("best_play"),
        *("best_declarer", "best_contract", "best_trump", "best_payoff", "missed"),
    )
    done: list[DealScore] = []
    with output.progress(evening.cases) as steps:
        records = _records(evening.scores(steps, tally, threads, drawing), tally, done)
        view = View(fields, partial(_rows, columns), partial(_tables, done, stakes, one_evening))
        output.write(records, view, tally)
    return tally.status(fail=False)


def _records(
    found: Iterable[tuple[Case, DealScore | None]], tally: Tally, done: list[DealScore]
) -> Iterator[Record]:
    for case, score in found:
        if score is None:
            yield common_fields(case)
            continue
        done.append(score)
        open_ = case.error is not None and case.error.code != NOT_SETTLED
        yield common_fields(case) if open_ else recorded(case, tally, score.to_dict)


def _rows(columns: ScoreColumns, record: Record) -> Iterator[Row]:
    if "contract" not in record:
        return
    declarer, pool, best = record["declarer"], record["pool"] or {}, record["best_contract"] or {}
    yield [
        *(record[name] for name in _COMMON),
        *(_flat(record[name]) for name in _DEAL),
        pool.get("before"),
        pool.get("after"),
        *(record["names"].get(seat) for seat in columns.seats if seat != "pool"),
        *columns.cells(record["points"], declarer),
        *columns.cells(record["best_play"], declarer),
        *(best.get(name) for name in ("declarer", "contract", "trump", "payoff")),
        " ".join(offer["declarer"] for offer in record["missed"]),
    ]


def _flat(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {item}" for key, item in value.items())
    return " ".join(value) if isinstance(value, list) else value


def _tables(
    done: Sequence[DealScore], stakes: Stakes, one_evening: bool, records: Iterable[Record]
) -> Iterator[TextTable]:
    told, width = False, room(sys.stdout)
    for (file, game), own in groupby(
        records, lambda one: ("" if one_evening else one["file"], one["game"])
    ):
        shown = [record for record in own if "contract" in record]
        labels = evening_labels([(record["file"], board_label(record)) for record in shown])
        deals = list(zip(labels, shown, strict=True))
        if deals and not told:
            told = True
            yield score_legend()
        if deals:
            title = ": ".join(filter(None, (file, game)))
            yield from tables(deals, f"{title}, what was paid", width)
            yield from game_end(deals)
    if told:
        yield from players((player.to_dict() for player in by_player(done, stakes)), width)
