"""Judge a declarer's choices: trump, called card and exchange."""

from __future__ import annotations

from spadille.analysis.auction.auction_end_values import Worth
from spadille.analysis.contracts.best_exchange import Exchange, may_exchange
from spadille.analysis.contracts.best_result import Offer
from spadille.analysis.value.decisions_other_than_cards import Preliminary, PreliminaryKind
from spadille.core.contract import NOBODY, Contract


class DeclarerChoices:
    """Judges each choice of a declarer, assuming the best later choices.

    `named` lists the trumps that the auction leaves open; None means all trumps of the contract.
    """

    def __init__(self, worth: Worth, contract: Contract, named: tuple[str, ...] | None) -> None:
        self.worth = worth
        self.deal = worth.deal
        self.contract = contract
        self.seat = contract.declarer
        self.kind = worth.rules.contracts[contract.ids[0]]
        self.trumps: tuple[str, ...] = ()
        # If the declarer does not name the trump, the deal or the bid cards settle it.
        is_free = self.kind.trump in ("any", "any-or-none", "not-current")
        if is_free and not worth.rules.bidding.cards:
            allowed = worth.rules.allowed_trumps(self.kind, self.deal)
            self.trumps = tuple(trump for trump in allowed if named is None or trump in named)

    def decisions(self) -> list[Preliminary]:
        """Return the decisions in the order they were made."""
        steps = [self.trump(), self.called()]
        if self.kind.called_first:
            steps.reverse()
        return [step for step in (*steps, self.exchange()) if step is not None]

    def trump(self) -> Preliminary | None:
        """Judge the named trump, and also the called card if that is chosen first."""
        trump, called = self.contract.trump, self.contract.called
        if trump not in self.trumps or len(self.trumps) < 2:
            return None
        offers = {option: self.offer(option) for option in self.trumps}
        if self.kind.called_first and called is not None:
            offers = {
                option: call
                for option, offer in offers.items()
                for call in offer.calls
                if call.called == called
            }
        return self.judged("trump", trump, offers) if trump in offers else None

    def called(self) -> Preliminary | None:
        """Judge the called card, with the best trump if that is named later."""
        called, trump = self.contract.called, self.contract.trump
        if self.kind.side != "called" or trump is None:
            return None
        best: dict[str, Offer] = {}
        for suit in self.trumps if self.kind.called_first else (trump,):
            for call in self.offer(suit).calls:
                card = call.called
                if card and (card not in best or call.least > best[card].least):
                    best[card] = call
        if not best or (called is None and self.contract.partner is not None):
            return None
        if called is not None:
            return self.judged("called", called, best)
        alone = self.worth.as_played(self.contract)
        payoffs = {card: call.least for card, call in best.items()}
        most = {card: call.most for card, call in best.items()}
        payoffs[NOBODY], most[NOBODY] = alone.gains[self.seat], alone.most[self.seat]
        return Preliminary.of("called", self.seat, NOBODY, payoffs, most)

    def exchange(self) -> Preliminary | None:
        """Judge the side's discards, if they are recorded."""
        deal, side = self.deal, self.contract.side
        recorded = {*deal.exchangers, *deal.from_hand} & side
        if self.kind.exchange.who not in ("side", "all") or not recorded:
            return None
        if not may_exchange(deal, self.kind):
            return None
        made, best = self.worth.as_played(self.contract), self.worth.exchanged(self.contract)
        assert best.exchange is not None
        declarer, partner = self.seat, self.contract.partner or ""
        decision = Exchange(
            deal.drawn.get(declarer, ()),
            deal.discard.get(declarer, ()),
            deal.drawn.get(partner, ()),
            deal.discard.get(partner, ()),
            side <= {*deal.from_hand},
        )
        ends = {self.text(decision): made}
        if best.gains[declarer] > made.gains[declarer]:
            ends[self.text(best.exchange)] = best
        payoffs = {text: end.gains[declarer] for text, end in ends.items()}
        most = {text: end.most[declarer] for text, end in ends.items()}
        return Preliminary.of("exchange", declarer, self.text(decision), payoffs, most)

    def text(self, exchange: Exchange) -> str:
        """Describe an exchange: the discarded cards and, for partners, the cards taken."""
        if exchange.from_hand:
            return "from hand"
        partner = self.contract.partner
        if partner is None:
            return " ".join(exchange.discard) or "nothing"
        return ", ".join(
            f"{seat} {away} for {taken}"
            for seat, drawn, discard in (
                (self.seat, exchange.drawn, exchange.discard),
                (partner, exchange.partner_drawn, exchange.partner_discard),
            )
            for away, taken in zip(discard, drawn, strict=False)
        )

    def offer(self, trump: str) -> Offer:
        """Return the best version of the contract with a given trump."""
        return self.worth.choices(self.kind.id, self.seat, (trump,))

    def judged(self, kind: PreliminaryKind, decision: str, offers: dict[str, Offer]) -> Preliminary:
        """Judge a choice among contracts by their payoffs."""
        payoffs = {choice: offer.least for choice, offer in offers.items()}
        most = {choice: offer.most for choice, offer in offers.items()}
        return Preliminary.of(kind, self.seat, decision, payoffs, most)
