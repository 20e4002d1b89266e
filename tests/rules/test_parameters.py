"""Functions take few parameters, and calls few arguments that only their place explains."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path

import pytest

import spadille

TOP = Path(__file__).parents[2]
MOST_PARAMETERS = 8
MORE_PARAMETERS = {
    "Deal.parse": 10,
    "best": 11,
    "best_many": 10,
    "deals": 12,
    "problems": 11,
    "review": 9,
    "solve": 9,
}
"""Public functions that take more: ceilings, which may only go down."""
MOST_POSITIONAL = 6
LONG_CALLS = 7
"""Calls with more positional arguments than that: a ceiling, which may only go down.

They are of functions that take any number of arguments of one kind.
"""


def public_functions() -> Iterator[tuple[str, int]]:
    """Yield public functions and methods, each with how many parameters it takes."""
    for name in spadille.__all__:
        thing = getattr(spadille, name)
        members = {name: thing}
        if inspect.isclass(thing):
            # The fields of a dataclass are the parameters of its constructor, but are no choices.
            made = not is_dataclass(thing) and "__init__" in vars(thing)
            members = {name: thing.__init__} if made else {}
            members |= {f"{name}.{key}": v for key, v in vars(thing).items() if key[0] != "_"}
        for full, member in members.items():
            function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if inspect.isfunction(function):
                names = [*inspect.signature(function).parameters]
                yield full, len([each for each in names if each not in ("self", "cls")])


def test_public_functions_take_at_most_eight_parameters() -> None:
    taken = dict(public_functions())
    assert {"chances", "best_chances", "know", "Contract.make", "Deal.random"} <= taken.keys()
    assert taken["chances"] == MOST_PARAMETERS
    for name, number in taken.items():
        assert number <= MORE_PARAMETERS.get(name, MOST_PARAMETERS), name
    # A function that takes fewer by now needs a lower ceiling, or none.
    assert {name: taken[name] for name in MORE_PARAMETERS} == MORE_PARAMETERS


def positional(call: ast.Call) -> int:
    """Count the positional arguments of a call, those of an unpacked literal, too."""
    number = 0
    for argument in call.args:
        unpacked = argument.value if isinstance(argument, ast.Starred) else None
        if isinstance(unpacked, ast.Tuple | ast.List):
            number += len(unpacked.elts)
        elif unpacked is None:
            number += 1
    return number


@pytest.mark.parametrize(
    ("text", "number"), [("f(a, b, c=1)", 2), ("f(a, *(b, c), *rest)", 3), ("f(**named)", 0)]
)
def test_positional_arguments_are_counted(text: str, number: int) -> None:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert positional(call) == number


def long_calls() -> list[str]:
    """List the calls in solver/ and cli/ with seven or more positional arguments."""
    return [
        f"{path.relative_to(TOP)}:{node.lineno}"
        for folder in ("solver", "cli")
        for path in sorted((TOP / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and positional(node) > MOST_POSITIONAL
    ]


def test_calls_have_at_most_six_positional_arguments() -> None:
    calls = long_calls()
    assert len(calls) <= LONG_CALLS, "\n".join(calls)
    clean = ("solver/spadille/analysis/chances/", "cli/spadille_cli/chances_options.py")
    assert not [place for place in calls if place.startswith(clean)]
