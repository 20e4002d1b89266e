"""Scores in lines for programs: a number for the declarer, and one for each who gains or pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from spadille.core.contract import Contract
from spadille.render.tables import Column
from spadille_cli.deal_records import Case

Item = TypeVar("Item")

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

    def columns(
        self,
        name: str,
        score: Callable[[Item], Mapping[str, int] | None],
        contract: Callable[[Item], Contract | None],
    ) -> tuple[Column[Item], ...]:
        """Return the columns of a score; several contractors have no number for them all."""

        def gain(item: Item, seat: str | None = None) -> int | None:
            found, played = score(item), contract(item)
            if seat is None and played is not None and len(played.declarers) == 1:
                seat = played.declarer
            return None if found is None or seat is None else found.get(seat)

        seats = (Column(f"{name}_{seat}", partial(gain, seat=seat)) for seat in self.seats)
        return (Column(name, gain), *seats)
