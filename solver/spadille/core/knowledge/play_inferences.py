"""Determine what a seat learns from the play: voids, and players without the called card.

If a player does not follow to a plain suit, the player is void in it. If a player does not follow
to a trump lead, the player has no trump that had to be played (RULES 2), but may still have exempt
matadors.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spadille.base.card_text import CARD_ORDER, SUIT_NAMES
from spadille.base.errors import IllegalCardError
from spadille.base.words_for_messages import seat_name
from spadille.core.knowledge.card_facts import Condition, Fact, impossible
from spadille.core.knowledge.starting_knowledge import Start
from spadille.core.position import Position
from spadille.games.model.following_suit import MatadorRule

_KEEPS = {
    MatadorRule.ANY_MATADOR_LED: "a matador need not follow suit unless a matador is led",
    MatadorRule.HIGHER_ONLY: "a matador need not follow suit to a lower trump",
}


class SeenPlay:
    """A position as one seat sees it.

    An unknown hand in `position` has the right number of cards, but they are arbitrary. The cards
    played and the player to move are always correct.
    """

    def __init__(self, start: Start, dummy: str | None = None) -> None:
        self.start = start
        self.hidden = start.hidden
        self.rules = start.rules
        self.kind = start.kind
        self.unknown = [seat for seat in self.rules.seats if start.hands[seat] is None]
        self.spare: set[str] = set()
        self.position = self._position()
        if dummy is not None:
            self._show(dummy, f"the hand of {seat_name(dummy)} lies on the table")
        # In an end position, earlier tricks have been played.
        self.earlier = self.rules.game.hand_size - start.size
        self._expose()

    def _position(self) -> Position:
        start = self.start
        known = {card for hand in start.hands.values() for card in hand or ()}
        free = [card for card in start.hidden.holders if card not in known]
        hands = dict(start.hands)
        for seat in self.unknown:
            size = start.hidden.sizes[seat]
            hands[seat], free = tuple(free[:size]), free[size:]
        # It does not matter where the remaining cards are until somebody plays them.
        self.spare = {*free}
        deal = replace(start.deal, hands=hands, drawn={}, discard={}, talon=())
        return Position.of(deal, start.contract)

    def play(self, cards: Iterable[str]) -> None:
        """Play cards in order; raise IllegalCardError or DealError for impossible ones."""
        for card in cards:
            self.card(card)

    def card(self, card: str) -> None:
        """Play a card, and record what it reveals."""
        position, hidden = self.position, self.hidden
        seat, trick = position.to_play, len(position.tricks) + 1
        if not position.trick:
            self._gone_on()
        before = len(hidden.played)
        if seat in hidden.sizes and not position.finished:
            hidden.play(seat, card, trick)
            if seat in self.unknown:
                self._deal(seat, card)
            self._called(seat, card, trick)
            if position.trick:
                self._not_followed(seat, card, trick, before + 1)
        hidden.played.append((seat, card))
        try:
            if seat in self.unknown and not position.finished:
                position.force(card)
            else:
                position.play(card)
        except IllegalCardError as error:
            raise IllegalCardError(f"trick {trick}: {error}", error.code) from None
        if not position.trick:
            self._expose()

    def _expose(self) -> None:
        """Show the declarer's hand when it is exposed (RULES 8)."""
        after = self.kind.exposed_after
        if after and after <= self.earlier + len(self.position.tricks):
            seat = self.start.contract.declarer
            text = f"{seat_name(seat)}'s hand has been on the table since trick {after}"
            self._show(seat, text)

    def lay_open(self) -> None:
        """Show all known hands, for a reader of the record."""
        for seat in self.rules.seats:
            self._show(seat, f"the hand of {seat_name(seat)} is recorded")

    def _show(self, seat: str, text: str) -> None:
        """Show a hand if it is known but hidden."""
        if seat in self.hidden.sizes and seat not in self.unknown:
            cards = sorted(self.position.hands[seat], key=CARD_ORDER.__getitem__)
            self.hidden.show(seat, cards, text)

    def _deal(self, seat: str, card: str) -> None:
        """Give a player the card they are about to play, in exchange for an arbitrary one."""
        hands = self.position.hands
        if card in hands[seat]:
            return
        other = min(hands[seat], key=CARD_ORDER.__getitem__)
        holder = next((who for who in self.rules.seats if card in hands[who]), None)
        if holder is not None and holder not in self.unknown:
            raise impossible(f"{seat_name(seat)} plays {card}, but {seat_name(holder)} holds it")
        source = self.spare if holder is None else hands[holder]
        source.remove(card)
        source.add(other)
        hands[seat].remove(other)
        hands[seat].add(card)

    def _called(self, seat: str, card: str, trick: int) -> None:
        """Record what follows from the duties of the called card's holder (RULES 3)."""
        rules, position = self.rules, self.position
        called = position.called
        if called is None or rules.called_card_duty != "first-lead":
            return
        suit = position.suit_of[called]
        lead = position.trick[0][1] if position.trick else card
        if position.suit_of[lead] != suit:
            early = not rules.following.early_discard and self.hidden.sizes[seat] > 0
            if card == called and early:
                raise impossible(
                    f"{seat_name(seat)} plays the called {called} to trick {trick}, before its "
                    "suit is led and not as the last card"
                )
            return
        if card == called or (lead == card and rules.following.free_called_lead):
            return
        name = SUIT_NAMES[suit]
        did = "led another card of its suit" if lead == card else f"did not play it to {name}"
        text = f"{seat_name(seat)} does not hold the called {called}: {did} (trick {trick})"
        self.hidden.deny(seat, [called], text)  # rule: called-card-kept

    def _not_followed(self, seat: str, card: str, trick: int, since: int) -> None:
        """Record what a failure to follow suit proves (RULES 2)."""
        position, hidden = self.position, self.hidden
        suits = position.suit_of
        led = suits[position.trick[0][1]]
        if suits[card] == led:
            return
        who, where = seat_name(seat), f"(trick {trick})"
        same = [other for other in hidden.holders if suits[other] == led]  # rule: effective-suit
        must = same
        if led == position.trump:
            must = [other for other in same if position.compellable(other)]  # rule: exempt-matador
            if self.rules.following.free_unless_all_lower:
                must = self._mixed(seat, must, same, trick, since)
        name = "trumps" if led == position.trump else SUIT_NAMES[led]
        kept = [other for other in same if other not in must]
        but = " except exempt matadors" if kept else ""
        hidden.deny(seat, must, f"{who} has no {name}{but} {where}")
        if kept:
            rule = _KEEPS[self.rules.following.matador_rule]
            names = {other: self._matador(other) for other in kept}
            hidden.allow(seat, names, f"{who} may still hold {{}}: {rule}")

    def _mixed(
        self, seat: str, must: list[str], same: list[str], trick: int, since: int
    ) -> list[str]:
        """Return the impossible cards; a lower matador is possible only along with a higher one."""
        matadors = self.rules.matadors(self.position.trump)
        lower = [card for card in must if card in matadors]
        higher = [card for card in same if card not in must]
        if not lower or not higher:
            return must
        size = len(lower) + 1
        values = {**dict.fromkeys(lower, 1), **dict.fromkeys(higher, size)}
        sums = (0, *range(size, size * (len(higher) + 1)))
        names = " or ".join(self._matador(card) for card in lower)
        text = (
            f"{seat_name(seat)} did not follow a trump lead (trick {trick}) and so held {names} "
            f"only with {' or '.join(map(self._matador, higher))}"
        )
        fact = Fact(text, frozenset(lower))
        weights = dict.fromkeys(sums, 1)
        self.hidden.require(Condition(seat, values, weights, fact, since))  # rule: held-then
        return [card for card in must if card not in lower]

    def _matador(self, card: str) -> str:
        """Return a matador's name and its card as text."""
        order = self.rules.matadors(self.position.trump)
        names = dict(zip(order, self.rules.game.matador_names, strict=False))
        return f"{names[card]} ({card})" if card in names else card

    def _gone_on(self) -> None:
        """Record what the side's decision to go on after the first run reveals."""
        position, hidden, contract = self.position, self.hidden, self.start.contract
        run, called, partner = self.kind.first_run, contract.called, contract.partner
        winners = {trick.winner for trick in position.tricks}
        if (
            called not in hidden.holders
            or called is None
            or partner is None
            or self.kind.run_alone
            or not self.rules.may_go_on(self.kind)
            or len(position.tricks) != run
            or sum(position.won.values()) != run
            or position.finished
        ):
            return
        declarer = contract.declarer
        others = winners - {declarer}
        where = f"(trick {run + 1})"
        if others == {partner}:
            text = f"{seat_name(partner)} went on with {seat_name(declarer)} {where}"
            hidden.put(called, (partner,), f"{text} and so holds the called {called}")
        elif len(others) == 1:  # rule: silence-denies
            (other,) = others
            text = f"{seat_name(other)} and {seat_name(declarer)} won the first {run} tricks"
            silence = f"{seat_name(other)} did not announce going on {where}"
            hidden.deny(other, [called], f"{text}, but {silence} and so does not hold {called}")
