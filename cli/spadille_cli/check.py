"""`spadille check`: the faults of hand files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import click

from spadille.base.errors import Fault, InternalError, SpadilleError, attempt
from spadille.base.input_words import many
from spadille.pbn.hand_file import Entry, placed
from spadille.render.results.problems import noted, problem_table
from spadille_cli.contract_options import Terms
from spadille_cli.deal_records import Case, common_fields
from spadille_cli.deal_source import Source, source_options
from spadille_cli.fault_messages import describe, place
from spadille_cli.guard import deal_fault
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.status import Status, Tally
from spadille_cli.table_formats import Row, TextTable
from spadille_cli.terminal import complain

if TYPE_CHECKING:
    from spadille.generate.problems.soundness import Checked

_MOST_ROWS = 1000  # more nobody reads
_COMMON = ("file", "index", "board", "game")
_FAULT = ("line", "column", "severity", "code", "message", "tag", "text", "rule")


@click.command("check")
@source_options()
@click.option("--exit-zero", is_flag=True, help="End with exit status 0 even if there are faults.")
@output_options
def command(source: Source, exit_zero: bool, output: Output) -> Status:
    """Find every fault of the deals in hand files.

    Cards, deck, exchange, contract and recorded play are checked against the
    rules of the game, and the file against the notation. Each fault is shown
    with its place, the input and the rule it breaks ("RULES n" is section n of
    docs/rules.md, "hand files" is docs/hand-files.md); faultless deals are not
    shown. A warning is of what can be used, but is probably not meant. The exit
    status is 1 if there is a fault.

    A problem, a deal with Key or Question, is solved, too: a key that loses,
    other cards that win, and themes that do not hold are faults. Shown are
    where several cards win in the key line, and the first cards that can be
    left out, one of each hand.

    \b
    Examples:
      spadille check club-night.pbn
      spadille check --game solo-whist bridge.pbn
      spadille check --format csv *.pbn
    """
    tally = Tally()
    if source.terms != Terms():
        raise click.UsageError("check takes contracts from files; options go with --deal")
    found = _records(source, tally)
    output.write(found, View((*_COMMON, *_FAULT), _rows, _tables), tally)
    return tally.status(fail=not exit_zero)


def _records(source: Source, tally: Tally) -> Iterator[Record]:
    deals = faults = warnings = 0
    for name, file, entry in source.entries(tally):
        checked = attempt(partial(_checked, entry))
        if isinstance(checked, SpadilleError):
            checked = None, [deal_fault(entry, checked)]
        problem, findings = checked
        found = [fault for fault in findings if fault.severity == "error"]
        deals += 1
        faults += len(found)
        warnings += len(findings) - len(found)
        tally.found += bool(found)
        tally.unusable += any(fault.code == InternalError.default_code for fault in found)
        first = found[0] if found else None
        yield {
            **common_fields(Case(name, file, entry, entry.deal, entry.contract, first)),
            "faults": [asdict(fault) for fault in findings],
            **({} if problem is None else {"problem": problem}),
        }
    warned = f", {many(warnings, 'warning')}" if warnings else ""
    complain(f"{many(deals, 'deal')}, {tally.found} with faults: {many(faults, 'fault')}{warned}")


def _place(fault: Fault) -> tuple[int, int]:
    return fault.line or 0, fault.column or 0


def _checked(entry: Entry) -> tuple[Record | None, list[Fault]]:
    """Return the fields of the problem an entry poses, if it does, and all faults in file order."""
    found = attempt(partial(_problem, entry))
    if isinstance(found, SpadilleError):
        more: Sequence[Fault] = [placed(entry, Fault(found.code, str(found), "Key"))]
        problem: Record | None = None
    else:
        more = () if found is None else found.faults
        problem = None if found is None else found.to_dict()
    return problem, sorted([*entry.findings, *more], key=_place)


def _problem(entry: Entry) -> Checked | None:
    """Return what is found of the problem an entry poses, if it does."""
    if entry.posed is None:
        return None
    from spadille.generate.problems.soundness import verify

    return verify(entry)


def _rows(record: Record) -> Iterator[Row]:
    for fault in record["faults"]:
        yield [record[name] for name in _COMMON] + [fault[name] for name in _FAULT]


def _tables(records: Iterable[Record]) -> Iterator[TextTable]:
    posed: list[Row] = []
    found = (
        (record["file"], Fault(**fault))
        for record in noted(records, posed)
        for fault in record["faults"]
    )
    rows = [
        (place(file, fault), f"{describe(fault)} [{fault.code}]")
        for file, fault in islice(found, _MOST_ROWS)
    ]
    more = sum(1 for _ in found)
    if more:
        rows.append(("", f"and {more} more; --format jsonl or csv lists them all"))
    if rows:
        yield TextTable(("place", "fault"), rows, wraps=True)
    if posed:
        yield problem_table(posed)
