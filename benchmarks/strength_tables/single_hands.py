"""Test a table of spadille.strength on single hands: compare it with many layouts of each.

`python -m benchmarks.strength_tables.single_hands GAME CONTRACT TRUMP --into FILE` tests a table
that comes with the package.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.strength_tables.accuracy_records import HandError
from benchmarks.strength_tables.data_files import DATA, read_data, write_data
from benchmarks.strength_tables.draw_hands import bits_of
from benchmarks.strength_tables.game_plans import PLANS, SEED, kinds_of_trumps
from benchmarks.strength_tables.model import Sample
from benchmarks.strength_tables.sampling import Sampler
from spadille.core.strength.strength_tables import tables_for
from spadille.games import rules_for
from spadille.games.model.game import Rules
from spadille.search.engine_strength_table import engine_table

HANDS, LAYOUTS = 100, 2_000
BETWEEN = 0.2, 0.9  # predicted shares of the hands that are valued in many layouts
_TRIES = 200  # batches of candidates

Predict = Callable[[Sample], tuple[np.ndarray, np.ndarray]]
"""Returns the shares and mean payoffs of hands."""


def hand_errors(
    sampler: Sampler, predict: Predict, layouts: int, first: int = 0
) -> Iterator[HandError]:
    """Compare predictions with this many layouts, from the hand with number `first`.

    The hands and layouts are the same in each run. The errors include the sampling error.
    """
    hands = _hands(sampler, predict)
    for number, (places, position, called) in islice(enumerate(hands), first, None):
        at = np.full(layouts, position), np.full(layouts, called)
        sample = sampler.valued(sampler.rng(7, 7, number), np.tile(places, (layouts, 1)), *at)
        share, payoff = predict(sample.part(np.arange(1)))
        yield HandError(
            float(abs(share[0] - sample.made.mean())), float(abs(payoff[0] - sample.payoff.mean()))
        )


def mean_error(errors: Sequence[HandError]) -> HandError:
    """Return the mean errors of several hands."""
    return HandError(*map(fmean, zip(*errors, strict=True))) if errors else HandError(0.0, 0.0)


def _hands(sampler: Sampler, predict: Predict) -> Iterator[tuple[np.ndarray, int, int]]:
    """Draw hands with predicted shares between the bounds, with positions and called cards."""
    rng = sampler.rng(7, 7)
    for _ in range(_TRIES):
        places, position, called = sampler.candidates(rng, 2_000)
        share, _ = predict(Sample.unsolved(bits_of(sampler.code, places), position, called))
        rows = np.flatnonzero((share >= BETWEEN[0]) & (share <= BETWEEN[1]))[:20]
        for row in rows:
            yield places[row], int(position[row]), int(called[row])


def shipped(rules: Rules, contract: str, trump: str) -> Predict:
    """Return the predictions of the table that comes with the package."""
    tables = tables_for(rules)
    table = tables and tables.table(contract, trump)
    assert table is not None, (rules.game.id, contract, trump)
    fast = engine_table(table)

    def predict(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
        found = np.empty((len(sample), 2))
        keys = np.stack([sample.position, sample.called], 1)
        for position, called in np.unique(keys, axis=0):
            rows = np.flatnonzero((keys == (position, called)).all(1))
            several = fast.many(sample.hands[rows], int(position), int(called))
            found[rows] = np.asarray(several).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    return predict


def main() -> None:
    """Test one table, and print a line for each hand."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength_tables.single_hands",
        description="Test a table of spadille.strength on single hands: write the errors of the "
        "share and the mean payoff of each hand, then print their means. A run that was stopped "
        "goes on where it was.",
    )
    parser.add_argument("game", choices=PLANS)
    parser.add_argument("contract")
    parser.add_argument("trump")
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--layouts", type=int, default=LAYOUTS, help="of each hand")
    parser.add_argument("--into", type=Path, required=True, help="a file: a line for each hand")
    parser.add_argument("--state", action="store_true", help="state the means in the data file")
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args()
    rules = rules_for(args.game)
    (trumps,) = (kind for kind in kinds_of_trumps(rules, args.contract) if args.trump in kind)
    sampler = Sampler(rules, args.contract, trumps, args.into.parent, args.seed)
    lines = args.into.read_text().splitlines() if args.into.exists() else []
    errors = [HandError(*map(float, line.split())) for line in lines]
    more = hand_errors(sampler, shipped(rules, args.contract, trumps[0]), args.layouts, len(errors))
    with args.into.open("a") as file:
        for error in islice(more, max(args.hands - len(errors), 0)):
            errors.append(error)
            print(*error, file=file, flush=True)
    mean = mean_error(errors)
    print(f"{len(errors)} hands: {mean}")
    if args.state:
        path = DATA / f"{args.game}.json.gz"
        data = read_data(path)
        (part,) = (one for one in data["contracts"][args.contract] if trumps[0] in one["units"])
        part.update(mean.stated())
        write_data(data, path, smallest=True)


if __name__ == "__main__":
    main()
