"""Compute the cost of each card played, and the totals for players and declarers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from spadille.analysis.result_text_forms import Shown, spaced, value, verdict
from spadille.analysis.review.refutation import Refutation
from spadille.analysis.value.by_contractor import ByContractor
from spadille.base.errors import SpadilleError
from spadille.base.json_fields import rounded
from spadille.base.quick_init import quick_init
from spadille.search.verdict import Value

Mark = Literal["", "?", "??"]
MARKS: tuple[Mark, ...] = ("", "?", "??")
"""The marks of cards (see `ReviewedCard.mark`)."""


@quick_init
@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Moved(Shown):
    """The change that a card made to the value for one declarer."""

    before: Value | None
    """The value before the card. Like `after` and `cost`, it is None if a limit or unknown hands
    leave it open."""
    after: Value | None
    cost: int | None = 0
    """The cost to the side that played the card, in tricks, outcomes or points."""
    best: tuple[str, ...] = ()
    """The cards that keep the value; listed if the card played does not, or on request."""
    refutation: Refutation | None = None
    """The refutation, if one was requested and the card was a mistake."""
    bounds: tuple[tuple[Value, Value], tuple[Value, Value]] | None = None
    """Bounds on the values before and after the card; None unless a limit left one of them open."""

    json_names: ClassVar[tuple[str, ...]] = ("before", "after", "cost", "best")

    def __str__(self) -> str:
        before, after = map(or_open, (self.before, self.after))
        return before if self.bounds is None and before == after else f"{before} -> {after}"


def _closed(value: Value | None) -> Value:
    if value is None:
        raise SpadilleError(
            "unknown, because a limit ended the search or a hand is unknown", "result-open"
        )
    return value


def or_open(value: Value | None) -> str:
    """Return a value as text, or "?" if it is unknown."""
    return "?" if value is None else str(value)


LuckVerdict = Literal["error", "unlucky", "lucky", "fine"]
VERDICTS: tuple[LuckVerdict, ...] = ("error", "unlucky", "lucky", "fine")
"""The verdict on a card. If the card cost something, it was an error if the player could have known
better, and unlucky if not. If the card cost nothing, it was lucky if the player could have known
better, and fine if not. A card is never lucky if no card would have cost anything. With unknown
hands the cost is unknown, and the verdict is "error" or "fine"."""


class BeliefUsed(NamedTuple):
    """A verdict's assumptions about the bids."""

    kind: str
    """"auction", "duties" or "none"."""
    sentences: tuple[str, ...] = ()
    """The assumptions in words."""
    spread: float | None = None
    """See `Assumptions.spread`; None unless the belief is `auction`."""
    strength: str | None = None
    """The version of the strength tables."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BeliefsUsed(Shown):
    """Counts the assumptions about the bids that several verdicts make."""

    kinds: Mapping[str, int]
    """The number of verdicts based on each kind of belief (see `BidBelief.kind`)."""
    sentences: Mapping[str, int]
    """The number of verdicts that used each text of `BidBelief.bids`."""
    spread: float | None = None
    strength: str | None = None
    """The version of the strength tables; several versions are separated by spaces."""

    @classmethod
    def of(cls, beliefs: Iterable[BeliefUsed]) -> BeliefsUsed:
        """Count the beliefs."""
        used = list(beliefs)
        versions = dict.fromkeys(belief.strength for belief in used if belief.strength is not None)
        return cls(
            kinds=Counter(belief.kind for belief in used),
            sentences=Counter(text for belief in used for text in belief.sentences),
            spread=next((belief.spread for belief in used if belief.spread is not None), None),
            strength=" ".join(versions) or None,
        )

    def __add__(self, other: BeliefsUsed) -> BeliefsUsed:
        """Add the counts of another review."""
        versions = dict.fromkeys(
            version for side in (self, other) for version in (side.strength or "").split()
        )
        return BeliefsUsed(
            kinds=Counter(self.kinds) + Counter(other.kinds),
            sentences=Counter(self.sentences) + Counter(other.sentences),
            spread=other.spread if self.spread is None else self.spread,
            strength=" ".join(versions) or None,
        )

    @property
    def number(self) -> int:
        """The number of verdicts."""
        return sum(self.kinds.values())

    @property
    def texts(self) -> tuple[str, ...]:
        """The assumptions in words; one that applies to only some decisions includes a count."""
        of = f"of {self.number} decisions"
        return tuple(
            text if count == self.number else f"{text} (in {count} {of})"
            for text, count in self.sentences.items()
        )

    def __str__(self) -> str:
        if self.texts:
            return f"Inferences from the bids: {'. '.join(self.texts)}"
        inferred = "only duties to bid" if "duties" in self.kinds else "none"
        return f"Inferences from the bids: {inferred}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {
            "kinds": {kind: self.kinds.get(kind, 0) for kind in ("auction", "duties", "none")},
            "text": list(self.texts),
            "spread": self.spread,
            "strength": self.strength,
        }


NO_BELIEFS = BeliefsUsed.of(())
_NO_BELIEF = BeliefUsed("none")


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Judged(Shown):
    """A card's value given its player's knowledge (see `chances`)."""

    made: float
    """The share of the layouts in which the contract makes after the card."""
    made_interval: tuple[float, float] | None
    rank: int
    verdict: LuckVerdict
    best: str
    """The best card, given the player's knowledge."""
    cards: Mapping[str, float]
    """For each card the player could play, the share of the layouts in which the contract makes."""
    ended: Literal["samples", "seconds", "interrupted"] | None
    """The limit that stopped the sampling before the answer was settled. If it is "seconds",
    another run may reach another verdict."""
    without_seeing: float | None = None
    """If plans prove which card is best, the share of layouts in which the best plan for this card
    succeeds; otherwise None."""
    belief: BeliefUsed = _NO_BELIEF
    """The assumptions about the bids."""

    def __str__(self) -> str:
        return f"{self.verdict}, made in {100 * self.made:.1f}%"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {
            "chance": rounded(self.made),
            "chance_interval": rounded(self.made_interval),
            "rank": self.rank,
            "verdict": self.verdict,
            "without_seeing": rounded(self.without_seeing),
            "belief": self.belief.kind,
            "ended": self.ended,
        }


@quick_init
@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ReviewedCard(ByContractor[Moved], Shown):
    """One card of the play.

    `contractors` maps each declarer to the change in value for that declarer. If there is only one
    declarer, the fields of `Moved` are also available here.
    """

    trick: int
    """Number of the trick, from 1."""
    seat: str
    card: str
    choice: bool
    """Whether the player had a choice; equivalent cards count as one."""
    contractors: Mapping[str, Moved]
    mark: Mark = ""
    """"?" if the card cost something, "??" if it turned a made contract into a failed one, or the
    reverse."""
    hint: str | None = None
    """A sentence if the Matador privilege or the duty to play a called card affected the choice."""
    judged: Judged | None = None
    """The card's value given its player's knowledge, if requested."""

    json_names: ClassVar[tuple[str, ...]] = ("trick", "seat", "card", "choice", "before")
    json_names += ("after", "cost", "best", "mark", "hint")
    json_by_seat = ("before", "after", "cost", "best")

    @property
    def before(self) -> Value:
        """The value before the card."""
        return _closed(self.one.before)

    @property
    def after(self) -> Value:
        """The value after the card."""
        return _closed(self.one.after)

    @property
    def cost(self) -> int:
        """The cost to the side that played the card, in tricks or outcomes."""
        return int(_closed(self.one.cost))

    @property
    def open(self) -> bool:
        """Whether the card's cost is unknown because of limits or unknown hands."""
        return any(
            moved.bounds is not None or moved.cost is None for moved in self.contractors.values()
        )

    @property
    def best(self) -> tuple[str, ...]:
        """The cards that keep the value; listed if the card played does not, or on request."""
        return self.one.best

    @property
    def refutations(self) -> Mapping[str, Refutation]:
        """The card's refutation for each declarer, if requested."""
        refutations = {seat: move.refutation for seat, move in self.contractors.items()}
        return {
            seat: refutation for seat, refutation in refutations.items() if refutation is not None
        }

    def __str__(self) -> str:
        before, after = (
            value({seat: or_open(worth) for seat, worth in values.items()})
            if self.several
            else or_open(values)
            for values in (self.by_seat("before"), self.by_seat("after"))
        )
        moved = before if before == after else f"{before} -> {after}"
        return spaced(f"{self.trick}.", self.seat, f"{self.card}{self.mark}", moved)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        judged = self.judged.to_dict() if self.judged else {}
        return Shown.to_dict(self) | self._why() | judged

    def _why(self) -> dict[str, Any]:
        """Return the fields of the refutations for JSON, by seat if there are several declarers."""
        refutations = {seat: refutation.to_dict() for seat, refutation in self.refutations.items()}
        names = next(iter(refutations.values()), {})
        if not self.several:
            return names
        return {
            name: {seat: refutation[name] for seat, refutation in refutations.items()}
            for name in names
        }


@quick_init
@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CostTally(Shown):
    """The total cost of a player's or a side's cards."""

    cards: int = 0
    choices: int = 0
    best: int = 0
    """The number of freely chosen cards that kept the value."""
    errors: int = 0
    cost: int = 0
    open: int = 0
    """Chosen cards whose cost is unknown because of a limit; they count only in `cards`."""

    json_names = ("cards", "choices", "best", "errors", "cost", "share", "open")

    @property
    def share(self) -> float | None:
        """The share of the freely chosen cards that were best; None if there were none."""
        return round(self.best / self.choices, 3) if self.choices else None

    def __add__(self, other: CostTally) -> CostTally:
        """Add the costs of other cards."""
        return CostTally(
            cards=self.cards + other.cards,
            choices=self.choices + other.choices,
            best=self.best + other.best,
            errors=self.errors + other.errors,
            cost=self.cost + other.cost,
            open=self.open + other.open,
        )

    @classmethod
    def of(cls, cards: Iterable[tuple[bool, int | None]]) -> CostTally:
        """Add up cards, each given as (whether it was chosen, its cost or None if open)."""
        number = choices = errors = total = open_cards = 0
        for chosen, cost in cards:
            number += 1
            if not chosen:
                continue
            if cost is None:
                open_cards += 1
                continue
            choices += 1
            errors += cost != 0
            total += cost
        return cls(
            cards=number,
            choices=choices,
            best=choices - errors,
            errors=errors,
            cost=total,
            open=open_cards,
        )

    def __str__(self) -> str:
        return f"{self.cards} cards, {self.choices} chosen, {self.best} best, cost {self.cost}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Account(Shown):
    """The change in the value of a contract from the start of the play to the end.

    `result` is `start` minus `lost` (by the declarer's side) and `left`, plus `given` (by the
    opponents), in tricks, outcomes or points. In a Misère, tricks have the opposite sign. If the
    declarer surrenders, `result` is the value just before that. If a limit left values open,
    `start` is None, and `lost` and `given` leave out the `open` cards.
    """

    start: Value | None
    result: Value | None
    lost: int
    given: int
    left: int
    """The drop in value when the side goes on for all tricks; a partner's tricks may not count
    after that."""
    made_at_start: bool | None
    made: bool | None
    turning_point: int | None
    """The index of the last step that decided whether the contract made.

    None if no card decided it, or if a surrender did."""
    open: int = 0
    """The number of freely chosen cards whose cost is unknown because of a limit."""

    def __str__(self) -> str:
        values = f"{or_open(self.start)} at the start, {or_open(self.result)} at the end"
        left = f", {self.left} left" if self.left else ""
        left += f", {self.open} open" if self.open else ""
        return f"{values}: {self.lost} lost, {self.given} given{left}, {verdict(self.made)}"
