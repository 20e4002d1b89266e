"""Draw hands from seeds: random hands, and stronger hands that are worth bidding.

A hand is drawn with a tilt: each card gets its worth for the contract times the tilt, plus a random
number with a Gumbel distribution, and the cards with the highest sums form the hand. Without a
tilt, all hands are equally likely. The other hands are always dealt at random from the remaining
cards, so the share of deals in which a contract makes, given a hand, does not depend on the tilt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spadille.search.encoding import Encoding

TILTS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
_ONE = np.uint64(1)


def card_worth(code: Encoding, misere: bool) -> np.ndarray:
    """Return the worth of each card of the pack for a contract, about 0 to 2."""
    numbers = np.array([code.numbers[card] for card in code.rules.deck])
    rank, lane = numbers & 15, numbers >> 4
    longest = np.zeros(4)
    for one in range(4):
        longest[one] = max(int((lane == one).sum()), 1)
    height = rank / (longest[lane] - 1)
    if misere:
        return 1.0 - height
    return np.where(lane == code.trump, 0.8 + 0.8 * height, height**3)


def draw_hands(
    rng: np.random.Generator, worth: np.ndarray, size: int, number: int, tilts: Sequence[float]
) -> np.ndarray:
    """Draw a hand for each tilt, as rows of places in the pack."""
    tilt = rng.choice(np.asarray(tilts), number)[:, None]
    keys = rng.gumbel(size=(number, len(worth))) + tilt * worth
    return np.argpartition(-keys, size - 1, axis=1)[:, :size]


def rest_of(rng: np.random.Generator, hands: np.ndarray, pack: int) -> np.ndarray:
    """Return the other cards of each pack, shuffled, as places in the pack."""
    keys = rng.random((len(hands), pack))
    np.put_along_axis(keys, hands, 2.0, axis=1)
    return np.argsort(keys, axis=1)[:, : pack - hands.shape[1]]


def bits_of(code: Encoding, places: np.ndarray) -> np.ndarray:
    """Return hands as bit sets from rows of places in the pack."""
    bits = np.array([code.bits[card] for card in code.rules.deck], np.uint64)
    return np.bitwise_or.reduce(bits[places], axis=1)
