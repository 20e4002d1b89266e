"""Records as text for programs: JSON lines, and CSV that no spreadsheet executes.

Every command imports this module, and few write both formats, so each format imports its needs on
use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any

# Those that move the cursor, and those that change the direction of writing.
CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

# Text that a spreadsheet reads as a formula; numbers and single signs are not formulas.
_FORMULA = re.compile(r"(?![+-]?[\d.]*\Z)[=+\-@\t\r]")


SCHEMA_VERSION = 1
"""The version of all JSON objects: it rises when a field is removed or changes its meaning."""


def json_text(record: Any) -> str:
    """Return a record as a line of JSON that begins with `schema`.

    A record is a mapping, or has `to_dict`. The line has no control characters.
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
    """Return rows below their heads as CSV; cells go through `show`, and text stays text."""
    from csv import writer

    lines = writer(stream, delimiter=delimiter, lineterminator="\n")
    lines.writerow(head)
    for row in rows:
        lines.writerow([_harmless(show(cell)) if isinstance(cell, str) else cell for cell in row])


def _harmless(text: str) -> str:
    """Return text as a cell that stays text in a spreadsheet."""
    return f"'{text}" if _FORMULA.match(text) else text
