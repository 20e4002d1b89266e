"""A game's bidding rules, as data, and the state of an auction.

A game lists its bids from low to high. It says how often a player may speak, who may match a bid,
who must bid, and which turns follow the main bidding (upgrades, raises, a late Cop).
`spadille.core.auction` uses these data to judge calls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from spadille.base.cache_keys import field_names, key_of
from spadille.base.words_for_messages import seat_label
from spadille.games.model.deal_protocols import ContractView, DealView

_HOLD_TEXTS = {
    "": "the highest bid cannot be matched, only raised",
    "left": "a player who has bid may hold the bid of the opponent on the left",
    "bidders": "a player who has bid may equal the highest bid",
    "overbid": "a player who has bid and was just outbid may hold",
}
_ROUNDS_TEXTS = {
    "once": "each player has one turn",
    "duel": "two players bid against each other until one has passed, then the next player who"
    " has not yet spoken challenges the other",
    "until-settled": "the auction is over when everybody has passed except the highest bidder and"
    " a partner",
}


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: its word, and the contract that the bidder offers to play."""

    word: str
    contract: str
    over: str | None = None  # the only bid over which this one is allowed
    joins: bool = False  # the bidder becomes the partner of the player who made that bid
    in_color: bool = False  # the trump is the suit in option `color`
    names_trump: bool = False  # the bidder must name trumps at once


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn after the main bidding: the player may make one of these bids, or none."""

    seat: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuctionResult:
    """The result of an auction; undecided parts are empty or None.

    `ids` are contract ids, parallel to `declarers`. `declarers` is empty in Nemo, and while the
    holder of the declarer's card is unknown. `alternatives` are the contracts from which the
    declarer may still choose; if `ids` is empty, the contract is one of them. `passed_out` says
    what happens if nobody plays.
    """

    declarers: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    trump: str | None = None
    partner: str | None = None
    penalty: str | None = None
    alternatives: tuple[AuctionResult, ...] = ()
    passed_out: str | None = None


@dataclass(frozen=True, slots=True)
class Bidding:
    """A game's bidding rules.

    `rounds` is "once" if everybody speaks once, and "until-settled" if the bidding goes round until
    all but the highest bidder have passed. In a "duel", only two players bid at a time: the next
    player who has not yet spoken challenges the highest bidder until one of them passes. A player
    who passes is out.

    `hold` names the players who may match the highest bid instead of raising it: any player who has
    bid before ("bidders"); the player whose neighbor on the "left" made it, once per height; or, in
    a duel, a player who was just "overbid" (who can otherwise only pass).

    With `cards`, all this is replaced by bid cards, one from each player, shown simultaneously.
    `cards` maps the seats, in order, and their bid cards to a contract, or to contracts from which
    a player chooses. `held` returns whether the players of a contract were dealt bid cards for it.
    """

    section: int = 0  # section of the rules, for messages
    bids: tuple[Bid, ...] = ()  # from low to high
    rounds: Literal["once", "until-settled", "duel"] = "until-settled"
    hold: Literal["", "left", "bidders", "overbid"] = ""
    duty: Callable[[AuctionStanding, str], str | None] | None = None  # the lowest bid allowed
    duty_text: str = ""
    duty_cards: tuple[str, ...] = ()  # the duty depends on how many of these a player holds
    afterwards: Callable[[AuctionStanding], Turn | None] | None = None  # the next turn, if any
    afterwards_text: str = ""
    falls_to: tuple[str, str] | None = None  # if all pass, the holder of a card plays a contract
    passed_out: str = "misdeal"  # all passed and nobody plays
    may_raise: bool = False  # the declarer may raise the contract after the bidding
    cards: Callable[[Mapping[str, str]], tuple[AuctionResult, ...]] | None = None
    held: Callable[[DealView, ContractView], bool] | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words for the bids, from low to high."""
        return tuple(bid.word for bid in self.bids)

    @property
    def rounds_text(self) -> str:
        """The order of speaking, for messages."""
        return _ROUNDS_TEXTS[self.rounds]

    @property
    def hold_text(self) -> str:
        """The rule for matching the highest bid, for messages."""
        return _HOLD_TEXTS[self.hold]

    def height(self, word: str) -> int:
        """Return the height of a bid, counted from 0."""
        return self.words.index(word)

    def can_bid(self, deal: DealView, contract: ContractView) -> bool:
        """Return whether the players of a contract had bid cards for it."""
        return self.held is None or deal.is_ending or self.held(deal, contract)


@dataclass(slots=True, eq=False)
class AuctionStanding:
    """The state of an auction: the highest bid, its player, and the players who are out."""

    deal: DealView
    bidding: Bidding
    seats: tuple[str, ...]
    """The players in order of speaking."""
    spoken: list[str] = field(default_factory=list)
    """The seats that have had turns, in order."""
    passed: set[str] = field(default_factory=set)
    unclear: set[str] = field(default_factory=set)
    """The seats whose last call was missing or invalid."""
    level: dict[str, int] = field(default_factory=dict)
    """The height of each player's last bid."""
    high: int = -1
    holder: str | None = None
    rival: str | None = None
    """In a duel, the player who made the previous highest bid."""
    partner: str | None = None
    trump: str | None = None
    after: list[str] = field(default_factory=list)
    """The seats that have had turns after the main bidding."""

    def copy(self) -> AuctionStanding:
        """Return a copy from which the auction can continue."""
        return AuctionStanding(
            **{
                name: value.copy() if type(value) in _FREEZE else value
                for name, value in zip(_STANDING, key_of(self), strict=True)
            }
        )

    @property
    def key(self) -> Hashable:
        """A key made up of everything that affects the rest of the auction."""
        bidding = self.bidding
        # The order of speaking matters only if bidding goes round, and then only for the last
        # player. Earlier bids matter if bids can be held or upgraded. In duels, the player of a
        # beaten bid matters until that player passes.
        duel = bidding.rounds == "duel"
        last = self.spoken[-1:] if bidding.rounds == "until-settled" else ()
        levels: frozenset[tuple[str, int]] = frozenset()
        if bidding.hold or bidding.rounds == "once":
            passed = self.passed if duel else ()
            levels = frozenset(bid for bid in self.level.items() if bid[0] not in passed)
        rival = self.rival if duel and self.rival not in self.passed else None
        rest = [
            freeze(value) if (freeze := _FREEZE.get(type(value))) else value
            for value in key_of(self, *_APART)
        ]
        return frozenset(self.spoken), *last, levels, rival, *rest

    @property
    def word(self) -> str | None:
        """The highest bid."""
        return None if self.high < 0 else self.bidding.bids[self.high].word

    def word_of(self, seat: str) -> str | None:
        """Return the last bid of a player."""
        return self.bidding.bids[self.level[seat]].word if seat in self.level else None

    def hand(self, seat: str) -> tuple[str, ...]:
        """Return the cards that a player was dealt, if known."""
        return () if self.deal.is_ending else self.deal.hands[seat] or ()

    def next_speaker(self) -> str | None:
        """Return the next seat to speak in the main bidding, or None when it is over."""
        if self.bidding.rounds == "duel" and self.rival not in (None, *self.passed):
            return self.rival
        if self.bidding.rounds != "until-settled":
            return self.next_challenger()
        in_it = [seat for seat in self._from_last() if seat not in self.passed]
        if self.high >= 0 and {self.holder, self.partner}.issuperset(in_it):
            return None
        return in_it[0] if in_it else None

    def next_challenger(self) -> str | None:
        """Return the next player who has not yet spoken, or None."""
        return next((seat for seat in self.seats if seat not in self.spoken), None)

    def next_turn(self) -> Turn | None:
        """Return the next turn after the main bidding, or None."""
        return self.bidding.afterwards(self) if self.bidding.afterwards else None

    def _from_last(self) -> tuple[str, ...]:
        start = self.seats.index(self.spoken[-1]) + 1 if self.spoken else 0
        return self.seats[start:] + self.seats[:start]

    def is_overbid(self, seat: str) -> bool:
        """Return whether, in a duel, the highest bid has just beaten this player's bid."""
        return self.bidding.rounds == "duel" and seat == self.rival and self.level[seat] < self.high

    def against_holding(self, seat: str) -> str | None:
        """Return the reason why a player may not match the highest bid, or None if they may."""
        rule = self.bidding.hold
        if not rule:
            return "nobody may match a bid here"
        if self.high < 0:
            return "nobody has bid"
        if seat not in self.level:
            return f"{seat_label(seat)} has not bid in this deal"
        if rule == "overbid" and not self.is_overbid(seat):
            return f"{seat_label(seat)} was not just outbid"
        if rule == "left":
            if self.level[seat] == self.high:
                return f"{seat_label(seat)} has made or held this bid before"
            if self.left_of(seat) != self.holder:
                return f"the bidder, {self.holder}, is not the opponent on the left"
        return None

    def against_bidding(self, height: int) -> Literal["call-too-low", "call-not-over"] | None:
        """Return the reason why a bid may not follow the highest one, or None if it may."""
        if height <= self.high:
            return "call-too-low"
        over = self.bidding.bids[height].over
        return None if over in (None, self.word) else "call-not-over"

    def least(self, seat: str) -> int:
        """Return the height of the lowest bid that a player has to make, or -1 if they may pass."""
        word = self.bidding.duty(self, seat) if self.bidding.duty else None
        return -1 if word is None else self.bidding.height(word)

    def left_of(self, seat: str) -> str:
        """Return the next player still in the bidding, or the same player if there is none."""
        start = self.seats.index(seat) + 1
        order = self.seats[start:] + self.seats[:start]
        return next(other for other in order if other == seat or other not in self.passed)

    def take(self, seat: str, height: int, trump: str | None = None) -> None:
        """Record a bid as the highest bid."""
        if self.bidding.bids[height].joins:
            self.partner = seat
        else:
            self.rival = None if seat == self.holder else self.holder
            self.holder, self.partner, self.trump = seat, None, trump
        self.high = self.level[seat] = height


_STANDING = field_names(AuctionStanding)
# Fields that are the same all through an auction, or that its key summarizes.
_APART = ("deal", "bidding", "seats", "spoken", "level", "rival")
# How to make each kind of collection part of a cache key.
_FREEZE: dict[type, Callable[[Any], Hashable]] = {
    list: tuple,
    set: frozenset,
    dict: lambda levels: frozenset(levels.items()),
}


class Spoken(NamedTuple):
    """A call that its player was free to make, with the state of the auction before it."""

    seat: str
    height: int
    """The height of the bid, or -1 for a pass."""
    standing: AuctionStanding
