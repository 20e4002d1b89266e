"""One optimal line of play, as people would play it (csrc/taste.hpp), in cards."""

from __future__ import annotations

from typing import NamedTuple

from spadille.search.encoding import Situation
from spadille.search.engine import Solver
from spadille.search.objective import Objective


class Line(NamedTuple):
    """An optimal line to the end of the hand."""

    tricks: list[list[str]]
    """Each in order of play, cards already on the table included."""
    named: str | None = None
    """The suit made trumps just before the declarer's first card, where the trump was open."""

    @property
    def cards(self) -> list[str]:
        """All its cards in order of play."""
        return [card for trick in self.tricks for card in trick]


def best_line(
    objective: Objective, solver: Solver, at: Situation, state: int, value: int
) -> Line | None:
    """Return an optimal line, `value` being the position's; None if a limit stopped the search."""
    found = objective.best_line(solver, at.problem, state, value)
    if found is None:
        return None
    names, problem = at.encoding.names, at.problem
    cards = [names[card] for card in (*problem.trick, *found[0])]
    size = problem.players
    tricks = [cards[start : start + size] for start in range(0, len(cards), size)]
    return Line(tricks, at.encoding.suit(found[1]))
