"""Write the solutions in examples/problems again: python -m tests.support.problem_solutions.

They are comments, written when the problems were made, so they do not change with the sentences of
spadille. Solutions that are plans stay as they are.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from spadille.generate.problems.goal_and_winning_cards import position
from spadille.generate.problems.problem_from_decision import composed, decision
from spadille.pbn.export_format import export
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import parse
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits

FOLDER = Path(__file__).parents[2] / "examples" / "problems"
FILES = [path for path in sorted(FOLDER.glob("*.pbn")) if not path.name.startswith("plan-")]
SOLUTION = re.compile(r"\{Solution: [^}]*\}")


def solutions(text: str) -> Iterator[str]:
    """Yield the solution in words of each problem of a file."""
    for entry in read(text):
        deal, contract = entry.deal, entry.contract
        assert deal is not None
        assert contract is not None
        play, search = entry.play.cards if entry.play else (), Search(Solver(), Limits())
        stake = position(deal, contract, play, search)
        assert stake is not None
        key = decision(stake, not play and not deal.is_ending)
        assert key is not None
        yield composed(key, deal, contract, play, search, seed=1).solution


def main() -> None:
    """Replace the solutions of all files."""
    ArgumentParser(description=__doc__).parse_args()
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        for old, new in zip(SOLUTION.findall(text), solutions(text), strict=True):
            text = text.replace(old, fill(f"{{{new}}}", 79, break_on_hyphens=False))
        path.write_text(export(parse(text), newline="\n"), encoding="utf-8")


if __name__ == "__main__":
    main()
