"""The answers of a batch: from a question in canonical text to an answer in JSON.

An answer has the same fields as the JSON output of the command with the same name. Node counts and
times are left out, because they depend on the machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from spadille.analysis.auction.before_play import before_play
from spadille.analysis.chances.choosable_contracts import heard
from spadille.analysis.chances.contract_chances import best_chances
from spadille.analysis.chances.review_chances import judged
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.table import table
from spadille.analysis.evening.score import score
from spadille.analysis.review.review import review
from spadille.analysis.value.solve import solve
from spadille.base.errors import ArgumentError, SpadilleError, attempt
from spadille.batch.batch_question import Job
from spadille.batch.fast_answers import FramedSolver, framed_solver
from spadille.batch.fast_deal_reader import Frame, Frames
from spadille.core.recorded_auction import Auction
from spadille.pbn.entry import Entry, placed
from spadille.pbn.hand_file import read
from spadille.search.engine import Solver

_PLAIN = {"objective": "tricks", "leads": False, "line": False, "swaps": False}


class Answerer:
    """Answers the questions of a job one at a time, with its own Solver.

    If anything goes wrong, the answer is an `error`.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._solver = Solver()
        self._frames = Frames(sound=True)
        self._quick = job.kind == "solve" and job.options == _PLAIN
        self._framed: dict[int, tuple[Frame, FramedSolver | None]] = {}

    def answers(self, questions: Iterable[str]) -> list[str]:
        """Answer the questions in the given order."""
        return [self.answer(question) for question in questions]

    def answer(self, question: str) -> str:
        """Answer one question."""
        answer = attempt(partial(self._found, question))
        return answer if isinstance(answer, str) else _text({"error": _error(answer)})

    def _found(self, question: str) -> str:
        if self._quick:
            framed = self._frames.read(question)
            if framed is not None:
                frame = framed.frame
                kept, quick = self._framed.get(id(frame), (None, None))
                if kept is not frame:
                    quick = framed_solver(framed, self._solver)
                    self._framed[id(frame)] = frame, quick
                if quick is not None:
                    return quick.answer(framed.hands, lambda: self._answer(question))
        return self._answer(question)

    def _answer(self, question: str) -> str:
        return _text(self._fields(question))

    def _fields(self, question: str) -> Any:
        if self._job.of_files:
            return _scores(read(*json.loads(question)), self._job.drawing)
        entries = read(question)
        if len(entries) != 1:
            raise ArgumentError(f"a question must have one deal, not {len(entries)}: {question!r}")
        (entry,) = entries
        deal, contract, options = entry.deal, entry.contract, dict(self._job.options)
        if deal is None:
            raise ArgumentError(f"not a question: {question!r}")
        chances = self._job.drawing
        options.pop("chances", None)
        if self._job.kind == "review":
            return _reviewed(entry, options["every"], chances, self._solver)
        if self._job.kind == "solve" and contract is not None:
            deal, contract, play = entry.at_take_over or (deal, contract, ())
            return solve(deal, contract, play=play, solver=self._solver, **options).to_dict()
        if self._job.kind == "table":
            return table(deal, solver=self._solver, **options).to_dict()
        if chances is not None:
            return _chosen(entry, options, chances)
        calls = entry.calls[1] if entry.calls else ()
        return best(deal, auction=calls, solver=self._solver, **options).to_dict()


def _chosen(entry: Entry, options: dict[str, Any], drawing: Drawing) -> dict[str, Any]:
    assert entry.deal is not None
    (seat,) = options["seats"]
    return best_chances(
        entry.deal,
        seat,
        options["contracts"],
        trumps=options["trumps"],
        auction=heard(entry.deal, seat, Auction.of_entry(entry.calls)),
        drawing=drawing,
    ).to_dict()


def _reviewed(entry: Entry, every: bool, drawing: Drawing | None, solver: Solver) -> dict[str, Any]:
    deal, contract, play = entry.deal, entry.contract, entry.play
    assert deal is not None
    calls = tuple(entry.calls[1]) if entry.calls else ()
    if contract is None:
        return before_play(deal, None, calls, solver=solver).to_dict()
    cards = play.cards if play else ()
    result = review(
        *(deal, contract, cards, entry.surrender, calls),
        every=every,
        refutations=True,
        solver=solver,
    )
    faulty = any(fault.tag == "Play" for fault in entry.faults)
    if faulty or (play is not None and play.in_progress):
        result = result.cut_short()
    if drawing is not None:
        result = judged(result, deal, Auction.of_entry(entry.calls), drawing)
    fields = result.to_dict()
    if result.error is not None and not faulty:
        fields["error"] = _error(result.error)
    return fields


def _scores(evening: Iterable[Entry], drawing: Drawing | None) -> list[dict[str, Any]]:
    records = []
    entries = list(evening)
    for entry, deal in zip(entries, score(entries, drawing=drawing).deals, strict=True):
        fault = deal.settled.error
        warnings = tuple(placed(entry, warning) for warning in deal.settled.warnings)
        fields = replace(deal, settled=replace(deal.settled, warnings=warnings)).to_dict()
        if fault is not None:
            fields["error"] = {"code": fault.code, "message": fault.message}
        records.append(fields)
    return records


def _error(error: SpadilleError) -> dict[str, str]:
    return {"code": error.code, "message": str(error)}


def _text(fields: Any) -> str:
    return json.dumps(_lasting(fields), ensure_ascii=False, separators=(",", ":"))


def _lasting(fields: Any) -> Any:
    """Remove the fields that depend on the machine."""
    if isinstance(fields, dict):
        return {
            name: _lasting(value) for name, value in fields.items() if name not in ("nodes", "ms")
        }
    if isinstance(fields, list):
        return [_lasting(value) for value in fields]
    return fields
