"""Records as text for programs: lines of JSON, and CSV that no spreadsheet runs.

Every command imports this, and few write both formats: what a format takes is imported on use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any

# Those that move the cursor, and those that change the direction of writing.
CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

# What a spreadsheet takes for a formula; numbers, and a sign that stands alone, are none.
_FORMULA = re.compile(r"(?![+-]?[\d.]*\Z)[=+\-@\t\r]")


def json_text(record: object) -> str:
    """Return a record as JSON in one line, without control characters."""
    from json import dumps

    text = dumps(record, ensure_ascii=False, default=lambda value: value.to_dict())
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
