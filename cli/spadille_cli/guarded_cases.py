"""Work on cases, one at a time: an error in one case affects only that case.

Every command does its work on a deal through this module. Any exception in that work, expected or
not, becomes a fault in that deal, which is reported, and does not affect the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

from spadille.base.errors import SpadilleError, attempt
from spadille_cli.case_and_answer import Case, DealAnswer, Found
from spadille_cli.exit_status import Tally
from spadille_cli.fault_reports import deal_fault, report
from spadille_cli.shared_options import after_options

Asked = TypeVar("Asked")


def guarded(step: Callable[[Case], Case], case: Case, tally: Tally) -> Case:
    """Return the case after a step, with any error it raised; a faulty case is left as it is."""
    if case.error is not None:
        return case
    result = attempt(partial(step, case))
    return refused(case, result, tally) if isinstance(result, SpadilleError) else result


def with_questions(
    cases: Iterable[Case], question: Callable[[Case], Asked | None], tally: Tally
) -> tuple[list[Case], list[Asked]]:
    """Return all cases, and a question for each case that has one and is free of faults."""
    kept, questions = [], []
    for case in cases:
        asked = attempt(partial(question, case)) if case.error is None else None
        if isinstance(asked, SpadilleError):
            case = refused(case, asked, tally)
        elif asked is not None:
            questions.append(asked)
        kept.append(case)
    return kept, questions


def answered(
    cases: Iterable[Case],
    results: Iterator[Found | SpadilleError | None],
    tally: Tally,
    named_in: Callable[[str], str] = lambda code: "",
) -> Iterator[DealAnswer[Found]]:
    """Yield each case with its result, or with None if the case is faulty or rejected.

    `named_in` returns the option to which the code of an error refers, or "".
    """
    for case in cases:
        answer = None
        if case.error is None:
            result = next(results)
            if isinstance(result, SpadilleError):
                case = refused(case, result, tally, named_in(result.code))
            else:
                answer = result
        yield DealAnswer(case, answer)


def refused(case: Case, error: SpadilleError, tally: Tally, option: str = "") -> Case:
    """Report an error that ends all work on a case, and return the case with that error.

    The report begins with the option to which the error refers, if there is one.
    """
    fault, known = deal_fault(case.entry, error), case.play_fault
    if known is not None and (known.code, known.message) == (fault.code, fault.message):
        return replace(case, error=known)  # reported with its place when the play was read
    named = replace(fault, message=after_options(fault.message, option))
    of_options = named.message.startswith("--")
    report(case.name, [named], tally, case.entry.game.document, of_options=of_options)
    return replace(case, error=fault)
