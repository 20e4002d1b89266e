"""`spadille table`: the tricks of every seat in every contract."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click

from spadille.analysis.contracts.table import Table, TableRow, table_many
from spadille.render.annotate import write_result_table
from spadille.render.results.table import tables
from spadille.render.tables import attributes
from spadille_cli.case_and_answer import Case, DealAnswer
from spadille_cli.contract_options import Rows, made_option, rows_options
from spadille_cli.csv_columns import CONTRACT_FIELDS, rows_by_deal
from spadille_cli.deal_drawings import tables_by_deal
from spadille_cli.deal_source import Source, show_options, source_options
from spadille_cli.exit_status import Status, Tally
from spadille_cli.guarded_cases import answered, guarded
from spadille_cli.output_files import saving_edits
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.shared_options import GroupedCommand, cli_option, threads_option

_ROW = attributes(*CONTRACT_FIELDS, "tricks", "target", "makes", "margin", "outcome", "best")


@click.command("table", cls=GroupedCommand)
@source_options(show_options, contracts=False)
@rows_options
@made_option
@cli_option("--annotate", "Write the table into the file, as OptimumResultTable.", name="annotated")
@threads_option
@output_options
def command(
    source: Source,
    rows: Rows,
    made: bool,
    annotated: bool,
    threads: int,
    output: Output,
) -> Status:
    """Solve every contract for every seat, in every trump suit.

    Shows how many tricks each contract takes for each seat (* = makes), with the
    best card to call; partnerships are listed separately, and Nemo counts clean
    tricks, with the best penalty suit. If the trump is "open", the declarer names
    it with the first card. A question mark means that the number of tricks in a
    Misère would take too long to find.

    \b
    Examples:
      spadille table deals.pbn
      spadille table --game solo-whist bridge.pbn
      spadille table --made deals.pbn
      spadille table --annotate deals.pbn
      spadille table --format csv -o table.csv deals.pbn
    """
    if made and annotated:
        raise click.UsageError(
            "--annotate writes numbers of tricks, which --made does not find: leave out one of them"
        )
    tally = Tally()
    cases = source.cases(tally, contracts=False, edited=annotated)
    with saving_edits(cases, tally), output.progress(cases) as steps:
        deals = (case.deal for case in cases if case.error is None and case.deal)
        results = table_many(deals, threads=threads, made=made, **asdict(rows))
        answers = answered(steps, results, tally, rows.named_in)
        if annotated:
            answers = (_annotated(answer, tally) for answer in answers)
        view = View(*rows_by_deal(_ROW, _rows), tables_by_deal(tables))
        output.write(answers, view, tally)
    return tally.status(fail=False)


def _rows(table: Table) -> Iterable[TableRow]:
    return table.rows


def _annotated(answer: DealAnswer[Table], tally: Tally) -> DealAnswer[Table]:
    """Write a table into the file."""
    case, table = answer.case, answer.result
    if table is None:
        return answer

    def write(case: Case) -> Case:
        write_result_table(case.entry.game, table)
        return case

    case = guarded(write, case, tally)
    return answer if case.error is None else DealAnswer(case)
