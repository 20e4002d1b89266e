"""Report faults: each with its place in the file and the line quoted below it, and counted."""

from __future__ import annotations

from collections.abc import Iterable
from errno import EISDIR
from shutil import get_terminal_size

import click

from spadille.base.errors import Fault, SpadilleError, quoted
from spadille.pbn.document import Document
from spadille.pbn.entry import Entry
from spadille.render.text import excerpt, printable
from spadille_cli import typed_deal
from spadille_cli.exit_status import Tally
from spadille_cli.terminal_messages import complain

_INDENT = "  "  # before a line quoted below its fault
_LEAST = 8  # columns of a quoted line, however narrow the terminal is


def deal_fault(entry: Entry, error: SpadilleError) -> Fault:
    """Turn an error about a whole deal into a fault at the start of the deal."""
    tag = entry.game.names.get("Deal")
    start = entry.game.start if tag is None else tag.start
    line, column = entry.game.document.position(start)
    return Fault(error.code, str(error), line=line, column=column)


def place(file: str, fault: Fault) -> str:
    """Return the place of a fault as file:line:column, or the option if the tag came from one."""
    if file == typed_deal.NAME:
        return typed_deal.option_of_tag(fault.tag)
    parts = (printable(file), fault.line, fault.column)
    return ":".join(str(part) for part in parts if part is not None)


# Values that a tag or an option can name.
_TOLD = ("game", "contract", "declarer", "trump", "called", "partner", "penalty", "leader")


def describe(fault: Fault) -> str:
    """Return the message of a fault, with the input it quotes and the rule it breaks."""
    text = printable(fault.message)
    if fault.severity == "warning":
        text = f"warning: {text}"
    begin = fault.text[:100]
    if begin not in fault.message and repr(begin) not in fault.message:
        text += f": {quoted(fault.text)}"
    what = fault.code.removesuffix("-missing")
    if what in _TOLD and what != fault.code and f"--{what}" not in text:
        text += f": name it with {what.capitalize()} or --{what}"
    source, _, rule = fault.rule.partition(": ")
    if not rule:
        return text
    if rule not in text:
        return f"{text} ({fault.rule})"
    return text if f"({source}" in text else f"{text} ({source})"


def report_unreadable(file: str, error: OSError, tally: Tally) -> None:
    """Report that a file cannot be read."""
    tally.unusable += 1
    what = "no hand files (*.pbn) in it" if error.errno == EISDIR else error.strerror
    complain(f"{printable(file) or repr(file)}: {what}")


def report(
    file: str,
    faults: Iterable[Fault],
    tally: Tally,
    document: Document | None = None,
    *,
    of_options: bool = False,
) -> None:
    """Print faults on standard error; all except warnings count as unusable input.

    If `document` is given, the faulty line is printed below each fault that has a place. A fault
    `of_options` recurs in other deals, but is printed only once.
    """
    for fault in faults:
        line = ""
        if document is not None and fault.line is not None and file != typed_deal.NAME:
            line = document.line(fault.line)
        report_quoted(file, fault, line, tally, of_options=of_options)


def report_quoted(
    file: str, fault: Fault, line: str, tally: Tally, *, of_options: bool = False
) -> None:
    """Print a fault as `report` does, followed by its line from the file."""
    tally.unusable += fault.severity == "error"
    if of_options:
        tally.by_option[fault.message] += 1
        if tally.by_option[fault.message] > 1:
            return
    text = f"{click.style(place(file, fault), bold=True)}: {describe(fault)}"
    complain(text + _excerpt(line, fault))


def _excerpt(line: str, fault: Fault) -> str:
    """Return the faulty line with a caret below the column, or "" if the column is unknown."""
    if fault.column is None or not line.strip():
        return ""  # an empty line, or the end of the file, shows nothing
    width = max(get_terminal_size().columns - len(_INDENT) - 1, _LEAST)
    shown, at = excerpt(line, fault.column - 1, width)
    return f"\n{_INDENT}{shown}\n{_INDENT}{' ' * at}^"
