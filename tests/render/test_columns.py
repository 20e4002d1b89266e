"""Columns of results, and results as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from spadille.base.json_fields import JsonFields, encoded
from spadille.render.tables import (
    Column,
    attributes,
    names_of,
    row_of,
    table_of,
    through,
    without_empty,
)


@dataclass(frozen=True, slots=True)
class Tally(JsonFields):
    cards: int
    best: int = 0

    json_names = ("cards", "share")

    @property
    def share(self) -> float:
        return self.best / self.cards


@dataclass(frozen=True, slots=True)
class Player(JsonFields):
    name: str
    seats: tuple[str, ...] = ()
    tally: Tally | None = None


ANNA = Player("Anna", ("N", "E"), Tally(4, 1))
PLAYERS = [ANNA, Player("Bea")]


def tally(player: Player) -> Tally | None:
    return player.tally


COLUMNS: tuple[Column[Player], ...] = (
    Column("player", lambda player: player.name),
    *through(tally, attributes("cards", "share")),
    Column("seats", lambda player: " ".join(player.seats)),
)


def test_a_column_of_a_part_is_empty_where_the_part_is_missing() -> None:
    assert names_of(COLUMNS) == ("player", "cards", "share", "seats")
    assert [row_of(COLUMNS, player) for player in PLAYERS] == [
        ["Anna", 4, 0.25, "N E"],
        ["Bea", None, None, ""],
    ]


def test_an_attribute_of_an_attribute_has_its_last_name() -> None:
    (column,) = attributes("tally.cards")
    assert (column.name, column.value(ANNA)) == ("cards", 4)


def test_a_table_leaves_out_columns_without_any_cell() -> None:
    table = table_of(COLUMNS, PLAYERS[1:], "players", wraps=True)
    assert table.rows == [["Bea", None, None, ""]]
    short = without_empty(table)
    assert (list(short.headers), short.rows) == (["player"], [["Bea"]])
    assert (short.title, short.wraps) == ("players", True)


def test_json_has_the_fields_in_their_order_or_those_that_are_named() -> None:
    assert list(ANNA.to_dict().items()) == [
        ("name", "Anna"),
        ("seats", ["N", "E"]),
        ("tally", {"cards": 4, "share": 0.25}),
    ]
    assert encoded({"N": (PLAYERS[1], None)}) == {
        "N": [{"name": "Bea", "seats": [], "tally": None}, None]
    }
