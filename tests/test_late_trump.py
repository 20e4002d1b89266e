"""Solo Whist's Abundance with trumps named at the declarer's first card (RULES 8 and 12)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from spadille.analysis.best import best
from spadille.analysis.cards import card_values
from spadille.analysis.review import review
from spadille.analysis.solve import solve
from spadille.cards import CARD_ORDER, format_hand
from spadille.deal import Contract, Deal
from spadille.errors import ContractError
from spadille.position import Position
from spadille.rules import Rules
from spadille.search.encoding import situation
from spadille.search.objective import LateTrump, objective_of


def deal(seed: int, timing: str, dealer: str) -> Deal:
    cards = list(CARD_ORDER)
    Random(seed).shuffle(cards)
    hands = [cards[i : i + 13] for i in range(0, 52, 13)]
    text = " ".join(format_hand(hand) for hand in hands)
    options = {"abundance_trump_timing": timing}
    return Deal.parse(f"N:{text}", "solo-whist", dealer, options, current_trump="H")


def late(position: Position, deal: Deal, seat: str, play: tuple[str, ...], need: int) -> bool:
    """Whether the declarer can take `need` tricks, straight from the rule."""
    if position.to_play == seat:
        fixed = Deal(
            rules=type(deal.rules)(deal.rules.game, {}),
            dealer=deal.dealer,
            hands=deal.hands,
            current_trump="H",
        )
        return any(
            (solve(fixed, Contract.make(fixed, "abundance", seat, trump), play=play).tricks or 0)
            >= need
            for trump in "SDC"
        )
    for card in position.legal():
        position.play(card)
        good = late(position, deal, seat, (*play, card), need)
        position.undo()
        if not good:
            return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_trumps_named_after_the_first_lead(seed: int) -> None:
    # South deals, so that West leads before North plays.
    whole = deal(seed, "at-first-turn", "S")
    contract = Contract.make(whole, "abundance", "N", "S")
    found = solve(whole, contract, leads=True)
    assert found.tricks is not None
    for need in (found.tricks, found.tricks + 1):
        position = Position.of(whole, contract)
        assert position.to_play == "W"
        assert late(position, whole, "N", (), need) == (need == found.tricks)
    assert min(found.leads.values()) == found.tricks
    before = deal(seed, "before-play", "S")
    fixed = [solve(before, Contract.make(before, "abundance", "N", t)).tricks for t in "SDC"]
    assert found.tricks >= max(fixed)
    with pytest.raises(ContractError, match="trumps are not named"):
        solve(whole, contract, line=True)


def test_once_he_has_played_the_trump_is_that_of_the_contract() -> None:
    whole = deal(1, "at-first-turn", "S")
    contract = Contract.make(whole, "abundance", "N", "S")
    position = Position.of(whole, contract)
    play = []
    for _ in range(2):
        play.append(position.legal()[0])
        position.play(play[-1])
    assert not isinstance(objective_of(contract, situation(whole, contract, play), "N"), LateTrump)
    before = deal(1, "before-play", "S")
    same = solve(before, Contract.make(before, "abundance", "N", "S"), play=play)
    assert solve(whole, contract, play=play, line=True).tricks == same.tricks


def test_the_declarer_who_leads_names_the_best_trump() -> None:
    whole, before = deal(2, "at-first-turn", "W"), deal(2, "before-play", "W")
    found = solve(whole, Contract.make(whole, "abundance", "N", "C"))
    fixed = [solve(before, Contract.make(before, "abundance", "N", t)).tricks for t in "SDC"]
    assert found.tricks == max(fixed)


@pytest.mark.parametrize("seed", range(3))
def test_payoffs_and_the_best_contract_wait_for_the_trump_as_well(seed: int) -> None:
    whole = deal(seed, "at-first-turn", "S")
    contract = Contract.make(whole, "abundance", "N", "S")
    found = solve(whole, contract)
    assert found.tricks is not None
    game = whole.rules.game
    for target in (found.tricks, found.tricks + 1):
        variants = {
            option: {name: replace(kind, target=target) for name, kind in kinds.items()}
            for option, kinds in game.contract_variants.items()
        }
        named = f"abundance {target}"
        rules = Rules(replace(game, id=named, contract_variants=variants), whole.rules.options)
        variant = replace(whole, rules=rules)
        secured = solve(variant, contract, objective="score").secured
        assert secured is not None
        assert secured.payoff == (9 if target == found.tricks else -9)
        [offer] = best(variant, ["abundance"]).seats["N"]
        assert offer.payoff == secured.payoff


def test_values_of_cards_and_a_review_before_the_trump_is_named() -> None:
    whole = deal(1, "at-first-turn", "S")
    contract = Contract.make(whole, "abundance", "N", "S")
    position = Position.of(whole, contract)
    play = []
    while not position.finished:
        play.append(position.legal()[0])
        position.play(play[-1])
    found = review(whole, contract, play)
    for number in range(6):
        expected = solve(whole, contract, play=play[:number], leads=True)
        assert found.steps[number].before == expected.tricks
        cards = card_values(whole, contract, play[:number]).cards
        assert {one.card: one.tricks for one in cards} == expected.leads
    with pytest.raises(ContractError, match="trumps are not named"):
        card_values(whole, contract, line=True)
