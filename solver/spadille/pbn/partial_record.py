"""What a player wrote down who saw only some of the hands: the contract, and the play.

Without all hands nothing can be solved, so an entry has no play then, and no contract either if a
card was called and nobody is known to hold it. What was played can still be followed, as far as it
does not contradict itself, see `spadille.core.knowledge`.
"""

from __future__ import annotations

from typing import NamedTuple

from spadille.base.card_text import parse_card
from spadille.base.errors import Fault, IllegalCardError, SpadilleError
from spadille.core.contract import ANYBODY, Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import follower
from spadille.core.position import Position
from spadille.pbn.document import PbnGame
from spadille.pbn.play_section import RecordedPlay, columns_of, record_of, rows_of
from spadille.pbn.tags import TagReader


class Seen(NamedTuple):
    """A record of a deal whose hands are not all known."""

    contract: Contract | None
    """With no partner where nobody is known to hold the called card."""
    play: RecordedPlay | None
    faults: list[Fault]
    """What in the play cannot have been; it is followed up to there."""


def read_seen(game: PbnGame, deal: Deal, terms: Contract) -> Seen:
    """Read contract and play of a sound deal; raises ContractError for a contract that is none."""
    contract = Contract.make(
        deal=deal,
        contract=terms.ids,
        declarer=terms.declarers,
        trump=terms.trump or None,
        called=terms.called,
        partner=terms.partner or ANYBODY,
        penalty=terms.penalty,
        trump_by=terms.trump_by,
    )
    seat = next((seat for seat, hand in deal.hands.items() if hand is not None), None)
    if seat is None or "Play" not in game.names:
        return Seen(contract, None, [])
    reader = TagReader(game)
    reader.seats = deal.rules.seats
    faults = len(reader.faults)
    play = _read_play(reader, deal, contract, seat)
    return Seen(contract, play, reader.faults[faults:])


def _check_revoke(position: Position, seat: str, card: str, trick: int) -> None:
    """Raise IllegalCardError for a revoke that is owned up to: it proves no void, but a card."""
    suits = position.suit_of
    led = suits[position.trick[0][1]] if position.trick else suits.get(card)
    if suits.get(card) != led:
        raise IllegalCardError(
            f"trick {trick}: {seat} revokes with {card}, and what is known of the hands rests on "
            "everybody's following suit",
            "card-revoke",
        )


def _read_play(reader: TagReader, deal: Deal, contract: Contract, seat: str) -> RecordedPlay:
    tag = reader.names["Play"]
    following = follower(deal, contract, seat)
    position = following.position
    record = record_of(tag)
    columns = columns_of(reader, position, record.cells)
    tricks: list[list[str]] = []
    leaders: list[str] = []
    places: list[tuple[int, int]] = []
    for row in rows_of(deal, columns, record.cells):
        leader = position.to_play
        cards: list[str] = []
        for who in deal.rules.in_turn(leader):
            text, offset, marks = row.get(who, ("-", 0, frozenset[str]()))
            if text in ("-", "+"):
                break
            place = tag.document.position(offset)
            try:
                card = parse_card(text)
                if "^R" in marks:
                    _check_revoke(position, who, card, len(tricks) + 1)
                following.card(card)
            except SpadilleError as error:
                rule = "hand files: Play has what can have been played"
                reader.record(Fault(error.code, str(error), "Play", text, rule, *place))
                break
            cards.append(card)
            places.append(place)
        if cards:
            tricks.append(cards)
            leaders.append(leader)
        if len(cards) < len(deal.rules.seats):
            break
    ended = record.behind is not None
    played = tuple(map(tuple, tricks))
    return RecordedPlay(
        played, tuple(leaders), tuple(places), ended, record.in_progress and not ended
    )
