"""Small bugs for Python modules: what they change, leave alone, and how they are drawn."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutation.equivalent_mutants import EQUIVALENT
from tests.mutation.python_mutants import draw, mutants_of

SOURCE = '''
"""A module."""

from typing import Literal

KINDS: tuple[str, ...] = ("solo", "frog")
Side = Literal["caller", "partner"]


class Deal:
    __slots__ = ("hands",)

    def best(self, cards: "list[str]", most=3):
        """Return the best card."""
        assert cards, "no card"
        if not cards or (self.trump and most > 2):  # a comment
            raise ValueError(f"one of {most}")
        self.done = True
        return max(cards[1:], key=len)
'''


@pytest.fixture
def found(tmp_path):
    path = tmp_path / "solver" / "spadille" / "deal.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    return mutants_of(tmp_path, path)


def names(mutants):
    return {mutant.name.removeprefix("deal.py:") for mutant in mutants}


def test_each_kind_of_change_is_made(found):
    assert names(found) == {
        """:element: without "solo\"""",
        """:element: without "frog\"""",
        """:word: "solo" -> 'solox'""",
        """:word: "frog" -> 'frogx'""",
        "Deal.best:number: 3 -> 4",
        "Deal.best:number: 3 -> 2",
        "Deal.best:logic: not cards or (self.trump and most > 2) -> (not cards and (self.trump and"
        " most > 2))",
        "Deal.best:condition: without not cards",
        "Deal.best:condition: without self.trump and most > 2",
        "Deal.best:negated: not cards or (self.trump and most > 2) -> (not (not cards or"
        " (self.trump and most > 2)))",
        "Deal.best:not: not cards -> cards",
        "Deal.best:logic: self.trump and most > 2 -> (self.trump or most > 2)",
        "Deal.best:condition: without self.trump",
        "Deal.best:condition: without most > 2",
        "Deal.best:compare: most > 2 -> (most >= 2)",
        "Deal.best:number: 2 -> 3",
        "Deal.best:number: 2 -> 1",
        'Deal.best:statement: without raise ValueError(f"one of {most}")',
        "Deal.best:statement: without self.done = True",
        "Deal.best:truth: True -> False",
        "Deal.best:argument: without key=len",
        "Deal.best:name: max -> min",
        "Deal.best:slice: without 1",
        "Deal.best:number: 1 -> 2",
        "Deal.best:number: 1 -> 0",
    }


def test_nothing_else_of_the_file_changes(found):
    lines = SOURCE.splitlines()
    for mutant in found:
        planted = mutant.planted(SOURCE.encode()).decode()
        assert ast.dump(ast.parse(planted)) != ast.dump(ast.parse(SOURCE)), mutant.name
        changed = [
            line
            for line, (a, b) in enumerate(zip(lines, planted.splitlines(), strict=True))
            if a != b
        ]
        assert [line + 1 for line in changed] == [mutant.lines[0]], mutant.name


def test_a_draw_depends_on_its_seed_and_not_on_other_mutants(found):
    some = draw(found, 10, seed=1)
    assert [mutant.name for mutant in some] != [mutant.name for mutant in draw(found, 10, seed=2)]
    assert draw([*reversed(found)], 10, seed=1) == some
    others = draw([mutant for mutant in found if mutant != some[0]], 9, seed=1)
    assert others == some[1:]


def test_equal_changes_are_told_apart(tmp_path):
    path = tmp_path / "solver" / "spadille" / "twice.py"
    path.parent.mkdir(parents=True)
    path.write_text("def f(a):\n    return a is None or a.b is None or a is None\n")
    compared = [m.name for m in mutants_of(tmp_path, path) if m.kind == "compare"]
    assert len({*compared}) == 3
    assert compared[2] == f"{compared[0]} #2"


def test_the_whole_package_can_be_mutated():
    top = Path(__file__).parents[2]
    path = top / "solver" / "spadille" / "games" / "ombre.py"
    source = path.read_bytes()
    mutants = mutants_of(top, path)
    assert len(mutants) > 100
    for mutant in draw(mutants, 40, seed=0):
        ast.parse(mutant.planted(source))


def test_every_equivalent_mutant_is_one_of_the_sources():
    top = Path(__file__).parents[2]
    package = top / "solver" / "spadille"
    for module in {name.partition(":")[0] for name in EQUIVALENT}:
        names = {mutant.name for mutant in mutants_of(top, package / module)}
        assert {name for name in EQUIVALENT if name.startswith(f"{module}:")} <= names
