"""Parse conditions on layouts, for questions about a player's knowledge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spadille.core.arguments import check_deal
from spadille.core.deal import Deal
from spadille.core.knowledge.conditioned_layouts import LayoutTest
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.generate.deals.condition_expressions import read_conditions
from spadille.generate.deals.condition_functions import Setting
from spadille.generate.deals.condition_values import Answers
from spadille.generate.deals.counting_sampler import counted_test
from spadille.generate.deals.makes_in_layouts import made_test
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

    counted = [counted_test(expression, deal.rules.game.hand_size) for expression in wanted]
    asked = [expression for expression in wanted if expression.asked]
    # All layouts already meet the counted conditions.
    cards = [
        group for group, test in zip(wanted, counted, strict=True) if not test and not group.asked
    ]

    def layout_tests(known: Knowledge) -> list[LayoutTest] | None:
        made = [made_test(expression, known) for expression in asked]
        if not made or None in made:
            return None

        def card_test(ranks: Sequence[int]) -> list[int]:
            dealt = ((rank, known.deal_of(known.layouts.unrank(rank))) for rank in ranks)
            return [rank for rank, other in dealt if all(map(Answers(other, solver).holds, cards))]

        return [*([card_test] if cards else []), *filter(None, made)]

    holds.__name__ = text.strip()
    vars(holds)["tests"] = layout_tests
    vars(holds)["counted"] = [test for test in counted if test is not None]
    vars(holds)["whole"] = None not in counted
    return holds
