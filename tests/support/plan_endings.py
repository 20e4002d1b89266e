"""Random decisions near the end of a hand, to compare plans with an exhaustive search."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from spadille.base.errors import DealError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.conditioned_layouts import FEW
from spadille.core.knowledge.seat_knowledge import Assumptions, Knowledge, know
from spadille.core.position import Position
from spadille.games import rules_for
from tests.support.game_option_cases import variants
from tests.support.plans_by_force import AIMS
from tests.support.random_endings import contract_of, ending, some_trump

_EARLIER = 5
"""The maximum number of tricks played before a decision."""


def decision(game: str, tricks: int, most: int, seed: int) -> Knowledge | None:
    """Return a random decision with some tricks left and 2 to `most` layouts, if the seed has one.

    Each option is changed in turn; contract and player are random. Most decisions come after some
    tricks, in which players may have failed to follow suit.
    """
    random = Random(f"{game} {tricks} {seed}")
    options = list(variants(game))
    rules = rules_for(game, options[seed % len(options)])
    kind = random.choice([*rules.contracts.values()])
    if kind.aim not in AIMS:
        return None
    trump = some_trump(rules, kind, random)
    size = min(tricks + random.randint(0, _EARLIER), rules.game.hand_size)
    deal = ending(rules, trump, random, size)
    contract = contract_of(deal, kind, trump, random)
    if len(contract.declarers) > 1:
        return None
    position = Position.of(deal, contract)
    table = random.randrange(len(rules.seats))
    cards: list[str] = []
    while len(position.hands[position.to_play]) >= tricks and (legal := position.legal()):
        if len(position.hands[position.to_play]) == tricks and len(position.trick) == table:
            try:
                return _known(deal, contract, cards, position, most, random)
            except DealError:  # the cards dealt at random break a rule of the auction
                return None
        cards.append(random.choice(sorted(legal)))
        position.play(cards[-1])
    return None


def _known(
    deal: Deal, contract: Contract, cards: list[str], position: Position, most: int, random: Random
) -> Knowledge | None:
    """Return what the player to move knows, if that leaves few enough layouts.

    If there are too many, another hand is shown, and facts about single cards are added.
    """
    if len(position.legal()) < 2 or position.trumps:
        return None
    known = know(deal, contract, None, cards)
    others = [seat for seat in position.hands if seat != position.to_play]
    dummy = None
    if known.layouts.count > FEW:
        dummy = random.choice(others)
        others.remove(dummy)
        known = know(deal, contract, None, cards, dummy=dummy)
    most = random.randint(most // 5, most)
    facts: list[_Holds] = []
    while known.fitting.count > most:
        seat = random.choice(others)
        if known.layouts.count > FEW or not position.hands[seat] or len(facts) > 8:
            return None
        facts.append(_Holds(seat, random.choice(sorted(position.hands[seat]))))
        where = Assumptions(where=facts)
        known = know(deal, contract, None, cards, dummy=dummy, assumptions=where)
    return known if known.fitting.count > 1 else None


@dataclass(frozen=True)
class _Holds:
    """The condition that a seat was dealt a card."""

    seat: str
    card: str

    def __call__(self, deal: Deal) -> bool:
        return self.card in (deal.hands[self.seat] or ())
