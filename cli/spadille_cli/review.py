"""`spadille review`: what each card of a recorded play was worth, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import click

from spadille.analysis.auction.before_play import before_play
from spadille.analysis.chances.sampling_plan import Drawing
from spadille.analysis.review.review import Review, review_many
from spadille.base.errors import Fault, SpadilleError, attempt
from spadille.render.annotate import annotate, write_play_table
from spadille.render.results.review import decided, going_on, tables
from spadille.render.sheet import Sheet
from spadille_cli.chances_options import chances_options, reviewed
from spadille_cli.deal_drawings import drawn, is_drawn, show_option
from spadille_cli.deal_records import Case, CaseRecord, board_label, common_fields
from spadille_cli.deal_source import Source, played_only, replayed, source_options
from spadille_cli.evening_table import Evening
from spadille_cli.fault_messages import report
from spadille_cli.file_edits import saving_edits
from spadille_cli.guard import answered, guarded, recorded, refused
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.shared_options import threads_option
from spadille_cli.status import Status, Tally
from spadille_cli.table_formats import LAYOUTS, Row, TextTable

_COMMON = ("file", "index", "board", "game")
_CARD = ("trick", "seat", "card", "choice", "before", "after", "cost", "mark", "best", "hint")
_WHY = ("refutation", "better_line", "words")
_KNOWN = ("chance", "chance_interval", "rank", "verdict")


@click.command("review")
@source_options()
@show_option
@click.option(
    "--annotate",
    "annotated",
    is_flag=True,
    help="Write signs and comments behind the cards in the file.",
)
@click.option(
    "--optimum",
    is_flag=True,
    help="The best cards of every step; with --annotate as OptimumPlayTable.",
)
@click.option(
    "--by",
    type=click.Choice(("card", "player")),
    default="card",
    show_default=True,
    help="The cards of each deal, or each player over all deals, as score has it.",
)
@chances_options(
    "Also what each card was worth on what its player knew, and whether that makes it an error.",
    "a deal",
)
@threads_option
@output_options
def command(
    source: Source,
    annotated: bool,
    optimum: bool,
    by: str,
    drawing: Drawing | None,
    threads: int,
    output: Output,
) -> Status:
    """Go over the recorded play: what each card cost.

    All hands open: for every card the value before and after it, the better
    ones where it cost something, the turning point, and an account for each
    player and side. Before that the calls of the auction, the trumps, the
    called card and the exchange: what each paid its player, what would have
    paid him more. In Ombre also what it cost to surrender, or to play on where
    surrendering paid more.
    --chances adds what each player could have known: a card that cost something
    is an error, or unlucky where none was better on that; one that cost
    nothing is lucky where a better one could be known.
    --annotate writes signs and comments into the Play section; nothing else in
    the file changes, and a second review replaces the first. The contract is
    that of the file, or the one the options name.

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
    if by == "player":
        if annotated or optimum:
            raise click.UsageError("--annotate and --optimum go with --by card")
        Evening.of(source, tally).write_players(output, tally, threads, drawing)
        return tally.status(fail=False)
    found = source.cases(tally, edited=annotated, passed_out=True)
    cases = list(played_only(found, given_up=True, passed_out=True))
    cases = [guarded(lambda case: replayed(case, tally), case, tally) for case in cases]
    fields = (*_COMMON, *_CARD, *_WHY, *(_KNOWN if drawing else ()))
    with saving_edits(cases, tally), output.progress(cases) as steps:
        records = _records(
            steps,
            cases,
            tally,
            annotated=annotated,
            optimum=optimum,
            drawing=drawing,
            drawn=output.format in LAYOUTS,
            threads=threads,
        )
        output.write(records, View(fields, partial(_rows, fields), _tables), tally)
    return tally.status(fail=False)


def _records(
    steps: Iterable[Case],
    cases: list[Case],
    tally: Tally,
    *,
    annotated: bool,
    optimum: bool,
    drawing: Drawing | None,
    drawn: bool,
    threads: int,
) -> Iterator[Record]:
    questions = (
        (case.deal, case.contract, case.cards, case.surrender, _calls(case))
        for case in cases
        if case.error is None and case.deal and case.contract
    )
    results = review_many(questions, every=optimum, refutations=True, threads=threads)
    for each in steps:
        if each.error is None and each.contract is None:
            yield recorded(each, tally, partial(_passed_out, each))
            continue
        ((case, result),) = answered([each], results, tally)
        if result is None:
            yield common_fields(case)
            continue
        play = case.play
        if case.play_fault is not None or (play is not None and play.in_progress):
            result = result.cut_short()
        if drawing:
            judged = attempt(partial(reviewed, case, result, drawing))
            if isinstance(judged, SpadilleError):
                yield common_fields(refused(case, judged, tally))
                continue
            result = judged
        fields = partial(_fields, case, result, annotated=annotated, optimum=optimum)
        record = recorded(guarded(partial(_stopped, result, tally), case, tally), tally, fields)
        if drawn:
            record.steps = result.steps
        yield record


def _calls(case: Case) -> tuple[str, ...]:
    """The auction that led to the contract reviewed."""
    known = case.contract == case.entry.contract and case.entry.calls
    return tuple(known[1]) if known else ()


def _passed_out(case: Case) -> Record:
    """Judge the auction of a deal that nobody played."""
    assert case.deal is not None
    return before_play(case.deal, None, _calls(case)).to_dict()


def _fields(case: Case, found: Review, *, annotated: bool, optimum: bool) -> Record:
    if annotated and case.play:
        annotate(case.entry.game, case.play.places, found)
        if optimum:
            write_play_table(case.entry.game, found)
    return found.to_dict()


def _stopped(found: Review, tally: Tally, case: Case) -> Case:
    """The case with the fault at which its review ends, if it does."""
    if case.play_fault is not None:
        return replace(case, error=case.play_fault)  # reported when the play was read
    play = case.play
    if found.error is None or play is None:
        return case
    # A revoke the file itself owns up to (^R) is no fault of the file, but ends the review, too.
    number = len(found.steps)
    line, column = play.places[number]
    message = str(found.error)
    fault = Fault(found.error.code, message, "Play", play.cards[number], "", line, column)
    report(case.name, [fault], tally)
    return replace(case, error=fault)


def _rows(fields: tuple[str, ...], record: Record) -> Iterator[Row]:
    common = [record[name] for name in _COMMON]
    for card in record.get("cards", ()):
        yield common + [_flat(card.get(name)) for name in fields[len(_COMMON) :]]


def _flat(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_flat(item)}" for key, item in value.items())
    if isinstance(value, list):
        tricks = value and isinstance(value[0], list)
        value = [str(each) if isinstance(each, float) else each for each in value]
        return " / ".join(map(_flat, value)) if tricks else " ".join(value)
    return value


def _tables(records: Iterable[Record]) -> Iterator[TextTable | Sheet]:
    told: set[str] = set()
    for record in records:
        if not (record.get("cards") or record.get("surrender") or going_on(record)):
            name = f"{record['file']}: deal {board_label(record)}"
            if "cards" not in record and record["error"] is None:
                yield from drawn(record)
                yield from decided(record, name)
            if record["error"] is None:
                yield TextTable(("",), (), f"{name}: nothing played")
            continue
        yield from drawn(record)
        unit = record["unit"]
        assert isinstance(record, CaseRecord)
        steps, deal = record.steps, record.case.deal
        won = None if deal is None else deal.won
        name = f"{record['file']}: deal {board_label(record)}"
        # A deal that is drawn begins a sheet, which may be handed out alone.
        known = unit in told and not is_drawn(record)
        game = deal.rules.game.name if deal and told - {unit} else ""
        yield from tables(record, name, told=known, game=game, won=won, steps=steps)
        told.add(unit)
