"""Play and auction as grids: a row for each trick or round, a column for each seat.

Columns are in turn order, so in a counterclockwise game the second column is the player to the
right of the first. In a trick, ">" marks the card led and "*" the winning card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from spadille.base.card_text import CARD_ORDER, SUITS
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import follower
from spadille.core.position import Position
from spadille.games.model.game import Rules
from spadille.render.tables import Row, TextTable
from spadille.render.text import card_text, printable, suit_text


class DrawnTrick(NamedTuple):
    """A trick, with its cards in order of play; `winner` is None while it is incomplete."""

    leader: str
    cards: tuple[str, ...]
    winner: str | None


def tricks_of(
    deal: Deal,
    contract: Contract,
    tricks: Iterable[Sequence[str]],
    *,
    before: Iterable[str] = (),
    named: str | None = None,
    leaders: Sequence[str] = (),
) -> list[DrawnTrick]:
    """Return the tricks in a line of play, with leaders and winners; the last may be incomplete.

    `before` has the cards of earlier tricks. `named` is the trump that the declarer names during
    play, if it was open. `leaders` gives the leader of each trick, if these may differ from the
    leaders under the rules.
    """
    following = follower(deal, contract) if None in deal.hands.values() else None
    position = following.position if following else Position.of(deal, contract)

    def put(card: str) -> None:
        if following is not None:
            following.card(card)
            return
        if position.naming and named is not None:
            position.name(named)
        position.force(card)

    for card in before:
        put(card)
    drawn = []
    for number, cards in enumerate(tricks):
        if leaders:
            position.to_play = leaders[number]
        leader, done = position.leader, len(position.tricks)
        for card in cards:
            put(card)
        complete = len(position.tricks) > done
        drawn.append(DrawnTrick(leader, tuple(cards), position.to_play if complete else None))
    return drawn


def play_grid(
    rules: Rules,
    contract: Contract,
    tricks: Sequence[tuple[str, Sequence[str], str | None]],
    *,
    number: int = 1,
    won: Mapping[str, int] | None = None,
    symbols: bool = False,
) -> TextTable:
    """Draw tricks, each with its leader, its cards in order and its winner (see `DrawnTrick`).

    `number` is the number of the first trick, and `won` has the tricks that each seat won before
    it. The last column counts the tricks so far, normally the declaring side's. In a contract to
    win the most tricks, it counts each seat's tricks, in column order; in Nemo, each seat's clean
    tricks; and with several declarers, each declarer's tricks.
    """
    turn = rules.in_turn(tricks[0][0]) if tricks else rules.turn_order
    everybody = rules.contract(contract.ids[0]).aim in ("most", "nemo")
    return turns_grid(
        turn,
        tricks,
        counted(turn, contract.declarers, contract.partner, contract.penalty, everybody=everybody),
        number=number,
        won=won,
        symbols=symbols,
    )


class Counted(NamedTuple):
    """The groups of seats whose tricks are counted during play."""

    header: str
    groups: tuple[tuple[str, ...], ...]
    penalty: str | None = None  # tricks with a card in that suit do not count


def counted(
    turn: Sequence[str],
    declarers: Sequence[str],
    partner: str | None,
    penalty: str | None,
    *,
    everybody: bool,
) -> Counted:
    """Return the groups whose tricks are counted; with `everybody`, each seat is a group."""
    if everybody:
        header = "clean" if penalty else "won"
        return Counted(header, tuple((seat,) for seat in turn), penalty)
    if len(declarers) > 1:
        return Counted(f"{'-'.join(declarers)} won", tuple((seat,) for seat in declarers))
    side = (*declarers, *([] if partner is None else [partner]))
    return Counted(f"{'+'.join(side)} won", (side,))


def turns_grid(
    turn: Sequence[str],
    tricks: Sequence[tuple[str, Sequence[str], str | None]],
    count: Counted,
    *,
    number: int = 1,
    won: Mapping[str, int] | None = None,
    marks: Mapping[str, str] | None = None,
    beside: Mapping[str, Sequence[str]] | None = None,
    symbols: bool = False,
) -> TextTable:
    """Draw tricks like `play_grid`, but without a deal: only the seats in turn order are needed.

    `marks` are drawn after their cards. The `beside` columns, with a cell for each trick, come
    last.
    """
    taken = dict.fromkeys(turn, 0) | dict(won or {})
    more, signs = beside or {}, marks or {}
    rows: list[Row] = []
    for place, (leader, cards, winner) in enumerate(tricks):
        cells = dict.fromkeys(turn, "")
        first = turn.index(leader)
        for seat, card in zip((*turn[first:], *turn[:first]), cards, strict=False):
            text = card_text(card, symbols)
            wins = "*" if seat == winner else ""
            cells[seat] = f"{'>' if seat == leader else ' '}{text}{wins}{signs.get(card, '')}"
        if winner is not None and not any(card[0] == count.penalty for card in cards):
            taken[winner] += 1
        so_far = "-".join(str(sum(taken[seat] for seat in group)) for group in count.groups)
        rest = (column[place] for column in more.values())
        rows.append((number + place, *cells.values(), so_far if winner else "", *rest))
    return TextTable(("trick", *(f" {seat}" for seat in turn), count.header, *more), rows)


def auction_grid(
    rules: Rules, first: str, calls: Iterable[str], *, symbols: bool = False
) -> TextTable:
    """Draw an auction, a row for each round; `first` made the first call."""
    seats = rules.in_turn(first)
    cells = [_call(call, symbols) for call in calls]
    cells += [""] * (-len(cells) % len(seats))
    size = len(seats)
    rows = [tuple(cells[start : start + size]) for start in range(0, len(cells), size)]
    return TextTable(seats, rows)


def _call(call: str, symbols: bool) -> str:
    """Write a call with its suit as a symbol, for a bid card or the end of "solo-H"."""
    if call.upper() in CARD_ORDER:
        return card_text(call.upper(), symbols)
    word, _, suit = call.rpartition("-")
    if symbols and word and suit.upper() in tuple(SUITS):
        return f"{word}-{suit_text(suit.upper())}"
    return printable(call)
