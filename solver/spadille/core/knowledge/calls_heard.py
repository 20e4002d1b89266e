"""Find the choices of the bidders: each call, and the declarer's contract, trump and called card.

Each player chose among the options that the rules allowed, and knew only one hand.
`spadille.analysis.chances.belief` computes how likely a hand is to make each choice. Calls that the
strength tables do not cover, such as joining another player, are ignored. If a player exchanged
cards later, that player's calls are ignored, too, except the declarer's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from spadille.base.card_text import CARD_ORDER
from spadille.base.words_for_messages import capitalized, seat_name
from spadille.core.auction import spoken
from spadille.core.contract import Contract, first_leader
from spadille.core.knowledge.starting_knowledge import Start
from spadille.games.model.bidding import AuctionStanding, Bid, Bidding
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules

if TYPE_CHECKING:
    from spadille.core.strength.strength_tables import GameTables


@dataclass(frozen=True, slots=True)
class Offered:
    """A contract and a trump that a bid offers to play."""

    contract: str
    trump: str


@dataclass(frozen=True, slots=True)
class CallOption:
    """An option of a player: a bid with the contracts it offers, or a pass without any."""

    height: int
    offers: tuple[Offered, ...]


@dataclass(frozen=True, slots=True)
class HeardChoice:
    """A choice a player made: `options[chosen]`.

    A player with n of the `duty_cards` may not choose an option below `least[n]`.
    """

    options: tuple[CallOption, ...]
    chosen: int
    duty_cards: tuple[str, ...] = ()
    least: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HeardBidder:
    """All choices of one player."""

    seat: str
    position: int
    """The player's place in the first trick, from 0 for the leader."""
    exchanged: int
    """The number of cards the player exchanged after the auction."""
    choices: tuple[HeardChoice, ...]
    called: tuple[Offered, str] | None
    """The contract with its trump, and the called card; None if no card was called."""
    text: str
    """The beginning of a sentence about the choices, such as "West's bid is"."""


class CallsHeard(NamedTuple):
    """The choices of players with hidden hands, and the reason why some choices are ignored."""

    bidders: tuple[HeardBidder, ...] = ()
    unheard: str | None = None


NOTHING_HEARD = CallsHeard()


def calls_heard(start: Start, calls: Sequence[str], first: str | None) -> CallsHeard:
    """Return the choices of each player with a hidden hand."""
    declarer = None if start.dealt else start.contract.declarer
    if not calls and declarer not in start.hidden.sizes:
        return NOTHING_HEARD
    # Most commands do not need the tables, so they are imported only here.
    from spadille.core.strength.strength_tables import tables_for

    tables = tables_for(start.rules)
    if tables is None:
        where = f" with {start.rules.text}" if start.rules.text else ""
        why = f"There are no strength tables for {start.rules.game.name}{where}"
        return CallsHeard((), f"{why}, so the bids are not taken into account")
    if start.deal.is_ending:
        why = "An end position does not contain the hands as dealt"
        return CallsHeard((), f"{why}, so the bids are not taken into account")
    bidders = tuple(_Heard(start, calls, first, tables).bidders())
    if declarer not in start.hidden.sizes or declarer in [bidder.seat for bidder in bidders]:
        return CallsHeard(bidders)
    name = f"{seat_name(declarer or '')}'s {start.kind.name}"
    if declarer is not None and start.may_have_exchanged(declarer):
        return CallsHeard(
            bidders, f"The exchange is not recorded, so {name} is not taken into account"
        )
    why = f"The strength tables do not cover {start.kind.name}"
    return CallsHeard(bidders, f"{why}, so {name} is not taken into account")


class _Heard:
    """Reads the calls of a deal."""

    def __init__(
        self, start: Start, calls: Sequence[str], first: str | None, tables: GameTables
    ) -> None:
        self.start = start
        self.rules: Rules = start.rules
        self.bidding: Bidding = start.rules.bidding
        self.tables = tables
        self.spoken = spoken(start.deal, calls, first) if calls else []

    def bidders(self) -> Iterator[HeardBidder]:
        """Yield each player's choices; the declarer's come first, as they reveal the most."""
        start, contract = self.start, self.start.contract
        declarer = None if start.dealt else contract.declarer
        seats = sorted(start.rules.seats, key=lambda seat: seat != declarer)
        order = self.rules.in_turn(first_leader(start.deal, contract))
        if start.dealt:
            order = self.rules.in_turn(self.rules.eldest(start.deal.dealer))
        exchanged = {step.seat: step.number for step in start.steps}
        for seat in seats:
            # Hidden hands must not matter here, even if the deal contains them.
            if seat not in start.hidden.sizes or (
                not start.dealt and start.may_have_exchanged(seat)
            ):
                continue
            if exchanged.get(seat) and seat != declarer:
                continue
            choices = [
                choice
                for call in self.spoken
                if call.seat == seat
                for choice in self._call(call.height, call.standing, seat)
            ]
            called = None
            if seat == declarer:
                choices += self._contract()
                offer = Offered(contract.ids[0], contract.trump or "")
                if contract.called is not None and self._has(offer):
                    called = offer, contract.called
            if choices or called:
                yield HeardBidder(
                    seat=seat,
                    position=order.index(seat),
                    exchanged=exchanged.get(seat, 0),
                    choices=tuple(choices),
                    called=called,
                    text=self._text(seat, seat == declarer),
                )

    def _text(self, seat: str, declares: bool) -> str:
        heights = [call.height for call in self.spoken if call.seat == seat]
        if declares:
            said = f"choice of {self.start.kind.name} is"
        elif len(heights) > 1:
            said = "calls are"
        else:
            said = "pass is" if heights[0] < 0 else "bid is"
        return capitalized(f"{seat_name(seat)}'s {said}")

    def _has(self, offer: Offered) -> bool:
        return self.tables.table(offer.contract, offer.trump) is not None

    def _offers(self, bid: Bid) -> tuple[Offered, ...]:
        """Return the contracts that a bid offers to play, among those with strength tables."""
        kind = self.rules.contracts.get(bid.contract)
        if kind is None or bid.joins:
            return ()
        color = self.rules.color
        trumps = self.rules.allowed_trumps(kind, self.start.deal)
        if bid.in_color:
            trumps = () if color is None else (color,)
        elif any(other.in_color and other.contract == bid.contract for other in self.bidding.bids):
            trumps = tuple(trump for trump in trumps if trump != color)
        offers = (Offered(bid.contract, trump) for trump in trumps)
        return tuple(filter(self._has, offers))

    def _call(self, height: int, standing: AuctionStanding, seat: str) -> Iterator[HeardChoice]:
        """Yield the choice that a call expresses, among passing and all legal bids."""
        bidding = self.bidding
        rises = bidding.rounds != "once" or bidding.may_raise
        options = [CallOption(-1, ())]
        for number, bid in enumerate(bidding.bids):
            holds = number == standing.high and standing.against_holding(seat) is None
            if not holds and standing.against_bidding(number) is not None:
                continue
            # If the player may raise later, this bid may lead to any higher one.
            meant = bidding.bids[number:] if rises else (bid,)
            offers = tuple(dict.fromkeys(o for other in meant for o in self._offers(other)))
            if offers and (self._offers(bid) or number == height):
                options.append(CallOption(number, offers))
        chosen = next((n for n, option in enumerate(options) if option.height == height), None)
        if chosen is None or len(options) < 2:
            return
        yield HeardChoice(tuple(options), chosen, *self._duty(standing, seat))

    def _duty(
        self, standing: AuctionStanding, seat: str
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the cards that create a duty to bid, and the lowest bid by their number."""
        bidding, deal = self.bidding, self.start.deal
        if bidding.duty is None:
            return (), ()
        cards, size = bidding.duty_cards, self.rules.game.hand_size
        others = [card for card in self.rules.deck if card not in cards]
        asked = standing.copy()
        least = []
        for number in range(len(cards) + 1):
            hand = (*cards[:number], *others[: max(size - number, 0)])
            hands = {**deal.hands, seat: tuple(sorted(hand, key=CARD_ORDER.__getitem__))}
            asked.deal = replace(deal, hands=hands)
            word = bidding.duty(asked, seat)
            least.append(-1 if word is None else bidding.height(word))
        return cards, tuple(least)

    def _contract(self) -> Iterator[HeardChoice]:
        """Yield the declarer's choice of the contract and its trump."""
        contract, kind, bidding = self.start.contract, self.start.kind, self.bidding
        heights = [number for number, bid in enumerate(bidding.bids) if self._is(bid, contract)]
        own = [call.height for call in self.spoken if call.seat == contract.declarer]
        bids = [(number, bid, self._offers(bid)) for number, bid in enumerate(bidding.bids)]
        if heights and not self.spoken:
            # No calls are recorded, so the options are to pass or to play any contract.
            options = [CallOption(-1, ())]
            options += [CallOption(number, offers) for number, _, offers in bids if offers]
            yield from self._chosen(options, heights[0])
        elif heights and bidding.may_raise and max(own, default=-1) >= 0:
            least = max(own)
            yield from self._chosen(
                [CallOption(n, offers) for n, _, offers in bids if offers and n >= least],
                heights[0],
            )
        if contract.trump is not None:
            offers = self._trumps(kind, heights)
            options = [CallOption(0, (offer,)) for offer in offers]
            named = Offered(kind.id, contract.trump)
            if named in offers and len(offers) > 1:
                yield HeardChoice(tuple(options), offers.index(named))

    def _trumps(self, kind: ContractType, heights: Sequence[int]) -> tuple[Offered, ...]:
        if heights:
            return self._offers(self.bidding.bids[heights[0]])
        trumps = self.rules.allowed_trumps(kind, self.start.deal)
        return tuple(filter(self._has, (Offered(kind.id, trump) for trump in trumps)))

    def _is(self, bid: Bid, contract: Contract) -> bool:
        """Return whether this is the bid for a contract."""
        if contract.trump is None:
            return bid.contract == contract.ids[0]
        return Offered(contract.ids[0], contract.trump) in self._offers(bid)

    @staticmethod
    def _chosen(options: Sequence[CallOption], height: int) -> Iterator[HeardChoice]:
        chosen = next((n for n, option in enumerate(options) if option.height == height), None)
        if chosen is not None and len(options) > 1:
            yield HeardChoice(tuple(options), chosen)
