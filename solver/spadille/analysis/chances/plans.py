"""Find a player's best plan without seeing the other hands, proved over all layouts.

A plan chooses a card for every course of play that its player can observe. All other players see
all hands: the opponents play to defeat the plan, and a partner plays to help it. A plan therefore
guarantees its result (the best-defense model of Frank and Basin, 1998). In the averages of
`chances`, by contrast, the player sees all hands after choosing a card. The search is in
csrc/plans.hpp.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from spadille.analysis.chances.encoded_decision import decision_of
from spadille.analysis.chances.sampling_settings import (
    DEFAULT_DRAWING,
    EXACT,
    Drawing,
    check_drawing,
    unranker,
    words_of,
)
from spadille.analysis.chances.value_meaning import Kind, Kinds, kinds_of
from spadille.analysis.result_text_forms import Shown, spaced
from spadille.base.argument_checks import check_type
from spadille.base.errors import ArgumentError, TooHardError
from spadille.base.json_fields import rounded
from spadille.base.words_for_messages import seat_label
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.conditioned_layouts import FittingLayouts
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.core.recorded_auction import Auction
from spadille.search.encoding import Situation
from spadille.search.engine import DEFAULT_MEMORY, Objective, PlanSolver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits

MOST_LAYOUTS = 1_000_000
"""The maximum number of layouts; beyond it, a plan search takes minutes and gigabytes of memory."""

_MOST_STEPS = 100_000


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PlanStep(Shown):
    """One choice in a plan: the card to play once the others have played certain cards."""

    parent: int | None
    """The index of the previous step; None for the first."""
    seen: tuple[str, ...]
    """The cards the others have played since the previous step, in order of play."""
    card: str
    share: float
    """The share of all layouts in which this step is reached and the plan succeeds, 0 to 1."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {
            "parent": self.parent,
            "seen": list(self.seen),
            "card": self.card,
            "share": rounded(self.share),
        }

    def __str__(self) -> str:
        return spaced("after", *self.seen, f"play {self.card}") if self.seen else self.card


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Plan(Shown):
    """The best plan that begins with a certain card."""

    contract: Contract
    seat: str
    """The player who makes the plan and cannot see the other hands."""
    after: int
    """The number of cards played before the plan begins."""
    card: str
    layouts: int
    """The number of different layouts."""
    declaring: bool
    """Whether `seat` wants the contract to make (as a member of the declaring side) or to fail."""
    seeing: float
    """The share of layouts, 0 to 1, in which `seat` succeeds if it sees all hands after the card.
    """
    without_seeing: float
    """The share of layouts in which the plan succeeds against any defense."""
    proved: bool
    """Whether it is proved that no plan beginning with the card succeeds in more layouts."""
    steps: tuple[PlanStep, ...]
    """The choices of the plan; each comes after its parent. After a step without successors, any
    card will do."""
    whole: bool
    """False if the plan has more than 100,000 steps and some were left out."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {
            "card": self.card,
            "layouts": str(self.layouts),
            "seeing": rounded(self.seeing),
            "without_seeing": rounded(self.without_seeing),
            "proved": self.proved,
            "whole": self.whole,
            "steps": [step.to_dict() for step in self.steps],
        }

    def __str__(self) -> str:
        aim = "made" if self.declaring else "defeated"
        return (
            f"{self.contract}: {self.seat} plays {self.card}, {aim} in {100 * self.seeing:.1f}% "
            f"with all hands seen, {100 * self.without_seeing:.1f}% without seeing them"
        )


def plan(
    deal: Deal,
    contract: Contract | str,
    play: str | Iterable[str] = (),
    *,
    card: str | None = None,
    seat: str | None = None,
    auction: Auction | str | Iterable[str] = (),
    drawing: Drawing = DEFAULT_DRAWING,
    memory: int = DEFAULT_MEMORY,
) -> Plan:
    """Return the best plan for the player to move, who sees only their own hand and `play`.

    The plan begins with `card`, or with the best first card if none is given. Only the player's
    hand needs to be known. `drawing` sets the assumptions about the other hands, the time limit and
    the number of threads. Raises TooHardError for more than 1,000,000 layouts or if time runs out,
    ArgumentError for an illegal card, DealError for an impossible record, and the errors of
    `chances`.
    """
    check_drawing(drawing)
    if card is not None:
        check_type(card, str, "a card must be text such as 'D9'")
    known = know(deal, contract, seat, play, auction=auction, assumptions=drawing)
    search = PlanSearch(known, memory)
    cards = search.values(seconds=drawing.seconds, threads=drawing.threads)
    by_name = {name: value for value in cards for name in (value.card, *value.equals)}
    if card is not None and card not in by_name:
        raise ArgumentError(
            f"{seat_label(known.seat)} may not play {card!r}; legal cards: {' '.join(by_name)}"
        )
    best = by_name[card] if card else max(cards, key=lambda value: (value.least, value.open))
    if not best.proved:
        why = "memory" if search.short_of_memory else "time"
        raise TooHardError(f"{why} ran out before the plan was proved", "interrupted")
    return search.plan(best, card or best.card, drawing.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanValue:
    """A card's value: the total weight of the layouts in which the player succeeds."""

    card: str
    equals: tuple[str, ...]
    open: int
    """The total weight of the layouts in which the player succeeds if all hands are shown after the
    card."""
    least: int
    """The total weight of the layouts in which the best plan found succeeds."""
    most: int
    """An upper bound on the weight that any plan can win."""

    @property
    def proved(self) -> bool:
        """Whether the best plan has been proved optimal."""
        return self.least == self.most


class PlanSearch:
    """Searches for the player's best plans; raises TooHardError if there are too many layouts."""

    def __init__(
        self,
        known: Knowledge,
        memory: int = DEFAULT_MEMORY,
        ranks: Sequence[int] | None = None,
        *,
        drawn: bool = False,
    ) -> None:
        """Prepare the search; with `drawn`, ranks come from a sample and have equal weights."""
        known.check_to_play()
        if ranks is None:
            if too_many := why_not(known):
                raise TooHardError(too_many, "layouts-too-many")
            ranks = known.fitting.ranks
        self.known = known
        self._at = at = decision_of(known)
        kinds = kinds_of(known, at, Search(None, Limits()), forced=False)
        self._declaring = kinds.kinds[0].with_declarer
        hands, weights = _weighed(known, at, ranks, drawn)
        self.weight = sum(weights)
        self.short_of_memory = False
        self.layouts = len(weights)
        numbers = _numbers(kinds, at, hands, memory)
        self._solver = PlanSolver(
            at.problem, list(map(_aim, kinds.kinds)), hands, weights, numbers, memory=memory
        )

    def values(
        self, *, blind: int = 0, seconds: float = 0, threads: int = 1, work: int = 0
    ) -> list[PlanValue]:
        """Return a value for each group of equivalent cards.

        The player sees all hands after making `blind` choices, including this one; 0 means never.
        If `seconds` run out, or a card uses up its `work` (see PlanSolver), the best values found
        so far are returned.
        """
        _, stopped = self._solver.values(blind=blind, threads=threads, seconds=seconds, work=work)
        self.short_of_memory = stopped == "memory"
        return self.valued

    @property
    def valued(self) -> list[PlanValue]:
        """Return the values found so far; this also works after an interruption."""
        names, total = self._at.encoding.names, self.weight
        return [
            PlanValue(
                card=names[card],
                equals=tuple(
                    name
                    for number, name in names.items()
                    if equals >> number & 1 and number != card
                ),
                open=total if all_seen is None else all_seen,
                least=least or 0,
                most=total if most is None else most,
            )
            for card, equals, all_seen, least, most in self._solver.valued
        ]

    def plan(self, value: PlanValue, card: str, seconds: float = 0) -> Plan:
        """Return the best plan that `values` found for a card with `blind` 0."""
        code, total = self._at.encoding, self.weight
        plan = self._solver.plan(code.numbers[value.card], most=_MOST_STEPS, seconds=seconds)
        if plan is None:
            raise TooHardError("time ran out before the plan was complete", "interrupted")
        steps, whole = plan
        return Plan(
            contract=self.known.contract,
            seat=self.known.seat,
            after=len(self.known.played),
            card=card,
            layouts=self.known.fitting.distinct,
            declaring=self._declaring,
            seeing=value.open / total,
            without_seeing=value.least / total,
            proved=value.proved,
            steps=tuple(
                PlanStep(
                    parent=None if parent < 0 else parent,
                    seen=tuple(code.names[number] for number in seen),
                    card=code.names[own] if parent >= 0 else card,
                    share=weight / total,
                )
                for parent, seen, own, weight in steps
            ),
            whole=whole,
        )


def why_not(known: Knowledge) -> str | None:
    """Return the reason why no plan over all layouts can be searched for; None if one can."""
    if known.only_drawn:
        return "layouts are drawn at random, since a bidder exchanged cards"
    fitting = known.fitting
    most = EXACT if known.where else MOST_LAYOUTS
    if fitting.count <= most:
        return None
    return f"{fitting.count:,} layouts are too many for a plan; the limit is {most:,}"


def _weighed(
    known: Knowledge, at: Situation, ranks: Sequence[int], drawn: bool
) -> tuple[memoryview[int], list[int]]:
    """Return all layouts as the players' hands, and the weight of each layout.

    The ranks of equal layouts are consecutive, so equal layouts are merged.
    """
    hands = unranker(known, at).hands(words_of(ranks))
    players = at.problem.players
    fitting = known.fitting
    weighs = fitting.weights if isinstance(fitting, FittingLayouts) and not drawn else None
    if known.layouts.distinct == known.layouts.count or len(ranks) < fitting.count:
        if weighs is None:
            return hands, [1] * (len(hands) // players)
        return hands, [weighs[rank] for rank in ranks]
    single = array("Q")
    weights: list[int] = []
    before: Sequence[int] = ()
    for rank, start in zip(ranks, range(0, len(hands), players), strict=True):
        weight = 1 if weighs is None else weighs[rank]
        layout = hands[start : start + players].tolist()
        if layout == before:
            weights[-1] += weight
            continue
        single.extend(layout)
        weights.append(weight)
        before = layout
    return memoryview(single), weights


def _numbers(kinds: Kinds, at: Situation, hands: memoryview[int], memory: int) -> bytes:
    if len(kinds.kinds) == 1:
        return bytes(len(hands) // at.problem.players)
    solver = kinds.solver(kinds.kinds, at, memory, cards=False)
    return solver.questions(hands)


def _aim(kind: Kind) -> tuple[Objective, int, int, bool]:
    """Return the player's aim: to reach a minimum value, or to prevent it."""
    made = [value for value, meaning in kind.meanings.items() if meaning.made]
    need = min(made, default=max(kind.meanings) + 1)
    return kind.objective, kind.state, need, kind.with_declarer
