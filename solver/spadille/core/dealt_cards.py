"""`DealtCards`: an immutable value with the cards of a deal, including the exchange.

`spadille.core.deal_faults` finds every fault in the cards. This module raises an error only if it
cannot compute a result. `spadille.core.deal.Deal` adds ways to create a deal and to continue from
it.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NoReturn, Self

from spadille.base.argument_checks import check_texts, check_type, whole_number
from spadille.base.card_text import check_held_once, sort_cards
from spadille.base.errors import DealError
from spadille.base.words_for_messages import many, seat_label
from spadille.games.model.game import Rules


def cannot_draw(rules: Rules, seat: str, card: str) -> str:
    """Return the message about a card that is not in the talon."""
    return f"{seat_label(seat)} cannot draw {card}: it is not in the {rules.game.talon_name}"


def cannot_discard(seat: str, card: str) -> str:
    """Return the message about a card that is not in the hand."""
    return f"{seat_label(seat)} cannot discard {card}: it is not in their hand"


class _Fixed(dict[str, Any]):
    """A mapping that cannot be changed; the deal that contains it must stay hashable."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a deal cannot be changed; use dataclasses.replace to make another one")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[_Fixed], tuple[dict[str, Any]]]:
        return _Fixed, (dict(self),)


@dataclass(frozen=True, slots=True)
class DealtCards:
    """The cards of a deal or an end position, and everything else known before play.

    `hands` maps every seat of the game to its sorted cards, or to None for an unknown hand. `drawn`
    and `discard` record the exchange: the cards of each seat, in order.
    """

    rules: Rules
    dealer: str
    hands: Mapping[str, tuple[str, ...] | None]
    talon: tuple[str, ...] = ()  # top first if talon_ordered; () = the undealt cards, unordered
    talon_ordered: bool = False
    current_trump: str | None = None  # optional if it follows from `turn_up`
    pool: int | None = None  # in chips; None = the antes of one deal
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    discard: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    from_hand: tuple[str, ...] = ()
    leader: str | None = None  # end positions: the seat to lead
    won: Mapping[str, int] = field(default_factory=dict)  # end positions: tricks won so far
    turn_up: str | None = None  # Solo Whist: the dealer's card, turned up

    def __post_init__(self) -> None:
        check_type(self.rules, Rules, "the rules of a deal must be Rules, as returned by rules_for")
        check_type(self.hands, Mapping, "the hands of a deal must be a mapping from seats")
        check_type(self.won, Mapping, "tricks won must map seats to numbers")
        for exchanged in (self.drawn, self.discard):
            check_type(exchanged, Mapping, "cards drawn or discarded must be a mapping from seats")
        if type(self.dealer) is not str:
            check_type(self.dealer, str, "the dealer must be a seat as text")
        if self.leader is not None or self.current_trump is not None or self.turn_up is not None:
            check_texts(leader=self.leader, current_trump=self.current_trump, turn_up=self.turn_up)
        if self.pool is not None and type(self.pool) is not int:
            pool = whole_number(self.pool, None, "the pool must be a number of chips")
            object.__setattr__(self, "pool", pool)
        if type(self.talon) is not tuple:
            check_type(self.talon, (list, tuple), "talon must be a tuple of cards")
            object.__setattr__(self, "talon", tuple(self.talon))
        if type(self.from_hand) is not tuple:
            check_type(self.from_hand, (list, tuple), "from_hand must be a tuple of seats")
            object.__setattr__(self, "from_hand", tuple(self.from_hand))
        for name in ("hands", "drawn", "discard", "won"):
            given = getattr(self, name)
            for seat in given:
                if type(seat) is not str:
                    check_type(seat, str, f"the seats in {name} must be text")
            # Only the mapping types that callers normally pass are copied: some others raise an
            # exception if a hand is read.
            changing = isinstance(given, (MutableMapping, MappingProxyType))
            if changing and type(given) is not _Fixed:
                copied = {
                    seat: tuple(value) if type(value) is list else value
                    for seat, value in given.items()
                }
                object.__setattr__(self, name, _Fixed(copied))
        if self.turn_up and self.rules.game.turns_up and self.current_trump is None:
            object.__setattr__(self, "current_trump", self.turn_up[0])

    def __hash__(self) -> int:
        hands = (self.hands.get(seat) for seat in self.rules.seats)
        return hash((self.rules, self.dealer, *hands, self.talon, self.pool))

    @property
    def is_ending(self) -> bool:
        """Whether this is an end position: cards have been played, so hands are smaller."""
        size = self.rules.game.hand_size
        return any(hand is not None and len(hand) < size for hand in self.hands.values())

    @property
    def undealt(self) -> tuple[str, ...]:
        """The talon; if it is not recorded, the remaining cards of the pack, sorted.

        Empty if a hand is unknown, and in an end position, in which the missing cards were played.
        """
        if self.talon or self.is_ending or None in self.hands.values():
            return self.talon
        dealt = {card for hand in self.hands.values() for card in hand or ()}
        return tuple(card for card in self.rules.deck if card not in dealt)

    @property
    def drawable(self) -> tuple[str, ...]:
        """The cards that may have been drawn: `undealt`, or all cards not in a known hand."""
        if self.talon or self.is_ending or None not in self.hands.values():
            return self.undealt
        held = {card for hand in self.hands.values() for card in hand or ()}
        return tuple(card for card in self.rules.deck if card not in held)

    @property
    def draws_in_order(self) -> bool:
        """Whether the order in which the talon's cards are drawn is known."""
        return self.talon_ordered and bool(self.talon)

    @property
    def exchangers(self) -> tuple[str, ...]:
        """The seats that exchange cards, first those in `drawn`, then those in `discard`."""
        return tuple(dict.fromkeys((*self.drawn, *self.discard)))

    @property
    def undecided(self) -> tuple[str, ...]:
        """The seats that have drawn but not yet discarded."""
        if not self.rules.game.draws_first:
            return ()
        return tuple(
            seat for seat, cards in self.drawn.items() if cards and seat not in self.discard
        )

    def holder(self, card: str) -> str | None:
        """Return the seat that was dealt `card`; None if this is unknown."""
        for seat, hand in self.hands.items():
            if hand is not None and card in hand:
                return seat
        return None

    def must_hold(self, card: str) -> str | None:
        """Return the seat that was dealt `card`; a single unknown hand is filled in first."""
        unknown = [seat for seat, hand in self.hands.items() if hand is None]
        if len(unknown) == 1 and not self.is_ending and not self.rules.game.talon_size:
            return self.holder(card) or unknown[0]
        return self.holder(card)

    def taken_over(self) -> Self:
        """Return the deal after a player takes over the contract; the pool may be different."""
        pool = self.rules.pool_taken_over(self)
        return self if pool == self.rules.pool(self) else replace(self, pool=pool)

    def playing_hands(self) -> Mapping[str, tuple[str, ...] | None]:
        """Return the hands at the start of play, after the exchange.

        Seats exchange in the order of `exchangers`. A seat that is not in `drawn` draws as many
        cards as it discards, from the top of the talon. In some games, certain discards are face
        up. If only face-up discards are recorded for an unknown hand, the hand stays unknown.
        Raises DealError for an impossible exchange.
        """
        if not self.drawn and not self.discard:
            return self.hands
        if self.undecided:
            raise DealError(
                f"{self.undecided[0]} has drawn cards but discarded none, so the deal cannot be "
                "played; best --chances shows which cards to discard",
                "exchange-open",
            )
        shows_discards = self.rules.game.shows_discards
        pile = list(self.drawable)
        hands = dict(self.hands)
        for seat in self.exchangers:
            hand = hands.get(seat)
            if hand is None and shows_discards and seat not in self.drawn:
                continue  # only the face-up discards are known
            if hand is None:
                raise DealError(
                    f"{seat_label(seat)} exchanges cards, but their hand is unknown",
                    "exchange-hand-unknown",
                )
            hands[seat] = self._exchanged(seat, hand, pile)
        return hands

    def _exchanged(self, seat: str, hand: Sequence[str], pile: list[str]) -> tuple[str, ...]:
        """Return the hand of a seat after its exchange, which changes the `pile` to draw from."""
        game = self.rules.game
        away = self.discard.get(seat, ())
        taken = self.drawn.get(seat)
        if taken is None:
            taken = self._top(seat, away, pile)
        for card in taken:
            if card not in pile:
                raise DealError(cannot_draw(self.rules, seat, card), "exchange-draw")
            pile.remove(card)
        held = [*hand, *taken] if game.draws_first else list(hand)
        for card in away:
            if card not in held:
                raise DealError(cannot_discard(seat, card), "exchange-discard")
            held.remove(card)
        if not game.draws_first:
            held.extend(taken)
        if len(held) != len(hand):
            raise DealError(
                f"{seat_label(seat)} "
                f"draws {len(taken)} and discards {len(away)}: the numbers differ",
                "exchange-count",
            )
        if game.passes_on:
            pile.extend(away)
        after = tuple(card for card in self.rules.deck if card in held)
        if len(after) < len(held):
            check_held_once({seat: held})
        return after

    def _top(self, seat: str, away: Sequence[str], pile: Sequence[str]) -> tuple[str, ...]:
        """Return the cards that a seat draws for those it discards, from the top of the pile."""
        talon = self.rules.game.talon_name
        if len(away) > len(pile):
            raise DealError(
                f"{seat_label(seat)} "
                f"discards {len(away)} cards, but only {len(pile)} are left in the {talon}",
                "exchange-more-than-left",
            )
        if not (self.draws_in_order or len(away) in (0, len(pile))):
            raise DealError(
                f"{seat_label(seat)} "
                f"discards {' '.join(away)}, but the cards drawn are unknown: "
                f"give Drawn, or the {talon} in order",
                "exchange-draw-unknown",
            )
        return tuple(pile[: len(away)])


def completed(
    rules: Rules, hands: Mapping[str, tuple[str, ...] | None], talon: tuple[str, ...]
) -> Mapping[str, tuple[str, ...] | None]:
    """Return the hands of a full deal; a single unknown hand is filled in from the pack."""
    unknown = [seat for seat, hand in hands.items() if hand is None]
    known = [card for hand in hands.values() for card in hand or ()]
    size = rules.game.hand_size
    if len(unknown) != 1 or len(known) != size * (len(hands) - 1):
        return hands
    seen = {*known, *talon}
    rest = tuple(card for card in rules.deck if card not in seen)
    if len(rest) != size or len(seen) != len(known) + len(talon):
        return hands
    return {**hands, unknown[0]: sort_cards(rest)}


def check_hands(deal: DealtCards) -> None:
    """Raise DealError unless the deal has a hand, known or unknown, for each seat and no other."""
    if set(deal.hands) != set(deal.rules.seats):
        seats, named = " ".join(deal.rules.seats), " ".join(deal.hands)
        raise DealError(
            f"the deal has hands for {named or 'nobody'}, not for {seats}", "deal-hands"
        )


def check_seats(deal: DealtCards) -> None:
    """Check the dealer, the leader and the tricks won.

    Raises RulesError for an unknown seat, and DealError for impossible numbers of tricks.
    """
    rules = deal.rules
    rules.check_seats(deal.dealer, *deal.won, *([] if deal.leader is None else [deal.leader]))
    if any(not isinstance(tricks, int) or tricks < 0 for tricks in deal.won.values()):
        raise DealError(f"tricks won must be 0 or more, not {dict(deal.won)}", "number-invalid")
    if deal.won:
        left = max((len(hand) for hand in deal.hands.values() if hand is not None), default=0)
        total, played = sum(deal.won.values()), rules.game.hand_size - left
        if total > played:
            raise DealError(
                f"Won has {many(total, 'trick')}, but {many(played, 'trick')} can have been played",
                "won-too-many",
            )
