"""`python -m benchmarks` reports every target, the measured value, and whether it is met."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

from benchmarks import hard_deal_search
from benchmarks.compare_versions import VersionError
from benchmarks.deals import MEASURING, TUNING
from benchmarks.effort import FULL, QUICK
from benchmarks.report import between_versions, report, rivals

RIVAL = "a checkout of bridge-solver, built with make; adds the tables of its deals"
OTHER = "another checkout of spadille, with its engine compiled, to compare with this one"
HARD = "print the hardest deal a hill climber finds, as a hand file, instead of a report"


def main() -> None:
    """Parse the command line, run the benchmarks and write the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer deals, under two minutes")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="only rows against DDS whose names contain this"
    )
    parser.add_argument("--tuning", action="store_true", help="use the deals kept for tuning")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="write the report to FILE instead of the screen",
    )
    parser.add_argument("--hard", nargs=2, metavar=("GAME", "CONTRACT"), help=HARD)
    parser.add_argument(
        "--minutes", type=float, default=2, metavar="N", help="minutes of processor time for --hard"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed for --hard")
    parser.add_argument("--bridge-solver", type=Path, metavar="PATH", help=RIVAL)
    parser.add_argument("--compare", type=Path, metavar="OTHER_CHECKOUT", help=OTHER)
    parser.add_argument(
        "--all-deals", action="store_true", help="use all of its 1,000 deals, not a tenth"
    )
    asked = parser.parse_args()
    if asked.hard:
        found = hard_deal_search.climb(*asked.hard, asked.minutes, asked.seed)
        print(f"% {found.nodes:,} nodes\n{found.text()}", end="")
        return
    family = TUNING if asked.tuning else MEASURING
    effort = QUICK if asked.quick else FULL
    began = perf_counter()
    if asked.compare:
        try:
            lines = between_versions(asked.compare, family, effort, asked.only)
        except VersionError as error:
            parser.error(str(error))
    else:
        lines = report(family, effort, asked.only)
    if asked.bridge_solver:
        lines += rivals(asked.bridge_solver, effort, asked.all_deals)
    text = "\n".join(lines)
    print(f"{perf_counter() - began:.0f} s", file=sys.stderr)
    if asked.output:
        asked.output.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
