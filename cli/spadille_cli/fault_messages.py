"""Faults as people are told of them: where, what, and the rule that is broken."""

from __future__ import annotations

from collections.abc import Iterable
from errno import EISDIR

import click

from spadille.base.errors import Fault
from spadille.render.text import printable
from spadille_cli import typed_deal
from spadille_cli.status import Tally
from spadille_cli.terminal import complain


def place(file: str, fault: Fault) -> str:
    """Where a fault is: file:line:column, or the option that stands for the tag."""
    if file == typed_deal.NAME:
        return typed_deal.option_of_tag(fault.tag)
    parts = (printable(file), fault.line, fault.column)
    return ":".join(str(part) for part in parts if part is not None)


# What both a tag and an option can say.
_TOLD = ("game", "contract", "declarer", "trump", "called", "partner", "penalty", "leader")


def describe(fault: Fault) -> str:
    """What is wrong, with the input as it stands there and the rule it breaks."""
    text = printable(fault.message)
    if fault.severity == "warning":
        text = f"warning: {text}"
    if fault.text not in fault.message:
        text += f": {fault.text!r}"
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
    """Say that a file cannot be read."""
    tally.unusable += 1
    what = "no hand files (*.pbn) in it" if error.errno == EISDIR else error.strerror
    complain(f"{printable(file)}: {what}")


def report(file: str, faults: Iterable[Fault], tally: Tally) -> None:
    """Print faults on standard error; each makes some of the input unusable, but for warnings."""
    for fault in faults:
        tally.unusable += fault.severity == "error"
        complain(f"{click.style(place(file, fault), bold=True)}: {describe(fault)}")
