"""`spadille check`: the faults in hand files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial, wraps
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from spadille.base.errors import Fault, InternalError, SpadilleError, attempt
from spadille.base.names_in_input import meant
from spadille.base.words_for_messages import many
from spadille.pbn.entry import Entry, placed
from spadille.render.results.checked_problems import problem_table
from spadille.render.tables import attributes
from spadille_cli.case_and_answer import Case, DealAnswer
from spadille_cli.contract_options import Terms, refused_seat
from spadille_cli.csv_columns import rows_by_deal
from spadille_cli.deal_source import Source, source_options
from spadille_cli.exit_status import Status, Tally
from spadille_cli.fault_reports import deal_fault, describe, place
from spadille_cli.human_readable_tables import Row, TextTable
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.shared_options import GroupedCommand, cli_option
from spadille_cli.terminal_messages import complain

if TYPE_CHECKING:
    from spadille.generate.problems.soundness import Checked

_MOST_ROWS = 1000  # nobody reads more faults than this
_FAULT = attributes("line", "column", "severity", "code", "message", "tag", "text", "rule")


@dataclass(frozen=True, slots=True)
class _Findings:
    """The faults in a deal, and its problem."""

    faults: Sequence[Fault]
    """The faults and warnings, in file order."""
    problem: Checked | None
    """The checked problem, or None for a deal without one."""

    def to_dict(self) -> dict[str, object]:
        """Return the fields of the JSON object."""
        fields: dict[str, object] = {"faults": [asdict(fault) for fault in self.faults]}
        if self.problem is not None:
            fields["problem"] = self.problem.to_dict()
        return fields


def _explaining(command: Callable[..., Status]) -> Callable[..., Status]:
    """Add `--explain`, which prints the explanation of a fault code instead of checking files."""

    @wraps(command)
    def explained(code: str | None, **values: Any) -> Status:
        if code is None:
            return command(**values)
        _explain(code)
        return Status.DONE

    return cli_option(
        "--explain CODE",
        "Print what a fault code means, with an example and the fix.",
        name="code",
        complete="fault_code",
    )(explained)


def _explain(code: str) -> None:
    context = click.get_current_context()
    for param in context.command.params:
        given = context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        if given and param.name != "code" and context.params.get(param.name or ""):
            what = "FILE" if isinstance(param, click.Argument) else param.opts[-1]
            raise click.UsageError(f"--explain checks no deals: leave out {what}")
    from spadille.pbn.fault_guide import explanations

    known = explanations()
    if code not in known:
        hint = meant(code, known) or ": docs/faults.md lists them"
        raise click.UsageError(f"--explain: {code!r} is not a fault code{hint}")
    click.echo(known[code].text(get_terminal_size().columns))


@click.command("check", cls=GroupedCommand)
@_explaining
@source_options()
@refused_seat
@cli_option("--exit-zero", "Exit with status 0 even if there are faults.")
@output_options
def command(source: Source, exit_zero: bool, output: Output) -> Status:
    """Find every fault in the deals of hand files.

    Cards, pack, exchange, contract and recorded play are checked against the
    rules of the game, and the notation against the file format. Each fault is
    shown with its place, the input and the rule it breaks ("RULES n" is section n
    of docs/rules.md, "hand files" is docs/hand-files.md). Warnings mark input
    that is usable but probably a mistake. The exit status is 1 if there is a fault.

    Problems (deals with Key or Question) are also solved: a key that loses, other
    cards that win, and themes that do not apply are faults. The output also lists
    the tricks of the key line where several cards win, and cards that could be
    removed from each hand.

    \b
    Examples:
      spadille check club-night.pbn
      spadille check --game solo-whist bridge.pbn
      spadille check --explain card-revoke
      spadille check --format csv *.pbn
    """
    tally = Tally()
    if source.terms != Terms():
        raise click.UsageError("check takes contracts from files; contract options need --deal")
    view = View(*rows_by_deal(_FAULT, _faults), _tables)
    output.write(_answers(source, tally), view, tally)
    return tally.status(fail=not exit_zero)


def _answers(source: Source, tally: Tally) -> Iterator[DealAnswer[_Findings]]:
    deals = faults = warnings = 0
    for name, file, entry in source.entries(tally):
        findings = attempt(partial(_checked, entry))
        if isinstance(findings, SpadilleError):
            findings = _Findings([deal_fault(entry, findings)], None)
        errors = [fault for fault in findings.faults if fault.severity == "error"]
        deals += 1
        faults += len(errors)
        warnings += len(findings.faults) - len(errors)
        tally.findings += bool(errors)
        tally.unusable += any(fault.code == InternalError.default_code for fault in errors)
        first = errors[0] if errors else None
        yield DealAnswer(Case(name, file, entry, entry.deal, entry.contract, first), findings)
    warned = f", {many(warnings, 'warning')}" if warnings else ""
    complain(
        f"{many(deals, 'deal')}, {tally.findings} with faults: {many(faults, 'fault')}{warned}"
    )


def _place(fault: Fault) -> tuple[int, int]:
    return fault.line or 0, fault.column or 0


def _checked(entry: Entry) -> _Findings:
    problem = attempt(partial(_problem, entry))
    if isinstance(problem, SpadilleError):
        fault = placed(entry, Fault(problem.code, str(problem), "Key"))
        return _Findings(sorted([*entry.findings, fault], key=_place), None)
    more = problem.faults if problem else ()
    return _Findings(sorted([*entry.findings, *more], key=_place), problem)


def _problem(entry: Entry) -> Checked | None:
    """Return the findings about the problem in an entry, or None if it has none."""
    if entry.posed is None:
        return None
    from spadille.generate.problems.soundness import verify

    return verify(entry)


def _faults(findings: _Findings) -> Sequence[Fault]:
    return findings.faults


def _tables(answers: Iterable[DealAnswer[_Findings]]) -> Iterator[TextTable]:
    posed: list[tuple[str, Checked]] = []
    rows: list[Row] = []
    number = 0
    for answer in answers:
        if answer.result is None:
            continue
        if answer.result.problem is not None:
            posed.append((answer.case.label, answer.result.problem))
        for fault in answer.result.faults:
            number += 1
            if number <= _MOST_ROWS:
                rows.append((place(answer.case.name, fault), f"{describe(fault)} [{fault.code}]"))
    if number > _MOST_ROWS:
        more = number - _MOST_ROWS
        rows.append(("", f"and {more} more; --format jsonl or csv lists them all"))
    if rows:
        yield TextTable(("place", "fault"), rows, wraps=True)
    if posed:
        yield problem_table(posed)
