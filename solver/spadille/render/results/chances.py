"""The chances of cards from one player's knowledge, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spadille.analysis.chances.card_chances_result import CardChance, Chances, OnLayouts
from spadille.analysis.confidence_intervals import Interval
from spadille.render.results.cards import worth
from spadille.render.tables import Row, TextTable, filled, sentences

_ENDED = {
    None: "",
    "samples": "",
    "seconds": "; time limit reached",
    "interrupted": "; interrupted",
}


def tables(found: Chances, title: str = "") -> Iterator[TextTable]:
    """Yield the cards, the best first and equal ones together, and what the figures rest on."""
    title = f"{title or found.contract.written_ids()}, trick {found.trick}, {found.seat} to play"
    title += f" to {' '.join(found.table)}" if found.table else ""
    headers = ["cards", "made %", "95 %", "behind", "95 %", "payoff", "tricks", "best %"]
    headers += ["open", "cost"] if found.double_dummy else []
    rows: list[Row] = [_row(found, cards) for cards in _together(found)]
    if given := found.surrender:
        empty = [None] * (len(headers) - 6)
        rows.append(["surrender", None, None, None, None, f"{given.payoff:+.2f}", *empty])
    yield TextTable(*filled(headers, rows), title)
    basis = [*rests_on(found), _gauge(found)]
    yield sentences("basis", basis)


def _row(found: Chances, cards: list[CardChance]) -> Row:
    card = cards[0]
    row = [
        " ".join(each.card for each in cards),
        percent(card.made),
        interval_text(card.made_interval),
        percent(card.behind) if card.behind or card.behind_interval else None,
        interval_text(card.behind_interval),
        None if card.payoff is None else f"{card.payoff:+.2f}",
        None if card.mean_tricks is None else f"{card.mean_tricks:.2f}",
        f"{100 * card.best_share:.0f}",
    ]
    if values := found.double_dummy:
        own = next(each for each in values.cards if each.card == card.card)
        one = own[found.seat] if own.several else own.one
        return [*row, worth(one, values.unit), one.cost or None]
    return row


def _together(found: Chances) -> Iterable[list[CardChance]]:
    """Group cards that are equal in every layout, by rank."""
    groups: dict[frozenset[str], list[CardChance]] = {}
    for card in sorted(found.cards, key=lambda card: card.rank):
        groups.setdefault(frozenset((card.card, *card.equals)), []).append(card)
    return groups.values()


def rests_on(found: OnLayouts) -> Iterator[str]:
    """Yield the knowledge of the seat, and the number of layouts valued."""
    yield from (f"{each}." for each in found.known)
    if found.exact:
        yield f"All {found.layouts:,} layouts were valued, so the figures are exact."
    else:
        settled = "settled" if found.settled else "not settled"
        yield (
            f"{found.samples:,} of {found.layouts:,} layouts, seed {found.seed}: {settled}"
            f"{_ENDED[found.ended]}."
        )
    if found.acceptance < 1:
        yield f"{100 * found.acceptance:.3g} % of the layouts tried fit all of this."


def _gauge(found: Chances) -> str:
    return (
        f"Each layout is played double-dummy from here. If {found.seat} saw all hands now, "
        f"that would add {100 * (found.gauge or 0):.1f} percentage points."
    )


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.1f}"


def interval_text(found: Interval | None) -> str | None:
    """An interval of shares in percent."""
    return None if found is None else f"{100 * found[0]:.1f}..{100 * found[1]:.1f}"
