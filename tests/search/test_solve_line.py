"""Every card of an optimal line keeps the value, and people would play it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.search.engine import Solver
from tests.support.deals_and_outcomes import random_deal
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case, contract_of, some_trump
from tests.support.tiers import each_of


def check_line(
    deal: Deal, contract: Contract, solver: Solver, seat: str, line: Any, each: int = 1
) -> Position:
    """Replay a line and solve after every `each` cards; return the end."""
    position = Position.of(deal, contract)
    value = worth(deal, contract, solver, seat, [])
    play: list[str] = []
    for number, trick in enumerate(line):
        leader = position.to_play
        for card in trick:
            assert card in position.legal()
            position.play(card)
            play.append(card)
            if len(play) % each == 0:
                assert worth(deal, contract, solver, seat, play) == value
        assert position.tricks[number].leader == leader
        assert position.tricks[number].cards == tuple(trick)
    assert position.finished
    return position


def worth(
    deal: Deal, contract: Contract, solver: Solver, seat: str, play: list[str]
) -> tuple[Any, ...]:
    result = solve(deal, contract, play=play, solver=solver)
    if result.guarantees is not None:
        return (result.guarantees[seat],)
    return result.tricks, result.outcome


@each_of(CASES, 0)
def test_lines_of_endings(game: str, options: str, contract_id: str) -> None:
    solver = Solver()
    deal, contract = case(game, options, contract_id, 11)
    result = solve(deal, contract, line=True, solver=solver)
    for seat in contract.declarers:
        end = check_line(deal, contract, solver, seat, result[seat].line)
        if len(contract.declarers) == 1:
            assert result.tricks == sum(end.won[one] for one in contract.side)


@pytest.mark.parametrize(
    ("game", "contract_id"),
    [
        ("mensch", "half"),
        ("german-solo", "frog"),
        ("german-solo", "solo"),
        ("ombre", "entrada"),
        ("quadrille", "alliance"),
        ("quintille", "solo"),
    ],
)
def test_lines_of_whole_deals(game: str, contract_id: str) -> None:
    random = Random(game)
    solver = Solver()
    rules = rules_for(game)
    kind = rules.contract(contract_id)
    deal = random_deal(rules, random)
    contract = contract_of(deal, kind, some_trump(rules, kind, random), random)
    result = solve(deal, contract, line=True, solver=solver)
    end = check_line(deal, contract, solver, contract.declarer, result.line, each=3)
    assert result.tricks == sum(end.won[seat] for seat in contract.side)
    assert solve(deal, contract, line=True, solver=Solver()).line == result.line


def test_a_line_goes_on_within_a_trick() -> None:
    deal, contract = case("german-solo", "", "solo", 4)
    position = Position.of(deal, contract)
    play = []
    for _ in range(6):
        play.append(position.legal()[0])
        position.play(play[-1])
    result = solve(deal, contract, play=play, line=True)
    assert list(result.line[0][:2]) == play[4:]
    assert [len(trick) for trick in result.line] == [4, 4]
    assert result.leader == position.leader


def ending(hands: str, leader: str, trump: str = "NT") -> tuple[Deal, Contract]:
    """Return a Solo Whist ending with North and South as partners, each with six tricks won."""
    deal = Deal.parse(f"N:{hands}", "solo-whist", current_trump="H", leader=leader)
    return deal, Contract(("N",), ("prop-cop",), trump, partner="S")


def first_trick(hands: str, leader: str, trump: str = "NT") -> list[str]:
    result = solve(*ending(hands, leader, trump), line=True)
    return list(result.line[0])


def test_tricks_are_taken_with_the_cheapest_card() -> None:
    assert first_trick("AK... 32... 54... QJ...", "E") == ["S2", "S4", "SJ", "SK"]


def test_the_lowest_of_equals_is_led() -> None:
    assert first_trick("AKQ... 432... .432.. J65...", "N")[0] == "SQ"


def test_a_trick_the_partner_has_is_left_to_him() -> None:
    assert first_trick("K3... 54... A.2.. 76...", "S", "H") == ["SA", "S6", "S3", "S4"]


def test_misere_throws_high_losers() -> None:
    deal = Deal.parse("N:932... A87... KJT... Q54...", "solo-whist", current_trump="H", leader="E")
    contract = Contract(("N",), ("misere",), "NT")
    result = solve(deal, contract, play=["SA"], line=True)
    assert result.tricks == 0
    # In order of play: East, South, West, and North throws the nine under the ace.
    assert result.line[0][3] == "S9"
