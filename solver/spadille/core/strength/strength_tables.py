"""Tables of integer vectors, from which the value of a hand in a contract is computed.

Each holding in a suit has a vector. There are also vectors for the declarer's place in the first
trick, the called card, and the holding in the called suit. The vectors for a hand are added up, and
the sums pass through one or two layers. After each layer, negative numbers become zero; if there is
only one layer, so do negative sums. The score for a payoff is a weighted sum of the units in the
last layer. A monotone, piecewise linear function converts the score to the share of deals with at
least that payoff. docs/strength-measured.md describes how the tables were made and how accurate
they are. `csrc/strength.hpp` does the computation.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NotRequired, TypedDict

from spadille.base.card_text import SUITS
from spadille.base.errors import InternalError
from spadille.core.strength.holdings import HandLanes, Holdings
from spadille.games import GAMES
from spadille.games.model.game import Rules

SHARE_UNIT = 10_000
"""Stored shares are multiples of 1 / SHARE_UNIT."""

LAYER_SHIFT = 6
"""The weights of the last layer are multiples of 1 / 2**LAYER_SHIFT."""

WIDE_SHIFT = 10
"""The weights of a wide layer are multiples of 1 / 2**WIDE_SHIFT."""


class LayerData(TypedDict):
    """A stored layer."""

    weights: list[list[int]]
    """Each unit of the layer has a row."""
    bias: list[int]


class ScoreData(TypedDict):
    """The stored weights and steps of the score for a payoff."""

    payoff: int
    weights: list[int]
    bias: int
    start: int
    """The score of the first share in the list."""
    step: int
    """The difference in score between two adjacent shares."""
    shares: list[int]


class PartData(TypedDict):
    """The stored data for a contract in trumps that are interchangeable."""

    units: dict[str, int]
    """The trumps, each with the factor by which its payoffs are multiplied."""
    low: dict[str, int]
    """The number of low cards in each suit, by its ranks or "trump"."""
    vectors: dict[str, list[int]]
    wide: NotRequired[LayerData]
    """The layer between the sums and `layer`, if there is one."""
    layer: LayerData
    scores: list[ScoreData]
    """The scores for all payoffs except the lowest, in ascending order."""
    least: int
    """The lowest payoff."""
    made: int
    """The index of the score for the lowest payoff of a contract that makes."""
    made_error: float
    payoff_error: float
    sample: int


class GameData(TypedDict):
    """The stored data for a game."""

    game: str
    version: str
    seed: int
    options: list[str]
    """House-rule options that do not affect the tables."""
    same: dict[str, str]
    """For each contract without tables of its own, the contract whose tables it uses."""
    times: NotRequired[dict[str, int]]
    """The factor by which such a contract multiplies the table's payoffs, if it is not 1."""
    contracts: dict[str, list[PartData]]


@dataclass(frozen=True, slots=True)
class TableShape:
    """The holdings in each suit that a table distinguishes."""

    trump: Holdings | None
    plain: Mapping[str, Holdings]  # by the ranks in the suit
    lanes: tuple[str, ...]  # the ranks in the plain suits, lane by lane
    positions: int
    called: bool

    @classmethod
    def of(
        cls, rules: Rules, trump: str, low: Mapping[str, int], positions: int, called: bool
    ) -> TableShape:
        """Return the sizes of a table for this trump."""
        lanes = HandLanes(rules, trump)
        trumps = None
        if lanes.trump is not None:
            trumps = Holdings(len(lanes.trump.cards), low.get("trump", 0))
        plain = {
            suit.ranks: Holdings(len(suit.cards), low.get(suit.ranks, 0)) for suit in lanes.plain
        }
        return cls(trumps, plain, tuple(suit.ranks for suit in lanes.plain), positions, called)

    def vectors(self) -> dict[str, int]:
        """Return the number of vectors in each part of the table, by name."""
        sizes = {"position": self.positions}
        if self.trump is not None:
            sizes["trump"] = self.trump.size
        for ranks, holdings in self.plain.items():
            sizes[f"plain {ranks}"] = holdings.size
            if self.called:
                sizes[f"called {ranks}"] = holdings.length
                sizes[f"called suit {ranks}"] = holdings.size
        return sizes


class HandTable:
    """The table for the hands of one contract and trump."""

    def __init__(
        self, rules: Rules, contract_id: str, trump: str, part: PartData, times: int = 1
    ) -> None:
        kind = rules.contract(contract_id)
        positions = 1 if kind.leader == "declarer" else len(rules.seats)
        self.shape = TableShape.of(rules, trump, part["low"], positions, kind.side == "called")
        self.lanes = HandLanes(rules, trump)
        self.vectors = part["vectors"]
        self.layers = [(part["layer"], LAYER_SHIFT)]
        if "wide" in part:
            self.layers.insert(0, (part["wide"], WIDE_SHIFT))
        self.scores = part["scores"]
        self.units = len(self.layers[0][0]["weights"][0])
        sizes = {name: self.units * size for name, size in self.shape.vectors().items()}
        if {name: len(vectors) for name, vectors in self.vectors.items()} != sizes:
            raise InternalError("a strength table has the wrong size for its contract")
        self.least = part["least"]
        self.made = part["made"]
        self.unit = times * part["units"][trump]
        self.made_error = part["made_error"]
        self.payoff_error = self.unit * part["payoff_error"]

    @property
    def positions(self) -> int:
        """The number of places in the first trick that the table distinguishes."""
        return self.shape.positions


class GameTables:
    """The tables for a game."""

    def __init__(self, rules: Rules, data: GameData) -> None:
        self.rules = rules
        self.version = data["version"]
        self._data = data
        self._tables: dict[tuple[str, str], HandTable | None] = {}

    @property
    def contracts(self) -> Sequence[str]:
        """The ids of the contracts that have tables."""
        return (*self._data["contracts"], *self._data["same"])

    def trumps(self, contract_id: str) -> Sequence[str]:
        """Return the trumps for which a contract has a table."""
        kind = self.rules.contracts.get(contract_id)
        trained = {trump for part in self._parts(contract_id) for trump in part["units"]}
        if kind is not None and kind.trump in SUITS:
            trained &= {kind.trump}
        return tuple(trump for trump in self.rules.trumps if trump in trained)

    def table(self, contract_id: str, trump: str) -> HandTable | None:
        """Return the table for a contract and a trump; None if there is none."""
        key = contract_id, trump
        if key not in self._tables:
            parts = self._parts(contract_id) if trump in self.trumps(contract_id) else ()
            part = next((part for part in parts if trump in part["units"]), None)
            times = self._data.get("times", {}).get(contract_id, 1)
            self._tables[key] = (
                None if part is None else HandTable(self.rules, contract_id, trump, part, times)
            )
        return self._tables[key]

    def _parts(self, contract_id: str) -> Sequence[PartData]:
        return self._data["contracts"].get(self._data["same"].get(contract_id, contract_id), ())


@cache
def _data(game_id: str) -> GameData | None:
    file = files("spadille.core.strength") / "data" / f"{game_id}.json.gz"
    if not file.is_file():
        return None
    data: GameData = json.loads(gzip.decompress(file.read_bytes()))
    return data


@cache
def tables_for(rules: Rules) -> GameTables | None:
    """Return the tables for a game; None if there are none for its options."""
    game = rules.game
    data = _data(game.id)
    if data is None or game.id not in GAMES or not game.is_same(GAMES[game.id]):
        return None
    for name, option in game.options.items():
        if rules.options[name] != option.default and name not in data["options"]:
            return None
    return GameTables(rules, data)
