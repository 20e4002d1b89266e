"""The tests chosen for a line: those that call its function, or all of its module."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.mutation.lines_by_test import Record

SOURCE = """\
LIMIT = 3

def far(
    limit=LIMIT,
):
    inner = [limit]
    return inner

class Deal:
    size: int = 4

    def best(self, most=9):
        return most
"""
MODULE = "solver/spadille/games/deals.py"


class Recorded(Record):
    """A record in which one test imports the module, and others call its functions."""

    def lines(self, module: str) -> dict[int, set[str]]:
        assert module == MODULE
        at_import = {line: {"tests/a.py::imports"} for line in (1, 3, 9, 10, 12)}
        return at_import | {
            6: {"tests/a.py::far"},
            7: {"tests/a.py::far"},
            13: {"tests/b.py::best"},
        }


@pytest.mark.parametrize(
    ("lines", "first", "directly"),
    [
        ((6, 6), ["far"], True),
        ((4, 4), ["far"], True),  # the default of an argument
        ((13, 13), ["best"], True),
        ((12, 12), ["best"], True),
        ((1, 1), ["best", "far", "imports"], False),
        ((10, 10), ["best", "far", "imports"], False),
    ],
)
def test_a_line_that_runs_at_import_has_the_tests_of_its_function_or_module(
    tmp_path: Path, lines: tuple[int, int], first: list[str], directly: bool
) -> None:
    path = tmp_path / MODULE
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    record: Any = Recorded([], tmp_path)
    record.seconds = dict.fromkeys(
        ("tests/a.py::far", "tests/a.py::imports", "tests/b.py::best", "tests/b.py::other"), 0.1
    )
    found = record.reach(MODULE, lines, lines[0], most=60)
    names = [test.rpartition(":")[2] for test in found.tests]
    assert sorted(names[: len(first)]) == first
    assert found.directly == directly
