"""The words in the tables of the games are those that their fields allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from spadille.base.card_text import SUITS
from spadille.games import GAMES
from spadille.games.model.bidding import Bidding
from spadille.games.model.contract_kinds import ContractType, ExchangeRule
from spadille.games.model.game import Game

TRUMPS = {"any", "none", "current", "not-current", "talon", *SUITS}


def contracts(game: Game) -> Iterator[ContractType]:
    yield from game.contracts.values()
    for variant in game.contract_variants.values():
        yield from (kind for kind in variant.values() if isinstance(kind, ContractType))


def told(part: Any) -> Iterator[tuple[str, Any, Any]]:
    """Return the fields of an object that allow only a few words, with the words they contain."""
    assert is_dataclass(part)
    hints = get_type_hints(type(part))
    for field in fields(part):
        if get_origin(hints[field.name]) is Literal:
            yield field.name, getattr(part, field.name), get_args(hints[field.name])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_word_is_one_that_its_field_allows(game: Game) -> None:
    parts: list[Game | Bidding | ContractType | ExchangeRule] = [game, game.bidding]
    for kind in contracts(game):
        parts += [kind, kind.exchange]
        assert kind.trump in TRUMPS, kind.id
        assert kind.holder is None or kind.holder in game.deck
        assert kind.aim != "tricks" or 0 < kind.target <= game.hand_size, kind.id
    checked = [(name, value, words) for part in parts for name, value, words in told(part)]
    assert len(checked) > 2 * len(parts)
    assert [each for each in checked if each[1] not in each[2]] == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_contracts_and_options_are_listed_by_their_names(game: Game) -> None:
    assert [*game.contracts] == [kind.id for kind in game.contracts.values()]
    assert [*game.options] == [option.name for option in game.options.values()]
    for option in game.options.values():
        assert not option.values or option.default in option.values, option.name
    for name, value in game.contract_variants:
        assert value in game.options[name].values
    assert len({kind.name for kind in game.contracts.values()}) == len(game.contracts)
