"""Bugs of `mutate_python.py` that change nothing observable, by name, each with the reason."""

from __future__ import annotations

EQUIVALENT = {
    "analysis/chances/player.py:Player._best:truth: False -> True": (
        "double-dummy values cost time, but a player does not use them"
    ),
    "analysis/chances/player.py:Player._best:argument: without double_dummy=False": (
        "as for False -> True"
    ),
    "analysis/chances/plans.py:_numbers:argument: without cards=False": (
        "only the question of each layout is wanted, and it does not depend on whether the solver"
        " could also answer it after each card"
    ),
    "analysis/chances/plans.py:PlanSearch.__init__:argument: without memory=memory": (
        "the table of the double-dummy values may be larger, which changes no value"
    ),
    "pbn/canonical_values.py:canonical_value:word: \"\" -> 'x'": "no seat is called x",
    "pbn/canonical_values.py:canonical_value:word: \"\" -> 'x' #2": "no seat is called x",
    "core/knowledge/conditioned_layouts.py::number: 40 -> 41": (
        "any number is good that no block of ordinary draws reaches"
    ),
    "core/knowledge/bid_inferences.py:_duties:slice: without size - number": (
        "the number of other cards decides no duty"
    ),
    "core/knowledge/bid_inferences.py:_duties:arithmetic: size - number -> (size + number)": (
        "the number of other cards decides no duty"
    ),
    "core/knowledge/bid_inferences.py:_what_could_be_called:number: 1 -> 2 #8": (
        "all other cards of the suit together count for less than one that could be called, so no"
        " hand has the sums that are added"
    ),
    "core/knowledge/bid_inferences.py:_what_could_be_called:word: \"\" -> 'x' #2": (
        "no card has the rank x"
    ),
    "core/knowledge/bid_inferences.py:_what_could_be_called:number: 1 -> 0 #6": "as for 1 -> 2 #6",
    "core/knowledge/bid_inferences.py:_what_could_be_called:number: 1 -> 2 #6": (
        "the cards of the suit that could not be called count for less than one that could,"
        " together and either way"
    ),
    "analysis/chances/exchange_from_own_hand.py:_lowest:element: without card": (
        "the cards come in ascending order, and sorting is stable"
    ),
    "analysis/chances/contract_values_by_layout.py:ProspectSums.__init__:number: 0 -> 1 #2": (
        "where a payoff is missing the sums are compared with those of other such contracts alone,"
        " and all of these are equal"
    ),
    "analysis/chances/surrender_row.py:Surrenders.__init__:number: 0 -> 1 #2": (
        "the least share is never above 0, so neither 0 nor 1 is less"
    ),
    "core/knowledge/card_facts.py:Hidden._tally:number: 1 -> 2 #3": (
        "the step counts only if some card has a value, and then it is taken from there"
    ),
    "core/knowledge/play_inferences.py:SeenPlay._mixed:number: 1 -> 2 #3": (
        "all lower matadors together have less than one more higher one, so no hand has the sums"
        " that are added"
    ),
    "core/knowledge/starting_knowledge.py:Start._keep_trumps:condition: without ()": (
        "a seat that has drawn and put nothing away yet is asked about as it was dealt, without the"
        " step"
    ),
    "core/knowledge/starting_knowledge.py:exchange_steps:condition: without () #3": (
        "as for _keep_trumps"
    ),
    "core/knowledge/layouts.py:BinSum.number:number: 99 -> 98": "no hand has so many cards",
    "pbn/parse_document.py::word: r\"(?!)\" -> '(?!)x'": "neither matches anything",
    "pbn/canonical_values.py:canonical_value:condition: without trump": (
        "neither None nor an empty string is a suit, so the value stays the same"
    ),
    "pbn/inferred_hands.py::word: \"98765432\" -> '98765432x'": "no card has the rank x",
    "pbn/inferred_hands.py:_read_columns:word: \"\" -> 'x'": "neither is a seat",
    "pbn/inferred_hands.py:_choose:word: \"\" -> 'x'": "neither is a seat",
    "pbn/session_facts.py:Session.rules:word: \"\" -> 'x'": "no rule has this value",
    "pbn/play_section.py:rows_of:slice: without start + size": (
        "zip stops at the end of the columns anyway"
    ),
    "games/model/game_digest.py:_parts:word: \")\" -> ')x'": (
        "any text that ends a part tells it from the next"
    ),
    "games/model/game_digest.py:_function:word: \"\" -> 'x'": (
        "any text stands for a function without code"
    ),
    'games/model/game.py:Rules.antes:element: without "pool"': "the pool's gain is set afterwards",
}
