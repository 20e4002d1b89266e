"""The tree of possible auctions: the legal calls, the state after each, and the result.

`spadille.core.auction` judges a written auction; this module applies the same rules to list the
calls that may follow. A call is legal if and only if `spadille.core.auction` finds no fault in it,
with one exception: here, a bid names a suit only if it must. A bidder who need not name a
suit chooses the most profitable trump after winning the auction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spadille.core.auction import read_bid
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.bidding import AuctionStanding, Bid
from spadille.games.model.game import Rules

PASS = "Pass"
HOLD = "hold"


class Call(NamedTuple):
    """A legal call."""

    word: str
    height: int | None = None
    """The height of the bid, from 0; None for a pass."""
    trump: str | None = None
    """The trump, if the bid settles it."""


class Said(NamedTuple):
    """A call made in an auction."""

    number: int | None
    """The index of the call in the recorded auction; None if it is not recorded but inferred."""
    seat: str
    call: Call
    standing: AuctionStanding
    """The state of the auction before the call."""


class AuctionEnd(NamedTuple):
    """The contract to which an auction leads."""

    declarer: str
    contract: str
    trumps: tuple[str, ...] | None = None
    """The trumps from which the declarer may choose; None means all trumps of the contract."""
    partner: str | None = None
    fell: bool = False
    """Whether everybody passed, so that the holder of a certain card must play the contract."""


class Calls:
    """The legal calls in a deal, for games in which players bid by calling."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.rules = deal.rules
        self.bidding = deal.rules.bidding

    def start(self) -> AuctionStanding:
        """Return the state of the auction before the first call."""
        seats = self.rules.in_turn(self.rules.eldest(self.deal.dealer))
        return AuctionStanding(self.deal, self.bidding, seats)

    def to_call(self, standing: AuctionStanding) -> str | None:
        """Return the seat whose turn it is; None if the auction is over."""
        seat = standing.next_speaker()
        if seat is None and (turn := standing.next_turn()) is not None:
            seat = turn.seat
        return seat

    def open(self, standing: AuctionStanding) -> list[Call]:
        """List the calls that the player whose turn it is may make, from low to high."""
        seat = standing.next_speaker()
        if seat is None:
            turn = standing.next_turn()
            words = () if turn is None else turn.words
            calls = [call for call in self._bids() if call.word in words]
            # If a player must play a contract, they may still choose a higher one.
            return calls if standing.holder is None else [Call(PASS), *calls]
        calls = [Call(PASS)]
        if standing.against_holding(seat) is None:
            calls.append(self._hold(standing))
        if standing.is_overbid(seat):
            return calls
        calls += [
            call
            for call in self._bids()
            if call.height is not None and standing.against_bidding(call.height) is None
        ]
        least = standing.least(seat)
        if least < 0:
            return calls
        return [call for call in calls if call.height is not None and call.height >= least]

    def after(self, standing: AuctionStanding, call: Call) -> AuctionStanding:
        """Return the state of the auction after a call by the player whose turn it is."""
        following = standing.copy()
        seat = following.next_speaker()
        if seat is None:
            turn = following.next_turn()
            assert turn is not None
            seat = turn.seat
            following.after.append(seat)
        else:
            following.spoken.append(seat)
            following.passed.add(seat)
            if call.height is not None:
                following.passed.discard(seat)
        if call.height is not None:
            following.take(seat, call.height, call.trump)
        return following

    def read(self, standing: AuctionStanding, text: str) -> Call | None:
        """Return the call that a word of a valid auction stands for."""
        if text.lower() in ("pass", "-"):
            return Call(PASS)
        if text.lower() == HOLD:
            return self._hold(standing)
        read = read_bid(self.deal, text)
        if read is None:
            return None
        height, suit = read
        bid = self.bidding.bids[height]
        if height == standing.high:
            return self._hold(standing)
        trump = self._color(bid) or suit
        return Call(f"{bid.word}-{suit}" if suit and not bid.in_color else bid.word, height, trump)

    def settled(self, standing: AuctionStanding) -> AuctionEnd | None:
        """Return the contract to which a finished auction leads; None if nobody plays."""
        rules, bidding = self.rules, self.bidding
        declarer, trump = standing.holder, standing.trump
        if declarer is not None:
            bid = bidding.bids[standing.high]
            alone = rules.contracts[bid.contract].side != "partner"
            if alone or standing.partner is not None:
                trumps = self._plain(bid) if trump is None else (trump,)
                return AuctionEnd(declarer, bid.contract, trumps, standing.partner)
        if bidding.falls_to is None:
            return None
        card, contract = bidding.falls_to
        holder = self.deal.must_hold(card)
        return None if holder is None else AuctionEnd(holder, contract, fell=True)

    def said(self, words: Sequence[str], played: Contract | None = None) -> Iterator[Said]:
        """Yield the calls of a valid auction; a pass is added if an outbid player does not hold.

        A declarer may raise the contract without a written call; that call then follows from
        `played`.
        """
        standing, cell = self.start(), 0
        for number, word in enumerate(words):
            if word in ("*", "+"):
                return
            if word.lower() == "ap":
                while (seat := standing.next_speaker()) is not None:
                    yield Said(number, seat, Call(PASS), standing)
                    standing = self.after(standing, Call(PASS))
                break
            column = standing.seats[cell % len(standing.seats)]
            cell += 1
            speaker = standing.next_speaker()
            if (
                speaker is not None
                and standing.is_overbid(speaker)
                and (word == "-") == (column == speaker)
                and column in (speaker, standing.next_challenger())
            ):
                yield Said(number, speaker, Call(PASS), standing)
                standing = self.after(standing, Call(PASS))
                if column == speaker:
                    continue
            seat = self.to_call(standing)
            silent = word == "-" and (speaker is not None or self.bidding.may_raise)
            if seat != column or silent:
                continue
            call = self.read(standing, word)
            if call is None:
                return
            yield Said(number, seat, call, standing)
            standing = self.after(standing, call)
        while standing.next_speaker() is None and (seat := self.to_call(standing)) is not None:
            if self.bidding.may_raise and played is None:
                return
            call = self._made_of(standing, played) if self.bidding.may_raise else Call(PASS)
            yield Said(None, seat, call, standing)
            standing = self.after(standing, call)

    def _made_of(self, standing: AuctionStanding, played: Contract | None) -> Call:
        """Return the declarer's final raise, which is inferred from the contract played."""
        word = None if played is None else bid_of(self.rules, played)[0]
        return next((call for call in self.open(standing) if call.word == word), Call(PASS))

    def is_held_again(self, standing: AuctionStanding, call: Call) -> bool:
        """Return whether a call holds at a height at which the player has already bid or held.

        Such calls are skipped, because two players could go on holding forever.
        """
        seat = standing.next_speaker()
        return call.word == HOLD and seat is not None and standing.level[seat] == standing.high

    def _hold(self, standing: AuctionStanding) -> Call:
        return Call(HOLD, standing.high, self._color(self.bidding.bids[standing.high]))

    def _bids(self) -> Iterator[Call]:
        color = self.rules.color
        for height, bid in enumerate(self.bidding.bids):
            known = bid.contract in self.rules.contracts
            if known and (color is not None or not bid.in_color):
                yield Call(bid.word, height, self._color(bid))

    def _color(self, bid: Bid) -> str | None:
        return self.rules.color if bid.in_color else None

    def _plain(self, bid: Bid) -> tuple[str, ...] | None:
        """Return a bid's trumps other than Color; None if Color has no bid of its own."""
        color = self.rules.color
        in_color = [
            other
            for other in self.bidding.bids
            if other.contract == bid.contract and other.in_color
        ]
        if color is None or not in_color:
            return None
        kind = self.rules.contracts[bid.contract]
        return tuple(suit for suit in self.rules.allowed_trumps(kind, self.deal) if suit != color)


def bid_of(rules: Rules, contract: Contract) -> tuple[str | None, int]:
    """Return the word and the height of the bid for a contract; None and -1 if there is none."""
    bidding, kind = rules.bidding, contract.ids[0]
    words = {bid.in_color: bid.word for bid in bidding.bids if bid.contract == kind}
    word = words.get(contract.trump == rules.color, words.get(False))
    return (None, -1) if word is None else (word, bidding.height(word))
