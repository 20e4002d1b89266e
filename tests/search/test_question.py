"""What a question says of a position, of the cards and of the line agrees with itself."""

from __future__ import annotations

import pytest
from endings import CASES, case

from spadille import Deal, Limits, Position
from spadille.contract import Contract
from spadille.search.encoding import situation
from spadille.search.objective import Objective
from spadille.search.question import Question, Search

PLAIN = [(game, name) for game, options, name in CASES if not options]


def search() -> Search:
    return Search(None, Limits(), 1 << 24)


def follow(question: Question[Objective]) -> None:
    """The value stands along the line, and is the best of the values of the cards."""
    value = question.exact()
    line = question.line(value)
    assert line is not None
    numbers, lying = question.at.encoding.numbers, len(question.at.problem.trick)
    for card in line.cards[lying:]:
        values = question.exact_cards(value)
        best = max if question.objective.wants(question.at.problem) else min
        assert values[card] == best(values.values()) == value
        question = question.naming(numbers[card], value).after(numbers[card])
        assert question.exact() == value


@pytest.mark.parametrize(("game", "contract_id"), PLAIN)
def test_a_contract_keeps_its_value_along_its_line(game: str, contract_id: str) -> None:
    for seed in range(1):
        deal, contract = case(game, "", contract_id, seed)
        follow(Question.of(deal, contract, situation(deal, contract), contract.declarer, search()))


@pytest.mark.parametrize(("game", "contract_id"), PLAIN)
def test_the_end_of_a_line_pays_what_was_promised(game: str, contract_id: str) -> None:
    for seed in range(1):
        deal, contract = case(game, "", contract_id, seed)
        if len(contract.declarers) > 1:
            continue
        question = Question.of_score(deal, contract, situation(deal, contract), search())
        follow(question)
        value = question.exact()
        line = question.line(value)
        assert line is not None
        end = question.end(line)
        assert end is not None
        score = deal.rules.score(deal, contract, end)
        assert sum(score[seat] for seat in contract.side) == question.objective.values[value]
        low, high = question.weigh(*question.span())
        assert low == high == value


def test_a_line_with_an_open_trump_ends_where_its_trump_leads() -> None:
    deal = Deal.parse(
        "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
        "solo-whist",
        dealer="W",
        options="abundance_trump_timing=at-first-turn",
        current_trump="C",
    )
    contract = Contract(("N",), ("abundance",), None)
    question = Question.of_score(deal, contract, situation(deal, contract), search())
    value = question.exact()
    line = question.line(value)
    assert line is not None
    assert line.named == "S"
    end = question.end(line)
    assert end is not None
    assert end.tricks["N"] == 13


def test_nothing_is_left_to_ask_when_all_is_played() -> None:
    deal, contract = case("mensch", "", "solo", 1)
    play = []
    position = Position.of(deal, contract)
    while legal := position.legal():
        position.play(legal[0])
        play.append(legal[0])
    question = Question.of(
        deal, contract, situation(deal, contract, play), contract.declarer, search()
    )
    value = question.exact()
    assert question.card_values(value) == question.exact_cards(value) == {}
    assert question.line(value) == ((), None)
