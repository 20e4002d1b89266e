"""Tables of facts from the source documents, which tests compare with the games.

A new game or contract is missing from these tables. Each table then fails once, with a sentence
that says what to add and where.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

Row = TypeVar("Row")


class FactTable(dict[str, Row]):
    """The facts about each game, by the id of the game.

    `place` is the name of the table and the file it is in; `meaning` says what a row contains.
    """

    def __init__(self, place: str, meaning: str, rows: Mapping[str, Row]) -> None:
        super().__init__(rows)
        self.place = place
        self.meaning = meaning

    def __missing__(self, game: str) -> Row:
        raise AssertionError(self._to_add(game))

    def check(self, game: str, found: object) -> None:
        """Compare a row with the game, and say what to write if the table lacks something."""
        __tracebackhide__ = True
        if game not in self:
            raise AssertionError(f"{self._to_add(game)}. The code has {found!r}")
        row = self[game]
        faults = list(self._differences(game, row, found)) if isinstance(row, dict) else []
        assert not faults, "\n".join(faults)
        assert found == row, (
            f"correct the row {game!r} of {self.place} or the code, as the document of the rules "
            f"says: {self.meaning}. The code has {found!r}"
        )

    def _to_add(self, game: str) -> str:
        return f"add {game!r} to {self.place}, from the document of its rules: {self.meaning}"

    def _differences(self, game: str, row: Mapping[str, object], found: object) -> Iterator[str]:
        assert isinstance(found, dict)
        for name in found.keys() - row.keys():
            yield (
                f"add {name!r} to the row {game!r} of {self.place}, from the document of its "
                f"rules (for a contract of your own, from its paragraph in docs/rules.md): "
                f"{self.meaning}. The code has {found[name]!r}"
            )
        for name in row.keys() - found.keys():
            yield f"the row {game!r} of {self.place} has {name!r}, which the game lacks"
