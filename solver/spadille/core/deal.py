"""`Deal`: an immutable value with the cards of a deal and everything else known before play.

`spadille.core.deal_faults` finds every fault in the cards. This module raises an error only if it
cannot create a deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from types import NoneType

from spadille.base.argument_checks import check_texts, check_type, whole_number
from spadille.base.card_languages import letters_of
from spadille.base.card_text import parse_card, parse_cards, parse_hand, sort_cards
from spadille.base.display_registry import presented
from spadille.base.errors import ArgumentError, DealError, SpadilleError, quoted
from spadille.base.names_in_input import read_seat, read_trump
from spadille.base.words_for_messages import seat_label
from spadille.core.contract import Contract
from spadille.core.counted_cards import (
    STRENGTH,
    TALON,
    card_points,
    check_suit,
    matador_cards,
    rank_cards,
    relative_seats,
    suits_of,
)
from spadille.core.deal_faults import deal_findings
from spadille.core.deal_text import is_written_deal, read_written_deal, written_deal
from spadille.core.dealt_cards import DealtCards, check_hands, check_seats, completed
from spadille.games import get_game, rules_for
from spadille.games.model.game import Game


# With `eq=False`, the class inherits the comparison and the hash of `DealtCards`.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Deal(DealtCards):
    """The cards of a deal, with methods that create deals and resolve contracts."""

    def __str__(self) -> str:
        check_hands(self)
        return presented("text", self)

    def __repr__(self) -> str:
        try:
            return f"Deal.parse({self.text!r})"
        except SpadilleError as error:
            return f"<invalid deal of {self.rules.game.name}: {error}>"

    def _repr_html_(self) -> str:
        return presented("html", self)

    @classmethod
    def parse(
        cls,
        text: str,
        game: str | Game | None = None,
        *,
        dealer: str | None = None,
        options: str | Mapping[str, str] | None = None,
        talon: str = "",
        current_trump: str | None = None,
        pool: int | None = None,
        leader: str | None = None,
        won: Mapping[str, int] | None = None,
        turn_up: str | None = None,
        letters: str = "en",
    ) -> Deal:
        """Parse a deal in the notation of the Deal tag, such as "N:AK.QJ..987 ...".

        The dealer defaults to the first seat named; `talon` lists cards from the top. One hand may
        be "-" if the rest of the pack determines it. `letters` is the language of the cards: "de",
        "fr", "es", "nl" or "da". A line in the format of `text`, such as "ombre 1:AK... ...",
        contains everything. The only other argument allowed is the game, which must match.
        Raises RulesError for an invalid game or option, CardError for an unreadable card,
        ArgumentError for other arguments given with such a line, and DealError for an invalid deal
        or an argument that does not fit the game; DealError lists all faults of a deal.
        """
        if not isinstance(text, str):
            raise DealError(f"a deal must be text, not {quoted(text)}", "deal-unreadable")
        others = (dealer, options, talon or None, current_trump, pool, leader, won, turn_up)
        if game is None or is_written_deal(text):
            return cls._read_line(text, game, others)
        check_texts(dealer=dealer, current_trump=current_trump, leader=leader, turn_up=turn_up)
        check_type(talon, str, "a talon must be cards as text")
        pool = (
            None if pool is None else whole_number(pool, None, "the pool must be a number of chips")
        )
        check_type(won, (Mapping, NoneType), "tricks won must map seats to numbers")
        rules = rules_for(game, options)
        if (written := letters_of(letters)) is not None:
            text, talon = written.words(text), written.words(talon)
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
        _check(deal)
        return deal

    @classmethod
    def _read_line(cls, text: str, game: str | Game | None, others: Iterable[object]) -> Deal:
        """Parse a deal in the form of `text`."""
        line = read_written_deal(text)
        if game is not None and get_game(game).id != line.game:
            other = get_game(game).id
            raise ArgumentError(f"{text!r} is a deal of {line.game}, not of {other}")
        if any(other is not None for other in others):
            raise ArgumentError("a line that names its game takes no further arguments")
        deal = cls.parse(line.hands, line.game, options=line.options)
        deal = replace(deal, **line.fields)
        deal = replace(deal, hands=completed(deal.rules, deal.hands, deal.talon))
        _check(deal)
        return deal

    @property
    def text(self) -> str:
        """The deal as one line of text that `parse` can read.

        The format is stable; docs/library.md describes it. A deal changed by `dataclasses.replace`
        so that it cannot be written raises DealError, or RulesError for an unknown seat.
        """
        check_hands(self)
        try:
            return written_deal(self)
        except ValueError:
            _check(self)
            raise

    def length(self, seat: str, suit: str, trump: str | None = None) -> int:
        """Return the number of cards of a suit dealt to a seat; "talon" counts the undealt cards.

        Suits are printed suits or, if `trump` is given, suits under that trump. This method,
        `trumps`, `matadors`, `cards`, `holds`, `ranks` and `points` work like the functions with
        these names in the conditions of `deals`; "dealer" and "eldest" are also accepted as seats.
        All these methods raise ArgumentError for an unknown suit or rank, CardError for an
        unreadable card, RulesError if the game has no such seat, no such trump or no matadors, and
        DealError for an unknown hand.
        """
        suit = check_suit(read_trump(suit))
        return self._count(seat, suits_of(self.rules, trump and read_trump(trump))[suit])

    def trumps(self, seat: str, trump: str | None = None) -> int:
        """Return the number of trumps dealt to a seat; `trump` defaults to the deal's own."""
        return self._count(seat, self.rules.trump_cards(self._named(trump)))

    def matadors(self, seat: str, trump: str | None = None) -> int:
        """Return the number of matadors dealt to a seat; `trump` defaults to the deal's own."""
        return self._count(seat, matador_cards(self.rules, self._named(trump)))

    def cards(self, seat: str, *cards: str) -> int:
        """Return the number of these cards that were dealt to a seat; a string may list several."""
        return self._count(seat, _card_list(cards))

    def holds(self, seat: str, *cards: str) -> bool:
        """Return whether a seat was dealt all of these cards."""
        wanted = _card_list(cards)
        return self._count(seat, wanted) == len(wanted)

    def ranks(self, seat: str, ranks: str) -> int:
        """Return the number of cards of these ranks ("AK") dealt to a seat."""
        return self._count(seat, rank_cards(self.rules, ranks))

    def points(self, seat: str, scale: str = STRENGTH) -> int:
        """Return the points a seat was dealt, on a scale such as "A4 K3 Q2 J1"."""
        points = card_points(self.rules, scale)
        return sum(points[card] for card in self._dealt(seat))

    def _count(self, seat: str, cards: Iterable[str]) -> int:
        return len({*cards}.intersection(self._dealt(seat)))

    def _dealt(self, seat: str) -> tuple[str, ...]:
        """Return the cards dealt to a seat; for "talon", the undealt cards."""
        check_type(seat, str, "a seat must be text")
        if seat == TALON and self.rules.game.talon_size:
            return self.undealt
        named = relative_seats(self.rules, self.dealer).get(seat) or read_seat(seat)
        self.rules.check_seats(named)
        check_hands(self)
        hand = self.hands[named]
        if hand is None:
            raise DealError(f"the hand of {seat_label(named)} is unknown", "hand-unknown")
        return hand

    def _named(self, trump: str | None) -> str:
        """Return a trump as a suit; None stands for the deal's own trump."""
        check_texts(trump=trump)
        named = self.current_trump if trump is None else read_trump(trump)
        if named is None:
            raise ArgumentError("give a trump: the deal has none of its own", "trump-missing")
        return named

    @classmethod
    def random(
        cls,
        game: str | Game,
        seed: int | None = None,
        *,
        dealer: str | None = None,
        options: str | Mapping[str, str] | None = None,
    ) -> Deal:
        """Deal the whole pack at random; the same `seed` gives the same deal.

        The game is an id or a `Game`, registered or not. The talon lists its cards from the top. If
        the game has a current trump, it is drawn at random, too. In Solo Whist, the dealer's last
        card is turned up, and its suit is the trump suit. Raises RulesError for an invalid game or
        option, or if the dealer is not a seat in the game.
        """
        rules = rules_for(game, options)
        seed = None if seed is None else whole_number(seed, None, "a seed must be an integer")
        check_texts(dealer=dealer)
        # `Random` ignores the sign of a seed, so a negative seed becomes a string.
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
        """Deal these cards again without shuffling, as after a passed-out deal.

        The hands are sorted from spades to clubs and from high to low, and collected, beginning
        with eldest. The cards are then dealt in the packets of the game, and the current
        trump advances. `dealer` defaults to the same dealer. Raises DealError if the game always
        shuffles or hands are unknown or incomplete, and RulesError if the dealer is not a seat in
        the game.
        """
        rules, course, hands = self.rules, self.rules.game.course, self.hands
        check_texts(dealer=dealer)
        if not course.packets:
            raise DealError(f"{rules.game.name} has no goulash", "goulash-none")
        if self.is_ending or None in hands.values():
            raise DealError("a goulash needs all hands as they were dealt", "goulash-hands")
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
        """Resolve a contract on this deal (see `Contract.make`)."""
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


def _card_list(texts: Sequence[str]) -> list[str]:
    """Return the cards in these strings; each string may list several."""
    for text in texts:
        check_type(text, str, "cards must be text such as 'CA DA'")
    return [card for text in texts for card in parse_cards(text)]


def _check(deal: Deal) -> None:
    """Raise an error, which lists all faults, unless the cards form a deal or an end position.

    It is a RulesError for an unknown seat, otherwise a DealError.
    """
    check_seats(deal)
    rules, trump, pool = deal.rules, deal.current_trump, deal.pool
    allowed = rules.game.current_trumps
    if trump is not None and trump not in allowed:
        raise DealError(
            f"{trump!r} cannot be the current trump of {rules.game.name}, only "
            f"{', '.join(allowed) or 'none'}",
            "current-trump-not-allowed",
        )
    if pool is not None and pool < 0:
        raise DealError(f"the pool must be 0 chips or more, not {pool}", "number-invalid")
    faults = [
        finding.fault
        for finding in deal_findings(deal)
        if finding.fault.severity == "error" and finding.fault.code != "leader-missing"
    ]  # an end position's leader may be set later
    if faults:
        raise DealError("; ".join(fault.message for fault in faults), faults[0].code)
