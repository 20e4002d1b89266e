"""How a game bids, as data, and where an auction stands.

A game lists its bids from low to high, says how often a player may speak, who may match a bid, who
must bid, and which turns follow when the bidding proper is over (upgrades, raises, a late Cop).
`spadille.core.auction` judges calls by it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from spadille.base.cache_keys import field_names, key_of
from spadille.games.model.rule_views import ContractView, DealView

_HOLD_TEXTS = {
    "": "the highest bid cannot be matched, only raised",
    "left": "a player who has bid may hold the bid of the opponent on his left",
    "bidders": "a player who has bid may equal the highest bid",
    "overbid": "a player who has bid and was just overbid may hold",
}
_ROUNDS_TEXTS = {
    "once": "each player has one turn",
    "duel": "two players bid against each other until one has passed, then the next who has not"
    " yet spoken challenges the other",
    "until-settled": "the auction is over when all have passed but those whose bid stands",
}


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: the word for it, and the contract its bidder offers to play."""

    word: str
    contract: str
    over: str | None = None  # only this bid may stand before it
    joins: bool = False  # the bidder becomes the partner of the player whose bid it is over
    in_color: bool = False  # trumps are the suit that option `color` names
    names_trump: bool = False  # the bidder must name trumps at once


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn after the bidding proper: its player may make one of these bids, or none."""

    seat: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuctionResult:
    """What an auction settles; what it leaves open is empty or None.

    `ids` are contract ids, parallel to `declarers`; in Nemo and where a card decides and nobody is
    known to hold it `declarers` is (). `alternatives` are what the declarer may still make of it;
    without `ids` it is one of those. `passed_out` says what happens when nobody plays.
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
    """The bidding rules of a game.

    `rounds`: everybody speaks "once", or it goes round "until-settled", until all have passed but
    those whose bid stands; or it is a "duel" of two at a time: the next who has not yet spoken
    challenges the highest bidder, until one of them passes. Who passes is out.
    `hold`: who may match the highest bid instead of raising it: any who has bid before ("bidders");
    of these one whose neighbour on the "left" made it, not twice at one height; in a duel one who
    was "overbid" just now, and he can do nothing else but pass.
    `cards`: bid cards, one a player, shown at once, take the place of all this: from seats in
    order and their cards to the contract, or to those one of the players may choose from.
    `held` says whether the players of a contract were dealt cards that bid it.
    """

    section: int = 0  # of the rules, for messages
    bids: tuple[Bid, ...] = ()  # from low to high
    rounds: Literal["once", "until-settled", "duel"] = "until-settled"
    hold: Literal["", "left", "bidders", "overbid"] = ""
    duty: Callable[[AuctionStanding, str], str | None] | None = None  # the least a player must bid
    duty_text: str = ""
    duty_cards: tuple[str, ...] = ()  # it hangs on how many of these a player holds
    afterwards: Callable[[AuctionStanding], Turn | None] | None = (
        None  # the next turn, if there is one
    )
    afterwards_text: str = ""
    falls_to: tuple[str, str] | None = None  # all passed: the holder of a card plays a contract
    passed_out: str = "misdeal"  # all passed, and nobody plays
    may_raise: bool = False  # the declarer may raise his contract when the bidding is over
    cards: Callable[[Mapping[str, str]], tuple[AuctionResult, ...]] | None = None
    held: Callable[[DealView, ContractView], bool] | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words for the bids, from low to high."""
        return tuple(bid.word for bid in self.bids)

    @property
    def rounds_text(self) -> str:
        """Who speaks when, for messages."""
        return _ROUNDS_TEXTS[self.rounds]

    @property
    def hold_text(self) -> str:
        """Who may match the highest bid, for messages."""
        return _HOLD_TEXTS[self.hold]

    def height(self, word: str) -> int:
        """Return how high a bid stands, from 0."""
        return self.words.index(word)

    def can_bid(self, deal: DealView, contract: ContractView) -> bool:
        """Whether the players of a contract can have bid it, as far as bid cards tell."""
        return self.held is None or deal.is_ending or self.held(deal, contract)


@dataclass(slots=True, eq=False)
class AuctionStanding:
    """Where an auction stands: which bid is the highest, whose it is, who is out."""

    deal: DealView
    bidding: Bidding
    seats: tuple[str, ...]
    """As they speak."""
    spoken: list[str] = field(default_factory=list)
    """Whose turns there have been, in order."""
    passed: set[str] = field(default_factory=set)
    unclear: set[str] = field(default_factory=set)
    """Of these, who made a call that does not count."""
    level: dict[str, int] = field(default_factory=dict)
    """The height of each player's last bid."""
    high: int = -1
    holder: str | None = None
    rival: str | None = None
    """In a duel: who had the highest bid before him."""
    partner: str | None = None
    trump: str | None = None
    after: list[str] = field(default_factory=list)
    """Whose turns there have been after the bidding proper."""

    def copy(self) -> AuctionStanding:
        """Return the same auction, to go on from here."""
        other = copy(self)
        for name in field_names(AuctionStanding):
            value = getattr(self, name)
            if isinstance(value, list | set | dict):
                setattr(other, name, value.copy())
        return other

    @property
    def key(self) -> Hashable:
        """Everything that may follow depends on this; equal for auctions that continue alike."""
        bidding = self.bidding
        # Who spoke before the last player, in what order, does not matter. Who bid what before
        # matters where bids are held or upgraded; whose bid was beaten, in duels alone.
        without = ["deal", "bidding", "seats", "spoken"]
        if bidding.rounds != "duel":
            without.append("rival")
        if not bidding.hold and bidding.rounds != "once":
            without.append("level")
        rest = [_frozen(value) for value in key_of(self, *without)]
        return frozenset(self.spoken), *self.spoken[-1:], *rest

    @property
    def word(self) -> str | None:
        """The highest bid."""
        return None if self.high < 0 else self.bidding.bids[self.high].word

    def word_of(self, seat: str) -> str | None:
        """Return the last bid of a player."""
        return self.bidding.bids[self.level[seat]].word if seat in self.level else None

    def hand(self, seat: str) -> tuple[str, ...]:
        """Return the cards a player was dealt, as far as they are known."""
        return () if self.deal.is_ending else self.deal.hands[seat] or ()

    def next_speaker(self) -> str | None:
        """Whose turn it is in the bidding proper; None when that is over."""
        if self.bidding.rounds == "duel" and self.rival not in (None, *self.passed):
            return self.rival
        if self.bidding.rounds != "until-settled":
            return self.next_challenger()
        in_it = [seat for seat in self._from_last() if seat not in self.passed]
        if self.high >= 0 and {self.holder, self.partner}.issuperset(in_it):
            return None
        return in_it[0] if in_it else None

    def next_challenger(self) -> str | None:
        """The next player who has not yet spoken."""
        return next((seat for seat in self.seats if seat not in self.spoken), None)

    def next_turn(self) -> Turn | None:
        """The next turn after the bidding proper."""
        return self.bidding.afterwards(self) if self.bidding.afterwards else None

    def _from_last(self) -> tuple[str, ...]:
        start = self.seats.index(self.spoken[-1]) + 1 if self.spoken else 0
        return self.seats[start:] + self.seats[:start]

    def is_overbid(self, seat: str) -> bool:
        """Whether the highest bid, in a duel, was made over that of this player."""
        return self.bidding.rounds == "duel" and seat == self.rival and self.level[seat] < self.high

    def against_holding(self, seat: str) -> str | None:
        """Return why a player may not match the highest bid; None if he may."""
        rule = self.bidding.hold
        if not rule:
            return "nobody can"
        if self.high < 0:
            return "nothing has been bid"
        if seat not in self.level:
            return f"{seat} has not bid in this deal"
        if rule == "overbid" and not self.is_overbid(seat):
            return f"{seat} was not just overbid"
        if rule == "left":
            if self.level[seat] == self.high:
                return f"{seat} has made or held this bid before"
            if self.left_of(seat) != self.holder:
                return f"the bid is {self.holder}'s, who is not the opponent on the left"
        return None

    def against_bidding(self, height: int) -> Literal["call-too-low", "call-not-over"] | None:
        """Return why a bid may not stand over the highest one; None if it may."""
        if height <= self.high:
            return "call-too-low"
        over = self.bidding.bids[height].over
        return None if over in (None, self.word) else "call-not-over"

    def least(self, seat: str) -> int:
        """Return the height of the least bid a player must make; -1 if he may pass."""
        word = self.bidding.duty(self, seat) if self.bidding.duty else None
        return -1 if word is None else self.bidding.height(word)

    def left_of(self, seat: str) -> str:
        """The next player in order of play who is still in the bidding, else the player himself."""
        start = self.seats.index(seat) + 1
        order = self.seats[start:] + self.seats[:start]
        return next(other for other in order if other == seat or other not in self.passed)

    def take(self, seat: str, height: int, trump: str | None = None) -> None:
        """Make a bid the highest one."""
        if self.bidding.bids[height].joins:
            self.partner = seat
        else:
            self.rival = None if seat == self.holder else self.holder
            self.holder, self.partner, self.trump = seat, None, trump
        self.high = self.level[seat] = height


def _frozen(value: object) -> Hashable:
    """Return the contents of a collection as a part of a key."""
    if isinstance(value, dict):
        return frozenset(value.items())
    if isinstance(value, set):
        return frozenset(value)
    return tuple(value) if isinstance(value, list) else value


class Spoken(NamedTuple):
    """A call its player was free to make, and where the auction stood then."""

    seat: str
    height: int
    """Of the bid, -1 for a pass."""
    standing: AuctionStanding
