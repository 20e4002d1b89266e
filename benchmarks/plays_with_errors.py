"""Plays that resemble recorded ones: an optimal line with random deviations."""

from __future__ import annotations

from random import Random

from benchmarks.deals import Question
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.search.engine import Solver

ERRORS = 0.12  # share of cards taken at random from the legal ones


def played(deal: Deal, contract: Contract, random: Random, solver: Solver) -> list[str]:
    """Play double-dummy with occasional errors; several declarers take turns."""
    position = Position.of(deal, contract)
    play: list[str] = []
    line: list[str] = []
    while not position.finished:
        if not line:
            result = solve(deal, contract, play=play, line=True, solver=solver)
            lines = [each.line for each in result.contractors.values() if each.line]
            found = random.choice(lines) if result.several else lines[0]
            line = [card for trick in found for card in trick][len(position.trick) :]
        card = line.pop(0)
        if random.random() < ERRORS:
            other = random.choice(position.legal())
            if other != card:
                card, line = other, []
        position.play(card)
        play.append(card)
    return play


def recorded(question: Question) -> list[str]:
    """Return the play of a question, the same every time."""
    deal, contract, _ = question
    seed = " ".join(card for cards in deal.hands.values() for card in cards or ())
    return played(deal, contract, Random(seed), Solver())
