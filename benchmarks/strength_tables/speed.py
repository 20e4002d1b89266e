"""Time the value of a hand: python -m benchmarks.strength_tables.speed."""

from __future__ import annotations

from argparse import ArgumentParser
from time import process_time
from timeit import timeit

import numpy as np

import spadille
from benchmarks.strength_tables.draw_hands import bits_of, draw_hands
from spadille.core.strength.strength_tables import tables_for
from spadille.games import rules_for
from spadille.search.encoding import encoding
from spadille.search.engine_strength_table import engine_table

HANDS = 500_000


def main() -> None:
    """Print the time for a share or mean payoff in the engine, and for a call from Python."""
    ArgumentParser(description=__doc__).parse_args()
    rules = rules_for("german-solo")
    tables = tables_for(rules)
    assert tables is not None
    table = tables.table("solo", "H")
    assert table is not None
    deck = np.zeros(len(rules.deck))
    places = draw_hands(np.random.default_rng(1), deck, rules.game.hand_size, HANDS, (0.0,))
    hands = bits_of(encoding(rules, "H"), places)
    fast = engine_table(table)
    begin = process_time()
    fast.many(hands, 1)
    print(f"{(process_time() - begin) / HANDS * 1e9 / 2:.0f} ns for a share or a mean payoff")
    calls = 2_000
    hand = "A8.AK98.7.Q"
    seconds = timeit(lambda: spadille.strength(hand, "solo H", "german-solo"), number=calls)
    print(f"{seconds / calls * 1e6:.0f} microseconds for spadille.strength")


if __name__ == "__main__":
    main()
