"""The deals of the benchmarks: contracts the rules allow, and another program's files."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from benchmarks import against_bridge_solver
from benchmarks.deals import offered
from benchmarks.timed_tasks import counted
from spadille.core.validate import faults
from spadille.games import GAMES, rules_for
from spadille.search.engine import Solver

CONTRACTS = [(game, contract) for game in GAMES for contract in rules_for(game).contracts]

PLAIN = """
            A Q KJ2 -
Q KJ2 - A         KJ2 - A Q
            - A Q KJ2
N
W
"""
SYMBOLS = """
        N ♠ A ♥ Q ♦ KJ2 ♣ -
 W ♠ Q ♥ KJ2 ♦ - ♣ A      E ♠ KJ2 ♥ - ♦ A ♣ Q
        S ♠ - ♥ A ♦ Q ♣ KJ2
"""


def test_every_benchmark_finds_what_it_imports() -> None:
    for path in (Path(__file__).parents[2] / "benchmarks").glob("*.py"):
        if path.stem != "__main__" and "pytest" not in path.read_text(encoding="utf-8"):
            import_module(f"benchmarks.{path.stem}")


@pytest.mark.parametrize(("game", "contract"), CONTRACTS)
def test_every_contract_is_offered_by_the_rules(game, contract):
    question = offered(game, contract)(Random(f"{game} {contract}"))
    assert question.contract.ids[0] == contract
    found = faults(question.deal, question.contract)
    assert all(fault.severity == "warning" for fault in found)
    nodes, _ = counted(question)(Solver(), 1_000)
    assert nodes <= 1_000 * len(question.seats)


@pytest.mark.parametrize("text", [PLAIN, SYMBOLS])
def test_deals_of_the_rival_are_read(text):
    hands = against_bridge_solver.hands(text)
    assert {seat: " ".join(cards) for seat, cards in hands.items()} == {
        "N": "SA HQ DK DJ D2",
        "W": "SQ HK HJ H2 CA",
        "E": "SK SJ S2 DA CQ",
        "S": "HA DQ CK CJ C2",
    }
