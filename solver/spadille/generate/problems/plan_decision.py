"""Decisions based on what the player knows, with a proof or a settled estimate of the best card.

In a plan problem, some card is at least as good as the key if all hands are shown, but worse if
they are hidden; see `spadille.plan`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import POINT, Chances
from spadille.analysis.chances.card_values_by_plan import MOST_TRICKS
from spadille.analysis.chances.plan_words import sentence_of
from spadille.analysis.chances.plans import PlanSearch, PlanValue
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.words_for_messages import listed
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import BeliefKind, Knowledge, know
from spadille.core.recorded_auction import Auction

PLAN = "plan"
"""The theme name for these problems."""
PLAN_TRICKS = 4
"""The maximum number of tricks left when looking for plans."""
MOST_LAYOUTS = 2_000
"""The maximum number of layouts; it is small because the plans of all cards must be proved."""
_WORK = 20_000_000
_MEMORY = 1 << 22  # bytes
_SETTLED = Drawing(samples=512, seconds=0)


@dataclass(frozen=True, slots=True)
class PlanDecision:
    """A decision with one best card while hands are hidden, but not double-dummy."""

    known: Knowledge
    key: PlanValue
    favorite: PlanValue
    search: PlanSearch

    @property
    def solution(self) -> str:
        """Describe the values of the key and the favorite, and the plan."""
        key, other, total = self.key, self.favorite, self.search.weight
        best = listed([key.card, *key.equals], "or")
        plan = sentence_of(self.search.plan(key, key.card), self.known)
        return (
            f"Solution: {best}. One plan wins {_percent(key.least, total)} of the {total:,} "
            f"layouts without seeing the other hands. {other.card} would win "
            f"{_percent(other.open, total)} with all hands seen, but no plan wins "
            f"more than {_percent(other.most, total)}. "
            f"Plan: {plan}"
        )


def _percent(weight: int, total: int) -> str:
    return f"{100 * weight / total:.3g}%"


def plan_decision(deal: Deal, contract: Contract, play: tuple[str, ...]) -> PlanDecision | None:
    """Return the plan problem after `play`, or None; raises the errors of `know`."""
    known = know(deal, contract, None, play)
    if known.where or not 1 < known.layouts.count <= MOST_LAYOUTS:
        return None
    search = PlanSearch(known, _MEMORY)
    values = search.values(work=_WORK)
    if len(values) < 2 or not all(value.proved for value in values):
        return None
    best = max(values, key=lambda value: value.least)
    others = [value for value in values if value is not best]
    if best.least - max(value.least for value in others) < POINT * search.weight:
        return None
    favorite = max(others, key=lambda value: value.open)
    return PlanDecision(known, best, favorite, search) if favorite.open >= best.open else None


def reasoned(
    deal: Deal, contract: Contract, play: tuple[str, ...], key: str, calls: tuple[str, ...] = ()
) -> bool:
    """Return whether a card is best from its player's view, whether or not the bids are believed.

    If there are few layouts, the plans must prove that, while the other hands are hidden, no other
    card wins in as many layouts. If there are many layouts, the averages over a sample must show
    that the card is the best.
    """
    beliefs: tuple[BeliefKind, ...] = ("none", "duties") if calls else ("none",)
    return all(
        _best(
            know(
                deal,
                contract,
                None,
                play,
                auction=Auction(calls),
                assumptions=replace(_SETTLED, belief=belief),
            ),
            key,
        )
        for belief in beliefs
    )


def _best(known: Knowledge, key: str) -> bool:
    if known.deal.rules.contract(known.contract.ids[0]).aim == "nemo":
        return False  # the question is about points, which plans do not count
    if known.layouts.count <= MOST_LAYOUTS:
        search = PlanSearch(known, _MEMORY)
        values = search.values(work=_WORK)
        mine = next(value for value in values if key in (value.card, *value.equals))
        others = [value for value in values if value is not mine]
        return mine.proved and all(value.most < mine.least for value in others)
    if len(known.own) > MOST_TRICKS:
        return False
    chances: Chances = Sampling(
        CardStrategy(known, _SETTLED, double_dummy=False, payoffs=False, memory=_MEMORY)
    ).run()
    best = chances.best
    return chances.apart and key in (best.card, *best.equals)
