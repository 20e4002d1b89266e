"""The result of `best_chances`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from spadille.analysis.chances.card_chances_result import OnLayouts
from spadille.analysis.confidence_intervals import Interval
from spadille.analysis.contracts.best_result import Offer
from spadille.analysis.result_text_forms import Shown, spaced
from spadille.base.json_fields import rounded


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class OfferChance(Shown):
    """A contract's values, averaged over the layouts."""

    declarer: str
    contract: str
    trump: str | None
    """The trump; None if the declarer names it with the first card, or a turned-up card sets it."""
    called: str | None
    partner: str | None
    """The partner, if two players bid the contract together; None if a card is called, because its
    holder is unknown."""
    penalty: str | None
    discard: tuple[str, ...]
    """The cards the seat discards before drawing as many new ones."""
    by_trump: Mapping[str | None, tuple[str, ...]] | None
    """The discards for each trump that may be turned up."""
    rule: str | None
    """The rule for discarding if the player draws first (see `exchange.RULES`)."""
    from_hand: bool
    """Whether the seat gives up its right to exchange in return for a higher payoff."""
    bid: str | None
    height: int
    samples: int
    """The number of layouts in which the contract was valued; smaller if the contract was dropped
    as certainly worse."""
    made: float
    """The share of the layouts in which the contract makes, 0 to 1."""
    made_interval: Interval | None
    """The 95% confidence interval for `made`; None if all layouts were valued."""
    payoff: float | None
    """The seat's mean gain; None if best play can end with different payoffs."""
    bounds: tuple[float, float] | None
    """Bounds on the mean gain if it is not known exactly; None if they are unknown too."""
    payoff_interval: Interval | None
    mean_tricks: float | None
    """The mean number of tricks of the declaring side; None if only success or failure was
    evaluated."""
    best_share: float | None
    """The share of the layouts in which no other offer pays more; None if some payoff is unknown.
    """
    behind: float | None
    """The difference between the mean payoffs of this offer and the best one; None if either is
    unknown. If offers are ranked by how often they make, the difference between the success
    rates."""
    behind_interval: Interval | None
    """The 95% confidence interval for `behind`; None for the best offer or if all layouts were
    valued."""
    rank: int
    """The rank, from 1; offers that cannot be told apart share a rank."""

    def __str__(self) -> str:
        choice = self.called or self.partner or self.penalty
        contract = spaced(self.declarer, self.contract, self.trump or "open", choice)
        how = " from the hand" if self.from_hand else ""
        if self.discard:
            how = f" without {' '.join(self.discard)}"
        pays = "" if self.payoff is None else f", {self.payoff:+.2f}"
        if self.bounds is not None:
            pays = f", {self.bounds[0]:+.2f}..{self.bounds[1]:+.2f}"
        return f"{contract}{how}: made in {100 * self.made:.1f}%{pays}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON; fields that need all hands are null."""
        fields = Offer(declarer=self.declarer, contract=self.contract, trump=self.trump).to_dict()
        figures = {name: getattr(self, name) for name in self.__slots__}
        if self.by_trump is not None:
            figures["by_trump"] = {trump: list(cards) for trump, cards in self.by_trump.items()}
        return fields | {name: rounded(value) for name, value in figures.items()}


class TriedChoices(NamedTuple):
    """The numbers of called cards or exchanges that were tried and kept."""

    choices: int
    kept: int
    samples: int
    """The number of layouts used to compare the choices; the values come from other layouts."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BestChances(OnLayouts):
    """The contracts a seat could choose given what it knows, best first."""

    left_out: Mapping[str, str]
    """Contracts the seat might choose that were not valued, each with the reason."""
    tried: TriedChoices | None
    """The numbers of called cards or exchanges tried and kept; None if there was nothing to
    choose."""
    assumed: tuple[str, ...]
    """The assumptions about exchanges, in sentences."""
    offers: tuple[OfferChance, ...]

    @property
    def best(self) -> OfferChance:
        """The offer that pays most on average, or makes most often (see `ranked_by`)."""
        return self.offers[0]

    def __str__(self) -> str:
        return "\n".join([f"{self.seat}: {self.extent} layouts", *map(str, self.offers)])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {
            "seats": {self.seat: [offer.to_dict() for offer in self.offers]},
            "ranking": [],
            "highest": None,
            "opponents_exchange": None,
            **OnLayouts.to_dict(self),
            "left_out": dict(self.left_out),
            "tried": None if self.tried is None else self.tried._asdict(),
            "assumed": list(self.assumed),
        }
