"""Infer from the number of cards that players exchanged which hands they are likely to hold.

Players look at each card of the dealt hand separately. They keep trumps and the highest card of
each plain suit (`Rules.keepers`) and discard all other cards, but with the probability `LAPSE` they
treat a card the other way. If they may not discard as many cards as they want, all selections from
these are equally likely.

In a layout, let a hand have h of the keepers and k cards that were not exchanged, and let the cards
that nobody plays include q of the keepers and m cards that were discarded. Nobody knows which cards
these are, so the likelihood of the exchanges is a sum over all possibilities. It is a product of a
function of h for each hand and a function of q, so layouts with these weights can be counted. For

    kept(j): the probability of keeping k given cards, of which j are keepers, and
    away(i): that of discarding m given cards, of which i are keepers,

these functions are

    sum over j of  C(h, j) * C(size - h, k - j) * kept(j),
    sum over i of  C(q, i) * C(pile - q, m - i) * away(i).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb, prod
from typing import NamedTuple

LAPSE = Fraction(1, 100)
"""The probability that a player keeps or discards a card against the rule."""
_MOST = 1 << 100  # the largest weight


class ExchangeLikelihood(NamedTuple):
    """The likelihood of the exchanges of players whose hands are hidden."""

    keepers: tuple[str, ...]
    kept: Mapping[str, tuple[float, ...]]
    """For each player, `kept(j)`, up to a factor."""
    away: tuple[float, ...]
    """`away(i)`, up to a factor."""


def kept_weights(kept: int, discarded: int, most: int) -> tuple[Fraction, ...]:
    """Return the likelihood of keeping given cards, by the number of keepers among them.

    The player kept and discarded these numbers of cards, and might have discarded `most`.
    """
    weights = []
    for keepers in range(kept + 1):
        chances = [1 - LAPSE] * keepers + [LAPSE] * (kept - keepers)
        if discarded < most:
            weights.append(prod(chances, start=Fraction(1)))
            continue
        # The player may have wanted to discard some of these, too.
        wanted = [Fraction(1)]  # [s]: the probability of wanting to discard s of them
        for chance in chances:
            padded = [Fraction(0), *wanted, Fraction(0)]
            wanted = [chance * same + (1 - chance) * fewer for fewer, same in pairwise(padded)]
        weights.append(
            sum(
                (share / comb(discarded + more, discarded) for more, share in enumerate(wanted)),
                Fraction(0),
            )
        )
    return tuple(weights)


def away_weights(discarded: int) -> tuple[Fraction, ...]:
    """Return the likelihood of discarding given cards, by the number of keepers among them."""
    return tuple((LAPSE / (1 - LAPSE)) ** keepers for keepers in range(discarded + 1))


def weights_by_number(weights: Sequence[Fraction], cards: int) -> dict[int, int]:
    """Return the weight of some cards by the number of keepers among them, as whole numbers.

    `weights` has the likelihood that given cards among these were kept (or discarded), by the
    number of keepers among them.
    """
    chosen = len(weights) - 1
    sums = [
        sum(
            comb(keepers, number) * comb(cards - keepers, chosen - number) * weight
            for number, weight in enumerate(weights)
            if number <= keepers and chosen - number <= cards - keepers
        )
        for keepers in range(cards + 1)
    ]
    largest = max(sums)
    return {keepers: max(1, round(_MOST * weight / largest)) for keepers, weight in enumerate(sums)}
