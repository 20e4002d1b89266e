"""Conditions on what makes are tested many layouts at a time, with the answers of `solve`."""

from __future__ import annotations

from random import Random

import pytest

from spadille import Assumptions, Deal, Knowledge, Position, condition, know, solve
from tests.support.tiers import games_by_tier

LONE = {
    "anna-cubed": ("N abundance H", "solo", "misere", "abundance, {other}"),
    "german-solo": ("N solo H", "solo, S", "tout, D"),
    "mensch": ("N solo H", "solo, S", "six, D"),
    "ombre": ("2 solo H", "solo, S", "entrada, D"),
    "quadrille": ("N solo H", "solo, S", "vole, D"),
    "quintille": ("1 solo H", "solo, S", "vole, D"),
    "solo-whist": ("N misere", "solo", "misere", "abundance, {other}"),
}


def knowledge(game: str, seed: int, played: int, text: str) -> tuple[Knowledge, Knowledge]:
    """Return what a player knows in the course of play, without and with a condition."""
    deal, random = Deal.random(game, seed), Random(seed)
    position, cards = Position.of(deal, LONE[game][0]), list[str]()
    for _ in range(played):
        cards.append(random.choice(position.legal()))
        position.play(cards[-1])
    asked = Assumptions(where=condition(text, deal))
    return (
        know(deal, LONE[game][0], None, cards),
        know(deal, LONE[game][0], None, cards, assumptions=asked),
    )


@pytest.mark.parametrize("game", games_by_tier("german-solo", "ombre", among=LONE))
def test_layouts_are_those_in_which_the_contract_makes(game: str) -> None:
    answers = []
    for seed, words in enumerate(LONE[game][1:] * 2):
        deal = Deal.random(game, seed)
        seat = deal.rules.seats[-1 - seed % 3]
        words = words.format(other="S" if deal.current_trump == "D" else "D")
        makes = f"makes({seat}, {words})"
        free, limited = knowledge(game, seed, 3 * seed, f"not {makes} and trumps({seat}, H) >= 1")
        holds = condition(makes, free.deal)
        (test,) = holds.tests(free)  # type: ignore[attr-defined]
        ranks = free.layouts.sample(12, seed)
        deals = [free.deal_of(free.layouts.unrank(rank)) for rank in ranks]
        one_by_one = [holds(deal) for deal in deals]
        assert test(ranks) == [rank for rank, made in zip(ranks, one_by_one, strict=True) if made]
        solved = [solve(deal, f"{seat} {words.replace(',', '')}").makes for deal in deals[:2]]
        assert one_by_one[:2] == solved
        answers += one_by_one
        assert limited.where[0].tests(limited) is not None  # type: ignore[attr-defined]
        for rank in limited.fitting.sample(4, seed):
            deal = limited.deal_of(limited.layouts.unrank(rank))
            assert limited.where[0](deal)
            assert not holds(deal)
    assert len(answers) >= 48
    assert False in answers


def test_what_depends_on_the_layout_is_tested_one_by_one() -> None:
    for game, contract, text in (
        ("german-solo", "N solo H", "makes(E, frog, S)"),  # the side
        ("german-solo", "N solo H", "payoff(E, solo, S) > 0"),
        ("german-solo", "N solo H", "makes(E, solo, S) or trumps(W, S) > 4"),
        ("quadrille", "N solo H", "makes(E, 'forced-spadille', S)"),  # the declarer
    ):
        deal = Deal.random(game, 1)
        known = know(deal, contract, "S")
        assert condition(text, deal).tests(known) is None  # type: ignore[attr-defined]
