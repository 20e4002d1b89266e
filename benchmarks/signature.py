"""The signature of the search: the number of nodes for a fixed set of questions.

It changes if and only if the search visits other positions, so a change that only makes things
faster, tidier or more portable leaves it unchanged. `python -m benchmarks.signature` prints it by
group; with `--write` it also updates signature.json, with which a test compares it.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.deals import (
    Maker,
    Question,
    bridge,
    called,
    duo,
    lone,
    misere,
    nemo,
    questions,
    soloists,
)
from spadille.core.contract import Contract
from spadille.core.position import Position
from spadille.search.contract_objective import SideObjective, all_the_rest, objective_of
from spadille.search.encoding import Situation, situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.first_run import runners
from spadille.search.payoff_automata import Payoff, PayoffStates

FAMILY = "signature"
EXPECTED = Path(__file__).with_name("signature.json")
# A limit for each question, in case a change makes it hard. Counts that reach the limit mean
# nothing.
NODES = 1_000_000
MB = 1 << 20
Ask = Callable[[Contract, Situation, str], SideObjective]


def tout_of(contract: Contract, at: Situation, seat: str) -> SideObjective:
    """Return the goal of the caller's own tricks, with the help of the partner."""
    return all_the_rest(contract, at)


def run_of(contract: Contract, at: Situation, seat: str) -> SideObjective:
    """Return the goal of winning each of the first tricks."""
    return first_run(contract, at)


def first_run(contract: Contract, at: Situation) -> Payoff:
    """Return a payoff: 1 if the side (German Solo: the declarer) wins the first tricks, else 0."""
    length = at.encoding.rules.contracts[contract.ids[0]].first_run
    credited = runners(contract, at)

    def step(state: tuple[int, bool], winner: int, marked: bool) -> tuple[int, bool]:
        seen, by_runners = state
        if seen == length or not by_runners:
            return state
        return seen + 1, bool(credited >> winner & 1)

    def worth(state: tuple[int, bool]) -> int:
        return int(state == (length, True))

    start = (0, True)
    for winner, _ in at.history:
        start = step(start, winner, False)
    states = PayoffStates(start=start, step=step, worth=worth)
    side = at.encoding.players(contract.side)
    return Payoff(at.problem.players, at.problem.tricks, states, side, credited)


class Group(NamedTuple):
    """Deals by number, and the number of random cards played before the question."""

    name: str
    make: Maker
    deals: tuple[int, ...]
    played: int = 0
    ask: Ask = objective_of
    memory: int = DEFAULT_MEMORY


HIGHEST = "matador_trigger=highest-so-far"
FREE_MATADORS = "matador_rule=higher-only;mixed_matadors=free-unless-all-lower"
DUTY = "called_card_duty=first-lead"
FREE_PARTNER = f"{DUTY};called_partner_lead=free;called_early_discard=allowed"
GROUPS = (
    Group("2 v 2, suit contract", bridge(), (0, 1, 8)),
    Group("2 v 2, suit contract, second trick", bridge(), (0, 1), 6),
    Group("2 v 2, no trump", bridge("NT"), (0, 3, 5)),
    Group("2 v 2, no trump, second trick", bridge("NT"), (0, 1), 5),
    Group("1 v 3 in trumps", lone("solo-whist", "solo"), (4, 6)),
    Group("1 v 3 in trumps, third trick", lone("solo-whist", "solo"), (0, 1), 11),
    Group("misère, 13 cards, sixth trick", misere("solo-whist"), (0, 1), 20),
    Group("misère, 13 cards, seventh trick", misere("solo-whist"), (2, 3), 26),
    Group("Squint, Misère, fourth trick", misere("squint"), (0, 1), 17),
    Group("Squint, Nemo", nemo(), (1, 2, 4)),
    Group("Squint, Solo", lone("squint", "solo"), (1, 2, 9)),
    Group("Squint, Duo", duo(), (0, 1)),
    Group("Squint, Ace solos", soloists(2), (0,)),
    Group("Ombre", lone("ombre", "entrada"), (0, 1, 2)),
    Group("Ombre, within a trick", lone("ombre", "entrada"), (3, 4), 1),
    Group("Ombre, higher-only", lone("ombre", "entrada", FREE_MATADORS), (0, 1)),
    Group("Ombre, first tricks", lone("ombre", "entrada", HIGHEST), (0, 1), ask=run_of),
    Group("Quadrille, Solo", lone("quadrille", "solo"), (0, 1)),
    Group("Quadrille, no privilege", lone("quadrille", "solo", "matador_rule=none"), (0,)),
    Group("Quadrille, Alliance", called("quadrille", "alliance"), (0, 1)),
    Group("Quadrille, called-card duty", called("quadrille", "alliance", DUTY), (0, 1)),
    Group("Quadrille, first tricks", called("quadrille", "alliance"), (0, 1), ask=run_of),
    Group("Quintille, Solo", lone("quintille", "solo", HIGHEST), (0, 1)),
    Group("Quintille, Alliance", called("quintille", "alliance", FREE_PARTNER), (0, 1)),
    Group("German Solo, Solo", lone("german-solo", "solo"), (0, 1)),
    Group("German Solo, Tout after a Frog", called("german-solo", "frog"), (0, 1), ask=tout_of),
    Group("German Solo, first tricks", called("german-solo", "frog"), (0, 1), ask=run_of),
    Group("Mensch, Half", called("mensch", "half"), (0, 1, 2)),
    # The tables become full, so that some of their entries are dropped.
    Group("2 v 2, no trump, 1 MB", bridge("NT"), (0,), memory=MB),
    Group("1 v 3 in trumps, 1 MB", lone("solo-whist", "solo"), (5,), memory=MB),
    Group("Squint, Misère, third trick, 1 MB", misere("squint"), (5,), 12, memory=MB),
    Group("Squint, Duo, half a MB", duo(), (11,), memory=MB // 2),
)


def reached(question: Question, played: int) -> Situation:
    """Return the question after a number of random cards."""
    deal, contract, _ = question
    random = Random(f"{FAMILY} play")
    position = Position.of(deal, contract)
    play = []
    for _ in range(played):
        card = random.choice(sorted(position.legal()))
        position.play(card)
        play.append(card)
    return situation(deal, contract, play)


def nodes(solver: Solver, question: Question, group: Group) -> int:
    """Count the nodes for the value of a contract and for those of all legal cards."""
    at = reached(question, group.played)
    problem = at.problem
    visited = 0
    for seat in question.seats:
        objective = group.ask(question.contract, at, seat)
        solver.clear()
        solver.limit(NODES)
        low, high = objective.span(problem, objective.start)
        low, high = objective.bounds(solver, problem, objective.start, low, high, objective.guess)
        if low == high:
            objective.card_values(solver, problem, objective.start, low)
        visited += solver.nodes
    return visited


def counts(*, plain: bool = False) -> dict[str, int]:
    """Return the number of nodes for each group."""
    found = {}
    for group in GROUPS:
        solver = Solver(group.memory, plain=plain)
        asked = questions(FAMILY, group.name, max(group.deals) + 1, group.make)
        found[group.name] = sum(nodes(solver, asked[deal], group) for deal in group.deals)
    return found


def expected() -> dict[str, int]:
    """Return the contents of signature.json."""
    found: dict[str, int] = json.loads(EXPECTED.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Print the counts."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"also update {EXPECTED.name}")
    write = parser.parse_args().write
    found = counts()
    for name, visited in found.items():
        print(f"{visited:>12,}  {name}")
    print(f"{sum(found.values()):>12,}  in all")
    if write:
        text = json.dumps(found, indent=2, ensure_ascii=False)
        EXPECTED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
