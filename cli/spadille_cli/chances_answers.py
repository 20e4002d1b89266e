"""The answers of `--chances`: cards, contracts and reviews based on what players could know.

The columns hold their figures in CSV and TSV. While sampling goes on, the terminal shows progress.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TypeAlias, TypeVar

from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import CardChance, Chances
from spadille.analysis.chances.choosable_contracts import heard
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.contract_chances_result import BestChances, OfferChance
from spadille.analysis.chances.review_chances import ReviewStrategy
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.confidence_intervals import Interval
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.card_values import CardValues, card_values
from spadille.base.errors import SpadilleError, attempt
from spadille.base.json_fields import rounded
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import know
from spadille.core.recorded_auction import Auction
from spadille.generate.deals.layout_condition import condition
from spadille.render.tables import Column
from spadille_cli import interrupt
from spadille_cli.case_and_answer import Case
from spadille_cli.contract_options import Rows, with_options
from spadille_cli.output_formats import Output

Answer = TypeVar("Answer")

Figures: TypeAlias = CardChance | OfferChance


def _with_interval(
    name: str,
    value: Callable[[Figures], float | None],
    interval: Callable[[Figures], Interval | None],
) -> Iterator[Column[Figures]]:
    """Yield the columns for a figure and the ends of its confidence interval."""
    yield Column(name, lambda row: rounded(value(row)))
    yield Column(f"{name}_low", lambda row: rounded((interval(row) or _OPEN)[0]))
    yield Column(f"{name}_high", lambda row: rounded((interval(row) or _OPEN)[1]))


_OPEN = None, None
CHANCE_COLUMNS: tuple[Column[Figures], ...] = (
    *_with_interval("made", lambda row: row.made, lambda row: row.made_interval),
    *_with_interval("payoff", lambda row: row.payoff, lambda row: row.payoff_interval),
    Column("mean_tricks", lambda row: rounded(row.mean_tricks)),
    Column("best_share", lambda row: rounded(row.best_share)),
    *_with_interval("behind", lambda row: row.behind, lambda row: row.behind_interval),
    Column("rank", lambda row: row.rank),
)
"""The CSV and TSV columns for the chances of a card or contract."""
PLAN_COLUMNS: tuple[Column[CardChance], ...] = (
    Column("without_seeing", lambda card: rounded(card.without_seeing)),
    Column("without_seeing_low", lambda card: rounded((card.without_seeing_bounds or _OPEN)[0])),
    Column("without_seeing_high", lambda card: rounded((card.without_seeing_bounds or _OPEN)[1])),
    Column("no_guess", lambda card: rounded(card.no_guess)),
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


def review_by_knowledge(case: Case, review: Review, drawing: Drawing) -> Review:
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
            yield attempt(partial(_card_chances, case, drawing, strategy, output))


def _card_chances(
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


def chances_of_contracts(
    cases: Iterable[Case], drawing: Drawing, where: Sequence[str], rows: Rows, output: Output
) -> Iterator[BestChances | SpadilleError]:
    """Yield the chances of a seat's contracts for each case, or its error."""
    for case in cases:
        if case.error is None:
            yield attempt(partial(_contract_chances, case, rows, drawing, where, output))


def _contract_chances(
    case: Case, rows: Rows, drawing: Drawing, where: Sequence[str], output: Output
) -> BestChances:
    return _sampled(
        Sampling(_contract_strategy(case, rows, drawing, where)), output, _leading_contract
    )


def _sampled(
    sampling: Sampling[Answer], output: Output, leader_of: Callable[[Answer], str]
) -> Answer:
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
