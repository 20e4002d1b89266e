"""The deals that `--board` chooses, by their Board tags or by their numbers in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spadille.render.text import printable
from spadille_cli.exit_status import Tally
from spadille_cli.terminal_messages import complain

# A long number before a short one is a name, such as "20260105-3" with a date, not a range.
_RANGE = re.compile(r"(#?)(?![0-9]{7,}-[0-9]{1,6}$)([0-9]{1,99})\s*-\s*\1?([0-9]{1,99})")
_NUMBER = re.compile(r"[0-9]{1,99}")


class BoardRange(NamedTuple):
    """A range of deals; `sign` is "#" for numbers in the file, "" for numbers in Board tags."""

    sign: str
    first: int
    last: int

    def __str__(self) -> str:
        ends = dict.fromkeys((self.first, self.last))
        return "-".join(f"{self.sign}{end}" for end in ends)

    def without(self, numbers: set[int]) -> Iterator[BoardRange]:
        """Yield the ranges that remain without these numbers, which are all in the range."""
        start = self.first
        for number in [*sorted(numbers), self.last + 1]:
            if start < number:
                yield BoardRange(self.sign, start, number - 1)
            start = number + 1


def names_and_ranges(value: str) -> list[str | BoardRange]:
    """Return the names and ranges in a list such as "1-3,7"."""
    parts: list[str | BoardRange] = []
    for part in filter(None, map(str.strip, value.split(","))):
        match = _RANGE.fullmatch(part)
        parts.append(BoardRange(match[1], int(match[2]), int(match[3])) if match else part)
    return parts


class ChosenBoards:
    """The deals that `--board` chooses (all deals without it), and which of them were found.

    A whole value may also be the name of a deal: "1-2" is both a range and a name.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self._values = values
        parts = [part for value in values for part in names_and_ranges(value)]
        self._names = {*values, *(part for part in parts if isinstance(part, str))}
        self._found: set[str] = set()
        # Each range with the numbers of the deals found in it.
        self._ranges = {part: set[int]() for part in parts if isinstance(part, BoardRange)}

    def take(self, board: str | None, number: int) -> bool:
        """Return whether a deal is chosen; `number` is its number in the file, from 1."""
        names = self._names & {f"#{number}", board}
        self._found |= names
        taken = not self._values or bool(names)
        in_tag = int(board) if board and _NUMBER.fullmatch(board) else -1
        for chosen, taken_numbers in self._ranges.items():
            at = number if chosen.sign else in_tag
            if chosen.first <= at <= chosen.last:
                taken_numbers.add(at)
                taken = True
        return taken

    def report_missing(self, tally: Tally) -> None:
        """Report the names and numbers that no deal has."""
        parts = (
            part
            for value in self._values
            if value not in self._found
            for part in names_and_ranges(value)
        )
        for part in dict.fromkeys(parts):
            if isinstance(part, BoardRange):
                missing = [*map(str, part.without(self._ranges[part]))]
            else:
                missing = [part] if part not in self._found else []
            for text in missing:
                tally.unusable += 1
                complain(f"--board {printable(text)}: no deal with that name or number")
