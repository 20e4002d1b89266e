"""The best a player can do without seeing the other hands: plans proved over all layouts.

A plan chooses a card for every course of play as its player sees it. All others see all hands, his
partner too: opponents play against the plan, a partner for it. So a plan wins a
guarantee (the best-defence model of Frank and Basin, 1998), while the averages of `chances` let the
player see all hands from the next card on. The search is in csrc/plans.hpp.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from spadille.analysis.chances.decision import decision_of
from spadille.analysis.chances.sampling_plan import (
    DEFAULT_DRAWING,
    EXACT,
    Drawing,
    check_drawing,
    unranker,
    words_of,
)
from spadille.analysis.chances.value_meaning import Kind, Kinds, kinds_of
from spadille.analysis.display import Shown, spaced
from spadille.base.errors import ArgumentError, check_type
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.conditioned_layouts import Fitting
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.core.recorded_auction import Auction
from spadille.search.encoding import Situation
from spadille.search.engine import DEFAULT_MEMORY, Objective, PlanSolver
from spadille.search.limits import Limits, TooHardError
from spadille.search.question import Search

MOST_LAYOUTS = 40_000
"""Plans over more layouts are not searched for: they take minutes, and gigabytes of memory."""

_MOST_STEPS = 100_000


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PlanStep(Shown):
    """A choice of a plan: the card that is played once the others have played certain cards."""

    parent: int | None
    """The number of the step before; None for the first."""
    seen: tuple[str, ...]
    """The cards of the others since then, in order of play."""
    card: str
    share: float
    """The share of all layouts that come here and are won, 0 to 1."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {
            "parent": self.parent,
            "seen": list(self.seen),
            "card": self.card,
            "share": round(self.share, 6),
        }

    def __str__(self) -> str:
        return spaced("after", *self.seen, f"play {self.card}") if self.seen else self.card


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Plan(Shown):
    """A plan that begins with a card and wins as many layouts as any such plan can."""

    contract: Contract
    seat: str
    """The player who does not see the other hands."""
    after: int
    """The number of cards played before."""
    card: str
    layouts: int
    """The number of layouts, each counted as often as it weighs."""
    declaring: bool
    """Whether `seat` wants the contract made, as one of the declaring side, or else defeated."""
    seeing: float
    """The share of layouts in which `seat` succeeds after the card with all hands seen, 0 to 1."""
    without_seeing: float
    """The share of layouts in which the plan succeeds, whatever the opponents of `seat` do."""
    proved: bool
    """Whether no plan that begins with the card succeeds in more layouts."""
    steps: tuple[PlanStep, ...]
    """The choices of the plan, a step after its parent; where none follows, any card will do."""
    whole: bool
    """False if the plan has more than 100,000 steps: the others are left out."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {
            "card": self.card,
            "layouts": str(self.layouts),
            "seeing": round(self.seeing, 6),
            "without_seeing": round(self.without_seeing, 6),
            "proved": self.proved,
            "whole": self.whole,
            "steps": [step.to_dict() for step in self.steps],
        }

    def __str__(self) -> str:
        aim = "made" if self.declaring else "defeated"
        return (
            f"{self.contract}: {self.seat} plays {self.card}, {aim} in {100 * self.seeing:.1f} % "
            f"with all hands seen, {100 * self.without_seeing:.1f} % without seeing"
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
    """Return the best plan of the player to move, who sees his own hand and the cards of `play`.

    `card` is the first card of the plan; without it the best one is found. Of the deal only the
    player's hand need be known. `drawing` says what is assumed about the other hands, how long the
    search may take and with how many threads. Raises TooHardError if there are more than 40,000
    layouts or time is over, ArgumentError for a card that may not be played, DealError for a record
    that is impossible, and what `chances` raises.
    """
    check_drawing(drawing)
    if card is not None:
        check_type(card, str, "a card is text as in 'D9'")
    known = know(deal, contract, seat, play, auction=auction, assumptions=drawing)
    search = PlanSearch(known, memory)
    cards = search.values(seconds=drawing.seconds, threads=drawing.threads)
    by_name = {name: value for value in cards for name in (value.card, *value.equals)}
    if card is not None and card not in by_name:
        raise ArgumentError(f"{known.seat} may not play {card!r}: {' '.join(by_name)}")
    best = by_name[card] if card else max(cards, key=lambda value: (value.least, value.open))
    if not best.proved:
        raise TooHardError("time ran out before the plan was proved", "interrupted")
    return search.plan(best, card or best.card, drawing.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanValue:
    """The value of a card, as weights of the layouts in which the player reaches his aim."""

    card: str
    equals: tuple[str, ...]
    open: int
    """With all hands seen after it."""
    least: int
    """By the best plan found."""
    most: int
    """No plan wins more."""

    @property
    def proved(self) -> bool:
        """Whether the best plan was found."""
        return self.least == self.most


class PlanSearch:
    """The plans of the player to move, over all layouts or some; TooHardError if too many."""

    def __init__(
        self,
        known: Knowledge,
        memory: int = DEFAULT_MEMORY,
        ranks: Sequence[int] | None = None,
    ) -> None:
        if known.seat != known.to_play:
            raise ArgumentError(f"{known.to_play} is to play, not {known.seat}")
        if ranks is None:
            if too_many := why_not(known):
                raise TooHardError(too_many, "layouts-too-many")
            ranks = known.fitting.ranks
        self.known = known
        self._at = at = decision_of(known)
        kinds = kinds_of(known, at, Search(None, Limits()))
        self._declaring = kinds.kinds[0].with_declarer
        hands, weights = _weighed(known, at, ranks)
        self.weight = sum(weights)
        numbers = _numbers(kinds, at, hands, memory)
        self._solver = PlanSolver(
            at.problem, list(map(_aim, kinds.kinds)), hands, weights, numbers, memory=memory
        )

    def values(
        self, *, blind: int = 0, seconds: float = 0, threads: int = 1, work: int = 0
    ) -> list[PlanValue]:
        """Return the value of each card, equal ones together.

        After `blind` choices of his own, this one included, the player sees all hands; 0: never.
        After `seconds`, or `work` on a card (see PlanSolver), the values are those found so far.
        """
        self._solver.values(blind=blind, threads=threads, seconds=seconds, work=work)
        return self.valued

    @property
    def valued(self) -> list[PlanValue]:
        """The values found so far, of a search that was interrupted, too."""
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
            for card, equals, all_seen, least, most, _ in self._solver.valued
        ]

    def plan(self, value: PlanValue, card: str, seconds: float = 0) -> Plan:
        """Return the best plan found for a card by `values` with `blind` 0."""
        code, total = self._at.encoding, self.weight
        found = self._solver.plan(code.numbers[value.card], most=_MOST_STEPS, seconds=seconds)
        if found is None:
            raise TooHardError("time ran out before the plan was complete", "interrupted")
        steps, whole = found
        return Plan(
            contract=self.known.contract,
            seat=self.known.seat,
            after=len(self.known.played),
            card=card,
            layouts=self.known.fitting.count,
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
    """Return why plans are not searched for over all layouts, None if they can be."""
    fitting = known.fitting
    most = EXACT if isinstance(fitting, Fitting) else MOST_LAYOUTS
    if fitting.count <= most:
        return None
    return f"{fitting.count} layouts are too many for a plan: {most} at most"


def _weighed(
    known: Knowledge, at: Situation, ranks: Sequence[int]
) -> tuple[memoryview[int], list[int]]:
    """Return the hands of each layout, one for each player, and how often each layout counts.

    Ranks of the same layout follow each other.
    """
    hands = unranker(known, at).hands(words_of(ranks))
    players = at.problem.players
    if known.layouts.distinct == known.layouts.count or len(ranks) < known.fitting.count:
        return hands, [1] * (len(hands) // players)
    single = array("Q")
    weights: list[int] = []
    before: Sequence[int] = ()
    for start in range(0, len(hands), players):
        layout = hands[start : start + players].tolist()
        if layout == before:
            weights[-1] += 1
            continue
        single.extend(layout)
        weights.append(1)
        before = layout
    return memoryview(single), weights


def _numbers(kinds: Kinds, at: Situation, hands: memoryview[int], memory: int) -> bytes:
    """Return the number of the kind of each layout."""
    if len(kinds.kinds) == 1:
        return bytes(len(hands) // at.problem.players)
    solver = kinds.solver(kinds.kinds, at, memory, cards=False)
    return bytes(memoryview(solver.values(hands)).cast("h").tolist()[:: solver.width])


def _aim(kind: Kind) -> tuple[Objective, int, int, bool]:
    """Return what the player wants: a made contract is one of at least a certain value."""
    made = [value for value, meaning in kind.meanings.items() if meaning.made]
    need = min(made, default=max(kind.meanings) + 1)
    return kind.objective, kind.state, need, kind.with_declarer
