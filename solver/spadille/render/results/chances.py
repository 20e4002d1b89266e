"""The chances of cards, based on one player's knowledge, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, replace

from spadille.analysis.chances.card_chances_result import (
    CardChance,
    Chances,
    OnLayouts,
)
from spadille.analysis.chances.sampling_plan import RankedBy
from spadille.analysis.confidence_intervals import Interval
from spadille.base.input_words import capitalized, many, seat_name
from spadille.render.results.cards import worth
from spadille.render.tables import Row, TextTable, filled, sentences

_FEW = 16
"""With fewer layouts, intervals are so wide that a table would mislead."""
BELOW_BEST = 'the column "behind" shows how far a payoff is below the best'
_ENDED = {
    None: "",
    "samples": "",
    "seconds": ", since the time limit was reached",
    "interrupted": ", since it was interrupted",
}


def tables(found: Chances, title: str = "") -> Iterator[TextTable]:
    """Yield the cards from best to worst, equal ones together, and the basis of the figures."""
    title = f"{title or found.contract.written_ids()}, trick {found.trick}, {found.seat} to play"
    title += f" to {' '.join(found.table)}" if found.table else ""
    title += "" if found.declaring else ", defending"
    if few := too_few(found, f"{' '.join(_names(next(iter(_together(found)))))} leads so far"):
        yield sentences(title, [few, *known_to(found)])
        return
    result = "made %" if found.declaring else "beaten %"
    headers = ["cards", result, "95 %", "without seeing", "no guess"]
    headers += ["behind", "95 %", "payoff", "tricks", "best %"]
    headers += ["open", "cost"] if found.double_dummy else []
    rows: list[Row] = [_row(found, cards) for cards in _together(found)]
    if given := found.surrender:
        place = headers.index("payoff")
        empty = [None] * len(headers)
        rows.append(["surrender", *empty[1:place], f"{given.payoff:+.2f}", *empty[place + 1 :]])
    yield TextTable(*filled(headers, rows), title)
    basis = [*_all_equal(found), *rests_on(found), *_ranked(found)]
    basis += [*_without_seeing(found), _gauge(found)]
    yield sentences("basis", basis)
    if found.plan_lines:
        yield sentences("plan", found.plan_lines)


def too_few(found: OnLayouts, leader: str) -> str | None:
    """If there are too few layouts for a table, return a sentence instead."""
    if found.exact or found.samples >= _FEW:
        return None
    valued = many(found.samples, "layout")
    are = "is" if found.samples == 1 else "are"
    return f"{valued} {are} too few for a table{_ENDED[found.ended]}; {leader}."


def _names(cards: Iterable[CardChance]) -> list[str]:
    return [card.card for card in cards]


def _row(found: Chances, cards: list[CardChance]) -> Row:
    card = cards[0]
    interval = card.made_interval
    if interval is not None and not found.declaring:
        interval = 1 - interval[1], 1 - interval[0]
    row: Row = [
        " ".join(_names(cards)),
        percent(found.seeing(card)),
        interval_text(interval),
        _unseen(found, card),
        None if card.no_guess is None else percent(card.no_guess),
        behind_text(found, card.behind) if card.behind or card.behind_interval else None,
        interval_text(card.behind_interval, found.ranked_by),
        None if card.payoff is None else f"{card.payoff:+.2f}",
        None if card.mean_tricks is None else f"{card.mean_tricks:.2f}",
        f"{100 * card.best_share:.0f}",
    ]
    return [*row, *_double_dummy(found, card)]


def _together(found: Chances) -> Iterable[list[CardChance]]:
    """Group the cards with the same figures, in the order of their ranking."""
    groups: dict[object, list[CardChance]] = {}
    for card in sorted(found.cards, key=lambda card: card.rank):
        figures = astuple(replace(card, card="", equals=(), behind_interval=None))
        groups.setdefault((figures, *_double_dummy(found, card)), []).append(card)
    return groups.values()


def _double_dummy(found: Chances, card: CardChance) -> tuple[str | float | None, ...]:
    """Return the cells for a card's double-dummy value and cost."""
    values = found.double_dummy
    if values is None:
        return ()
    own = next(each for each in values.cards if each.card == card.card)
    one = own[found.seat] if own.several else own.one
    return worth(one, values.unit), one.cost or None


def _all_equal(found: Chances) -> Iterator[str]:
    """Yield a sentence if all cards have the same figures."""
    if len(found.cards) > 1 and len([*_together(found)]) == 1:
        every = "The two" if len(found.cards) == 2 else f"All {len(found.cards)}"
        yield f"{every} cards are equally good, given what {seat_name(found.seat)} knows."


def known_to(found: OnLayouts) -> Iterator[str]:
    """Yield sentences on what the seat knows, and on what it infers from the bids."""
    yield from (f"{each}." for each in (*found.known, *found.belief.sentences))


def rests_on(found: OnLayouts) -> Iterator[str]:
    """Yield sentences on what the seat knows and believes, and on the number of layouts valued."""
    yield from known_to(found)
    if found.exact and found.layouts == 1:
        yield "Only one layout is possible, so the figures are exact."
    elif found.exact:
        every = "Both" if found.layouts == 2 else f"All {found.layouts:,}"
        yield f"{every} layouts were evaluated, so the figures are exact."
    else:
        settled = "settled" if found.settled else f"not settled{_ENDED[found.ended]}"
        if found.settled and not found.repeatable:
            settled += ", though another run may evaluate more or fewer layouts"
        yield f"{found.samples:,} of {found.layouts:,} layouts, seed {found.seed}: {settled}."
    if found.acceptance < 1:
        yield f"{100 * found.acceptance:.3g} % of the layouts drawn fit all of the above."


def _unseen(found: Chances, card: CardChance) -> str | None:
    """Return how often a card wins with hidden hands, marked if a guess adds a point or more."""
    if card.without_seeing is not None:
        return percent(card.without_seeing) + "?" * found.owes(card)
    return interval_text(card.without_seeing_bounds)


def _without_seeing(found: Chances) -> Iterator[str]:
    """Explain the figures with hidden hands, and name the cards that need a guess."""
    basis = found.plans
    if basis is None:
        return
    aim = "make" if found.declaring else "defeat"
    if basis.exact or basis.decided:
        yield (
            "Without seeing: the share of layouts in which a single plan by "
            f"{seat_name(found.seat)} is sure to {aim} the contract, even if everyone else sees "
            "every hand."
        )
    if basis.decided and not basis.exact:
        yield (
            f"Some of these values are known only as bounds ({basis.why}), but the bounds prove "
            "which card is best."
        )
    elif basis.tricks is not None:
        yield (
            f"No guess: the share of the {basis.layouts} layouts in which {seat_name(found.seat)} "
            f"can {aim} the contract without having to guess during the next {basis.tricks} "
            f"tricks, assuming that {seat_name(found.seat)} sees all hands after that. This is "
            f"neither a guarantee nor exact: {basis.why}."
        )
    elif not basis.exact and any(card.without_seeing_bounds for card in found.cards):
        yield f"The values without seeing are only known between two bounds: {basis.why}."
    for cards in _together(found):
        card = cards[0]
        if found.owes(card):
            yield (
                f"{' '.join(each.card for each in cards)}: {_rounded(found.seeing(card))} % with "
                f"all hands seen, {_rounded(card.without_seeing or 0.0)} % without seeing"
                f"{_guess(found, card)}."
            )


def _guess(found: Chances, card: CardChance) -> str:
    """Return the end of a card's line: the card whose holder the player would have to know."""
    guess = found.guess
    if guess is None or guess.card not in (card.card, *card.equals):
        return ""
    if guess.knowing >= found.seeing(card) - 1e-9:
        return f": {seat_name(found.seat)} would have to know who holds {guess.about}"
    return f", {_rounded(guess.knowing)} % knowing who holds {guess.about}"


def _rounded(share: float) -> str:
    return f"{100 * share:.3g}"


def _ranked(found: Chances) -> Iterator[str]:
    """Yield a sentence on how the cards are ranked, unless all are equal."""
    if len([*_together(found)]) == 1:
        return
    made = "how often they make" if found.declaring else "how often they defeat"
    made += " the contract"
    if found.ranked_by == "payoff":
        text = f"payoff, then by {made}; {BELOW_BEST}"
    else:
        text = f'the "without seeing" column, then by {made}' if found.by_plan else made
        if any(card.payoff is not None for card in found.cards):
            text += ", then by payoff"
    yield f"Cards are ranked by {text}."


def _gauge(found: Chances) -> str:
    basis, plan = "Each layout is played double-dummy", ""
    if found.by_plan and found.plans is not None and found.plans.exact:
        column = "made %" if found.declaring else "beaten %"
        basis = f'The "{column}" column assumes double-dummy play'
        plan = " over the best plan"
    gain = gain_from_seeing(found.seat, "now", found.gauge or 0, found.ranked_by, plan)
    return f"{basis} from here. {gain}"


def gain_from_seeing(seat: str, when: str, gain: float, ranked_by: str, plan: str = "") -> str:
    """Return a sentence on what a player would gain by seeing all hands."""
    payoff = ranked_by == "payoff"
    figure = f"{gain:.2f}" if payoff else f"{100 * gain:.1f}"
    gained = f"{figure} {'in payoff' if payoff else 'percentage points'}{plan}"
    if not float(figure):
        gained = "nothing"
    return f"{capitalized(seat_name(seat))} would gain {gained} by seeing all hands {when}."


def percent(share: float) -> str:
    """Format a share in percent."""
    return f"{100 * share:.1f}"


def behind_text(found: OnLayouts, behind: float) -> str:
    """Format how far a card or contract is from the best, in percent or as a payoff."""
    return percent(behind) if found.ranked_by == "made" else f"{behind:.2f}"


def interval_text(found: Interval | None, by: RankedBy = "made") -> str | None:
    """Format an interval, of shares in percent or of payoffs."""
    if found is None:
        return None
    size, digits = (100, 1) if by == "made" else (1, 2)
    return "..".join(f"{size * end:.{digits}f}" for end in found)
