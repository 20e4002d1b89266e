"""A strict type checker accepts a program that uses the library in simple ways."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import spadille

PROGRAM = """
import spadille
from spadille import Contract, Deal, Game, Limits, Result, Solver, Surrender, TableRow

deal: Deal = Deal.random("german-solo", seed=1)
game: Game = spadille.get_game("german-solo")
line: str = Deal.parse(deal.text).text
trumps: int = deal.trumps("N", "H") + deal.length("N", "S") + deal.points("dealer")
contract: Contract = Contract.parse(deal, "N solo H")
solver = Solver(1 << 20)
result: Result = spadille.solve(deal, contract, line=True, leads=True, solver=solver)
total: int = result.tricks + result.margin + 1
made: bool = result.makes
first: str = result.line[0][0]
words: str = result.outcome.upper()
rows: tuple[TableRow, ...] = spadille.table(deal, ["solo"]).rows
made_rows: list[str] = [row.declarer for row in rows if row.makes]
for card in spadille.card_values(deal, contract).cards:
    total += card.tricks + card.cost
    made = made and card.makes
for each in spadille.solve_many([(deal, contract)], threads=2, limits=Limits(nodes=1000)):
    if isinstance(each, Result):
        total += each.nodes
    else:
        words = each.code
for offer in spadille.best(deal).seats["N"]:
    words = offer.contract + (offer.trump or "")
review = spadille.review(deal, contract, result.line[0])
for step in review.steps:
    words = f"{step.seat} {step.card}"
cell: spadille.Cell = result.row()["tricks"]
surrender: Surrender | None = review.surrender
frame = spadille.to_frame([result])
for entry in spadille.load("deals.pbn"):
    if entry.deal is not None and entry.contract is not None:
        total += spadille.solve(entry.deal, entry.contract).tricks
"""

# mypy must find these, which shows that it reads the types at all.
WRONG = """
import spadille

deal = spadille.Deal.random("german-solo", seed=1)
text: str = deal.trumps("N", "H")
makes: str = spadille.solve(deal, "N solo H").makes
deal.trump("N")
"""


def check(program: str, folder: Path) -> str:
    file = folder / "program.py"
    file.write_text(program, encoding="utf-8")
    (folder / "deals.pbn").touch()
    # Type checkers cannot follow the import hook of an editable installation to the sources.
    sources = Path(spadille.__file__).parents[1]
    path = {} if sources.name == "site-packages" else {"MYPYPATH": str(sources)}
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", file.name],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, **path},
    )
    return done.stdout


@pytest.mark.ci
def test_a_plain_program_passes_a_strict_checker(tmp_path: Path) -> None:
    assert "Success: no issues found in 1 source file" in check(PROGRAM, tmp_path)
    found = check(WRONG, tmp_path)
    assert found.count("error:") == 3, found
