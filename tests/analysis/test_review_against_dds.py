"""Values along played hands of 52 cards, and of all legal cards, against DDS through endplay."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spadille.analysis.review.review import review
from spadille.analysis.value.card_values import card_values
from spadille.base.card_text import SUITS, format_hand
from spadille.core.contract import Contract, first_leader
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.search.engine import Solver
from tests.support.deals_and_outcomes import random_deal

types: Any
dds: Any


@pytest.fixture(scope="module", autouse=True)
def endplay() -> None:
    """Import it on first use, since its drawing code takes a second to load."""
    global types, dds
    types = pytest.importorskip("endplay.types")
    dds = pytest.importorskip("endplay.dds")


DENOMS = (*SUITS, "NT")  # as DDS numbers them


def played(seed: int) -> tuple[Deal, Contract, list[str]]:
    """A hand of North and South against East and West, half of its cards played at random."""
    random = Random(seed)
    rules = rules_for("anna-cubed")
    deal = random_deal(rules, random)
    declarer = random.choice("NESW")
    partner = "NESW"["SWNE".index(declarer)]
    contract = Contract((declarer,), ("prop-cop",), random.choice(DENOMS), partner=partner)
    position = Position.of(deal, contract)
    play: list[str] = []
    while not position.finished:
        legal = position.legal()
        # Mostly the lowest card, so that tricks are contested to the end.
        play.append(legal[-1] if random.random() < 0.5 else random.choice(legal))
        position.play(play[-1])
    return deal, contract, play


def as_endplay(deal: Deal, contract: Contract, leader: str) -> Any:
    hands = " ".join(format_hand(deal.hands[seat] or ()) for seat in "NESW")
    return types.Deal(
        f"N:{hands}",
        first=types.Player.find(leader),
        trump=types.Denom(DENOMS.index(contract.trump)),
    )


def check_trace(solver: Solver, seed: int) -> None:
    deal, contract, play = played(seed)
    found = review(deal, contract, play, solver=solver)
    leader = found.leader
    # DDS returns the tricks of the side that does not lead first.
    trace = dds.analyse_play(
        as_endplay(deal, contract, leader), [types.Card(card) for card in play]
    )
    mine = leader in contract.side
    expected = [13 - value if mine else value for value in trace]
    values = [step.before for step in found.steps] + [found.account.result]
    assert values[: len(expected)] == expected, seed


def check_cards(solver: Solver, seed: int) -> None:
    deal, contract, play = played(seed)
    number = Random(seed).randint(4, 40)
    found = card_values(deal, contract, play[:number], solver=solver)
    position = as_endplay(deal, contract, first_leader(deal, contract))
    for card in play[:number]:
        position.play(types.Card(card))
    won = Position.of(deal, contract)
    for card in play[:number]:
        won.play(card)
    side = found.player in contract.side
    before = sum(tricks for seat, tricks in won.won.items() if seat in contract.side)
    left = 13 - len(won.tricks)
    expected = {
        card_text(card): before + (value if side else left - value)
        for card, value in dds.solve_board(position)
    }
    assert {one.card: one.tricks for one in found.cards} == expected, seed


def card_text(card: Any) -> str:
    return SUITS[int(card.suit)] + str(card.rank.abbr)


def test_traces_against_dds() -> None:
    solver = Solver()
    for seed in range(4):
        check_trace(solver, seed)


def test_cards_against_dds() -> None:
    solver = Solver()
    for seed in range(10):
        check_cards(solver, seed)


@pytest.mark.slow
def test_traces_and_cards_against_dds_at_length() -> None:
    solver = Solver()
    for seed in range(1_000, 1_100):
        check_trace(solver, seed)
        check_cards(solver, seed)
