"""Draw deals that meet the conditions on single hands; deal_search.py tests all others.

A condition on the cards in a single hand becomes a `BinSum` of `spadille.core.knowledge`: its
counts are combined into one mixed-radix number, and its weights select the accepted sums. The deals
that meet all such conditions are numbered, so a random number selects a deal, however rare such
deals are. Hands without a condition are dealt at the end.

If the turned-up card must be in a certain suit, each deal is drawn together with that card: a deal
in which the dealer has six cards in the suit is six times as likely as one in which the dealer has
one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import comb, prod
from typing import NamedTuple

from spadille.base.card_text import sort_cards
from spadille.base.errors import ArgumentError
from spadille.base.words_for_messages import seat_label
from spadille.core.counted_cards import TALON
from spadille.core.knowledge.conditioned_layouts import CountedTest
from spadille.core.knowledge.layouts import BinSum, Layouts
from spadille.core.knowledge.random_numbers import Draws
from spadille.games.model.game import Rules
from spadille.generate.deals.condition_expressions import Expression, Facts
from spadille.generate.deals.condition_functions import Count
from spadille.generate.deals.hand_shapes import Shape

_MOST_VECTORS = 200_000  # maximum number of cases for a condition on one hand
_FEW_VECTORS = 200  # the same for layouts, which have conditions of their own
_MOST_SPLITS = 2_000_000  # maximum number of splits when counting deals; takes a few seconds


@dataclass(frozen=True, slots=True)
class Wishes:
    """The conditions on a deal."""

    known: Mapping[str, tuple[str, ...]]  # seat -> its known cards
    shapes: Sequence[Shape] = ()
    conditions: Sequence[Expression] = ()
    turned: str | None = None  # the suit of the card turned up, or that card

    @property
    def key(self) -> tuple[object, ...]:
        """A cache key, equal for conditions with the same meaning."""
        return (
            *sorted(self.known.items()),
            *((shape.text, shape.counts) for shape in self.shapes),
            *(
                (condition.text, *condition.counts, *condition.asked, *condition.strengths)
                for condition in self.conditions
            ),
            self.turned,
        )


class _Fit(NamedTuple):
    """A condition on a count over one hand, or over the talon."""

    text: str
    seat: str
    counts: tuple[Count, ...]
    accepts: Callable[[tuple[int, ...]], bool]
    vectors: int  # maximum number of cases
    condition: Expression | None = None


class _TooManyError(Exception):
    """Raised when counting takes too long."""


class _Counted(Layouts):
    """Layouts that raise _TooManyError if there are too many splits."""

    left = _MOST_SPLITS

    def _expand(self, number: int, room: tuple[int, ...], sums: tuple[int, ...]):  # type: ignore[no-untyped-def]
        node = super()._expand(number, room, sums)
        self.left -= len(node.splits) + 1
        if self.left < 0:
            raise _TooManyError
        return node


class Drawn(NamedTuple):
    """A drawn deal."""

    hands: Mapping[str, tuple[str, ...]]
    talon: tuple[str, ...]
    turned: str | None  # the card turned up, if it matters


class Sampler:
    """Draws a game's deals that meet conditions; `dealer` matters only for the turned-up card.

    `possible` is the number of deals that meet all countable conditions; if the turned-up card
    matters, it is the number of pairs of a deal and a card. `tried` lists the other conditions,
    cheap ones first. Raises ArgumentError if the conditions contradict each other.
    """

    def __init__(self, rules: Rules, wishes: Wishes, dealer: str) -> None:
        self.rules = rules
        self.wishes = wishes
        self._dealer = dealer
        game = rules.game
        self._sizes = dict.fromkeys(rules.seats, game.hand_size)
        if game.talon_size:
            self._sizes[TALON] = game.talon_size
        fits, self.tried = self._sorted()
        self._bins: list[tuple[str, ...]] = []
        while True:
            try:
                self._cases = self._build(fits)
                break
            except _TooManyError:
                # The condition with the most cases is the most expensive to count.
                hardest = max(fits, key=lambda fit: (fit.condition is not None, fit.vectors))
                if hardest.condition is None:
                    raise ArgumentError(
                        f"there are too many cases to count for {hardest.text}",
                        "conditions-too-many",
                    ) from None
                fits.remove(hardest)
                self.tried.insert(0, hardest.condition)
        self._starts = list(accumulate((case.weight for case in self._cases), initial=0))
        self.possible: int = self._starts.pop()
        self.all: int = self._all()
        self.tried.sort(key=lambda condition: bool(condition.asked))

    def draw(self, draws: Draws) -> Drawn:
        """Draw a deal, without testing the conditions in `tried`."""
        number = draws.below(self.possible)
        case = self._cases[bisect_right(self._starts, number) - 1]
        which, rank = divmod(number - self._starts[self._cases.index(case)], case.layouts.count)
        turned = case.turned[which] if case.turned else None
        dealt: dict[str, Iterable[str]] = {}
        for seats, cards in zip(self._bins, case.layouts.unrank(rank), strict=True):
            if turned is not None and turned != case.turned[0]:
                swap = {turned: case.turned[0], case.turned[0]: turned}
                cards = tuple(swap.get(card, card) for card in cards)
            if len(seats) == 1 and seats[0] != TALON:
                dealt[seats[0]] = cards
                continue
            pile = _shuffled(cards, draws)
            at = 0
            for seat in seats:
                dealt[seat] = pile[at : at + self._sizes[seat]]
                at += self._sizes[seat]
        hands = {seat: sort_cards(dealt[seat]) for seat in self.rules.seats}
        return Drawn(hands, tuple(dealt.get(TALON, ())), turned)

    def _all(self) -> int:
        """The number of deals without conditions, counted like `possible`."""
        left, ways = len(self.rules.deck), 1
        for bin_ in self._bins:
            size = sum(self._sizes[seat] for seat in bin_)
            ways *= comb(left, size)
            left -= size
        return ways * (self._sizes[self._dealer] if self.wishes.turned else 1)

    def _sorted(self) -> tuple[list[_Fit], list[Expression]]:
        """Separate the conditions on one hand from the others."""
        fits, tried = [], []
        for shape in self.wishes.shapes:
            lengths = shape.lengths
            fits.append(
                _Fit(shape.text, shape.counts[0].seat, shape.counts, lengths.__contains__, 0)
            )
        for condition in self.wishes.conditions:
            seats = condition.seats
            if condition.asked or condition.strengths or len(seats) > 1:
                tried.append(condition)
                continue
            if not seats:  # only numbers
                if not condition.value(Facts(())):
                    raise ArgumentError(f"{condition} is never true", "conditions-impossible")
                continue
            counts = tuple(condition.counts)
            vectors = prod(self._most(count) + 1 for count in counts)
            if vectors > _MOST_VECTORS:
                tried.append(condition)
                continue
            fits.append(
                _Fit(
                    condition.text,
                    min(seats),
                    counts,
                    _accepting(condition),
                    vectors,
                    condition,
                )
            )
        return fits, tried

    def _most(self, count: Count) -> int:
        """The greatest value that a count can have."""
        return _greatest(count, self._sizes[count.seat])

    def _build(self, fits: Sequence[_Fit]) -> list[_Case]:
        """Count the deals for each class of equivalent cards that may be turned up."""
        rules, wishes, dealer = self.rules, self.wishes, self._dealer
        named = {seat for seat, cards in wishes.known.items() if cards}
        named |= {fit.seat for fit in fits}
        if wishes.turned:
            named.add(dealer)
        named_seats = [seat for seat in self._sizes if seat in named]
        rest = tuple(seat for seat in self._sizes if seat not in named)
        self._bins = [*((seat,) for seat in named_seats), *([rest] if rest else [])]
        place = {seat: number for number, seat in enumerate(named_seats)}
        tallies = [self._tally(place[fit.seat], fit) for fit in fits]
        every = tuple(range(len(self._bins)))
        allowed: dict[str, tuple[int, ...]] = dict.fromkeys(rules.deck, every)
        for seat, cards in wishes.known.items():
            for card in cards:
                if len(allowed[card]) == 1 and allowed[card] != (place[seat],):
                    raise ArgumentError(
                        f"{card} cannot be in two hands, {self._bins[allowed[card][0]][0]}'s and "
                        f"{seat_label(seat)}'s",
                        "card-duplicate",
                    )
                allowed[card] = (place[seat],)
        if wishes.turned is None:
            return [_Case(self._layouts(allowed, tallies), ())]
        likes: dict[tuple[object, ...], list[str]] = {}
        for card in rules.deck:
            if card.startswith(wishes.turned) and place[dealer] in allowed[card]:
                worth = tuple(tally.values.get(card, 0) for tally in tallies)
                likes.setdefault((allowed[card], worth), []).append(card)
        if not likes:
            raise ArgumentError(
                f"{seat_label(dealer)} deals and cannot turn up {wishes.turned}: "
                "other hands have it",
                "conditions-impossible",
            )
        return [
            _Case(self._layouts({**allowed, cards[0]: (place[dealer],)}, tallies), tuple(cards))
            for cards in likes.values()
        ]

    def _layouts(
        self, allowed: Mapping[str, tuple[int, ...]], tallies: Sequence[BinSum]
    ) -> Layouts:
        room = [sum(self._sizes[seat] for seat in seats) for seats in self._bins]
        # Cards that no condition counts come last, because they only fill up the hands.
        groups = {card: not any(card in tally.values for tally in tallies) for card in allowed}
        return _Counted(allowed, room, tallies, groups)

    def _tally(self, place: int, fit: _Fit) -> BinSum:
        """Combine the counts in a condition into one number, with the sums that it accepts."""
        return BinSum(place, *_combined(fit.counts, self._sizes[fit.seat], fit.accepts))


def _combined(
    counts: Sequence[Count], size: int, accepts: Callable[[tuple[int, ...]], bool]
) -> tuple[dict[str, int], dict[int, int]]:
    """Combine counts over a hand into one sum; return each card's value and the accepted sums."""
    values: dict[str, int] = {}
    base = 1
    bases = []
    ranges = []
    for count in counts:
        most = _greatest(count, size)
        for card, value in count.values:
            values[card] = values.get(card, 0) + base * value
        bases.append(base)
        ranges.append(range(most + 1))
        base *= most + 1
    weights = {
        sum(a * b for a, b in zip(bases, vector, strict=True)): 1
        for vector in product(*ranges)
        if accepts(vector)
    }
    return values, weights


def _greatest(count: Count, size: int) -> int:
    """Return the greatest value of a count over a hand of this size."""
    return sum(sorted((value for _, value in count.values), reverse=True)[:size])


def counted_test(condition: Expression, size: int) -> CountedTest | None:
    """Return a condition on one hand if it can be counted with few cases, otherwise None."""
    (seat, *others) = condition.seats or (TALON,)
    if others or seat == TALON or condition.asked or condition.strengths:
        return None
    counts = tuple(condition.counts)
    if prod(_greatest(count, size) + 1 for count in counts) > _FEW_VECTORS:
        return None
    accepts = _accepting(condition)
    values, weights = _combined(counts, size, accepts)
    return CountedTest(
        seat, values, weights, lambda cards: accepts(tuple(count.of(cards) for count in counts))
    )


def _accepting(condition: Expression) -> Callable[[tuple[int, ...]], bool]:
    return lambda vector: bool(condition.value(Facts(vector)))


class _Case(NamedTuple):
    """The deals with one of these cards turned up; only deals with the first card are counted."""

    layouts: Layouts
    turned: tuple[str, ...]

    @property
    def weight(self) -> int:
        """The number of these deals."""
        return self.layouts.count * max(1, len(self.turned))


def _shuffled(cards: Sequence[str], draws: Draws) -> list[str]:
    """Shuffle cards (Fisher-Yates)."""
    mixed = list(cards)
    for last in range(len(mixed) - 1, 0, -1):
        other = draws.word() * (last + 1) >> 64
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
