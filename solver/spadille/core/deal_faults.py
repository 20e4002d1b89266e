"""Find every fault in the cards of a deal: hands, talon, exchange, end position.

This is part of `spadille.core.validate`. A few set operations recognize a valid deal. Only other
deals are checked in detail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spadille.base.card_text import SUIT_NAMES, SUITS
from spadille.base.errors import Fault
from spadille.base.words_for_messages import listed, many, seat_label
from spadille.core.dealt_cards import DealtCards, cannot_discard, cannot_draw
from spadille.games.model.game import Rules


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault and its place: occurrence `nth` (from 0) of `fault.text` in the tag.

    If `seat` is set, the text is in that seat's part of the tag. In recorded play, `nth` is the
    index of the card.
    """

    fault: Fault
    seat: str | None = None
    nth: int = 0


_TURN_UP_RULE = "RULES 8: the card turned up stays in the dealer's hand"


def deal_findings(deal: DealtCards) -> list[Finding]:
    """Return every fault in the cards, seats, exchange and end position of a deal."""
    return [] if _is_plainly_sound(deal) else list(_diagnose(deal))


@lru_cache(maxsize=64)
def _pack(rules: Rules) -> frozenset[str]:
    return frozenset(rules.deck)


def _is_plainly_sound(deal: DealtCards) -> bool:
    """Return whether this is a full, valid deal without an exchange."""
    rules = deal.rules
    game = rules.game
    cards = [*deal.talon]
    for hand in deal.hands.values():
        if hand is None or len(hand) != game.hand_size:
            return False
        cards += hand
    pack = _pack(rules)
    distinct = set(cards)
    return (
        len(distinct) == len(cards)
        and distinct <= pack
        and (not deal.talon or len(cards) == len(pack))
        and deal.dealer in rules.seats
        and not (deal.drawn or deal.discard or deal.from_hand or deal.won)
        and deal.leader is None
        and deal.pool is None
        and (deal.current_trump is None or deal.current_trump in game.current_trumps)
        and not any(_turn_up(deal))
    )


def _diagnose(deal: DealtCards) -> Iterator[Finding]:
    yield from _seats(deal)
    yield from _cards(deal)
    yield from _sizes(deal)
    yield from _stakes(deal)
    yield from _turn_up(deal)
    yield from _ending(deal)
    yield from _exchange(deal)


def finding(
    code: str, message: str, tag: str, text: str, rule: str, seat: str | None = None, nth: int = 0
) -> Finding:
    """Return a finding with a new fault."""
    return Finding(Fault(code, message, tag, text, rule), seat, nth)


def warning(code: str, message: str, tag: str, text: str, rule: str) -> Finding:
    """Return a finding for input that is possible but probably a mistake."""
    return Finding(Fault(code, message, tag, text, rule, severity="warning"))


def seat_unknown(rules: Rules, tag: str, seat: str, nth: int = 0) -> Finding:
    """Return a finding for a tag that does not name a seat in the game."""
    name = rules.game.name
    seats = " ".join(rules.seats)
    return finding(
        "seat-unknown",
        rules.not_a_seat(seat),
        tag,
        seat,
        f"hand files: the seats of {name} are {seats}",
        nth=nth,
    )


def _seats(deal: DealtCards) -> Iterator[Finding]:
    rules = deal.rules
    named: list[tuple[str, str]] = [("Dealer", deal.dealer)]
    if deal.leader is not None:
        named.append(("Leader", deal.leader))
    named += [("Won", seat) for seat in deal.won]
    named += [("FromHand", seat) for seat in deal.from_hand]
    named += [("Drawn", seat) for seat in deal.drawn]
    named += [("Discard", seat) for seat in deal.discard]
    for tag, seat in named:
        if seat not in rules.seats:
            yield seat_unknown(rules, tag, seat)


def _cards(deal: DealtCards) -> Iterator[Finding]:
    """Yield cards that are not in the pack, and cards that appear in two places."""
    game = deal.rules.game
    pack = _pack(deal.rules)
    pack_rule = f"RULES 1: {game.name} is played with {len(pack)} cards, ranks {game.ranks}"
    holders: dict[str, str] = {}
    places = [(seat, seat_label(seat), hand or ()) for seat, hand in deal.hands.items()]
    for seat, place, cards in [*places, (None, f"the {game.talon_name}", deal.talon)]:
        tag = "Deal" if seat else "Talon"
        times: Counter[str] = Counter()
        for card in cards:
            nth = times[card]
            times[card] += 1
            if card not in pack:
                yield finding(
                    code="card-not-in-deck",
                    message=f"{card} is not in the pack of {game.name}",
                    tag=tag,
                    text=card,
                    rule=pack_rule,
                    seat=seat,
                    nth=nth,
                )
            elif card in holders:
                where = (
                    f"twice by {place}"
                    if holders[card] == place
                    else (f"by {holders[card]} and by {place}")
                )
                yield finding(
                    code="card-duplicate",
                    message=f"{card} is held {where}",
                    tag=tag,
                    text=card,
                    rule="RULES 1: each card is in the pack once",
                    seat=seat,
                    nth=nth,
                )
            else:
                holders[card] = place


def _sizes(deal: DealtCards) -> Iterator[Finding]:
    """Yield hands of the wrong size, and cards missing from the pack."""
    rules = deal.rules
    game = rules.game
    known = {seat: len(hand) for seat, hand in deal.hands.items() if hand is not None}
    expected = game.hand_size
    rule = f"RULES 1: a hand of {game.name} has {many(expected, 'card')}"
    if known and max(known.values()) < expected:
        # In an end position, the most common hand size is the expected one.
        counts = Counter(known.values())
        expected = max(counts, key=lambda size: (counts[size], size))
        rule = "hand files: all hands of an end position have the same number of cards"
    for seat, size in known.items():
        if size != expected or not size:
            needed = expected or game.hand_size
            yield finding(
                "hand-size",
                f"{seat_label(seat)} has {many(size, 'card')} instead of {needed}",
                "Deal",
                "",
                rule,
                seat,
            )
    if expected != game.hand_size:
        return
    if deal.talon and len(deal.talon) != game.talon_size:
        yield finding(
            "talon-size",
            f"the {game.talon_name} has {many(len(deal.talon), 'card')} instead of "
            f"{game.talon_size}",
            "Talon",
            "",
            f"RULES 1: {game.talon_size or 'no'} cards are left undealt in {game.name}",
        )
    if len(known) < len(deal.hands) or (game.talon_size and not deal.talon):
        return
    seen = {card for hand in deal.hands.values() for card in hand or ()} | set(deal.talon)
    missing = [card for card in rules.deck if card not in seen]
    if missing:
        yield finding(
            "deck-incomplete",
            f"{' '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing",
            "Talon" if deal.talon else "Deal",
            "",
            "hand files: Deal and Talon together contain the whole pack",
        )


def _stakes(deal: DealtCards) -> Iterator[Finding]:
    game = deal.rules.game
    trump = deal.current_trump
    if trump is not None and trump not in game.current_trumps:
        allowed = ", ".join(game.current_trumps)
        yield finding(
            "current-trump-not-allowed",
            f"{trump!r} cannot be the current trump of {game.name}",
            "CurrentTrump",
            trump,
            deal.rules.cite(
                f"the current trump of {game.name} is one of {allowed}"
                if allowed
                else f"{game.name} has no current trump"
            ),
        )
    if deal.pool is not None and not game.ante:
        yield finding(
            "pool-not-allowed",
            f"{game.name} has no pool",
            "Pool",
            str(deal.pool),
            "hand files: Ombre, Quadrille and Quintille are played with a pool",
        )


def _turn_up(deal: DealtCards) -> Iterator[Finding]:
    """Yield faults in the card the dealer turned up, whose suit is the current trump."""
    game, trump, card = deal.rules.game, deal.current_trump, deal.turn_up
    if card and not game.turns_up:
        yield finding(
            "turn-up-not-allowed",
            f"no card is turned up in {game.name}",
            "TurnUp",
            card,
            "RULES 8: in Solo Whist the dealer's last card is turned up",
        )
    if not game.turns_up:
        return
    hand = deal.hands.get(deal.dealer)
    holder = deal.holder(card) if card else None
    if card and (holder not in (None, deal.dealer) or (hand and not holder and not deal.is_ending)):
        yield finding(
            "turn-up-not-held",
            f"{card} cannot have been turned up: {seat_label(deal.dealer)} dealt and does not "
            "hold it",
            "TurnUp",
            card,
            _TURN_UP_RULE,
        )
    if card and trump != card[0]:
        yield finding(
            "turn-up-contradicts-current-trump",
            f"{card} was turned up, so the current trump is {card[0]}, not {trump}",
            "CurrentTrump",
            trump or "",
            "RULES 8: the card turned up fixes the current trump",
        )
    elif card or trump not in tuple(SUITS) or not hand or deal.is_ending:
        return
    elif all(card[0] != trump for card in hand):
        yield warning(
            "current-trump-not-held",
            f"{SUIT_NAMES[trump]} cannot have been turned up: {seat_label(deal.dealer)} dealt and "
            "holds none",
            "CurrentTrump",
            trump or "",
            _TURN_UP_RULE,
        )


def _ending(deal: DealtCards) -> Iterator[Finding]:
    rules = deal.rules
    sizes = [len(hand) for hand in deal.hands.values() if hand is not None]
    played = max(0, rules.game.hand_size - max(sizes)) if sizes else 0
    if played and deal.leader is None:
        yield finding(
            "leader-missing",
            "the leader of an end position is missing",
            "Leader",
            "",
            "hand files: Leader names the player on lead in an end position",
        )
    total = sum(tricks for seat, tricks in deal.won.items() if seat in rules.seats)
    if sizes and total > played:
        yield finding(
            "won-too-many",
            f"Won has {many(total, 'trick')}, but {many(played, 'trick')} can have been played",
            "Won",
            "",
            "hand files: Won gives the tricks won before the end position",
        )


def _exchange(deal: DealtCards) -> Iterator[Finding]:
    """Carry out the exchange as `Deal.playing_hands` does, but continue after faults."""
    yield from _exchanges_from_hand(deal)
    pile = list(dict.fromkeys(deal.drawable))
    for seat in deal.exchangers:
        if seat in deal.hands:
            yield from _exchange_of(deal, seat, pile)


def _exchanges_from_hand(deal: DealtCards) -> Iterator[Finding]:
    both = [seat for seat in deal.from_hand if seat in deal.exchangers]
    if both:
        verbs = ("plays", "exchanges") if len(both) == 1 else ("play", "exchange")
        yield finding(
            "from-hand-exchange",
            f"{listed([*map(seat_label, both)], 'and')} "
            f"{verbs[0]} from the hand, but {verbs[1]} cards",
            "FromHand",
            both[0],
            "RULES 9: a player who plays from the hand does not exchange cards",
        )


def _exchange_of(deal: DealtCards, seat: str, pile: list[str]) -> Iterator[Finding]:
    """Carry out the exchange of one seat, which changes the `pile` of cards to draw."""
    tag = "Drawn" if seat in deal.drawn else "Discard"
    hand = deal.hands[seat]
    if hand is None:
        yield from _unknown_exchange(deal, seat, tag)
        return
    away = deal.discard.get(seat, ())
    taken = deal.drawn.get(seat)
    if taken is None:
        unclear = _unclear_draw(deal, seat, tag, pile)
        if unclear is not None:
            yield unclear
            return
        taken = tuple(pile[: len(away)])
    yield from _draw_faults(deal, seat, taken, pile)
    held = Counter(hand) + Counter(taken if deal.rules.game.draws_first else ())
    yield from _discard_faults(deal, seat, held, pile)
    yield from _count_faults(deal, seat, tag, len(taken))


def _unclear_draw(deal: DealtCards, seat: str, tag: str, pile: list[str]) -> Finding | None:
    """Return the fault if the record leaves it unclear which cards a seat drew."""
    away, talon = deal.discard.get(seat, ()), deal.rules.game.talon_name
    if len(away) > len(pile):
        return finding(
            "exchange-more-than-left",
            f"{seat_label(seat)} "
            f"discards {len(away)} cards, but only {len(pile)} are left in the {talon}",
            tag,
            seat,
            deal.rules.cite(f"players draw from the rest of the {talon}"),
        )
    if not (deal.draws_in_order or len(away) in (0, len(pile))):
        return finding(
            "exchange-draw-unknown",
            f"{seat_label(seat)} "
            f"discards {many(len(away), 'card')}, but the cards drawn are unknown",
            tag,
            seat,
            f"hand files: give the cards in Drawn, or the {talon} in order",
        )
    return None


def _draw_faults(
    deal: DealtCards, seat: str, taken: Sequence[str], pile: list[str]
) -> Iterator[Finding]:
    """Take the cards drawn from the pile."""
    talon = deal.rules.game.talon_name
    times: Counter[str] = Counter()
    for card in taken:
        times[card] += 1
        if card in pile:
            pile.remove(card)
        else:
            yield finding(
                code="exchange-draw",
                message=cannot_draw(deal.rules, seat, card),
                tag="Drawn",
                text=card,
                rule=deal.rules.cite(f"players draw cards from the {talon}"),
                seat=seat,
                nth=times[card] - 1,
            )


def _discard_faults(
    deal: DealtCards, seat: str, held: Counter[str], pile: list[str]
) -> Iterator[Finding]:
    """Take the discarded cards from the hand; in some games, the next player may draw them."""
    times: Counter[str] = Counter()
    for card in deal.discard.get(seat, ()):
        times[card] += 1
        if held[card]:
            held[card] -= 1
            if deal.rules.game.passes_on and card not in pile:
                pile.append(card)
        else:
            yield finding(
                code="exchange-discard",
                message=cannot_discard(seat, card),
                tag="Discard",
                text=card,
                rule=deal.rules.cite("players discard cards from their own hand"),
                seat=seat,
                nth=times[card] - 1,
            )


def _count_faults(deal: DealtCards, seat: str, tag: str, taken: int) -> Iterator[Finding]:
    """Compare the number of cards drawn with the number of cards discarded."""
    away = len(deal.discard.get(seat, ()))
    if seat in deal.undecided:
        yield warning(
            "exchange-open",
            f"{seat_label(seat)} "
            f"has drawn {many(taken, 'card')} but discarded none, so the deal "
            "cannot be played; best --chances shows which cards to discard",
            tag,
            seat,
            deal.rules.cite("players draw as many cards as they discard"),
        )
    elif taken != away:
        yield finding(
            "exchange-count",
            f"{seat_label(seat)} draws {many(taken, 'card')} and discards {away}",
            tag,
            seat,
            deal.rules.cite("players draw as many cards as they discard"),
        )


def _unknown_exchange(deal: DealtCards, seat: str, tag: str) -> Iterator[Finding]:
    """Check the exchange of an unknown hand: only face-up discards can be recorded."""
    if seat in deal.drawn or not deal.rules.game.shows_discards:
        yield hand_unknown(seat, tag)
        return
    for card in deal.discard[seat]:
        for other, hand in deal.hands.items():
            held = {*(hand or ()), *deal.drawn.get(other, ())}.difference(
                deal.discard.get(other, ())
            )
            if card in held:
                yield finding(
                    "exchange-discard",
                    f"{seat_label(seat)} cannot discard {card}: {seat_label(other)} holds it",
                    "Discard",
                    card,
                    deal.rules.cite("players discard cards from their own hand"),
                    seat,
                )


def hand_unknown(seat: str, tag: str) -> Finding:
    """Return a fault for cards in a recorded exchange that only their player can have seen."""
    return finding(
        "exchange-hand-unknown",
        f"{seat_label(seat)} exchanges cards, but their hand is unknown",
        tag,
        seat,
        "hand files: for an unknown hand, only face-up discards can be recorded",
    )
