"""Turn a decision into a problem: themes, difficulty, and why the most natural cards are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from math import log2

from spadille.analysis.review.refutation import Refuter
from spadille.analysis.review.refutation_in_words import explained
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.generate.problems.difficulty import RAREST, card_frequencies, difficulty
from spadille.generate.problems.goal_and_winning_cards import Stake
from spadille.generate.problems.plan_decision import PLAN, PlanDecision, reasoned
from spadille.generate.problems.problem import Problem, question_of
from spadille.generate.problems.themes import KeyDecision, themes_of
from spadille.search.engine import ReplayedCards
from spadille.search.limited_search import Search
from spadille.search.values_along_play import Path, Track

LEAST = 3
"""The minimum number of different cards to choose from."""
_REFUTED = 2
"""The number of wrong cards that are explained."""


def decision(stake: Stake, opening: bool) -> KeyDecision | None:
    """Return the decision if exactly one of three or more choices wins, otherwise None."""
    if len(stake.choices) < LEAST or not stake.won:
        return None
    winning = stake.winning(2)
    if len(winning) != 1:
        return None
    return KeyDecision(stake, tuple(winning[0]), opening)


def composed(
    key_decision: KeyDecision,
    deal: Deal,
    contract: Contract,
    play: tuple[str, ...],
    search: Search,
    seed: int,
) -> Problem:
    """Make a problem from a decision after the cards of `play`.

    Raises the same errors as `know` and `Search.stopped`.
    """
    stake = key_decision.stake
    key, *equals = stake.names([*key_decision.key][::-1])
    chances = card_frequencies(deal, contract, play, search, seed)
    return Problem(
        deal=deal,
        contract=contract,
        play=play,
        reasoned=reasoned(deal, contract, play, key),
        seat=stake.seat(stake.hero),
        question=question_of(stake),
        key=key,
        equals=tuple(equals),
        choices=len(stake.choices),
        themes=themes_of(key_decision),
        difficulty=difficulty(deal, contract, play, key_decision.line, search, seed),
        line=key_decision.line,
        why=_why(key_decision, chances),
    )


def composed_plan(
    plan: PlanDecision,
    stake: Stake,
    contract: Contract,
    play: tuple[str, ...],
    *,
    search: Search,
    seed: int,
) -> Problem:
    """Make a problem from a plan decision; raises the same errors as `composed`."""
    key, deal = plan.key, plan.known.deal
    chances = card_frequencies(deal, contract, play, search, seed)
    chance = sum(chances.get(card, 0.0) for card in (key.card, *key.equals))
    return Problem(
        deal=deal,
        contract=contract,
        play=play,
        seat=plan.known.seat,
        question=question_of(stake, plan=True),
        key=key.card,
        equals=key.equals,
        choices=len(plan.search.valued),
        themes=(PLAN,),
        difficulty=round(1 - log2(max(chance, RAREST)), 2),
        line=(),
        why=(),
        reasoned=True,
        plan=plan.solution,
    )


def _why(key_decision: KeyDecision, chances: Mapping[str, float]) -> tuple[str, ...]:
    """Explain how the most natural wrong cards are refuted."""
    stake, refuter = key_decision.stake, Refuter()
    wrong = [group for group in stake.choices if group[0] not in key_decision.key]
    names = stake.question.at.encoding.names
    # Among equally natural cards, high cards come first, because players hope to win with them.
    wrong.sort(key=lambda group: -sum(chances.get(names[card], 0.0) for card in group))
    reasons = []
    for group in wrong[:_REFUTED]:
        at, solver = stake.question.at, stake.question.search.solver
        track = Track(stake.question, Path(at, ReplayedCards(solver, at.problem, [group[-1]])))
        track.settle()
        if track.values[0] != track.values[1]:
            reasons.append(explained(track, 0, refuter.refute(track, 0)).words)
    return tuple(reasons)
