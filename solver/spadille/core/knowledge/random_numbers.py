"""Random numbers that are the same on every machine and in every language.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014). SplitMix64 adds a constant and mixes the bits, so the n-th number can be
computed without the earlier ones.
"""

from __future__ import annotations

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def mixed(number: int) -> int:
    """Mix the 64 bits of a number."""
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _MASK
    return number ^ (number >> 31)


class Draws:
    """The random numbers for a seed; each `block` is an independent sequence."""

    def __init__(self, seed: int, block: int = 0) -> None:
        self._state = mixed((seed & _MASK) ^ mixed((block * _STEP + _STEP) & _MASK))

    @property
    def state(self) -> int:
        """The state; another generator that starts from it continues with the same numbers."""
        return self._state

    def word(self) -> int:
        """Return 64 random bits."""
        self._state = (self._state + _STEP) & _MASK
        return mixed(self._state)

    def below(self, number: int) -> int:
        """Return an integer below `number` (at most 2^127), uniform up to a bias of 2^-128."""
        return ((self.word() << 64 | self.word()) * number) >> 128


def ranks(
    count: int, number: int, seed: int = 0, block: int = 0, *, spread: bool = True
) -> list[int]:
    """Draw `number` ranks below `count`, in random order.

    With `spread`, each of `number` equal parts of the range contains one of the ranks. Estimates of
    a mean over all ranks then remain unbiased and have a lower variance. The parts come in random
    order, so the first few ranks are a fair sample, too, however many they are. Samples from
    different blocks of a seed can be combined.
    """
    draws = Draws(seed, block)
    if not spread:
        return [draws.below(count) for _ in range(number)]
    parts = list(range(number))
    for last in range(number - 1, 0, -1):
        other = draws.below(last + 1)
        parts[last], parts[other] = parts[other], parts[last]
    # The position of each rank within its part has 128 random bits.
    scale = number << 128
    return [
        ((part << 128) + (draws.word() << 64 | draws.word())) * count // scale for part in parts
    ]
