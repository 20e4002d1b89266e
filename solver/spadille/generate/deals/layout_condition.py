"""Parse conditions on layouts, for questions about a player's knowledge."""

from __future__ import annotations

from collections.abc import Callable

from spadille.core.arguments import check_deal
from spadille.core.deal import Deal
from spadille.generate.deals.deal_sampler import counted_test
from spadille.generate.deals.expression import read_conditions
from spadille.generate.deals.expression_names import Setting
from spadille.generate.deals.expression_values import Answers
from spadille.search.engine import Solver


def condition(text: str, deal: Deal) -> Callable[[Deal], bool]:
    """Parse a condition as in `deals`, and return a function that tests it on a Deal.

    `deal` supplies the game, its options, the dealer and the current trump. Its hands do not
    matter, since the condition is tested on other deals, as in `chances(..., where=...)`. Raises
    ArgumentError if the text is invalid.
    """
    check_deal(deal)
    wanted = read_conditions(text, Setting(deal.rules, deal.dealer, deal.current_trump))
    wanted.sort(key=lambda expression: bool(expression.asked))  # conditions on values come last
    solver = Solver()

    def holds(other: Deal) -> bool:
        answers = Answers(other, solver)
        return all(answers.holds(expression) for expression in wanted)

    holds.__name__ = text.strip()
    tests = [counted_test(expression, deal.rules.game.hand_size) for expression in wanted]
    vars(holds)["counted"] = [test for test in tests if test is not None]
    vars(holds)["whole"] = None not in tests
    return holds
