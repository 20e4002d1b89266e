"""`spadille score`: the payoffs of an evening's deals, and the best possible ones."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby

import click

from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.best_result import Offer
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.deal_settlement import NOT_SETTLED, Pool
from spadille.analysis.evening.score import Stakes, by_player
from spadille.core.contract import Contract
from spadille.pbn.write_deals import surrender_value
from spadille.render.results.score import (
    evening_labels,
    game_end,
    players,
    score_legend,
    tables,
    unseen_hands,
)
from spadille.render.tables import Cell, Column, attributes, through
from spadille_cli.case_and_answer import DealAnswer
from spadille_cli.chances_options import chances_options
from spadille_cli.contract_options import refused_seat
from spadille_cli.csv_columns import ScoreColumns, rows_by_deal
from spadille_cli.deal_source import Source, source_options
from spadille_cli.evenings import Evening
from spadille_cli.exit_status import Status, Tally
from spadille_cli.human_readable_tables import TextTable, room
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.shared_options import (
    GroupedCommand,
    Whole,
    cli_option,
    legend_option,
    one_evening_option,
    threads_option,
    usage_errors,
)


@click.command("score", cls=GroupedCommand)
@source_options()
@refused_seat
@legend_option
@cli_option("--by", "Show each deal, or each player's totals over all deals.", *("deal", "player"))
@one_evening_option
@chances_options(
    "Also show which errors were avoidable, and which cards were only lucky.", "a deal"
)
@cli_option(
    "--chips N",
    "Chips each player starts with (default: Ombre 50, Quadrille and Quintille 40).",
    type=Whole(0),
)
@cli_option("--stake AMOUNT", "Value of a point or chip in money, such as 0.10.")
@threads_option
@output_options
def command(
    source: Source,
    by: str,
    explained: bool,
    one_evening: bool,
    drawing: Drawing | None,
    chips: int | None,
    stake: str | None,
    threads: int,
    output: Output,
) -> Status:
    """Settle an evening: show what each deal paid, and to whom.

    Each file is an evening, or with --one-evening all files together. The pool and
    the totals carry over from deal to deal. A deal's Pool tag overrides the carried
    pool, with a warning if they differ. Players are identified by the names in the
    file (tags North, East, South, West or Player1 to Player5), so they may change
    seats; without names, they are identified by seat. Play, Result, Tricks, Paid,
    Surrender or a Contract "Pass" settles a deal; unsettled deals are reported and
    left out. In games that end after a number of hands or points, the winner or the
    number of hands left is shown.

    It also shows, double-dummy, the payoff with best play, the best contract,
    missed bids, and what each player's errors cost in tricks and points.
    --chances also counts how many of each player's cards were errors, unlucky,
    lucky or fine.

    \b
    Examples:
      spadille score evening.pbn
      spadille score --by player --format csv evenings/ > players.csv
      spadille score --chances --seconds 5 evening.pbn
      spadille score friday.pbn saturday.pbn --one-evening
      spadille score --format jsonl evening.pbn
    """
    with usage_errors("--stake"):
        stakes = Stakes(chips=chips, stake=stake)
    if by == "player" and explained:
        raise click.UsageError("--legend needs --by deal")
    tally = Tally()
    source = replace(source, one_evening=one_evening)
    evening = Evening.of(source, tally, seen=drawing is not None)
    if by == "player":
        evening.write_players(output, tally, threads, drawing, stakes)
        return tally.status(fail=False)
    rows = rows_by_deal(_columns(ScoreColumns.of(evening.cases)), _deals)
    done: dict[int, DealScore] = {}
    with output.progress(evening.cases) as steps:
        answers = _answers(evening.scores(steps, tally, threads, drawing), done)
        explained = explained or output.format == "html"
        view = View(*rows, partial(_tables, done, stakes, one_evening, explained))
        output.write(answers, view, tally)
    return tally.status(fail=False)


def _answers(
    answers: Iterable[DealAnswer[DealScore]], done: dict[int, DealScore]
) -> Iterator[DealAnswer[DealScore]]:
    """Yield the answers, without scores for faulty deals; `done` collects all scores by case."""
    for answer in answers:
        error = answer.case.error
        if answer.result is not None:
            done[id(answer.case)] = answer.result
        judged = answer.result is not None and answer.result.review is not None
        open_ = error is not None and error.code != NOT_SETTLED and not judged
        yield DealAnswer(answer.case) if open_ else answer


def _deals(score: DealScore) -> tuple[DealScore]:
    return (score,)


def _contract(score: DealScore) -> Contract | None:
    return score.settled.contract


def _pool(score: DealScore) -> Pool | None:
    return score.settled.pool


def _best(score: DealScore) -> Offer | None:
    return score.best_contract


def _made(score: DealScore) -> Cell:
    made, contract = score.settled.made, score.settled.contract
    if made is None or contract is None:
        return None
    if len(contract.declarers) > 1:
        return "; ".join(f"{seat} {outcome}" for seat, outcome in made.items())
    return next(iter(made.values()), None)


def _surrender(score: DealScore) -> str | None:
    given = score.settled.surrender
    return None if given is None else surrender_value(given)


_CONTRACT: tuple[Column[Contract], ...] = (
    Column("declarer", lambda contract: " ".join(contract.declarers)),
    Column("contract", lambda contract: " ".join(dict.fromkeys(contract.ids))),
    *attributes("trump", "called", "partner"),
)
_POOL: tuple[Column[Pool], ...] = (
    Column("pool_before", lambda pool: pool.before),
    Column("pool_after", lambda pool: pool.after),
)
_BEST: tuple[Column[Offer], ...] = (
    Column("best_declarer", lambda offer: offer.declarer),
    Column("best_contract", lambda offer: offer.contract),
    Column("best_trump", lambda offer: offer.trump),
    Column("best_payoff", lambda offer: offer.least),
)


def _columns(scores: ScoreColumns) -> tuple[Column[DealScore], ...]:
    def player(seat: str, score: DealScore) -> Cell:
        return score.settled.players.get(seat)

    return (
        *through(_contract, _CONTRACT),
        Column("outcome", lambda score: score.settled.outcome),
        Column("made", _made),
        *through(_pool, _POOL),
        *(
            Column(f"player_{seat}", partial(player, seat))
            for seat in scores.seats
            if seat != "pool"
        ),
        *scores.columns("points", lambda score: score.settled.points, _contract),
        *scores.columns("best_play", lambda score: score.best_play, _contract),
        *through(_best, _BEST),
        Column("missed", lambda score: " ".join(offer.declarer for offer in score.missed)),
        Column("dealer", lambda score: score.settled.deal and score.settled.deal.dealer),
        *through(_contract, attributes("penalty")),
        Column("rules", lambda score: score.settled.deal and score.settled.deal.rules.text),
        Column("surrender", _surrender),
    )


def _tables(
    done: Mapping[int, DealScore],
    stakes: Stakes,
    one_evening: bool,
    explained: bool,
    answers: Iterable[DealAnswer[DealScore]],
) -> Iterator[TextTable]:
    width = room(sys.stdout)
    scores: list[DealScore] = []
    for (file, game), own in groupby(
        answers, lambda answer: ("" if one_evening else answer.case.name, answer.case.game)
    ):
        group = list(own)
        scores += [done[id(answer.case)] for answer in group if id(answer.case) in done]
        shown = [(answer.case, answer.result) for answer in group if answer.result is not None]
        labels = evening_labels([(case.name, case.label) for case, _ in shown])
        deals = [(label, score) for label, (_, score) in zip(labels, shown, strict=True)]
        if deals:
            title = ": ".join(filter(None, (file, game)))
            yield from tables(deals, f"{title}, payoffs", width)
            yield from game_end(deals)
            yield from unseen_hands(deals)
    if scores:
        yield from players(by_player(scores, stakes), width)
        if explained:
            yield score_legend()
