"""Count how often a contract makes, by its declarer's number of trumps and matadors.

    spadille deal german-solo -n 100000 --seed 2026 --dealer N -o deals.pbn
    spadille batch table deals.pbn --seat N --trump S --trump H --into tables.db -j auto
    spadille batch export tables.db --format parquet -o tables.parquet
    python examples/makes.py tables.db tables.parquet makes.svg

pandas reads the ledger and DuckDB the exported file, and both must count the same. In contracts
with a called card, the best card is called. The script needs the `plots` extra.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing

import duckdb
import pandas as pd
from matplotlib.figure import Figure

from spadille.games import rules_for

FEWEST = 100
"""The minimum number of deals for a share to be shown."""

ACROSS = 4
"""The number of charts in a row."""

LEDGER = """
SELECT game, question, row.value ->> 'contract' AS contract, row.value ->> 'trump' AS trump,
    max(row.value ->> 'makes') AS made
FROM results, json_each(answer, '$.rows') AS row
GROUP BY file, place, contract, trump
"""
PARQUET = """
SELECT game, contract, trump, count(*), count(*) FILTER (WHERE made) FROM (
    SELECT game, contract, trump, max(makes) AS made FROM read_parquet(?)
    GROUP BY file, index, game, contract, trump
) GROUP BY ALL ORDER BY ALL
"""


def read_ledger(path: str) -> pd.DataFrame:
    """Read a row for each contract and trump, with the number of North's trumps and matadors."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as ledger:
        every = pd.read_sql_query(LEDGER, ledger)
    held = every.pop("question").str.extract(r'\[Deal "N:(\S+)', expand=False)
    asked = pd.DataFrame({"hand": held, "game": every["game"], "trump": every["trump"]})
    known = asked.drop_duplicates()
    numbers = [holding(*row) for row in known.itertuples(index=False)]
    known = known.assign(
        trumps=[trumps for trumps, _ in numbers], matadors=[matadors for _, matadors in numbers]
    )
    return pd.concat([every, asked["hand"]], axis=1).merge(known, on=["hand", "game", "trump"])


def holding(hand: str, game: str, trump: str) -> tuple[int, int]:
    """Count the trumps and matadors in a hand."""
    rules = rules_for(game)
    suits = zip("SHDC", hand.split("."), strict=True)
    cards = {suit + rank for suit, ranks in suits for rank in ranks}
    return len(cards & {*rules.suits(trump)[trump]}), len(cards & {*rules.matadors(trump)})


def plot(shares: pd.DataFrame, path: str) -> None:
    """Draw a chart for each contract: trumps on the x-axis, a line for each number of matadors."""
    charts = shares.groupby(["game", "contract"], sort=False)
    lines = -(-charts.ngroups // ACROSS)
    figure = Figure(figsize=(10, 2.6 * lines), layout="constrained")
    axes = [*figure.subplots(lines, ACROSS, sharey=True, squeeze=False).flat]
    for axis in axes[charts.ngroups :]:
        axis.axis("off")
    for axis, (names, own) in zip(axes, charts, strict=False):
        for matadors, line in own.groupby("matadors"):
            axis.plot(line["trumps"], 100 * line["mean"], marker="o", ms=3, label=str(matadors))
        axis.set(title=": ".join(names), xlabel="trumps", ylim=(-3, 103))
        axis.grid(alpha=0.3)
        axis.legend(title="matadors", fontsize="small")
    figure.supylabel("deals in which it makes, %")
    figure.savefig(path)


def main(ledger: str, parquet: str, picture: str) -> None:
    """Count, check, print the table, and draw the plot."""
    every = read_ledger(ledger)
    made = every.groupby(["game", "contract", "trump"])["made"].agg(["size", "sum"])
    again = duckdb.execute(PARQUET, [parquet]).fetchall()
    assert [(*names, *map(int, row)) for names, row in made.iterrows()] == again
    by = ["game", "contract", "matadors", "trumps"]
    shares = every.groupby(by)["made"].agg(["size", "mean"]).reset_index()
    shares = shares[shares["size"] >= FEWEST]
    if shares.empty:
        sys.exit(f"too few deals: no share is based on {FEWEST} or more")
    table = shares.pivot(index=by[:3], columns="trumps", values="mean")
    print((100 * table).round(1).to_string(na_rep=""))
    plot(shares, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
