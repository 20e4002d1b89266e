"""Value the cards of a decision for a player who does not see the other hands.

If there are few enough layouts, all of them are used (see `plans`). Otherwise, a sample is used,
and the other hands are hidden only for the player's next choices. The value then suggests, without
a guarantee, that a card needs no guess in the next tricks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from spadille.analysis.chances.card_chances_result import POINT, Guess, PlansBasis
from spadille.analysis.chances.plans import Plan, PlanSearch, PlanValue, why_not
from spadille.analysis.chances.sampling_loop import Clock
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.confidence_intervals import Interval
from spadille.base.errors import ArgumentError, TooHardError
from spadille.core.knowledge.seat_knowledge import Knowledge

SAMPLED = 64
"""The number of layouts in a sample."""
MOST_TRICKS = 6
"""No sample is searched if more tricks than this are left, because that would take too long."""
_BLIND = (2, 3)  # numbers of choices without seeing; the last completed search counts
_WORK = 200_000_000
_SAMPLE_WORK = 50_000_000
_GUESS_WORK = 5_000_000
_GUESS_LAYOUTS = 2_000


class CardPlan(NamedTuple):
    """A card's value without seeing the other hands, as shares of the layouts."""

    exact: float | None = None
    bounds: Interval | None = None
    no_guess: float | None = None
    """The share of sampled layouts in which the player needs no guess in the next choices."""

    @property
    def least(self) -> float:
        """The proved share."""
        return self.exact if self.exact is not None else (self.bounds or (0.0, 1.0))[0]


class WithoutSeeing:
    """Searches for the plans of a decision, after its layouts have been valued."""

    def __init__(self, known: Knowledge, drawing: Drawing, memory: int) -> None:
        self.known = known
        self._drawing = drawing
        self._memory = memory
        self._too_many = why_not(known)
        count = known.fitting.count
        if self._too_many is None and drawing.samples is not None and drawing.samples < count:
            self._too_many = f"only {drawing.samples:,} of {count:,} layouts were evaluated"
        self._search: PlanSearch | None = None
        self._sampled: list[PlanValue] = []
        self._blind: int | None = None
        self._why: str | None = "the search was interrupted"
        self.guess: Guess | None = None

    @property
    def possible(self) -> bool:
        """Whether all layouts can be searched; otherwise a sample is used."""
        return self._too_many is None

    def search(self, clock: Clock) -> None:
        """Search until time runs out; values found before an interruption are kept."""
        try:
            if self.possible:
                self._all(clock)
            else:
                self._some(clock)
        except (ArgumentError, TooHardError) as error:
            self._why = str(error)

    def _all(self, clock: Clock) -> None:
        search = self._search = PlanSearch(self.known, self._memory)
        search.values(seconds=clock.left, threads=self._drawing.threads, work=_WORK)
        proved = all(value.proved for value in search.valued)
        if proved:
            self._why = None
        elif search.short_of_memory:
            self._why = "the search needs too much memory"
        else:
            self._why = self._ended(clock)
        if proved and search.layouts <= _GUESS_LAYOUTS:
            self.guess = self._about(search, clock)

    def _some(self, clock: Clock) -> None:
        known, drawing = self.known, self._drawing
        if len(known.own) > MOST_TRICKS:
            self._why = f"more than {MOST_TRICKS} tricks are left"
            return
        clock.stop(known)
        ranks = known.fitting.sample(SAMPLED, drawing.seed)
        if len(ranks) < SAMPLED:
            self._why = "time ran out"
            return
        search = PlanSearch(known, self._memory, ranks, drawn=True)
        for blind in _BLIND:
            values = search.values(
                blind=blind, seconds=clock.left, threads=drawing.threads, work=_SAMPLE_WORK
            )
            if not all(value.proved for value in values):
                break
            self._sampled, self._blind = values, blind
        self._why = self._too_many if self._sampled else self._ended(clock)

    @staticmethod
    def _ended(clock: Clock) -> str:
        return "time ran out" if clock.over else "the search takes too long"

    @property
    def basis(self) -> PlansBasis:
        """The layouts searched, and the reason if the values are not exact."""
        search = self._search
        layouts = SAMPLED if self._sampled else 0 if search is None else search.layouts
        return PlansBasis(
            layouts=layouts,
            exact=self._why is None,
            decided=self._decided,
            tricks=self._blind,
            why=self._why,
        )

    @property
    def _decided(self) -> bool:
        """Whether the best card is proved: no other card's upper bound exceeds its lower bound."""
        values = self._search.valued if self._search else []
        if not values:
            return False
        best = max(values, key=lambda value: value.least)
        return all(value.most <= best.least for value in values if value is not best)

    @property
    def cards(self) -> Mapping[str, CardPlan]:
        """The values found so far, by card."""
        cards: dict[str, CardPlan] = {}
        values = self._sampled if self._search is None else self._search.valued
        for value in values:
            if self._search is None:
                plan = CardPlan(no_guess=value.least / SAMPLED)
            elif value.proved:
                plan = CardPlan(exact=value.least / self._search.weight)
            elif value.most == self._search.weight:
                continue  # not searched yet
            else:
                total = self._search.weight
                plan = CardPlan(bounds=(value.least / total, value.most / total))
            for card in (value.card, *value.equals):
                cards[card] = plan
        return cards

    def plan(self, card: str | None, seconds: float = 0) -> Plan | None:
        """Return the best plan found that begins with `card`; None allows any card."""
        if self._search is None or not self._search.valued:
            return None
        values = self._search.valued
        of = {name: value for value in values for name in (value.card, *value.equals)}
        best = of[card] if card else max(values, key=lambda value: (value.least, value.open))
        try:
            return self._search.plan(best, card or best.card, seconds)
        except (ArgumentError, TooHardError) as error:
            self._why = self._why or str(error)
            return None

    def _about(self, search: PlanSearch, clock: Clock) -> Guess | None:
        """Return the unseen card whose holder matters most to the best card that needs a guess."""
        total = search.weight
        values = [value for value in search.valued if value.open - value.least >= POINT * total]
        if not values:
            return None
        card = max(values, key=lambda value: value.open)
        ranks = list(self.known.fitting.ranks)
        best: Guess | None = None
        for about in self.known.unseen:
            won = 0
            for part in self._by_holder(about, ranks):
                if clock.over:
                    return None
                plan_values = PlanSearch(self.known, self._memory, part).values(
                    seconds=clock.left, work=_GUESS_WORK
                )
                won += next(
                    value.least for value in plan_values if card.card in (value.card, *value.equals)
                )
            if won > card.least and (best is None or won > best.knowing * total):
                best = Guess(card.card, about, won / total)
        return best

    def _by_holder(self, card: str, ranks: Iterable[int]) -> Iterable[list[int]]:
        """Group layouts by the holder of a card."""
        parts: dict[int, list[int]] = {}
        for rank in ranks:
            layout = self.known.layouts.unrank(rank)
            place = next(number for number, cards in enumerate(layout) if card in cards)
            parts.setdefault(place, []).append(rank)
        return parts.values()
