"""Evenings for tests: deals as text, played out by simple rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import Random

from spadille.contract import Contract
from spadille.deal import Deal
from spadille.pbn.dump import dumps
from spadille.position import Position

Policy = Callable[[Position], str]


def anything(seed: int) -> Policy:
    """Any card that may be played."""
    random = Random(seed)
    return lambda position: random.choice(position.legal())


def played(deal: Deal, contract: Contract | str, policy: Policy) -> list[str]:
    """The cards of a hand in which all play by one policy."""
    if isinstance(contract, str):
        contract = Contract.parse(deal, contract)
    position = Position.of(deal, contract)
    cards = []
    while not position.finished:
        cards.append(policy(position))
        position.play(cards[-1])
    return cards


def hand(deal: Deal, contract: Contract | str = "", play: Iterable[str] = (), **tags: str) -> str:
    """A deal of a hand file; tags replace those of their names."""
    text = dumps([(deal, contract, play) if contract else deal])
    for name, value in tags.items():
        line = f'[{name} "{value}"]\n'
        text, found = re.subn(rf'^\[{name} ".*"\]\n', line, text, flags=re.MULTILINE)
        if not found:
            text = text.replace("[Event", line + "[Event", 1)
    return text


def names(seats: Iterable[str], players: str) -> dict[str, str]:
    """The tags that name the players, in the order of the seats."""
    tags = {"N": "North", "E": "East", "S": "South", "W": "West"}
    pairs = zip(seats, players.split(), strict=True)
    return {tags.get(seat, f"Player{seat}"): name for seat, name in pairs}
