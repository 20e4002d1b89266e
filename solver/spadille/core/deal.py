"""`Deal`: what was dealt, as a value.

Every fault of its cards is found by `spadille.core.deal_faults`; here only what cannot be worked
out raises an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from types import NoneType

from spadille.base.card_text import parse_card, parse_cards, parse_hand, sort_cards
from spadille.base.errors import DealError, check_texts, check_type, quoted, whole_number
from spadille.base.input_words import read_seat
from spadille.base.presentation import presented
from spadille.core.contract import Contract
from spadille.core.deal_faults import deal_findings
from spadille.core.dealt_cards import DealtCards, check_seats, completed
from spadille.games import rules_for


# Equality and hash are those of the cards.
@dataclass(frozen=True, slots=True, eq=False)
class Deal(DealtCards):
    """A deal: its cards, the ways to make one, and the contracts on it."""

    def __str__(self) -> str:
        return presented("text", self)

    def _repr_html_(self) -> str:
        return presented("html", self)

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
        return Contract.make(
            deal=self,
            contract=contract,
            declarer=declarer,
            trump=trump,
            called=called,
            partner=partner,
            penalty=penalty,
            trump_by=trump_by,
        )


def _check_cards(deal: Deal) -> None:
    """Raise DealError, with all faults, for cards that are no deal and no end of one."""
    faults = [
        finding.fault
        for finding in deal_findings(deal)
        if finding.fault.severity == "error" and finding.fault.code != "leader-missing"
    ]  # the leader of an end position may be named later
    if faults:
        raise DealError("; ".join(fault.message for fault in faults), faults[0].code)
