"""`spadille score`: what the deals of an evening paid, and what they could have paid."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import click

from spadille.analysis.evening import NOT_SETTLED
from spadille.analysis.score import DealScore, by_player
from spadille.render.results.common import trump_text
from spadille_cli.cases import Case, common_fields
from spadille_cli.deals import Source, recorded, source_options
from spadille_cli.drawing import Row, Table, filled, room
from spadille_cli.evening import Evening, player_tables
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.params import threads_option
from spadille_cli.scores import ScoreColumns
from spadille_cli.solve import label
from spadille_cli.status import Status, Tally

_COMMON = ("file", "index", "board", "game")
_DEAL = ("declarer", "contract", "trump", "called", "partner", "outcome", "made")
_LEGEND = (
    "Points or chips are what a player gained, antes included.",
    "best play   what the contract pays its declarer if nobody errs at all",
    "could have  the contract whose declarer gains most by force, of all seats",
    "missed      who had a higher bid that makes and would have paid him more",
    "tricks      what errors cost, where the contract counts tricks",
    "lost        what errors took from the payoff the player's side could force",
)


@click.command("score")
@source_options()
@click.option(
    "--by",
    type=click.Choice(("deal", "player")),
    default="deal",
    show_default=True,
    help="A row or object for each deal, or for each player over all deals.",
)
@threads_option
@output_options
def command(source: Source, by: str, threads: int, output: Output) -> Status:
    """Settle an evening: what every deal paid as it was played, and to whom.

    Each file is an evening, its deals in their order: what one leaves in the
    pool is played for in the next, and points run on. A deal's Pool wins over
    what was carried; a difference is a warning. Players are known by the tags
    North, East, South, West or Player1 to Player5, so they may change seats;
    else they are their seats. A deal is settled by Play, Result, Surrender, or
    a Contract "Pass"; one that is not is reported, and the others go on.

    Beside what was paid stand, all hands open, what best play would have paid,
    the best contract there was, the bids that were missed, and what the errors
    of each player cost in tricks and in points.

    \b
    Examples:
      spadille score evening.pbn
      spadille score --by player --format csv evenings/ > players.csv
      spadille score --format jsonl evening.pbn
    """
    tally = Tally()
    evening = Evening.of(source, tally)
    if by == "player":
        evening.write_players(output, tally, threads)
        return tally.status(fail=False)
    columns = ScoreColumns.of(evening.cases)
    fields = (
        *(*_COMMON, *_DEAL, "pool_before", "pool_after"),
        *(f"player_{seat}" for seat in columns.seats if seat != "pool"),
        *columns.fields("points"),
        *columns.fields("best_play"),
        *("best_declarer", "best_contract", "best_trump", "best_payoff", "missed"),
    )
    done: list[DealScore] = []
    with output.progress(evening.cases) as steps:
        records = _records(evening.scores(steps, tally, threads), tally, done)
        view = View(fields, partial(_rows, columns), partial(_tables, done))
        output.write(records, view, tally)
    return tally.status(fail=False)


def _records(
    found: Iterable[tuple[Case, DealScore | None]], tally: Tally, done: list[DealScore]
) -> Iterator[Record]:
    for case, score in found:
        if score is None:
            yield common_fields(case)
            continue
        done.append(score)
        open_ = case.error is not None and case.error.code != NOT_SETTLED
        yield common_fields(case) if open_ else recorded(case, tally, score.to_dict)


def _signed(points: int | None) -> str:
    return "?" if points is None else f"{points:+d}" if points else "0"


def _rows(columns: ScoreColumns, record: Record) -> Iterator[Row]:
    if "contract" not in record:
        return
    declarer, pool, best = record["declarer"], record["pool"] or {}, record["best_contract"] or {}
    yield [
        *(record[name] for name in _COMMON),
        *(_flat(record[name]) for name in _DEAL),
        pool.get("before"),
        pool.get("after"),
        *(record["names"].get(seat) for seat in columns.seats if seat != "pool"),
        *columns.cells(record["points"], declarer),
        *columns.cells(record["best_play"], declarer),
        *(best.get(name) for name in ("declarer", "contract", "trump", "payoff")),
        " ".join(offer["declarer"] for offer in record["missed"]),
    ]


def _flat(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {item}" for key, item in value.items())
    return " ".join(value) if isinstance(value, list) else value


# Tables for people


def _tables(done: Sequence[DealScore], records: Iterable[Record]) -> Iterator[Table]:
    told = False
    for (file, game), own in groupby(records, lambda one: (one["file"], one["game"])):
        deals = [record for record in own if "contract" in record]
        if not deals:
            continue
        if not told:
            told = True
            yield Table(("what it means",), [(line,) for line in _LEGEND], wraps=True)
        yield _paid(deals, f"{file}: {game}, what was paid")
        yield _totals(deals)
        yield _beside(deals)
    if told:
        yield from player_tables(player.to_dict() for player in by_player(done))


def _names(deals: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(name for one in deals for name in one["names"].values()))


def _short(names: Sequence[str], other: int) -> list[str]:
    """Names as headers of columns, where the other columns take so much."""
    most = max((room(sys.stdout) - other) // len(names) - 2, 3)
    cut = [name if len(name) <= most else name[:most] for name in names]
    return cut if len(set(cut)) == len(cut) else list(names)


def _paid(deals: Sequence[Record], title: str) -> Table:
    """What each player gained by each deal, with the contract and how it ended."""
    names = _names(deals)
    rows = []
    for one in deals:
        seats = {name: seat for seat, name in one["names"].items()}
        points = one["points"] or {}
        gains = [points.get(seats[name]) if name in seats else None for name in names]
        rows.append((label(one), *gains, (one["pool"] or {}).get("after"), _ended(one)))
    headers, rows_ = filled(("deal", *_short(names, 38), "pool", "contract"), rows)
    return Table(headers, rows_, title, wraps=True)


def _ended(record: Record) -> str:
    if record["passed_out"]:
        return "passed out"
    ended = record["outcome"]
    if record["error"] is not None:
        ended = "not settled"
    elif ended is None and isinstance(record["made"], Mapping):
        ended = ", ".join(
            f"{record['names'][seat]} {'made' if made else 'failed'}"
            for seat, made in record["made"].items()
        )
    declarers = record["declarer"]
    by = declarers if isinstance(declarers, list) else [declarers]
    who = " ".join(record["names"][seat] for seat in by)
    helper = record["called"] or record["names"].get(record["partner"])
    parts = (who, record["contract"], trump_text(record["trump"]), helper or record["penalty"])
    return f"{' '.join(filter(None, parts))}: {ended}"


def _totals(deals: Sequence[Record]) -> Table:
    """The running totals."""
    names = _names(deals)
    rows = []
    for one in deals:
        totals = {total["player"]: total["points"] for total in one["totals"]}
        over = f"{' '.join(one['over'])}: the game is over" if one["over"] else ""
        rows.append((label(one), *map(totals.get, names), over))
    headers, rows_ = filled(("deal", *_short(names, 30), ""), rows)
    return Table(headers, rows_, "running totals", wraps=len(headers) > len(names) + 1)


def _beside(deals: Sequence[Record]) -> Table:
    """What was paid beside what best play pays, the best contract, and the bids missed."""
    rows = []
    for one in deals:
        names, best = one["names"], one["best_contract"]
        had = ""
        if best is not None:
            helper = best["called"] or names.get(best["partner"]) or best["penalty"]
            parts = (names[best["declarer"]], best["contract"], trump_text(best["trump"]), helper)
            had = f"{' '.join(filter(None, parts))} {_signed(best['payoff'])}"
        missed = ", ".join(names[offer["declarer"]] for offer in one["missed"])
        rows.append((label(one), _sides(one, "paid"), _sides(one, "best_play"), had, missed))
    headers = ("deal", "paid", "best play", "could have", "missed")
    return Table(headers, rows, "beside the best", wraps=True)


def _sides(record: Record, name: str) -> str:
    """What the declarers get."""
    score, declarer = record[name], record["declarer"]
    if score is None or declarer is None:
        return ""
    by = declarer if isinstance(declarer, list) else [declarer]
    return " ".join(_signed(score.get(seat)) for seat in by)
