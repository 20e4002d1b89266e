"""Deals made in Python as hand files: each value as the tag that says it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from spadille.cards import format_hand
from spadille.contract import Contract
from spadille.deal import Deal
from spadille.pbn.document import Game, escape
from spadille.pbn.export import export
from spadille.pbn.handfile import Entry, read, write_atomic
from spadille.position import Position

Item = Deal | Entry | Sequence[object]


def dumps(items: Iterable[Item], *, newline: str = "\n") -> str:
    """Write deals as the text of a hand file in export format, which `load` reads back equal.

    An item is a `Deal`, or a sequence of deal, contract and the cards played, or an `Entry` of
    another hand file, which keeps all its tags. Raises IllegalCardError for play that is none.
    """
    blocks = [_block(item) for item in items]
    return export(read("\n".join(blocks)).document, newline=newline)


def dump(items: Iterable[Item], path: str | os.PathLike[str]) -> None:
    """Write what `dumps` gives into a file, whole or not at all; raises OSError, too."""
    write_atomic(path, dumps(items))


def _block(item: Item) -> str:
    if isinstance(item, Entry):
        return "".join(_as_written(item.game))
    parts = (item,) if isinstance(item, Deal) else tuple(item)
    deal, contract, play = (*parts, None, None)[:3]
    assert isinstance(deal, Deal)
    assert contract is None or isinstance(contract, Contract)
    lines = [f'[{name} "{escape(value)}"]' for name, value in _tags(deal, contract)]
    if play:
        assert contract is not None
        cards = play.split() if isinstance(play, str) else tuple(play)  # type: ignore[arg-type]
        lines += _play(deal, contract, cards)
    return "\n".join(lines) + "\n"


def _as_written(game: Game) -> Iterator[str]:
    """All tags that count, inherited ones included, with their sections."""
    for tag in game.names.values():
        yield f'[{tag.name} "{escape(tag.value)}"]\n'
        section = tag.document.source[tag.body : tag.body_end].strip()
        if section:
            yield section + "\n"


def _tags(deal: Deal, contract: Contract | None) -> Iterator[tuple[str, str]]:
    rules = deal.rules
    yield "Game", rules.game.id
    chosen = [
        f"{name}={value}"
        for name, value in rules.options.items()
        if value != rules.game.options[name].default
    ]
    if chosen:
        yield "Rules", ";".join(chosen)
    yield "Dealer", deal.dealer
    hands = ("-" if hand is None else format_hand(hand) for hand in deal.hands.values())
    yield "Deal", f"{rules.seats[0]}:{' '.join(hands)}"
    if deal.talon:
        yield "Talon", " ".join(deal.talon) if deal.talon_ordered else format_hand(deal.talon)
    if deal.current_trump is not None:
        yield "CurrentTrump", deal.current_trump
    if deal.pool is not None:
        yield "Pool", str(deal.pool)
    if deal.leader is not None:
        yield "Leader", deal.leader
    if deal.won:
        yield "Won", ";".join(f"{seat}:{tricks}" for seat, tricks in deal.won.items())
    for name, cards in (("Drawn", deal.drawn), ("Discard", deal.discard)):
        if cards:
            yield name, _per_seat(cards)
    if deal.from_hand:
        yield "FromHand", " ".join(deal.from_hand)
    if contract is not None:
        yield from _contract_tags(contract)


def _contract_tags(contract: Contract) -> Iterator[tuple[str, str]]:
    everybody = contract.penalty is not None
    if not everybody:
        yield "Declarer", " ".join(contract.declarers)
    yield "Contract", " ".join(dict.fromkeys(contract.ids) if everybody else contract.ids)
    if contract.trump:
        yield "Trump", contract.trump
    for name, value in (
        ("Called", contract.called),
        ("Partner", contract.partner),
        ("Penalty", contract.penalty),
    ):
        if value is not None:
            yield name, value


def _per_seat(cards: Mapping[str, tuple[str, ...]]) -> str:
    return ";".join(f"{seat}:{' '.join(held)}" for seat, held in cards.items())


def _play(deal: Deal, contract: Contract, cards: Sequence[str]) -> Iterator[str]:
    """Write the Play section: a row a trick, a column a seat from the first leader."""
    position = Position.of(deal, contract)
    first = position.leader
    order = deal.rules.in_turn(first)
    yield f'[Play "{first}"]'
    row: dict[str, str] = {}
    for card in cards:
        row[position.to_play] = card
        position.play(card)
        if not position.trick:
            yield " ".join(row[seat] for seat in order)
            row = {}
    if row:
        yield " ".join(row.get(seat, "-") for seat in order)
    if not position.finished:
        yield "*"
