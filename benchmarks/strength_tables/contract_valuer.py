"""The value of one contract in many deals: whether it makes, and what it pays the declarer.

Deals are hands in the engine's form (`spadille.search.encoding`), one column per player in order of
play. Player 0 leads to the first trick unless the declarer does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from spadille.base.card_text import NO_TRUMP
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.game import Rules
from spadille.search.encoding import encoding, situation
from spadille.search.engine import LayoutSolver
from spadille.search.make_payoff_objective import held, payoff_objective
from spadille.search.payoff_objectives import ContractGoal, PayoffByEnd

_MEMORY = 1 << 26  # bytes of each table of the search; hard Misères need many
_NO_QUESTION = 255  # of LayoutSolver


class Values(NamedTuple):
    """The values of a contract, deal by deal."""

    made: np.ndarray
    payoff: np.ndarray


class Valuer:
    """Values one contract in one trump."""

    def __init__(self, rules: Rules, contract_id: str, trump: str) -> None:
        self.rules = rules
        self.kind = rules.contract(contract_id)
        self.trump = trump
        self.code = encoding(rules, trump)
        self.players = len(rules.seats)
        game = rules.game
        pays = bool(rules.held_pay) and trump != NO_TRUMP
        best = rules.trump_cards(trump)[: game.matadors + 1] if pays else ()
        self._paid_for = [self.code.numbers[card] for card in best]
        # Eldest is the first player in order of play.
        first = rules.turn_order[0]
        self._dealer = next(seat for seat in rules.seats if rules.eldest(seat) == first)
        self._goals: dict[object, ContractGoal] = {}

    @cached_property
    def positions(self) -> Sequence[int]:
        """The distinct positions of the declarer in order of play."""
        return (0,) if self.kind.leader == "declarer" else range(self.players)

    def payoffs(self) -> list[int]:
        """Return the possible payoffs of the declaring side, from low to high."""
        size = self.rules.game.hand_size
        dealt = [self.rules.deck[n * size : (n + 1) * size] for n in range(self.players)]
        hands = [sum(self.code.bits[card] for card in cards) for cards in dealt]
        deal, contract = self._deal(hands, 0, -1)
        return list(payoff_objective(deal, contract, situation(deal, contract)).values)

    def values(self, hands: np.ndarray, position: np.ndarray, called: np.ndarray) -> Values:
        """Value deals; `called` are card numbers, -1 where no card is called."""
        made = np.zeros(len(hands), bool)
        payoff = np.zeros(len(hands), np.int16)
        own = hands[np.arange(len(hands)), position]
        paid_for = np.zeros(len(hands), np.int64)
        for place, card in enumerate(self._paid_for):
            paid_for |= ((own >> np.uint64(card)) & np.uint64(1)).astype(np.int64) << place
        keys = np.stack([position, called, paid_for], 1)
        for key in np.unique(keys, axis=0):
            rows = np.flatnonzero((keys == key).all(1))
            player, card = int(key[0]), int(key[1])
            found = self._values(hands[rows], player, card)
            made[rows], payoff[rows] = found
        return Values(made, payoff)

    def _values(self, hands: np.ndarray, player: int, called: int) -> Values:
        telling = [called] if called >= 0 else []
        telling += [
            card
            for card in self._paid_for
            if called >= 0 and card != called and not int(hands[0, player]) >> card & 1
        ]
        base = self.players + 1
        table = bytearray([_NO_QUESTION] * base ** len(telling))
        goals: list[ContractGoal] = []
        problem = None
        for number, holders in enumerate(product(range(base), repeat=len(telling))):
            where = dict(zip(telling, holders, strict=True))
            if player in holders or where.get(called) == self.players:
                continue
            example = self._example(hands[0], where)
            if example is None:
                continue
            deal, contract = self._deal(example, player, called)
            key = contract.partner, player, called, held(deal, contract)
            at = situation(deal, contract)
            problem = problem or at.problem
            goal = self._goals.get(key)
            if goal is None:
                goal = self._goals[key] = payoff_objective(deal, contract, at)
            if goal not in goals:
                goals.append(goal)
            table[number] = goals.index(goal)
        solver = LayoutSolver(
            problem,
            [
                (goal.payoff if isinstance(goal, PayoffByEnd) else goal, goal.start, goal.guess)
                for goal in goals
            ],
            telling=telling,
            table=bytes(table),
            cards=False,
            memory=_MEMORY,
        )
        raw = solver.values(np.ascontiguousarray(hands))
        found = np.frombuffer(raw, np.int16).reshape(-1, 2)
        assert len(found) == len(hands)
        meanings = [[goal.meaning(value) for value in range(len(goal.values))] for goal in goals]
        assert all(meaning.makes is not None for row in meanings for meaning in row), meanings
        width = max(map(len, meanings))
        wide = [[*row, *row[:1] * (width - len(row))] for row in meanings]
        makes = np.array([[meaning.makes for meaning in row] for row in wide])
        pays = np.array([[meaning[0] for meaning in row] for row in wide])
        return Values(makes[found[:, 0], found[:, 1]], pays[found[:, 0], found[:, 1]])

    def _example(self, hands: np.ndarray, where: Mapping[int, int]) -> list[int] | None:
        """Return hands of equal size in which players hold these cards; None if impossible."""
        moved = [int(hand) for hand in hands]
        for card, holder in where.items():
            giver = next((p for p in range(self.players) if moved[p] >> card & 1), self.players)
            if giver == holder:
                continue
            if holder == self.players or giver == self.players:
                return None
            back = next(
                (
                    n
                    for n in range(64)
                    if moved[holder] >> n & 1 and n not in where and n not in self._paid_for
                ),
                None,
            )
            if back is None:
                return None
            moved[giver] ^= 1 << card | 1 << back
            moved[holder] ^= 1 << card | 1 << back
        return moved

    def _deal(self, hands: Sequence[int], player: int, called: int) -> tuple[Deal, Contract]:
        code, rules = self.code, self.rules
        seats = rules.turn_order
        cards = {seat: tuple(code.cards(hand)) for seat, hand in zip(seats, hands, strict=True)}
        dealt = {card for hand in cards.values() for card in hand}
        current = rules.game.current_trumps
        deal = Deal(
            rules=rules,
            dealer=self._dealer,
            hands=cards,
            talon=tuple(card for card in rules.deck if card not in dealt),
            current_trump=self._current() if current else None,
        )
        card = code.names[called] if called >= 0 else None
        partner = deal.holder(card) if card else None
        return deal, Contract((seats[player],), (self.kind.id,), self.trump, card, partner)

    def _current(self) -> str:
        """Return a current trump of the game that allows this contract."""
        kind, trump = self.kind, self.trump
        if kind.trump == "current":
            return trump
        others = [one for one in self.rules.game.current_trumps if one != trump]
        return others[0]
