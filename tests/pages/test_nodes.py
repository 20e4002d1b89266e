"""The module for pages visits the positions that the engine of the package visits."""

from __future__ import annotations

import json
from random import Random

import pytest

from benchmarks import signature
from benchmarks.deals import questions
from spadille.pages.module import is_current, module
from spadille.pages.script import joined
from spadille.pages.tables import game_tables
from spadille.position import Position
from spadille.search.objective import objective_of

pytestmark = pytest.mark.skipif(not is_current(), reason="the engine for pages is stale")

GROUPS = [group for group in signature.GROUPS if group.ask is objective_of]
# As benchmarks.signature counts them.
COUNT = """async ({ module, nodes, asked }) => {
    const engine = await Engine.load(await unpack(module));
    return asked.map(({ game, deal, contract, seats, play }) => {
        const course = new Course(engine, game, deal, contractOf(contract, game));
        course.go(play);
        let visited = 0;
        for (const one of course.hand.contractors.filter(({ seat }) => seats.includes(seat))) {
            engine.forget();
            engine.limit(nodes);
            const { guess } = course.hand.objectives[one.main];
            const [low, high] = engine.bounds(one.main, ...engine.span(one.main), guess);
            if (low === high) engine.cards(one.main, low);
            visited += engine.nodes;
        }
        return visited;
    });
}"""


def played(question, number: int) -> list[str]:
    """The cards that `signature.reached` plays."""
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


def test_nodes_are_those_of_the_signature(visit):
    names = "Engine, Course, contractOf, unpack"
    code = joined("unpack", "engine", "hand", "words", "course", "worker")
    page = visit(f"<!DOCTYPE html><script>{code}Object.assign(window, {{ {names} }});</script>")
    found = {}
    for group in GROUPS:
        every = questions(signature.FAMILY, group.name, max(group.deals) + 1, group.make)
        told = [asked(every[number], group.played) for number in group.deals]
        given = {"module": module(), "nodes": signature.NODES, "asked": told}
        found[group.name] = sum(page.evaluate(COUNT, json.loads(json.dumps(given, default=list))))
    expected = signature.expected()
    assert found == {group.name: expected[group.name] for group in GROUPS}
