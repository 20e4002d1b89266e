"""Judge an auction call by call and find its result; `Bidding` has the rules of each game.

The calls are a list of words, as in a table that has a column for each player and is read row by
row. The first column belongs to eldest, and the others follow in the order of play. All
games have these calls:

- a bid, which is a word of the game (`five-after`, `frog-color`, `prop`) or, in Squint, a bid card
  (`HQ`); if the contract leaves trumps open, a suit may follow (`solo-H`);
- `Pass`, and `hold`, which matches the highest bid;
- `-` for a player without a turn: nobody has challenged them yet, they are out, or the auction is
  over (a player who is out may also write `Pass`);
- `AP` if all remaining players pass, and `*` or `+` if the record ends before the auction does.

An auction that breaks the rules is still judged to its end. A bid that is too low, an unknown word
or a missing call is ignored. The player is then out until they bid again. During the bidding, a bid
that is high enough counts even if the player who made it has already passed.
"""

from __future__ import annotations

from collections.abc import Sequence

from spadille.base.card_text import SUITS, parse_card
from spadille.base.errors import CardError
from spadille.base.names_in_input import read_trump
from spadille.base.words_for_messages import seat_label
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding, finding
from spadille.games.model.bidding import AuctionResult, AuctionStanding, Bid, Bidding, Spoken, Turn

_NO_CALL = "-"
_PASS = "pass"
_HOLD = "hold"
_ENDS = ("*", "+")


def auction_faults(deal: Deal, calls: Sequence[str]) -> list[Finding]:
    """Return every fault in an auction; a fault's `nth` is the index of the call."""
    return judge_auction(deal, calls)[0]


def result(deal: Deal, calls: Sequence[str], first: str | None = None) -> AuctionResult | None:
    """Return the result of an auction, even of a faulty one; None if it is not over."""
    return judge_auction(deal, calls, first)[1]


def judge_auction(
    deal: Deal, calls: Sequence[str], first: str | None = None
) -> tuple[list[Finding], AuctionResult | None]:
    """Return the faults in an auction and its result.

    `first` is the seat in the first column; the default is eldest.
    """
    return _judge_of(deal, calls, first).judge()


def _judge_of(deal: Deal, calls: Sequence[str], first: str | None) -> _Judge:
    kind = _CardJudge if deal.rules.bidding.cards else _CallJudge
    return kind(deal, calls, first or deal.rules.eldest(deal.dealer))


def spoken(deal: Deal, calls: Sequence[str], first: str | None = None) -> list[Spoken]:
    """List the calls that count; bid cards and the replies of outbid players are left out."""
    heard = _judge_of(deal, calls, first)
    heard.judge()
    return heard.spoken


def read_card(text: str) -> str | None:
    """Return the card that a call shows; None if it is not a card."""
    try:
        return parse_card(text)
    except CardError:
        return None


def read_bid(deal: Deal, text: str) -> tuple[int, str | None] | None:
    """Return the height of a bid and any suit it names; None if the game has no such bid."""
    bidding = deal.rules.bidding
    words = bidding.words
    word = text.lower()
    if word in words:
        return words.index(word), None
    word, _, suit = word.rpartition("-")
    suit = read_trump(suit)
    if word not in words or suit not in tuple(SUITS):
        return None
    height = words.index(word)
    if suit == deal.rules.color:
        contract = bidding.bids[height].contract
        for number, bid in enumerate(bidding.bids):
            if bid.in_color and bid.contract == contract:
                return number, suit
    return height, suit


class _Judge:
    """The common part of both kinds of judges."""

    def __init__(self, deal: Deal, calls: Sequence[str], first: str) -> None:
        self.deal = deal
        self.calls = calls
        self.bidding: Bidding = deal.rules.bidding
        self.seats = deal.rules.in_turn(first)
        self.findings: list[Finding] = []
        self.spoken: list[Spoken] = []
        self.number = 0  # the index of the call being judged
        self.ended = False  # whether `AP`, `*` or `+` has ended the record

    def fail(self, code: str, message: str, rule: str) -> None:
        text = self.calls[self.number]
        rule = self.deal.rules.cite(rule)
        self.findings.append(finding(code, message, "Auction", text, rule, nth=self.number))

    def judge(self) -> tuple[list[Finding], AuctionResult | None]:
        cell = 0
        for number, call in enumerate(self.calls):
            self.number = number
            word = call.lower()
            if self.ended:
                if word not in (_NO_CALL, *_ENDS):
                    self.fail(
                        "call-too-late", f"{call} comes after the end of the auction", self.end_rule
                    )
            elif word in _ENDS:
                self.ended = True
            elif word == "ap":
                self.all_pass()
                self.ended = True
            else:
                self.call(self.seats[cell % len(self.seats)], word)
                cell += 1
        waiting = self.waiting()
        if waiting is not None and self.calls and not self.ended:
            message = f"the auction is not over: it is {seat_label(waiting)}'s turn"
            self.fail("auction-unfinished", message, self.end_rule)
        return self.findings, None if waiting else self.result()

    @property
    def end_rule(self) -> str:
        return self.bidding.rounds_text

    def call(self, seat: str, word: str) -> None:
        raise NotImplementedError

    def all_pass(self) -> None:
        raise NotImplementedError

    def waiting(self) -> str | None:
        """Return the seat whose turn it is to call; None after the auction."""
        raise NotImplementedError

    def result(self) -> AuctionResult:
        raise NotImplementedError


class _CallJudge(_Judge):
    """Judges auctions with rising bids."""

    def __init__(self, deal: Deal, calls: Sequence[str], first: str) -> None:
        super().__init__(deal, calls, first)
        self.standing = AuctionStanding(deal, self.bidding, deal.rules.in_turn(first))
        self.silent: set[str] = set()  # players who passed by not holding

    def waiting(self) -> str | None:
        return self.standing.next_speaker()

    def all_pass(self) -> None:
        while (seat := self.standing.next_speaker()) is not None:
            self._speak(seat, _PASS)

    def call(self, seat: str, word: str) -> None:
        standing = self.standing
        speaker = standing.next_speaker()
        again = seat in standing.unclear and word not in (_NO_CALL, _PASS)
        if speaker is not None and seat == standing.next_challenger() and word != _NO_CALL:
            speaker = self._after_silence(speaker)
        if seat == speaker or (again and self.bidding.rounds != "once"):
            self._speak(seat, word)
        elif speaker is None:
            self._call_afterwards(seat, word)
        elif word != _NO_CALL and seat not in standing.spoken:
            message = f"it is {seat_label(speaker)}'s turn to call, not {seat_label(seat)}'s"
            self.fail("call-not-open", message, self.end_rule)
        elif word not in (_NO_CALL, _PASS):
            self._out(seat)
            if word != _HOLD or self.standing.against_holding(seat) is None:
                self._speak(seat, word)

    def _after_silence(self, speaker: str) -> str | None:
        """If an outbid player did not hold, record a pass; return the seat whose turn it is."""
        if self.standing.is_overbid(speaker):
            self.standing.passed.add(speaker)
            self.silent.add(speaker)
        return self.standing.next_speaker()

    def _speak(self, seat: str, word: str) -> None:
        """Judge a call in the main bidding."""
        standing = self.standing
        if word == _NO_CALL and standing.is_overbid(seat):
            self._after_silence(seat)
            return
        standing.spoken.append(seat)
        standing.passed.add(seat)
        standing.unclear.discard(seat)
        if word == _PASS:
            self._check_duty(seat, -1)
            return
        height = suit = None
        if word == _NO_CALL:
            self.fail("call-missing", f"{seat_label(seat)} must call", "players call in turn")
        elif word == _HOLD:
            height = self._hold(seat)
        elif (read := self._read(word)) is not None:
            height = self._raise(seat, read[0])
            suit = read[1]
        if height is None:
            standing.unclear.add(seat)
            return
        self._check_duty(seat, height)
        standing.passed.discard(seat)
        trump = self._trump(self.bidding.bids[height], suit)
        standing.take(seat, height, trump)

    def _read(self, word: str) -> tuple[int, str | None] | None:
        read = read_bid(self.deal, word)
        if read is None:
            words = " ".join(self.bidding.words)
            name = self.deal.rules.game.name
            text = self.calls[self.number]
            self.fail("call-unknown", f"{text!r} is not a call in {name}", f"the bids are {words}")
        return read

    def _hold(self, seat: str) -> int | None:
        reason = self.standing.against_holding(seat)
        if reason is None:
            return self.standing.high
        self.fail("call-hold", f"{seat_label(seat)} cannot hold: {reason}", self.bidding.hold_text)
        return None

    def _raise(self, seat: str, height: int) -> int | None:
        """Check that a bid may follow the highest bid; return None if it is to be ignored."""
        standing = self.standing
        bid = self.bidding.bids[height]
        if height == standing.high and self.bidding.hold and standing.against_holding(seat) is None:
            return height
        against = standing.against_bidding(height)
        if against == "call-too-low":
            rising = ", ".join(self.bidding.words)
            self.fail(
                "call-too-low",
                f"'{bid.word}' is not higher than '{standing.word}'",
                f"the bids from low to high are {rising}",
            )
            return None
        if against == "call-not-over":
            but_found = f"not '{standing.word}'" if standing.word else "and nobody has bid"
            self.fail(
                "call-not-over",
                f"'{bid.word}' may be bid only over '{bid.over}', {but_found}",
                f"'{bid.word}' needs '{bid.over}' before it",
            )
            return None if bid.joins else height
        if standing.is_overbid(seat):
            self.fail(
                "call-not-open",
                f"{seat_label(seat)} was outbid and may only hold or pass",
                self.bidding.rounds_text,
            )
        return height

    def _trump(self, bid: Bid, suit: str | None) -> str | None:
        """Check the suit that a bid names; return the trump that the bid settles."""
        rules = self.deal.rules
        kind = rules.contract(bid.contract)
        allowed = rules.allowed_trumps(kind, self.deal)
        if bid.in_color:
            color = rules.color
            if color is None:
                self.fail(
                    "call-no-color",
                    f"{bid.word}: no suit is Color yet",
                    "until a suit is Color, only bids in Suit are possible",
                )
                return None
            allowed = (color,)
            suit = suit or color
        if suit is None:
            if bid.names_trump:
                self.fail(
                    "call-trump-missing",
                    f"'{bid.word}' does not name trumps",
                    f"a bid of {bid.word} names trumps at once, as in {bid.word}-H",
                )
            return None
        if suit not in allowed:
            self.fail(
                "call-trump",
                f"'{bid.word}' cannot be played with trump {suit}, only {' '.join(allowed)}",
                "each contract allows only certain trumps",
            )
            return None
        return suit

    def _check_duty(self, seat: str, height: int) -> None:
        if self.standing.is_overbid(seat):
            return  # an outbid player may only hold or pass
        self.spoken.append(Spoken(seat, height, self.standing.copy()))
        least = self.standing.least(seat)
        if height < least:
            word = self.bidding.words[least]
            message = f"{seat_label(seat)} must bid at least '{word}'"
            self.fail("call-duty", message, self.bidding.duty_text)

    def _out(self, seat: str) -> None:
        message = f"{seat_label(seat)} has passed"
        rule = "a player who has passed may not bid again"
        if seat in self.silent:
            message = f"{seat_label(seat)} did not hold before the next player spoke"
            rule = "after being outbid, hold or pass at once (with bidding_order=round, in turn)"
        self.fail("call-after-pass", message, rule)

    def _call_afterwards(self, seat: str, word: str) -> None:
        """Judge a call after the main bidding."""
        standing = self.standing
        turn = standing.next_turn()
        speaks = word not in (_NO_CALL, _PASS)
        if turn is not None and turn.seat == seat:
            standing.after.append(seat)
            if speaks:
                self._take_turn(turn, word)
        elif speaks and word != _HOLD and self._read(word) is None:
            return
        elif speaks and seat in standing.passed and self.bidding.rounds != "once":
            self._out(seat)
        elif speaks or (word == _PASS and turn is None):
            self.fail("call-too-late", f"{seat_label(seat)} has no more turns", self.end_rule)

    def _take_turn(self, turn: Turn, word: str) -> None:
        height = suit = None
        if word != _HOLD:
            read = self._read(word)
            if read is None:
                return
            height, suit = read
        if height is None or self.bidding.bids[height].word not in turn.words:
            message = f"{seat_label(turn.seat)} may now bid {' '.join(turn.words) or 'nothing'}"
            self.fail("call-not-open", message, self.bidding.afterwards_text)
            return
        self.standing.take(turn.seat, height, self._trump(self.bidding.bids[height], suit))

    def result(self) -> AuctionResult:
        standing = self.standing
        bidding = self.bidding
        declarer = standing.holder
        if declarer is not None:
            bid = bidding.bids[standing.high]
            alone = self.deal.rules.contract(bid.contract).side != "partner"
            if alone or standing.partner is not None:
                return AuctionResult(
                    (declarer,),
                    (bid.contract,),
                    standing.trump,
                    standing.partner,
                    alternatives=self._raises(standing.high, (declarer,)),
                )
        if bidding.falls_to is None:
            return AuctionResult(passed_out=bidding.passed_out)
        card, contract = bidding.falls_to
        holder = self.deal.must_hold(card)
        declarers = () if holder is None else (holder,)
        least = next((n for n, bid in enumerate(bidding.bids) if bid.contract == contract), 0)
        return AuctionResult(declarers, (contract,), alternatives=self._raises(least, declarers))

    def _raises(self, height: int, declarers: tuple[str, ...]) -> tuple[AuctionResult, ...]:
        if not self.bidding.may_raise:
            return ()
        color = self.deal.rules.color
        return tuple(
            AuctionResult(declarers, (bid.contract,), color if bid.in_color else None)
            for bid in self.bidding.bids[height + 1 :]
            if color is not None or not bid.in_color
        )


class _CardJudge(_Judge):
    """Judges auctions in which all players show a bid card at the same time."""

    end_rule = "each player shows one bid card"

    def __init__(self, deal: Deal, calls: Sequence[str], first: str) -> None:
        super().__init__(deal, calls, first)
        self.shown: dict[str, str | None] = {}  # None: an unreadable card
        self.choices: tuple[AuctionResult, ...] = ()

    def waiting(self) -> str | None:
        return next((seat for seat in self.seats if seat not in self.shown), None)

    def all_pass(self) -> None:
        self.fail("call-unknown", "nobody can pass", self.end_rule)

    def call(self, seat: str, word: str) -> None:
        if seat not in self.shown:
            self._show(seat, word)
        elif word != _NO_CALL:
            self._choose(seat, word)

    def _show(self, seat: str, word: str) -> None:
        card = self.shown[seat] = read_card(word)
        hand = self.deal.hands[seat]
        if card is None:
            text = self.calls[self.number]
            missing = word in (_NO_CALL, _PASS)
            self.fail(
                "call-missing" if missing else "call-unknown",
                f"{seat_label(seat)} shows no bid card" if missing else f"{text!r} is not a card",
                self.end_rule,
            )
        elif list(self.shown.values()).count(card) > 1:
            self.fail("call-card-duplicate", f"{card} was already shown", self.end_rule)
        elif hand is not None and card not in hand and not self.deal.is_ending:
            message = f"{seat_label(seat)} does not hold {card}"
            self.fail("call-card-not-held", message, self.end_rule)
        cards = {s: shown for s, shown in self.shown.items() if shown is not None}
        if len(cards) == len(self.seats) and self.bidding.cards is not None:
            self.choices = self.bidding.cards(cards)

    def _choose(self, seat: str, word: str) -> None:
        chosen = tuple(choice for choice in self.choices if word in choice.ids)
        if len(self.choices) > 1 and chosen and seat in self.choices[0].declarers:
            self.choices = chosen
        else:
            self.fail("call-too-late", f"{seat_label(seat)} has no further call", self.end_rule)

    def result(self) -> AuctionResult:
        if len(self.choices) == 1:
            return self.choices[0]
        return AuctionResult(alternatives=self.choices)
