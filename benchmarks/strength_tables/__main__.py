"""Draw hands, solve their deals, fit the tables of spadille.strength, and measure them."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the sums are too short to gain from threads

import argparse
from pathlib import Path

from benchmarks.strength_tables.data_files import DATA, read_data, write_data
from benchmarks.strength_tables.fit_tables import draw_samples, game_data
from benchmarks.strength_tables.game_plans import PLANS, SEED
from benchmarks.strength_tables.report import report


def main() -> None:
    """Make the data files of games, and a table of their accuracy."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength_tables",
        description="Draw hands, solve their deals, fit the tables of spadille.strength, and "
        "measure them. A run that was stopped goes on where it was.",
    )
    parser.add_argument("games", nargs="*", help=f"{' '.join(PLANS)}; default: all")
    parser.add_argument("--samples", type=Path, required=True, help="folder of the samples")
    parser.add_argument("--into", type=Path, default=DATA, help="folder of the data files")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the samples")
    parser.add_argument(
        "--only-sample",
        metavar="CONTRACT",
        help="draw and solve the hands of one contract, no more; several such runs may share a "
        "folder",
    )
    parser.add_argument(
        "--contract",
        metavar="CONTRACT",
        action="append",
        default=[],
        help="fit only this contract, and keep the other tables of the file; repeatable",
    )
    parser.add_argument(
        "--trump", default="", help="with --contract: fit only the table with this trump"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    args = parser.parse_args()
    for game in args.games or PLANS:
        if game not in PLANS:
            parser.error(f"{game!r} is no game with a plan: {' '.join(PLANS)}")
        if args.only_sample:
            draw_samples(game, args.only_sample, args.samples, scale=args.scale, seed=args.seed)
            continue
        path = args.into / f"{game}.json.gz"
        data, models = game_data(
            game,
            args.samples,
            scale=args.scale,
            seed=args.seed,
            only=args.contract,
            trump=args.trump,
            kept=read_data(path) if args.contract else None,
        )
        args.into.mkdir(parents=True, exist_ok=True)
        write_data(data, path, smallest=True)
        (args.samples / f"{game}.json").write_text(report(game, models))


if __name__ == "__main__":
    main()
