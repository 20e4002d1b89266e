"""The payoffs that a layout's value represents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spadille import Contract, Deal, know
from spadille.analysis.chances.encoded_decision import decision_of
from spadille.analysis.chances.value_meaning import kinds_of, placements
from spadille.games import rules_for
from spadille.games.model.game import Rules
from spadille.search.limited_search import Search
from spadille.search.limits import Limits


@pytest.mark.parametrize(("estuche", "telling"), [("0", 0), ("2", 4)])
def test_holders_of_the_highest_trumps_are_told_apart_if_they_pay(
    estuche: str, telling: int
) -> None:
    """The payoff depends on the holders of the matadors and the next trump, and no other card."""
    rules = Rules(Deal.random("ombre", 2).rules.game, {"estuche_chips": estuche})
    trumps = rules.trump_cards("H")
    for seed in range(99):
        deal = replace(Deal.random("ombre", seed), rules=rules)
        known = know(deal, Contract(("1",), ("solo",), "H"))
        if {*trumps[:6]} <= {*known.unseen}:
            break
    at = decision_of(known)
    kinds = kinds_of(known, at, Search(None, Limits()), forced=False)
    expected = [at.encoding.numbers[card] for card in trumps[:telling]]
    assert kinds.telling == expected


def test_matadors_of_the_partner_and_of_opponents_pay_differently() -> None:
    """The opponents are interchangeable, and the holder of the called card is the partner."""
    hand = Deal.random("quadrille", 4).hands["N"]
    deal = Deal(rules_for("quadrille"), "N", {"N": hand, "E": None, "S": None, "W": None})
    known = know(deal, Contract(("E",), ("alliance",), "S", called="HK"), "N")
    cases = dict(placements(known, ["HK", "SA"]))
    assert cases["S", "E"] != cases["S", "S"] != cases["S", "W"] != cases["S", "E"]
    known = know(deal, Contract(("E",), ("solo",), "S"), "N")
    cases = dict(placements(known, ["SA"]))
    assert cases["S",] == cases["W",] != cases["E",]
