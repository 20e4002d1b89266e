"""Find the best plan of a player who does not see the other hands, by exhaustive search.

The search does not use the engine: the rules are those of `Position`, the layouts are those of
`Knowledge`, and this module decides whether a contract makes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from spadille.core.contract import Contract
from spadille.core.knowledge.layouts import Layout
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.core.position import Position

AIMS = ("tricks", "misere", "most")
"""The aims of contracts whose success `Goal` decides."""


class Goal(NamedTuple):
    """The contract in a layout, and the players who have gone on for all tricks, if any."""

    contract: Contract
    going_on: frozenset[str]

    def made(self, position: Position) -> bool:
        """Return whether the side has reached the goal, at the end of the play."""
        kind = position.rules.contract(self.contract.ids[0])
        won, declarer = position.won, self.contract.declarer
        if kind.aim == "misere":
            return won[declarer] == 0
        if kind.aim == "most":
            return won[declarer] > max(tricks for seat, tricks in won.items() if seat != declarer)
        if self.going_on:
            return sum(won[seat] for seat in self.going_on) == position.rules.game.hand_size
        return sum(won[seat] for seat in self.contract.side) >= (kind.target or 0)


def goal_of(known: Knowledge, layout: Layout) -> Goal:
    """Return the goal in a layout, at the decision.

    A side that has won the first tricks in a row and plays on has gone on for all of them. In some
    games, only the declarer's own tricks count for this.
    """
    contract, position = known.contract_of(layout), known.position(layout)
    rules, kind = position.rules, position.rules.contract(contract.ids[0])
    earlier = dict(position.won)
    for trick in position.tricks:
        earlier[trick.winner] -= 1
    winners = [seat for seat, number in earlier.items() for _ in range(number)]
    winners += [trick.winner for trick in position.tricks]
    run = kind.first_run or 0
    first = max(run, sum(earlier.values()))  # the order of the earlier tricks is unknown
    runners = frozenset({contract.declarer} if kind.run_alone else contract.side)
    in_a_row = len(winners) >= run > 0 and runners >= {*winners[:first]}
    return Goal(contract, runners if rules.may_go_on(kind) and in_a_row else frozenset())


def greatest(sets: Iterable[int]) -> list[int]:
    """Return the sets that no other set contains; sets are numbers, bit n for layout n."""
    kept: list[int] = []
    for candidate in sorted({*sets}, key=int.bit_count, reverse=True):
        if all(candidate & ~other for other in kept):
            kept.append(candidate)
    return kept


class PlansByForce:
    """Finds all sets of layouts that a plan wins, position by position.

    Each line of play of each layout is played to its last card. Legal cards and winners of tricks
    come from `Position`, whose answers are kept, since most hands and tricks recur.
    """

    def __init__(self, known: Knowledge) -> None:
        layouts = [known.layouts.unrank(rank) for rank in known.fitting.ranks]
        positions = [known.position(layout) for layout in layouts]
        self.seat = known.seat
        self.hands = [
            {seat: frozenset(cards) for seat, cards in position.hands.items()}
            for position in positions
        ]
        self.goals = [goal_of(known, layout) for layout in layouts]
        self.wins_if_made = [known.seat in goal.contract.side for goal in self.goals]
        self.rules = positions[0]
        self.rules.contract = None  # play goes on even if the result is certain
        self.trick = tuple(self.rules.trick)
        self.to_play = self.rules.to_play
        self._partners = {
            seat: sum(
                1 << number
                for number, goal in enumerate(self.goals)
                if (seat in goal.contract.side) == self.wins_if_made[number]
            )
            for seat in self.rules.won
        }
        self._legal: dict[tuple[object, ...], list[str]] = {}
        self._winners: dict[tuple[object, ...], str] = {}
        self._results: dict[tuple[int, ...], int] = {}

    def values(self) -> dict[str, int]:
        """Return the number of layouts won by the best plan that begins with each card."""
        every = list(range(len(self.hands)))
        mask = (1 << len(every)) - 1
        return {
            card: max(map(int.bit_count, self._after(card, every, mask)))
            for card in self.legal(every[0])
        }

    def legal(self, number: int) -> list[str]:
        """List the cards that the player to move may play in a layout."""
        hand = self.hands[number][self.to_play]
        key = (self.to_play, hand, self.trick)
        if key not in self._legal:
            rules = self.rules
            rules.hands[self.to_play], rules.trick = set(hand), list(self.trick)
            rules.to_play = self.to_play
            self._legal[key] = rules.legal()
        return self._legal[key]

    def winner(self, trick: tuple[tuple[str, str], ...]) -> str:
        """Return the seat that wins a trick."""
        if trick not in self._winners:
            self.rules.trick = list(trick)
            self._winners[trick] = self.rules.winning()
        return self._winners[trick]

    def won(self) -> int:
        """Return the layouts that the player has won, at the end of the play."""
        tricks = tuple(self.rules.won.values())
        if tricks not in self._results:
            self._results[tricks] = sum(
                1 << number
                for number, goal in enumerate(self.goals)
                if goal.made(self.rules) == self.wins_if_made[number]
            )
        return self._results[tricks]

    def _after(self, card: str, layouts: list[int], mask: int) -> list[int]:
        trick, seat, won = self.trick, self.to_play, self.rules.won
        for number in layouts:
            self.hands[number][seat] -= {card}
        self.trick = (*trick, (seat, card))
        self.to_play = self.rules.rules.next_seat(seat)
        if len(self.trick) == len(won):
            self.to_play, self.trick = self.winner(self.trick), ()
            self.rules.won = won | {self.to_play: won[self.to_play] + 1}
        sets = self._front(layouts, mask)
        self.trick, self.to_play, self.rules.won = trick, seat, won
        for number in layouts:
            self.hands[number][seat] |= {card}
        return sets

    def _front(self, layouts: list[int], mask: int) -> list[int]:
        """Return the largest sets of these layouts, still indistinguishable, that a plan wins."""
        seat = self.to_play
        if not self.hands[layouts[0]][seat]:
            return [self.won() & mask]
        by_card: dict[str, list[int]] = {}
        masks: dict[str, int] = {}
        for number in layouts:
            for card in self.legal(number):
                by_card.setdefault(card, []).append(number)
                masks[card] = masks.get(card, 0) | 1 << number
        fronts = {card: self._after(card, some, masks[card]) for card, some in by_card.items()}
        if seat == self.seat:
            return greatest(won for front in fronts.values() for won in front)
        # A partner needs one winning card; against opponents every card must win.
        partners = self._partners[seat] & mask
        opponents = mask & ~partners
        ways = [opponents]
        for card, front in fronts.items():
            elsewhere = ~masks[card]
            ways = greatest(
                (way & opponents & (won | elsewhere)) | ((way | won) & partners)
                for way in ways
                for won in front
            )
        return ways
