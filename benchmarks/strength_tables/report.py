"""Report the accuracy of all tables of a game, as JSON and as a table of docs/strength-measured.md.

`python -m benchmarks.strength_tables.report FOLDER` prints that table from the samples' folder.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.strength_tables.fit_tables import Model

ENOUGH = 1_000  # the minimum number of hands in a decile whose difference is shown


def report(game: str, models: Sequence[Model]) -> str:
    """Return the figures as text."""
    rows = [
        {
            "contract": model.contract,
            "trumps": list(model.sampler.trumps),
            "sample": model.sample,
            "deciles": [list(decile) for decile in model.accuracy.deciles],
            "worst": model.accuracy.worst,
            "hands": model.accuracy.hands,
            "layouts": model.accuracy.layouts,
            "made_error": model.accuracy.error.share,
            "payoff_error": model.accuracy.error.payoff,
        }
        for model in models
    ]
    return json.dumps({"game": game, "tables": rows}, indent=1) + "\n"


def rows(found: dict[str, Any]) -> Iterator[str]:
    """Yield the rows of the table for one game."""
    for table in found["tables"]:
        deciles = [row for row in table["deciles"] if row[0] >= ENOUGH]
        worst = max((abs(actual - predicted) for _, predicted, actual in deciles), default=0.0)
        fewest = min((number for number, _, _ in deciles), default=0)
        yield (
            f"| {found['game']} | {table['contract']} | {' '.join(table['trumps'])} "
            f"| {table['sample']:,} | {len(deciles)} | {100 * worst:.1f} | {fewest:,} "
            f"| {100 * table['made_error']:.1f} | {table['payoff_error']:.2f} |"
        )


def main() -> None:
    """Print the table of all games of a folder."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the samples, with GAME.json files")
    for path in sorted(parser.parse_args().folder.glob("*.json")):
        print("\n".join(rows(json.loads(path.read_text(encoding="utf-8")))))


if __name__ == "__main__":
    main()
