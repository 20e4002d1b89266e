"""Turns hand files into the questions of a batch, one `DealPlace` per deal.

Deals are yielded in order and are not kept in memory.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from errno import EBADF
from functools import partial
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from spadille.base.errors import Fault, attempt
from spadille.batch.batch_question import Job
from spadille.batch.fast_deal_reader import Frames
from spadille.batch.file_chunks import Passage, passages
from spadille.pbn.document import Document, PbnGame, escape
from spadille.pbn.entry import Entry, contract_missing
from spadille.pbn.evening_csv import TABLES
from spadille.pbn.foreign_letters import parse_letters
from spadille.pbn.hand_file import document_of, read
from spadille.pbn.parse_document import decode, parse
from spadille.pbn.session_facts import Session
from spadille.pbn.tag_names import OF_CONTRACT
from spadille.pbn.write_deals import block

STDIN = "-"

_SECTIONS = ("Auction", "Play")
_SIGNS = "$=!?"  # the start of an annotation


class DealPlace(NamedTuple):
    """A deal in a file and the question about it."""

    number: int
    """The index of the deal in the file, from 0."""
    board: str | None
    game: str | None
    question: str | None
    """The question as canonical text; None if no question can be asked or nothing was played."""
    error: Fault | None
    """A fault that rules out a question, or limits it to a part of the record."""
    line: int
    """The position of the deal in the file, counted from 1."""
    column: int
    faults: tuple[Fault, ...] = ()
    """All faults in the deal."""
    end: int = 0
    """The number of bytes of the file read so far."""
    source: Document | str = ""
    """The part of the file that contains the deal; a parsed document if that part contains other
    deals, too."""
    skipped: int = 0
    """The number of lines in the file before `source`."""

    def quoted(self, fault: Fault) -> str:
        """Return the line of the file that contains a fault, or "" if its position is unknown."""
        if fault.line is None:
            return ""
        document = parse(self.source) if isinstance(self.source, str) else self.source
        return document.line(fault.line - self.skipped)


def places(
    path: str,
    job: Job,
    game: str | None = None,
    options: Mapping[str, str] | None = None,
    letters: str = "en",
) -> Iterator[DealPlace]:
    """Read a hand file deal by deal, `-` for standard input, with the same options as `load`.

    The file is read piece by piece, unless games inherit values ("#") or the question is about
    whole files. Raises OSError.
    """
    with _opened(path) as stream:
        if job.of_files:
            yield from _evening(path, stream, game, options or {}, letters)
        else:
            yield from _Reader(job, game, options or {}, letters).places(path, stream)


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    """Open a file so that it can be read twice."""
    if path != STDIN:
        with open(path, "rb") as stream:
            if stream.seekable():
                yield stream
                return
    elif sys.stdin is None:
        raise OSError(EBADF, "standard input is closed")
    with TemporaryFile() as copy:
        with open(path, "rb") if path != STDIN else _kept_open() as source:
            while data := source.read(1 << 20):
                copy.write(data)
        copy.seek(0)
        yield copy


@contextmanager
def _kept_open() -> Iterator[BinaryIO]:
    yield sys.stdin.buffer


class _Reader:
    def __init__(
        self, job: Job, game: str | None, options: Mapping[str, str], letters: str
    ) -> None:
        self._job = job
        self._letters = letters
        self._game = game
        self._options = options
        self._frames = Frames(game, options, contracts=job.needs_contract)
        self._session = Session()
        self._index = 0

    def places(self, path: str, stream: BinaryIO) -> Iterator[DealPlace]:
        framed = not self._job.needs_play and self._letters == "en"
        for passage in self._passages(path, stream):
            place = None
            if passage.document is None and framed:
                place = attempt(partial(self._framed, passage))
            if isinstance(place, DealPlace):
                yield place
                self._index += 1
                continue
            document = passage.document or parse_letters(passage.text, self._letters)
            source = document if len(document.games) > 1 else passage.text
            for game in document.games:
                yield self._read(passage, game)._replace(source=source, skipped=passage.line)
                self._index += 1

    def _passages(self, path: str, stream: BinaryIO) -> Iterator[Passage]:
        if not path.lower().endswith(TABLES):
            return passages(stream, self._letters)
        data = stream.read()
        text, _ = decode(data)
        document = document_of(path, text, self._game, self._letters)
        return iter([Passage(text, 0, len(data), document)])

    def _framed(self, passage: Passage) -> DealPlace | None:
        framed = self._frames.read(passage.text)
        if framed is None:
            return None
        frame = framed.frame
        self._session.follow(frame.rules, frame.deal.current_trump)
        return DealPlace(
            number=self._index,
            board=framed.board,
            game=frame.rules.game.id,
            question=framed.question,
            error=None,
            line=passage.line + frame.row + 1,
            column=1,
            faults=(),
            end=passage.end,
            source=passage.text,
            skipped=passage.line,
        )

    def _read(self, passage: Passage, game: PbnGame) -> DealPlace:
        game.index = self._index
        entry = Entry(game, self._game, self._options, self._session)
        place = attempt(partial(self._place, passage, entry))
        if isinstance(place, DealPlace):
            return place
        line, column = _place(entry)
        fault = Fault(place.code, str(place), line=line, column=column)
        faults = [*_faults(entry, self._job), fault]  # the first fault counts, as in the commands
        return self._placed(passage, entry, None, faults, faults[0])

    def _place(self, passage: Passage, entry: Entry) -> DealPlace:
        faults = _faults(entry, self._job)
        question, error = _question(entry, self._job, faults)
        return self._placed(passage, entry, question, faults, error)

    def _placed(
        self,
        passage: Passage,
        entry: Entry,
        question: str | None,
        faults: Sequence[Fault],
        error: Fault | None,
    ) -> DealPlace:
        line, column = _place(entry)
        return DealPlace(
            number=self._index,
            board=entry.board,
            game=entry.rules.game.id if entry.rules else None,
            question=question,
            error=_moved(error, passage.line),
            line=line + passage.line,
            column=column,
            faults=tuple(_moved(fault, passage.line) or fault for fault in faults),
            end=passage.end,
        )


def _moved(fault: Fault | None, lines: int) -> Fault | None:
    if fault is None or fault.line is None or not lines:
        return fault
    return replace(fault, line=fault.line + lines)


def _evening(
    path: str, stream: BinaryIO, game: str | None, options: Mapping[str, str], letters: str
) -> Iterator[DealPlace]:
    """Read a file for a question about whole files; all deals of a file share the question."""
    data = stream.read()
    text, _ = decode(data)
    file = read("", game, options, letters=letters)
    file.document = document_of(path, text, game, letters)
    question = json.dumps([file.text, game, dict(options)])
    for entry in file.scan():
        faults = tuple(entry.faults)
        sound = entry.deal is not None and (entry.contract is not None or entry.passed_out)
        error = next((fault for fault in faults if fault.tag == "Play" or not sound), None)
        rules = entry.rules.game.id if entry.rules else None
        line, column = _place(entry, "Contract")
        yield DealPlace(
            number=entry.index,
            board=entry.board,
            game=rules,
            question=question,
            error=error,
            line=line,
            column=column,
            faults=faults,
            end=len(data),
            source=file.document,
        )


def _place(entry: Entry, *first: str) -> tuple[int, int]:
    """Return the position of a deal's first tag with one of these names, or of its first line."""
    names = entry.game.names
    start = next((names[name].start for name in (*first, "Deal") if name in names), None)
    return entry.game.document.position(entry.game.start if start is None else start)


def _faults(entry: Entry, job: Job) -> list[Fault]:
    """Return the faults that matter to the question about an entry."""
    if job.needs_contract or job.needs_play or entry.deal is None:
        return entry.faults if entry.unresolved is None else [*entry.faults, entry.unresolved]
    return [fault for fault in entry.faults if fault.tag not in OF_CONTRACT]


def _question(entry: Entry, job: Job, faults: Sequence[Fault]) -> tuple[str | None, Fault | None]:
    """Return the question about an entry, and any fault that prevents or limits the answer."""
    deal, contract = entry.deal, entry.contract
    if not job.needs_contract and not job.needs_play:
        if deal is None:
            return None, faults[0]
        return block(deal) + (_sections(entry, "Auction") if job.hears else ""), None
    if deal is None or (contract is None and not (job.needs_play and entry.passed_out)):
        named = entry.terms is None or entry.terms.ids
        if deal is not None and not named and not faults:
            raise contract_missing(entry)
        return None, faults[0]
    if not job.needs_play and contract is not None:
        over = entry.at_take_over
        played = () if over is None else (over[2], entry.surrender)
        return block((deal, contract, *played)), None
    error = next((fault for fault in faults if fault.tag == "Play"), None)
    if contract is None:
        if not entry.calls:
            return None, None
        return f'{block(deal)}[Contract "Pass"]\n{_sections(entry, "Auction")}', None
    if "Play" not in entry.game.names and entry.surrender is None:
        return None, None
    return block((deal, contract)) + _sections(entry, "Auction", "Play"), error


def _sections(entry: Entry, *names: str) -> str:
    """Return the sections as recorded, but without comments and annotations."""
    lines = []
    for name in ("Surrender", *names) if "Play" in names else names:
        tag = entry.game.names.get(name)
        if tag is None:
            continue
        lines.append(f'[{name} "{escape(tag.value)}"]')
        if name in _SECTIONS:
            lines.append(" ".join(text for text, _ in tag.play_tokens() if text[0] not in _SIGNS))
    return "".join(f"{line}\n" for line in lines)
