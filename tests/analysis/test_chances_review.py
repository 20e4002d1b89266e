"""Judge a card by the knowledge of the player who played it."""

from __future__ import annotations

from random import Random

import pytest

from spadille import Contract, Deal, Position, card_values, load, review, rules_for
from spadille.analysis.chances import review_chances
from spadille.analysis.chances.review_chances import ReviewStrategy, judged
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.core.recorded_auction import NO_CALLS
from tests.support.tiers import part


@pytest.mark.parametrize("number", part([0, 8], 0, 2))  # an Ace solo with two Misères; Nemo
def test_each_of_several_contractors_is_judged_by_his_own_contract(number: int) -> None:
    entry = load("examples/squint.pbn")[number]
    assert entry.deal is not None
    assert entry.contract is not None
    position, rng, play = Position.of(entry.deal, entry.contract), Random(1), []
    while not position.finished:
        play.append(rng.choice(position.legal()))
        position.play(play[-1])
    plain = review(entry.deal, entry.contract, play)
    found = judged(plain, entry.deal, NO_CALLS, Drawing(samples=24, seconds=0))
    seen = set()
    for step in found.steps:
        assert bool(step.judged) == (step.choice and step.seat in entry.contract.declarers)
        if step.judged:
            seen.add(step.judged.verdict)
            assert (step.judged.verdict in ("error", "unlucky")) == bool(step[step.seat].cost)
            assert step.judged.rank > 1 or step.judged.verdict in ("unlucky", "fine")
    assert "unlucky" in seen
    assert "fine" in seen


def test_a_card_is_never_lucky_where_no_card_would_have_cost_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    assert entry.contract is not None
    assert entry.play is not None
    play = entry.play.cards[:20]
    # Pretend that the player could always have known of a better card.
    monkeypatch.setattr(review_chances, "is_worse", lambda *_: True)
    drawing = Drawing(samples=8, seconds=0, belief="none")
    found = judged(review(entry.deal, entry.contract, play), entry.deal, NO_CALLS, drawing)
    seen = set()
    for number, step in enumerate(found.steps):
        if step.judged is None:
            continue
        values = card_values(entry.deal, entry.contract, play[:number])
        at_stake = any(card.one.cost for card in values.cards)
        free = "lucky" if at_stake else "fine"
        assert step.judged.verdict == ("error" if step.one.cost else free)
        seen.add(step.judged.verdict)
    assert seen == {"error", "lucky", "fine"}


def test_every_card_that_was_a_choice_is_judged() -> None:
    """North had three cards to lead; West, who took the trick, had two to play."""
    hands = {"N": ("DA", "DK", "C9"), "E": ("D8", "C8", "S7"), "S": ("D9", "C7", "S8")}
    hands["W"] = ("DJ", "CK", "S9")
    deal = Deal(rules_for("mensch"), "N", hands, leader="N", won={"N": 3, "E": 2})
    contract = Contract(("N",), ("five",), "H")
    play = "C9 C8 C7 CK DJ DK D8 D9 DA S7 S8 S9"
    strategy = ReviewStrategy(
        review(deal, contract, play), deal, NO_CALLS, Drawing(samples=5, seconds=0)
    )
    found = Sampling(strategy).run()
    assert [(step.card, step.judged.verdict) for step in found.steps if step.judged] == [
        ("C9", "error"),
        ("DJ", "unlucky"),
    ]
    assert strategy.samples == 10  # of both decisions
