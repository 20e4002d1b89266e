"""Hand files as commands read them, and the faults they report."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from errno import EBADF

import click

from spadille.cli.output import Record, clear_bar
from spadille.cli.status import Tally
from spadille.cli.terms import Terms
from spadille.deal import Contract, Deal
from spadille.document import decode
from spadille.errors import Fault, RulesError, SpadilleError
from spadille.handfile import Entry, HandFile, load, read


@dataclass(frozen=True, slots=True)
class Case:
    """A deal to work on; without `deal` or `contract` there is an `error`."""

    name: str  # of the file
    file: HandFile
    entry: Entry
    deal: Deal | None
    contract: Contract | None
    error: Fault | None


def load_files(
    names: Iterable[str], tally: Tally, game: str | None = None, options: str = ""
) -> Iterator[tuple[str, HandFile]]:
    """Read each file, `-` being standard input; one that cannot be read is reported."""
    chosen = _parse_options(options)
    for name in names:
        try:
            if name == "-":
                if sys.stdin is None:  # closed by the caller
                    raise OSError(EBADF, "standard input is closed")
                text, encoding = decode(sys.stdin.buffer.read())
                file = read(text, game, chosen)
                file.encoding = encoding
            else:
                file = load(name, game, chosen)
        except OSError as error:
            tally.unusable += 1
            complain(f"{name}: {error.strerror}")
        else:
            yield name, file


def load_cases(
    names: Iterable[str],
    tally: Tally,
    terms: Terms,
    game: str | None = None,
    options: str = "",
    *,
    contracts: bool = True,
) -> list[Case]:
    """Read all deals of files, reporting their faults; with `contracts`, each needs one."""
    return [
        _case(name, file, entry, tally, terms, contracts)
        for name, file in load_files(names, tally, game, options)
        for entry in file
    ]


def _case(
    name: str, file: HandFile, entry: Entry, tally: Tally, terms: Terms, contracts: bool
) -> Case:
    faults = terms.faults(entry) if contracts else terms.deal_faults(entry)
    deal = contract = None
    try:
        deal = terms.deal(entry)
        if deal is not None and contracts:
            contract = terms.resolve(entry, deal)
    except SpadilleError as error:
        faults = [*faults, _fault(entry, error)]
    report(name, faults, tally)
    usable = contract is not None if contracts else deal is not None
    return Case(name, file, entry, deal, contract, None if usable else faults[0])


def refused(case: Case, error: SpadilleError, tally: Tally) -> Case:
    """A case the solver will not take, reported."""
    fault = _fault(case.entry, error)
    report(case.name, [fault], tally)
    return replace(case, error=fault)


def _fault(entry: Entry, error: SpadilleError) -> Fault:
    """An error that concerns a deal as a whole, with the place where the deal begins."""
    tag = entry.game.names.get("Deal")
    start = entry.game.start if tag is None else tag.start
    line, column = entry.game.document.position(start)
    return Fault(error.code, str(error), line=line, column=column)


def _parse_options(text: str) -> Mapping[str, str]:
    """Read `--rules`; raises click.UsageError for what is an option of no game."""
    options: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, equals, value = map(str.strip, part.partition("="))
        if not equals:
            raise click.UsageError(f"--rules: {part!r} is no option: write key=value")
        if name in options:
            raise click.UsageError(f"--rules: option {name!r} is given twice")
        _check_option(name, value)
        options[name] = value
    return options


def _check_option(name: str, value: str) -> None:
    """Raise click.UsageError unless some game has this option with this value."""
    from spadille.games import GAMES

    message = f"no game has an option {name!r}"
    for game in GAMES.values():
        if name in game.options:
            try:
                game.options[name].check(value)
            except RulesError as error:
                message = str(error)
            else:
                return
    raise click.UsageError(f"--rules: {message}")


def place(file: str, fault: Fault) -> str:
    """Where a fault is: file:line:column."""
    return ":".join(str(part) for part in (file, fault.line, fault.column) if part is not None)


def describe(fault: Fault) -> str:
    """What is wrong, with the input as it stands there and the rule it breaks."""
    text = fault.message
    if fault.text not in text:
        text += f": {fault.text!r}"
    source, _, rule = fault.rule.partition(": ")
    if not rule:
        return text
    return f"{text} ({source if rule in text else fault.rule})"


def complain(message: str) -> None:
    """Print a line on standard error."""
    clear_bar()
    click.echo(message, err=True)


def report(file: str, faults: Iterable[Fault], tally: Tally) -> None:
    """Print faults on standard error; each makes some of the input unusable."""
    for fault in faults:
        tally.unusable += 1
        complain(f"{click.style(place(file, fault), bold=True)}: {describe(fault)}")


def common_fields(case: Case) -> Record:
    """The fields every result has in JSON."""
    entry, error = case.entry, case.error
    return {
        "file": case.name,
        "index": entry.index,
        "board": entry.board,
        "game": entry.rules.game.id if entry.rules else None,
        "error": error
        and {
            "code": error.code,
            "message": error.message,
            "line": error.line,
            "column": error.column,
        },
    }
