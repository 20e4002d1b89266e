"""Judge a card that was played by what its player knew."""

from __future__ import annotations

from random import Random

import pytest

from spadille import Position, load, review
from spadille.analysis.chances.review_chances import judged
from spadille.analysis.chances.sampling_plan import Drawing
from spadille.core.recorded_auction import NO_CALLS
from tests.support.random_endings import part


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
