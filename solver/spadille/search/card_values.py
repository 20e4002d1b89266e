"""The values of all cards that may be played, from one table of the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spadille.errors import SpadilleError
from spadille.search.engine import Solver
from spadille.search.objective import Objective
from spadille.search.problem import Problem


class TooHardError(SpadilleError):
    """A limit of nodes stopped the search."""


def stopped(solver: Solver) -> SpadilleError:
    """Return the error for a search that was stopped."""
    if solver.stopped == "nodes":
        return TooHardError("the search ran into its limit of nodes", "interrupted")
    return SpadilleError("the search was interrupted", "interrupted")


def card_values(
    objective: Objective, solver: Solver, problem: Problem, state: Any, value: int
) -> dict[int, int | None]:
    """Return the value of each legal card, ascending; `value` is that of the position.

    Values are exact up to `Objective.grade`. None for a card that a limit left open.
    """
    gains = mover_gains(objective, problem)
    groups = solver.classes(problem)
    going_on = objective.led(state)
    if going_on != state:
        # The side may end the hand here, which can be worth more to it than any card.
        low, _ = objective.span(problem, going_on)
        low, high = objective.bounds(solver, problem, going_on, low, value, value)
        if low < high:
            return {each: None for group in groups.values() for each in group}
        state, value = going_on, low
    namings = objective.namings(problem)
    after = {card: [step_on(objective, one, state, card) for one in namings] for card in groups}
    found: dict[int, int | None] = dict.fromkeys(groups)
    if len(groups) == 1:
        found = dict.fromkeys(groups, value)
        after = {}
    # All cards are put to one question before the next: another one may need another table.
    while after:
        need = objective.grade(value) if gains else objective.next_grade(value)
        open_cards = {}
        for card, positions in after.items():
            answer = first_to_reach(objective, solver, positions, need)
            if answer is None:
                return {each: found[card] for card, group in groups.items() for each in group}
            if (answer >= 0) == gains:
                found[card] = value
            else:
                open_cards[card] = positions
        after = open_cards
        value = need - 1 if gains else need
    return {each: found[card] for card, group in groups.items() for each in group}


def mover_gains(objective: Objective, problem: Problem) -> bool:
    """Whether the player to move belongs to the side that wants much."""
    return bool(objective.side >> problem.to_play & 1)


def step_on(objective: Objective, problem: Problem, state: Any, card: int) -> tuple[Problem, Any]:
    """Return problem and state after the player to move has played a card."""
    after = problem.played(card)
    if not problem.trick:
        state = objective.led(state)
    if after.trick:
        return after, state
    return after, objective.after(state, after.leader, (*problem.trick, card))


def reaches(
    objective: Objective, solver: Solver, problem: Problem, state: Any, need: int
) -> bool | None:
    """Whether the value is at least `need`; None if a limit stopped the search."""
    low, high = objective.span(problem, state)
    if need <= low or need > high:
        return need <= low
    least, most = objective.bounds(solver, problem, state, need - 1, need, need)
    return None if least < most else least == need


def first_to_reach(
    objective: Objective, solver: Solver, positions: Iterable[tuple[Problem, Any]], need: int
) -> int | None:
    """Return which of some positions is worth at least `need`, -1 if none; None as `reaches`."""
    for number, (problem, state) in enumerate(positions):
        answer = reaches(objective, solver, problem, state, need)
        if answer is None:
            return None
        if answer:
            return number
    return -1
