"""End positions on a page: tricks won before count as they do for `card_values`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest

from spadille.base.errors import ContractError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.games.model.game import Rules
from spadille.pages.game_tables import deal_tables, game_tables
from spadille.pages.script_bundle import joined
from spadille.pages.wasm_module import is_current, module
from tests.pages.test_card_values import OPTIONS, contracts, expected
from tests.support.deals_and_outcomes import random_deal
from tests.support.page_scripts import ENGINE_SCRIPTS

pytestmark = pytest.mark.skipif(not is_current(), reason="the engine for pages is stale")

VALUES = """async ({ module, game, asked }) => {
    const engine = await Engine.load(await unpack(module));
    const found = [];
    for (const { deal, contract } of asked) {
        let last = null;
        const desk = new Desk(engine, (answer) => { last = answer; });
        const request = { id: 1, ask: "values", game, deal, moves: [] };
        await desk.take({ ...request, contract: contractOf(contract, game) });
        const cards = Object.keys(last.values[0].cards);
        const several = last.values.length;
        const label = (card) => last.values
            .map((one) => onCard(one, one.cards[card], several, false)).join(", ");
        found.push(Object.fromEntries(cards.map((card) => [card, label(card)])));
    }
    return found;
}"""


def ending(deal: Deal, contract: Contract, rng: Random) -> Deal | None:
    """Return the position after some tricks of random play, or None if the hand is over."""
    position = Position.of(deal, contract)
    size = deal.rules.game.hand_size
    for _ in range(rng.randint(size // 2, size - 1) * len(deal.rules.seats)):
        if position.naming or position.finished:
            return None
        position.play(rng.choice(position.legal()))
    if position.finished:
        return None
    return Deal(
        deal.rules,
        deal.dealer,
        {seat: tuple(hand) for seat, hand in position.hands.items()},
        leader=position.to_play,
        won=dict(position.won),
        current_trump=deal.current_trump,
    )


def endings(rules: Rules, rng: Random) -> Iterator[tuple[Deal, Contract, dict[str, str]]]:
    """Return several end positions of each contract, with the values of their cards."""
    for _ in range(4):
        deal = random_deal(rules, rng)
        for kind in contracts(deal):
            contract = rng.choice(kind)
            left = ending(deal, contract, rng)
            if left is None:
                continue
            try:
                worth = expected(left, contract, [])
            except ContractError:  # which of the tricks won were clean
                continue
            yield (
                left,
                contract,
                {card: each.removesuffix(", best") for card, each in worth.items()},
            )


@pytest.mark.parametrize("game", GAMES)
def test_values_are_those_of_cards(visit, game):
    rules = rules_for(game, OPTIONS[game])
    every = list(endings(rules, Random(f"ending {game}")))
    names = "Engine, Desk, contractOf, unpack, onCard"
    code = joined(*ENGINE_SCRIPTS)
    page = visit(f"<!DOCTYPE html><script>{code}Object.assign(window, {{ {names} }});</script>")
    asked = [
        {
            "deal": {**deal_tables(deal), "hands": deal.playing_hands()},
            "contract": contract.to_dict(),
        }
        for deal, contract, _ in every
    ]
    given = {"module": module(), "game": game_tables(rules), "asked": asked}
    found = page.evaluate(VALUES, json.loads(json.dumps(given, default=list)))
    assert len(every) > 3
    for (deal, contract, worth), shown in zip(every, found, strict=True):
        assert shown == worth, (deal, contract)
