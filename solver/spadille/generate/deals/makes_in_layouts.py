"""Let the engine test for many layouts at once whether a contract makes."""

from __future__ import annotations

from collections.abc import Sequence

from spadille.analysis.chances.sampling_settings import unranker, words_of
from spadille.base.errors import ContractError
from spadille.core.contract import Contract
from spadille.core.knowledge.conditioned_layouts import LayoutTest
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.generate.deals.condition_expressions import Expression, Facts
from spadille.search.encoding import situation
from spadille.search.engine import LayoutSolver, Objective
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.question import Question


def made_test(condition: Expression, known: Knowledge) -> LayoutTest | None:
    """Return a test for a condition that depends only on whether one contract makes.

    Returns None for other conditions, for end positions, and for contracts whose sides, trump or
    declarer depend on the layout.
    """
    if len(condition.asked) != 1 or condition.counts or condition.strengths or known.deal.is_ending:
        return None
    (asked,) = condition.asked
    kind = known.deal.rules.contract(asked.words[0])
    fixed = kind.side == "alone" and kind.trump != "talon" and kind.holder is None
    if asked.what != "makes" or not fixed:
        return None
    deal = known.deal_of(known.layouts.unrank(0))
    try:
        contract = Contract.parse(deal, " ".join((asked.seat, *asked.words)))
    except ContractError:
        return None
    at = situation(deal, contract)
    question = Question.of(deal, contract, at, asked.seat, Search(None, Limits()))
    if kind.aim == "misere":
        question = question.asking(question.objective.coarse())
    objective = question.objective
    assert isinstance(objective, Objective)
    low, high = question.span()
    passes = {
        value: _holds(condition, bool(question.verdict(value, value).makes))
        for value in range(low, high + 1)
    }
    solver = LayoutSolver(at.problem, [(objective, objective.start, objective.guess)], cards=False)
    hands = unranker(known, at, from_start=True)

    def test(ranks: Sequence[int]) -> list[int]:
        rows = memoryview(solver.values(hands.hands(words_of(ranks)))).cast("h")
        return [rank for rank, value in zip(ranks, rows[1::2], strict=True) if passes[value]]

    return test


def _holds(condition: Expression, makes: bool) -> bool:
    return bool(condition.value(Facts((), lambda _: makes)))
