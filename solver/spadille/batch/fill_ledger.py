"""Fills a ledger: reads files, submits missing questions and stores the answers.

All this happens in one thread, which is fast enough to keep many workers busy.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from time import monotonic
from typing import NamedTuple, TypeAlias

from spadille.base.argument_checks import check_list, thread_count
from spadille.base.errors import ArgumentError, Fault
from spadille.batch.batch_question import Keys
from spadille.batch.file_questions import DealPlace, places
from spadille.batch.ledger import FAULTY, DealRow, Ledger
from spadille.batch.stored_answers import Answer
from spadille.batch.workers import Alone, Processes, Workers

_GROUP = 2048  # deals read before their answers are looked up
_BATCH = 1.0  # seconds of work per transaction
_FIRST, _MOST = 8, 1 << 14  # questions in the first task, and the limit for later tasks
_LAST = 2.0  # seconds to wait for other writers when saving the last batch after an interruption
_TICK = 0.2  # seconds per wait for answers


class Progress(NamedTuple):
    """The progress of a run that fills a ledger."""

    deals: int
    """The number of deals read."""
    asked: int
    """The number of different questions that had no answer in the ledger."""
    answered: int
    faulty: int
    """The number of deals with faults."""
    share: float
    """The share of the input that has been read, by size."""
    seconds: float

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self.answered / self.seconds if self.seconds else 0.0


Tell = Callable[[Progress], None]
TellFault = Callable[[str, Fault, str], None]
TellError = Callable[[str, OSError], None]
_Asking: TypeAlias = tuple[str, DealPlace]
"""A file name, and one of the file's deals."""


@dataclass(slots=True)
class _Open:
    """Results that are not yet in the ledger."""

    rows: dict[str, list[DealRow]] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    answers: list[tuple[bytes, str, str]] = field(default_factory=list)
    asked: dict[bytes, list[_Asking]] = field(default_factory=dict)
    """The questions whose answers are not yet in the ledger, by key, with the deals that need
    them."""
    faulty: dict[bytes, Answer] = field(default_factory=dict)
    """The answers with an error that are not yet in the ledger, by key."""


def fill(
    ledger: Ledger,
    files: Iterable[str | os.PathLike[str]],
    *,
    threads: int = 1,
    workers: Workers | None = None,
    game: str | None = None,
    options: Mapping[str, str] | None = None,
    letters: str = "en",
    shard: tuple[int, int] = (1, 1),
    tell: Tell | None = None,
    tell_fault: TellFault | None = None,
    tell_error: TellError | None = None,
    holding: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Progress:
    """Answer a ledger's question for all deals in hand files, and store the answers in the ledger.

    Deals that already have an answer are skipped. If a deal occurs several times, it is solved
    once. `threads` is the number of worker processes on this machine. If `workers` is given, it is
    used instead, and closed at the end. `game`, `options` and `letters` work as in `load`. `shard`
    (i, n) selects the i-th of n parts. `tell` is called with the progress, and `tell_fault` with a
    file name, a fault and the faulty line. If a file cannot be read, `tell_error` is called and the
    file is skipped; without it, the OSError is raised. Each batch is written inside the context
    manager `holding`. If an exception or Ctrl-C ends the run early, finished answers are stored
    first. Raises LedgerError and WorkerError, and ArgumentError unless the shard is valid and the
    number of threads is 1 to 1,024.
    """
    number, parts = shard
    if not 1 <= number <= parts:
        raise ArgumentError(f"a shard must be i/n with 1 <= i <= n, not {number}/{parts}")
    threads = thread_count(threads)
    check_list(files, "files must be a list of paths")
    names = [os.fspath(file) for file in files]
    if workers is None:
        workers = Alone(ledger.job) if threads == 1 else Processes(ledger.job, threads)
    filling = _Filling(ledger, workers, tell, tell_fault, holding)
    read_deals = partial(places, job=ledger.job, game=game, options=options, letters=letters)
    try:
        read = filling.read(names, read_deals, shard, tell_error)
        filling.run(read)
    finally:
        workers.close()
    return filling.progress


class _Filling:
    def __init__(
        self,
        ledger: Ledger,
        workers: Workers,
        tell: Tell | None,
        tell_fault: TellFault | None,
        holding: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._ledger = ledger
        self._workers = workers
        self._tell = tell
        self._tell_fault = tell_fault
        self._holding = holding
        self._keys = Keys(ledger.job)
        self._began = self._written = monotonic()
        self._open = _Open()
        self._waiting: deque[tuple[bytes, str]] = deque()
        self._given: dict[int, list[tuple[bytes, str]]] = {}
        self._tasks = 0
        self._pace = 0.0  # seconds per question
        self._deals = self._asked = self._answered = self._faulty = 0
        self._share = 0.0
        self._last: tuple[bytes, Answer | None] = b"", None

    @property
    def progress(self) -> Progress:
        """The progress so far."""
        seconds = monotonic() - self._began
        numbers = (self._deals, self._asked, self._answered, self._faulty)
        return Progress(*numbers, self._share, seconds)

    def run(self, read: Iterator[_Asking]) -> None:
        """Read deals, submit tasks and write answers in turn."""
        try:
            over = False
            while True:
                while not over and len(self._waiting) < max(_GROUP, 2 * self._size):
                    group = list(islice(read, _GROUP))
                    over = not group
                    self._take(group)
                    if not self._waiting and self._due:
                        self._write()
                while self._waiting and self._workers.free:
                    self._give()
                if self._given:
                    self._keep(0 if self._workers.free and not over else _TICK)
                if self._due:
                    self._write()
                if over and not self._given and not self._waiting:
                    break
        except (KeyboardInterrupt, Exception):
            # Save finished answers first, so that they need not be computed again. If the ledger
            # cannot be written, raise that error instead.
            self._write(_LAST)
            raise
        self._write()

    def read(
        self,
        files: Iterable[str],
        read_deals: Callable[[str], Iterator[DealPlace]],
        shard: tuple[int, int],
        tell_error: TellError | None,
    ) -> Iterator[_Asking]:
        """Yield the deals in this shard."""
        job = self._ledger.job
        names = list(dict.fromkeys(files))
        number, parts = shard
        size = [os.path.getsize(name) if os.path.isfile(name) else 0 for name in names]
        total, before = sum(size) or 1, 0
        for place_of_file, name in enumerate(names):
            count = 0
            try:
                for place in read_deals(name):
                    count += 1
                    self._share = min((before + place.end) / total, 1.0)
                    if (place_of_file if job.of_files else place.number) % parts != number - 1:
                        continue
                    for fault in place.faults:
                        self._say(name, place, fault)
                    yield name, place
            except OSError as error:
                if tell_error is None:
                    raise
                tell_error(name, error)
            else:
                self._open.ends[name] = count
            before += size[place_of_file]

    def _take(self, group: list[_Asking]) -> None:
        """Record deals, and collect the questions that have no answer."""
        askers_of: dict[bytes, list[_Asking]] = {}
        rows = self._open.rows
        key_of = self._keys.of
        name, file_rows = "", []
        for asker in group:
            file, place = asker
            key = None
            if place.question is not None:
                key = key_of(place.question, place.game)
                askers_of.setdefault(key, []).append(asker)
            if place.error is not None:
                self._faulty += 1
            if file != name:
                name, file_rows = file, rows.setdefault(file, [])
            number, board, game, _, fault, line, column, *_ = place
            error = None if fault is None else _json(fault)
            file_rows.append((number, board, game, key, error, line, column))
        self._deals += len(group)
        open_questions = self._open.asked
        for key in open_questions.keys() & askers_of.keys():
            askers = askers_of.pop(key)
            if key in self._open.faulty:
                self._blame(askers, self._open.faulty[key])
            open_questions[key] += askers
        for key, answer in self._known(askers_of).items():
            askers = askers_of.pop(key)
            if answer is not None:
                self._blame(askers, answer)
        open_questions.update(askers_of)
        self._asked += len(askers_of)
        self._waiting.extend(
            (key, askers[0][1].question or "") for key, askers in askers_of.items()
        )

    def _known(self, keys: Iterable[bytes]) -> dict[bytes, Answer | None]:
        """Return the keys that have an answer, with the answer itself where it may be an error.

        The last answer is kept for the next call, because an evening may have more deals than one
        call covers.
        """
        wanted = list(keys)
        last, kept = self._last
        answers = {last: kept} if last in wanted else {}
        others = [key for key in wanted if key != last]
        for key, text in self._ledger.answered(others).items():
            answers[key] = None if text is None else Answer(self._ledger, text)
        if wanted and wanted[-1] in answers:
            self._last = wanted[-1], answers[wanted[-1]]
        return answers

    def _blame(self, askers: Iterable[_Asking], answer: Answer) -> None:
        """Report the error in an answer for each of these deals."""
        for name, place in askers:
            error = answer.error(place.number)
            if error is None or place.error is not None:
                continue
            self._faulty += 1
            fault = Fault(error.code, error.message, line=place.line, column=place.column)
            self._say(name, place, fault)

    def _say(self, name: str, place: DealPlace, fault: Fault) -> None:
        if self._tell_fault is not None:
            self._tell_fault(name, fault, place.quoted(fault))

    @property
    def _size(self) -> int:
        """The number of questions for a task of the workers' preferred duration."""
        if not self._pace:
            return _FIRST
        return min(max(int(self._workers.seconds / self._pace), 1), _MOST)

    def _give(self) -> None:
        """Submit a task to the workers."""
        size = min(self._size, len(self._waiting))
        some = [self._waiting.popleft() for _ in range(size)]
        self._tasks += 1
        self._given[self._tasks] = some
        self._workers.give(self._tasks, [question for _, question in some])

    def _keep(self, timeout: float) -> None:
        """Collect the answers that have arrived; wait up to `timeout` seconds for the first one."""
        for task, answers, seconds in self._workers.finished(timeout):
            questions = self._given.pop(task)
            pace = seconds / len(questions)
            self._pace = (self._pace + pace) / 2 if self._pace else pace
            self._answered += len(questions)
            for (key, question), answer in zip(questions, answers, strict=True):
                self._open.answers.append((key, question, answer))
                if FAULTY in answer:
                    faulty = self._open.faulty[key] = Answer(self._ledger, answer)
                    self._blame(self._open.asked[key], faulty)
        if self._tell is not None:
            self._tell(self.progress)

    @property
    def _due(self) -> bool:
        return monotonic() - self._written > _BATCH

    def _write(self, patience: float | None = None) -> None:
        """Write all results that are not yet in the ledger in one transaction."""
        with self._ledger.batch(self._holding, patience):
            ready, self._open = self._open, _Open(asked=self._open.asked)
            for name in {**ready.rows, **ready.ends}:
                file = self._ledger.file(name)
                self._ledger.add_deals(file, ready.rows.get(name, ()))
                if name in ready.ends:
                    self._ledger.end_file(file, ready.ends[name])
            self._ledger.add_answers(ready.answers)
        for key, _, _ in ready.answers:
            del self._open.asked[key]
        self._written = monotonic()


def _json(error: Fault) -> str:
    return json.dumps(
        {
            "code": error.code,
            "message": error.message,
            "line": error.line,
            "column": error.column,
        },
        ensure_ascii=False,
    )
