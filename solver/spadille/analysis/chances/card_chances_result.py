"""The result of `chances`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from spadille.analysis.chances.plans import Plan
from spadille.analysis.confidence_intervals import Interval
from spadille.analysis.display import Shown, spaced
from spadille.analysis.value.card_values import CardValues
from spadille.core.contract import Contract

Ended = Literal["samples", "seconds", "interrupted"]

POINT = 0.01
"""A card that owes this share of the layouts to a guess is marked."""


class Rounded(Shown):
    """A result whose figures have six decimals in JSON."""

    __slots__ = ()

    def json_value(self, name: str) -> Any:
        """Return the value of a name, before it is encoded."""
        return rounded(getattr(self, name))


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CardChance(Rounded):
    """The values of a card, on average over the layouts."""

    card: str
    equals: tuple[str, ...]
    """Cards of the hand that are worth the same in every layout."""
    made: float
    """In what share of the layouts the contract makes, 0 to 1."""
    made_interval: Interval | None
    """None where all layouts were valued."""
    payoff: float | None
    """The mean gain of the player; None where the optimum leaves it open."""
    payoff_interval: Interval | None
    mean_tricks: float | None
    """Of the declaring side in all; None where only the outcome is asked for."""
    best_share: float
    """In what share of the layouts no card is worth more."""
    behind: float
    """By what share of the layouts it is less often good for the player than the best card."""
    behind_interval: Interval | None
    """None for the best card, too."""
    rank: int
    """From 1 on; cards that nothing tells apart have the same. By `without_seeing` first, if that
    is exact for all cards."""
    without_seeing: float | None = None
    """The share of layouts in which the player succeeds with one plan that begins with the card,
    against any defence, 0 to 1; None where that is not proved."""
    without_seeing_bounds: Interval | None = None
    """Two shares between which it is proved to lie, where it is not exact."""
    no_guess: float | None = None
    """The share of sampled layouts in which he succeeds with his next choices, as many as
    `Chances.plans` says, made without seeing; no guarantee, and None where the layouts are few."""

    def __str__(self) -> str:
        return spaced(
            self.card,
            f"made in {100 * self.made:.1f} %",
            None if self.made_interval is None else _told(self.made_interval),
        )


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SurrenderChance(Rounded):
    """The value of surrendering, on average over the layouts."""

    payoff: float
    """The mean gain of the player."""
    payoff_interval: Interval | None
    """None where all layouts were valued."""
    taken_over: float
    """In what share of the layouts an opponent gains by taking over."""

    def __str__(self) -> str:
        return f"surrender {self.payoff:+.2f}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PlansBasis(Shown):
    """The basis of the figures without seeing."""

    layouts: int
    """The number of layouts searched."""
    exact: bool
    """Whether they are proved over all layouts, for every card."""
    tricks: int | None
    """So many choices of the player's own are made without seeing, and then he sees all hands; None
    if he never does."""
    why: str | None
    """Why the figures are not exact."""

    def __str__(self) -> str:
        return "exact" if self.exact else f"not exact: {self.why}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {
            "layouts": str(self.layouts),
            "exact": self.exact,
            "tricks": self.tricks,
            "why": self.why,
        }


class Guess(NamedTuple):
    """The knowledge with which a player would win more with a card."""

    card: str
    about: str
    """The unseen card whose holder he would have to know."""
    knowing: float
    """The share of the layouts he would win if he knew it."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class OnLayouts(Shown):
    """The knowledge of a seat, and the layouts the figures come from."""

    seat: str
    """The seat whose knowledge counts."""
    known: tuple[str, ...]
    """The facts the seat knows besides its own hand and the cards that were played."""
    layouts: int
    """How many different layouts fit all that is known."""
    samples: int
    """How many were valued: all of these, or so many that were drawn."""
    exact: bool
    """Whether all were."""
    acceptance: float
    """The share of the drawn layouts that fit."""
    seed: int
    gauge: float | None
    """What seeing all hands first would add on average: to how often a card does well, to what a
    contract pays; None where some payoff is."""
    settled: bool
    """Whether the best is apart from the others, or so close to them that it is all one."""
    ended: Ended | None
    """The limit that ended it; None if it was settled. After "seconds" the last look may still have
    settled it; after "seconds" and "interrupted" the next run may end elsewhere."""

    @property
    def extent(self) -> str:
        """In how many layouts, in words."""
        return f"all {self.samples}" if self.exact else f"{self.samples} of {self.layouts}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        fields = {name: getattr(self, name) for name in OnLayouts.__slots__}
        return fields | {
            "known": list(self.known),
            "layouts": str(self.layouts),
            "gauge": rounded(self.gauge),
        }


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Chances(OnLayouts):
    """All cards a player may play, on what he knows, by suit and from high to low."""

    contract: Contract
    after: int
    """Cards played so far."""
    trick: int
    """Number of the running trick, from 1."""
    leader: str
    table: tuple[str, ...]
    """Cards of the running trick, in order of play."""
    declaring: bool
    """Whether the seat belongs to the declaring side."""
    cards: tuple[CardChance, ...]
    surrender: SurrenderChance | None = None
    """The value of surrendering, where the player may and values count it."""
    double_dummy: CardValues | None = None
    """The double-dummy values of the cards, where all hands are known."""
    plans: PlansBasis | None = None
    """The basis of `without_seeing` of the cards."""
    guess: Guess | None = None
    """The knowledge that would help most with the card that owes most to a guess."""
    plan: Plan | None = None
    """The plan that was asked for."""
    plan_lines: tuple[str, ...] = ()
    """The same in words, or why there is none."""

    @property
    def best(self) -> CardChance:
        """The card that does best; this is certain only if it is `apart`."""
        return min(self.cards, key=lambda card: card.rank)

    @property
    def apart(self) -> bool:
        """Whether the best card, or what equals it, is certainly better than all others."""
        best = self.best
        rest = [card for card in self.cards if card.card not in (best.card, *best.equals)]
        if self.plans is not None and self.plans.exact:
            order = self.proved(best)
            return all(self.proved(card) < order for card in rest)
        if self.exact:
            return all(card.behind > 0 for card in rest)
        return all(card.behind_interval and card.behind_interval[0] > 0 for card in rest)

    def proved(self, card: CardChance) -> tuple[float, float]:
        """Order cards by their plans, then by their averages."""
        return (card.without_seeing or 0.0, self.seeing(card))

    def seeing(self, card: CardChance) -> float:
        """Return the share of layouts in which the seat succeeds, seeing all hands."""
        return card.made if self.declaring else 1 - card.made

    def owes(self, card: CardChance) -> bool:
        """Whether a point or more of the card's average is owed to a guess."""
        unseen = card.without_seeing
        return unseen is not None and self.seeing(card) - unseen >= POINT - 1e-9

    def __str__(self) -> str:
        heading = f"{self.contract}: trick {self.trick}, {self.seat} to play, {self.extent} layouts"
        return "\n".join([heading, *map(str, self.cards)])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them.

        Where the hands are known these are the fields of `CardValues`, too, but for `ms`: the same
        seed gives the same.
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


def _told(interval: Interval) -> str:
    """Return "[59, 67]", in percent."""
    return f"[{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"


def rounded(value: Any) -> Any:
    """Round figures as JSON has them."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, tuple):
        return [rounded(item) for item in value]
    return value
