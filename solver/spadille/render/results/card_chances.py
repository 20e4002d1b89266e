"""The chances of cards, based on one player's knowledge, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, replace

from spadille.analysis.chances.card_chances_result import (
    CardChance,
    Chances,
    OnLayouts,
)
from spadille.base.words_for_messages import many, seat_name
from spadille.render.results.cards import worth
from spadille.render.results.shared_cells import interval_text, percent
from spadille.render.tables import Row, TextTable, filled, sentences

FEWEST_LAYOUTS = 16
"""With fewer layouts, intervals are so wide that a table would mislead."""
BELOW_BEST = 'the column "behind" shows how far a payoff is below the best'
_ENDED = {
    None: "",
    "samples": "",
    "seconds": ", since the time limit was reached",
    "interrupted": ", since it was interrupted",
}


def tables(chances: Chances, title: str = "") -> Iterator[TextTable]:
    """Yield the cards from best to worst, equal ones together, and the basis of the figures."""
    title = (
        f"{title or chances.contract.written_ids()}, trick {chances.trick}, {chances.seat} to play"
    )
    title += f" to {' '.join(chances.table)}" if chances.table else ""
    title += "" if chances.declaring else ", defending"
    if few := too_few(chances, f"{' '.join(_names(next(iter(_together(chances)))))} leads so far"):
        yield sentences(title, [few, *known_to(chances)])
        return
    result = "made %" if chances.declaring else "beaten %"
    headers = ["cards", result, "95%", "without seeing", "no guess"]
    headers += ["behind", "95%", "payoff", "tricks", "best %"]
    headers += ["open", "cost"] if chances.double_dummy else []
    rows: list[Row] = [_row(chances, cards) for cards in _together(chances)]
    if given := chances.surrender:
        place = headers.index("payoff")
        empty = [None] * len(headers)
        rows.append(["surrender", *empty[1:place], f"{given.payoff:+.2f}", *empty[place + 1 :]])
    yield TextTable(*filled(headers, rows), title)
    basis = [*_all_equal(chances), *rests_on(chances), *_ranked(chances)]
    basis += [*_without_seeing(chances), _gauge(chances)]
    yield sentences("basis", basis)
    if chances.plan_lines:
        yield sentences("plan", chances.plan_lines)


def too_few(chances: OnLayouts, leader: str) -> str | None:
    """If there are too few layouts for a table, return a sentence instead."""
    if chances.exact or chances.samples >= FEWEST_LAYOUTS:
        return None
    valued = many(chances.samples, "layout")
    are = "is" if chances.samples == 1 else "are"
    return f"{valued} {are} too few for a table{_ENDED[chances.ended]}; {leader}."


def _names(cards: Iterable[CardChance]) -> list[str]:
    return [card.card for card in cards]


def _row(chances: Chances, cards: list[CardChance]) -> Row:
    card = cards[0]
    interval = card.made_interval
    if interval is not None and not chances.declaring:
        interval = 1 - interval[1], 1 - interval[0]
    row: Row = [
        " ".join(_names(cards)),
        percent(chances.seeing(card)),
        interval_text(interval),
        _unseen(chances, card),
        None if card.no_guess is None else percent(card.no_guess),
        behind_text(chances, card.behind) if card.behind or card.behind_interval else None,
        interval_text(card.behind_interval, chances.ranked_by),
        None if card.payoff is None else f"{card.payoff:+.2f}",
        None if card.mean_tricks is None else f"{card.mean_tricks:.2f}",
        f"{100 * card.best_share:.0f}",
    ]
    return [*row, *_double_dummy(chances, card)]


def _together(chances: Chances) -> Iterable[list[CardChance]]:
    """Group the cards with the same figures, in the order of their ranking."""
    groups: dict[object, list[CardChance]] = {}
    for card in sorted(chances.cards, key=lambda card: card.rank):
        figures = astuple(replace(card, card="", equals=(), behind_interval=None))
        groups.setdefault((figures, *_double_dummy(chances, card)), []).append(card)
    return groups.values()


def _double_dummy(chances: Chances, card: CardChance) -> tuple[str | float | None, ...]:
    """Return the cells for a card's double-dummy value and cost."""
    values = chances.double_dummy
    if values is None:
        return ()
    own = next(valued for valued in values.cards if valued.card == card.card)
    value = own[chances.seat] if own.several else own.one
    return worth(value, values.unit), value.cost or None


def _all_equal(chances: Chances) -> Iterator[str]:
    """Yield a sentence if all cards have the same figures."""
    if len(chances.cards) > 1 and len([*_together(chances)]) == 1:
        every = "The two" if len(chances.cards) == 2 else f"All {len(chances.cards)}"
        yield f"{every} cards are equally good, given what {seat_name(chances.seat)} knows."


def known_to(chances: OnLayouts) -> Iterator[str]:
    """Yield sentences on what the seat knows, and on what it infers from the bids."""
    yield from (f"{fact}." for fact in (*chances.known, *chances.belief.sentences))


def rests_on(chances: OnLayouts) -> Iterator[str]:
    """Yield sentences on what the seat knows and believes, and on the number of layouts valued."""
    yield from known_to(chances)
    if chances.exact and chances.layouts == 1:
        yield "Only one layout is possible, so the figures are exact."
    elif chances.exact:
        every = "Both" if chances.layouts == 2 else f"All {chances.layouts:,}"
        yield f"{every} layouts were evaluated, so the figures are exact."
    else:
        settled = "settled" if chances.settled else f"not settled{_ENDED[chances.ended]}"
        if chances.settled and not chances.repeatable:
            settled += ", though another run may evaluate more or fewer layouts"
        of = "draws from" if chances.samples > chances.layouts else "of"
        extent = f"{chances.samples:,} {of} {chances.layouts:,} layouts"
        yield f"{extent}, seed {chances.seed}: {settled}."
    if chances.acceptance < 1:
        yield f"{100 * chances.acceptance:.3g}% of the layouts drawn fit all of the above."


def _unseen(chances: Chances, card: CardChance) -> str | None:
    """Return how often a card wins with hidden hands, marked if a guess adds a point or more."""
    if card.without_seeing is not None:
        return percent(card.without_seeing) + "?" * chances.owes(card)
    return interval_text(card.without_seeing_bounds)


def _without_seeing(chances: Chances) -> Iterator[str]:
    """Explain the figures for hidden hands, and name the cards that need a guess."""
    basis = chances.plans
    if basis is None:
        return
    aim = "make" if chances.declaring else "defeat"
    if basis.exact or basis.decided:
        yield (
            "Without seeing: the share of layouts in which a single plan by "
            f"{seat_name(chances.seat)} is sure to {aim} the contract, even if everyone else sees "
            "every hand."
        )
    if basis.decided and not basis.exact:
        yield (
            f"Some of these values are known only as bounds ({basis.why}), but the bounds prove "
            "which card is best."
        )
    elif basis.tricks is not None:
        yield (
            f"No guess: the share of the {basis.layouts} layouts in which "
            f"{seat_name(chances.seat)} can {aim} the contract without having to guess during "
            f"the next {basis.tricks} tricks, assuming that {seat_name(chances.seat)} sees all "
            f"hands after that. This is neither a guarantee nor exact: {basis.why}."
        )
    elif not basis.exact and any(card.without_seeing_bounds for card in chances.cards):
        yield f"These values are known only as bounds, because {basis.why}."
    for cards in _together(chances):
        card = cards[0]
        if chances.owes(card):
            yield (
                f"{' '.join(equal.card for equal in cards)}: {_rounded(chances.seeing(card))}% "
                f"with all hands seen, {_rounded(card.without_seeing or 0.0)}% without seeing them"
                f"{_guess(chances, card)}."
            )


def _guess(chances: Chances, card: CardChance) -> str:
    """Return the end of a card's line, which names the card the player would have to locate."""
    guess = chances.guess
    if guess is None or guess.card not in (card.card, *card.equals):
        return ""
    if guess.knowing >= chances.seeing(card) - 1e-9:
        return f": {seat_name(chances.seat)} would have to know who holds {guess.about}"
    return f", {_rounded(guess.knowing)}% knowing who holds {guess.about}"


def _rounded(share: float) -> str:
    return f"{100 * share:.3g}"


def _ranked(chances: Chances) -> Iterator[str]:
    """Yield a sentence on how the cards are ranked, unless all are equal."""
    if len([*_together(chances)]) == 1:
        return
    made = "how often they make" if chances.declaring else "how often they defeat"
    made += " the contract"
    if chances.ranked_by == "payoff":
        text = f"payoff, then by {made}; {BELOW_BEST}"
    else:
        text = f'the "without seeing" column, then by {made}' if chances.by_plan else made
        if any(card.payoff is not None for card in chances.cards):
            text += ", then by payoff"
    yield f"Cards are ranked by {text}."


def _gauge(chances: Chances) -> str:
    basis, plan = "Each layout is played double-dummy", ""
    if chances.by_plan and chances.plans is not None and chances.plans.exact:
        column = "made %" if chances.declaring else "beaten %"
        basis = f'The "{column}" column assumes double-dummy play'
        plan = " over the best plan"
    gain = gain_from_seeing(chances.seat, "now", chances.gauge or 0, chances.ranked_by, plan)
    return f"{basis} from here. {gain}"


def gain_from_seeing(seat: str, when: str, gain: float, ranked_by: str, plan: str = "") -> str:
    """Return a sentence on what a player would gain by seeing all hands."""
    payoff = ranked_by == "payoff"
    figure = f"{gain:.2f}" if payoff else f"{100 * gain:.1f}"
    gained = f"{figure} {'in payoff' if payoff else 'percentage points'}{plan}"
    if not float(figure):
        gained = "nothing"
    return f"{seat_name(seat)} would gain {gained} by seeing all hands {when}."


def behind_text(chances: OnLayouts, behind: float) -> str:
    """Format how far a card or contract is from the best, in percent or as a payoff."""
    return percent(behind) if chances.ranked_by == "made" else f"{behind:.2f}"
