"""The Play section of a hand file, put in order of play and checked.

The columns of the section are the seats in order of play from the player named by its tag; who
leads to a trick follows from the trick before. Play is read up to the first card that is not
recorded, in order of play, and only where all hands are known. "^R" excuses the revoke it marks,
"^L" makes its column lead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spadille.cards import parse_card
from spadille.deal import Contract, Deal
from spadille.errors import CardError, Fault
from spadille.pbn.document import Tag
from spadille.pbn.tags import CARD_RULE, TagReader, no_card
from spadille.position import Position
from spadille.rules import Surrender
from spadille.validate import ENDS_PLAY, follow
from spadille.validate.deal import seat_unknown
from spadille.validate.surrender import played_on
from spadille.words import many, read_seat

_ANNOTATION = ("$", "=", "!", "?")
_NOT_PLAYED = ("-", "+")


@dataclass(frozen=True, slots=True)
class Play:
    """Recorded play: the cards in order of play, where each stands, and who led to each trick."""

    tricks: tuple[tuple[str, ...], ...]  # the last one may be incomplete
    leaders: tuple[str, ...]
    places: tuple[tuple[int, int], ...]  # line and column of each card, in order of play
    ended: bool  # "*": no further cards will or can be given

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards in order of play."""
        return tuple(card for trick in self.tricks for card in trick)


_Cell = tuple[str, int, frozenset[str]]  # text, offset, irregularities ("^R", "^L")


def read_play(
    reader: TagReader, deal: Deal, contract: Contract, surrender: Surrender | None = None
) -> Play | None:
    """Read the Play section of a game whose deal and contract are sound.

    What is played after a surrender is a fault, unless somebody takes over. None where there is no
    play or a hand is not known; faults are added to the reader's.
    """
    tag = reader.names.get("Play")
    if tag is None or None in deal.hands.values():
        return None
    position = Position.of(deal, contract)
    cells = list(_cells(tag))
    columns = _columns(reader, position, cells)
    size = len(columns)
    tricks: list[tuple[str, ...]] = []
    leaders: list[str] = []
    places: list[tuple[int, int]] = []
    complete = True
    for start in range(0, len(cells), size):
        row = dict(zip(columns, cells[start : start + size], strict=False))
        early = next((seat for seat, cell in row.items() if "^L" in cell[2]), None)
        if early is not None:
            position.to_play = early
        leader = position.to_play
        trick = []
        for seat in deal.rules.in_turn(leader):
            card = _play_cell(reader, position, row.get(seat))
            if card is None:
                complete = False
                break
            trick.append(card)
            places.append(tag.document.position(row[seat][1]))
        if trick:
            tricks.append(tuple(trick))
            leaders.append(leader)
        if not complete:
            break
    ended = any(token == "*" for token, _ in tag.play_tokens())
    play = Play(tuple(tricks), tuple(leaders), tuple(places), ended)
    if surrender:
        _check_end(reader, deal, contract, surrender, play)
        contract = replace(contract, declarers=(surrender.taken_over or contract.declarer,))
    if complete and position.finished:
        _check_result(reader, contract, position)
    elif _stopped(contract, position) and not any(fault.tag == "Play" for fault in reader.faults):
        ends = f"; a card to trick {len(tricks) + 1} would be the choice to go on"
        _check_result(reader, contract, position, ends)
    return play


def _stopped(contract: Contract, position: Position) -> bool:
    """Whether play ends where a side that has won the first tricks may stop (RULES 4, 6, 7)."""
    rules = position.rules
    kind = rules.contracts[contract.ids[0]]
    won = sum(position.won[seat] for seat in rules.runners(contract))
    run = kind.first_run if rules.may_go_on(kind) and not position.trick else 0
    return bool(run) and sum(position.won.values()) == won == run


def _check_end(
    reader: TagReader, deal: Deal, contract: Contract, surrender: Surrender, play: Play
) -> None:
    """Look for cards that were played after the hand was given up."""
    found = played_on(deal, contract, surrender, play.tricks, play.leaders)
    if found is not None:
        number, fault = found
        line, column = play.places[number]
        reader.faults.append(replace(fault, line=line, column=column))


def _check_result(
    reader: TagReader, contract: Contract, position: Position, ends: str = ""
) -> None:
    """Compare the Result tag with a hand that is over."""
    value = reader.value("Result")
    if value is None or not re.fullmatch("[0-9]{1,2}", value) or len(contract.declarers) > 1:
        return
    won = sum(position.won[seat] for seat in contract.side)
    if int(value) != won:
        reader.fail(
            "result-contradicts-play",
            f"the declaring side has {many(won, 'trick')}, not {value}{ends}",
            "Result",
            0,
            value,
            "hand files: Result is the tricks of the declaring side",
        )


def _cells(tag: Tag) -> Iterator[_Cell]:
    marks: set[str] = set()
    for token, offset in tag.play_tokens():
        if token[0] == "^":
            marks.add(token.upper())
        elif token == "*":
            return
        elif token[0] not in _ANNOTATION:
            yield token, offset, frozenset(marks)
            marks.clear()


def _columns(reader: TagReader, position: Position, cells: list[_Cell]) -> tuple[str, ...]:
    """Return the seats of the columns, and let the seat named by the tag lead."""
    rules = position.rules
    named = reader.value("Play")
    first = position.to_play if named is None else read_seat(named)
    if first not in rules.seats:
        reader.add(seat_unknown(rules, "Play", first))
        first = position.to_play
    elif first != position.to_play and not any("^L" in marks for _, _, marks in cells[:1]):
        reader.fail(
            "play-leader",
            f"{first} does not lead to the first trick, {position.to_play} does",
            "Play",
            0,
            reader.names["Play"].value,
            "hand files: the columns of Play are the seats in order of play from the first leader",
        )
    position.to_play = first
    return rules.in_turn(first)


def _play_cell(reader: TagReader, position: Position, cell: _Cell | None) -> str | None:
    """Play the card of a cell; None if there is none to go on from."""
    if cell is None or cell[0] in _NOT_PLAYED:
        return None
    text, offset, marks = cell
    line, column = reader.names["Play"].document.position(offset)
    try:
        card = parse_card(text)
    except CardError as error:
        message = no_card(error)
        reader.faults.append(
            Fault("card-unreadable", message, "Play", text, CARD_RULE, line, column)
        )
        return None
    fault = follow(position, card)
    if fault is None or (fault.code == "card-revoke" and "^R" in marks):
        return card
    reader.faults.append(Fault(fault.code, fault.message, "Play", text, fault.rule, line, column))
    return None if fault.code in ENDS_PLAY else card
