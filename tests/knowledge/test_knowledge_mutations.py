"""Break the knowledge of players on purpose: the comparison with the referee must notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from spadille.base.errors import SpadilleError
from spadille.core.knowledge import seat_knowledge
from tests.mutation.marked_mutation import KNOWLEDGE, ONE_EACH, Mutation, marked
from tests.mutation.mutations_knowledge import MUTATIONS
from tests.support.game_option_cases import CASES
from tests.support.knowledge_referee import compare, compare_full

# The names that `seat_knowledge` takes from the modules to be broken.
_PARTS = ("Start", "SeenPlay", "contract_facts", "auction_facts")
# How to notice each: a comparison, games, contracts, options, and the maximum number of seeds.
_WHERE = {
    "exempt-matador": (compare, "ombre", "", "", range(3)),
    "effective-suit": (compare, "quadrille", "", "", range(10)),
    "turn-up-weight": (compare_full, "solo-whist", "misere", "", range(6)),
    "called-card-not-with-caller": (compare, "german-solo", "frog", "", range(3)),
    "called-card-kept": (compare, "quintille", "alliance", "first-lead", range(30)),
    "caller-holds-the-suit": (compare_full, "mensch", "half", "", range(6)),
    "duty-to-bid": (compare_full, "mensch", "", "", range(1, 6, 2)),
    "falls-to-holder": (compare_full, "mensch", "pass-out", "", range(2, 9, 3)),
    "held-then": (compare, "", "", "free-unless-all-lower", range(60)),
    "silence-denies": (compare_full, "quintille", "forced-spadille", "", range(30)),
}
_SLOW = (
    "called-card-kept",
    "caller-holds-the-suit",
    "duty-to-bid",
    "falls-to-holder",
    "held-then",
    "silence-denies",
)


def test_each_has_one_mark_and_each_mark_a_mutation() -> None:
    assert Counter(name for name, _ in marked(KNOWLEDGE)) == Counter(m.name for m in MUTATIONS), (
        ONE_EACH
    )


def mutations() -> list[Any]:
    """Mark the names whose mutations take long to notice for the tier ci."""
    return [
        pytest.param(each, id=each.name, marks=pytest.mark.ci if each.name in _SLOW else ())
        for each in MUTATIONS
    ]


@pytest.mark.parametrize("mutation", mutations())
def test_each_is_noticed(mutation: Mutation, monkeypatch: pytest.MonkeyPatch) -> None:
    file = dict(marked(KNOWLEDGE))[mutation.name]
    broken = ModuleType("broken")
    exec(mutation.broken((KNOWLEDGE / file).read_text()), broken.__dict__)
    for name in _PARTS:
        if hasattr(broken, name):
            monkeypatch.setattr(seat_knowledge, name, getattr(broken, name))
    try:
        look(*_WHERE[mutation.name])
    except (AssertionError, SpadilleError):
        return
    pytest.fail("not noticed: try more seeds, or another game or contract, in _WHERE")


def look(
    comparison: Callable[..., int], game: str, contract: str, options: str, seeds: range
) -> None:
    for seed in seeds:
        for case in CASES:
            if game in case[0] and contract in case[2] and options in case[1]:
                comparison(*case, seed)
