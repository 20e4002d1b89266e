"""Games with each of their options and contracts, as cases for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from spadille.games import GAMES, rules_for


def variants(game: str) -> Iterator[str]:
    """Yield the default rules, then the rules with each option changed in turn."""
    yield ""
    options = GAMES[game].options
    duty = "called_card_duty=first-lead;" if "called_card_duty" in options else ""
    rule = "matador_rule=higher-only;" if "matador_rule" in options else ""
    for name, option in options.items():
        for value in option.values[1:]:
            if name == "call_trumps" or (name.startswith("called_") and name != "called_card_duty"):
                yield f"{duty}{name}={value}"
            elif name in ("matador_trigger", "mixed_matadors"):
                yield f"{rule}{name}={value}"
            else:
                yield f"{name}={value}"


def option_values() -> list[tuple[str, str]]:
    """Return every game with each value of each of its options."""
    return [
        (name, f"{option.name}={value}")
        for name, game in GAMES.items()
        for option in game.options.values()
        for value in option.values
    ]


def following_options(rest: pytest.MarkDecorator = pytest.mark.ci) -> list[Any]:
    """Return each game and option value that changes its rules for following suit, as parameters.

    The first value that changes a field has no mark, so that no field goes untested; the others
    have the mark `rest`.
    """
    cases: list[Any] = []
    tested: set[str] = set()
    for name, options in option_values():
        usual, changed = rules_for(name).following, rules_for(name, options).following
        fields = {
            field for field in changed._fields if getattr(usual, field) != getattr(changed, field)
        }
        if fields:
            marks = () if fields - tested else rest
            cases.append(pytest.param(name, options, marks=marks))
            tested |= fields
    return cases


CASES = [
    (game, options, contract)
    for game in GAMES
    for options in variants(game)
    for contract in rules_for(game, options).contracts
]
