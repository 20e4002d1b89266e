"""Follows the play of a deal with unknown hands, up to a contradiction.

For example, a player may have written down only one hand, the contract and the play. A deal with
unknown hands cannot be solved, but every card played proves something (see
`spadille.core.knowledge`). A card is a fault if it was played before, if another hand holds it, or
if its player is void in its suit. If only one layout of the remaining cards is possible, the hands
become known after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from spadille.base.card_text import parse_card, sort_cards
from spadille.base.errors import CardError, DealError, Fault, IllegalCardError, SpadilleError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.play_inferences import SeenPlay
from spadille.core.knowledge.seat_knowledge import follower
from spadille.core.position import Position
from spadille.games.model.deal_protocols import Hands
from spadille.pbn.play_section import (
    FollowedPlay,
    PlayCell,
    PlayRecord,
    RecordedPlay,
    check_cell,
    check_words,
    columns_of,
    record_of,
    rows_hint,
    rows_of,
    unreadable,
)
from spadille.pbn.tags import TagReader

_RULE = "hand files: the recorded play must be possible"


class Seen(NamedTuple):
    """The play of a deal with unknown hands."""

    play: RecordedPlay
    hands: Hands | None
    """All hands as dealt, if the play leaves a single layout; otherwise None."""


def _check_revoke(position: Position, seat: str, card: str, trick: int) -> None:
    """Raise IllegalCardError for an admitted revoke.

    A revoke proves that the player held a card of the suit, not that they were void.
    """
    suits = position.suit_of
    led = suits[position.trick[0][1]] if position.trick else suits.get(card)
    if suits.get(card) != led:
        raise IllegalCardError(
            f"trick {trick}: {seat} revokes with {card}, but inferences about unknown hands assume "
            "that everybody follows suit",
            "card-revoke",
        )


def read_seen(reader: TagReader, deal: Deal, contract: Contract) -> Seen | None:
    """Read the Play section of a valid deal with unknown hands; faults go to the reader.

    Returns None if the deal has no Play section.
    """
    tag = reader.names.get("Play")
    if tag is None:
        return None
    following = follower(deal, contract)
    position = following.position
    record = record_of(tag)
    columns = columns_of(reader, position, record.cells)
    before = len(reader.faults)
    followed = FollowedPlay()
    rows = rows_of(deal, columns, record.cells)
    for row in rows:
        leader = position.to_play
        trick = _follow_row(reader, following, row, len(followed.tricks) + 1)
        followed.add(leader, trick, trick.values())
        if len(trick) < len(deal.rules.seats):
            seats = deal.rules.in_turn(leader)[len(trick) + 1 :]
            _check_rest(reader, following, [{seat: row[seat] for seat in seats if seat in row}])
            _check_rest(reader, following, rows)
            break
    if len(reader.faults) > before and (hint := _hint_of_rows(deal, contract, columns, record)):
        first = reader.faults[before]
        del reader.faults[before + 1 :]
        reader.faults[before] = replace(first, message=first.message + hint)
    check_words(reader, deal, record)
    play = followed.recorded(record)
    hands = None
    if len(reader.faults) == before:
        hands = _only_hands(reader, deal, following, followed.places)
    return Seen(play, hands)


def _follow_row(
    reader: TagReader, following: SeenPlay, row: Mapping[str, PlayCell], number: int
) -> dict[str, tuple[int, int]]:
    """Play the cards of a trick up to the first one that is missing or faulty.

    Returns the cards, each with its place in the file.
    """
    position, document = following.position, reader.names["Play"].document
    cards: dict[str, tuple[int, int]] = {}
    for seat in position.rules.in_turn(position.to_play):
        text, offset, marks = row.get(seat, ("-", 0, frozenset[str]()))
        if text in ("-", "+"):
            break
        place = document.position(offset)
        try:
            card = reader.played_card(text, offset)
            if "^R" in marks:
                _check_revoke(position, seat, card, number)
            following.card(card)
        except CardError as error:
            unreadable(reader, error, text, offset)
            break
        except SpadilleError as error:
            reader.record(Fault(error.code, str(error), "Play", text, _RULE, *place))
            break
        cards[card] = place
    return cards


def _hint_of_rows(
    deal: Deal, contract: Contract, columns: tuple[str, ...], record: PlayRecord
) -> str:
    """Return a hint if the play would be legal with the leader first in each row."""
    following = follower(deal, contract)
    following.position.to_play = columns[0]
    try:
        for text, _, _ in record.cells:
            following.card(parse_card(text))
    except SpadilleError:
        return ""
    return rows_hint(columns)


def _check_rest(
    reader: TagReader, following: SeenPlay, rows: Iterable[Mapping[str, PlayCell]]
) -> None:
    """Check the cards after the last one that could be followed, as far as possible."""
    position, unknown = following.position, following.unknown
    hands = {seat: None if seat in unknown else {*hand} for seat, hand in position.hands.items()}
    for row in rows:
        for seat, cell in row.items():
            check_cell(reader, cell, seat, hands)


def _only_hands(
    reader: TagReader, deal: Deal, following: SeenPlay, places: list[tuple[int, int]]
) -> Hands | None:
    """Return all hands if only one layout is possible; it is a fault if no layout is."""
    hidden = following.hidden
    try:
        layouts = hidden.layouts({})
    except DealError as error:
        tag = reader.names["Play"]
        place = places[-1] if places else tag.document.position(tag.start)
        reader.record(Fault(error.code, str(error), "Play", "", _RULE, *place))
        return None
    layout = layouts.unrank(0)
    if deal.exchangers or layout != layouts.unrank(layouts.count - 1):
        return None
    cards = dict(zip(hidden.places, layout, strict=True))
    return {
        seat: hand
        if hand is not None
        else sort_cards(
            (*cards.get(seat, ()), *(card for who, card in hidden.played if who == seat))
        )
        for seat, hand in deal.hands.items()
    }
