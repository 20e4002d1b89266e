"""Compare each call of a recorded auction with all other possible calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spadille.analysis.auction.auction_end_values import Ending, Worth
from spadille.analysis.value.decisions_other_than_cards import Preliminary
from spadille.core.auction import auction_faults
from spadille.core.call_tree import HOLD, Call, Calls, Said
from spadille.core.reachable_contracts import settled_contract
from spadille.games.model.bidding import AuctionResult, AuctionStanding


class SpokenBids:
    """Reviews auctions with rising bids."""

    def __init__(self, worth: Worth) -> None:
        self.worth = worth
        self.calls = Calls(worth.deal)
        self.known: dict[object, Ending] = {}
        self.named: tuple[str, ...] | None = None
        """The trumps from which the declarer may still choose after the last bid."""

    def decisions(self, words: Sequence[str]) -> list[Preliminary]:
        """Judge the calls of a valid auction, in order."""
        decisions = []
        said = None
        for said in self.calls.said(words, self.worth.contract):
            decisions.append(self.judged(said))
        if said is not None:
            end = self.calls.settled(self.calls.after(said.standing, said.call))
            self.named = None if end is None else end.trumps
        return decisions

    def judged(self, said: Said) -> Preliminary:
        """Compare a call with all other possible calls."""
        standing, made = said.standing, said.call
        calls = []
        for call in self.calls.open(standing):
            word = self.word(said.seat, call)
            if made.word in (word, call.word):
                made = made._replace(word=word)
            else:
                calls.append((call, word))
        # The recorded bid may name a suit other than the best one.
        calls.append((made, made.word))
        calls.sort(key=lambda choice: -1 if choice[0].height is None else choice[0].height)
        ends = {word: self.end(self.calls.after(standing, call)) for call, word in calls}
        return _weighed(said.seat, said.number, made.word, ends)

    def word(self, seat: str, call: Call) -> str:
        """Return the word for a call, with the best trump if the bid has to name one."""
        if call.height is None or call.trump is not None or call.word == HOLD:
            return call.word
        bid = self.calls.bidding.bids[call.height]
        if not bid.names_trump:
            return call.word
        offer = self.worth.choices(bid.contract, seat, None)
        return f"{call.word}-{offer.trump}"

    def end(self, standing: AuctionStanding) -> Ending:
        """Return how the auction ends if every later player makes the most profitable call."""
        ending = self.known.get(standing.key)
        if ending is None:
            seat = self.calls.to_call(standing)
            if seat is None:
                ending = self.worth.settled(self.calls.settled(standing))
            else:
                ends = [
                    self.end(self.calls.after(standing, call))
                    for call in self.calls.open(standing)
                    if not self.calls.is_held_again(standing, call)
                ]
                ending = max(ends, key=lambda end: end.gains[seat])
                if any(end.most[seat] > ending.gains[seat] for end in ends):
                    # A limit stopped a search, so another call might be better.
                    ending = ending.unsure()
            self.known[standing.key] = ending
        return ending


class CardBids:
    """Reviews auctions with bid cards, which are revealed together."""

    def __init__(self, worth: Worth) -> None:
        self.worth = worth
        self.rules = worth.rules

    def decisions(self, words: Sequence[str]) -> list[Preliminary]:
        """Judge the bid cards and, if a player may choose between contracts, that choice."""
        deal, rules = self.worth.deal, self.rules
        seats = rules.in_turn(rules.eldest(deal.dealer))
        if len(words) < len(seats) or auction_faults(deal, words):
            return []
        cards = dict(zip(seats, (word.upper() for word in words), strict=False))
        decisions = []
        for number, (seat, made) in enumerate(cards.items()):
            others = (card for card in deal.hands[seat] or () if card != made)
            ends = {card: self.end(cards | {seat: card}, seat) for card in (made, *others)}
            decisions.append(_weighed(seat, number, made, ends))
        choices = self.contracts(cards)
        if len(choices) > 1 and self.worth.contract is not None:
            seat = choices[0].declarers[0]
            ends = {choice.ids[0]: self.worth_of(choice, seat) for choice in choices}
            made = self.worth.contract.ids[0]
            said = next((n for n, word in enumerate(words) if word.lower() == made), None)
            if made in ends:
                decisions.append(_weighed(seat, said, made, ends))
        return decisions

    def contracts(self, cards: Mapping[str, str]) -> tuple[AuctionResult, ...]:
        """Return the contract settled by the bid cards, or the contracts a player may choose."""
        assert self.rules.bidding.cards is not None
        return self.rules.bidding.cards(cards)

    def end(self, cards: Mapping[str, str], seat: str) -> Ending:
        """Return a seat's gain from bid cards; a player who may choose takes the best payoff."""
        choices = self.contracts(cards)
        if len(choices) == 1:
            return self.worth_of(choices[0], seat)
        chooser = choices[0].declarers[0]
        ends = [self.worth_of(choice, chooser) for choice in choices]
        best = max(range(len(ends)), key=lambda number: ends[number].gains[chooser])
        if any(end.most[chooser] > ends[best].gains[chooser] for end in ends):
            return ends[best].unsure()
        return self.worth_of(choices[best], seat)

    def worth_of(self, result: AuctionResult, seat: str) -> Ending:
        """Return a seat's gain from a contract settled by bid cards."""
        contract = settled_contract(self.rules, result)
        if not self.worth.pays(contract, seat):
            return self.worth.nobody_plays()._replace(contract=contract)
        alone = len(contract.ids) == 1
        return self.worth.exchanged(contract) if alone else self.worth.several(contract)


def _weighed(seat: str, number: int | None, made: str, ends: Mapping[str, Ending]) -> Preliminary:
    """Judge a call by comparing the endings of all possible calls."""
    return Preliminary.of(
        kind="call",
        seat=seat,
        decision=made,
        payoffs={word: end.gains[seat] for word, end in ends.items()},
        most={word: end.most[seat] for word, end in ends.items()},
        call=number,
        follows={word: end.text for word, end in ends.items()},
    )
