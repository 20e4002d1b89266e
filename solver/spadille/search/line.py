"""One optimal line of play, as people would play it.

Every card keeps the value. Among those that do, a player follows with his lowest card, unless his
side can no longer take the trick after him: then with the cheapest that takes it for good. He leads
and discards low, trumps last. In misère the declarer throws his highest card that loses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from spadille.search.card_values import first_to_reach, mover_gains, reaches, step_on
from spadille.search.encoding import Situation
from spadille.search.engine import Solver
from spadille.search.objective import Objective
from spadille.search.problem import LANE, Problem


class Line(NamedTuple):
    """Cards to the end of the hand, and the trump that is named on the way."""

    cards: list[int]
    named: int = -1
    """The lane made trumps just before the declarer's first card, where the trump was open."""

    def shown(self, at: Situation) -> tuple[list[list[str]], str | None]:
        """Return the tricks, cards on the table included, and the suit that is made trumps."""
        names, problem = at.encoding.names, at.problem
        cards = [names[card] for card in (*problem.trick, *self.cards)]
        size = problem.players
        tricks = [cards[start : start + size] for start in range(0, len(cards), size)]
        return tricks, at.encoding.suit(self.named)


def best_line(
    objective: Objective, solver: Solver, problem: Problem, state: Any, value: int
) -> Line | None:
    """Return an optimal line to the end; `value` is that of the position.

    None if a limit stopped the search.
    """
    line = []
    named = -1
    while problem.tricks and not objective.stops(state, value):
        namings = objective.namings(problem)
        if len(namings) > 1:
            chosen = first_to_reach(objective, solver, [(one, state) for one in namings], value)
            if chosen is None:
                return None
            problem = namings[chosen]
            named = problem.trump
        gains = mover_gains(objective, problem)
        need = value if gains else value + 1
        *others, last = in_order_of_taste(objective, problem, solver.classes(problem))
        for card in others:
            after = step_on(objective, problem, state, card)
            answer = reaches(objective, solver, *after, need)
            if answer is None:
                return None
            if answer == gains:
                break
        else:
            card = last
            after = step_on(objective, problem, state, card)
        line.append(card)
        problem, state = after
    return Line(line, named)


def in_order_of_taste(objective: Objective, problem: Problem, cards: Iterable[int]) -> list[int]:
    """Sort the cards of the player to move as he would try them."""
    trump = problem.trump
    low_first = sorted(cards, key=lambda card: (card >> 4 == trump, card & 15, card))
    if not problem.trick or len(low_first) == 1:
        return low_first
    mover = problem.to_play
    wants = objective.side >> mover & 1
    wins_for = objective.credited if wants else ~objective.credited
    winning = [card for card in low_first if _tops(problem, card)]
    if wants and not wins_for >> mover & 1 and objective.side == 1 << mover:
        return [card for card in reversed(low_first) if card not in winning] + winning
    later = [(mover + step) % problem.players for step in range(1, _to_come(problem))]
    if not wins_for >> mover & 1 or any(wins_for >> player & 1 for player in later):
        return low_first
    if wins_for >> problem.winner() & 1 and not _beatable(problem, _best(problem), later):
        return low_first
    sure = [card for card in winning if not _beatable(problem, card, later)]
    return sure + [card for card in low_first if card not in sure]


def _to_come(problem: Problem) -> int:
    return problem.players - len(problem.trick)


def _best(problem: Problem) -> int:
    return problem.trick[(problem.winner() - problem.leader) % problem.players]


def _tops(problem: Problem, card: int) -> bool:
    """Whether the card takes the trick as it lies."""
    best = _best(problem)
    return card > best if card >> 4 == best >> 4 else card >> 4 == problem.trump


def _trumps(problem: Problem) -> int:
    return LANE << 16 * problem.trump if problem.trump >= 0 else 0


def _beatable(problem: Problem, card: int, later: Iterable[int]) -> bool:
    """Whether a player to come could beat the card, were it the best."""
    led = problem.trick[0] >> 4
    higher = LANE << 16 * (card >> 4) & -(1 << card)
    from_void = higher if card >> 4 == problem.trump else _trumps(problem)
    for player in later:
        hand = problem.hands[player]
        follows = hand & LANE << 16 * led
        if (follows & higher) if follows else (hand & from_void):
            return True
    return False
