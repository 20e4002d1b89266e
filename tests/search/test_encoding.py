"""The engine's terms against `Position`: the same legal cards and winners all through a hand."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from spadille.analysis.value.solve import solve
from spadille.base.errors import DealError, IllegalCardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from tests.support.deals_and_outcomes import random_deal
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case, contract_of, some_trump
from tests.support.tiers import each_of


@each_of(CASES, 2)
def test_play_is_the_same(game: str, options: str, contract_id: str) -> None:
    solver = Solver()
    random = Random(f"{game} {options} {contract_id}")
    rules = rules_for(game, options)
    kind = rules.contract(contract_id)
    for _ in range(2):
        deal = random_deal(rules, random)
        contract = contract_of(deal, kind, some_trump(rules, kind, random), random)
        position = Position.of(deal, contract)
        at = situation(deal, contract)
        problem, code = at.problem, at.encoding
        played: list[str] = []
        while not position.finished:
            legal, _ = solver.legal(problem)
            assert code.cards(legal) == position.legal()
            assert rules.turn_order[problem.to_play] == position.to_play
            card = random.choice(position.legal())
            position.play(card)
            problem = problem.played(code.numbers[card])
            played.append(card)
        again = situation(deal, contract, played)
        assert again.problem == problem
        assert again.won == tuple(position.won[seat] for seat in rules.turn_order)
        # A Tout ends at its first lost trick.
        cut = kind.ends_when_lost and any(
            seat != contract.declarer for seat in [trick.winner for trick in position.tricks]
        )
        assert cut or len(again.history) == rules.game.hand_size
        assert len(again.history) == len(position.tricks)


def test_unknown_hands_are_refused() -> None:
    deal, contract = case("ombre", "", "entrada", 0)
    unknown = replace(deal, hands={**deal.hands, "2": None})
    with pytest.raises(DealError, match=r"2's hand is unknown, so the deal cannot be solved"):
        solve(unknown, contract)


def test_hands_that_are_no_position_are_refused() -> None:
    deal, contract = case("mensch", "", "five", 0)

    def with_north(*cards: str) -> Deal:
        return replace(deal, hands={**deal.hands, "N": cards})

    with pytest.raises(DealError, match="equal length can be solved, not N 1, E 3"):
        solve(with_north("SA"), contract)
    with pytest.raises(DealError, match="held twice"):
        solve(with_north(*(deal.hands["E"] or ())), contract)
    with pytest.raises(DealError, match="S2 is not in the pack of Mensch"):
        solve(with_north("S2", "S3", "S4"), contract)


def test_cards_that_cannot_be_played_are_refused() -> None:
    deal, contract = case("mensch", "", "five", 0)
    leader = deal.leader or ""
    other = next(seat for seat in deal.hands if seat != leader)
    card = (deal.hands[other] or ())[0]
    with pytest.raises(IllegalCardError, match=f"{leader} does not hold {card}"):
        solve(deal, contract, play=[card])


def test_the_duty_ends_when_the_called_card_has_been_played() -> None:
    deal = Deal.parse("N:A... .K.. ..Q. ...J", "mensch", leader="N")
    contract = Contract(("N",), ("half",), "C", "HK", "E")
    at = situation(deal, contract)
    assert at.problem.called == at.encoding.numbers["HK"]
    assert situation(deal, replace(contract, called="H9")).problem.called == -1
    free = replace(deal, rules=rules_for("mensch", "called_card_duty=none"))
    assert situation(free, contract).problem.called == -1
