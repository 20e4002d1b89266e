"""`spadille cards`: the value of every card that may be played at some point of the play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

from spadille.choices import choices
from spadille.cli.deals import Case, common_fields, load_cases, refused
from spadille.cli.output import Output, Record, Row, Table, View, output_options
from spadille.cli.params import files_argument, game_option, rules_option
from spadille.cli.review import played
from spadille.cli.solve import label
from spadille.cli.status import Status, Tally
from spadille.cli.terms import Terms, terms_options
from spadille.engine import Solver
from spadille.errors import IllegalCardError, SpadilleError

_COMMON = ("file", "index", "board", "game", "after", "trick", "player")
_CARD = ("card", "tricks", "makes", "margin", "outcome", "points", "cost", "effect", "score")
_EFFECTS = {"keeps": "keeps it", "loses": "loses it", None: ""}


@click.command("cards")
@files_argument
@game_option
@rules_option
@terms_options
@click.option("--after", metavar="N", type=click.IntRange(0), help="After N cards of the play.")
@click.option("--trick", metavar="K", type=click.IntRange(1), help="Before trick K of the play.")
@click.option("--line", is_flag=True, help="An optimal line of play from there, too.")
@output_options
def command(
    files: tuple[str, ...],
    game: str | None,
    options: str,
    terms: Terms,
    after: int | None,
    trick: int | None,
    line: bool,
    output: Output,
) -> Status:
    """Value every card the player to move may play, all hands open.

    For each card: the tricks the declaring side gets (or the outcome, or the
    points each contractor is sure of), what the card costs the side that
    plays it, and whether it keeps or loses what that side has in hand, the
    contract or its defeat. The point is where the recorded play stands,
    unless --after or --trick names an earlier one.

    \b
    Examples:
      spadille cards deals.pbn
      spadille cards --after 0 --line deals.pbn
      spadille cards --trick 3 --format csv deals.pbn
    """
    if after is not None and trick is not None:
        raise click.UsageError("--after and --trick cannot go together")
    tally = Tally()
    cases = load_cases(files, tally, terms, game, options)
    if after or (trick or 1) > 1:
        cases = list(played(cases))
    with output.progress(cases) as steps:
        records = _records(steps, tally, after=after, trick=trick, line=line)
        output.write(records, View((*_COMMON, *_CARD), _rows, _tables))
    return tally.status(fail=False)


def _records(
    steps: Iterable[Case], tally: Tally, *, after: int | None, trick: int | None, line: bool
) -> Iterator[Record]:
    solver = Solver()
    for case in steps:
        record = common_fields(case)
        if case.error is None and case.deal and case.contract:
            try:
                play = _play(case, after, trick)
                record |= choices(
                    case.deal, case.contract, play, line=line, solver=solver
                ).as_dict()
            except SpadilleError as error:
                record = common_fields(refused(case, error, tally))
        yield record


def _play(case: Case, after: int | None, trick: int | None) -> tuple[str, ...]:
    """The recorded cards up to the point asked for; of another contract there are none."""
    entry = case.entry
    same = (entry.deal, entry.contract) == (case.deal, case.contract)
    play = entry.play.cards if same and entry.play else ()
    if trick is not None and case.deal:
        after = (trick - 1) * len(case.deal.rules.seats)
    if after is None:
        return play
    if after > len(play):
        raise IllegalCardError(
            f"the recorded play has {len(play)} cards, not {after}", "play-too-short"
        )
    return play[:after]


def _rows(record: Record) -> Iterator[Row]:
    common = [record.get(name) for name in _COMMON]
    for card in record.get("cards", ()):
        yield common + [_flat(card[name]) for name in _CARD]


def _flat(value: Any) -> Any:
    if isinstance(value, Mapping):
        return " ".join(f"{key}:{item}" for key, item in value.items() if item is not None)
    return value


def _tables(records: Iterable[Record]) -> Iterator[Table]:
    for record in records:
        if record["error"] is not None:
            continue
        title = f"{record['file']}: deal {label(record)}, {record['contract']}"
        if record["player"] is None:
            yield Table(("",), (), f"{title}: played to the end, {_flat(record['value'])}")
            continue
        lying = " ".join(record["table"])
        title += f", trick {record['trick']}, {record['player']} to play"
        title += f" to {lying}" if lying else ""
        value = {"tricks": "tricks", "outcome": "outcome", "points": "sure points"}[record["unit"]]
        headers = ["card", value, "cost", "contract" if _in_hand(record) else "defeat", "score"]
        rows = [
            (
                card["card"],
                _flat(card[record["unit"]]),
                _cost(card["cost"]),
                _effect(card["effect"]),
                _flat(card["score"]),
            )
            for card in record["cards"]
        ]
        if not any(row[3] for row in rows):
            headers[3] = "contract"
        yield Table(headers, rows, title)
        yield from _lines(record)


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
        rows = [
            (str(number), " ".join(trick)) for number, trick in enumerate(tricks, record["trick"])
        ]
        who = f" for {seat}" if seat else ""
        yield Table(("trick", f"in order of play, {record['leader']} leads"), rows, f"A line{who}")
