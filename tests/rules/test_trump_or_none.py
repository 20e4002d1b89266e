"""A game can define a contract with any trump suit or none by data alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import spadille
from spadille.base.card_text import sort_cards
from spadille.core.deal import Deal
from spadille.games import GAMES
from spadille.games.model.game import Rules
from spadille.pages.game_tables import game_tables
from tests.support.tiers import part

KIND = replace(GAMES["solo-whist"].contracts["abundance"], trump="any-or-none", target=2)
GAME = replace(
    GAMES["solo-whist"],
    id="free-abundance",
    hand_size=3,
    contract_variants={},
    contracts={**GAMES["solo-whist"].contracts, "abundance": KIND},
)


def small(seed: int) -> Deal:
    rules = Rules(GAME, {})
    cards = Random(seed).sample(rules.deck, 12)
    hands = {seat: sort_cards(cards[3 * n : 3 * n + 3]) for n, seat in enumerate(rules.seats)}
    return Deal(rules=rules, dealer="S", hands=hands, current_trump="H")


@pytest.mark.ci
@pytest.mark.parametrize("seed", part(range(10), 0, 4))
def test_each_trump_and_none_is_valued(seed: int) -> None:
    deal = small(seed)
    rows = [row for row in spadille.table(deal).rows if row.contract == "abundance"]
    assert [row.trump for row in rows if row.declarer == "N"] == ["S", "H", "D", "C", "NT"]
    for trump in ("S", "NT"):
        contract = deal.contract("abundance", "N", trump)
        assert spadille.solve(deal, contract).tricks == forced(deal, contract)


def forced(deal: Deal, contract: spadille.Contract, play: tuple[str, ...] = ()) -> int:
    """Return the declarer's tricks, by trying every line of play."""
    position = spadille.Position.of(deal, contract)
    for card in play:
        position.play(card)
    legal = position.legal()
    if not legal:
        return sum(trick.winner in contract.side for trick in position.tricks)
    values = [forced(deal, contract, (*play, card)) for card in legal]
    return max(values) if position.to_play in contract.side else min(values)


def test_the_page_offers_each_trump() -> None:
    kinds = game_tables(small(0).rules)["contracts"]
    (offered,) = [kind["trumps"][""] for kind in kinds if kind["id"] == "abundance"]
    assert offered == ("S", "H", "D", "C", "NT")
