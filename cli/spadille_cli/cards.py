"""`spadille cards`: the value of every card that may be played at some point of the play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import click

from spadille.analysis.cards import card_values_many
from spadille.render.sheet import Sheet
from spadille_cli.deals import (
    Source,
    guarded,
    played,
    records,
    source_options,
    warned_of_matadors,
)
from spadille_cli.drawing import Row, Table, filled
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.params import threads_option
from spadille_cli.points import Point, point_options
from spadille_cli.scores import ScoreColumns
from spadille_cli.sheets import drawn, line_grid, show_option
from spadille_cli.solve import label, naming
from spadille_cli.status import Status, Tally

_COMMON = ("file", "index", "board", "game", "after", "trick", "player")
_CARD = (
    "card",
    "tricks",
    "makes",
    "margin",
    "outcome",
    "points",
    "cost",
    "effect",
    "named",
)
_EFFECTS = {"keeps": "keeps it", "loses": "loses it", None: ""}


@click.command("cards")
@source_options()
@show_option
@point_options
@click.option("--line", is_flag=True, help="An optimal line of play from there, too.")
@threads_option
@output_options
def command(
    source: Source,
    point: Point,
    line: bool,
    threads: int,
    output: Output,
) -> Status:
    """Value every card the player to move may play, all hands open.

    For each card: the tricks the declaring side gets (or the outcome, or the
    points each contractor is sure of), what the card costs the side that
    plays it, and whether it keeps or loses what that side has in hand, the
    contract or its defeat; * marks the best. The point is where the recorded play stands,
    unless --after or --trick names an earlier one.

    \b
    Examples:
      spadille cards deals.pbn
      spadille cards --after 0 --line deals.pbn
      spadille cards --trick 3 --format csv deals.pbn
    """
    tally = Tally()
    cases = warned_of_matadors(source.cases(tally), tally)
    if point.played:
        cases = list(played(cases))
    cases = [guarded(lambda case: point.of(case, tally), case, tally) for case in cases]
    questions = (
        (case.deal, case.contract, case.cards)
        for case in cases
        if case.error is None and case.deal and case.contract
    )
    results = card_values_many(questions, line=line, threads=threads)
    with output.progress(cases) as steps:
        found = records(steps, results, tally)
        scores = ScoreColumns.of(cases)
        fields = (*_COMMON, *_CARD, *scores.fields())
        output.write(found, View(fields, partial(_rows, scores), _tables), tally)
    return tally.status(fail=False)


def _rows(scores: ScoreColumns, record: Record) -> Iterator[Row]:
    common = [record.get(name) for name in _COMMON]
    for card in record.get("cards", ()):
        values = [_flat(card.get(name)) for name in _CARD]
        yield common + values + scores.cells(card.get("score"), record["declarer"])


def _flat(value: Any) -> Any:
    if isinstance(value, Mapping):
        return " ".join(f"{key}:{item}" for key, item in value.items() if item is not None)
    return value


def _tables(records: Iterable[Record]) -> Iterator[Table | Sheet]:
    for record in records:
        if record["error"] is not None:
            continue
        yield from drawn(record)
        title = f"{record['file']}: deal {label(record)}, {record['contract']}"
        if record["player"] is None:
            lost = record["lost_at"]
            end = f"played to the end, {_flat(record['value'])}"
            if lost is not None:
                end = f"the hand is over: trick {lost} is lost, and all were needed"
            yield Table(("",), (), f"{title}: {end}")
            continue
        lying = " ".join(record["table"])
        title += ", trump open" if record["trump"] is None else ""
        title += f", trick {record['trick']}, {record['player']} to play"
        title += f" to {lying}" if lying else ""
        value = {"tricks": "tricks", "outcome": "outcome", "points": "sure points"}[record["unit"]]
        stake = "contract" if _in_hand(record) else "defeat"
        headers = ["card", "naming", value, "cost", stake, "score"]
        rows = [
            (
                card["card"] + ("" if _cost(card["cost"]) else " *"),
                card.get("named"),
                _flat(card[record["unit"]]),
                _cost(card["cost"]),
                _effect(card["effect"]),
                _flat(card["score"]),
            )
            for card in record["cards"]
        ]
        yield Table(*filled(headers, rows), title)
        if record["decision"] is not None:
            yield Table(("stop or go on",), [(line,) for line in _decision(record)], wraps=True)
        yield from _lines(record)


def _decision(record: Record) -> Iterator[str]:
    """What the side may choose between here, in words."""
    found = record["decision"]
    stopped, went_on = found["payoffs"]["stopped"], found["payoffs"]["went_on"]
    who = "+".join(found["counted"])
    yield (
        f"{who} won each of the first tricks: the hand may stop here. Any card goes on for all "
        f"{found['target']} tricks, and the values above are of that."
    )
    better = {"stopped": "stopping is better", "went_on": "going on is better", None: "both alike"}
    yield (
        f"Stopping pays {'+'.join(_side(record))} {stopped:+d}, going on {went_on:+d}: "
        f"{better[found['better']]}."
    )


def _side(record: Record) -> list[str]:
    return [seat for seat in (record["declarer"], record["partner"]) if seat]


def _in_hand(record: Record) -> bool:
    """Whether it is a contract, not its defeat, that cards can lose."""
    makes = record["makes"]
    return isinstance(makes, Mapping) or bool(makes)


def _cost(cost: Any) -> Any:
    if isinstance(cost, Mapping):
        return " ".join(f"{seat}:{one}" for seat, one in cost.items() if one)
    return cost or None


def _effect(effect: Any) -> str:
    if isinstance(effect, Mapping):
        return " ".join(f"{seat}:{one}" for seat, one in effect.items() if one == "loses")
    return _EFFECTS[effect]


def _lines(record: Record) -> Iterator[Table]:
    line = record.get("line")
    if line is None:
        return
    for seat, tricks in line.items() if isinstance(line, Mapping) else [("", line)]:
        who = f" for {seat}" if seat else ""
        yield line_grid(record, tricks, f"A line{who}{naming(record)}")
