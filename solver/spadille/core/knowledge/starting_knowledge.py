"""Determine what a seat knows before the first card: its hand, the exchange, visible cards.

With uniform discards, other players are assumed to have discarded arbitrary cards, so each hidden
card is equally likely to be in any place. With "keep-trumps", discards contain no trumps. With
"keep-best", layouts are weighted by the likelihood of the exchanges (see `discard_inferences`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from spadille.base.card_text import SUIT_NAMES, SUITS
from spadille.base.errors import DealError
from spadille.base.words_for_messages import many, seat_label, seat_name
from spadille.core.contract import Contract, discards_face_up
from spadille.core.deal import Deal
from spadille.core.knowledge.card_facts import AWAY, PILE, Condition, Fact, Hidden, impossible
from spadille.core.knowledge.discard_inferences import (
    ExchangeLikelihood,
    away_weights,
    kept_weights,
    weights_by_number,
)

Discards = Literal["keep-best", "uniform", "keep-trumps"]


class ExchangeStep(NamedTuple):
    """One player's exchange; `taken` and `away` are None if the cards are unknown."""

    seat: str
    number: int
    taken: tuple[str, ...] | None
    away: tuple[str, ...] | None


class Start:
    """The knowledge of a seat at the start of play or, with `dealt`, before any exchange.

    If `seat` is None, this is the view of a reader of the record, who has no hand but knows the
    whole recorded exchange.
    """

    def __init__(
        self, deal: Deal, contract: Contract, seat: str | None, dealt: bool, discards: Discards
    ) -> None:
        self.deal = deal
        self.contract = contract
        self.rules = deal.rules
        self.kind = deal.rules.contract(contract.ids[0])
        self.seat = seat
        self.dealt = dealt
        self.hands = deal.hands if dealt else deal.playing_hands()
        hand = () if seat is None else self.hands[seat]
        if hand is None:
            assert seat is not None
            raise DealError(
                f"{seat_label(seat)}'s hand is unknown; chances need the hand of the player to "
                "move",
                "hand-unknown",
            )
        self.own: tuple[str, ...] = hand
        self.drawn = deal.drawn[seat] if dealt and seat and seat in deal.undecided else ()
        """The cards that the seat has drawn if it has not discarded yet."""
        self.steps = [] if dealt else list(exchange_steps(deal))
        self.hidden = Hidden(self.rules, *self._hidden())
        if seat is not None:
            for card in (*hand, *self.drawn):
                self.hidden.seen[card] = f"is in the hand of {seat_name(seat)}"
        self.exchanges: ExchangeLikelihood | None = None
        """The likelihood of the exchanges; None unless layouts are weighted by it."""
        self._known_exchange()
        self._assume(discards)
        self._turned_up()
        self._top_card()

    def _hidden(self) -> tuple[tuple[str, ...], dict[str, int]]:
        """Return the cards that the seat does not see, and the number of them in each place."""
        rules, game = self.rules, self.rules.game
        others = rules.seats if self.seat is None else rules.in_turn(self.seat)[1:]
        known = {card for seat in others for card in self.hands[seat] or ()}
        seen = {*self.own, *self.drawn}
        if self.deal.is_ending:
            sizes = dict.fromkeys(others, self.size)
            if all(self.hands[seat] is not None for seat in others):
                return tuple(card for card in rules.deck if card in known), sizes
        else:
            sizes = dict.fromkeys(others, game.hand_size)
        cards = tuple(card for card in rules.deck if card not in seen)
        rest = len(cards) - sum(sizes.values())
        return cards, {**sizes, PILE: rest} if rest else sizes

    @property
    def size(self) -> int:
        """The number of cards in each hand."""
        known = next((hand for hand in self.hands.values() if hand is not None), None)
        return self.rules.game.hand_size if known is None else len(known)

    def put(self, card: str, seat: str, text: str) -> None:
        """Record that a card was dealt to a seat; raise DealError if that is impossible."""
        hand = () if self.seat is None else self.deal.hands[self.seat] or ()
        if (
            self.seat is not None
            and (card in hand) != (seat == self.seat)
            and not self.deal.is_ending
            and (card in hand or seat == self.seat)
        ):
            holder = seat_name(self.seat)
            verb = "holds" if card in hand else "does not hold"
            raise impossible(f"{text}, but {holder} {verb} it")
        self.hidden.put(card, self.reach(seat), text)

    def reach(self, seat: str) -> tuple[str, ...]:
        """List the places where a card dealt to `seat` may be now."""
        if self.dealt or seat == self.seat:
            return (seat,)
        if self.deal.is_ending:
            return (seat, PILE)
        number = next((n for n, step in enumerate(self.steps) if step.seat == seat), None)
        if number is None:
            return tuple(self.hidden.sizes) if self._unrecorded(seat) else (seat,)
        if not self.steps[number].number:
            return (seat,)
        takers = self._takers(number)
        if takers[:1] == [self.seat] and self.kind.exchange.takes == "whole":
            return (seat,)  # its discards passed through these hands
        return (seat, *takers, PILE, AWAY)

    def _may_exchange(self) -> frozenset[str]:
        entitled = self.kind.exchange.entitled(self.rules.seats, self.contract.side)
        return entitled.difference(self.deal.from_hand)

    def may_have_exchanged(self, seat: str) -> bool:
        """Return whether a seat may have made an unrecorded exchange."""
        recorded = any(step.seat == seat for step in self.steps)
        return not recorded and seat in self._may_exchange()

    def _unrecorded(self, seat: str) -> bool:
        """Return whether a seat has an unknown hand and may have made an unrecorded exchange."""
        return self.hands[seat] is None and self.may_have_exchanged(seat)

    def _takers(self, number: int) -> list[str]:
        """List the seats, in order, that may have taken another seat's discards."""
        if not self.rules.game.passes_on or self.kind.exchange.takes == "talon":
            return []
        order = self.rules.in_turn(self.rules.eldest(self.deal.dealer))
        later = order[order.index(self.steps[number].seat) + 1 :]
        recorded = {step.seat for step in self.steps[number + 1 :] if step.number}
        return [seat for seat in later if seat in recorded or self._unrecorded(seat)]

    def _known_exchange(self) -> None:
        """Record the seat's discards, the visible cards, and the number of cards others took."""
        hidden, face_up = self.hidden, discards_face_up(self.deal, self.contract)
        for number, step in enumerate(self.steps):
            who = seat_name(step.seat)
            if self.seat not in (None, step.seat):
                if step.number:
                    hidden.tell(f"{who} exchanged {many(step.number, 'card')}")
                if step.seat != face_up:
                    continue
            takers = self._takers(number)
            for card in step.away or ():
                if card not in hidden.holders:
                    continue  # it came back with the cards passed on
                if takers:
                    took = "may have taken" if self._unrecorded(takers[0]) else "took"
                    text = f"{who} discarded {card}, which {seat_name(takers[0])} {took}"
                    hidden.put(card, (*takers, PILE), text)
                else:
                    hidden.see(card, f"is among the cards {who} discarded")
                    hidden.sizes[PILE] -= 1
            if step.away:
                hidden.tell(f"{who} discarded {' '.join(step.away)}")
        if not hidden.sizes.get(PILE, 1):
            hidden.remove(PILE)

    def _assume(self, discards: Discards) -> None:
        """Apply the assumption about other players' discards."""
        others = [step.number for step in self.steps if step.seat != self.seat]
        if discards == "keep-trumps":
            self._keep_trumps()
        elif discards == "keep-best" and others and self._infers_from_exchanges:
            self._keep_best()
        elif any(others) and PILE in self.hidden.sizes:
            self.hidden.tell("other players' discards are assumed to be random cards")

    @property
    def _infers_from_exchanges(self) -> bool:
        """Whether the number of cards that players exchange depends on their hands."""
        game, exchange = self.rules.game, self.kind.exchange
        hidden = exchange.face_up == "never" and not game.passes_on
        return bool(self._trumps) and not game.draws_first and hidden

    @property
    def _trumps(self) -> tuple[str, ...]:
        return self.rules.trump_cards(self.contract.trump)

    def _keep_best(self) -> None:
        """Weight the layouts by the likelihood of the exchanges."""
        hidden, rules, kind = self.hidden, self.rules, self.kind
        keepers = rules.keepers(self.contract.trump)
        # Everybody knows that the top card was drawn, so it says nothing about what was kept.
        top, drawn_by = self._turned_top or ("", "")
        values = {card: 1 for card in keepers if card != top}
        text = (
            "other players are assumed to exchange as many cards as they may, but hardly ever "
            "trumps or the highest card of a plain suit"
        )
        fact = Fact(text, frozenset(hidden.holders))
        size, left, discarded = rules.game.hand_size, rules.game.talon_size, 0
        kept = {}
        for step in self.steps:
            if step.seat != self.seat:
                most = min(kind.exchange.most, left)
                kept[step.seat] = kept_weights(size - step.number, step.number, most)
                discarded += step.number
            left -= step.number
        away = away_weights(discarded)
        for place, number in hidden.sizes.items():
            # A player who did not exchange may hold any cards.
            likelihood = away if place == PILE else kept.get(place, (Fraction(1),))
            weights = weights_by_number(likelihood, number - (place == drawn_by))
            hidden.require(Condition(place, values, weights, fact))
        self.exchanges = ExchangeLikelihood(
            keepers,
            {seat: tuple(map(float, chances)) for seat, chances in kept.items()},
            tuple(map(float, away)),
        )

    def _keep_trumps(self) -> None:
        """Separate the other players' discards, which contain no trumps, from the undrawn cards."""
        hidden = self.hidden
        taken = {card for step in self.steps for card in step.away or () if card in hidden.seen}
        number = sum(step.number for step in self.steps) - len(taken)
        game = self.rules.game
        if game.passes_on:
            number = min(number, hidden.sizes.get(PILE, 0))
        if not number or not self._trumps:
            return
        hidden.split(PILE, AWAY, number)
        hidden.deny(AWAY, self._trumps, "nobody discarded a trump, by assumption")

    def _turned_up(self) -> None:
        """Record the card the dealer turned up; if it is unknown, its suit."""
        deal, hidden = self.deal, self.hidden
        dealer, who = deal.dealer, seat_name(deal.dealer)
        if not self.rules.game.turns_up:
            return
        if deal.turn_up:
            self.put(deal.turn_up, dealer, f"{who} dealt and turned up {deal.turn_up}")
            return
        trump, hand = deal.current_trump, self.hands[dealer]
        if trump not in tuple(SUITS) or deal.is_ending or dealer == self.seat:
            return
        suit = [card for card in self.rules.deck if card[0] == trump]
        if hand is not None and {*hand}.isdisjoint(suit):
            return  # a bridge deal, with any trump
        text = (
            f"{who} dealt and turned up one of the {SUIT_NAMES[trump or '']}: the more of them "
            f"{who} holds, the likelier the layout"
        )
        # Any of these cards may have been turned up.
        weights = {number: number for number in range(1, len(suit) + 1)}  # rule: turn-up-weight
        fact = Fact(text, frozenset(suit))
        hidden.require(Condition(dealer, dict.fromkeys(suit, 1), weights, fact))

    @property
    def _turned_top(self) -> tuple[str, str] | None:
        """The top card of the talon, and its place, if it makes trumps: everybody has seen it."""
        deal = self.deal
        if self.kind.trump != "talon" or not deal.draws_in_order:
            return None
        unknown = None in deal.hands.values() and not deal.exchangers
        if unknown and not self.dealt:
            return None
        return deal.talon[0], next((step.seat for step in self.steps if step.number), PILE)

    def _top_card(self) -> None:
        """Record the top card of the talon if it makes trumps."""
        if self._turned_top is None:
            return
        top, place = self._turned_top
        where = "it is still there" if place == PILE else f"{seat_name(place)} drew it"
        self.hidden.put(top, (place,), f"{top} was turned up on the talon; {where}")


def exchange_steps(deal: Deal) -> Sequence[ExchangeStep]:
    """List the exchanges in order; known cards are drawn from the top of the talon."""
    steps = []
    pile = list(deal.undealt)
    for seat in deal.exchangers:
        away, taken = deal.discard.get(seat), deal.drawn.get(seat)
        number = len(away if away is not None else taken or ())
        if taken is None and deal.talon_ordered:
            taken = tuple(pile[:number])
        pile = [card for card in pile if card not in (taken or ())]
        if deal.rules.game.passes_on:
            pile += away or ()
        steps.append(ExchangeStep(seat, number, taken, away))
    return steps
