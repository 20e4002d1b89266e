"""A review that knows what each player knew: whether a card was wrong, or only turned out so.

Beside what a card cost with all hands open stands what it was worth on what its player knew. Who
did the best on that is never called wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from spadille.analysis.chances.card_chances import Sampling
from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.chances.sampling_plan import Drawing
from spadille.analysis.review.card_costs import Judged, LuckVerdict, ReviewedCard
from spadille.analysis.review.review import Review
from spadille.core.deal import Deal

_TRICK = 0.05
"""Cards that are alike in making the contract differ if their mean tricks are so far apart."""
_POINT = 0.5
"""And if their mean points are, where these are played for: a twentieth of a clean trick."""


def judged(
    found: Review, deal: Deal, calls: tuple[str, Sequence[str]] | None, drawing: Drawing
) -> Review:
    """Return a review whose steps tell what their cards were worth on what their players knew.

    `calls` are who called first in the auction, and the calls in turn. The `seconds` of the drawing
    are for the whole review. Forced cards stay as they are, and where several contractors play each
    for himself those of who is none: he is paid nothing whatever he plays. Raises DealError for a
    record that cannot have been.
    """
    for each in judging(found, deal, calls, drawing):
        found = each
    return found


def judging(
    found: Review, deal: Deal, calls: tuple[str, Sequence[str]] | None, drawing: Drawing
) -> Iterator[Review]:
    """Yield the same decision by decision, for who may be interrupted: see `judged`."""
    first, auction = calls or (None, ())
    steps = [*found.steps]
    asked_of = {*found.accounts} if found.several else {step.seat for step in found.steps}
    left = sum(step.choice and step.seat in asked_of for step in found.steps)
    until = perf_counter() + drawing.seconds
    cards = [step.card for step in found.steps]
    for number, step in enumerate(found.steps):
        if step.choice and step.seat in asked_of:
            # However late it is, something can be said of each card.
            seconds = drawing.seconds and max((until - perf_counter()) / left, 0.02)
            asked = Sampling(
                deal,
                found.contract_at(number),
                cards[:number],
                seat=step.seat,
                auction=auction,
                first=first,
                drawing=replace(drawing, seconds=seconds),
                double_dummy=False,
                payoffs=False,
            )
            left -= 1
            for _ in asked.steps():
                pass
            if asked.samples:
                steps[number] = replace(step, judged=_judged(asked.result(), step))
                yield replace(found, steps=tuple(steps))


def _judged(found: Chances, step: ReviewedCard) -> Judged:
    card = next(card for card in found.cards if card.card == step.card)
    worse = is_worse(found, step.card)
    cost = step[step.seat].cost if step.several else step.cost
    of_cost: tuple[LuckVerdict, LuckVerdict] = ("error", "unlucky") if cost else ("lucky", "fine")
    verdict = of_cost[not worse]
    made = {card.card: card.made for card in found.cards}
    return Judged(
        card.made, card.made_interval, card.rank, verdict, found.best.card, made, found.ended
    )


def is_worse(found: Chances, name: str) -> bool:
    """Whether a card was certainly not the best on what its player knew.

    It is where it brings him what he wants in fewer layouts, beyond what chance explains. Where all
    layouts were valued, and it brings him that equally often, it is where it takes him fewer
    tricks, or clean points in Nemo; of drawn ones an even count may be chance, and says nothing.
    """
    card = next(card for card in found.cards if card.card == name)
    if not found.exact:
        return bool(card.behind_interval and card.behind_interval[0] > 0)
    if card.behind > 0:
        return True
    best = found.best
    if card.mean_tricks is None or best.mean_tricks is None:
        return (best.payoff or 0) - (card.payoff or 0) > _POINT
    more = best.mean_tricks - card.mean_tricks
    return (more if found.declaring else -more) > _TRICK
