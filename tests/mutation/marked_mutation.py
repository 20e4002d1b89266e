"""A mutation and its place: a comment that ends with `rule: ` and the name of the mutation.

The marks of the engine are in csrc/, those of players' knowledge in
solver/spadille/core/knowledge/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "csrc"
KNOWLEDGE = ROOT / "solver" / "spadille" / "core" / "knowledge"
MARK = re.compile(r"(?://|#)(?:.* )?rule: ([a-z0-9-]+(?:, [a-z0-9-]+)*)$", re.MULTILINE)
ONE_EACH = 'each mark needs one mutation (see "Marked rules" in docs/adding.md)'
REACH = 3  # the code begins within this many lines, counted from its mark


class Mutation(NamedTuple):
    """One rule, and the replacement that disables it."""

    name: str
    code: str  # its first occurrence after the mark counts; white space may differ
    replacement: str
    rule: str

    def broken(self, text: str) -> str:
        """Return the file without the rule.

        Raise ValueError unless the name has exactly one mark and the code begins there.
        """
        marks = [mark for mark in MARK.finditer(text) if self.name in mark[1].split(", ")]
        if len(marks) != 1:
            raise ValueError(f"{self.name}: its mark stands {len(marks)} times")
        begin = text.rindex("\n", 0, marks[0].start()) + 1
        letters = r"\s*".join(re.escape(letter) for letter in "".join(self.code.split()))
        found = re.compile(letters).search(text, begin)
        if found is None or text.count("\n", begin, found.start()) >= REACH:
            raise ValueError(f"{self.name}: no {self.code!r} at its mark")
        return text[: found.start()] + self.replacement + text[found.end() :]


def marked(folder: Path = SOURCES) -> Iterator[tuple[str, str]]:
    """Yield all marked names, with their files."""
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        for mark in MARK.finditer(path.read_text()):
            for name in mark[1].split(", "):
                yield name, path.name
