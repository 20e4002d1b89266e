"""The options of `--chances`: how to draw layouts, the limits, and the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import click

from spadille.analysis.chances.sampling_settings import (
    DEFAULT_DRAWING,
    DEFAULT_SECONDS,
    Drawing,
    RankedBy,
)
from spadille.base.errors import ArgumentError
from spadille.core.knowledge.seat_knowledge import BeliefKind
from spadille.core.knowledge.starting_knowledge import Discards
from spadille.search.limits import Limits
from spadille_cli.contract_options import read_card_option
from spadille_cli.shared_options import CHANCES, Number, Whole, added, cli_option, collected


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
        # An earlier form of `--belief`, from before the first release; to be removed in 0.3.
        cli_option("--trust-auction", "", *("no", "bounds"), default=None, hidden=True),
        cli_option(
            "--discards",
            "What the other players discard in an exchange: rarely trumps or the highest plain "
            "cards (the default with --belief auction), any cards (otherwise the default), or no "
            "trumps.",
            *("keep-best", "uniform", "keep-trumps"),
            default=None,
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
    discards: Discards | None,
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
    "Without --chances: stop after N nodes and show bounds instead of values.",
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
