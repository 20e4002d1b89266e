"""`spadille table`: what every seat makes in every contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import partial

import click

from spadille.analysis.contracts.table import Table as Found
from spadille.analysis.contracts.table import table_many
from spadille.base.errors import SpadilleError
from spadille.render.annotate import write_result_table
from spadille.render.results.table import tables
from spadille.render.sheet import Sheet
from spadille_cli.contract_options import Rows, rows_options
from spadille_cli.deal_drawings import drawn, show_option
from spadille_cli.deal_records import CONTRACT, Case, board_label
from spadille_cli.deal_source import Source, source_options
from spadille_cli.file_edits import saving_edits
from spadille_cli.guard import answered, recorded
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.shared_options import threads_option
from spadille_cli.status import Status, Tally
from spadille_cli.table_formats import Row, TextTable

_COMMON = ("file", "index", "board", "game")
_ROW = (
    *CONTRACT,
    "tricks",
    "target",
    "makes",
    "margin",
    "outcome",
    "best",
)


@click.command("table")
@source_options(contracts=False)
@show_option
@rows_options
@click.option(
    "--annotate",
    "annotated",
    is_flag=True,
    help="Write the table into the file, as OptimumResultTable.",
)
@threads_option
@output_options
def command(
    source: Source,
    rows: Rows,
    annotated: bool,
    threads: int,
    output: Output,
) -> Status:
    """Solve every contract of every seat, in every trump.

    For each contract and seat the tricks the declaring side can force, a star
    if that makes it: with the best card to call, for each pair of partners, in
    Nemo the clean tricks with the best penalty suit. Under "open" the declarer
    names the trump with his first card. A question mark stands for
    a misere whose exact value would take too long.

    \b
    Examples:
      spadille table deals.pbn
      spadille table --game solo-whist bridge.pbn
      spadille table --annotate deals.pbn
      spadille table --format csv -o table.csv deals.pbn
    """
    tally = Tally()
    cases = source.cases(tally, contracts=False, edited=annotated)
    with saving_edits(cases, tally), output.progress(cases) as steps:
        deals = (case.deal for case in cases if case.deal)
        results = table_many(deals, threads=threads, **asdict(rows))
        records = _records(steps, results, tally, annotated=annotated)
        output.write(records, View((*_COMMON, *_ROW), _rows, _tables), tally)
    return tally.status(fail=False)


def _records(
    steps: Iterable[Case],
    results: Iterator[Found | SpadilleError],
    tally: Tally,
    *,
    annotated: bool,
) -> Iterator[Record]:
    for case, result in answered(steps, results, tally):
        yield recorded(case, tally, partial(_fields, case, result, annotated=annotated))


def _fields(case: Case, result: Found | None, *, annotated: bool) -> Record:
    if result is None:
        return {}
    if annotated:
        write_result_table(case.entry.game, result)
    return result.to_dict()


def _rows(record: Record) -> Iterator[Row]:
    for row in record.get("rows", ()):
        yield [record[name] for name in _COMMON] + [row[name] for name in _ROW]


def _tables(records: Iterable[Record]) -> Iterator[TextTable | Sheet]:
    for record in records:
        if record["error"] is None:
            yield from drawn(record)
            title = f"{record['file']}: deal {board_label(record)}, {record['game']}"
            yield from tables(record, title)
