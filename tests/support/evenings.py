"""Evenings for tests: deals as text, played out by simple rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from random import Random

from spadille.analysis.evening.deal_settlement import Settled
from spadille.analysis.evening.evening_settlement import settle
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.pbn.hand_file import read
from spadille.pbn.write_deals import dumps

Policy = Callable[[Position], str]


def anything(seed: int) -> Policy:
    """Return any legal card."""
    random = Random(seed)
    return lambda position: random.choice(position.legal())


def played(deal: Deal, contract: Contract | str, policy: Policy) -> list[str]:
    """Return the cards of a hand in which all players follow one policy."""
    if isinstance(contract, str):
        contract = Contract.parse(deal, contract)
    position = Position.of(deal, contract)
    cards = []
    while not position.finished:
        cards.append(policy(position))
        position.play(cards[-1])
    return cards


def hand(deal: Deal, contract: Contract | str = "", play: Iterable[str] = (), **tags: str) -> str:
    """Write a deal of a hand file; tags replace those with the same names."""
    text = dumps([(deal, contract, play) if contract else deal])
    for name, value in tags.items():
        line = f'[{name} "{value}"]\n'
        text, found = re.subn(rf'^\[{name} ".*"\]\n', line, text, flags=re.MULTILINE)
        if not found:
            text = text.replace("[Event", line + "[Event", 1)
    return text


def names(seats: Iterable[str], players: str) -> dict[str, str]:
    """Return the tags that name the players, in the order of the seats."""
    tags = {"N": "North", "E": "East", "S": "South", "W": "West"}
    pairs = zip(seats, players.split(), strict=True)
    return {tags.get(seat, f"Player{seat}"): name for seat, name in pairs}


def evening(*deals: str) -> list[Settled]:
    return list(settle(read("\n".join(deals))))


def points(settled: Settled) -> list[int] | None:
    return None if settled.points is None else list(settled.points.values())


def totals(found: Sequence[Settled]) -> dict[str, int]:
    return dict(found[-1].totals or {})


def pools(found: Sequence[Settled]) -> list[tuple[int, int | None]]:
    return [(each.pool.before, each.pool.after) for each in found if each.pool]


def codes(settled: Settled) -> list[str]:
    return [one.code for one in settled.warnings]


def of_seed(game: str, seed: int, contract: str, **tags: str) -> str:
    """Return a deal in which everybody played random cards."""
    deal = Deal.random(game, seed)
    return hand(deal, contract, played(deal, contract, anything(seed)), **tags)


def winners(text: str) -> str:
    """Return the winners of the tricks, in order."""
    (entry,) = read(text)
    assert entry.deal is not None
    assert entry.contract is not None
    assert entry.play is not None
    position = Position.of(entry.deal, entry.contract)
    for card in entry.play.cards:
        position.play(card)
    return "".join(trick.winner for trick in position.tricks)
