"""The contents of a ledger as text or tables, ordered by file and place: always equal bytes.

Files are written completely or not at all, without keeping their text in memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import TextIOWrapper
from typing import IO, Any, BinaryIO, TypeAlias

from spadille.base.errors import ArgumentError
from spadille.base.record_text import json_text, write_csv
from spadille.batch.ledger import Ledger
from spadille.batch.stored_answers import Answer, parsed_fault
from spadille.pbn.whole_files import drafted

AnswerRecord: TypeAlias = dict[str, Any]

FORMATS = ("jsonl", "csv", "parquet")
_COMMON = ("file", "index", "board", "game")
_CONTRACT = ("declarer", "contract", "trump", "called", "partner", "penalty")
_RESULT = ("tricks", "target", "makes", "margin", "outcome")
# Fields that `solve` adds only where they apply.
_SOME = ("secured", "guarantees", "leads", "line", "named", "swaps", "bounds")
COLUMNS: dict[str, tuple[str, ...]] = {
    "solve": (*_CONTRACT, "leader", "sides", *_RESULT, "went_on", "score", *_SOME),
    "table": (*_CONTRACT, *_RESULT, "bounds", "best"),
}
"""The columns of a kind in csv and parquet; other kinds have the whole answer in `answer`."""
_WHOLE = ("answer",)
_INTEGERS = frozenset(("index", "line", "column"))
_BLOCK = 1 << 14  # rows of a parquet group


def answer_records(
    ledger: Ledger, missing: Callable[[int], None] | None = None
) -> Iterator[AnswerRecord]:
    """Yield the records of all deals that have been asked about, with the fields of the command.

    Deals without an answer yet are left out; `missing` receives their number at the end. Raises
    LedgerError, also for contents that no batch has written.
    """
    left = 0
    text: str | None = None
    answer: Answer | None = None
    for file, place, board, game, error, line, column, key, stored in ledger.rows():
        record = {"file": file, "index": place, "board": board, "game": game}
        record["error"] = None if error is None else parsed_fault(ledger, error)
        if stored is not None:
            if stored is not text:  # the deals of an evening share one answer
                text, answer = stored, Answer(ledger, stored)
            assert answer is not None
            fields = answer.of(place)
            fault = answer.error(place)
            if fault is not None:
                record["error"] = record["error"] or {
                    **fields["error"],
                    "line": line,
                    "column": column,
                }
            yield {**record, **fields, "error": record["error"]}
        elif key is not None:
            left += 1
        elif error is not None:
            yield record
    if missing is not None and left:
        missing(left)


def answer_rows(kind: str, records: Iterable[AnswerRecord]) -> Iterator[list[Any]]:
    """Yield records as rows of `answer_columns(kind)`: one per deal, for `table` one per contract.

    Nested values are JSON.
    """
    names = COLUMNS.get(kind, ())
    for record in records:
        error = record["error"]
        first = [*(record[name] for name in _COMMON), error and error["code"]]
        if names:
            for row in record.get("rows", ()) if kind == "table" else [record]:
                yield first + [_cell(row.get(name)) for name in names]
        else:
            rest = {name: value for name, value in record.items() if name not in _FIRST}
            yield [*first, _text(rest) if rest else None]


_FIRST = frozenset((*_COMMON, "error"))


def answer_columns(kind: str) -> tuple[str, ...]:
    """The names of the columns of csv and parquet."""
    return (*_COMMON, "error", *COLUMNS.get(kind, _WHOLE))


def _cell(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value)
    return _text(value) if isinstance(value, (dict, list)) else value


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_text(
    ledger: Ledger,
    form: str,
    stream: IO[str],
    missing: Callable[[int], None] | None = None,
    *,
    show: Callable[[str], str] = str,
) -> None:
    """Write jsonl or csv, text through `show`; raise ArgumentError for another format."""
    records = answer_records(ledger, missing)
    if form == "jsonl":
        for record in records:
            stream.write(json_text(record) + "\n")
    elif form == "csv":
        kind = ledger.job.kind
        write_csv(stream, answer_columns(kind), answer_rows(kind, records), show=show)
    else:
        raise ArgumentError(f"{form!r} is not a text format: jsonl, csv")


def export_ledger(
    ledger: Ledger,
    path: str | os.PathLike[str],
    form: str,
    missing: Callable[[int], None] | None = None,
) -> None:
    """Write a file of one of `FORMATS`, completely or not at all; raise OSError.

    `parquet` needs pyarrow (`pip install 'spadille[parquet]'`), without which ImportError is
    raised. Deals without an answer yet are left out; `missing` receives their number.
    """
    if form not in FORMATS:
        raise ArgumentError(f"{form!r} is not a format: {', '.join(FORMATS)}")
    if ledger.holds(path):
        raise ArgumentError(f"{os.fspath(path)!r} is the ledger: name another file")
    with drafted(path) as draft:
        if form == "parquet":
            _write_parquet(ledger, draft.stream, missing)
        else:
            text = TextIOWrapper(draft.stream, "utf-8", "backslashreplace", newline="")
            write_text(ledger, form, text, missing)
            text.detach()


def _write_parquet(ledger: Ledger, stream: BinaryIO, missing: Callable[[int], None] | None) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    kind = ledger.job.kind
    names = answer_columns(kind)
    schema = pa.schema([(name, _type(pa, name)) for name in names])
    with parquet.ParquetWriter(stream, schema) as writer:
        block: list[list[Any]] = []

        def flush() -> None:
            cells = zip(*block, strict=True) if block else [[] for _ in names]
            arrays = [
                pa.array(_alike(values, field.type, pa), field.type)
                for values, field in zip(cells, schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            block.clear()

        for row in answer_rows(kind, answer_records(ledger, missing)):
            block.append(row)
            if len(block) == _BLOCK:
                flush()
        flush()


def _type(pa: Any, name: str) -> Any:
    if name in ("makes", "went_on", "best"):
        return pa.bool_()
    if name in ("index", "target", "margin"):
        return pa.int64()
    return pa.string()


def _alike(values: Sequence[Any], kind: Any, pa: Any) -> list[Any]:
    """Make all cells of a column one type: text if several declarers differ."""
    if kind == pa.string():
        return [None if value is None else _encodable(value) for value in values]
    if kind == pa.bool_():
        return [value if isinstance(value, bool) else None for value in values]
    return [value if type(value) is int and abs(value) < 1 << 63 else None for value in values]


def _encodable(value: Any) -> str:
    """Return a cell as text that UTF-8 can hold, which file names need not be."""
    text = value if isinstance(value, str) else _text(value)
    return text.encode(errors="backslashreplace").decode()
