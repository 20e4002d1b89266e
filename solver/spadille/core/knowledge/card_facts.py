"""Collect facts about hidden cards: their possible places, and conditions on single hands.

The modules that read the deal, the exchange, the bids and the play fill in a `Hidden`. A sentence
in plain English accompanies each fact. If two facts contradict each other, an error is raised that
names both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb, floor
from operator import mul

from spadille.base.errors import DealError
from spadille.base.words_for_messages import listed, seat_name
from spadille.core.knowledge.layouts import BinSum, Layouts
from spadille.games.model.game import Rules

PILE = "pile"
"""The place of cards that nobody plays: the talon, the squint and discards."""
AWAY = "away"
"""The place of other players' discards, if they are kept apart from the cards nobody drew."""
_MOST_WEIGHT = 1 << 20  # larger weights are scaled down
_MOST_POWER = 40


@dataclass(frozen=True, slots=True)
class Fact:
    """A known fact in words, and the cards it concerns."""

    text: str
    cards: frozenset[str] = frozenset()  # () = all cards, at any time
    # These names replace "{}" in the text, for cards that `seat` may still hold.
    names: Mapping[str, str] = field(default_factory=dict)
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a sum over the cards a seat held after some plays (see `BinSum`)."""

    seat: str
    values: Mapping[str, int]
    weights: Mapping[int, int]
    fact: Fact
    since: int = 0


class Hidden:
    """The cards that a seat does not see, and where each of them may be.

    `sizes` maps each place to the number of hidden cards in it.
    """

    def __init__(self, rules: Rules, cards: Iterable[str], sizes: Mapping[str, int]) -> None:
        self.rules = rules
        self.sizes = dict(sizes)
        self.holders = {card: set(sizes) for card in cards}
        self.facts: list[Fact] = []
        self.conditions: list[Condition] = []
        self.seen: dict[str, str] = {}  # where all other cards are: "is with North"
        self.played: list[tuple[str, str]] = []
        self._why: dict[tuple[str, str], str] = {}  # (card, place) -> reason for its absence

    def see(self, card: str, where: str, said: str = "") -> None:
        """Record where a card was seen ("is with North"); raise DealError if it is elsewhere.

        The error begins with `said`, or else with the card and `where`.
        """
        if card not in self.holders:
            before = self.seen.get(card, "is not in the pack")
            raise impossible(f"{said or f'{card} {where}'}, but it {before}")
        del self.holders[card]
        self.seen[card] = where

    def tell(self, text: str) -> None:
        """Record a fact that concerns no particular cards."""
        self._note(Fact(text))

    def allow(self, seat: str, names: Mapping[str, str], text: str) -> None:
        """Record that a hand may still hold these cards; `names` are their names in the text."""
        self._note(Fact(text, frozenset(names), names, seat))

    def deny(self, place: str, cards: Iterable[str], text: str) -> None:
        """Record that none of these cards is in the given place."""
        denied = [card for card in cards if place in self.holders.get(card, ())]
        if denied:
            self._note(Fact(text, frozenset(denied)))
        for card in denied:
            self.holders[card].remove(place)
            self._why.setdefault((card, place), text)
            self._check(card, text)

    def put(self, card: str, places: Collection[str], text: str) -> None:
        """Record that a card is in one of these places."""
        if card not in self.holders:
            return
        self._note(Fact(text, frozenset((card,))))
        for place in [*self.holders[card]]:
            if place not in places:
                self.holders[card].remove(place)
                self._why.setdefault((card, place), text)
        self._check(card, text)

    def require(self, condition: Condition) -> None:
        """Record a condition; it is ignored unless it concerns a hidden hand."""
        if condition.seat in self.sizes:
            self.conditions.append(condition)
            self._note(condition.fact)

    def play(self, seat: str, card: str, trick: int) -> None:
        """Record that a card was played from a hidden hand."""
        name = seat_name(seat)
        said = f"{name} plays {card} to trick {trick}"
        if card in self.holders and seat not in self.holders[card]:
            raise impossible(f"{said}, but {self._why[card, seat]}")
        self.see(card, f"was played by {name} to trick {trick}", said)
        self.sizes[seat] -= 1
        if self.sizes[seat] < 0:
            raise impossible(f"{said}, but {name} has no cards left")

    def show(self, seat: str, cards: Iterable[str], text: str) -> None:
        """Record that a hidden hand is shown; `cards` are its remaining cards."""
        for card in cards:
            if card in self.holders and seat not in self.holders[card]:
                raise impossible(f"{text} with {card}, but {self._why[card, seat]}")
            self.see(card, f"is in the hand of {seat_name(seat)}")
        self.remove(seat)
        self.tell(text)

    def remove(self, place: str) -> None:
        """Remove a place that no longer contains any hidden cards."""
        for places in self.holders.values():
            places.discard(place)
        self.conditions = [condition for condition in self.conditions if condition.seat != place]
        del self.sizes[place]

    def split(self, place: str, other: str, number: int) -> None:
        """Split a place: move a number of its unknown cards to another place."""
        for places in self.holders.values():
            if place in places:
                places.add(other)
        self.sizes[place] -= number
        self.sizes[other] = number
        if not self.sizes[place]:
            self.remove(place)

    def _note(self, fact: Fact) -> None:
        if fact not in self.facts:
            self.facts.append(fact)

    def _check(self, card: str, text: str) -> None:
        if not self.holders[card]:
            reasons = {why: None for (other, _), why in self._why.items() if other == card}
            earlier = "; ".join(reason.rstrip(".") for reason in reasons if reason != text)
            raise impossible(f"nobody can hold {card}: {earlier}; {text}")

    @property
    def sentences(self) -> tuple[str, ...]:
        """The facts that still concern hidden cards, as sentences."""
        texts = filter(None, map(self._sentence, self.facts))
        return tuple(dict.fromkeys(text[0].upper() + text[1:] for text in texts))

    def _sentence(self, fact: Fact) -> str:
        holders = self.holders
        if fact.names:
            names = [
                name for card, name in fact.names.items() if fact.seat in holders.get(card, ())
            ]
            return fact.text.format(listed(names, "and")) if names else ""
        says = not fact.cards or not fact.cards.isdisjoint(holders)
        return fact.text if says else ""

    def layouts(self, groups: Mapping[str, int]) -> Layouts:
        """Return the layouts; if there are none, raise DealError with the facts that conflict."""
        layouts = self._count(groups, self.conditions)
        if layouts:
            return layouts
        for number, condition in enumerate(self.conditions):
            if not self._count(groups, self.conditions[: number + 1]):
                raise impossible(
                    f"no layout of the hidden cards allows this: {condition.fact.text}"
                )
        free = Layouts(dict.fromkeys(self.holders, range(len(self.sizes))), self._capacities)
        assert free
        known = "; ".join(self.sentences)
        raise impossible(f"no layout of the hidden cards fits all of these facts: {known}")

    def number(self, groups: Mapping[str, int], conditions: int) -> int:
        """Return the number of layouts that meet the first `conditions` conditions."""
        return self._count(groups, self.conditions[:conditions]).count

    @property
    def places(self) -> tuple[str, ...]:
        """The places, in the order of the bins."""
        return tuple(self.sizes)

    @property
    def _capacities(self) -> list[int]:
        return list(self.sizes.values())

    def _count(self, groups: Mapping[str, int], conditions: Iterable[Condition]) -> Layouts:
        number = {place: at for at, place in enumerate(self.sizes)}
        allowed = {
            card: [number[place] for place in self.sizes if place in places]
            for card, places in self.holders.items()
        }
        conditions = [*conditions]
        power = self._leveling(conditions)
        tallies = [self._tally(condition, number, power) for condition in conditions]
        said = [tally for tally in tallies if tally is not None]
        return Layouts(allowed, self._capacities, said, groups)

    def _left(self, condition: Condition) -> tuple[dict[str, int], dict[int, int]]:
        """Return the values of the hidden cards, and the weights of the sums still to come."""
        seat = condition.seat
        gone = [card for who, card in self.played[condition.since :] if who == seat]
        had = sum(condition.values.get(card, 0) for card in gone)
        values = {
            card: condition.values[card]
            for card, places in self.holders.items()
            if seat in places and condition.values.get(card)
        }
        return values, {total - had: weight for total, weight in condition.weights.items()}

    def _leveling(self, conditions: Sequence[Condition]) -> int:
        """Return the power of two by which the weights of an exchange are multiplied for each card.

        The same cards count in every place, so the weights of all layouts change by the same
        factor. This power makes the weights of likely layouts large in every place. Otherwise, if
        the exchanges are surprising, `_scaled` would raise too many weights.
        """
        large = [condition for condition in conditions if _is_large(condition.weights)]
        if {condition.seat for condition in large} != {*self.sizes}:
            return 0  # there was no exchange
        left = [(self.sizes[condition.seat], *self._left(condition)) for condition in large]
        number = len({card for _, values, _ in left for card in values})

        def expected(power: int) -> int:
            """Return the expected number of these cards in independent places, rounded down."""
            total = Fraction(0)
            for size, values, weights in left:
                odds = {
                    n: comb(size, n) * weight
                    for n, weight in _leveled(weights, power).items()
                    if 0 <= n <= min(size, len(values))
                }
                total += sum(map(mul, odds, odds.values())) / (sum(odds.values()) or 1)
            return floor(total)

        powers = range(-_MOST_POWER, _MOST_POWER)
        return powers[bisect_left(powers, number, hi=len(powers) - 1, key=expected)]

    def _tally(self, condition: Condition, number: Mapping[str, int], power: int) -> BinSum | None:
        """Return a condition as a sum over a hand's remaining cards; None if it is always met."""
        seat = condition.seat
        values, weights = self._left(condition)
        if len({*values.values()}) <= 1:
            step = next(iter(values.values()), 1)
            sums = {step * size for size in range(min(len(values), self.sizes[seat]) + 1)}
        elif len(values) <= 4:
            sums = {sum(chosen) for chosen in product(*((0, value) for value in values.values()))}
        else:
            sums = set(range(sum(values.values()) + 1))
        weights = {total: weights[total] for total in sums if weights.get(total)}
        if _is_large(weights):
            # A hand has at least this many cards with a value, and each counts at least 1.
            free = sum(seat in places for places in self.holders.values()) - len(values)
            weights = _scaled(_leveled(weights, power), self.sizes[seat] - free)
            sums = {*weights}
        if len(weights) == len(sums) and len({*weights.values()}) == 1:
            return None
        return BinSum(number[seat], values, weights)


def _is_large(weights: Mapping[int, int]) -> bool:
    return max(weights.values(), default=0) > _MOST_WEIGHT


def _leveled(weights: Mapping[int, int], power: int) -> dict[int, Fraction]:
    """Multiply the weight of each number of cards by a power of two, `power` for each card."""
    return {number: weight * Fraction(2) ** (number * power) for number, weight in weights.items()}


def _scaled(weights: Mapping[int, Fraction], least: int) -> dict[int, int]:
    """Scale the weights of the sums of at least `least` down, so that counts stay below 2^127."""
    possible = {total: weight for total, weight in weights.items() if total >= least}
    largest = max(possible.values(), default=Fraction(1))
    return {
        total: max(1, int(weight * _MOST_WEIGHT / largest)) for total, weight in possible.items()
    }


def impossible(message: str) -> DealError:
    """Return the error for a contradiction in a record."""
    return DealError(f"impossible: {message}", "record-impossible")
