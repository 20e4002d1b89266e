"""`spadille solve`: the double-dummy value of the contract of each deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, groupby
from typing import Any, Literal

import click

from spadille.analysis.value.solve import solve_many
from spadille.render.results.solve import HEADERS, SECURED, contractors, details, secured_rows
from spadille.render.sheet import Sheet
from spadille_cli.deal_drawings import drawn, is_drawn, line_grid, show_option
from spadille_cli.deal_records import CONTRACT, CaseRecord, board_label
from spadille_cli.deal_source import Source, source_options, warned_of_matadors
from spadille_cli.guard import records
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.score_rows import ScoreColumns
from spadille_cli.shared_options import fail_option, play_options, threads_option
from spadille_cli.status import Status, Tally
from spadille_cli.table_formats import Row, TextTable

_FIELDS = (
    "file",
    "index",
    "board",
    "game",
    "error",
    *CONTRACT,
    "leader",
    "sides",
    "tricks",
    "target",
    "makes",
    "margin",
    "outcome",
    "score",
    "secured",
    "guarantees",
    "leads",
    "line",
    "named",
    "swaps",
    "nodes",
    "ms",
)


@click.command("solve")
@source_options()
@show_option
@play_options
@fail_option("a contract does not make")
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
    """Solve the contract of each deal, all hands open.

    Shown are the tricks the declaring side can force, whether that makes the
    contract, and what it is worth. The contract is that of the file; options
    change it for all deals.

    The best score may come from other play than the most tricks: for the first
    tricks in a row, say, or by stopping after them. With --objective score it is
    shown as what is secured, and leads and line are those of the best score.

    With --swaps the least change: had two cards of two hands changed places,
    would the contract then make, or no longer? Listed are the cards whose place
    matters, first those that turn the contract wherever they go.

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
    cases = [case.where_taken_over() for case in cases]
    questions = (
        (case.deal, case.contract, case.cards if case.after is not None else ())
        for case in cases
        if case.deal and case.contract
    )
    results = solve_many(
        questions, objective=objective, leads=leads, line=line, swaps=swaps, threads=threads
    )
    with output.progress(cases) as steps:
        found = _counted(records(steps, results, tally), tally)
        output.write(found, _view(ScoreColumns.of(cases), objective), tally)
    return tally.status(fail=fail)


def _counted(found: Iterable[Record], tally: Tally) -> Iterator[Record]:
    """Count the contracts that do not make."""
    for record in found:
        tally.found += record.get("makes") is False
        yield record


def _view(scores: ScoreColumns, objective: str) -> View:
    """The columns: in place of scores a number for the declarer, and one for each seat."""
    split = ("score", "secured")[: 1 + (objective == "score")]
    columns = {name: scores.fields(name) if name in split else (name,) for name in _FIELDS}

    def rows(record: Record) -> Iterator[Row]:
        row: list[object] = []
        for name in columns:
            value = record.get(name)
            if name == "swaps":
                row.append(_turning(value, record))
            elif name in split:
                score = value["score"] if value and name == "secured" else value
                row += scores.cells(score, record.get("declarer"))
            else:
                row.append(_flat(value))
        yield row

    return View(tuple(chain.from_iterable(columns.values())), rows, _tables)


def _turning(swaps: Any, record: Record) -> str | None:
    """The swaps that turn a contract as one cell, "E:HK W:S7; ...", several contractors apart."""
    if swaps is None:
        return None
    if isinstance(record["declarer"], list):
        told = (f"{seat} {_turning(each, {'declarer': seat})}" for seat, each in swaps.items())
        return " / ".join(told)
    return "; ".join(map(_flat, swaps["turning"]))


def _flat(value: Any) -> Any:
    """A JSON value as one cell."""
    if isinstance(value, Mapping):
        if "message" in value:
            return f"{value['code']}: {value['message']}"
        if any(isinstance(item, Mapping | list) for item in value.values()):
            return "; ".join(f"{key} {_flat(item)}" for key, item in value.items())
        return " ".join(f"{key}:{item}" for key, item in value.items())
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return " / ".join(" ".join(trick) for trick in value)
        return " ".join(value)
    return value


def _tables(records: Iterable[Record]) -> Iterator[TextTable | Sheet]:
    for (file, game, _), group in groupby(records, _together):
        found = [record for record in group if record["error"] is None]
        if not found:
            continue
        yield from drawn(found[0])
        rows = [(board_label(record), *row) for record in found for row in contractors(record)]
        yield TextTable(("deal", *HEADERS), rows, title=f"{file}: {game}")
        if any(record.get("secured") for record in found):
            best = [(board_label(record), *row) for record in found for row in secured_rows(record)]
            yield TextTable(("deal", *SECURED), best, title="What can be secured")
        for record in found:
            draw = partial(line_grid, record, played=_played(record))
            yield from details(record, f"deal {board_label(record)}", draw)


def _played(record: Record) -> bool:
    """Whether the record is of a point of the play: where an opponent has taken over."""
    return isinstance(record, CaseRecord) and record.case.after is not None


def _together(record: Record) -> tuple[object, ...]:
    """What results share that stand in one table; one that is drawn stands alone."""
    return record["file"], record["game"], record["index"] if is_drawn(record) else None
