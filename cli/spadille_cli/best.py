"""`spadille best`: the best contract of each seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Literal

import click

from spadille.analysis.best import best_many
from spadille.render.sheet import Sheet
from spadille_cli.deals import Source, records, source_options, warned_of_matadors
from spadille_cli.drawing import Row, Table, filled
from spadille_cli.output import Output, Record, View, output_options
from spadille_cli.params import threads_option
from spadille_cli.sheets import drawn, show_option
from spadille_cli.solve import label, trump_text
from spadille_cli.status import Status, Tally
from spadille_cli.terms import Rows, rows_options

_COMMON = ("file", "index", "board", "game")
_OFFER = (
    "declarer",
    "contract",
    "trump",
    "called",
    "partner",
    "penalty",
    "drawn",
    "discard",
    "partner_drawn",
    "partner_discard",
    "from_hand",
    "payoff",
    "bounds",
    "makes",
    "outcome",
    "bid",
    "height",
)


_RESTS_ON = {
    None: "",
    "recorded": " (sure if the opponents exchange as recorded)",
    "none": " (sure if the opponents exchange nothing)",
}


@click.command("best")
@source_options(contracts=False)
@show_option
@rows_options
@click.option(
    "--called",
    "shown_calls",
    type=click.Choice(("best", "all")),
    default="best",
    show_default=True,
    help="Show the best card to call, or how the payoff changes with each.",
)
@click.option(
    "--exchange/--no-exchange",
    default=True,
    show_default=True,
    help="Look for the best exchange, or leave the cards as recorded.",
)
@click.option(
    "--opponents-exchange",
    type=click.Choice(("recorded", "none")),
    default="recorded",
    show_default=True,
    help="Ombre: the declarer's opponents put away what is recorded, or nothing.",
)
@threads_option
@output_options
def command(
    source: Source,
    rows: Rows,
    shown_calls: str,
    exchange: bool,
    opponents_exchange: Literal["recorded", "none"],
    threads: int,
    output: Output,
) -> Status:
    """Find the best contract of each seat, all hands open.

    Each seat's contracts stand in the order of what they are sure to pay the
    declarer, in the best trump and with the best card to call, partner and
    exchange; a star says that the contract makes. The column bid has the word
    that bids it and how high the game ranks it, from 1; a dash stands for a
    contract that is played only when all pass. Below stand the bids from low to
    high, and who wins the auction with the highest that makes. Where it would
    take too long to find out how much is lost, the payoff has two bounds.

    In Ombre the declarer's opponents exchange, too. Their best exchange is not
    searched for, so what is sure is so if they put away what the file says, or
    nothing; the header says which.

    \b
    Examples:
      spadille best deals.pbn
      spadille best --called all deals.pbn
      spadille best --format jsonl deals.pbn > best.jsonl
    """
    tally = Tally()
    cases = warned_of_matadors(source.cases(tally, contracts=False), tally)
    calls = shown_calls == "all"
    deals = (case.deal for case in cases if case.deal)
    results = best_many(
        deals,
        threads=threads,
        calls=calls,
        exchange=exchange,
        opponents_exchange=opponents_exchange,
        **asdict(rows),
    )
    with output.progress(cases) as steps:
        found = records(steps, results, tally)
        output.write(found, View((*_COMMON, *_OFFER), _rows, _tables), tally)
    return tally.status(fail=False)


def _rows(record: Record) -> Iterator[Row]:
    for offers in record.get("seats", {}).values():
        for offer in offers:
            for each in offer.get("calls") or [offer]:
                values = (each[name] for name in _OFFER)
                yield [
                    *(record[name] for name in _COMMON),
                    *(" ".join(value) if isinstance(value, list) else value for value in values),
                ]


def _tables(records: Iterable[Record]) -> Iterator[Table | Sheet]:
    for record in records:
        if record["error"] is not None:
            continue
        yield from drawn(record)
        title = f"{record['file']}: deal {label(record)}, {record['game']}"
        title += _RESTS_ON[record["opponents_exchange"]]
        offers = [offer for each in record["seats"].values() for offer in each]
        headers = ["seat", "contract", "trump", "with", "pays", "outcome", "bid", "exchange"]
        headers, rows = filled(headers, [_cells(offer) for offer in offers])
        yield Table(headers, rows, title, wraps=headers[-1] == "exchange")
        if record["ranking"]:
            yield _ranking(record)
        for offer in offers:
            if calls := offer.get("calls"):
                yield _calls(offer, calls)


def _cells(offer: Record) -> tuple[object, ...]:
    helpers = (offer["called"], offer["partner"], offer["penalty"])
    return (
        offer["declarer"],
        offer["contract"],
        trump_text(offer["trump"]),
        " ".join(filter(None, helpers)),
        _pays(offer),
        # Where several pay the same.
        offer["outcome"] or ("failed" if offer["makes"] is False else None),
        _bid(offer),
        "from hand" if offer["from_hand"] else _exchange(offer),
    )


def _exchange(offer: Record) -> str:
    """What is put away; of partners, who may each take a card, for what."""
    if not offer["partner"]:
        return " ".join(offer["discard"])
    taken = zip(offer["discard"], offer["drawn"], strict=True)
    own = [f"{away} for {drawn}" for away, drawn in taken]
    taken = zip(offer["partner_discard"], offer["partner_drawn"], strict=True)
    theirs = [f"{offer['partner']}: {away} for {drawn}" for away, drawn in taken]
    return ", ".join(own + theirs)


def _pays(offer: Record) -> str:
    if offer["payoff"] is not None:
        return f"{_signed(offer['payoff'])}{' *'[bool(offer['makes'])]}"
    least, most = offer["bounds"]
    return f"{_signed(least)} to {_signed(most)}"


def _signed(payoff: int) -> str:
    return f"{payoff:+d}" if payoff else "0"


def _bid(offer: Record) -> str:
    if offer["height"] < 0:
        return "-"
    return " ".join(filter(None, (str(offer["height"] + 1), offer["bid"])))


def _ranking(record: Record) -> Table:
    """The bids from low to high, for whom each makes, and which of them wins the auction."""
    highest = record["highest"]
    rows = [
        (
            f"{rank['height'] + 1} {rank['bid'] or rank['contract']}",
            " ".join(rank["makes"]),
            f"<- {highest['declarer']}" if highest and rank["height"] == highest["height"] else "",
        )
        for rank in record["ranking"]
    ]
    return Table(("bids, low to high", "makes for", "wins"), rows)


def _calls(offer: Record, calls: list[Record]) -> Table:
    """What a contract pays with each card to call, or partner."""
    by_payoff: dict[tuple[str, object], list[str]] = {}
    for call in calls:
        choice = " ".join(filter(None, (call["called"], call["partner"])))
        by_payoff.setdefault((_pays(call), call["outcome"]), []).append(choice)
    rows = [(pays, outcome, ", ".join(found)) for (pays, outcome), found in by_payoff.items()]
    title = f"{offer['declarer']}, {offer['contract']} in {offer['trump']}"
    return Table(("pays", "outcome", "calling"), rows, title, wraps=True)
