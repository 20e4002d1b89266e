"""The result of `chances`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from spadille.analysis.chances.belief import NOTHING_BELIEVED, BidBelief
from spadille.analysis.chances.plans import Plan
from spadille.analysis.chances.sampling_settings import RankedBy
from spadille.analysis.confidence_intervals import Interval
from spadille.analysis.result_text_forms import Shown, spaced
from spadille.analysis.value.card_values import CardValues
from spadille.base.json_fields import rounded
from spadille.core.contract import Contract

Ended = Literal["samples", "seconds", "interrupted"]

POINT = 0.01
"""A card is marked if a correct guess matters in at least this share of the layouts."""


class Rounded(Shown):
    """A result whose figures are rounded to six decimals in JSON."""

    __slots__ = ()

    def json_value(self, name: str) -> Any:
        """Return the value of a field for the JSON output, rounded."""
        return rounded(getattr(self, name))


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CardChance(Rounded):
    """A card's values, averaged over the layouts."""

    card: str
    equals: tuple[str, ...]
    """Cards of the hand that are worth the same as this card in every layout."""
    made: float
    """The share of the layouts in which the contract makes, 0 to 1."""
    made_interval: Interval | None
    """The 95% confidence interval for `made`; None if all layouts were valued."""
    payoff: float | None
    """The player's mean gain; None if best play can end with different payoffs."""
    payoff_interval: Interval | None
    mean_tricks: float | None
    """The mean number of tricks of the declaring side in total; None if only success or failure was
    evaluated."""
    best_share: float
    """The share of the layouts in which no other card is worth more."""
    behind: float
    """The success rate of the best card minus this card's success rate. If cards are ranked by
    payoff, the difference between their average payoffs."""
    behind_interval: Interval | None
    """The 95% confidence interval for `behind`; None for the best card or if all layouts were
    valued."""
    rank: int
    """The rank, from 1; cards that cannot be told apart share a rank. If `without_seeing` proves
    which card is best, cards are ranked by it first, except if they are ranked by payoff."""
    without_seeing: float | None = None
    """The share of layouts, 0 to 1, in which the best single plan that begins with the card
    succeeds against any defense; None if not proved."""
    without_seeing_bounds: Interval | None = None
    """Proved lower and upper bounds on `without_seeing` if it is not exact."""
    no_guess: float | None = None
    """The share of sampled layouts in which the player succeeds without seeing the other hands
    during the next choices; `Chances.plans.tricks` is the number of these choices. The share is not
    guaranteed. None if all layouts were searched."""

    @property
    def plan_range(self) -> Interval:
        """The proved lower and upper bounds on `without_seeing`, equal if it is exact."""
        if self.without_seeing is not None:
            return self.without_seeing, self.without_seeing
        return self.without_seeing_bounds or (0.0, 1.0)

    def __str__(self) -> str:
        return spaced(
            self.card,
            f"made in {100 * self.made:.1f}%",
            None if self.made_interval is None else _interval_text(self.made_interval),
        )


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SurrenderChance(Rounded):
    """The value of surrendering, averaged over the layouts."""

    payoff: float
    """The player's mean gain."""
    payoff_interval: Interval | None
    """The 95% confidence interval for `payoff`; None if all layouts were valued."""
    taken_over: float
    """The share of the layouts in which an opponent gains by taking over the contract."""

    def __str__(self) -> str:
        return f"surrender {self.payoff:+.2f}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PlansBasis(Shown):
    """The basis of the `without_seeing` values: the layouts searched and the method."""

    layouts: int
    """The number of layouts searched."""
    exact: bool
    """Whether every card's value is proved for all layouts."""
    decided: bool
    """Whether it is proved that no card succeeds more often than the first-ranked one. Some values
    may still be known only as bounds."""
    tricks: int | None
    """The number of choices the player makes before all hands are shown; None if they are never
    shown."""
    why: str | None
    """The reason why the values are not exact."""

    def __str__(self) -> str:
        return "exact" if self.exact else f"not exact: {self.why}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {
            "layouts": str(self.layouts),
            "exact": self.exact,
            "decided": self.decided,
            "tricks": self.tricks,
            "why": self.why,
        }


class Guess(NamedTuple):
    """The unseen card whose holder the player would most like to know."""

    card: str
    about: str
    """The unseen card."""
    knowing: float
    """The share of the layouts in which a player who knows the holder of `about` could succeed."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class OnLayouts(Shown):
    """A seat's knowledge, and the layouts from which the values were computed."""

    seat: str
    """The seat whose knowledge is used."""
    known: tuple[str, ...]
    """The facts the seat knows besides its own hand and the cards played."""
    layouts: int
    """The number of different layouts that fit everything the seat knows."""
    samples: int
    """The number of layouts valued: all of them, or a sample."""
    exact: bool
    """Whether all layouts that fit were valued."""
    belief: BidBelief = NOTHING_BELIEVED
    """The calls that were taken into account, and their effect."""
    acceptance: float
    """The share of the drawn layouts that fit the seat's knowledge."""
    seed: int
    ranked_by: RankedBy = "made"
    """The figure used for ranking, by default "made" for cards and "payoff" for contracts; always
    "made" for cards whose payoffs are unknown."""
    gauge: float | None
    """The average gain if the player saw all hands before choosing, in units of `ranked_by`; None
    if it depends on an unknown payoff."""
    settled: bool
    """Whether the sample settles the choice: the best card is clearly ahead of the others, or the
    difference is too small to matter."""
    ended: Ended | None
    """The limit that ended the sampling; None if the answer was settled."""
    repeatable: bool = True
    """Whether the same seed gives the same figures again. True unless the time limit or an
    interruption ended some of the work early."""

    @property
    def extent(self) -> str:
        """The number of layouts valued, in words."""
        of = "draws from" if self.samples > self.layouts else "of"
        return f"all {self.samples}" if self.exact else f"{self.samples} {of} {self.layouts}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        fields = {name: getattr(self, name) for name in OnLayouts.__slots__}
        return fields | {
            "known": list(self.known),
            "belief": self.belief.to_dict(),
            "layouts": str(self.layouts),
            "gauge": rounded(self.gauge),
        }


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Chances(OnLayouts):
    """All cards a player may play, by suit from high to low, valued given what the player knows."""

    contract: Contract
    after: int
    """Cards played so far."""
    trick: int
    """Number of the current trick, from 1."""
    leader: str
    table: tuple[str, ...]
    """Cards of the current trick, in order of play."""
    declaring: bool
    """Whether the seat belongs to the declaring side."""
    cards: tuple[CardChance, ...]
    surrender: SurrenderChance | None = None
    """The value of surrendering, if the player may surrender and values include this option."""
    double_dummy: CardValues | None = None
    """The double-dummy values of the cards, if all hands are known and time did not run out."""
    plans: PlansBasis | None = None
    """The method that found the cards' `without_seeing` values."""
    guess: Guess | None = None
    """The unseen card whose holder the player would most like to know; None if no guess matters."""
    plan: Plan | None = None
    """The plan, if one was requested."""
    plan_lines: tuple[str, ...] = ()
    """The plan in words, or the reason why there is none."""

    @property
    def best(self) -> CardChance:
        """The card that does best in these layouts; if `apart` is true, it is certainly best."""
        return min(self.cards, key=lambda card: card.rank)

    @property
    def apart(self) -> bool:
        """Whether the best card is certainly better than every card that is not equal to it."""
        best = self.best
        rest = [card for card in self.cards if card.card not in (best.card, *best.equals)]
        if self.by_plan:
            least = best.plan_range[0], self.seeing(best)
            return all((card.plan_range[1], self.seeing(card)) < least for card in rest)
        if self.exact:
            return all(card.behind > 0 for card in rest)
        return all(card.behind_interval and card.behind_interval[0] > 0 for card in rest)

    @property
    def by_plan(self) -> bool:
        """Whether cards are ranked by their proved plans before anything else."""
        return self.ranked_by == "made" and self.plans is not None and self.plans.decided

    def seeing(self, card: CardChance) -> float:
        """Return the share of layouts in which the seat succeeds if it sees all hands."""
        return card.made if self.declaring else 1 - card.made

    def owes(self, card: CardChance) -> bool:
        """Whether a correct guess matters in at least one percent of the layouts."""
        unseen = card.without_seeing
        return unseen is not None and self.seeing(card) - unseen >= POINT - 1e-9

    def __str__(self) -> str:
        heading = f"{self.contract}: trick {self.trick}, {self.seat} to play, {self.extent} layouts"
        return "\n".join([heading, *map(str, self.cards)])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON.

        If all hands are known, the fields of `CardValues` are added, except `ms`, which differs
        from run to run.
        """
        values: Mapping[str, Any] = {}
        if self.double_dummy is not None:
            fields = self.double_dummy.to_dict()
            del fields["ms"]
            values = {card["card"]: card for card in fields["cards"]}
        else:
            fields = self.contract.to_dict() | {
                "after": self.after,
                "trick": self.trick,
                "leader": self.leader,
                "table": list(self.table),
                "player": self.seat,
            }
        return {
            **fields,
            **OnLayouts.to_dict(self),
            "surrender": self.surrender and self.surrender.to_dict(),
            "plans": self.plans and self.plans.to_dict(),
            **({} if self.plan is None else {"plan": self.plan.to_dict()}),
            "cards": [
                {"card": card.card, **values.get(card.card, {}), **card.to_dict()}
                for card in self.cards
            ],
        }


def _interval_text(interval: Interval) -> str:
    """Return an interval in percent, such as "[59, 67]"."""
    return f"[{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"
