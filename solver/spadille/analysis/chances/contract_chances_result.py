"""The result of `best_chances`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from spadille.analysis.chances.card_chances_result import OnLayouts, rounded
from spadille.analysis.confidence_intervals import Interval
from spadille.analysis.contracts.best_result import Offer
from spadille.analysis.display import Shown, spaced


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class OfferChance(Shown):
    """The values of a contract, on average over the layouts."""

    declarer: str
    contract: str
    trump: str | None
    """None = open: the declarer names it with his first card, or a card is turned up."""
    called: str | None
    partner: str | None
    """Of two partners; who holds a called card is not known."""
    penalty: str | None
    discard: tuple[str, ...]
    """The cards the seat puts away before it draws as many."""
    by_trump: Mapping[str | None, tuple[str, ...]] | None
    """The same by the trump that is turned up, where one is."""
    rule: str | None
    """By which rule it puts away who draws before, see `exchange.RULES`."""
    from_hand: bool
    """Whether it does not exchange where it might, which pays more."""
    bid: str | None
    height: int
    made: float
    """In what share of the layouts the contract makes, 0 to 1."""
    made_interval: Interval | None
    """None where all layouts were valued."""
    payoff: float | None
    """The mean gain of the seat; None where the optimum leaves it open."""
    bounds: tuple[float, float] | None
    """Between what it lies then; None where that is not known either."""
    payoff_interval: Interval | None
    mean_tricks: float | None
    """Of the declaring side; None where only the outcome is asked for."""
    best_share: float | None
    """In what share of the layouts no other offer pays more; None where some payoff is."""
    behind: float | None
    """By how much it pays less than the best on average; None where its payoff is."""
    behind_interval: Interval | None
    """None for the best offer, too."""
    rank: int
    """From 1 on, by payoff; offers that nothing tells apart have the same."""

    def __str__(self) -> str:
        choice = self.called or self.partner or self.penalty
        contract = spaced(self.declarer, self.contract, self.trump or "open", choice)
        how = " from the hand" if self.from_hand else ""
        if self.discard:
            how = f" without {' '.join(self.discard)}"
        pays = "" if self.payoff is None else f", {self.payoff:+.2f}"
        if self.bounds is not None:
            pays = f", {self.bounds[0]:+.2f}..{self.bounds[1]:+.2f}"
        return f"{contract}{how}: made in {100 * self.made:.1f} %{pays}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them, and none of those that need all hands."""
        fields = Offer(declarer=self.declarer, contract=self.contract, trump=self.trump).to_dict()
        figures = {name: getattr(self, name) for name in self.__slots__}
        if self.by_trump is not None:
            figures["by_trump"] = {trump: list(cards) for trump, cards in self.by_trump.items()}
        return fields | {name: rounded(value) for name, value in figures.items()}


class TriedExchanges(NamedTuple):
    """The exchanges that were looked at, and of how many few were kept."""

    exchanges: int
    kept: int
    samples: int
    """In so many layouts, of which no figures are shown, the others were found to pay less."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BestChances(OnLayouts):
    """The contracts a seat could choose on what it knows, the best first."""

    left_out: Mapping[str, str]
    """Contracts the seat could have that are not valued, and why."""
    tried: TriedExchanges | None
    """None where there are none to choose from."""
    assumed: tuple[str, ...]
    """The assumptions about exchanges, in sentences."""
    offers: tuple[OfferChance, ...]

    @property
    def best(self) -> OfferChance:
        """The offer that pays most on average."""
        return self.offers[0]

    def __str__(self) -> str:
        return "\n".join([f"{self.seat}: {self.extent} layouts", *map(str, self.offers)])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
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
