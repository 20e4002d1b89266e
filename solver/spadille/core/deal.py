"""`Deal`: what was dealt, as a value.

Whether the cards make a proper deal is asked of `spadille.core.validate`; here only what cannot be
worked out raises an error.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from types import NoneType
from typing import TYPE_CHECKING, Any, NoReturn

from spadille.base.card_text import (
    check_held_once,
    parse_card,
    parse_cards,
    parse_hand,
    sort_cards,
)
from spadille.base.errors import DealError, check_texts, check_type, quoted, whole_number
from spadille.base.input_words import many, read_seat
from spadille.games import rules_for
from spadille.games.model.game import Rules

if TYPE_CHECKING:
    from spadille.core.contract import Contract


class _Fixed(dict[str, Any]):
    """A mapping of a deal, which cannot be changed: the deal has a hash."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a deal cannot be changed; dataclasses.replace makes another")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[_Fixed], tuple[dict[str, Any]]]:
        return _Fixed, (dict(self),)


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards as dealt, or as they lie in an end position, with all that goes before play.

    `hands` has every seat of the game, sorted cards or None for an unknown hand. `drawn` and
    `discard` list the exchange, seats and cards in order.
    """

    rules: Rules
    dealer: str
    hands: Mapping[str, tuple[str, ...] | None]
    talon: tuple[str, ...] = ()  # top first when talon_ordered; () = what is left, unordered
    talon_ordered: bool = False
    current_trump: str | None = None  # where it follows from `turn_up` it need not be given
    pool: int | None = None  # chips; None = the antes of one deal
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    discard: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    from_hand: tuple[str, ...] = ()
    leader: str | None = None  # end positions: who is on lead
    won: Mapping[str, int] = field(default_factory=dict)  # end positions: tricks won so far
    turn_up: str | None = None  # Solo Whist: the dealer's card that was turned up

    def __post_init__(self) -> None:
        check_type(self.rules, Rules, "the rules of a deal are Rules, as rules_for gives them")
        check_type(self.hands, Mapping, "the hands of a deal are a mapping by seat")
        check_type(self.won, Mapping, "tricks won are a mapping of seats to numbers")
        for exchanged in (self.drawn, self.discard):
            check_type(exchanged, Mapping, "cards drawn or put away are a mapping by seat")
        for name in ("hands", "drawn", "discard", "won"):
            if isinstance(given := getattr(self, name), MutableMapping):
                object.__setattr__(self, name, _Fixed(given))
        if self.turn_up and self.rules.game.turns_up and self.current_trump is None:
            object.__setattr__(self, "current_trump", self.turn_up[0])

    def __hash__(self) -> int:
        hands = (self.hands.get(seat) for seat in self.rules.seats)
        return hash((self.rules, self.dealer, *hands, self.talon, self.pool))

    def __str__(self) -> str:
        from spadille.render.diagram import diagram

        return diagram(self)

    def _repr_html_(self) -> str:
        from spadille.render.html import html_diagram

        return html_diagram(self)

    @property
    def is_ending(self) -> bool:
        """Whether cards have been played already: hands shorter than those of a full deal."""
        size = self.rules.game.hand_size
        return any(hand is not None and len(hand) < size for hand in self.hands.values())

    @property
    def undealt(self) -> tuple[str, ...]:
        """The talon, or where it is not given what is left of the pack, sorted.

        () in an end position, where the rest counts as played, and while a hand is unknown.
        """
        if self.talon or self.is_ending or None in self.hands.values():
            return self.talon
        dealt = {card for hand in self.hands.values() for card in hand or ()}
        return tuple(card for card in self.rules.deck if card not in dealt)

    @property
    def drawable(self) -> tuple[str, ...]:
        """What may have been drawn: `undealt`, or what nobody holds while a hand is unknown."""
        if self.talon or self.is_ending or None not in self.hands.values():
            return self.undealt
        held = {card for hand in self.hands.values() for card in hand or ()}
        return tuple(card for card in self.rules.deck if card not in held)

    @property
    def exchangers(self) -> tuple[str, ...]:
        """The seats that exchange cards, in order: as `drawn` names them, then `discard`."""
        return tuple(dict.fromkeys((*self.drawn, *self.discard)))

    @property
    def undecided(self) -> tuple[str, ...]:
        """The seats that have drawn before they put away, and have put nothing away yet."""
        if not self.rules.game.draws_first:
            return ()
        return tuple(
            seat for seat, cards in self.drawn.items() if cards and seat not in self.discard
        )

    def holder(self, card: str) -> str | None:
        """Who was dealt `card`; None if nobody is known to hold it."""
        for seat, hand in self.hands.items():
            if hand is not None and card in hand:
                return seat
        return None

    def must_hold(self, card: str) -> str | None:
        """Who was dealt `card`; the one unknown hand has what the others do not have."""
        unknown = [seat for seat, hand in self.hands.items() if hand is None]
        if len(unknown) == 1 and not self.is_ending and not self.rules.game.talon_size:
            return self.holder(card) or unknown[0]
        return self.holder(card)

    def taken_over(self) -> Deal:
        """Return the deal for whoever takes over the contract: the pool may be another one."""
        pool = self.rules.pool_taken_over(self)
        return self if pool == self.rules.pool(self) else replace(self, pool=pool)

    def playing_hands(self) -> Mapping[str, tuple[str, ...] | None]:
        """Work out the hands that are played, after the exchange.

        Seats exchange in the order of `exchangers`. A seat that is not in `drawn`
        draws as many cards as it puts away, from the top of the talon. An unknown hand stays
        unknown if all that is recorded are discards, in a game that shows some. Raises DealError.
        """
        if not self.drawn and not self.discard:
            return self.hands
        if self.undecided:
            raise DealError(
                f"{self.undecided[0]} has drawn and put nothing away: nothing can be played, only "
                "asked what to put away, with best --chances",
                "exchange-open",
            )
        game = self.rules.game
        pile = list(self.drawable)
        ordered = self.talon_ordered and bool(self.talon)
        hands = dict(self.hands)
        for seat in self.exchangers:
            hand = hands.get(seat)
            if hand is None and game.shows_discards and seat not in self.drawn:
                continue  # all that is known is what it discarded face up
            if hand is None:
                raise DealError(
                    f"{seat} exchanges cards, but has no known hand", "exchange-hand-unknown"
                )
            away = self.discard.get(seat, ())
            taken = self.drawn.get(seat)
            if taken is None:
                if len(away) > len(pile):
                    raise DealError(
                        f"{seat} puts away {len(away)} cards, but only {len(pile)} are left in "
                        f"the {game.talon_name}",
                        "exchange-more-than-left",
                    )
                if not (ordered or len(away) in (0, len(pile))):
                    raise DealError(
                        f"{seat} puts away {' '.join(away)}, but what it draws is not known: "
                        f"give Drawn, or the {game.talon_name} in order",
                        "exchange-draw-unknown",
                    )
                taken = tuple(pile[: len(away)])
            for card in taken:
                if card not in pile:
                    raise DealError(
                        f"{seat} cannot draw {card}: it does not lie in the {game.talon_name}",
                        "exchange-draw",
                    )
                pile.remove(card)
            held = [*hand, *taken] if game.draws_first else list(hand)
            for card in away:
                if card not in held:
                    raise DealError(
                        f"{seat} cannot put away {card}: it does not hold it", "exchange-discard"
                    )
                held.remove(card)
            if not game.draws_first:
                held.extend(taken)
            if len(held) != len(hand):
                raise DealError(
                    f"{seat} draws {len(taken)} and puts away {len(away)}: the numbers differ",
                    "exchange-count",
                )
            if game.passes_on:
                pile.extend(away)
            hands[seat] = tuple(card for card in self.rules.deck if card in held)
            if len(hands[seat] or ()) < len(held):
                check_held_once({seat: held})
        return hands

    @classmethod
    def parse(
        cls,
        text: str,
        game: str,
        dealer: str | None = None,
        options: str | Mapping[str, str] | None = None,
        talon: str = "",
        current_trump: str | None = None,
        pool: int | None = None,
        leader: str | None = None,
        won: Mapping[str, int] | None = None,
        turn_up: str | None = None,
    ) -> Deal:
        """Read a deal in the notation of the Deal tag, "N:AK.QJ..987 ...", hands clockwise.

        The dealer defaults to the seat named first; `talon` lists cards, top first. One hand may be
        "-" where the rest of the pack tells it. Raises RulesError for the game and its options,
        CardError for what is no card, DealError for what is no deal, with all its faults, and for
        a seat, current trump or number the game cannot have.
        """
        if not isinstance(text, str):
            raise DealError(f"a deal is read from text, not from {quoted(text)}", "deal-unreadable")
        check_texts(dealer=dealer, current_trump=current_trump, leader=leader, turn_up=turn_up)
        check_type(talon, str, "a talon is cards as text")
        pool = None if pool is None else whole_number(pool, None, "the pool is a number of chips")
        check_type(won, (Mapping, NoneType), "tricks won are a mapping of seats to numbers")
        rules = rules_for(game, options)
        seats = rules.seats
        first, colon, rest = text.strip().partition(":")
        first = read_seat(first)
        words = rest.split()
        if not colon or first not in seats or len(words) != len(seats):
            raise DealError(
                f"{text!r} is not a deal: write one of {' '.join(seats)}, a colon and "
                f"{len(seats)} hands",
                "deal-unreadable",
            )
        start = seats.index(first)
        order = seats[start:] + seats[:start]
        cards = parse_cards(talon)
        hands = completed(
            rules,
            {
                seat: None if word == "-" else parse_hand(word)
                for seat, word in zip(order, words, strict=True)
            },
            cards,
        )
        deal = cls(
            rules=rules,
            dealer=read_seat(dealer or first),
            hands={seat: hands[seat] for seat in seats},
            talon=cards,
            talon_ordered=bool(cards),
            current_trump=current_trump,
            pool=pool,
            leader=leader,
            won=won or {},
            turn_up=turn_up and parse_card(turn_up),
        )
        check_seats(deal)
        allowed, current_trump = rules.game.current_trumps, deal.current_trump
        if current_trump is not None and current_trump not in allowed:
            raise DealError(
                f"{current_trump!r} cannot be the current trump of {rules.game.name}, only "
                f"{', '.join(allowed) or 'none'}",
                "current-trump-not-allowed",
            )
        if pool is not None and pool < 0:
            raise DealError(f"the pool has 0 chips or more, not {pool}", "number-invalid")
        _check_cards(deal)
        return deal

    @classmethod
    def random(
        cls,
        game: str,
        seed: int | None = None,
        *,
        dealer: str | None = None,
        options: str | Mapping[str, str] | None = None,
    ) -> Deal:
        """Deal the whole pack at random; the same `seed` gives the same deal.

        The talon lies in order. Where the game has a current trump it is drawn, too; in Solo Whist
        the dealer's last card is turned up, and the trump is its suit. Raises RulesError for the
        game and its options, DealError for a dealer who is no seat.
        """
        rules = rules_for(game, options)
        seed = None if seed is None else whole_number(seed, None, "a seed is a whole number")
        check_texts(dealer=dealer)
        # Of a number Random takes the absolute value.
        draw = Random(seed if seed is None or seed >= 0 else str(seed))
        cards = list(rules.deck)
        draw.shuffle(cards)
        size = rules.game.hand_size
        hands = {
            seat: cards[start : start + size]
            for seat, start in zip(rules.seats, range(0, len(cards), size), strict=False)
        }
        talon = tuple(cards[size * len(rules.seats) :])
        dealer = draw.choice(rules.seats) if dealer is None else dealer
        trumps = rules.game.current_trumps
        current = draw.choice(trumps) if trumps else None
        turned = hands[dealer][-1] if rules.game.turns_up and dealer in hands else None
        deal = cls(
            rules=rules,
            dealer=dealer,
            hands={seat: sort_cards(hand) for seat, hand in hands.items()},
            talon=talon,
            talon_ordered=bool(talon),
            current_trump=turned[0] if turned else current,
            turn_up=turned,
        )
        check_seats(deal)
        return deal

    def goulash(self, dealer: str | None = None) -> Deal:
        """Deal these cards again unshuffled, as after a deal that all have passed.

        The hands are collected from eldest on, each from the spades to the clubs and from high to
        low, and dealt in the packets of the game; the current trump moves on. The same player deals
        unless a `dealer` is named. Raises DealError for a game that shuffles, for a deal with
        unknown or shorter hands, and for a dealer who is no seat.
        """
        rules, course, hands = self.rules, self.rules.game.course, self.hands
        check_texts(dealer=dealer)
        if not course.packets:
            raise DealError(f"{rules.game.name} has no goulash", "goulash-none")
        if self.is_ending or None in hands.values():
            raise DealError("a goulash takes all hands as they were dealt", "goulash-hands")
        again = replace(
            self,
            dealer=dealer or self.dealer,
            current_trump=self.current_trump and course.trump_after(self.current_trump),
        )
        check_seats(again)
        collected = rules.in_turn(rules.eldest(self.dealer))
        pile = iter([card for seat in collected for card in sort_cards(hands[seat] or ())])
        order = rules.in_turn(rules.eldest(again.dealer))
        dealt: dict[str, list[str]] = {seat: [] for seat in rules.seats}
        for packets in course.packets:
            for seat, number in zip(order, packets, strict=True):
                dealt[seat] += islice(pile, number)
        return replace(again, hands={seat: sort_cards(cards) for seat, cards in dealt.items()})

    def contract(
        self,
        contract: str | Sequence[str],
        declarer: str | Sequence[str] | None = None,
        trump: str | None = None,
        called: str | None = None,
        partner: str | None = None,
        penalty: str | None = None,
        trump_by: str | None = None,
    ) -> Contract:
        """Resolve a contract on this deal, see `Contract.make`."""
        from spadille.core.contract import Contract

        return Contract.make(self, contract, declarer, trump, called, partner, penalty, trump_by)


def completed(
    rules: Rules, hands: Mapping[str, tuple[str, ...] | None], talon: tuple[str, ...]
) -> Mapping[str, tuple[str, ...] | None]:
    """Return the hands of a full deal, the one that is not known too where the pack tells it."""
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


def _check_cards(deal: Deal) -> None:
    """Raise DealError, with all faults, for cards that are no deal and no end of one."""
    from spadille.core.validate.deal_faults import deal_findings

    found = [finding.fault for finding in deal_findings(deal)]
    # Who leads to an end position may be said later.
    faults = [one for one in found if one.severity == "error" and one.code != "leader-missing"]
    if faults:
        raise DealError("; ".join(fault.message for fault in faults), faults[0].code)


def check_seats(deal: Deal) -> None:
    """Raise DealError unless dealer, leader and winners of tricks can be those of the game."""
    rules = deal.rules
    named = [deal.dealer, *deal.won]
    if deal.leader is not None:
        named.append(deal.leader)
    for seat in named:
        if seat not in rules.seats:
            raise DealError(
                f"{seat!r} is no seat of {rules.game.name}: {' '.join(rules.seats)}",
                "seat-unknown",
            )
    if any(not isinstance(tricks, int) or tricks < 0 for tricks in deal.won.values()):
        raise DealError(f"tricks won are 0 or more, not {dict(deal.won)}", "number-invalid")
    if deal.won:
        left = max((len(hand) for hand in deal.hands.values() if hand is not None), default=0)
        total, played = sum(deal.won.values()), rules.game.hand_size - left
        if total > played:
            raise DealError(
                f"Won has {many(total, 'trick')}, but {many(played, 'trick')} can have been played",
                "won-too-many",
            )
