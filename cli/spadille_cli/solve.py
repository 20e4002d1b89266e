"""`spadille solve`: the double-dummy value of the contract of each deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Literal

import click

from spadille.analysis.value.solve import solve_many
from spadille.analysis.value.solve_result import ContractorResult, Result
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.render.deal_sheet import Sheet
from spadille.render.results.shared_cells import by_contractor
from spadille.render.results.solve import HEADERS, SECURED, contractors, details, secured_rows
from spadille.render.tables import Cell, Column, attributes, names_of, row_of, through
from spadille_cli.case_and_answer import Case, DealAnswer
from spadille_cli.contract_options import refused_seat
from spadille_cli.csv_columns import CONTRACT_COLUMNS, DEAL_COLUMNS, ScoreColumns
from spadille_cli.deal_drawings import drawn, line_grid
from spadille_cli.deal_source import Source, show_options, source_options, warned_of_matadors
from spadille_cli.exit_status import Status, Tally
from spadille_cli.guarded_cases import answered, guarded, with_questions
from spadille_cli.human_readable_tables import Row, TextTable
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.shared_options import GroupedCommand, cli_option, play_options, threads_option


@click.command("solve", cls=GroupedCommand)
@source_options(show_options)
@refused_seat
@play_options
@cli_option("--fail", "Exit with status 1 if a contract does not make.")
@threads_option
@output_options
def command(
    source: Source,
    objective: Literal["tricks", "score"],
    leads: bool,
    line: bool,
    swaps: bool,
    fail: bool,
    threads: int,
    output: Output,
) -> Status:
    """Solve the contract of each deal, double-dummy.

    Shows how many tricks the declaring side takes with best play, whether that
    makes the contract, and its payoff. Options replace the file's contract for
    all deals.

    Taking the most tricks does not always pay the most: winning the first five or
    six tricks may pay extra, and so may stopping after them. With --objective
    score, the leads and the line aim for the best score, and the guaranteed payoff
    is shown.

    With --swaps, spadille tries swapping every pair of cards in different hands,
    and lists the cards whose place decides whether the contract makes.

    \b
    Examples:
      spadille solve deals.pbn
      spadille solve --leads --line deals.pbn
      spadille solve --declarer N --contract solo --trump H deals.pbn
      spadille solve --objective score deals.pbn
      spadille solve --swaps --board 3 deals.pbn
      spadille solve --game solo-whist --contract misere --declarer E bridge.pbn
      spadille solve --format jsonl -j 4 *.pbn > results.jsonl
    """
    tally = Tally()
    cases = warned_of_matadors(source.cases(tally), tally)
    cases = [guarded(Case.where_taken_over, case, tally) for case in cases]
    cases, questions = with_questions(cases, _question, tally)
    results = solve_many(
        questions, objective=objective, leads=leads, line=line, swaps=swaps, threads=threads
    )
    columns = _columns(ScoreColumns.of(cases), objective)
    fields = (*names_of(DEAL_COLUMNS), "error", *names_of(columns))
    view = View(fields, partial(_row, columns), _tables)
    with output.progress(cases) as steps:
        output.write(_counted(answered(steps, results, tally), tally), view, tally)
    return tally.status(fail=fail)


def _question(case: Case) -> tuple[Deal, Contract, tuple[str, ...]] | None:
    if case.deal is None or case.contract is None:
        return None
    return case.deal, case.contract, case.cards if case.after is not None else ()


def _counted(answers: Iterable[DealAnswer[Result]], tally: Tally) -> Iterator[DealAnswer[Result]]:
    """Count the contracts that do not make."""
    for answer in answers:
        tally.findings += answer.result is not None and answer.result.all_make is False
        yield answer


def _columns(scores: ScoreColumns, objective: str) -> tuple[Column[Result], ...]:
    """Return the columns, including a score for the declarer and one for each seat."""
    secured: tuple[Column[Result], ...] = (Column("secured", lambda result: None),)
    if objective == "score":
        secured = scores.columns("secured", _secured, _contract)
    return (
        *through(_contract, CONTRACT_COLUMNS),
        *_VALUE,
        *scores.columns("score", lambda result: result.score, _contract),
        *secured,
        *_MORE,
    )


def _row(columns: tuple[Column[Result], ...], answer: DealAnswer[Result]) -> Iterator[Row]:
    error, result = answer.case.error, answer.result
    yield [
        *row_of(DEAL_COLUMNS, answer.case),
        None if error is None else f"{error.code}: {error.message}",
        *([None] * len(columns) if result is None else row_of(columns, result)),
    ]


def _contract(result: Result) -> Contract:
    return result.contract


def _secured(result: Result) -> Mapping[str, int] | None:
    return None if result.secured is None else result.secured.score


def _guarantees(result: Result) -> Cell:
    return by_contractor(result.guarantees) if result.guarantees else None


def _each(texts: Mapping[str, str | None], gap: str = "; ") -> str | None:
    """Return the strings for several declarers as one cell, each after its seat."""
    if len(texts) > 1 and any(text is not None for text in texts.values()):
        return gap.join(f"{seat} {text}" for seat, text in texts.items())
    return next(iter(texts.values()))


def _leads(result: ContractorResult) -> str | None:
    if result.leads is None:
        return None
    return " ".join(f"{card}:{value}" for card, value in result.leads.items())


def _line(result: ContractorResult) -> str | None:
    return None if result.line is None else " / ".join(map(" ".join, result.line))


def _turning(result: ContractorResult) -> str | None:
    """Describe the swaps that change the result, "E:HK W:S7; ..."."""
    if result.swaps is None:
        return None
    swaps = (zip(swap.seats, swap.cards, strict=True) for swap in result.swaps.turning)
    return "; ".join(" ".join(f"{seat}:{card}" for seat, card in swap) for swap in swaps)


_VALUE: tuple[Column[Result], ...] = (
    Column("leader", lambda result: result.leader),
    Column("sides", lambda result: " ".join(result.sides)),
    Column("tricks", lambda result: by_contractor(result.of_each(lambda side: side.tricks))),
    Column("target", lambda result: by_contractor(result.of_each(lambda side: side.target))),
    Column("makes", lambda result: result.all_make),
    Column("margin", lambda result: by_contractor(result.of_each(lambda side: side.margin))),
    Column("outcome", lambda result: by_contractor(result.of_each(lambda side: side.outcome))),
)
_MORE: tuple[Column[Result], ...] = (
    Column("guarantees", _guarantees),
    Column("leads", lambda result: _each(result.of_each(_leads))),
    Column("line", lambda result: _each(result.of_each(_line))),
    Column("named", lambda result: None if result.several else result.one.named),
    Column("swaps", lambda result: _each(result.of_each(_turning), " / ")),
    *attributes("nodes", "ms"),
)


def _tables(answers: Iterable[DealAnswer[Result]]) -> Iterator[TextTable | Sheet]:
    for (file, game, _), group in groupby(answers, _together):
        solved = [(answer.case, answer.result) for answer in group if answer.result is not None]
        if not solved:
            continue
        yield from drawn(solved[0][0])
        rows = [(case.label, *row) for case, result in solved for row in contractors(result)]
        yield TextTable(("deal", *HEADERS), rows, title=f"{file}: {game}")
        if any(result.secured for _, result in solved):
            best = [(case.label, *row) for case, result in solved for row in secured_rows(result)]
            yield TextTable(("deal", *SECURED), best, title="What can be secured")
        for case, result in solved:
            # After a take-over, the line begins where the opponent takes over.
            draw = partial(line_grid, case, played=case.after is not None)
            yield from details(result, f"deal {case.label}", draw)


def _together(answer: DealAnswer[Result]) -> tuple[object, ...]:
    """Group results with the same key into one table; a drawn deal has its own table."""
    case = answer.case
    return case.name, case.game, case.entry.index if case.shown else None
