"""Invent the play before a problem: first by rules of thumb, then the best play with some slips."""

from __future__ import annotations

from random import Random

from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.generate.problems.goal_and_winning_cards import over
from spadille.search.encoding import Situation, situation
from spadille.search.engine_problem import EngineProblem
from spadille.search.limited_search import Search
from spadille.search.question import Question

_WHOLE = 8
"""The engine immediately solves positions with at most this many tricks left."""
SLIP = 0.15
"""The chance that a random card is played instead of the best one."""


def imagined(
    deal: Deal, contract: Contract, random: Random, search: Search, slip: float = SLIP
) -> list[tuple[Situation, str]]:
    """Play a hand to the end, and return each position with the card played in it.

    `slip` is the chance that a random card is played instead of the best one. Raises the error of
    `Search.stopped`.
    """
    at = situation(deal, contract)
    names, misere = at.encoding.names, _misere(deal, contract)
    positions: list[tuple[Situation, str]] = []
    line: list[str] = []
    while not over(contract, at):
        problem = at.problem
        groups = [*search.solver.classes(problem).values()]
        if problem.tricks > _WHOLE:
            card = _by_thumb(problem, groups, misere, random)
        elif len(groups) > 1 and random.random() < slip:
            card, line = random.choice(groups)[0], []
        else:
            line = line or _best(deal, contract, at, search)
            card = at.encoding.numbers[line.pop(0)]
        positions.append((at, names[card]))
        at = at.played(card)
    return positions


def _best(deal: Deal, contract: Contract, at: Situation, search: Search) -> list[str]:
    question = Question.of(deal, contract, at, contract.declarer, search)
    line = question.line(question.exact())
    if line is None:
        raise search.stopped()
    return line.cards[len(at.problem.trick) :]


def _misere(deal: Deal, contract: Contract) -> bool:
    return deal.rules.contract(contract.ids[0]).aim == "misere"


def _by_thumb(problem: EngineProblem, groups: list[list[int]], misere: bool, random: Random) -> int:
    """Return the cheapest card that takes the trick, or else the lowest card.

    In a Misère, return the highest card that does not take the trick, or else the highest card.
    Leads are random.
    """
    if not problem.trick:
        return random.choice(groups)[0]
    cards = sorted((group[0] for group in groups), key=lambda card: card & 15)
    me = problem.to_play
    takes = [
        card for card in cards if problem._replace(trick=(*problem.trick, card)).winner() == me
    ]
    if misere:
        return ([card for card in cards if card not in takes] or cards)[-1]
    return (takes or cards)[0]
