"""A slow and obvious model of bidders: the likelihood of the calls, given a deal.

The legal calls come from the call tree, on all hands, and the worth of a contract from the strength
tables. Everything else is written independently of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import comb, exp

from spadille.core.call_tree import Call, Calls
from spadille.core.contract import Contract, first_leader
from spadille.core.deal import Deal
from spadille.core.strength.strength_tables import GameTables, tables_for
from tests.support.hand_value_referee import mean_payoff

SURE = float("-inf")


class BeliefReferee:
    """The likelihood of an auction and a contract, for the seats whose hands are hidden."""

    def __init__(
        self,
        deal: Deal,
        contract: Contract,
        calls: Sequence[str],
        hidden: Iterable[str],
        spread: float,
        seen: Iterable[str] = (),
        *,
        top: str | None = None,
    ) -> None:
        """Judge calls; `seen` has cards that the viewer knows were dealt to no other player.

        If `top` is given, everybody knows that the first player who exchanged drew it.
        """
        self.rules = deal.rules
        tables = tables_for(self.rules)
        assert tables is not None
        self.tables: GameTables = tables
        self.contract, self.calls, self.hidden = contract, calls, list(hidden)
        self.leader = first_leader(deal, contract)
        self.plain = {*self.rules.deck} - {*self.rules.trump_cards(contract.trump)}
        self.apart = {*seen}
        self.top = top
        self._pays: dict[tuple[object, ...], float] = {}  # few hands occur in many layouts
        self._dealt: dict[tuple[str, ...], float] = {}
        self._exchanged: dict[tuple[object, ...], float] = {}
        self._put_away: dict[tuple[object, ...], float] = {}
        self.scale = spread * self._stake()

    def _stake(self) -> float:
        found = []
        for bid in self.rules.bidding.bids:
            for trump in self.tables.trumps(bid.contract):
                table = self.tables.table(bid.contract, trump)
                assert table is not None
                payoffs = [score["payoff"] for score in table.scores]
                failed = max(payoffs[: table.made], default=table.least)
                found.append(table.unit * (payoffs[table.made] - failed))
        return min(found)

    def of_card(self, deal: Deal, seat: str, kind_id: str, trump: str, card: str | None) -> float:
        """Return the mean payoff of a contract."""
        table = self.tables.table(kind_id, trump)
        if table is None:
            return SURE
        key = deal.hands[seat], seat, kind_id, trump, card
        if key not in self._pays:
            hand = table.lanes.hand(deal.hands[seat] or ())
            position = self.rules.in_turn(self.leader).index(seat)
            called = -1 if card is None else table.lanes.bits[card].bit_length() - 1
            position = min(position, table.positions - 1)
            self._pays[key] = mean_payoff(table, hand, position, called)
        return self._pays[key]

    def cards(self, deal: Deal, seat: str, kind_id: str, trump: str) -> Sequence[str | None]:
        """List the cards a player can call; only None if the contract has no called card."""
        kind = self.rules.contracts[kind_id]
        if kind.side != "called":
            return [None]
        return self.rules.callable_cards(trump, deal.hands[seat] or (), kind)

    def of_trump(self, deal: Deal, seat: str, kind_id: str, trump: str) -> float:
        """Return the mean payoff of a contract with the best card to call."""
        cards = self.cards(deal, seat, kind_id, trump)
        return max([self.of_card(deal, seat, kind_id, trump, card) for card in cards], default=SURE)

    def of_bid(self, deal: Deal, seat: str, height: int) -> float:
        """Return the mean payoff of a bid with the best trump."""
        bid = self.rules.bidding.bids[height]
        if bid.joins:
            return SURE
        return max(
            [self.of_trump(deal, seat, bid.contract, trump) for trump in self.trumps(deal, height)],
            default=SURE,
        )

    def trumps(self, deal: Deal, height: int) -> list[str]:
        """List the trumps a bid leaves open."""
        bid, color = self.rules.bidding.bids[height], self.rules.color
        kind = self.rules.contracts[bid.contract]
        trumps = [*self.rules.allowed_trumps(kind, deal)]
        if bid.in_color:
            return [color] if color in trumps else []
        if any(other.in_color and other.contract == bid.contract for other in self.bids):
            trumps = [trump for trump in trumps if trump != color]
        return trumps

    @property
    def bids(self) -> Sequence[object]:
        return self.rules.bidding.bids

    def chosen(self, values: dict[object, float], choice: object) -> float:
        """Return the probability of a choice among all, given their values."""
        values = {name: value for name, value in values.items() if value > SURE}
        if choice not in values:
            return 0.0
        best = max(values.values())
        weights = {name: exp((value - best) / self.scale) for name, value in values.items()}
        return weights[choice] / sum(weights.values())

    def likelihood(self, deal: Deal) -> float:
        """Return the likelihood of the calls that were heard, given this deal."""
        product = 1.0
        bidding, tree = self.rules.bidding, Calls(deal)
        own = -1
        for said in tree.said([*self.calls, "*"]):
            standing = said.standing
            if standing.next_speaker() is None or standing.is_overbid(said.seat):
                continue  # these follow from the contract
            height = -1 if said.call.height is None else said.call.height
            if said.seat == self.contract.declarer:
                own = max(own, height)
            if said.seat in self.hidden:
                product *= self._call(deal, tree.open(standing), said.seat, height)
        declarer = self.contract.declarer
        if declarer not in self.hidden:
            return product
        kind_id, trump = self.contract.ids[0], self.contract.trump
        heights = [
            height
            for height, bid in enumerate(bidding.bids)
            if bid.contract == kind_id and trump in self.trumps(deal, height)
        ]
        if heights and (not self.calls or (bidding.may_raise and own >= 0)):
            values: dict[object, float] = {
                height: self.of_bid(deal, declarer, height)
                for height in range(len(bidding.bids))
                if height >= own
            }
            if not self.calls:
                values["pass"] = 0.0
            product *= self.chosen(values, heights[0])
        assert trump is not None
        kind = self.rules.contracts[kind_id]
        trumps = self.trumps(deal, heights[0]) if heights else self.rules.allowed_trumps(kind, deal)
        of_trump: Callable[[str], float] = lambda suit: self.of_trump(deal, declarer, kind_id, suit)  # noqa: E731
        product *= self.chosen({suit: of_trump(suit) for suit in trumps}, trump)
        if self.contract.called is not None:
            cards = self.cards(deal, declarer, kind_id, trump)
            product *= self.chosen(
                {card: self.of_card(deal, declarer, kind_id, trump, card) for card in cards},
                self.contract.called,
            )
        return product

    def before_exchange(self, deal: Deal, number: int, *, counted: bool) -> float:
        """Return the likelihood of the calls if the declarer has exchanged cards since.

        The declarer drew any `number` cards of the hand and discarded as many others, none of them
        trumps; all such choices from the dealt hand are equally likely. `counted` says whether
        deals already count the ways to choose discards that are not trumps.
        """
        declarer = self.contract.declarer
        hand, plain = deal.hands[declarer] or (), self.plain
        held = {card for cards in deal.hands.values() for card in cards or ()}
        pile = [card for card in self.rules.deck if card not in held and card not in self.apart]
        if (key := (hand, *pile)) in self._exchanged:
            return self._exchanged[key]
        total, ways = 0.0, comb(len(plain.intersection(pile) if counted else pile), number)
        for drawn in combinations(hand, number):
            for away in combinations([card for card in pile if card in plain], number):
                dealt = tuple(sorted({*hand, *away} - {*drawn}))
                if dealt not in self._dealt:
                    hands = {**deal.hands, declarer: dealt}
                    self._dealt[dealt] = self.likelihood(replace(deal, hands=hands))
                total += self._dealt[dealt] / comb(len(plain & {*dealt}), number)
        self._exchanged[key] = total / comb(len(hand), number) / ways
        return self._exchanged[key]

    def exchanged_by_rule(
        self, deal: Deal, steps: Sequence[tuple[str, int, int]], *, bids: bool
    ) -> float:
        """Return the likelihood that these players exchanged cards and were left with these hands.

        Each step is a player, the number of cards discarded, and the most they could discard. They
        keep trumps and plain kings and discard all other cards, but treat one card in a hundred the
        other way. `bids` says whether the calls of the first player count, too.
        """
        held = {card for cards in deal.hands.values() for card in cards or ()}
        pile = {*self.rules.deck} - held - self.apart
        return self._exchanged_by_rule(deal, tuple(steps), frozenset(pile), bids)

    def _exchanged_by_rule(
        self,
        deal: Deal,
        steps: tuple[tuple[str, int, int], ...],
        pile: frozenset[str],
        bids: bool,
    ) -> float:
        if not steps:
            return 1.0
        (seat, number, most), *others = steps
        hand = deal.hands[seat] or ()
        if (key := (hand, pile, steps, bids)) in self._exchanged:
            return self._exchanged[key]
        total = 0.0
        for away in combinations(sorted(pile), number):
            rest = self._exchanged_by_rule(deal, tuple(others), pile.difference(away), False)
            for drawn in combinations(hand, number):
                if self.top in hand and self.top not in drawn:
                    continue
                dealt = tuple(sorted({*hand, *away} - {*drawn}))
                share = rest * self._discards(dealt, away, most)
                total += share * (self._bid(deal, seat, dealt) if bids else 1)
        self._exchanged[key] = total
        return total

    def _bid(self, deal: Deal, seat: str, dealt: tuple[str, ...]) -> float:
        if dealt not in self._dealt:
            self._dealt[dealt] = self.likelihood(replace(deal, hands={**deal.hands, seat: dealt}))
        return self._dealt[dealt]

    def _discards(self, hand: Sequence[str], away: Sequence[str], most: int) -> float:
        """Return the probability that a player discards exactly these cards."""
        keeps = [card not in self.plain or card[1] == "K" for card in hand]
        kept_away = sum(card not in self.plain or card[1] == "K" for card in away)
        key = sum(keeps), kept_away, len(away), most
        if key not in self._put_away:  # only the numbers matter
            total = 0.0
            for wanted in product((False, True), repeat=len(hand)):
                number = sum(wanted)
                gone = all(want for card, want in zip(hand, wanted, strict=True) if card in away)
                if gone and min(number, most) == len(away):
                    chance = 1.0
                    for keep, want in zip(keeps, wanted, strict=True):
                        chance *= 0.99 if keep != want else 0.01
                    total += chance / comb(number, len(away))
            self._put_away[key] = total
        return self._put_away[key]

    def _call(self, deal: Deal, legal: Sequence[Call], seat: str, height: int) -> float:
        bidding = self.rules.bidding
        rises = bidding.rounds != "once" or bidding.may_raise
        values: dict[object, float] = {}
        for call in legal:
            if call.height is None:
                values[-1] = 0.0
            elif rises:
                last = len(bidding.bids)
                if self.of_bid(deal, seat, call.height) > SURE or call.height == height:
                    values[call.height] = max(
                        self.of_bid(deal, seat, number) for number in range(call.height, last)
                    )
            else:
                values[call.height] = self.of_bid(deal, seat, call.height)
        return self.chosen(values, height)
