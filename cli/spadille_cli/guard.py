"""Work on one deal, kept apart from the work on the others.

Every command runs its work on a deal through here: an exception in it, foreseen or not, is a fault
of that deal, is reported with its place, and stops no other deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from spadille.base.errors import Fault, SpadilleError, attempt
from spadille.pbn.hand_file import Entry
from spadille_cli.deal_records import Case, DealAnswer, Found
from spadille_cli.fault_messages import report
from spadille_cli.status import Tally


def guarded(step: Callable[[Case], Case], case: Case, tally: Tally) -> Case:
    """Return the case after a step, or with the error the step raises; a faulty case skips it."""
    if case.error is not None:
        return case
    found = attempt(partial(step, case))
    return refused(case, found, tally) if isinstance(found, SpadilleError) else found


def answered(
    cases: Iterable[Case], results: Iterator[Found | SpadilleError | None], tally: Tally
) -> Iterator[DealAnswer[Found]]:
    """Yield each case with its result; None for a faulty one, and for one that was refused."""
    for case in cases:
        found = None
        if case.error is None:
            result = next(results)
            if isinstance(result, SpadilleError):
                case = refused(case, result, tally)
            else:
                found = result
        yield DealAnswer(case, found)


def refused(case: Case, error: SpadilleError, tally: Tally) -> Case:
    """Return the case with an error after which no more can be done with it, and report it."""
    fault, told = deal_fault(case.entry, error), case.play_fault
    if told is not None and (told.code, told.message) == (fault.code, fault.message):
        return replace(case, error=told)  # reported when the play was read, with its place
    report(case.name, [fault], tally)
    return replace(case, error=fault)


def deal_fault(entry: Entry, error: SpadilleError) -> Fault:
    """Return an error that concerns a deal as a whole, with the place where the deal begins."""
    tag = entry.game.names.get("Deal")
    start = entry.game.start if tag is None else tag.start
    line, column = entry.game.document.position(start)
    return Fault(error.code, str(error), line=line, column=column)
