"""Measure how soon `best --chances` settles the choice of a contract on strong hands.

Each hand is the best of a dozen random hands for a lone contract (see `deals.py`). Its seat chooses
among all contracts, with nothing called before. The time limit counts processor time on one
thread, so the load of the machine does not matter.

A hand is decided if the answer is settled, or if no other contract can beat the best by more than
one game point. `--check N` values the best contract again in N other layouts: the mean
difference shows how much the reported figures flatter the contract that came out best.

    python -m benchmarks.best_chances_speed german-solo 100 --seconds 2
    python -m benchmarks.best_chances_speed solo-whist 25 --seconds 20 --check 2000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import sqrt
from statistics import mean, median, stdev
from time import process_time
from typing import NamedTuple

from benchmarks.deals import MEASURING, TUNING, lone, questions
from spadille.analysis.chances import sampling_loop
from spadille.analysis.chances.contract_chances import ContractStrategy, best_chances
from spadille.analysis.chances.contract_chances_result import BestChances, OfferChance
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.core.deal import Deal

CONTRACTS = {
    "german-solo": "solo",
    "mensch": "five",
    "ombre": "solo",
    "quadrille": "solo",
    "solo-whist": "solo",
}
"""The lone contract for which a hand is strong."""
POINT = 1.0


class Decided(NamedTuple):
    """The answer for one hand."""

    found: BestChances
    seconds: float
    """The processor time."""
    behind: float
    """The greatest amount by which another contract may pay more than the best one."""
    flattered: tuple[float, float] | None
    """The reported share and payoff of the best contract, minus those in other layouts."""


def decided(family: str, game: str, number: int, seconds: float, check: int) -> Iterator[Decided]:
    """Yield the answer for each hand."""
    purpose = f"offers {game}"
    for deal, contract, _ in questions(family, purpose, number, lone(game, CONTRACTS[game])):
        seat = contract.declarer
        began = process_time()
        found = best_chances(deal, seat, drawing=Drawing(seconds=seconds))
        spent = process_time() - began
        lows = [offer.behind_interval[0] for offer in found.offers if offer.behind_interval]
        checked = check and found.best.by_trump is None
        flattered = _flattered(deal, found.best, check) if checked else None
        yield Decided(found, spent, max((-low for low in lows), default=0.0), flattered)


def _flattered(deal: Deal, best: OfferChance, number: int) -> tuple[float, float]:
    """Return how much better the reported figures are than those in other layouts."""
    drawing = Drawing(samples=number, seconds=0, seed=1)
    trumps = None if best.trump is None else [best.trump]
    strategy = ContractStrategy(deal, best.declarer, best.contract, trumps=trumps, drawing=drawing)
    # Only this row is valued, whichever rows the heats would keep.
    (row,) = [
        row
        for row in strategy._rows
        if (row.contract.called, row.exchange.away) == (best.called, best.discard)
        and row.exchange.from_hand == best.from_hand
    ]
    strategy._choices = type(strategy._choices)([row], strategy._layouts, drawing)
    found = Sampling(strategy).run().best
    return best.made - found.made, (best.payoff or 0.0) - (found.payoff or 0.0)


def main() -> None:
    """Parse the command line, and print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.best_chances_speed", description=__doc__
    )
    parser.add_argument("game", choices=[*CONTRACTS])
    parser.add_argument("number", type=int, help="number of hands")
    parser.add_argument("--seconds", type=float, default=2, help="processor time for each hand")
    parser.add_argument("--check", type=int, default=0, metavar="N", help="layouts for the check")
    parser.add_argument("--tuning", action="store_true", help="use the deals kept for tuning")
    args = parser.parse_args()
    vars(sampling_loop)["perf_counter"] = process_time
    family = TUNING if args.tuning else MEASURING
    answers = [*decided(family, args.game, args.number, args.seconds, args.check)]
    settled = [each.found.settled for each in answers]
    near = [each.found.settled or each.behind <= POINT for each in answers]
    print(f"{args.game}: {args.number} hands, {args.seconds:g} s of processor time")
    print(f"settled: {mean(settled):.0%}; settled or within one point: {mean(near):.0%}")
    print(f"the most that may be lost: {median(each.behind for each in answers):.2f} (median)")
    print(f"layouts of the best contract: {median(each.found.samples for each in answers):,.0f}")
    print(f"seconds: {mean(each.seconds for each in answers):.2f}")
    flattered = [each.flattered for each in answers if each.flattered is not None]
    for name, values in zip(("made", "payoff"), zip(*flattered, strict=True), strict=False):
        reach = 1.96 * stdev(values) / sqrt(len(values))
        print(f"{name} flattered by {mean(values):+.4f} ± {reach:.4f}")


if __name__ == "__main__":
    main()
