"""Conditions on layouts as people write them, for whoever asks what a player could have known."""

from __future__ import annotations

from collections.abc import Callable

from spadille.core.arguments import check_deal
from spadille.core.deal import Deal
from spadille.generate.deals.expression import read_conditions
from spadille.generate.deals.expression_names import Setting
from spadille.generate.deals.expression_values import Answers
from spadille.search.engine import Solver


def condition(text: str, deal: Deal) -> Callable[[Deal], bool]:
    """Read a condition as in `deals`, and return the function of a Deal that tells if it holds.

    Of `deal` the game, its options, the dealer and the current trump count, and none of the hands:
    other deals of the same are asked, as by `where` of `chances`. Raises ArgumentError for what
    cannot be read.
    """
    check_deal(deal)
    wanted = read_conditions(text, Setting(deal.rules, deal.dealer, deal.current_trump))
    wanted.sort(key=lambda expression: bool(expression.asked))  # what has to be solved comes last
    solver = Solver()

    def holds(other: Deal) -> bool:
        answers = Answers(other, solver)
        return all(answers.holds(expression) for expression in wanted)

    holds.__name__ = text.strip()
    return holds
