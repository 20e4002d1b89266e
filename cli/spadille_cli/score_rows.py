"""Scores in lines for programs: a number for the declarer, and one for each who gains or pays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from spadille_cli.deal_records import Case

SEATS = "NESW12345"


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """The columns `score`, `score_N` and so on, for the seats of all games in the input."""

    seats: tuple[str, ...]

    @classmethod
    def of(cls, cases: Iterable[Case]) -> ScoreColumns:
        """Find the seats, and the pool where a game has one."""
        rules = [case.deal.rules for case in cases if case.deal]
        seats = sorted({seat for each in rules for seat in each.seats}, key=SEATS.index)
        return cls((*seats, *["pool"][: any(each.game.ante for each in rules)]))

    def fields(self, name: str = "score") -> tuple[str, ...]:
        """Return the names of the columns."""
        return (name, *(f"{name}_{seat}" for seat in self.seats))

    def cells(self, score: Mapping[str, int] | None, declarer: Any) -> list[int | None]:
        """Return a score's cells; several contractors have no number that stands for them all."""
        score = score or {}
        own = score.get(declarer) if isinstance(declarer, str) else None
        return [own, *(score.get(seat) for seat in self.seats)]
