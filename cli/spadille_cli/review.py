"""`spadille review`: the value of each card in recorded play, and its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import click

from spadille.analysis.auction.before_play import BeforePlay, before_play
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.confidence_intervals import Interval
from spadille.analysis.review.card_costs import Judged, Moved, ReviewedCard
from spadille.analysis.review.refutation import Refutation
from spadille.analysis.review.review import review_many
from spadille.analysis.review.review_result import Review
from spadille.analysis.review.unseen_hands import unseen_review
from spadille.base.errors import Fault, SpadilleError, attempt
from spadille.base.json_fields import rounded
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Trick
from spadille.games.model.contract_types_and_options import Surrender
from spadille.pbn.document import PbnGame
from spadille.render.annotate import annotate, write_play_table
from spadille.render.deal_sheet import Sheet
from spadille.render.results.review import decided, review_legend, tables
from spadille.render.tables import Cell, Column, attributes, through
from spadille.search.verdict import Unit
from spadille_cli.case_and_answer import Case, DealAnswer
from spadille_cli.chances_answers import review_by_knowledge
from spadille_cli.chances_options import chances_options
from spadille_cli.contract_options import check_game_has_seat, check_seat
from spadille_cli.csv_columns import rows_by_deal
from spadille_cli.deal_drawings import drawn
from spadille_cli.deal_source import Source, played_only, replayed, show_options, source_options
from spadille_cli.evenings import Evening
from spadille_cli.exit_status import Status, Tally
from spadille_cli.fault_reports import report
from spadille_cli.guarded_cases import answered, guarded, refused, with_questions
from spadille_cli.human_readable_tables import TextTable
from spadille_cli.output_files import saving_edits
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.shared_options import (
    GroupedCommand,
    cli_option,
    legend_option,
    seats,
    threads_option,
)

_Question: TypeAlias = tuple[Deal, Contract, tuple[str, ...], Surrender | None, tuple[str, ...]]
_Answer: TypeAlias = DealAnswer[Review | BeforePlay]


@click.command("review", cls=GroupedCommand)
@source_options(show_options)
@cli_option("--annotate", "Write marks and comments after the cards in the file.", name="annotated")
@cli_option(
    "--optimum", "Also list the best cards at every step; with --annotate, as OptimumPlayTable."
)
@legend_option
@cli_option("--by", "Show each card, or each player's totals over all deals.", *("card", "player"))
@cli_option("--seat SEAT", "Only cards and decisions of this player.", type=seats, complete="seat")
@chances_options(
    "Also value each card based on what its player knew, to separate errors from bad luck.",
    "a deal",
)
@threads_option
@output_options
def command(
    source: Source,
    annotated: bool,
    optimum: bool,
    by: str,
    explained: bool,
    seat: str | None,
    drawing: Drawing | None,
    threads: int,
    output: Output,
) -> Status:
    """Review the recorded play: show what each card cost, double-dummy.

    Shows the value after every trick, each costly card with better cards and a
    refutation, the turning point, and totals for each player and side. The review
    starts with the decisions before the first card: calls, trump, called card and
    exchange, each with its payoff and a better choice. In Ombre, it also shows the
    decisions to surrender or play on.

    With --chances, a costly card is an error if the player could have known better,
    and otherwise unlucky; a card that cost nothing is lucky if the player could
    have known of a better one. If some hands are unknown, only cards from the known
    hands are judged, each as an error or as fine.

    --annotate writes marks and comments into the Play section and changes
    nothing else; a second review replaces the first.

    \b
    Examples:
      spadille review deals.pbn
      spadille review --annotate deals.pbn
      spadille review --chances --seconds 30 deals.pbn
      spadille review --format csv -o cards.csv deals.pbn
      spadille review --by player evenings/
      spadille review --game solo-whist --contract misere --declarer E bridge.pbn
    """
    tally = Tally()
    check_seat(seat, source.terms)
    if by == "player":
        options = {
            "--annotate": annotated,
            "--optimum": optimum,
            "--show": source.shown,
            "--legend": explained,
            "--seat": seat,
        }
        for option, given in options.items():
            if given:
                raise click.UsageError(f"{option} needs --by card")
        evening = Evening.of(source, tally, seen=drawing is not None)
        evening.write_players(output, tally, threads, drawing)
        return tally.status(fail=False)
    selected = source.cases(tally, edited=annotated, passed_out=True, seen=drawing is not None)
    cases = list(played_only(selected, given_up=True, passed_out=True))
    cases = [guarded(partial(_replayed, seat, tally), case, tally) for case in cases]
    ask = partial(_question, seen=drawing is not None)
    cases, questions = with_questions(cases, ask, tally)
    results = review_many(questions, every=optimum, refutations=True, threads=threads)
    columns = (*_CARD, *(_KNOWN if drawing else ()))
    draw = partial(_tables, explained or output.format == "html", seat)
    view: View[_Answer] = View(*rows_by_deal(columns, partial(_cards, seat)), draw)
    with saving_edits(cases, tally), output.progress(cases) as steps:
        answers = _answers(steps, results, tally, drawing)
        if annotated:
            answers = (_annotated(answer, tally, optimum) for answer in answers)
        if seat is not None:
            answers = (_OfSeat(answer.case, answer.result, seat) for answer in answers)
        output.write(answers, view, tally)
    return tally.status(fail=False)


def _replayed(seat: str | None, tally: Tally, case: Case) -> Case:
    if seat is not None and case.deal is not None:
        check_game_has_seat(case.deal, seat)
    return replayed(case, tally)


def _question(case: Case, *, seen: bool) -> _Question | None:
    if case.deal is None or case.contract is None or (seen and _is_unseen(case)):
        return None
    return case.deal, case.contract, case.cards, case.surrender, _calls(case)


def _is_unseen(case: Case) -> bool:
    """Return whether some hands are unknown; cards are then judged only by chances."""
    return case.deal is not None and None in case.deal.hands.values()


def _unseen(case: Case) -> Review:
    assert case.deal is not None
    assert case.contract is not None
    return unseen_review(case.deal, case.contract, case.cards, case.entry.surrender)


def _answers(
    cases: Iterable[Case],
    results: Iterator[Review | SpadilleError],
    tally: Tally,
    drawing: Drawing | None,
) -> Iterator[_Answer]:
    for this_case in cases:
        if this_case.error is None and this_case.deal is not None and this_case.contract is None:
            # The deal was passed out, so only the auction is judged.
            advice = attempt(partial(before_play, this_case.deal, None, _calls(this_case)))
            yield from answered([this_case], iter([advice]), tally)
            continue
        if drawing and this_case.error is None and _is_unseen(this_case):
            (answer,) = answered([this_case], iter([attempt(partial(_unseen, this_case))]), tally)
        else:
            (answer,) = answered([this_case], results, tally)
        case, result = answer.case, answer.result
        if result is None:
            yield answer
            continue
        play = case.play
        if case.play_fault is not None or (play is not None and play.in_progress):
            result = result.cut_short()
        if drawing:
            judged = attempt(partial(review_by_knowledge, case, result, drawing))
            if isinstance(judged, SpadilleError):
                yield DealAnswer(refused(case, judged, tally))
                continue
            result = judged
        yield DealAnswer(guarded(partial(_stopped, result, tally), case, tally), result)


def _annotated(answer: _Answer, tally: Tally, optimum: bool) -> _Answer:
    """Write a review into the file."""
    case, review = answer.case, answer.result
    if not isinstance(review, Review) or case.play is None:
        return answer
    error = attempt(partial(_annotate, case.entry.game, case.play.places, review, optimum))
    return DealAnswer(refused(case, error, tally)) if isinstance(error, SpadilleError) else answer


def _annotate(
    game: PbnGame, places: Sequence[tuple[int, int]], review: Review, optimum: bool
) -> None:
    annotate(game, places, review)
    if optimum:
        write_play_table(game, review)


def _calls(case: Case) -> tuple[str, ...]:
    """Return the recorded calls if they led to the reviewed contract."""
    known = case.contract == case.entry.contract and case.entry.calls
    return tuple(known[1]) if known else ()


def _stopped(review: Review, tally: Tally, case: Case) -> Case:
    """If the review ends early, return the case with the fault that ended it."""
    if case.play_fault is not None:
        return replace(case, error=case.play_fault)  # reported when the play was read
    play = case.play
    if review.error is None or play is None:
        return case
    # A revoke that the file admits (^R) is not a fault in the file, but it still ends the review.
    number = len(review.steps)
    line, column = play.places[number]
    message = str(review.error)
    fault = Fault(
        review.error.code, message, "Play", play.cards[number], "", line=line, column=column
    )
    report(case.name, [fault], tally, case.entry.game.document)
    return replace(case, error=fault)


@dataclass(frozen=True, slots=True)
class _OfSeat(DealAnswer[Review | BeforePlay]):
    """A review with only one player's cards and decisions."""

    seat: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of JSON."""
        fields = DealAnswer.to_dict(self)
        for name in ("cards", "decisions"):
            if name in fields:
                fields[name] = [row for row in fields[name] if row["seat"] == self.seat]
        return fields


def _cards(seat: str | None, review: Review | BeforePlay) -> Sequence[ReviewedCard]:
    steps = review.steps if isinstance(review, Review) else ()
    return [step for step in steps if seat in (None, step.seat)]


def _rows_of(seat: str | None, tables: Iterable[TextTable]) -> Iterator[TextTable]:
    """Yield the tables; from those with a row per player, keep only the rows for `seat`."""
    for table in tables:
        column = next(
            (at for at, name in enumerate(table.headers) if name in ("player", "seat")), None
        )
        if seat is None or column is None:
            yield table
        elif rows := [row for row in table.rows if row[column] == seat]:
            yield table._replace(rows=rows)


def _of_each(step: ReviewedCard, value: Callable[[Moved], Cell]) -> Cell:
    """Return the values of several declarers as one cell, each after its seat."""
    values = {seat: value(moved) for seat, moved in step.contractors.items()}
    if len(values) == 1:
        return next(iter(values.values()))
    return "; ".join(f"{seat} {cell}" for seat, cell in values.items() if cell is not None) or None


def _why(value: Callable[[Refutation], str]) -> Callable[[ReviewedCard], Cell]:
    """Return a function that fills the cell for a refutation."""

    def of(moved: Moved) -> str | None:
        return None if moved.refutation is None else value(moved.refutation)

    return lambda step: _of_each(step, of)


def _line(tricks: Iterable[Trick]) -> str:
    return " / ".join(" ".join(trick.cards) for trick in tricks)


_CARD: tuple[Column[ReviewedCard], ...] = (
    *attributes("trick", "seat", "card", "choice"),
    Column("before", lambda step: _of_each(step, lambda moved: moved.before)),
    Column("after", lambda step: _of_each(step, lambda moved: moved.after)),
    Column("cost", lambda step: _of_each(step, lambda moved: moved.cost)),
    Column("mark", lambda step: step.mark),
    Column("best", lambda step: _of_each(step, lambda moved: " ".join(moved.best))),
    Column("hint", lambda step: step.hint),
    Column("refutation", _why(lambda why: _line(why.tricks))),
    Column("better_line", _why(lambda why: _line(why.better))),
    Column("words", _why(lambda why: why.words)),
)
_JUDGED: tuple[Column[Judged], ...] = (
    Column("chance", lambda judged: rounded(judged.made)),
    Column("chance_interval", lambda judged: _ends(judged.made_interval)),
    *attributes("rank", "verdict"),
)


def _ends(interval: Interval | None) -> str | None:
    return None if interval is None else " ".join(map(str, rounded(interval)))


def _judged(step: ReviewedCard) -> Judged | None:
    return step.judged


_KNOWN = through(_judged, _JUDGED)


def _tables(
    explained: bool, seat: str | None, answers: Iterable[_Answer]
) -> Iterator[TextTable | Sheet]:
    units: dict[Unit, str] = {}
    for answer in answers:
        case, review = answer.case, answer.result
        if isinstance(review, BeforePlay):
            yield from drawn(case)
            yield from _rows_of(seat, decided(review, case.title))
        if not isinstance(review, Review) or not (
            review.steps or review.surrender or review.decisions
        ):
            if case.error is None:
                yield TextTable(("",), (), f"{case.title}: nothing played")
            continue
        yield from drawn(case)
        won = case.deal.won if case.deal else None
        yield from _rows_of(seat, tables(review, case.title, won=won, seat=seat))
        # A drawn deal starts a new sheet, which may be handed out separately.
        if case.shown and explained:
            yield review_legend(review.unit)
        elif case.deal:
            units[review.unit] = case.deal.rules.game.name
    for unit, game in units.items() if explained else ():
        yield review_legend(unit, game if len(units) > 1 else "")
