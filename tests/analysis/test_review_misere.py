"""A Misère too hard for exact trick counts is reviewed as made or failed."""

from __future__ import annotations

from random import Random

import pytest

from spadille.analysis.review.review import review
from spadille.analysis.value.card_values import card_values
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.games import rules_for
from spadille.search.limits import Limits
from tests.analysis.test_review import random_play
from tests.support.deals_and_outcomes import random_deal
from tests.support.random_endings import case
from tests.support.tiers import tries

MISERES = [("solo-whist", "misere"), ("anna-cubed", "misere-ouverte"), ("squint", "misere")]


def word(tricks: int) -> str:
    return "failed" if tricks else "made"


@pytest.mark.parametrize(("game", "contract_id"), MISERES)
def test_made_or_failed_in_place_of_tricks(game: str, contract_id: str) -> None:
    rough_ones = 0
    for seed in range(tries(15, 30)):
        deal, contract = case(game, "", contract_id, seed)
        play = random_play(deal, contract, Random(seed))
        exact = review(deal, contract, play, every=True, limits=Limits(hard_nodes=0))
        rough = review(deal, contract, play, every=True, limits=Limits(hard_nodes=1))
        assert exact.unit == "tricks"
        if rough.unit == "tricks":  # bounds alone settled it
            assert rough.accounts == exact.accounts
            continue
        rough_ones += 1
        account = rough.account
        assert rough.unit == "outcome"
        assert (account.start, account.result) == tuple(
            word(tricks) for tricks in (exact.account.start, exact.account.result)
        )
        assert account.turning_point == exact.account.turning_point
        for one, other in zip(rough.steps, exact.steps, strict=True):
            assert (one.before, one.after) == (word(other.before), word(other.after))
            assert one.cost == (one.before != one.after)
            assert (one.mark == "??") == (other.mark == "??")
        lost = account.start == "made"
        assert (lost - account.lost + account.given) == (account.result == "made")
    assert rough_ones


@pytest.mark.parametrize(("game", "contract_id"), MISERES)
def test_cards_that_make_or_fail(game: str, contract_id: str) -> None:
    rough_ones = 0
    for seed in range(30):
        deal, contract = case(game, "", contract_id, seed)
        exact = card_values(deal, contract, limits=Limits(hard_nodes=0))
        rough = card_values(deal, contract, limits=Limits(hard_nodes=1), line=True)
        assert rough.makes == exact.makes
        for one, other in zip(rough.cards, exact.cards, strict=True):
            assert (one.card, one.makes, one.outcome) == (other.card, other.makes, other.outcome)
            assert one.effect == other.effect
        if rough.unit == "outcome":
            rough_ones += 1
            assert rough.value == word(exact.value)
            line = [card for trick in rough.line for card in trick]
            after = review(deal, contract, line, limits=Limits(hard_nodes=1))
            assert not any(step.mark == "??" for step in after.steps)
    assert rough_ones


def test_a_hopeless_whole_hand() -> None:
    random = Random(1)
    deal = random_deal(rules_for("solo-whist"), random)
    contract = max(
        (Contract.make(deal, "misere", seat) for seat in deal.rules.seats),
        key=lambda one: sum(card[1] in "AKQ" for card in deal.hands[one.declarer] or ()),
    )
    assert solve(deal, contract).makes is False
    play = random_play(deal, contract, random)
    assert review(deal, contract, play, limits=Limits(hard_nodes=10_000)).account.start == "failed"
    assert card_values(deal, contract, limits=Limits(hard_nodes=10_000)).value == "failed"
