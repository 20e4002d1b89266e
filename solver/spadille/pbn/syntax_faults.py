"""Syntax faults: each mistake becomes one fault, at its place.

A file that is not text has a single fault, without a place.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from spadille.base.errors import Fault
from spadille.pbn.document import STRING

_MALFORMED = 'a tag pair is [Name "value"] with the value on one line (PBN 3.3)'
RULES = {
    "tag-malformed": _MALFORMED,
    "quote-missing": _MALFORMED,
    "quote-typographic": 'quotes must be straight ("), not typographic (PBN 3.2)',
    "bracket-stray": "a closing bracket ends a tag pair (PBN 3.3)",
    "comment-unclosed": "a comment that starts with { ends with } (PBN 3.8)",
    "brace-stray": "a closing brace ends a comment (PBN 3.8)",
    "string-unclosed": "a string ends with a quote on the same line (PBN 3.2)",
    "tag-repeated": "a tag may occur only once in a deal; otherwise the first counts (PBN 3.4)",
    "line-missing": "an empty line separates deals (PBN 3)",
    "text-stray": "text belongs in a section after its tag, or in a comment (PBN 3.1, 3.8)",
    "nothing-to-inherit": 'the value "#" stands for the value in the previous game',
}
_SAID = {
    "quote-missing": "a quote is missing in",
    "quote-typographic": "typographic quotes in",
    "line-missing": "another deal begins without an empty line before",
}
_TOKENS = {
    "]": "bracket-stray",
    "{": "comment-unclosed",
    "}": "brace-stray",
    '"': "string-unclosed",
}
_PAIR = re.compile(r"\[\s*([A-Za-z0-9_]+)\s*([^\s\]].*?)\s*(?:\]|$)", re.ASCII)
# Typographic quotation marks in Unicode and in the Windows code page.
_TYPOGRAPHIC = re.compile("[\u2018-\u201f\xab\xbb\x84\x91-\x94]")
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1f]")  # not tabs, nor the ends of lines and pages
_TAG = re.compile(rf"\[\s*[A-Za-z0-9_]+\s*{STRING}\s*\]", re.ASCII)
# Compressed files, by their first characters. Spreadsheets (.xlsx, .ods) are ZIP archives.
_COMPRESSED = {
    "\x1f\x8b": "compressed with gzip: unpack it first",
    "PK\x03\x04": "a ZIP archive: unpack it first, or save a spreadsheet as CSV",
}
_ENCODINGS = "hand files: a file is text in UTF-8, Latin-1, or UTF-16 with a byte order mark"
# English text in UTF-16, of either byte order, that was decoded as UTF-8 or Latin-1.
_UTF_16 = re.compile(r"(?![\r\n])\0?(?:[^\0\ufeff]\0){8}")
_OTHER_SPACE = re.compile(r"[^\S\x00-\x7f]")  # such as a no-break space


def file_fault(text: str) -> Fault | None:
    """Return the fault of a file that is not text, such as a compressed file, or None.

    Such a file has at least two control characters before its first tag; a single one may be a
    typing mistake.
    """
    tag = _TAG.search(text)
    controls = [*islice(_CONTROL.finditer(text, 0, tag.start() if tag else len(text)), 2)]
    if len(controls) < 2:
        return None
    for start, kind in _COMPRESSED.items():
        if text.startswith(start):
            return Fault("file-compressed", f"the file is {kind}", rule=_ENCODINGS)
    if _UTF_16.match(text):
        what = "the file is UTF-16 without a byte order mark: save it as UTF-8"
        return Fault("byte-order-mark-missing", what, rule=_ENCODINGS)
    sign = f"U+{ord(controls[0].group()):04X}"
    what = f"the file is not text: it has control characters such as {sign} before any tag"
    return Fault("file-not-text", what, rule=_ENCODINGS)


class Slip(NamedTuple):
    """A misplaced token: fault code, offset, and the tag it belongs to."""

    code: str
    at: int
    tag: str | None = None


def diagnose(rest: str) -> Slip:
    """Return the fault for an unreadable character and the rest of its line."""
    if rest[0] != "[":
        return Slip(_TOKENS[rest[0]], 0)
    pair = _PAIR.match(rest)
    if pair is None:
        return Slip("tag-malformed", 0)
    name, value = pair.groups()
    if _TYPOGRAPHIC.match(value):
        return Slip("quote-typographic", pair.start(2), name)
    if not value.startswith('"'):
        return Slip("quote-missing", pair.start(2), name)
    if '"' not in value[1:]:
        return Slip("quote-missing", pair.end(2), name)
    return Slip("tag-malformed", 0, name)


def message(code: str, text: str) -> str:
    """Return the message and rule of a fault."""
    said = f"{_SAID[code]} {text}" if code in _SAID else text
    return f"{said}: {RULES[code]}"


def with_visible_spaces(text: str) -> str:
    """Return a text in which spaces that are not ASCII are escaped."""
    return _OTHER_SPACE.sub(lambda match: ascii(match.group())[1:-1], text)
