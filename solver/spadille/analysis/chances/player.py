"""A player who sees one hand and plays the card that is best on average over the possible layouts.

The method is known as perfect information Monte Carlo sampling (Levy, "The million pound bridge
program", 1989; Ginsberg, "GIB: imperfect information in a computationally challenging game",
Journal of Artificial Intelligence Research 14, 2001). docs/chances-measured.md reports its gains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from spadille.analysis.chances.card_averages import CardAverages
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing, check_drawing
from spadille.base.argument_checks import check_type
from spadille.base.errors import ArgumentError
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.core.position import Position
from spadille.search.engine import DEFAULT_MEMORY

DEFAULT_BUDGET = Drawing(samples=64, seconds=0)
"""The default number of layouts for each card."""


class Player:
    """Chooses cards for any seat, using only that seat's knowledge.

        player = spadille.Player()
        card = player.card(spadille.know(deal, "S solo H", play=["HA", "H7"]))

    `drawing` is the budget for each card: a maximum number of layouts or of seconds. `drawing` also
    sets the seed and the assumptions about the other players. If only the number of layouts is
    limited, the card depends on the seed and the knowledge, but not on the machine or the number of
    threads.

    Raises ArgumentError unless `drawing` is a Drawing.
    """

    def __init__(self, drawing: Drawing = DEFAULT_BUDGET, *, memory: int = DEFAULT_MEMORY) -> None:
        check_drawing(drawing)
        self.drawing = drawing
        self._memory = memory

    def __repr__(self) -> str:
        return f"Player({self.drawing!r})"

    def card(self, known: Knowledge) -> str:
        """Return a card for the seat whose turn it is, given its knowledge.

        The card with the highest mean payoff is the best. If payoffs are equal, or the tricks do
        not determine them, the card that most often reaches the player's goal is chosen. These
        figures are often equal, because the contract is lost or safe double-dummy. Therefore, each
        layout is also played out after each card, with rules of thumb for everybody. Of cards that
        are still equal, the one that reaches the goal most often in this play is chosen. The next
        criterion is the number of tricks of the player's side, added up over best play and rules of
        thumb. Rules of thumb (see `by_habit`) also break the remaining ties, and choose for players
        whose payoff does not depend on their own play.

        Raises ArgumentError if it is another seat's turn or the hand is over, and the errors of
        `know` if no layout is possible.
        """
        check_type(known, Knowledge, "known must be Knowledge, as returned by know(deal, contract)")
        known.check_to_play()
        position = known.position(known.layouts.unrank(0))
        legal = position.legal()
        if not legal:
            raise ArgumentError("the hand is over; there is no card to play")
        best = legal if len(legal) == 1 else self._best(known) or legal
        return by_habit(known, position, [card for card in legal if card in best])

    def _best(self, known: Knowledge) -> list[str]:
        """Return the cards with the best average; none if no layout is valued in time."""
        contract = known.contract
        if len(contract.declarers) > 1 and known.seat not in contract.declarers:
            return []  # the same payoff, whatever this player does
        strategy = CardStrategy(
            known,
            self.drawing,
            double_dummy=False,
            plans=False,
            averages=False,
            playouts=True,
            memory=self._memory,
        )
        for _ in Sampling(strategy).steps():
            pass
        return best_cards(strategy) if strategy.samples else []


def best_cards(strategy: CardStrategy) -> list[str]:
    """Return the cards with the best average; at least one layout must have been valued."""
    played_out = strategy.played_out
    orders = {
        card: _order(average, played_out[card], strategy.declaring)
        for card, average in strategy.averages.items()
    }
    best = max(orders.values())
    return [card for card, order in orders.items() if order == best]


def _order(average: CardAverages, played_out: CardAverages, declaring: bool) -> tuple[float, ...]:
    """Return the sort key of a card; greater is better for the player."""
    tricks = (average.tricks or 0.0) + (played_out.tricks or 0.0)
    tricks = round(tricks, 9)  # equal sums of averages may differ in their last bits
    return (
        average.payoff or 0.0,
        average.good,
        played_out.good,
        tricks if declaring else -tricks,
    )


def by_habit(known: Knowledge, position: Position, cards: Sequence[str]) -> str:
    """Return the card that rules of thumb suggest to the player to move.

    A declarer leads the highest trump; other players lead the highest card of their longest other
    suit. Later players win as cheaply as possible, unless a partner is winning; otherwise they play
    the lowest card of their shortest suit, and trumps only as a last resort. In a Misère, players
    lead their lowest card. Later in the trick, the declarer plays the highest losing card, and the
    others play their lowest card.
    """
    rules, trump, seat = known.deal.rules, known.trump, known.seat
    cards = sorted(cards, key=rules.deck.index)  # so that ties do not depend on the caller
    below = {card: at for suit in rules.suits(trump).values() for at, card in enumerate(suit)}
    suit_of = rules.suit_of(trump)
    lengths = Counter(suit_of[card] for card in known.own)
    plain = [card for card in cards if suit_of[card] != trump] or cards
    declares = seat == known.contract.declarer
    misere = rules.contract(known.contract.ids[0]).aim == "misere"
    if not known.trick:
        if misere:
            return max(cards, key=below.__getitem__)
        trumps = [card for card in cards if suit_of[card] == trump]
        if declares and trumps:
            return min(trumps, key=below.__getitem__)
        return max(plain, key=lambda card: (lengths[suit_of[card]], -below[card]))
    takes = [card for card in cards if _takes(position, card)]
    loses = [card for card in cards if card not in takes] or cards
    if misere:
        return min(loses, key=below.__getitem__) if declares else max(cards, key=below.__getitem__)
    if takes and not _together(known, position.winning()):
        return max(takes, key=below.__getitem__)
    return max(
        loses, key=lambda card: (suit_of[card] != trump, -lengths[suit_of[card]], below[card])
    )


def _takes(position: Position, card: str) -> bool:
    """Return whether the card would win the trick so far."""
    seat = position.to_play
    position.trick.append((seat, card))
    try:
        return position.winning() == seat
    finally:
        position.trick.pop()


def _together(known: Knowledge, other: str) -> bool:
    """Return whether the player knows that `other` is on the same side."""
    if len(known.contract.declarers) > 1:
        return False
    side = {known.contract.declarer, known.partner}
    if known.seat in side or other in side:
        return known.seat in side and other in side
    return not known.partner_open
