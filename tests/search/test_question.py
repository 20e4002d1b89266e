"""The values of a question for positions, cards and lines are consistent."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from spadille import Deal, Limits, Position, load
from spadille.core.contract import Contract
from spadille.games import rules_for
from spadille.search.contract_objective import SideObjective
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.question import Question
from tests.support.deals_and_outcomes import random_deal
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case, contract_of, some_trump
from tests.support.tiers import part

PLAIN = [(game, name) for game, options, name in CASES if not options]
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.pbn"))


def search() -> Search:
    return Search(None, Limits(), 1 << 24)


def follow(question: Question[SideObjective]) -> None:
    """Check that the value is constant along the line, and is that of the best card."""
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


def tasted(question: Question[Any], **taste: int) -> tuple[Any, int]:
    """Return a line with a node limit for each choice among equal cards, and the nodes it took."""
    engine = getattr(question.objective, "payoff", question.objective)
    value, solver = question.exact(), question.search.solver
    line = engine.best_line(solver, question.at.problem, question.state, value, **taste)
    return line, solver.nodes


def worth_along(question: Question[Any], cards: list[int], each: int) -> list[int]:
    """Return the values after each multiple of some number of cards."""
    found = []
    for number, card in enumerate(cards):
        if number % each == 0:
            found.append(question.exact())
        question = question.naming(card, question.exact()).after(card)
    return [*found, question.exact()]


@pytest.mark.parametrize(
    ("game", "contract_id"),
    [("german-solo", "solo"), ("squint", "ace-solo"), ("ombre", "entrada"), ("mensch", "half")],
)
def test_a_line_without_taste_is_as_good(game: str, contract_id: str) -> None:
    rules = rules_for(game)
    kind, random = rules.contract(contract_id), Random(f"taste {game}")
    others = 0
    for _ in range(3):
        deal = random_deal(rules, random)
        contract = contract_of(deal, kind, some_trump(rules, kind, random), random)
        at = situation(deal, contract)
        for question in (
            Question.of(deal, contract, at, contract.declarer, search()),
            Question.of_score(deal, contract, at, search()),
        ):
            (cards, _), _ = tasted(question, taste=1)
            assert len(cards) == sum(map(len, deal.hands.values()))
            assert len(set(worth_along(question, cards, 5))) == 1
            others += cards != tasted(question, taste=0)[0][0]
    assert others


@pytest.mark.parametrize("path", part(EXAMPLES, 1), ids=lambda path: path.stem)
def test_lines_of_short_searches_are_all_of_taste(path: Path) -> None:
    for entry in load(path):
        if entry.deal and entry.contract:
            at = situation(entry.deal, entry.contract)
            ordinary, all_of_it = (
                Question.of(entry.deal, entry.contract, at, entry.contract.declarer, search())
                for _ in range(2)
            )
            assert tasted(ordinary) == tasted(all_of_it, taste=0)


def test_taste_keeps_to_the_limits() -> None:
    deal = random_deal(rules_for("squint"), Random("limits"))
    contract = Contract((deal.rules.seats[0],), ("ace-solo",), "NT")
    at = situation(deal, contract)

    def ask(plain: bool = False) -> Question[Any]:
        with_solver = Search(Solver(1 << 24, plain=plain), Limits())
        return Question.of(deal, contract, at, contract.declarer, with_solver)

    line, nodes = tasted(ask(), taste=1)
    assert tasted(ask(plain=True), taste=1) == (line, nodes)
    question = ask()
    value, solver = question.exact(), question.search.solver
    enough = nodes - solver.nodes
    assert enough > 10
    for few in (1, enough // 2, enough - 1, enough):
        solver.clear()
        solver.limit()
        assert question.exact() == value
        solver.limit(few)
        found = question.objective.best_line(solver, at.problem, question.state, value, taste=1)
        assert found == (line if few == enough else None)
        assert solver.stopped == (None if few == enough else "nodes")
        assert solver.nodes == few
    solver.limit()
    assert question.exact() == value
