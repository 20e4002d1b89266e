"""What cards are worth on what a player knows, as tables; the fields are `Chances.to_dict`'s."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spadille.render.results.cards import flat
from spadille.render.results.common import Fields
from spadille.render.tables import TextTable, filled

ENDED = {
    None: "",
    "samples": "",
    "seconds": "; the time was over",
    "interrupted": "; interrupted",
}


def tables(fields: Fields, title: str = "") -> Iterator[TextTable]:
    """Yield the cards, the best first and equal ones together, and what the figures rest on."""
    lying = " ".join(fields["table"])
    title = f"{title or fields['contract']}, trick {fields['trick']}, {fields['seat']} to play"
    title += f" to {lying}" if lying else ""
    open_cards = "unit" in fields
    headers = ["cards", "made %", "95 %", "behind", "95 %", "payoff", "tricks", "best %"]
    headers += ["open", "cost"] if open_cards else []
    rows = []
    for cards in _together(fields):
        card = cards[0]
        row = [
            " ".join(each["card"] for each in cards),
            percent(card["made"]),
            interval_text(card["made_interval"]),
            percent(card["behind"]) if card["behind"] or card["behind_interval"] else None,
            interval_text(card["behind_interval"]),
            None if card["payoff"] is None else f"{card['payoff']:+.2f}",
            None if card["mean_tricks"] is None else f"{card['mean_tricks']:.2f}",
            f"{100 * card['best_share']:.0f}",
        ]
        if open_cards:
            cost = _own(fields, card["cost"])
            row += [flat(_own(fields, card[fields["unit"]])), cost or None]
        rows.append(row)
    if given := fields["surrender"]:
        empty = [None] * (len(headers) - 6)
        paid = f"{given['payoff']:+.2f}"
        rows.append(["surrender", None, None, None, None, paid, *empty])
    yield TextTable(*filled(headers, rows), title)
    yield TextTable(("what this rests on",), [(line,) for line in _basis(fields)], wraps=True)


def _own(fields: Fields, value: Any) -> Any:
    """Return what is said of the player, where several contractors have values of their own."""
    return value[fields["seat"]] if isinstance(value, dict) else value


def _together(fields: Fields) -> list[list[Fields]]:
    """Group cards that are equal in every layout, by rank."""
    groups: dict[frozenset[str], list[Fields]] = {}
    for card in sorted(fields["cards"], key=lambda card: card["rank"]):
        groups.setdefault(frozenset((card["card"], *card["equals"])), []).append(card)
    return list(groups.values())


def _basis(fields: Fields) -> Iterator[str]:
    yield from (f"{each}." for each in fields["known"])
    valued = f"{fields['samples']:,}"
    number = f"{int(fields['layouts']):,}"
    if fields["exact"]:
        yield f"All {number} layouts were valued, so the figures are exact."
    else:
        settled = "settled" if fields["settled"] else "not settled"
        yield (
            f"{valued} of {number} layouts, seed {fields['seed']}: {settled}"
            f"{ENDED[fields['ended']]}."
        )
    if fields["acceptance"] < 1:
        yield f"{100 * fields['acceptance']:.3g} % of the layouts that were tried meet that."
    yield (
        f"Each layout is played with open cards from here. If {fields['seat']} saw all hands now, "
        f"that would add {100 * fields['gauge']:.1f} points."
    )


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.1f}"


def interval_text(found: Any) -> str | None:
    """An interval of shares in percent."""
    return None if found is None else f"{100 * found[0]:.1f}..{100 * found[1]:.1f}"
