"""Compare surrenders on a page with `card_values` and the chips named in the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from spadille import card_values
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.deal_settlement import Settled
from spadille.analysis.evening.evening_settlement import settle
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.games.model.game import Rules
from spadille.pages.deal_facts import DealFacts, DealRecord, facts_of_deals
from spadille.pages.game_tables import deal_tables, game_tables
from spadille.pages.page import write
from spadille.pages.page_data import data
from spadille.pages.wasm_module import is_current, module
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import read
from tests.pages.test_card_values import DONE
from tests.support.deals_and_outcomes import random_deal
from tests.support.page_scripts import ENGINE_SCRIPTS, run
from tests.support.tiers import part

pytestmark = pytest.mark.skipif(not is_current(), reason="the engine for pages is stale")

# The worker's answer for each position: the surrender, and how the page shows it.
SURRENDERS = """async ({ module, asked }) => {
    const engine = await Engine.load(await unpack(module));
    const found = [];
    for (const { game, deal, contract, moves } of asked) {
        let last = null;
        const desk = new Desk(engine, (answer) => { last = answer; });
        const request = { id: 1, ask: "values", game, deal, moves };
        await desk.take({ ...request, contract: contractOf(contract, game) });
        const surrender = last.surrender;
        found.push({ told: surrender, text: surrender && surrenderInWords(surrender) });
    }
    return found;
}"""


def found(every: list[tuple[Deal, Contract, list[str]]]) -> list[dict[str, Any]]:
    """Return the page's results for positions, each a deal, a contract and the cards played."""
    asked = [
        {
            "game": game_tables(deal.rules),
            "deal": {**deal_tables(deal), "hands": deal.playing_hands()},
            "contract": contract.to_dict(),
            "moves": moves,
        }
        for deal, contract, moves in every
    ]
    return run(ENGINE_SCRIPTS, SURRENDERS, {"module": module(), "asked": asked})  # type: ignore[no-any-return]


def points(rules: Rules, rng: Random, number: int) -> Iterator[tuple[Deal, Contract, list[str]]]:
    """Yield points of random play in an Entrada with the declarer to move, up to the fifth card."""
    for turn in range(number):
        deal = replace(random_deal(rules, rng), pool=rng.choice([None, 5, 20]))
        hands = deal.playing_hands()
        seat = rng.choice(rules.seats)
        trump = rng.choice("SHDC")
        if turn % 2:  # a hand that is worth a bid
            seat, trump = max(
                ((seat, suit) for seat in rules.seats for suit in "SHDC"),
                key=lambda one: len({*rules.trump_cards(one[1])} & {*(hands[one[0]] or ())}),
            )
        contract = Contract((seat,), ("entrada",), trump)
        position = Position.of(deal, contract)
        moves: list[str] = []
        trick = rng.randint(1, 5)
        while position.to_play != seat or len(moves) // 3 + 1 < trick:
            moves.append(rng.choice(position.legal()))
            position.play(moves[-1])
        yield deal, contract, moves


@pytest.mark.ci
@pytest.mark.parametrize("options", part(["", "estuche_chips=3;takeover_pool=doubled"], 1, 2))
def test_a_surrender_is_worth_what_cards_says(options: str) -> None:
    every = list(points(rules_for("ombre", options), Random(f"surrenders {options}"), 16))
    seen = set()
    for point, shown in zip(every, found(every), strict=True):
        decision = card_values(*point).decision
        if decision is None:
            assert len(point[2]) // 3 == 4  # up to the fifth trick
            assert shown["told"] is None
            continue
        told = shown["told"]
        assert told["seat"] == point[1].declarer
        assert told["surrendered"] == decision.payoffs["surrendered"], point
        assert told["takenOver"] == decision.taken_over
        # The values of `cards` include the option to surrender later.
        pool = 5 if point[0].pool is None else point[0].pool
        assert told["playedOn"] == decision.payoffs["played_on"] or (
            told["playedOn"] < decision.payoffs["played_on"] <= -pool
        )
        seen.add((told["takenOver"] is None, told["playedOn"] > told["surrendered"]))
    assert len(seen) > 2


HAND = """
[Game "ombre"]
[Dealer "3"]
[Deal "3:AK.Q.J74.KJ7 Q73.J3.AK.A4 J4.5.653.Q62"]
[Declarer "3"]
[Contract "entrada"]
[Trump "D"]
"""


def point() -> tuple[Deal, Contract, list[str]]:
    [entry] = read(HAND)
    assert entry.deal is not None
    assert entry.contract is not None
    return entry.deal, entry.contract, ["S4", "S3"]


def test_a_surrender_costs_as_many_chips_as_are_in_the_pool() -> None:
    """In Ombre the declarer is "only obligated to add to the pile": 5, or as much as it holds."""
    first = point()
    more = replace(first[0], pool=35), *first[1:]
    shown = found([first, more])
    assert [each["told"]["surrendered"] for each in shown] == [-5, -35]
    assert "Surrendering pays -35" in shown[1]["text"]


@pytest.mark.ci
def test_nobody_is_told_of_a_surrender_that_is_not_granted() -> None:
    """An option must count surrenders; a Vuelta needs consent, and a Solo allows no surrender."""
    deal, contract, moves = point()
    assert found([(deal, contract, moves)])[0]["told"]
    unasked = replace(deal, rules=rules_for("ombre", "surrender=not-counted"))
    vuelta, solo = (replace(contract, ids=(kind,)) for kind in ("vuelta", "solo"))
    every = [(unasked, contract, moves), (deal, vuelta, moves), (deal, solo, moves)]
    assert [each["told"] for each in found(every)] == [None] * 3


@pytest.mark.ci
def test_an_end_position_counts_the_tricks_that_were_won() -> None:
    """A player who has lost too many tricks cannot take over; earlier first tricks count."""
    rules = rules_for("ombre")
    every = []
    for deal, contract, moves in points(rules, Random("surrender in an ending"), 24):
        position = Position.of(deal, contract)
        for card in moves:
            position.play(card)
        whole = len(moves) // 3 * 3
        if 0 < whole < 12 and len(moves) == whole:
            hands = {seat: tuple(hand) for seat, hand in position.hands.items()}
            left = {"leader": position.to_play, "won": dict(position.won)}
            ending = Deal(rules, deal.dealer, hands, pool=deal.pool, **left)
            every.append((ending, contract, []))
    assert len(every) > 2
    for asked, shown in zip(every, found(every), strict=True):
        decision = card_values(*asked).decision
        assert decision is not None
        assert shown["told"]["surrendered"] == decision.payoffs["surrendered"]
        assert shown["told"]["takenOver"] == decision.taken_over


def hand(more: str = "") -> tuple[Entry, Settled]:
    [entry] = read(HAND + more)
    [settled] = settle([entry])
    return entry, settled


def test_whoever_has_taken_over_does_not_surrender() -> None:
    entry, settled = hand('[Surrender "3:1@1"]')
    [deal] = data([DealFacts(DealRecord(entry, settled), DealScore(settled=settled))])["deals"]
    game = game_tables(rules_for("ombre"))
    asked = [{"game": game, "deal": deal, "contract": deal["takenOver"]["contract"], "moves": []}]
    [shown] = run(ENGINE_SCRIPTS, SURRENDERS, {"module": module(), "asked": asked})
    assert shown["told"] is None


def test_it_stands_with_the_cards_of_the_declarer(visit: Any) -> None:
    page = visit(write(list(facts_of_deals([DealRecord(*hand())]))))
    page.get_by_role("button", name="Play it through").click()
    page.wait_for_function(DONE)
    assert page.locator(".felt .surrender").count() == 0  # an opponent leads
    for card in ("S4", "S3"):
        page.locator(f".felt [data-card={card}]").click()
        page.wait_for_function(DONE)
    assert page.locator(".felt .turn .surrender").inner_text() == (
        "Surrendering pays -5; playing on to the end, +25."
    )
    page.get_by_role("button", name="Quiz", exact=True).click()
    assert page.locator(".felt .surrender").count() == 0
