"""`--chances`: cards and contracts valued based on what the player could know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, Literal, TypeAlias, TypeVar

import click

from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import CardChance, Chances
from spadille.analysis.chances.choosable_contracts import heard
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.contract_chances_result import BestChances, OfferChance
from spadille.analysis.chances.review_chances import ReviewStrategy
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import (
    DEFAULT_DRAWING,
    DEFAULT_SECONDS,
    Drawing,
    RankedBy,
)
from spadille.analysis.confidence_intervals import Interval
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.card_values import CardValues, card_values
from spadille.base.errors import ArgumentError, SpadilleError, attempt
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import BeliefKind, Discards, know
from spadille.core.recorded_auction import Auction
from spadille.generate.deals.layout_condition import condition
from spadille.render.tables import Column
from spadille.search.limits import Limits
from spadille_cli import interrupt
from spadille_cli.contract_options import Rows, read_card_option, with_options
from spadille_cli.deals_and_answers import Case
from spadille_cli.output_formats import Output
from spadille_cli.shared_options import CHANCES, Number, Whole, added, cli_option, collected

Found = TypeVar("Found")

Figures: TypeAlias = CardChance | OfferChance


def _figure(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _with_interval(
    name: str,
    value: Callable[[Figures], float | None],
    interval: Callable[[Figures], Interval | None],
) -> Iterator[Column[Figures]]:
    """Yield the columns for a figure and the ends of its confidence interval."""
    yield Column(name, lambda row: _figure(value(row)))
    yield Column(f"{name}_low", lambda row: _figure((interval(row) or _OPEN)[0]))
    yield Column(f"{name}_high", lambda row: _figure((interval(row) or _OPEN)[1]))


_OPEN = None, None
CHANCE_COLUMNS: tuple[Column[Figures], ...] = (
    *_with_interval("made", lambda row: row.made, lambda row: row.made_interval),
    *_with_interval("payoff", lambda row: row.payoff, lambda row: row.payoff_interval),
    Column("mean_tricks", lambda row: _figure(row.mean_tricks)),
    Column("best_share", lambda row: _figure(row.best_share)),
    *_with_interval("behind", lambda row: row.behind, lambda row: row.behind_interval),
    Column("rank", lambda row: row.rank),
)
"""The CSV and TSV columns for the chances of a card or contract."""
PLAN_COLUMNS: tuple[Column[CardChance], ...] = (
    Column("without_seeing", lambda card: _figure(card.without_seeing)),
    Column("without_seeing_low", lambda card: _figure((card.without_seeing_bounds or _OPEN)[0])),
    Column("without_seeing_high", lambda card: _figure((card.without_seeing_bounds or _OPEN)[1])),
    Column("no_guess", lambda card: _figure(card.no_guess)),
)
"""The columns for how often a player who cannot see the other hands wins with a card."""
_PAUSE = 0.1  # seconds between updates of the progress


def card_strategy(
    case: Case,
    drawing: Drawing,
    *,
    where: Iterable[str] = (),
    plan: bool = False,
    plan_card: str | None = None,
) -> CardStrategy:
    """Prepare to value the cards of the player to move."""
    assert case.deal is not None
    assert case.contract is not None
    drawing = _meeting(where, case.deal, drawing)
    auction = Auction.of_entry(case.entry.calls)
    known = know(case.deal, case.contract, None, case.cards, auction=auction, assumptions=drawing)
    return CardStrategy(known, drawing, plan=plan or plan_card is not None, plan_card=plan_card)


def _contract_strategy(
    case: Case, rows: Rows, drawing: Drawing, where: Iterable[str]
) -> ContractStrategy:
    """Prepare to value the contracts that a seat can choose from its own hand."""
    assert case.deal is not None
    assert rows.seats is not None
    seat = rows.seats[0]
    return ContractStrategy(
        case.deal,
        seat,
        rows.contracts,
        trumps=rows.trumps,
        auction=heard(case.deal, seat, Auction.of_entry(case.entry.calls)),
        drawing=_meeting(where, case.deal, drawing),
    )


def _meeting(where: Iterable[str], deal: Deal, drawing: Drawing) -> Drawing:
    """Add conditions that the drawn layouts have to meet."""
    try:
        return replace(drawing, where=tuple(condition(text, deal) for text in where))
    except SpadilleError as error:
        raise with_options(error, ["where"]) from error


def chances_options(
    meaning: str, time: str = "", *, where: bool = False, rank: Sequence[str] = ()
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--chances` and its options; the command receives them as `drawing`.

    It is None without `--chances`. `time` says what the time limit covers. A command without a time
    limit must return the same answers on every machine, so it requires `--samples`. With `where`,
    the command also receives the conditions on layouts as strings, in an argument `where`. `rank`
    lists the figures by which cards or contracts can be ranked, the default first.
    """
    samples = "Maximum number" if time else "Number"
    seconds = cli_option(
        "--seconds N",
        f"Time limit for {time}; 0 means none.",
        type=Number(0),
        default=DEFAULT_SECONDS,
    )
    add = collected(
        "drawing",
        partial(_drawing, timed=bool(time)),
        cli_option("--chances", meaning),
        cli_option("--samples N", f"{samples} of layouts for each decision.", type=Whole(1)),
        *([seconds] if time else []),
        cli_option("--seed N", "Seed for drawing layouts.", type=int, default=DEFAULT_DRAWING.seed),
        cli_option(
            "--belief",
            "What to infer from the bids: that each was the best on the bidder's own hand, that "
            "players only met their duties to bid, or nothing.",
            *("auction", "duties", "none"),
        ),
        # The old name of the option, accepted until 0.3.
        cli_option("--trust-auction", "", *("no", "bounds"), default=None, hidden=True),
        cli_option(
            "--discards",
            "What the other players discard in an exchange: any cards, or no trumps.",
            *("uniform", "keep-trumps"),
        ),
        *([_rank_option(*rank)] if rank else []),
        group=CHANCES,
    )
    return (lambda command: add(_where_option(command))) if where else add


plan_options = added(
    CHANCES,
    cli_option(
        "--plan",
        "Also show the plan that wins most often without seeing the other hands; implies "
        "--chances.",
    ),
    cli_option(
        "--card CARD",
        "Show the plan that begins with this card.",
        name="plan_card",
        callback=read_card_option,
        complete="card",
    ),
)


def _rank_option(*figures: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    if figures[0] == "made":
        what = "How to rank cards: by how often they reach the goal, or by mean payoff."
    else:
        what = "How to rank contracts: by mean payoff, or by how often they make."
    return cli_option("--rank", what, *figures)


_where_option = added(
    CHANCES,
    cli_option(
        "--where EXPR",
        "Only layouts that meet this condition, written as for deal; repeatable.",
        multiple=True,
        complete="expression",
    ),
)


def _deals_to_play(given: Mapping[str, Any]) -> bool:
    """Return whether the options ask `page` for new deals to play: -n, or a game in --play."""
    if "number" not in given:
        return False
    return given["number"] is not None or (given["play"] is not None and given["deal"] is None)


def _drawing(
    chances: bool,
    samples: int | None,
    seed: int,
    belief: BeliefKind,
    trust_auction: Literal["no", "bounds"] | None,
    discards: Discards,
    seconds: float = 0.0,
    rank: RankedBy | None = None,
    *,
    timed: bool,
) -> Drawing | None:
    context = click.get_current_context()
    fresh = _deals_to_play(context.params)  # they come from the same seed
    if not (chances or context.params.get("plan") or context.params.get("plan_card")):
        names: tuple[str, ...] = (
            "samples",
            "seconds",
            "belief",
            "trust_auction",
            "discards",
            "where",
            "rank",
        )
        if "nodes" in context.params:  # `limits_without_chances`
            names = tuple(name for name in names if name != "seconds")
        if "number" in context.params:  # `page`, whose --where chooses deals
            names = tuple(name for name in names if name != "where")
        for name in names if fresh else ("seed", *names):
            if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--{name.replace('_', '-')} needs --chances")
        if not fresh:
            return None
    if trust_auction is not None:
        belief = "duties" if trust_auction == "bounds" else "none"
    if not timed and samples is None:
        raise click.UsageError("--chances needs --samples")
    try:
        return Drawing(
            samples=samples,
            seconds=seconds,
            seed=seed,
            belief=belief,
            discards=discards,
            rank=rank,
            threads=context.params["threads"] if timed else 1,
        )
    except ArgumentError as error:
        raise click.UsageError(str(error)) from None


nodes_option = cli_option(
    "--nodes N",
    "Without --chances: stop after N nodes, or after --seconds, and show bounds.",
    type=Whole(0),
    default=0,
    show_default=False,
)


def limits_without_chances(nodes: int, drawing: Drawing | None) -> Limits:
    """Return the limits for double-dummy values: `--nodes`, and `--seconds` if it was given."""
    context = click.get_current_context()
    if drawing and nodes:
        raise click.UsageError("--nodes is double-dummy and cannot be combined with --chances")
    given = context.get_parameter_source("seconds") is click.core.ParameterSource.COMMANDLINE
    seconds = context.params["seconds"] if given else 0.0
    try:
        return Limits(nodes=nodes, seconds=seconds)
    except ArgumentError as error:
        raise click.UsageError(str(error)) from None


def reviewed(case: Case, review: Review, drawing: Drawing) -> Review:
    """Judge each reviewed card based on what its player knew; an interruption ends this early."""
    assert case.deal is not None
    auction = Auction.of_entry(case.entry.calls)
    sampling = Sampling(ReviewStrategy(review, case.deal, auction, drawing))
    try:
        return sampling.run()
    except KeyboardInterrupt:
        interrupt.interruption_over()
        return sampling.result()


def chances_of_cards(
    cases: Iterable[Case],
    drawing: Drawing,
    strategy: Callable[[Case, Drawing], CardStrategy],
    output: Output,
) -> Iterator[Chances | CardValues | SpadilleError]:
    """Yield the chances of each case, or its error.

    After an interruption, yield the partial result of the current decision; the interruption is
    raised again when the next result is requested.
    """
    for case in cases:
        if case.error is None:
            yield attempt(partial(_chances, case, drawing, strategy, output))


def _chances(
    case: Case,
    drawing: Drawing,
    strategy: Callable[[Case, Drawing], CardStrategy],
    output: Output,
) -> Chances | CardValues:
    if case.deal is not None and case.contract is not None and _is_over(case):
        return card_values(case.deal, case.contract, case.cards)
    return _sampled(Sampling(strategy(case, drawing)), output, _leading_card)


def _is_over(case: Case) -> bool:
    deal = case.deal
    assert deal is not None
    size = max((len(hand or ()) for hand in deal.playing_hands().values()), default=0)
    return len(case.cards) >= size * len(deal.rules.seats)


def chosen(
    cases: Iterable[Case], drawing: Drawing, where: Sequence[str], rows: Rows, output: Output
) -> Iterator[BestChances | SpadilleError]:
    """Yield the chances of a seat's contracts for each case, or its error."""
    for case in cases:
        if case.error is None:
            yield attempt(partial(_chosen, case, rows, drawing, where, output))


def _chosen(
    case: Case, rows: Rows, drawing: Drawing, where: Sequence[str], output: Output
) -> BestChances:
    return _sampled(
        Sampling(_contract_strategy(case, rows, drawing, where)), output, _leading_contract
    )


def _sampled(sampling: Sampling[Found], output: Output, leader_of: Callable[[Found], str]) -> Found:
    """Draw samples and write the progress to the terminal."""
    began = written = monotonic()
    pause = _PAUSE
    with output.telling() as tell:
        try:
            for _ in sampling.steps():
                now = monotonic()
                if sampling.samples and now - written > pause:
                    leader = leader_of(sampling.result())
                    tell(f"{sampling.samples:,} layouts, {now - began:.0f} s: {leader}")
                    written = monotonic()
                    pause = max(
                        _PAUSE, 10 * (written - now)
                    )  # the time limit covers drawing layouts
        except KeyboardInterrupt:
            if not sampling.samples:
                raise
            interrupt.interruption_over()
    return sampling.result()


def _leading_card(chances: Chances) -> str:
    """Describe the best card so far in one line."""
    best = chances.best
    cards = " ".join((best.card, *best.equals))
    low, high = best.made_interval or (best.made, best.made)
    return f"{cards}, made in {100 * best.made:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def _leading_contract(chances: BestChances) -> str:
    """Describe the best contract so far in one line."""
    return str(chances.best)
