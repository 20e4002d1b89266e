"""`spadille best`: the best contract of each seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Literal

import click

from spadille.analysis.chances.contract_chances_result import BestChances, OfferChance
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.best import best_many
from spadille.analysis.contracts.best_result import Best, Offer
from spadille.core.deal import Deal
from spadille.render.results import contract_chances
from spadille.render.results.best import tables
from spadille.render.tables import Column, attributes
from spadille_cli.case_and_answer import Case
from spadille_cli.chances_answers import CHANCE_COLUMNS, chances_of_contracts
from spadille_cli.chances_options import chances_options
from spadille_cli.contract_options import Rows, rows_options
from spadille_cli.csv_columns import CONTRACT_FIELDS, rows_by_deal
from spadille_cli.deal_drawings import tables_by_deal
from spadille_cli.deal_source import Source, show_options, source_options, warned_of_matadors
from spadille_cli.exit_status import Status, Tally
from spadille_cli.guarded_cases import answered, with_questions
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.shared_options import (
    GroupedCommand,
    called_option,
    exchange_options,
    threads_option,
)

_BID = attributes("bid", "height")
_OFFER: tuple[Column[Offer], ...] = (
    *attributes(*CONTRACT_FIELDS),
    Column("drawn", lambda offer: " ".join(offer.drawn)),
    Column("discard", lambda offer: " ".join(offer.discard)),
    Column("partner_drawn", lambda offer: " ".join(offer.partner_drawn)),
    Column("partner_discard", lambda offer: " ".join(offer.partner_discard)),
    *attributes("from_hand", "payoff"),
    Column("bounds", lambda offer: " ".join(map(str, offer.bounds)) if offer.bounds else None),
    *attributes("makes", "outcome"),
    *_BID,
)
_CHOICE: tuple[Column[OfferChance], ...] = (
    *attributes(*CONTRACT_FIELDS),
    Column("discard", lambda offer: " ".join(offer.discard)),
    *attributes("rule", "from_hand"),
    *_BID,
    *attributes("samples"),
    *CHANCE_COLUMNS,
)


@click.command("best", cls=GroupedCommand)
@source_options(show_options, contracts=False)
@rows_options
@called_option
@exchange_options
@chances_options(
    "Value the contracts of --seat based on what it knows, averaged over layouts.",
    "a deal",
    where=True,
    rank=("payoff", "made"),
)
@threads_option
@output_options
def command(
    source: Source,
    rows: Rows,
    called: str,
    exchange: bool,
    opponents_exchange: Literal["recorded", "none"],
    drawing: Drawing | None,
    where: tuple[str, ...],
    threads: int,
    output: Output,
) -> Status:
    """Find the best contracts of each seat, double-dummy.

    Contracts are listed per seat, most profitable first (* = makes), with the best
    trump, card to call, partner and exchange. Contracts that no legal auction can
    reach are left out. The bid column ranks the bids from 1, the lowest; a dash
    marks a contract that is played only when all pass. Then all bids are listed
    from low to high. The highest bid that makes wins the auction if the others
    repeat their recorded calls where legal, and otherwise pass. If the exact payoff
    of a loss would take too long to find, bounds are shown.

    Squint's bid cards have no order. If the file records them, a table shows which
    contract each possible bid card of a seat would lead to, with the other players'
    bid cards unchanged.

    In Ombre, the declarer's opponents also exchange cards. Their exchange is not
    optimized: results assume the recorded exchange or none, and the title says
    which.

    --chances estimates the contracts based on what --seat knows at its last call:
    its own hand and the earlier calls. Contracts are averaged over the same
    layouts, played double-dummy. The most promising called cards and exchanges are
    chosen beforehand, and contracts that are certainly worse are dropped. Sampling
    stops as soon as the best contract is settled, or at the limit set by --samples
    or --seconds.

    \b
    Examples:
      spadille best deals.pbn
      spadille best --called all deals.pbn
      spadille best --format jsonl deals.pbn > best.jsonl
      spadille best --chances --seat N --seconds 5 deals.pbn
    """
    tally = Tally()
    if drawing:
        return _by_chances(source, rows, called == "all", drawing, where, output)
    cases = warned_of_matadors(source.cases(tally, contracts=False), tally)
    calls = called == "all"
    cases, deals = with_questions(cases, _heard, tally)
    results = best_many(
        deals,
        threads=threads,
        calls=calls,
        exchange=exchange,
        opponents_exchange=opponents_exchange,
        **asdict(rows),
    )
    with output.progress(cases) as steps:
        view = View(*rows_by_deal(_OFFER, _offers), tables_by_deal(tables))
        output.write(answered(steps, results, tally, rows.named_in), view, tally)
    return tally.status(fail=False)


def _heard(case: Case) -> tuple[Deal, Sequence[str]] | None:
    """Return the deal and the recorded calls."""
    if case.deal is None:
        return None
    return case.deal, case.entry.calls[1] if case.entry.calls else ()


def _by_chances(
    source: Source,
    rows: Rows,
    calls: bool,
    drawing: Drawing,
    where: tuple[str, ...],
    output: Output,
) -> Status:
    """Value the contracts of a seat based on what it knows."""
    given = click.get_current_context().get_parameter_source
    for name, option in _OPEN.items():
        if given(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{option} applies to double-dummy results and cannot be combined with --chances"
            )
    if len(rows.seats or ()) != 1:
        raise click.UsageError("--chances needs one --seat, whose hand is known")
    if not drawing.seconds and drawing.samples is None:
        raise click.UsageError("--seconds 0 needs --samples: otherwise sampling may never end")
    tally = Tally()
    cases = source.cases(tally, contracts=False)
    results = chances_of_contracts(cases, drawing, where, rows, output)
    draw = partial(contract_chances.tables, calls=calls)
    view = View(*rows_by_deal(_CHOICE, _choices), tables_by_deal(draw))
    output.write(answered(cases, results, tally, rows.named_in), view, tally)
    return tally.status(fail=False)


_OPEN = {
    "exchange": "--exchange",
    "opponents_exchange": "--opponents-exchange",
}


def _offers(best: Best) -> Iterator[Offer]:
    for offers in best.seats.values():
        for offer in offers:
            yield from offer.calls or [offer]


def _choices(chances: BestChances) -> Iterable[OfferChance]:
    return chances.offers
