"""Tables of scores: how much a hand is worth in one contract and trump, in whole numbers.

The score of a hand is the sum of the scores of its holdings: of trumps, of each plain suit together
with the number of trumps, of the called suit with the called card, and of the position in order of
play with the number of trumps. A piecewise linear function of it, which never falls, is the share
of deals in which the contract makes, or the mean payoff. docs/strength.md says how the tables are
made and how exact they are.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypedDict

from spadille.base.card_text import SUITS
from spadille.base.errors import InternalError
from spadille.core.strength.holdings import TRUMP_LANE, HandLanes, Holdings
from spadille.games.model.game import Rules

_LANE = 0xFFFF


class TableData(TypedDict):
    """A table of scores as stored."""

    trump: list[int]
    plain: dict[str, list[int]]
    position: list[int]
    called: dict[str, list[int]]
    start: int
    step: int
    values: list[int]


class PartData(TypedDict):
    """A contract in trumps that are alike, as stored."""

    units: dict[str, int]
    """The trumps, each with the stake by which its payoffs are multiplied."""
    low: dict[str, int]
    """Of suits, by their ranks and "trump", the number of low cards."""
    made: TableData
    payoff: TableData | None
    payoffs: list[int]
    """What a failed contract pays, and a made one, if there are no other payoffs."""
    made_error: int
    payoff_error: int
    sample: int


class GameData(TypedDict):
    """The data of a game as stored."""

    game: str
    version: str
    seed: int
    options: list[str]
    """Options that the tables hold for, whatever their values."""
    same: dict[str, str]
    """Contracts, each with one that makes and pays the same in the same trump."""
    contracts: dict[str, list[PartData]]


SHARE_UNIT = 10_000
PAYOFF_UNIT = 1_000


@dataclass(frozen=True, slots=True)
class TableShape:
    """The entries that a table has for each suit."""

    trump: Holdings | None
    plain: Mapping[str, Holdings]  # by the ranks of the suit
    lanes: tuple[str, ...]  # the ranks of the plain suits, lane by lane
    numbers: int  # of different numbers of trumps
    positions: int
    called: bool

    @classmethod
    def of(
        cls, rules: Rules, trump: str, low: Mapping[str, int], positions: int, called: bool
    ) -> TableShape:
        """Return the shape of a table in this trump."""
        lanes = HandLanes(rules, trump)
        trumps = None
        numbers = 1
        if lanes.trump is not None:
            length = len(lanes.trump.cards)
            trumps = Holdings(length, low.get("trump", 0))
            numbers = min(length, rules.game.hand_size) + 1
        plain = {
            suit.ranks: Holdings(len(suit.cards), low.get(suit.ranks, 0)) for suit in lanes.plain
        }
        ranks = tuple(suit.ranks for suit in lanes.plain)
        return cls(trumps, plain, ranks, numbers, positions, called)


class ScoreTable:
    """The scores of hands, and what they predict."""

    __slots__ = ("called", "plain", "position", "shape", "start", "step", "trump", "values")

    def __init__(self, shape: TableShape, data: TableData) -> None:
        self.shape = shape
        self.trump = tuple(data["trump"])
        self.plain = {ranks: tuple(scores) for ranks, scores in data["plain"].items()}
        self.position = tuple(data["position"])
        self.called = {ranks: tuple(scores) for ranks, scores in data["called"].items()}
        self.start, self.step = data["start"], data["step"]
        self.values = tuple(data["values"])
        sizes = (
            (self.trump, 0 if shape.trump is None else shape.trump.size),
            (self.position, shape.positions * shape.numbers),
            *(
                (self.plain.get(ranks, ()), shape.numbers * holdings.size)
                for ranks, holdings in shape.plain.items()
            ),
            *(
                (self.called.get(ranks, ()), shape.called * holdings.length * holdings.size)
                for ranks, holdings in shape.plain.items()
            ),
        )
        if any(len(table) != size for table, size in sizes) or len(self.values) < 2:
            raise InternalError("a table of strength does not have the size of its contract")

    def score(self, hand: int, position: int, called: int = -1) -> int:
        """Return the score of a hand in lanes, see `holdings`; `called` is the number of a card."""
        shape = self.shape
        number = total = 0
        if shape.trump is not None:
            mask = hand >> 16 * TRUMP_LANE
            number = mask.bit_count()
            total = self.trump[shape.trump.index(mask)]
        total += self.position[position * shape.numbers + number]
        for lane, ranks in enumerate(shape.lanes):
            holdings = shape.plain[ranks]
            index = holdings.index(hand >> 16 * lane & _LANE)
            total += self.plain[ranks][number * holdings.size + index]
        if called >= 0:
            lane, rank = divmod(called, 16)
            ranks = shape.lanes[lane]
            holdings = shape.plain[ranks]
            index = holdings.index(hand >> 16 * lane & _LANE)
            total += self.called[ranks][rank * holdings.size + index]
        return total

    def value(self, score: int) -> float:
        """Return what a score predicts, in the unit of the values."""
        knot, beyond = divmod(score - self.start, self.step)
        if knot < 0:
            return self.values[0]
        if knot >= len(self.values) - 1:
            return self.values[-1]
        low, high = self.values[knot], self.values[knot + 1]
        return low + (high - low) * beyond / self.step


class ContractTables:
    """How often a contract makes and what it pays, in one trump."""

    __slots__ = ("lanes", "made", "made_error", "payoff", "payoff_error", "payoffs", "unit")

    def __init__(self, rules: Rules, contract_id: str, trump: str, part: PartData) -> None:
        kind = rules.contract(contract_id)
        positions = 1 if kind.leader == "declarer" else len(rules.seats)
        shape = TableShape.of(rules, trump, part["low"], positions, kind.side == "called")
        self.lanes = HandLanes(rules, trump)
        self.made = ScoreTable(shape, part["made"])
        self.payoff = None if part["payoff"] is None else ScoreTable(shape, part["payoff"])
        self.payoffs = part["payoffs"]
        self.unit = part["units"][trump]
        self.made_error = part["made_error"] / SHARE_UNIT
        self.payoff_error = self.unit * part["payoff_error"] / PAYOFF_UNIT

    @property
    def positions(self) -> int:
        """The number of positions in order of play that are told apart."""
        return self.made.shape.positions

    def made_share(self, hand: int, position: int, called: int = -1) -> float:
        """Return the share of deals in which the contract makes."""
        return self.made.value(self.made.score(hand, position, called)) / SHARE_UNIT

    def mean_payoff(self, hand: int, position: int, called: int = -1) -> float:
        """Return the mean payoff of the declarer, in points or chips."""
        if self.payoff is None:
            failed, made = self.payoffs
            share = self.made_share(hand, position, called)
            return self.unit * (failed + (made - failed) * share)
        score = self.payoff.score(hand, position, called)
        return self.unit * self.payoff.value(score) / PAYOFF_UNIT


class GameTables:
    """The tables of a game."""

    def __init__(self, rules: Rules, data: GameData) -> None:
        self.rules = rules
        self.version = data["version"]
        self._data = data
        self._tables: dict[tuple[str, str], ContractTables | None] = {}

    @property
    def contracts(self) -> Sequence[str]:
        """The ids of the contracts there are tables of."""
        return (*self._data["contracts"], *self._data["same"])

    def trumps(self, contract_id: str) -> Sequence[str]:
        """Return the trumps there are tables of; () for an unknown contract."""
        kind = self.rules.contracts.get(contract_id)
        found = {trump for part in self._parts(contract_id) for trump in part["units"]}
        if kind is not None and kind.trump in SUITS:
            found &= {kind.trump}
        return tuple(trump for trump in self.rules.trumps if trump in found)

    def table(self, contract_id: str, trump: str) -> ContractTables | None:
        """Return the tables of a contract in a trump, None if there are none."""
        key = contract_id, trump
        if key not in self._tables:
            parts = self._parts(contract_id) if trump in self.trumps(contract_id) else ()
            part = next((part for part in parts if trump in part["units"]), None)
            self._tables[key] = (
                None if part is None else ContractTables(self.rules, contract_id, trump, part)
            )
        return self._tables[key]

    def _parts(self, contract_id: str) -> Sequence[PartData]:
        return self._data["contracts"].get(self._data["same"].get(contract_id, contract_id), ())


@cache
def _data(game_id: str) -> GameData | None:
    file = files("spadille.core.strength") / "data" / f"{game_id}.json.gz"
    if not file.is_file():
        return None
    found: GameData = json.loads(gzip.decompress(file.read_bytes()))
    return found


@cache
def tables_for(rules: Rules) -> GameTables | None:
    """Return the tables of a game; None if it has none, or none that hold for its options."""
    data = _data(rules.game.id)
    if data is None:
        return None
    for name, option in rules.game.options.items():
        if rules.options[name] != option.default and name not in data["options"]:
            return None
    return GameTables(rules, data)
