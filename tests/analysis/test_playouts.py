"""Hands played out by rules of thumb: the engine against simple code that follows the rules."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest

from spadille import Contract, Deal, Drawing, Knowledge, Player, Position, know, rules_for
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.sampling_loop import Clock, Sampling
from spadille.generate.deals_to_play import WantedDeals, deals_to_play
from spadille.search.encoding import Encoding, situation
from spadille.search.first_run import gone_on
from spadille.search.verdict import ended
from tests.support.tiers import games_by_tier

LAYOUTS = 3


class RulesOfThumb:
    """The rules of thumb of csrc/natural_card_order.hpp."""

    def __init__(self, side: Iterable[str], *, misere: bool, code: Encoding) -> None:
        self.side = {*side}
        self.misere = misere
        self.numbers = code.numbers
        self.lanes = code.lanes

    def card(self, position: Position) -> str:
        """Return the card of the player to move."""
        lane = {card: number >> 4 for card, number in self.numbers.items()}
        rank = {card: number & 15 for card, number in self.numbers.items()}
        trump = self.lanes.get(position.trump or "", -1)
        own = [lane[card] for card in position.hands[position.to_play]]
        cards = sorted(position.legal(), key=self.numbers.__getitem__)
        declares = position.to_play in self.side
        trumps = [card for card in cards if lane[card] == trump]
        plain = [card for card in cards if lane[card] != trump] or cards
        if not position.trick:
            if self.misere:
                return min(cards, key=rank.__getitem__)
            if declares and trumps:
                return trumps[-1]
            return max(plain, key=lambda card: (own.count(lane[card]), rank[card]))
        takes = [card for card in cards if self._takes(position, card)]
        loses = [card for card in cards if card not in takes] or cards
        if self.misere:
            return max(loses, key=rank.__getitem__) if declares else min(cards, key=rank.get)
        if takes and declares != (position.winning() in self.side):
            return min(takes, key=rank.__getitem__)
        return min(loses, key=lambda card: (lane[card] == trump, own.count(lane[card]), rank[card]))

    @staticmethod
    def _takes(position: Position, card: str) -> bool:
        position.trick.append((position.to_play, card))
        try:
            return position.winning() == position.trick[-1][0]
        finally:
            position.trick.pop()


def made(deal: Deal, contract: Contract, play: list[str], card: str, thumb: RulesOfThumb) -> bool:
    """Return whether the contract makes if everybody plays on by rules of thumb after a card.

    After a side has gone on for all tricks, that is its goal.
    """
    rules, cards = deal.rules, [*play, card]
    kind, runners = rules.contract(contract.ids[0]), rules.runners(contract)
    position = Position.of(deal, contract)
    for each in cards:
        position.play(each)
    while not position.finished:
        at = len(position.tricks)
        stops = at == kind.first_run and rules.may_go_on(kind) and not position.trick
        if stops and all(t.winner in runners for t in position.tricks):
            return True
        cards.append(thumb.card(position))
        position.play(cards[-1])
    if gone_on(contract, situation(deal, contract, [*play, card])):
        return all(trick.winner in runners for trick in position.tricks)
    end = ended(contract, situation(deal, contract, cards))
    assert end is not None
    return rules.made(contract, end)


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("solo-whist"))
def test_layouts_are_played_out_by_rules_of_thumb(game: str) -> None:
    differ = 0
    for seed in range(5):
        deal, contract = next(deals_to_play(rules_for(game), seed))
        if len(contract.declarers) > 1:
            continue
        position, random = Position.of(deal, contract), Random(seed)
        play: list[str] = []
        while not position.finished:
            if 2 <= len(position.hands[position.to_play]) <= 7 and len(position.legal()) > 1:
                differ += compared(deal, contract, play)
            play.append(random.choice(position.legal()))
            position.play(play[-1])
    assert differ > 3


def compared(deal: Deal, contract: Contract, play: list[str]) -> bool:
    """Compare the cards of a decision; return whether their averages differ."""
    known = know(deal, contract, None, play)
    strategy = CardStrategy(
        known, Drawing(seconds=0), double_dummy=False, plans=False, playouts=True
    )
    ranks = known.layouts.sample(LAYOUTS, seed=1)
    strategy.value(ranks, Clock(0))
    found = {card: average.good for card, average in strategy.played_out.items()}
    kind = deal.rules.contract(contract.ids[0])
    good = dict.fromkeys(found, 0)
    for rank in ranks:
        layout = known.layouts.unrank(rank)
        dealt, played = known.deal_of(layout), known.contract_of(layout)
        code = situation(dealt, played, play).encoding
        thumb = RulesOfThumb(played.side, misere=kind.aim == "misere", code=code)
        for card in found:
            wins = made(dealt, played, play, card, thumb)
            good[card] += wins == (known.seat in played.side)
    assert found == pytest.approx({card: each / len(ranks) for card, each in good.items()})
    return len({*found.values()}) > 1


@pytest.mark.ci
def test_among_equal_cards_the_player_chooses_by_playing_out() -> None:
    """In a Misère that is lost double-dummy, the layouts played out still tell cards apart."""
    drawing = Drawing(samples=16, seconds=0)
    wanted = WantedDeals(contracts=("misere",))
    chosen = 0
    for _, (deal, contract) in zip(
        range(20), deals_to_play(rules_for("solo-whist"), 1, wanted=wanted), strict=False
    ):
        position, play = Position.of(deal, contract), []
        while len(position.tricks) < 3 and not position.finished:
            known = know(deal, contract, None, play)
            card = Player(drawing).card(known)
            if position.to_play == contract.declarer and len(position.legal()) > 1:
                chosen += played_out_best(known, drawing, card)
            play.append(card)
            position.play(card)
    assert chosen > 3


def played_out_best(known: Knowledge, drawing: Drawing, card: str) -> bool:
    """Check that no equal card reaches the goal more often; return whether one does less often."""
    strategy = CardStrategy(known, drawing, double_dummy=False, plans=False, playouts=True)
    for _ in Sampling(strategy).steps():
        pass
    averages, played_out = strategy.averages, strategy.played_out
    equal = [each for each in averages if averages[each] == averages[card]]
    assert averages[card].good == max(average.good for average in averages.values())
    reached = {each: played_out[each].good for each in equal}
    assert reached[card] == max(reached.values())
    return min(reached.values()) < reached[card]
