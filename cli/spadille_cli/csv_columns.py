"""The columns and rows of CSV that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from spadille.core.contract import Contract
from spadille.render.tables import Column, Row, attributes, names_of, row_of
from spadille_cli.case_and_answer import Case, DealAnswer, Found

Item = TypeVar("Item")

DEAL_COLUMNS: tuple[Column[Case], ...] = (
    Column("file", lambda case: case.name),
    Column("index", lambda case: case.entry.index),
    Column("board", lambda case: case.entry.board),
    Column("game", lambda case: case.game),
)
"""The first columns in every command's rows."""

CONTRACT_COLUMNS: tuple[Column[Contract], ...] = (
    Column("declarer", lambda contract: " ".join(contract.declarers)),
    Column("contract", Contract.written_ids),
    *attributes("trump", "called", "partner", "penalty"),
)
"""The columns for the contract of a row."""

CONTRACT_FIELDS = ("declarer", "contract", "trump", "called", "partner", "penalty")
"""The fields that identify the contract."""


def rows_by_deal(
    columns: Sequence[Column[Item]], items: Callable[[Found], Iterable[Item]]
) -> tuple[tuple[str, ...], Callable[[DealAnswer[Found]], Iterator[Row]]]:
    """Return the column names and a function that yields a row for each item of an answer."""

    def rows(answer: DealAnswer[Found]) -> Iterator[Row]:
        if answer.result is not None:
            deal = row_of(DEAL_COLUMNS, answer.case)
            yield from (deal + row_of(columns, item) for item in items(answer.result))

    return names_of(DEAL_COLUMNS) + names_of(columns), rows


SEATS = "NESW12345"


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """The columns `score`, `score_N` and so on, for the seats of all games in the input."""

    seats: tuple[str, ...]

    @classmethod
    def of(cls, cases: Iterable[Case]) -> ScoreColumns:
        """Find the seats of these deals, and the pool if their games have one."""
        rules = [case.deal.rules for case in cases if case.deal]
        seats = sorted({seat for one_rules in rules for seat in one_rules.seats}, key=SEATS.index)
        return cls((*seats, *["pool"][: any(one_rules.game.ante for one_rules in rules)]))

    def columns(
        self,
        name: str,
        score: Callable[[Item], Mapping[str, int] | None],
        contract: Callable[[Item], Contract | None],
    ) -> tuple[Column[Item], ...]:
        """Return the columns for a score; column `name` is empty if there are several declarers."""

        def gain(item: Item, seat: str | None = None) -> int | None:
            points, played = score(item), contract(item)
            if seat is None and played is not None and len(played.declarers) == 1:
                seat = played.declarer
            return None if points is None or seat is None else points.get(seat)

        seats = (Column(f"{name}_{seat}", partial(gain, seat=seat)) for seat in self.seats)
        return (Column(name, gain), *seats)
