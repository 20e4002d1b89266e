"""`spadille review`: what each card of a recorded play was worth, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import click

from spadille.analysis.calls import PASS
from spadille.analysis.hints import seat_name
from spadille.analysis.review import Review, review_many
from spadille.analysis.shown import signed
from spadille.errors import Fault
from spadille.parts import Surrender
from spadille.render.annotate import annotate, write_play_table
from spadille.render.grid import play_grid
from spadille.render.sheet import Sheet
from spadille_cli.cases import Case, CaseRecord, common_fields
from spadille_cli.deals import (
    Source,
    answered,
    guarded,
    played,
    recorded,
    replayed,
    saving_edits,
    source_options,
)
from spadille_cli.drawing import LAYOUTS, Row, Table
from spadille_cli.evening import Evening
from spadille_cli.faults import report
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.params import threads_option
from spadille_cli.sheets import drawn, show_option
from spadille_cli.solve import label
from spadille_cli.status import Status, Tally
from spadille_cli.why import why

_COMMON = ("file", "index", "board", "game")
_CARD = ("trick", "seat", "card", "choice", "before", "after", "cost", "mark", "best", "hint")
_LEGEND = {
    "tricks": (
        "Values are the tricks the declaring side ends with if nobody errs any more.",
        "?   the card costs the side of its player one or more of them",
        "??  it costs his side the contract, or gives the contract to the other side",
    ),
    "outcome": (
        "Values are the outcome for the declarer if nobody errs any more.",
        "?   the card makes that worse for the side of its player",
        "??  it turns a win into a loss, or gives the declarer the win",
    ),
    "points": (
        "Values are the points each contractor is sure of against all others, in the",
        "order of their seats. Only he himself can spoil his own, and by those he is",
        "judged; the cards of others can but raise them.",
        "?   the card costs points, or gives points to one who plays against all",
        "??  it costs or gives a contract",
    ),
}
_ROWS = ">   leads to the trick, and * wins it; then the tricks won so far, and the value"


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
@threads_option
@output_options
def command(
    source: Source,
    annotated: bool,
    optimum: bool,
    by: str,
    threads: int,
    output: Output,
) -> Status:
    """Go over the recorded play: what each card cost, all hands open.

    For every card the value before and after it, the better ones where it cost
    something, the turning point, and an account for each player and side.
    Before that the calls of the auction, the trumps, the called card and the
    exchange: what each paid its player, what would have paid him more.
    --annotate writes that into the Play section of the file; nothing else in
    the file changes, and a second review replaces the first. The contract is
    that of the file, or the one the options name.

    \b
    Examples:
      spadille review deals.pbn
      spadille review --annotate deals.pbn
      spadille review --format csv -o cards.csv deals.pbn
      spadille review --by player evenings/
      spadille review --game solo-whist --contract misere --declarer E bridge.pbn
    """
    tally = Tally()
    if by == "player":
        if annotated or optimum:
            raise click.UsageError("--annotate and --optimum go with --by card")
        Evening.of(source, tally).write_players(output, tally, threads)
        return tally.status(fail=False)
    cases = list(played(source.cases(tally, edited=annotated), given_up=True))
    cases = [guarded(lambda case: replayed(case, tally), case, tally) for case in cases]
    with saving_edits(cases, tally), output.progress(cases) as steps:
        records = _records(
            steps,
            cases,
            tally,
            annotated=annotated,
            optimum=optimum,
            drawn=output.format in LAYOUTS,
            threads=threads,
        )
        output.write(records, View((*_COMMON, *_CARD), _rows, _tables), tally)
    return tally.status(fail=False)


def _records(
    steps: Iterable[Case],
    cases: list[Case],
    tally: Tally,
    *,
    annotated: bool,
    optimum: bool,
    drawn: bool,
    threads: int,
) -> Iterator[Record]:
    questions = (
        (case.deal, case.contract, case.cards, _surrender(case), _calls(case))
        for case in cases
        if case.error is None and case.deal and case.contract
    )
    results = review_many(questions, every=optimum, refutations=True, threads=threads)
    for case, result in answered(steps, results, tally):
        if result is None:
            yield common_fields(case)
            continue
        play = case.play
        if case.play_fault is not None or (play is not None and play.in_progress):
            result = result.cut_short()
        fields = partial(_fields, case, result, annotated=annotated, optimum=optimum)
        record = recorded(guarded(partial(_stopped, result, tally), case, tally), tally, fields)
        if drawn:
            record.steps = result.steps
        yield record


def _surrender(case: Case) -> Surrender | None:
    """What the file says of a surrender, if it is that of the contract reviewed."""
    return case.entry.surrender if case.contract == case.entry.contract else None


def _calls(case: Case) -> tuple[str, ...]:
    """The auction that led to the contract reviewed."""
    known = case.contract == case.entry.contract and case.entry.calls
    return tuple(known[1]) if known else ()


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


def _rows(record: Record) -> Iterator[Row]:
    common = [record[name] for name in _COMMON]
    for card in record.get("cards", ()):
        yield common + [_flat(card[name]) for name in _CARD]


def _flat(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_flat(item)}" for key, item in value.items())
    if isinstance(value, list):
        return " ".join(value)
    return value


def _tables(records: Iterable[Record]) -> Iterator[Table | Sheet]:
    told = set()
    for record in records:
        if not (record.get("cards") or record.get("surrender") or _going_on(record)):
            if record["error"] is None:
                yield Table(("",), (), f"{record['file']}: deal {label(record)}: nothing played")
            continue
        yield from drawn(record)
        unit = record["unit"]
        if unit not in told:
            told.add(unit)
            lines = [(line,) for line in (*_LEGEND[unit], _ROWS)]
            yield Table(("what it means",), lines, wraps=True)
        for table in (_before(record), _bids(record)):
            if table.rows:
                yield table
        yield _play(record)
        for table in (_mistakes(record), *why(record), _decisions(record), _notes(record)):
            if table.rows:
                yield table
        yield _summary(record)
        yield Table(("the account",), [(line,) for line in _account(record)], wraps=True)


def _heading(record: Record) -> str:
    declarers = record["declarer"]
    by = " ".join(declarers) if isinstance(declarers, list) else declarers
    title = f"{record['file']}: deal {label(record)}, {record['contract']} by {by}"
    if record["partner"]:
        title += f" with {record['partner']}"
    title += {"NT": ", no trumps", None: ", trump open"}.get(
        record["trump"], f", trumps {record['trump']}"
    )
    if record["penalty"]:
        title += f", penalty {record['penalty']}"
    return title if record["target"] is None else f"{title}, needs {record['target'] or 'none'}"


def _play(record: Record) -> Table:
    """The tricks, a column for each seat, with the value after each of them."""
    assert isinstance(record, CaseRecord)
    deal, contract = record.case.deal, record.case.contract
    assert deal is not None
    assert contract is not None
    after = {card["trick"]: _short(card["after"]) for card in record["cards"]}
    found = play_grid(
        deal.rules,
        contract,
        [(trick["leader"], trick["cards"], trick["winner"]) for trick in record["tricks"]],
        won=deal.won,
        marks={card["card"]: card["mark"] for card in record["cards"]},
        beside={"value": list(after.values())},
    )
    return found._replace(title=_heading(record))


def _short(value: Any) -> str:
    return " ".join(map(str, value.values())) if isinstance(value, Mapping) else str(value)


def _mistakes(record: Record) -> Table:
    rows = []
    for card in record["cards"]:
        if not card["mark"]:
            continue
        for seat, before, after, cost, best in _by_contractor(record, card):
            if cost:
                change = f"{seat}: {before} to {after}".removeprefix(": ")
                rows.append(
                    (
                        str(card["trick"]),
                        card["seat"],
                        card["card"] + card["mark"],
                        change,
                        " ".join(best),
                    )
                )
    return Table(
        ("trick", "by", "card", "value", "better"), rows, "What cost something", wraps=True
    )


def _by_contractor(record: Record, card: Record) -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """Value before and after, cost and best cards, for each contractor the card is judged by."""
    fields = [card[name] for name in ("before", "after", "cost", "best")]
    if not isinstance(card["cost"], Mapping):
        yield ("", *fields)
        return
    own = card["seat"] in card["cost"]
    for seat in [card["seat"]] if own else card["cost"]:
        yield (seat, *(value[seat] for value in fields))


_DECIDED = {"call": "call", "trump": "trump", "called": "calls", "exchange": "away"}


def _before(record: Record) -> Table:
    """What was decided before the first card, and what was better."""
    rows = []
    for one in record["decisions"]:
        if one["kind"] == "going-on":
            continue
        choices = {each["choice"]: each for each in one["choices"]}
        name, made, better = _DECIDED[one["kind"]], one["decision"], one["better"]
        pays, more = (each and signed(choices[each]["payoff"]) for each in (made, better))
        then = choices[better or made]["follows"]
        cost = (one["cost"] or None) if one["exact"] else f"{one['cost']} (open)"
        if one["kind"] == "call" and one["call"] is None:
            # What a soloist makes of his bid, and no word of the auction says.
            name, made = "raise", "none" if made == PASS else made
        best = f"{better}: {more}" if better else None
        rows.append((one["seat"], name, f"{made}: {pays}", best, then, cost))
    headers = ("by", "what", "made: pays", "better: pays", "leads to", "cost")
    title = f"{record['file']}: deal {label(record)}, before the first card, with open hands"
    return Table(headers, rows, title, wraps=True)


def _bids(record: Record) -> Table:
    """The bids each seat could have made, and whether the contract that was played makes."""
    rows = [(seat, " ".join(bids)) for seat, bids in record["bids"].items() if bids]
    return Table(("seat", "bids it could have made"), rows, wraps=True)


def _going_on(record: Record) -> Record | None:
    return next((one for one in record.get("decisions", ()) if one["kind"] == "going-on"), None)


def _decisions(record: Record) -> Table:
    """The choice after the first tricks, what it pays and what it cost."""
    words = {"stopped": "stops", "went_on": "goes on for all"}
    rows = []
    if one := _going_on(record):
        chosen = one["decision"]
        payoffs = [f"{one['payoffs'][name]:+d}" for name in ("stopped", "went_on")]
        cost = one["cost"] or None
        rows.append((str(one["trick"]), one["seat"], words[chosen], *payoffs, cost))
    headers = ("before trick", "by", "choice", "stopping pays", "going on pays", "cost")
    side = "+".join(record["sides"])
    return Table(headers, rows, f"Stop or go on, double dummy: chips or points of {side}")


def _notes(record: Record) -> Table:
    rows = [(str(card["trick"]), card["hint"]) for card in record["cards"] if card["hint"]]
    return Table(("trick", "special rules at work"), rows, wraps=True)


def _summary(record: Record) -> Table:
    rows = [_counts(seat, one) for seat, one in record["players"].items()]
    names = {"declarers": "+".join(record["sides"]), "defenders": "others"}
    for name, one in record["parties"].items():
        if name == "defenders" or record["partner"]:
            rows.append(_counts(names[name], one))
    header = ("player", "cards", "with a choice", "of them best", "errors", "cost")
    return Table(header, rows)


def _left(account: Record, decision: Record | None) -> str:
    """How going on changed the value, where only the soloist's tricks count from there."""
    if not account["left"] or decision is None:
        return ""
    return f" - {account['left']} since only tricks of {'+'.join(decision['counted'])} count"


def _counts(who: str, one: Record) -> Row:
    share = "" if one["share"] is None else f"{one['best']} ({one['share']:.0%})"
    return who, one["cards"], one["choices"], share, one["errors"], one["cost"]


def _account(record: Record) -> Iterator[str]:
    """The identity of the review in words, and the turning point."""
    several = len(record["accounts"]) > 1
    decision = _going_on(record)
    misere = record["target"] == 0
    for seat, one in record["accounts"].items():
        who = f"{seat}: " if several else ""
        if record["unit"] == "outcome":
            yield (
                f"{one['start']} at the start, {one['lost']} worse by the declarer, "
                f"{one['given']} better by the others: {one['result']}"
            )
        else:
            down, up = "+-" if misere else "-+"
            side = "himself" if several else "the declaring side"
            yield (
                f"{who}{one['start']} at the start {down} {one['lost']} by {side} "
                f"{up} {one['given']} by the others{_left(one, decision)} = {one['result']}"
            )
        turn = one["turning_point"]
        if turn is not None:
            start = "makes" if one["made_at_start"] else "fails"
            yield f"{who}The contract {start} with best play of all from the first card."
            card = record["cards"][turn]
            fate = "made" if one["made"] else "lost"
            # To go on and to go on with a wrong card is one and the same card.
            way = "going on with " if decision and decision["card"] == turn else ""
            yield (
                f"{who}The turning point: {way}{card['card']} by {seat_name(card['seat'])} in "
                f"trick {card['trick']}; the contract is {fate} from there on."
            )
        elif not several:
            fate = "made" if one["made"] else "lost"
            yield f"No card changed whether the contract is made: {fate} from the first card on."
    if decision and decision["decision"] == "stopped":
        yield f"{decision['seat']} stops after the first tricks, which ends the hand: made."
    if lost := record["lost_at"]:
        yield f"Trick {lost} is lost, where all are needed; that ends the hand."
    if given := record["surrender"]:
        took = given["taken_over"]
        rest = f"; {took} takes over, and what is played then is not judged" if took else ""
        yield f"{given['seat']} surrenders before trick {given['trick']}{rest}."
    if record["score"] is not None:
        gains = ", ".join(f"{seat} {gain:+d}" for seat, gain in record["score"].items())
        yield f"The hand as it was played: {gains}."
    if not record["finished"]:
        yield "The play is not finished; = gives the value where it stops."
