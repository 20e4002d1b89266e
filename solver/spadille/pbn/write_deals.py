"""Writes deals created in Python as hand files."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spadille.base.argument_checks import check_type
from spadille.base.card_text import format_hand
from spadille.base.errors import ArgumentError, quoted
from spadille.core.arguments import check_deal, contract_and_play, question_parts
from spadille.core.contract import NOBODY, Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games.model.contract_types_and_options import Surrender
from spadille.games.model.game import Rules
from spadille.pbn.atomic_files import write_atomic
from spadille.pbn.document import PbnGame, escape
from spadille.pbn.entry import Entry
from spadille.pbn.export_format import HEADER, export
from spadille.pbn.hand_file import read
from spadille.pbn.tag_names import SAME_EVENING

Dumpable = Deal | Entry | Sequence[object]
_PARTS = ("a deal", "its contract", "the cards played", "a Surrender")


def dumps(items: Iterable[Dumpable], *, newline: str = "\n") -> str:
    """Return deals as the text of a hand file in export format; reading it gives equal deals.

    An item is one of: a `Deal`; a sequence of a deal and, optionally, a contract, the cards played
    and a `Surrender`; or an `Entry` of another hand file, which keeps all its tags and comments.
    Contract and play may be text, as in `solve`. Raises IllegalCardError for illegal play, and
    ArgumentError for items of other types.
    """
    if isinstance(items, (str, Deal)) or not isinstance(items, Iterable):
        raise ArgumentError(f"items must be a list of deals or entries, not {quoted(items)}")
    check_type(newline, str, "newline must be text")
    blocks = [block(item) for item in items]
    return export(read("\n".join(blocks)).document, newline=newline)


def dump(items: Iterable[Dumpable], path: str | os.PathLike[str]) -> None:
    """Write the text of `dumps` to a file atomically; may raise OSError."""
    write_atomic(path, dumps(items))


def numbered(deals: Iterable[Deal]) -> Iterator[str]:
    """Yield the text of deals for one file, each with its board number.

    The text has neither the header nor the empty lines between deals.
    """
    for number, deal in enumerate(deals, 1):
        text = export(read(f'[Board "{number}"]\n{block(deal)}').document, newline="\n")
        yield text.removeprefix(HEADER)


def following(entry: Entry, deal: Deal) -> str:
    """Return the deal that follows an entry: same event, same players, next board."""
    board = entry.board or ""
    number = int(board) if board.isdecimal() else entry.index + 1
    tags = {"Board": str(number + 1)}
    tags |= {name: value for name in SAME_EVENING if (value := entry.game.get(name))}
    lines = "".join(f'[{name} "{escape(value)}"]\n' for name, value in tags.items())
    return export(read(lines + block(deal)).document, newline="\n").removeprefix(HEADER)


def block(item: Dumpable) -> str:
    """Return one item as tags and sections, without the other parts of the export format."""
    if isinstance(item, Entry):
        return "".join(as_written(item.game))
    deal, contract, play, surrender = (*_parts(item), None, None, None)[:4]
    check_deal(deal)
    cards: tuple[str, ...] = ()
    if contract is not None:
        contract, cards = contract_and_play(deal, contract, play or ())
    elif play or surrender:
        raise ArgumentError(f"recorded play needs its contract: {item!r}")
    lines = [f'[{name} "{escape(value)}"]' for name, value in _tags(deal, contract)]
    if isinstance(surrender, Surrender):
        lines.append(f'[Surrender "{surrender_value(surrender)}"]')
    if cards:
        assert contract is not None
        lines += _play(deal, contract, cards)
    return "\n".join(lines) + "\n"


def _parts(item: object) -> tuple[Any, ...]:
    return (item,) if isinstance(item, Deal) else question_parts(item, _PARTS, 1)


def as_written(game: PbnGame) -> Iterator[str]:
    """Return all tags that apply, including inherited ones, with sections and comments."""
    own_tags = {id(tag) for tag in game.first.values()}
    pieces = []
    for tag in game.names.values():
        section = tag.document.source[tag.body : tag.body_end].strip()
        text = f'[{tag.name} "{escape(tag.value)}"]\n' + (f"{section}\n" if section else "")
        pieces.append((tag.start if id(tag) in own_tags else game.start, text))
    sections = [(tag.body, tag.body_end) for tag in game.first.values()]
    comments = game.document.comments
    first, last = (bisect_left(comments, (at,)) for at in (game.start, game.end))
    for at, text in comments[first:last]:
        if not any(start <= at < stop for start, stop in sections):
            pieces.append((at, f"{text.strip()}\n"))
    return (text for _, text in sorted(pieces, key=lambda piece: piece[0]))


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
    hands = map(deal.hands.__getitem__, rules.seats)
    texts = ("-" if hand is None else format_hand(hand) for hand in hands)
    yield "Deal", f"{rules.seats[0]}:{' '.join(texts)}"
    if deal.talon:
        yield "Talon", " ".join(deal.talon) if deal.talon_ordered else format_hand(deal.talon)
    if deal.turn_up is not None:
        yield "TurnUp", deal.turn_up
    if deal.current_trump not in (None, deal.turn_up and deal.turn_up[0]):
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
        yield from _contract_tags(rules, contract)


def _contract_tags(rules: Rules, contract: Contract) -> Iterator[tuple[str, str]]:
    everybody = contract.penalty is not None
    if not everybody:
        yield "Declarer", " ".join(contract.declarers)
    yield "Contract", " ".join(dict.fromkeys(contract.ids) if everybody else contract.ids)
    if contract.trump:
        yield "Trump", contract.trump
    alone = contract.partner is None and rules.contract(contract.ids[0]).may_call
    for name, value in (
        ("Called", NOBODY if alone else contract.called),
        ("Partner", contract.partner),
        ("Penalty", contract.penalty),
        ("TrumpBy", contract.trump_by),
    ):
        if value is not None:
            yield name, value


def _per_seat(cards: Mapping[str, tuple[str, ...]]) -> str:
    return ";".join(f"{seat}:{' '.join(hand)}" for seat, hand in cards.items())


def surrender_value(given: Surrender) -> str:
    """Return a surrender as text: "3@2", "3:1@2" if 1 takes over, "3+1+2@2" if 1 and 2 agree."""
    taker = "" if given.taken_over is None else f":{given.taken_over}"
    return f"{'+'.join((given.seat, *given.agreed))}{taker}@{given.trick}"


def _play(deal: Deal, contract: Contract, cards: Sequence[str]) -> Iterator[str]:
    """Return the Play section: a row per trick, and a column per seat from the first leader on."""
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
