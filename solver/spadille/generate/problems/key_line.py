"""The key line of a problem: how the stake is won against the best defense.

The player in question plays winning cards. The other side loses whatever it plays. That side plays
the cards that leave the player the fewest winning cards at the next choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from spadille.generate.problems.goal_and_winning_cards import Stake, over

_LEAVES = 40
"""The maximum number of lines that are compared, each up to the next choice."""


class Ply(NamedTuple):
    """A card of the line."""

    seat: str
    card: str
    winning: tuple[tuple[str, ...], ...] = ()
    """The winning cards if the player in question has a choice; equivalent cards are grouped."""
    choices: int = 1
    """The number of cards to choose from."""

    @property
    def only(self) -> bool:
        """Whether this was the only winning card among several choices."""
        return self.choices > 1 and len(self.winning) == 1


@dataclass(slots=True)
class _Look:
    """The hardest line to the next choice found so far."""

    leaves: int = _LEAVES
    worth: tuple[float, ...] = (inf,)
    cards: list[int] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return not self.leaves or self.worth[0] == 1

    def go(self, place: Stake, cards: list[int]) -> None:
        """Extend the line by some cards and search on."""
        problem = place.problem
        if problem.to_play == place.hero or over(place.question.contract, place.question.at):
            self.leaves -= 1
            worth = _hardness(place)
            if worth < self.worth or not self.cards:
                self.worth, self.cards = worth, cards
            return
        for group in place.winning(1) if place.mine else place.choices:
            self.go(place.after(group[-1]), [*cards, group[-1]])
            if self.over:
                return


def _hardness(place: Stake) -> tuple[float, ...]:
    """Return a sort key: fewest winning cards first, then most choices."""
    if over(place.question.contract, place.question.at):
        return (inf,)
    choices, winning = len(place.choices), len(place.winning())
    return (inf,) if winning == choices else (winning, -choices)


def key_line(stake: Stake, key: int) -> Iterator[tuple[Stake, Ply]]:
    """Yield each card of the line, starting with the key, and the position in which it is played.

    The line ends as soon as the stake cannot be lost any more.
    """
    place, ahead = stake, [key]
    while True:
        question = place.question
        if not place.problem.trick and place is not stake and place.sure:
            return
        if over(question.contract, question.at):
            return
        hero = place.problem.to_play == place.hero
        groups = place.winning() if hero else []
        if hero and not ahead:
            ahead = [groups[0][-1]]
        elif not ahead:
            look = _Look()
            look.go(place, [])
            ahead = look.cards
        card = ahead.pop(0)
        choices = len(place.choices) if hero else 1
        yield (
            place,
            Ply(
                place.seat(place.problem.to_play),
                question.at.encoding.names[card],
                tuple([place.names(group) for group in groups]) if choices > 1 else (),
                choices,
            ),
        )
        place = place.after(card)
