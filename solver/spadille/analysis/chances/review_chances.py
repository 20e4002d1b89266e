"""Review a deal given each player's knowledge, to separate errors from bad luck.

Each card has a double-dummy cost and, in addition, a value given its player's knowledge. A card
that was best given its player's knowledge is never called an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import Chances, Ended
from spadille.analysis.chances.sampling_loop import Clock, Sampling, Strategy
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.review.card_costs import (
    BeliefUsed,
    Judged,
    LuckVerdict,
    ReviewedCard,
)
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.card_values import card_values
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import know
from spadille.core.recorded_auction import Auction

_LEAST_TIME = 0.02  # minimum seconds for each card, even if time is short
_TRICK = 0.05
"""Of two cards that make the contract equally often, one is worse if its mean number of tricks is
worse by more than this."""
_POINT = 0.5
"""The same threshold for mean points in Nemo, equal to a twentieth of a clean trick."""


def judged(review: Review, deal: Deal, auction: Auction, drawing: Drawing) -> Review:
    """Return the review with each card also judged given its player's knowledge.

    The time limit of `drawing` applies to the whole review. Forced cards, and cards from unknown
    hands, are not judged. If there are several declarers, only their cards are judged, since nobody
    else is paid. Raises DealError for an impossible record.
    """
    return Sampling(ReviewStrategy(review, deal, auction, drawing)).run()


class ReviewStrategy(Strategy[Review]):
    """Computes the chances of each played card in a review, decision by decision."""

    def __init__(self, review: Review, deal: Deal, auction: Auction, drawing: Drawing) -> None:
        self.drawing = drawing
        self._review = review
        self._deal = deal
        self._auction = auction
        self._steps = [*review.steps]
        self._samples = 0
        self._unjudged = dict.fromkeys(review.players, 0)

    @property
    def samples(self) -> int:
        """The number of layouts valued so far in all decisions."""
        return self._samples

    def parts(self, clock: Clock) -> Iterator[tuple[Sampling[Chances], Clock]]:
        """Yield the sampling for each decision, with its share of the remaining time."""
        review = self._review
        seats = {*review.accounts} if review.several else {step.seat for step in review.steps}
        decisions = [
            number
            for number, step in enumerate(review.steps)
            if step.choice and step.seat in seats and (review.unseen or not step.open)
        ]
        cards = [step.card for step in review.steps]
        for done, number in enumerate(decisions):
            step = review.steps[number]
            share = clock.share(len(decisions) - done, _LEAST_TIME)
            known = know(
                self._deal,
                review.contract_at(number),
                step.seat,
                cards[:number],
                auction=self._auction,
                assumptions=self.drawing,
            )
            drawing = replace(self.drawing, seconds=share.left)
            strategy = CardStrategy(
                known, drawing, double_dummy=False, payoffs=False, averages=False
            )
            sampling = Sampling(strategy)
            yield sampling, share
            self._samples += sampling.samples
            if not sampling.samples:
                self._unjudged[step.seat] += 1
            else:
                judged = _judged(sampling.result(), step)
                if judged.verdict == "lucky" and not self._at_stake(number):
                    judged = replace(judged, verdict="fine")
                self._steps[number] = replace(step, judged=judged)

    def _at_stake(self, number: int) -> bool:
        """Return whether some card of the player's hand would have cost something."""
        review, seat = self._review, self._steps[number].seat
        cards = [step.card for step in review.steps[:number]]
        values = card_values(self._deal, review.contract_at(number), cards)
        return any((card[seat] if review.several else card.one).cost for card in values.cards)

    def result(self, ended: Ended | None) -> Review:
        """Return the review with the chances found so far."""
        return replace(self._review, steps=tuple(self._steps), unjudged=self._unjudged)


def _judged(chances: Chances, step: ReviewedCard) -> Judged:
    card = next(card for card in chances.cards if card.card == step.card)
    worse = is_worse(chances, step.card)
    cost = (step[step.seat] if step.several else step.one).cost
    of_cost: tuple[LuckVerdict, LuckVerdict] = ("error", "unlucky") if cost else ("lucky", "fine")
    if cost is None:
        of_cost = ("error", "fine")
    made = {card.card: card.made for card in chances.cards}
    belief = chances.belief
    return Judged(
        made=card.made,
        made_interval=card.made_interval,
        rank=card.rank,
        verdict=of_cost[not worse],
        best=chances.best.card,
        cards=made,
        ended=chances.ended,
        belief=BeliefUsed(belief.kind, belief.bids, belief.spread, belief.strength),
        without_seeing=card.without_seeing if chances.by_plan else None,
    )


def is_worse(chances: Chances, name: str) -> bool:
    """Return whether a card was certainly not the best, given its player's knowledge.

    If plans prove which card is best, a card is worse if all its plans win in fewer layouts than
    the best plan. Averages then only break ties. Otherwise, a card is worse if it succeeds in fewer
    layouts; in a sample, the difference must be significant. If all layouts were valued and the
    card succeeds as often as the best, it is worse if it takes fewer tricks (in Nemo, if it gains
    fewer clean points). In a sample, equal success rates prove nothing, because they may be due to
    chance.
    """
    card = next(card for card in chances.cards if card.card == name)
    if chances.by_plan:
        if card.plan_range[1] < chances.best.plan_range[0]:
            return True
        if card.behind > 0 or not chances.exact:
            return False
    elif not chances.exact:
        return bool(card.behind_interval and card.behind_interval[0] > 0)
    elif card.behind > 0:
        return True
    leader = chances.best
    if card.mean_tricks is None or leader.mean_tricks is None:
        return (leader.payoff or 0) - (card.payoff or 0) > _POINT
    more = leader.mean_tricks - card.mean_tricks
    return (more if chances.declaring else -more) > _TRICK
