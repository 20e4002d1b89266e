"""Play a plan against every defense, in every layout."""

from __future__ import annotations

import spadille
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.core.position import Position
from tests.support.plans_by_force import Goal, goal_of


class Replay:
    """Plays a plan against every defense; if the plan names no card, every card must succeed."""

    def __init__(self, known: Knowledge, plan: spadille.Plan) -> None:
        self.known = known
        self.cards: dict[tuple[int | None, tuple[str, ...]], tuple[int, str]] = {
            (step.parent, step.seen): (number, step.card) for number, step in enumerate(plan.steps)
        }

    def share(self) -> float:
        """Return the share of the layouts in which the plan wins."""
        layouts = [self.known.layouts.unrank(rank) for rank in self.known.fitting.ranks]
        won = [
            self.wins(self.known.position(layout), goal_of(self.known, layout), None, ())
            for layout in layouts
        ]
        return sum(won) / len(won)

    def wins(self, position: Position, goal: Goal, step: int | None, seen: tuple[str, ...]) -> bool:
        side = goal.contract.side
        mine = self.known.seat in side
        if position.finished:
            return goal.made(position) == mine
        seat = position.to_play
        if seat != self.known.seat:
            friendly = (seat in side) == mine
            results = (
                self.after(card, position, goal, step, (*seen, card)) for card in position.legal()
            )
            return any(results) if friendly else all(results)
        if (step, seen) in self.cards:
            number, card = self.cards[step, seen]
            return self.after(card, position, goal, number, ())
        return all(self.after(card, position, goal, step, seen) for card in position.legal())

    def after(
        self,
        card: str,
        position: Position,
        goal: Goal,
        step: int | None,
        seen: tuple[str, ...],
    ) -> bool:
        position.play(card)
        result = self.wins(position, goal, step, seen)
        position.undo()
        return result
