"""Number the holdings in a suit that a score table distinguishes.

A hand consists of four lanes of 16 bits, as in the engine: trumps are in lane 3, and the plain
suits, in the order S H D C, are in lanes 0 to 2 (0 to 3 at no trump). The lowest card of a suit is
bit 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from spadille.base.card_text import NO_TRUMP
from spadille.games.model.game import Rules

TRUMP_LANE = 3


@dataclass(frozen=True, slots=True)
class Holdings:
    """The holdings in a suit; only the number of its lowest cards matters."""

    length: int  # number of cards in the suit
    low: int = 0  # number of low cards

    @property
    def size(self) -> int:
        """The number of different holdings."""
        return (self.low + 1) << (self.length - self.low)

    def index(self, mask: int) -> int:
        """Return the index of the holding that consists of these cards."""
        low = mask & (1 << self.low) - 1
        return (mask >> self.low) * (self.low + 1) + low.bit_count()

    def example(self, index: int) -> int:
        """Return cards that form a holding; its low cards come from the middle of the low ranks."""
        high, count = divmod(index, self.low + 1)
        return high << self.low | ((1 << count) - 1) << (self.low - count) // 2


@dataclass(frozen=True, slots=True)
class SuitLane:
    """A suit under a trump, as a lane: a group of bits in a hand."""

    lane: int
    cards: tuple[str, ...]  # from low to high

    @property
    def ranks(self) -> str:
        """The ranks of its cards from high to low. Plain suits with the same ranks are alike."""
        return "".join(card[1] for card in reversed(self.cards))


class HandLanes:
    """The suits of a game under one trump, as lanes: groups of bits in a hand."""

    def __init__(self, rules: Rules, trump: str) -> None:
        suits = rules.suits(trump)
        plain = [suit for suit in suits if suit != trump]
        self.plain = tuple(
            SuitLane(lane, tuple(reversed(suits[suit]))) for lane, suit in enumerate(plain)
        )
        self.trump = (
            None if trump == NO_TRUMP else SuitLane(TRUMP_LANE, tuple(reversed(suits[trump])))
        )
        lanes = self.plain if self.trump is None else (*self.plain, self.trump)
        self.bits: Mapping[str, int] = {
            card: 1 << 16 * suit.lane + place
            for suit in lanes
            for place, card in enumerate(suit.cards)
        }

    def hand(self, cards: Iterable[str]) -> int:
        """Return a hand as a bit set."""
        bits = self.bits
        return sum([bits[card] for card in cards])
