"""Export a ledger as text or tables, sorted by file and place; equal ledgers give equal bytes.

Files are written atomically and piece by piece, so they need not fit in memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import TextIOWrapper
from typing import IO, Any, BinaryIO, TypeAlias

from spadille.base.errors import ArgumentError
from spadille.base.json_lines_and_csv import json_text, write_csv
from spadille.batch.ledger import Ledger
from spadille.batch.stored_answers import Answer, parsed_fault
from spadille.pbn.atomic_files import drafted

AnswerRecord: TypeAlias = dict[str, Any]

FORMATS = ("jsonl", "csv", "parquet")
_COMMON = ("file", "index", "board", "game")
_CONTRACT = ("declarer", "contract", "trump", "called", "partner", "penalty")
_RESULT = ("tricks", "target", "makes", "margin", "outcome")
# Fields that the JSON output of `solve` includes only in certain cases.
_SOME = ("secured", "guarantees", "leads", "line", "named", "swaps", "bounds")
COLUMNS: dict[str, tuple[str, ...]] = {
    "solve": (*_CONTRACT, "leader", "sides", *_RESULT, "went_on", "score", *_SOME),
    "table": (*_CONTRACT, *_RESULT, "bounds", "best"),
}
"""The columns in CSV and Parquet by kind; other kinds put the whole answer into `answer`."""
_WHOLE = ("answer",)
_BLOCK = 1 << 14  # rows per Parquet row group


def answer_records(
    ledger: Ledger, missing: Callable[[int], None] | None = None
) -> Iterator[AnswerRecord]:
    """Yield a record for each deal in the ledger, with the fields of the command's JSON.

    Deals without an answer are left out. If there are any, `missing` is called at the end with
    their number. Raises LedgerError if the ledger is damaged.
    """
    left = 0
    text: str | None = None
    answer: Answer | None = None
    for file, place, board, game, error, line, column, key, stored in ledger.rows():
        record = {"file": file, "index": place, "board": board, "game": game}
        record["error"] = None if error is None else parsed_fault(ledger, error)
        if stored is not None:
            if stored is not text:  # all deals of an evening share one answer
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
    """Yield rows with `answer_columns(kind)`: one per deal, or one per contract for `table`.

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
    """Return the column names of the CSV and Parquet output."""
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
    """Write JSON Lines or CSV; raise ArgumentError for any other format."""
    records = answer_records(ledger, missing)
    if form == "jsonl":
        for record in records:
            stream.write(json_text(record) + "\n")
    elif form == "csv":
        kind = ledger.job.kind
        write_csv(stream, answer_columns(kind), answer_rows(kind, records), show=show)
    else:
        raise ArgumentError(f"{form!r} is not a text format (jsonl, csv)")


def export_ledger(
    ledger: Ledger,
    path: str | os.PathLike[str],
    form: str,
    missing: Callable[[int], None] | None = None,
) -> None:
    """Write a file in one of `FORMATS` atomically.

    Deals without an answer are left out. If there are any, `missing` is called with their number.
    Raises OSError, and ImportError for `parquet` without pyarrow (`pip install
    'spadille[parquet]'`).
    """
    if form not in FORMATS:
        raise ArgumentError(f"{form!r} is not a format ({', '.join(FORMATS)})")
    if ledger.holds(path):
        raise ArgumentError(f"{os.fspath(path)!r} is the ledger: choose another file")
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
    """Convert the cells of a column to its type; a value that does not fit becomes null."""
    if kind == pa.string():
        return [None if value is None else _encodable(value) for value in values]
    if kind == pa.bool_():
        return [value if isinstance(value, bool) else None for value in values]
    return [value if type(value) is int and abs(value) < 1 << 63 else None for value in values]


def _encodable(value: Any) -> str:
    """Return a value as text; escape parts of file names that UTF-8 cannot encode."""
    text = value if isinstance(value, str) else _text(value)
    return text.encode(errors="backslashreplace").decode()
