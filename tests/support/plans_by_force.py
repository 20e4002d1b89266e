"""Find the best plan of a player who does not see the other hands, by exhaustive search.

Independent of the engine: the rules are those of `Position`, layouts are those of `Knowledge`, and
this module decides whether a contract makes.
"""

from __future__ import annotations

from collections.abc import Iterable

from spadille.core.contract import Contract
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.core.position import Position

AIMS = ("tricks", "misere", "most")
"""The aims of contracts whose success `makes` decides."""


def makes(contract: Contract, position: Position) -> bool:
    """Return whether a contract with one declarer has made, at the end of the play."""
    kind = position.rules.contract(contract.ids[0])
    won, declarer = position.won, contract.declarer
    if kind.aim == "misere":
        return won[declarer] == 0
    if kind.aim == "most":
        return won[declarer] > max(tricks for seat, tricks in won.items() if seat != declarer)
    return sum(won[seat] for seat in contract.side) >= (kind.target or 0)


def greatest(sets: Iterable[int]) -> list[int]:
    """Return the sets that no other set contains; sets are numbers, bit n for layout n."""
    kept: list[int] = []
    for candidate in sorted({*sets}, key=int.bit_count, reverse=True):
        if all(candidate & ~other for other in kept):
            kept.append(candidate)
    return kept


class PlansByForce:
    """Return all sets of layouts that a plan wins, position by position."""

    def __init__(self, known: Knowledge) -> None:
        layouts = list(known.layouts)
        self.seat = known.seat
        self.positions = [known.position(layout) for layout in layouts]
        self.contracts = [known.contract_of(layout) for layout in layouts]
        self.wins_if_made = [known.seat in contract.side for contract in self.contracts]

    def values(self) -> dict[str, int]:
        """Return the number of layouts won by the best plan that begins with each card."""
        every = list(range(len(self.positions)))
        return {
            card: max(map(int.bit_count, self._after(card, every)))
            for card in self.positions[0].legal()
        }

    def _after(self, card: str, layouts: list[int]) -> list[int]:
        for number in layouts:
            self.positions[number].play(card)
        sets = self._front(layouts)
        for number in layouts:
            self.positions[number].undo()
        return sets

    def _front(self, layouts: list[int]) -> list[int]:
        """Return the largest sets of these layouts, still indistinguishable, that a plan wins."""
        first = self.positions[layouts[0]]
        if first.finished:
            return [
                sum(
                    1 << number
                    for number in layouts
                    if makes(self.contracts[number], self.positions[number])
                    == self.wins_if_made[number]
                )
            ]
        seat = first.to_play
        by_card: dict[str, list[int]] = {}
        for number in layouts:
            for card in self.positions[number].legal():
                by_card.setdefault(card, []).append(number)
        fronts = {card: self._after(card, some) for card, some in by_card.items()}
        if seat == self.seat:
            return greatest(won for front in fronts.values() for won in front)
        partners = sum(
            1 << number
            for number in layouts
            if (seat in self.contracts[number].side) == self.wins_if_made[number]
        )
        opponents = sum(1 << number for number in layouts) & ~partners
        ways = [
            opponents
        ]  # a partner needs one winning card; against opponents every card must win
        for card, front in fronts.items():
            elsewhere = ~sum(1 << number for number in by_card[card])
            ways = greatest(
                (way & opponents & (won | elsewhere)) | ((way | won) & partners)
                for way in ways
                for won in front
            )
        return ways
