"""The module for pages visits the same positions as the engine, with the same values."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest

from benchmarks import signature
from benchmarks.deals import questions
from spadille.core.position import Position
from spadille.pages.game_tables import game_tables
from spadille.pages.script_bundle import joined
from spadille.pages.wasm_module import is_current, module
from spadille.search.contract_objective import objective_of
from spadille.search.engine import DEFAULT_MEMORY, Solver
from tests.support.page_scripts import ENGINE_SCRIPTS

pytestmark = pytest.mark.skipif(not is_current(), reason="the engine for pages is stale")

# A page cannot limit the memory of its engine.
GROUPS = [
    group
    for group in signature.GROUPS
    if group.ask is objective_of and group.memory == DEFAULT_MEMORY
]
# The nodes and the values of each question, as in benchmarks.signature.
FOUND = """async ({ module, nodes, asked }) => {
    const engine = await Engine.load(await unpack(module));
    return asked.map(({ game, deal, contract, seats, play }) => {
        const course = new Course(engine, game, deal, contractOf(contract, game));
        course.go(play);
        const own = course.hand.contractors.filter(({ seat }) => seats.includes(seat));
        return own.map((one) => {
            engine.forget();
            engine.limit(nodes);
            const { guess } = course.hand.objectives[one.main];
            const [low, high] = engine.bounds(one.main, ...engine.span(one.main), guess);
            const cards = low === high ? engine.cards(one.main, low) : [];
            return { nodes: engine.nodes, low, high, cards: Object.fromEntries(cards) };
        });
    });
}"""


def played(question, number: int) -> list[str]:
    """Return the cards that `signature.reached` plays."""
    random = Random(f"{signature.FAMILY} play")
    position = Position.of(question.deal, question.contract)
    found = []
    for _ in range(number):
        found.append(random.choice(sorted(position.legal())))
        position.play(found[-1])
    return found


def asked(question, number: int) -> dict:
    deal, contract, seats = question
    return {
        "game": game_tables(deal.rules),
        "deal": {"hands": deal.playing_hands(), "dealer": deal.dealer},
        "contract": contract.to_dict(),
        "seats": seats,
        "play": played(question, number),
    }


def given(group: signature.Group) -> dict:
    every = questions(signature.FAMILY, group.name, max(group.deals) + 1, group.make)
    told = [asked(every[number], group.played) for number in group.deals]
    return {"module": module(), "nodes": signature.NODES, "asked": json.loads(dumped(told))}


def dumped(told: object) -> str:
    return json.dumps(told, default=list)


def native(group: signature.Group) -> list:
    """Return the results of the package's engine."""
    solver = Solver(plain=True)
    every = questions(signature.FAMILY, group.name, max(group.deals) + 1, group.make)
    found = []
    for question in (every[number] for number in group.deals):
        at = signature.reached(question, group.played)
        of_question = []
        for seat in question.seats:
            objective = objective_of(question.contract, at, seat)
            solver.clear()
            solver.limit(signature.NODES)
            start, problem = objective.start, at.problem
            low, high = objective.span(problem, start)
            low, high = objective.bounds(solver, problem, start, low, high, objective.guess)
            cards = {}
            if low == high:
                cards = objective.card_values(solver, problem, start, low)
            told = {"nodes": solver.nodes, "low": low, "high": high}
            of_question.append({**told, "cards": {str(card): cards[card] for card in cards}})
        found.append(of_question)
    return found


def page_of_the_engine() -> str:
    names = "Engine, Course, contractOf, unpack"
    code = joined(*ENGINE_SCRIPTS)
    return f"<!DOCTYPE html><script>{code}Object.assign(window, {{ {names} }});</script>"


def compare(evaluate: Callable[[str, dict], list]) -> None:
    counts = {}
    for group in GROUPS:
        found = evaluate(FOUND, given(group))
        assert found == native(group), group.name
        counts[group.name] = sum(one["nodes"] for every in found for one in every)
    expected = signature.expected()
    assert counts == {group.name: expected[group.name] for group in GROUPS}


@pytest.mark.in_firefox
def test_nodes_and_values_are_those_of_the_package(visit):
    compare(visit(page_of_the_engine()).evaluate)
