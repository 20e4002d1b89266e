"""`quick_init` changes only the speed of a frozen dataclass."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace
from inspect import signature
from typing import Any

import pytest

from spadille.base.quick_init import quick_init


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    first: int
    second: str = "two"


@quick_init
@dataclass(frozen=True, slots=True, kw_only=True)
class Quick:
    first: int
    second: str = "two"


def test_objects_behave_like_those_of_dataclass() -> None:
    assert signature(Quick) == signature(Usual)
    quick = Quick(first=1)
    assert (quick.first, quick.second) == (1, "two")
    assert replace(quick, second="other") == Quick(first=1, second="other") != quick
    assert hash(copy.copy(quick)) == hash(quick)
    assert pickle.loads(pickle.dumps(quick)) == quick
    with pytest.raises(FrozenInstanceError):
        quick.first = 2  # type: ignore[misc]


@pytest.mark.parametrize("arguments", [{}, {"first": 1, "third": 3}])
def test_wrong_arguments_are_refused(arguments: dict[str, Any]) -> None:
    for kind in (Usual, Quick):
        with pytest.raises(TypeError):
            kind(**arguments)
    with pytest.raises(TypeError):
        Quick(1)  # type: ignore[misc]


def test_fields_with_a_default_factory_are_refused() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Listing:
        numbers: list[int] = field(default_factory=list)

    with pytest.raises(TypeError, match=r"Listing\.numbers has a default factory"):
        quick_init(Listing)
