"""`spadille cards`: the value of every legal card at some point in the play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import click

from spadille.analysis.chances.card_chances_result import CardChance, Chances
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.result_text_forms import range_text
from spadille.analysis.value.card_values import (
    CardValue,
    CardValues,
    CardWorth,
    card_values_many,
)
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.render.deal_sheet import Sheet
from spadille.render.results import card_chances as chances_view
from spadille.render.results.cards import tables
from spadille.render.results.shared_cells import known_by_contractor
from spadille.render.tables import Column, attributes, through
from spadille_cli.case_and_answer import Case, DealAnswer
from spadille_cli.chances_answers import (
    CHANCE_COLUMNS,
    PLAN_COLUMNS,
    card_strategy,
    chances_of_cards,
)
from spadille_cli.chances_options import (
    chances_options,
    limits_without_chances,
    nodes_option,
    plan_options,
)
from spadille_cli.contract_options import check_seat
from spadille_cli.csv_columns import ScoreColumns, rows_by_deal
from spadille_cli.deal_drawings import drawn, line_grid
from spadille_cli.deal_source import (
    Source,
    played_only,
    show_options,
    source_options,
    warned_of_matadors,
)
from spadille_cli.exit_status import Status, Tally
from spadille_cli.guarded_cases import answered, guarded, with_questions
from spadille_cli.human_readable_tables import TextTable
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.play_point import Point, at_seat, point_options
from spadille_cli.shared_options import GroupedCommand, cli_option, seats, threads_option


@click.command("cards", cls=GroupedCommand)
@source_options(show_options, plays_on=True)
@point_options
@cli_option(
    "--seat SEAT",
    "Go back to this player's last turn at or before that point.",
    type=seats,
    complete="seat",
)
@cli_option("--line", "Also show an optimal line of play from there.")
@chances_options(
    "Value the cards based on what the player knows, averaged over layouts.",
    "a decision",
    where=True,
    rank=("made", "payoff"),
)
@plan_options
@nodes_option
@threads_option
@output_options
def command(
    source: Source,
    point: Point,
    seat: str | None,
    line: bool,
    drawing: Drawing | None,
    where: tuple[str, ...],
    plan: bool,
    plan_card: str | None,
    nodes: int,
    threads: int,
    output: Output,
) -> Status:
    """Value every card that the player to move may play, double-dummy.

    Each card is shown with the number of tricks the declaring side takes (or the
    outcome, or the points each declarer is sure of), its cost to the side that
    plays it, and whether that side can still make (or defeat) the contract; * marks
    the best. The position is the end of the recorded play, unless --after or
    --trick names an earlier one; --seat goes back to that player's last turn, and
    --play continues from there. In an Entrada in Ombre, an extra row shows the
    payoff of surrendering before each of the declarer's first four cards.

    --chances values each card based on what the player knows: it shows how often
    the contract makes after that card, over all layouts that fit this knowledge,
    with a 95% confidence interval. From there on, all players play double-dummy.
    Sampling stops as soon as the answer is settled, or at the limit set by
    --samples or --seconds. In the last few tricks, --chances also shows how often
    the player can win with a card without seeing the other hands: the share of
    layouts in which a single plan succeeds, whatever the opponents do. --plan shows
    the plan for the best card, or for --card.

    If --chances is not given, --nodes and --seconds stop a search that takes too
    long; bounds are then shown instead of values.

    \b
    Examples:
      spadille cards deals.pbn
      spadille cards --after 0 --line deals.pbn
      spadille cards --trick 3 --play 'HA H8' deals.pbn
      spadille cards --after 0 --chances --seconds 5 deals.pbn
      spadille cards --trick 7 --plan deals.pbn
    """
    tally = Tally()
    check_seat(seat, source.terms)
    cases = warned_of_matadors(source.cases(tally, seen=bool(drawing)), tally)
    if point.played:
        cases = list(played_only(cases))
    cases = [guarded(lambda case: point.of(case, tally), case, tally) for case in cases]
    if seat is not None:
        cases = [guarded(lambda case: at_seat(case, seat), case, tally) for case in cases]
    limits = limits_without_chances(nodes, drawing)
    if drawing and line:
        raise click.UsageError("--line is double-dummy and cannot be combined with --chances")
    view: View[DealAnswer[CardValues | Chances]] = View(
        *rows_by_deal(_columns(ScoreColumns.of(cases), bool(drawing)), _cards), _tables
    )
    if drawing:
        strategy = partial(card_strategy, where=where, plan=plan, plan_card=plan_card)
        valued = chances_of_cards(cases, drawing, strategy, output)
        answers: Iterable[DealAnswer[CardValues | Chances]] = answered(cases, valued, tally)
        output.write(answers, view, tally)
        return tally.status(fail=False)
    cases, questions = with_questions(cases, _question, tally)
    results = card_values_many(questions, line=line, threads=threads, limits=limits)
    with output.progress(cases) as steps:
        output.write(answered(steps, results, tally), view, tally)
    return tally.status(fail=False)


def _question(case: Case) -> tuple[Deal, Contract, tuple[str, ...]] | None:
    if case.deal is None or case.contract is None:
        return None
    return case.deal, case.contract, case.cards


class _Row(NamedTuple):
    """A card at some point in the play, with its value and its chances."""

    point: CardValues | Chances
    card: str
    value: CardValue | None
    chance: CardChance | None


def _cards(result: CardValues | Chances) -> Iterator[_Row]:
    if isinstance(result, CardValues):
        yield from (_Row(result, card.card, card, None) for card in result.cards)
        return
    values = {card.card: card for card in result.double_dummy.cards} if result.double_dummy else {}
    yield from (_Row(result, card.card, values.get(card.card), card) for card in result.cards)


_POINT: tuple[Column[CardValues | Chances], ...] = (
    *attributes("after", "trick"),
    Column("player", lambda result: result.seat if isinstance(result, Chances) else result.player),
)
_VALUE: tuple[Column[CardValue], ...] = (
    Column("tricks", lambda card: known_by_contractor(card.of_each(lambda value: value.tricks))),
    Column("makes", lambda card: known_by_contractor(card.of_each(lambda value: value.makes))),
    Column("margin", lambda card: known_by_contractor(card.of_each(lambda value: value.margin))),
    Column("outcome", lambda card: known_by_contractor(card.of_each(lambda value: value.outcome))),
    Column("points", lambda card: known_by_contractor(card.of_each(lambda value: value.points))),
    Column("cost", lambda card: known_by_contractor(card.of_each(lambda value: value.cost))),
    Column("effect", lambda card: known_by_contractor(card.of_each(lambda value: value.effect))),
    Column("named", lambda card: card.named),
    Column("bounds", lambda card: known_by_contractor(card.of_each(_bounds))),
)


def _bounds(worth: CardWorth) -> str | None:
    return None if worth.bounds is None else range_text(worth.bounds)


def _columns(scores: ScoreColumns, chances: bool) -> tuple[Column[_Row], ...]:
    return (
        *through(_point, _POINT),
        Column("card", lambda row: row.card),
        *through(_value, _VALUE),
        *scores.columns("score", _score, lambda row: row.point.contract),
        *(through(_chance, CHANCE_COLUMNS) if chances else ()),
        *(through(_chance, PLAN_COLUMNS) if chances else ()),
    )


def _point(row: _Row) -> CardValues | Chances:
    return row.point


def _value(row: _Row) -> CardValue | None:
    return row.value


def _score(row: _Row) -> Mapping[str, int] | None:
    return None if row.value is None else row.value.score


def _chance(row: _Row) -> CardChance | None:
    return row.chance


def _tables(answers: Iterable[DealAnswer[CardValues | Chances]]) -> Iterator[TextTable | Sheet]:
    for answer in answers:
        case, result = answer.case, answer.result
        if result is None:
            continue
        yield from drawn(case)
        title = f"{case.title}, {result.contract.written_ids()}"
        if isinstance(result, Chances):
            yield from chances_view.tables(result, title)
        else:
            yield from tables(result, title, partial(line_grid, case))
