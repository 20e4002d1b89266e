"""Puts the cards in the Play section of a hand file in order of play and checks them.

The columns are the seats in order of play, starting with the player in the section's tag. The
winner of a trick leads to the next one. If all hands are known, play is followed in order up to the
first card that is not recorded. Later cards are a fault ("play-gap") and are checked as far as
possible: their players must still hold them. "^R" excuses a revoke, and "^L" means that this player
led.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from spadille.base.card_text import parse_card, suit_of_small
from spadille.base.errors import CardError, Fault
from spadille.base.names_in_input import read_seat
from spadille.base.words_for_messages import many, seat_label
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding, seat_unknown
from spadille.core.position import Position
from spadille.core.validate.play_faults import ENDS_PLAY, PLAY_RULES, follow
from spadille.core.validate.surrender_faults import played_on
from spadille.games.model.contract_types_and_options import Surrender
from spadille.games.model.game import Rules
from spadille.pbn.document import Tag
from spadille.pbn.hands_in_tags import UNNOTED_RULE, card_rule
from spadille.pbn.tags import TagReader, no_card

_ANNOTATION = ("$", "=", "!", "?")
_NOT_PLAYED = ("-", "+")
_BRIDGE_RESULT = re.compile(r"\^?(?:(?:NS|EW) )?\d\d?(?: (?:NS|EW) \d\d?)?", re.A | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """Recorded play: the cards in order of play, their places, and the leader of each trick."""

    tricks: tuple[tuple[str, ...], ...]  # the last may be incomplete
    leaders: tuple[str, ...]
    places: tuple[tuple[int, int], ...]  # line and column of each card, in order of play
    ended: bool  # "*": there are no more cards
    in_progress: bool  # "+" and no "*": there will be more cards

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards in order of play."""
        return tuple(card for trick in self.tricks for card in trick)

    def before(self, surrender: Surrender, rules: Rules) -> int:
        """Return the number of cards played before the declarer gave up."""
        played = (
            (number, seat)
            for number, (leader, trick) in enumerate(zip(self.leaders, self.tricks, strict=True), 1)
            for seat, _ in zip(rules.in_turn(leader), trick, strict=False)
        )
        return sum(1 for _ in takewhile(lambda card: not surrender.precedes(*card), played))


PlayCell = tuple[str, int, frozenset[str]]  # text, offset, irregularities ("^R", "^L")


class PlayRecord(NamedTuple):
    """The contents of a Play section."""

    cells: list[PlayCell]  # up to the last row with a card
    behind: list[tuple[str, int]] | None  # the first word after "*"; None without "*"
    in_progress: bool  # "+" where a card will follow


@dataclass(slots=True)
class FollowedPlay:
    """The tricks that could be followed."""

    tricks: list[tuple[str, ...]] = field(default_factory=list)
    leaders: list[str] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)

    def add(self, leader: str, cards: Collection[str], places: Iterable[tuple[int, int]]) -> None:
        """Add a trick, which may be incomplete; ignore one without cards."""
        if cards:
            self.tricks.append(tuple(cards))
            self.leaders.append(leader)
            self.places += places

    def recorded(self, record: PlayRecord) -> RecordedPlay:
        """Return the recorded play, which ends as in `record`."""
        ended = record.behind is not None
        return RecordedPlay(
            tricks=tuple(self.tricks),
            leaders=tuple(self.leaders),
            places=tuple(self.places),
            ended=ended,
            in_progress=record.in_progress and not ended,
        )


def read_play(
    reader: TagReader, deal: Deal, contract: Contract, surrender: Surrender | None = None
) -> RecordedPlay | None:
    """Read the Play section of a game with a valid deal and contract.

    Cards after a surrender are a fault unless an opponent takes over. Returns None if there is no
    play or a hand in play is unknown. Faults are added to the reader's faults.
    """
    tag = reader.names.get("Play")
    size = deal.rules.game.hand_size
    if tag is None:
        if surrender is None:
            _check_result(reader, contract, deal.won, size - sum(deal.won.values()))
        return None
    if None in deal.hands.values():  # see `spadille.pbn.play_with_unknown_hands`
        return None
    if deal.undecided:
        message = (
            f"{deal.undecided[0]} has not discarded after drawing: the play cannot be followed"
        )
        rule = deal.rules.cite("players draw as many cards as they discard")
        reader.add(Finding(Fault("exchange-open", message, "Play", "", rule)))
        return None
    position = Position.of(deal, contract)
    record = record_of(tag)
    play, followed = _follow(reader, deal, contract, position, record)
    check_words(reader, deal, record)
    if surrender:
        _check_end(reader, deal, surrender, play)
        contract = contract.taken_over(surrender.taken_over or contract.declarer)
    complete = followed and position.finished and position.lost_at is None
    if complete or not any(fault.tag == "Play" for fault in reader.faults):
        _check_tricks(reader, contract, position, play)
    return play


def _follow(
    reader: TagReader, deal: Deal, contract: Contract, position: Position, record: PlayRecord
) -> tuple[RecordedPlay, bool]:
    """Play the recorded cards, and check those that cannot be followed.

    Also returns whether all recorded cards could be played in order.
    """
    document = reader.names["Play"].document
    columns = columns_of(reader, position, record.cells)
    play = FollowedPlay()
    rest = None
    for row in rows_of(deal, columns, record.cells):
        if rest is not None:
            rest.check(row)
            continue
        early = next((seat for seat, cell in row.items() if "^L" in cell[2]), None)
        if early is not None:
            position.to_play = early
        leader = position.to_play
        order = deal.rules.in_turn(leader)
        trick: list[str] = []
        for number, seat in enumerate(order):
            cell = row.get(seat)
            card = _play_cell(reader, position, cell)
            if card is None:
                hint = partial(_hint_of_rows, deal, contract, columns, record.cells)
                rest = _Rest(reader, position, seat, len(play.tricks) + 1, cell, hint)
                rest.check({seat: row[seat] for seat in order[number + 1 :] if seat in row})
                break
            trick.append(card)
        offsets = (row[seat][1] for seat in order[: len(trick)])
        play.add(leader, trick, map(document.position, offsets))
    return play.recorded(record), rest is None


def _check_tricks(
    reader: TagReader, contract: Contract, position: Position, play: RecordedPlay
) -> None:
    """Compare the tricks won with the recorded result."""
    won, left, ends = position.won, 0, ""
    if position.lost_at:
        ends = f"; the hand ends with trick {position.lost_at}, which is lost"
    elif not play.in_progress and _stopped(contract, position):
        ends = f"; a card to trick {len(play.tricks) + 1} would mean going on"
    elif not position.finished:
        left = position.rules.game.hand_size - sum(won.values())
    _check_result(reader, contract, won, left, ends)


def check_cards(reader: TagReader, deal: Deal) -> None:
    """Check that players hold the cards they play, in a Play section that cannot be followed."""
    tag = reader.names["Play"]
    record = record_of(tag)
    named = reader.value("Play")
    first = read_seat(named or "")
    known = first in deal.rules.seats
    if named and not known:
        reader.add(seat_unknown(deal.rules, "Play", first))
    columns = deal.rules.in_turn(first if known else deal.dealer)
    exchanging = {*deal.drawn, *deal.discard}
    hands = {
        seat: {*hand} if hand is not None and known and seat not in exchanging else None
        for seat, hand in deal.hands.items()
    }
    impossible = {
        card: f"{card} is in the hand of {seat_label(seat)}"
        for seat, hand in hands.items()
        for card in hand or ()
    }
    for row in rows_of(deal, columns, record.cells):
        for seat, cell in row.items():
            check_cell(reader, cell, seat, hands)
            if hands[seat] is None:
                _check_unknown_hand(reader, deal.rules, cell, impossible)
    check_words(reader, deal, record)


def _check_unknown_hand(
    reader: TagReader, rules: Rules, cell: PlayCell, impossible: dict[str, str]
) -> None:
    """Report a card that cannot be in an unknown hand, and record it as played.

    `impossible` maps each card that was played before, or that another hand holds, to a message.
    """
    text, offset, _ = cell
    if text in _NOT_PLAYED:
        return
    with suppress(CardError):
        card = reader.played_card(text, offset)
        message = impossible.get(card)
        if card not in rules.deck:
            message = f"{card} is not in the pack of {rules.game.name}"
        if message:
            rule = "hand files: the recorded play must be possible"
            _fault(reader, "record-impossible", message, text, offset, rule)
        impossible.setdefault(card, f"{card} is played twice")


class _Rest:
    """Checks the cells after the last card that could be followed."""

    def __init__(
        self,
        reader: TagReader,
        position: Position,
        seat: str,
        trick: int,
        cell: PlayCell | None,
        hint: Callable[[], str],
    ) -> None:
        self.reader = reader
        self.seat = seat
        self.trick = trick
        self.cell = cell
        self.hint = hint
        self.position = position
        self.over = position.finished
        # An impossible card usually means that all cards are in the wrong column.
        self.gap = cell is None or cell[0] in _NOT_PLAYED
        left = {seat: {*hand} for seat, hand in position.hands.items()}
        elsewhere = not self.gap and reader.faults[-1].code == "card-not-held"
        self.hands: dict[str, set[str] | None] = dict.fromkeys(left) if elsewhere else {**left}
        if elsewhere and (shift := hint()):
            last_fault = reader.faults[-1]
            reader.faults[-1] = replace(last_fault, message=last_fault.message + shift)

    def check(self, row: Mapping[str, PlayCell]) -> None:
        """Check the cells in a row or in the rest of a row."""
        for seat, cell in row.items():
            if cell[0] in _NOT_PLAYED:
                continue
            if self.over:
                if self.gap and (fault := follow(self.position, cell[0])):
                    _fault(self.reader, fault.code, fault.message, *cell[:2], fault.rule)
                self.gap = False
                continue
            if self.gap:
                self.gap = False
                text, offset, _ = self.cell or cell
                shift = self.hint()
                if shift:
                    self.hands = dict.fromkeys(self.hands)
                _fault(
                    self.reader,
                    "play-gap",
                    f"the card of {seat_label(self.seat)} to trick {self.trick} is missing, but "
                    f"{cell[0]!r} follows{shift}",
                    text,
                    offset,
                    "hand files: Play lists every card up to the end of the record",
                )
            check_cell(self.reader, cell, seat, self.hands)


def check_cell(
    reader: TagReader, cell: PlayCell, seat: str, hands: dict[str, set[str] | None]
) -> None:
    """Report a cell that is not a card in its player's hand; None is an unknown hand."""
    text, offset, _ = cell
    hand = hands[seat]
    if text in _NOT_PLAYED:
        return
    try:
        card = reader.played_card(text, offset)
    except CardError as error:
        unreadable(reader, error, text, offset)
        return
    if hand is None:
        return
    if card in hand:
        hand.remove(card)
    else:
        message = f"{seat_label(seat)} does not hold {card}"
        _fault(reader, "card-not-held", message, text, offset, PLAY_RULES["card-not-held"])


def check_words(reader: TagReader, deal: Deal, record: PlayRecord) -> None:
    """Report cells after the last possible trick, or after the end of the record."""
    if len(record.cells) > _most_cells(deal):
        text, offset, _ = record.cells[-1]
        message = f"{text} is played after the last trick"
        _fault(reader, "play-too-long", message, text, offset, PLAY_RULES["play-too-long"])
    if record.behind:
        text, offset = record.behind[0]
        _fault(
            reader,
            "play-after-end",
            f"{text!r} comes after the end of the record",
            text,
            offset,
            "hand files: * ends the record of the play",
        )


def unreadable(reader: TagReader, error: CardError, text: str, offset: int) -> None:
    """Record the fault of a cell that is not a card, or whose card is undetermined."""
    if error.code == "card-unnoted":
        _fault(reader, error.code, error.args[0], text, offset, UNNOTED_RULE)
    else:
        _fault(reader, "card-unreadable", no_card(error), text, offset, card_rule(text))


def _fault(reader: TagReader, code: str, message: str, text: str, offset: int, rule: str) -> None:
    line, column = reader.names["Play"].document.position(offset)
    reader.faults.append(Fault(code, message, "Play", text, rule, line=line, column=column))


def has_small_cards(tag: Tag | None) -> bool:
    """Return whether a section has unrecorded low cards, written "Sx"."""
    return tag is not None and any(suit_of_small(text) for text, _, _ in record_of(tag).cells)


def _most_cells(deal: Deal) -> int:
    """Return the maximum number of cells in a record."""
    return 2 * len(deal.rules.seats) * deal.rules.game.hand_size


def rows_of(
    deal: Deal, columns: tuple[str, ...], cells: list[PlayCell]
) -> Iterator[dict[str, PlayCell]]:
    """Yield the rows of a section, each as a mapping from seat to cell."""
    size = len(columns)
    for start in range(0, min(len(cells), _most_cells(deal)), size):
        yield dict(zip(columns, cells[start : start + size], strict=False))


def _hint_of_rows(
    deal: Deal, contract: Contract, columns: tuple[str, ...], cells: list[PlayCell]
) -> str:
    """Return a hint if the play would be legal with the leader first in each row."""
    position = Position.of(deal, contract)
    position.to_play = columns[0]
    try:
        if any(follow(position, parse_card(text)) for text, _, _ in cells):
            return ""
    except CardError:
        return ""
    return rows_hint(columns)


def rows_hint(columns: tuple[str, ...]) -> str:
    """Return a hint for a fault if each row in the file seems to begin with its leader."""
    return (
        "; each row here begins with the leader of the trick, but the columns must be"
        f" {' '.join(columns)} for all tricks"
    )


def _stopped(contract: Contract, position: Position) -> bool:
    """Return whether play ends where the winners of the first run may stop (RULES 4, 6, 7)."""
    rules = position.rules
    kind = rules.contracts[contract.ids[0]]
    won = sum(position.won[seat] for seat in rules.runners(contract))
    run = kind.first_run if rules.may_go_on(kind) and not position.trick else 0
    return bool(run) and sum(position.won.values()) == won == run


def _check_end(reader: TagReader, deal: Deal, surrender: Surrender, play: RecordedPlay) -> None:
    """Report cards that were played after the hand was given up."""
    late_card = played_on(deal, surrender, play.tricks, play.leaders)
    if late_card is not None:
        number, fault = late_card
        line, column = play.places[number]
        reader.faults.append(replace(fault, line=line, column=column))


def _check_result(
    reader: TagReader, contract: Contract, won: Mapping[str, int], left: int, ends: str = ""
) -> None:
    """Report a Result tag whose number is impossible after the tricks won so far."""
    value = reader.value("Result")
    if value is None or len(contract.declarers) > 1:
        return
    own = sum(number for seat, number in won.items() if seat in contract.side)
    if not re.fullmatch("[0-9]{1,2}", value):
        if _BRIDGE_RESULT.fullmatch(value):
            return
        code, message = "number-unreadable", f"{value!r} is not a number of tricks"
    elif own <= int(value) <= own + left:
        return
    else:
        possible = many(own, "trick") if not left else f"{own} to {many(own + left, 'trick')}"
        code = "result-contradicts-play"
        message = f"the declaring side has {possible}, not {value}{ends}"
    rule = "hand files: Result is the number of tricks of the declaring side"
    reader.fail(code, message, "Result", 0, value, rule)


def record_of(tag: Tag) -> PlayRecord:
    """Return the contents of a section, which is read only once if several games inherit it."""
    if not isinstance(tag.record, PlayRecord):
        tag.record = _read_record(tag)
    return tag.record


def _read_record(tag: Tag) -> PlayRecord:
    marks: set[str] = set()
    cells: list[PlayCell] = []
    behind: list[tuple[str, int]] | None = None
    for token, offset in tag.play_tokens():
        if token[0] in _ANNOTATION:
            continue
        if behind is not None:
            if token not in (*_NOT_PLAYED, "*"):
                behind.append((token, offset))
                break
        elif token[0] == "^":
            marks.add(token.upper())
        elif token == "*":
            behind = []
        else:
            cells.append((token, offset, frozenset(marks)))
            marks.clear()
    in_progress = any(cell[0] == "+" for cell in cells)
    while cells and cells[-1][0] in _NOT_PLAYED:
        cells.pop()
    return PlayRecord(cells, behind, in_progress)


def columns_of(reader: TagReader, position: Position, cells: list[PlayCell]) -> tuple[str, ...]:
    """Make the seat in the tag the leader, and return the seats of the columns."""
    rules = position.rules
    named = reader.value("Play")
    first = position.to_play if named is None else read_seat(named)
    if first not in rules.seats:
        reader.add(seat_unknown(rules, "Play", first))
        first = position.to_play
    elif first != position.to_play and not any("^L" in marks for _, _, marks in cells[:1]):
        reader.fail(
            "play-leader",
            f"{seat_label(first)} does not lead to the first trick, "
            f"{seat_label(position.to_play)} does",
            "Play",
            0,
            reader.names["Play"].value,
            "hand files: the columns of Play are the seats in order of play from the first leader",
        )
    position.to_play = first
    return rules.in_turn(first)


def _play_cell(reader: TagReader, position: Position, cell: PlayCell | None) -> str | None:
    """Play the card in a cell; return None if play cannot continue from it."""
    if cell is None or cell[0] in _NOT_PLAYED:
        return None
    text, offset, marks = cell
    try:
        card = reader.played_card(text, offset)
    except CardError as error:
        unreadable(reader, error, text, offset)
        return None
    fault = follow(position, card)
    if fault is None or (fault.code == "card-revoke" and "^R" in marks):
        return card
    _fault(reader, fault.code, fault.message, text, offset, fault.rule)
    return None if fault.code in ENDS_PLAY else card
