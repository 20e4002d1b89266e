"""Write records as JSON Lines, or as CSV that no spreadsheet executes.

Every command imports this module but few use both formats, so the imports are inside the functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any

# Characters that move the cursor or change the writing direction, and invisible ones of no width.
CONTROL = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]"
)

# Text that a spreadsheet would read as a formula; numbers and lone signs are harmless.
_FORMULA = re.compile(r"(?![+-]?[\d.]*\Z)[=+\-@\t\r]")


SCHEMA_VERSION = 1
"""The version of the JSON format; it increases when a field is removed or changes its meaning."""


def json_text(record: Any) -> str:
    """Format a record as a line of JSON that begins with `schema`.

    A record is either a mapping or an object with a `to_dict` method. The line contains no control
    characters.
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
    """Write a header and rows as CSV; `show` keeps spreadsheets from running text as formulas."""
    from csv import writer

    lines = writer(stream, delimiter=delimiter, lineterminator="\n")
    lines.writerow(head)
    for row in rows:
        lines.writerow([_harmless(show(cell)) if isinstance(cell, str) else cell for cell in row])


def _harmless(text: str) -> str:
    """Escape text so that a spreadsheet does not read it as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text
