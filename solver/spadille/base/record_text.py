"""Records as text for programs: lines of JSON, and CSV that no spreadsheet runs.

Every command imports this, and few write both formats: what a format takes is imported on use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any

# Those that move the cursor, and those that change the direction of writing.
CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

# What a spreadsheet takes for a formula; numbers, and a sign that stands alone, are none.
_FORMULA = re.compile(r"(?![+-]?[\d.]*\Z)[=+\-@\t\r]")


SCHEMA_VERSION = 1
"""Of JSON objects, see docs/json.md: it rises when a field is removed, or changes its meaning."""


def json_text(record: Any) -> str:
    """Return a record, fields or what has `to_dict`, as a line of JSON that begins with `schema`.

    It has no control characters.
    """
    from json import dumps

    fields = record if isinstance(record, Mapping) else record.to_dict()
    text = dumps({"schema": SCHEMA_VERSION, **fields}, ensure_ascii=False)
    return CONTROL.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def write_csv(
    stream: IO[str],
    head: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    delimiter: str = ",",
    show: Callable[[str], str] = str,
) -> None:
    """Write rows below their head; text goes through `show`, and stays text in a spreadsheet."""
    from csv import writer

    lines = writer(stream, delimiter=delimiter, lineterminator="\n")
    lines.writerow(head)
    for row in rows:
        lines.writerow([_harmless(show(cell)) if isinstance(cell, str) else cell for cell in row])


def _harmless(text: str) -> str:
    """Return a text as a cell that stays a text in a spreadsheet."""
    return f"'{text}" if _FORMULA.match(text) else text
