"""Hands that follow from the recorded play, and unrecorded low cards.

A player who records a deal knows one hand and, after the play, every card of the other hands.
Therefore a hand written "-" is filled in if its column in the Play section has all its cards and
any exchange is recorded. A low card without a rank, "Sx" in the play or "x" in a hand, is a card
from the nine down that is not a matador of the contract. It is read as a specific card if all
choices are equivalent for the contract: no other seat holds a card between the candidates, and the
remaining candidates are in nobody's hand. Otherwise it is a fault that names the candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, groupby, permutations, product
from typing import NamedTuple

from spadille.base.card_text import SUIT_NAMES, SUITS, parse_card, sort_cards, suit_of_small
from spadille.base.errors import CardError
from spadille.base.names_in_input import read_seat
from spadille.base.words_for_messages import listed, seat_name
from spadille.core.deal import Deal
from spadille.core.dealt_cards import completed
from spadille.core.knowledge.starting_knowledge import exchange_steps
from spadille.games.model.game import Rules
from spadille.pbn.hands_in_tags import UNNOTED_RULE
from spadille.pbn.play_section import record_of, rows_of
from spadille.pbn.tags import TagReader

_SMALL = "98765432"


class _Slot(NamedTuple):
    """An unrecorded low card: in the play, or in a hand and never played."""

    seat: str
    suit: str
    trick: int | None
    offset: int


@dataclass(frozen=True, slots=True)
class _Noted:
    """The cards in the Play section by seat, each with its trick, and the unrecorded ones."""

    cards: Mapping[str, Mapping[str, int]]
    small: tuple[_Slot, ...]


def fill_hands(reader: TagReader, deal: Deal) -> Deal:
    """Return the deal with the hands that follow from its Play section.

    Low cards that can be determined are passed to the reader; any others are faults.
    """
    noted = _read_columns(reader, deal)
    for seat, hand in deal.hands.items():
        if hand is None:
            reader.played |= dict.fromkeys(noted.cards[seat], seat)
    if noted.small or reader.partial:
        deal = _with_small_cards(reader, deal, noted)
    elif None in deal.hands.values():
        deal = _with_hands(deal, {seat: tuple(cards) for seat, cards in noted.cards.items()})
    return deal


def _read_columns(reader: TagReader, deal: Deal) -> _Noted:
    """Read the cards of each player from the column of that seat."""
    seats = deal.rules.seats
    cards: dict[str, dict[str, int]] = {seat: {} for seat in seats}
    small: list[_Slot] = []
    first = read_seat(reader.value("Play") or "")
    if first not in seats:
        return _Noted(cards, ())
    cells = record_of(reader.names["Play"]).cells
    for trick, row in enumerate(rows_of(deal, deal.rules.in_turn(first), cells), 1):
        for seat, (text, offset, _) in row.items():
            if suit := suit_of_small(text):
                small.append(_Slot(seat, suit, trick, offset))
                continue
            with suppress(CardError):  # not a card, or a fault that is reported elsewhere
                card = parse_card(text)
                if card in deal.rules.deck:
                    cards[seat][card] = trick
    return _Noted(cards, tuple(small))


def hand_length(deal: Deal) -> int:
    """Return the number of cards in each hand."""
    known = next((hand for hand in deal.hands.values() if hand is not None), None)
    return deal.rules.game.hand_size if known is None else len(known)


def _with_hands(deal: Deal, played: Mapping[str, tuple[str, ...]]) -> Deal:
    """Return the deal, filling in each hand whose cards were all played."""
    held = {card for hand in deal.hands.values() for card in hand or ()}
    size = hand_length(deal)
    steps = {step.seat: step for step in exchange_steps(deal)} if deal.exchangers else {}
    hands = dict(deal.hands)
    for seat, cards in played.items():
        if hands[seat] is not None or len(cards) != size:
            continue
        dealt = {*cards}
        if (step := steps.get(seat)) is not None:
            if step.taken is None or step.away is None:
                return deal  # an incomplete exchange is a fault
            dealt = dealt.difference(step.taken) | {*step.away}
        others = {card for other, hand in played.items() if other != seat for card in hand}
        if len(dealt) == size and dealt.isdisjoint(held | others):
            hands[seat] = sort_cards(dealt)
    return replace(deal, hands=completed(deal.rules, hands, deal.talon))


# Low cards


def _with_small_cards(reader: TagReader, deal: Deal, noted: _Noted) -> Deal:
    """Determine the low cards suit by suit, and fill in hands that are then complete."""
    size = hand_length(deal)
    slots = [*noted.small]
    held: dict[str, tuple[str, ...]] = {}
    for seat, hand in deal.hands.items():
        if hand is not None:
            held[seat] = hand
            continue
        part = reader.partial.get(seat)
        known = dict.fromkeys(part.cards if part else ())
        held[seat] = tuple(known | dict.fromkeys(noted.cards[seat]))
        if part is None:
            continue
        for suit in SUITS:
            new = [card for card in noted.cards[seat] if card not in known and card[0] == suit]
            played = sum(slot.seat == seat and slot.suit == suit for slot in noted.small)
            places = part.small.get(suit, [])[len(new) + played :]
            slots += [_Slot(seat, suit, None, offset) for offset in places]
    unknown = [
        seat
        for seat in deal.hands
        if len(held[seat]) + sum(slot.seat == seat for slot in slots) < size
    ]
    chosen: dict[_Slot, str] = {}
    for suit in SUITS:
        of_suit = [slot for slot in slots if slot.suit == suit]
        if of_suit:
            chosen |= _choose(reader, deal, held, noted, of_suit, bool(unknown))
    for slot, card in chosen.items():
        if slot.trick is not None:
            reader.unnoted[slot.offset] = card
    hands = {
        seat: (*held[seat], *(card for slot, card in chosen.items() if slot.seat == seat))
        for seat, hand in deal.hands.items()
        if hand is None
    }
    return _with_hands(deal, hands)


def _choose(
    reader: TagReader,
    deal: Deal,
    held: Mapping[str, tuple[str, ...]],
    noted: _Noted,
    slots: list[_Slot],
    hidden: bool,
) -> dict[_Slot, str]:
    """Return a card for each slot in a suit; report a fault and return {} if the choices differ.

    `hidden` says whether some hands have unknown cards.
    """
    rules, suit = deal.rules, slots[0].suit
    everywhere = {card for hand in held.values() for card in hand}
    everywhere.update(deal.talon, *deal.discard.values())
    trump = trump_played(reader, deal)
    trumps = rules.trumps if trump is None else (trump,)
    small = [card for card in small_cards(rules, trumps) if card[0] == suit]
    free = [card for card in small if card not in everywhere]
    ways: list[dict[_Slot, str]] = []
    forms = set()
    for way in _ways(deal, held, noted, slots, small, free):
        owners = {card: (slot.seat, slot.trick) for slot, card in way.items()}
        for seat, hand in held.items():
            for card in hand:
                owners.setdefault(card, (seat, noted.cards[seat].get(card)))
        if hidden:
            for card in free:
                owners.setdefault(card, ("", None))
        ways.append(way)
        forms.add(_form(rules, trumps, suit, owners))
    if len(forms) == 1:
        return ways[0]
    for slot in slots:
        _open_fault(reader, slot, sort_cards({way[slot] for way in ways}))
    return {}


def _ways(
    deal: Deal,
    held: Mapping[str, tuple[str, ...]],
    noted: _Noted,
    slots: list[_Slot],
    small: list[str],
    free: list[str],
) -> Iterator[dict[_Slot, str]]:
    """Yield every assignment of cards: own cards for a known hand, free cards for other hands."""
    seats = [*dict.fromkeys(slot.seat for slot in slots if deal.hands[slot.seat] is not None)]
    pools = [
        (
            [slot for slot in slots if slot.seat == seat],
            [card for card in small if card in held[seat] and card not in noted.cards[seat]],
        )
        for seat in seats
    ]
    pools.append(([slot for slot in slots if slot.seat not in seats], free))
    in_order = [slot for of_pool, _ in pools for slot in of_pool]
    choices = (permutations(cards, len(of_pool)) for of_pool, cards in pools)
    for way in product(*choices):
        yield dict(zip(in_order, chain.from_iterable(way), strict=True))


def _form(
    rules: Rules,
    trumps: Iterable[str | None],
    suit: str,
    owners: Mapping[str, tuple[str, int | None]],
) -> tuple[object, ...]:
    """Return the runs of cards that one seat holds in each suit after a choice, high to low.

    Two choices with the same runs differ only in the names of cards. A run contains no card of
    another seat; cards in no hand do not interrupt it.
    """
    orders = {rules.suits(trump).get(suit, ()) for trump in trumps}
    runs = []
    for order in sorted(orders):
        cards = [owners[card] for card in order if card in owners]
        for seat, run in groupby(cards, key=lambda owner: owner[0]):
            runs.append((seat, tuple(sorted(trick or 0 for _, trick in run))))
    return tuple(runs)


def small_cards(rules: Rules, trumps: Iterable[str | None]) -> tuple[str, ...]:
    """Return the cards that "x" may be: from the nine down, without matadors of these trumps."""
    matadors = {card for trump in trumps for card in rules.matadors(trump)}
    return tuple(card for card in rules.deck if card[1] in _SMALL and card not in matadors)


def trump_played(reader: TagReader, deal: Deal) -> str | None:
    """Return the trump of the contract if tags and auction settle it, otherwise None."""
    scratch = TagReader(reader.game)
    scratch.seats, scratch.contracts = reader.seats, reader.contracts
    by_file = reader.value("Game") is not None
    terms = scratch.terms(by_file)
    if "Auction" in reader.names:
        from spadille.pbn.auction_section import follow_auction

        terms, _ = follow_auction(scratch, deal, terms, by_file)
    kind = deal.rules.contracts.get(terms.ids[0]) if terms.ids else None
    allowed = () if kind is None else deal.rules.allowed_trumps(kind, deal)
    return terms.trump or (allowed[0] if len(allowed) == 1 else None)


def _open_fault(reader: TagReader, slot: _Slot, cards: tuple[str, ...]) -> None:
    name = SUIT_NAMES[slot.suit]
    if cards:
        message = f"this may be {listed(cards, 'or')}, and it matters which one: write the rank"
    else:
        message = "no low card in the suit is left: write the rank"
    where = "" if slot.trick is None else f" to trick {slot.trick}"
    message = f"{seat_name(slot.seat)}'s low card in {name}{where}: {message}"
    if slot.trick is None:
        index = slot.offset
        reader.fail("card-unnoted", message, "Deal", index, "x", UNNOTED_RULE)
    else:
        reader.open_cards[slot.offset] = message
