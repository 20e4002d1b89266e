"""Problems are set in contracts that some legal auction leads to."""

from __future__ import annotations

from random import Random

import pytest

from spadille.core.auction import auction_faults, result
from spadille.core.reachable_contracts import words_for
from spadille.games import rules_for
from spadille.generate.problems.biddable_deals import bid_on
from tests.support.tiers import tries


@pytest.mark.parametrize("game", ["mensch", "german-solo", "solo-whist"])
def test_the_contract_of_a_problem_can_be_bid(game: str) -> None:
    rules, rng, legal = rules_for(game), Random(game), 0
    for kind in rules.contracts.values():
        for _ in range(tries(1, 6)):
            found = bid_on(rules, kind, rng)
            if found is None:
                continue
            deal, contract = found
            words = words_for(deal, contract) if kind.holder is None else ["Pass"] * 4
            assert auction_faults(deal, words) == [], (words, str(contract))
            end = result(deal, words)
            assert end is not None
            assert end.ids == contract.ids
            legal += 1
    assert legal
