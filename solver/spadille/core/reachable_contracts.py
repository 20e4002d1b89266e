"""Find the contracts that the auction of a deal can reach under the rules.

As a referee of the bidding, this module answers two questions about a contract:

- `allows`: does any legal auction of the deal lead to it?
- `brings`: could one player have reached it in the recorded auction? That player may make any call.
  The other players repeat their recorded calls while these are legal. Otherwise they pass or, if a
  duty forbids that, make the lowest legal call.

If bids are cards, the other players show their recorded cards. If no cards are recorded, `brings`
has no answer, and a contract is allowed if its players have the bid cards for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from spadille.base.cached import cached_property
from spadille.base.card_text import NO_TRUMP
from spadille.core.auction import read_card, result
from spadille.core.call_tree import HOLD, AuctionEnd, Call, Calls, bid_of
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding, warning
from spadille.core.validate import bid_findings
from spadille.games.model.bidding import AuctionResult, AuctionStanding
from spadille.games.model.game import Rules

Value = TypeVar("Value")

_SILENT = "-"
_ENDS = ("*", "+", "ap")


def reachable(deal: Deal, auction: Sequence[str] = (), *, heard: Sequence[str] = ()) -> Reachable:
    """Return the contracts that the auction of a deal can reach; `auction` is the record.

    `allows` considers auctions that begin with the calls `heard`.
    """
    if deal.rules.bidding.cards:
        return _ByCards(deal, auction)
    return _ByCalls(deal, auction, heard)


class Reachable:
    """The contracts that the auction of a deal can reach."""

    by_card = False
    """Whether the bid cards of all players are recorded."""

    @property
    def outcomes(self) -> Mapping[str, Mapping[str, tuple[Contract, ...]]]:
        """For each seat and bid card, the contracts to which the card may lead."""
        return {}

    def allows(self, contract: Contract) -> bool:
        """Return whether some legal auction or some set of bid cards leads to the contract."""
        raise NotImplementedError

    def brings(self, seat: str, contract: Contract) -> bool:
        """Return whether a player could have reached a contract as declarer or partner.

        The other players call or show cards as recorded.
        """
        raise NotImplementedError

    def bid_cards(self, seat: str, contract: Contract) -> tuple[str, ...]:
        """Return the bid cards with which a seat can reach its own contract."""
        return ()

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts to which any card of any player leads, without duplicates."""
        return ()


class _ByCalls(Reachable):
    """Auctions with rising bids."""

    def __init__(self, deal: Deal, auction: Sequence[str], heard: Sequence[str]) -> None:
        self.deal = deal
        self.calls = Calls(deal)
        self.heard = heard
        self.recorded: dict[str, list[str]] = {seat: [] for seat in deal.rules.seats}
        seats = self.calls.start().seats
        for cell, word in enumerate(auction):
            if word.lower() in _ENDS:
                break
            if word != _SILENT:
                self.recorded[seats[cell % len(seats)]].append(word)
        self.features = _auction_features(deal)

    def allows(self, contract: Contract) -> bool:
        return any(_is_end(end, contract) for end in self.ends)

    def brings(self, seat: str, contract: Contract) -> bool:
        return any(_is_end(end, contract) for end in self.brought_by(seat))

    @cached_property
    def ends(self) -> frozenset[AuctionEnd]:
        """The ends of all legal auctions that begin with `heard` and lead to a contract."""
        return _kept(_ends, (self.features, *self.heard), self._all_ends)

    def _all_ends(self) -> frozenset[AuctionEnd]:
        known: dict[object, frozenset[AuctionEnd]] = {}

        def after(standing: AuctionStanding) -> frozenset[AuctionEnd]:
            key = standing.key
            ends = known.get(key)
            if ends is None:
                if self.calls.to_call(standing) is None:
                    end = self.calls.settled(standing)
                    ends = frozenset(() if end is None else (end,))
                else:
                    # Holding a bid again changes nothing and could go on forever, so such calls are
                    # skipped.
                    ends = frozenset().union(
                        *(
                            after(self.calls.after(standing, call))
                            for call in self.calls.open(standing)
                            if not self.calls.is_held_again(standing, call)
                        )
                    )
                known[key] = ends
            return ends

        standing = self.calls.start()
        for said in self.calls.said([*self.heard, "*"]):
            standing = self.calls.after(said.standing, said.call)
        return after(standing)

    def brought_by(self, seat: str) -> frozenset[AuctionEnd]:
        """Return the outcomes if this player calls freely and the others follow the record."""
        recorded = tuple(map(tuple, self.recorded.values()))
        return _kept(
            _brought,
            (self.features, seat, recorded),
            lambda: frozenset(
                end
                for end in self._freely(self.calls.start(), seat, {})
                if not end.fell and seat in (end.declarer, end.partner)
            ),
        )

    def _freely(
        self, standing: AuctionStanding, free: str, turns: dict[str, int]
    ) -> Iterator[AuctionEnd]:
        seat = self.calls.to_call(standing)
        if seat is None:
            end = self.calls.settled(standing)
            if end is not None:
                yield end
            return
        number = turns.get(seat, 0)
        calls = self.calls.open(standing)
        if seat != free:
            calls = [self._repeated(standing, seat, number, calls)]
        for call in calls:
            after = self.calls.after(standing, call)
            yield from self._freely(after, free, {**turns, seat: number + 1})

    def _repeated(
        self, standing: AuctionStanding, seat: str, number: int, legal: Sequence[Call]
    ) -> Call:
        """Return the call of a player who follows the record."""
        if number < len(self.recorded[seat]):
            said = self.calls.read(standing, self.recorded[seat][number])
            holds = said is not None and said.word == HOLD
            for call in legal:
                if said and call.height == said.height and (call.word == HOLD) == holds:
                    return said
        return legal[0]


class _ByCards(Reachable):
    """Auctions in which all players show bid cards at the same time."""

    def __init__(self, deal: Deal, auction: Sequence[str]) -> None:
        self.deal = deal
        self.rules = deal.rules
        self.seats = deal.rules.in_turn(deal.rules.eldest(deal.dealer))
        number = len(self.seats)
        cards = [read_card(word) for word in auction[:number]]
        in_hands = [
            card in (deal.hands[seat] or ()) for seat, card in zip(self.seats, cards, strict=False)
        ]
        self.shown = tuple(filter(None, cards)) if len(in_hands) == number and all(in_hands) else ()
        """The recorded bid cards, in order; empty unless each is a card of the player's hand."""
        self.said = tuple(auction[number:])
        self.by_card = bool(self.shown)

    def allows(self, contract: Contract) -> bool:
        if not self.shown:
            return self.rules.bidding.can_bid(self.deal, contract)
        return is_way(contract, self.contracts)

    def brings(self, seat: str, contract: Contract) -> bool:
        return bool(self.bid_cards(seat, contract))

    @cached_property
    def outcomes(self) -> Mapping[str, Mapping[str, tuple[Contract, ...]]]:
        if not self.shown:
            return {}
        return {
            seat: {card: self._follows(seat, card) for card in self.deal.hands[seat] or ()}
            for seat in self.seats
        }

    @property
    def contracts(self) -> tuple[Contract, ...]:
        cards = [ways for outcomes in self.outcomes.values() for ways in outcomes.values()]
        return tuple(dict.fromkeys(contract for ways in cards for contract in ways))

    def bid_cards(self, seat: str, contract: Contract) -> tuple[str, ...]:
        return tuple(
            card
            for card, ways in self.outcomes.get(seat, {}).items()
            if seat in contract.side and is_way(contract, ways) and is_settled_by(seat, ways)
        )

    def _follows(self, seat: str, card: str) -> tuple[Contract, ...]:
        shown = dict(zip(self.seats, self.shown, strict=True)) | {seat: card}
        end = result(self.deal, [*shown.values(), *self.said])
        if end is None:
            return ()
        ways = (end,) if end.ids else end.alternatives
        return tuple(settled_contract(self.rules, way) for way in ways)


def is_way(contract: Contract, ways: Iterable[Contract]) -> bool:
    """Return whether a contract is one of these; either partner may be its declarer."""
    return any(
        way == contract
        or (
            way.partner is not None
            and way == replace(contract, declarers=way.declarers, partner=way.partner)
            and way.side == contract.side
        )
        for way in ways
    )


def is_settled_by(seat: str, ways: Sequence[Contract]) -> bool:
    """Return whether the bid cards settle the contract, or this seat makes the choice."""
    return len(ways) == 1 or (bool(ways) and ways[0].declarers == (seat,))


def settled_contract(rules: Rules, settled: AuctionResult) -> Contract:
    """Return the contract settled by the bid cards; without declarers, it is for all players."""
    declarers = settled.declarers or rules.seats
    ids = settled.ids if settled.declarers else settled.ids * len(declarers)
    trump = settled.trump or NO_TRUMP
    return Contract(declarers, ids, trump, None, settled.partner, settled.penalty)


def _is_end(end: AuctionEnd, contract: Contract) -> bool:
    """Return whether an auction with this end leads to the contract."""
    players = (contract.declarer,) if end.partner is None else (contract.declarer, contract.partner)
    return (
        end.contract == contract.ids[0]
        and {*players} == {end.declarer, end.partner or end.declarer}
        and (end.trumps is None or contract.trump in (None, *end.trumps))
    )


def words_for(deal: Deal, contract: Contract) -> tuple[str, ...]:
    """Return a plausible auction for a contract whose auction is not recorded.

    Only players who must bid do so: the declarer, players with a duty to bid, and a player whose
    bid must come before the declarer's. If there is no such auction, the result contains only the
    declarer's bid. For bid cards, the result is empty.
    """
    word, _ = bid_of(deal.rules, contract)
    if word is None:
        return ()
    bids = deal.rules.bidding.bids
    start = Calls(deal).start()
    words: list[str] = []
    for seat, said in _way_to(deal, contract) or [(contract.declarer, word)]:
        while start.seats[len(words) % len(start.seats)] != seat:
            words.append(_SILENT)
        name_trump = said == word and bids[deal.rules.bidding.height(word)].names_trump
        words.append(f"{said}-{contract.trump}" if name_trump else said)
    return tuple(words)


def _way_to(deal: Deal, contract: Contract) -> list[tuple[str, str]] | None:
    """Return an auction that leads to a contract, as seats and calls; None if there is none.

    Only bids that are needed to reach the contract, or that a duty requires, are considered.
    """
    word, height = bid_of(deal.rules, contract)
    bids = deal.rules.bidding.bids
    wanted: set[str | None] = set()
    while height >= 0:
        wanted.add(bids[height].word)
        over = bids[height].over
        height = -1 if over is None else deal.rules.bidding.height(over)
    calls = Calls(deal)

    def search(standing: AuctionStanding) -> list[tuple[str, str]] | None:
        seat = calls.to_call(standing)
        if seat is None:
            end = calls.settled(standing)
            return [] if end and not end.fell and _is_end(end, contract) else None
        legal = calls.open(standing)
        for call in [legal[0], *(call for call in legal[1:] if call.word in wanted)]:
            rest = search(calls.after(standing, call))
            if rest is not None:
                return [(seat, call.word), *rest]
        return None

    return None if word is None else search(calls.start())


def excluded_findings(deal: Deal, contract: Contract) -> list[Finding]:
    """Return a warning if no legal auction of a valid deal can reach a valid contract.

    If players with a duty to bid more exclude the contract, the warning names them.
    """
    findings = bid_findings(deal, contract)
    if findings or deal.is_ending or _is_bid(deal, contract):
        return findings
    bidding, kind = deal.rules.bidding, deal.rules.contracts[contract.ids[0]]
    if bidding.cards is not None:
        message = (
            f"{kind.name} cannot be the contract: some of its players hold no card that bids it"
        )
        rule = "each player bids with a card from their hand"
    else:
        message = f"no legal auction ends with {kind.name} by {contract.declarer}"
        over = bidding.bids[bid_of(deal.rules, contract)[1]].over
        rule = f"{kind.name} may be bid only over {over}; {bidding.rounds_text}"
        rule = rule if over else bidding.rounds_text
    rule = deal.rules.cite(rule)
    return [warning("contract-excluded", message, "Contract", kind.id, rule)]


def _is_bid(deal: Deal, contract: Contract) -> bool:
    """Return whether a legal auction or, if bids are cards, the hands can lead to a contract.

    A contract without a bid counts as reachable. If bids are cards and a hand is unknown, every
    contract counts as reachable.
    """
    rules, bidding = deal.rules, deal.rules.bidding
    if bidding.cards is not None:
        return None in deal.hands.values() or bidding.can_bid(deal, contract)
    return bid_of(rules, contract)[0] is None or is_reachable(deal, contract)


_KEPT = 4096
_reached: dict[Hashable, bool] = {}
_ends: dict[Hashable, frozenset[AuctionEnd]] = {}
_brought: dict[Hashable, frozenset[AuctionEnd]] = {}


def _auction_features(deal: Deal) -> Hashable:
    """Return the few features of a deal on which its auctions depend, as part of a cache key."""
    bidding = deal.rules.bidding
    duties = tuple([len({*bidding.duty_cards} & {*(hand or ())}) for hand in deal.hands.values()])
    holder = bidding.falls_to and deal.must_hold(bidding.falls_to[0])
    return deal.rules, deal.dealer, deal.is_ending, deal.current_trump, duties, holder


def _kept(cache: dict[Hashable, Value], key: Hashable, find: Callable[[], Value]) -> Value:
    """Return the value cached for a key; if there is none, find the value and cache it."""
    value = cache.get(key)
    if value is None:
        if len(cache) >= _KEPT:
            cache.clear()
        value = cache[key] = find()
    return value


def is_reachable(deal: Deal, contract: Contract) -> bool:
    """Return whether some legal auction or some set of bid cards leads to a contract.

    The answer is the same as that of `Reachable.allows`, but finding it usually takes far fewer
    auctions.
    """
    if deal.rules.bidding.cards is not None:
        return reachable(deal).allows(contract)
    players = contract.declarer, contract.partner
    key = _auction_features(deal), *players, contract.ids[0], contract.trump
    return _kept(
        _reached,
        key,
        lambda: _way_to(deal, contract) is not None or reachable(deal).allows(contract),
    )
