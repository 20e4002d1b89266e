"""Compare the script's problems with those of `situation` and `objective_of`."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.pages.game_tables import deal_tables, game_tables
from spadille.pages.script_bundle import joined
from spadille.search.contract_objective import objective_of
from spadille.search.encoding import situation
from spadille.search.payoff_automata import Most, Nemo, Payoff
from tests.pages.test_card_values import OPTIONS, contracts
from tests.support.deals_and_outcomes import random_deal

COURSES = 20
COMPOSED = """({ game, asked }) => asked.map(({ deal, contract, courses }) => {
    const hand = handOf(game, deal, contractOf(contract, game));
    const { problem } = hand;
    return {
        hands: problem.hands.map(String), matadors: String(problem.matadors),
        called: String(problem.called), trump: problem.trump, leader: problem.leader,
        players: problem.players, following: problem.following,
        namer: hand.namer, trumps: hand.trumps,
        objectives: hand.contractors.map(({ main }) => hand.objectives[main]).map((one) => ({
            side: one.side, credited: one.credited, start: one.start, guess: one.guess,
            levels: one.levels?.map((level) => level.length), grades: one.grades ?? null,
            worth: one.worth ? [...one.worth].sort((less, more) => less - more) : null,
            terms: one.terms ?? null, marked: String(one.marked ?? 0),
            ends: one.levels ? courses.map((course) => one.worth[course.reduce(
                (state, [winner, marked], done) => one.levels.at(-1 - done)[
                    2 * (problem.players * state + winner) + marked], one.start)]) : null,
        })),
    };
})"""


def courses(deal: Deal, rng: Random) -> list[list[tuple[int, int]]]:
    """Return random courses of a hand: each trick's winner, and whether it has a marked card."""
    players, tricks = len(deal.rules.seats), deal.rules.game.hand_size
    return [
        [(rng.randrange(players), rng.randrange(2)) for _ in range(tricks)] for _ in range(COURSES)
    ]


def end(payoff: Payoff, course: list[tuple[int, int]]) -> int:
    """Return the value a course leads to: of most tricks, or of clean ones."""
    own = payoff.side.bit_length() - 1
    players = len(payoff.states[0][0]) if isinstance(payoff, Most) else 5
    state = tuple(sum(winner == player for winner, _ in course) for player in range(players))
    if isinstance(payoff, Nemo):
        clean = sum(winner == own and not marked for winner, marked in course)
        state = clean, int(clean < state[own])
    return payoff.finals[payoff.states[0].index(state)]


def objective(found: Any, players: int, every: list[list[tuple[int, int]]]) -> dict[str, Any]:
    payoff = found if isinstance(found, Payoff) else None
    told = {"side": found.side, "credited": found.credited, "start": found.start}
    return told | {
        "guess": found.guess,
        "worth": payoff and sorted(payoff.finals),
        "ends": payoff and [end(payoff, course) for course in every],
        "grades": payoff and payoff.grades,
        "terms": payoff and [list(each) for each in payoff.terms],
        "levels": payoff
        and [2 * players * len(states) * (left > 0) for left, states in enumerate(payoff.states)],
    }


def expected(deal: Deal, contract: Contract, every: list[list[tuple[int, int]]]) -> dict[str, Any]:
    at = situation(deal, contract)
    problem = at.problem
    return {
        "hands": list(map(str, problem.hands)),
        "matadors": str(problem.matadors),
        "called": str(0 if problem.called < 0 else 1 << problem.called),
        "trump": problem.trump,
        "leader": problem.leader,
        "players": problem.players,
        "following": list(map(int, problem.following)),
        "namer": at.encoding.player[contract.declarer] if at.trumps else -1,
        "trumps": list(at.trumps),
        "objectives": [
            objective(objective_of(contract, at, seat), problem.players, every)
            for seat in contract.declarers
        ],
    }


@pytest.mark.parametrize("options", [False, True], ids=["defaults", "options"])
def test_what_is_asked_is_what_python_asks(visit, options):
    names = "handOf, contractOf"
    code = joined("surrender_questions", "hand_encoding")
    page = visit(f"<!DOCTYPE html><script>{code}Object.assign(window, {{ {names} }});</script>")
    for game in GAMES:
        rules = rules_for(game, OPTIONS[game] if options else "")
        rng = Random(f"composed {game}")
        every = []
        for _ in range(3):
            deal = random_deal(rules, rng)
            every += [(deal, rng.choice(kind), courses(deal, rng)) for kind in contracts(deal)]
        asked = [
            {
                "deal": {**deal_tables(deal), "hands": deal.playing_hands()},
                "contract": contract.to_dict(),
                "courses": tricks,
            }
            for deal, contract, tricks in every
        ]
        given = {"game": game_tables(rules), "asked": asked}
        found = page.evaluate(COMPOSED, json.loads(json.dumps(given, default=list)))
        for point, composed in zip(every, found, strict=True):
            wanted = expected(*point)
            for one in composed["objectives"]:
                marked = one.pop("marked")
                penalty = point[1].penalty
                lane = situation(*point[:2]).encoding.lanes[penalty] if penalty else None
                assert marked == str(0 if lane is None else 0xFFFF << 16 * lane)
                one.setdefault("levels", None)
            assert composed == wanted, point
