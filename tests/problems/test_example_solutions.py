"""The solutions in examples/problems are in the words that spadille writes today."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.support.problem_solutions import FILES, SOLUTION, solutions


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_solutions_are_up_to_date(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    stored = [" ".join(each[1:-1].split()) for each in islice(SOLUTION.findall(text), 3)]
    assert stored == [*islice(solutions(text), 3)], "run python -m tests.support.problem_solutions"
