"""What each card is worth, as tables; the fields are those of `CardValues.to_dict`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spadille.render.results.common import Fields
from spadille.render.results.solve import DrawLine, line_in_order, naming
from spadille.render.tables import TextTable, filled

_EFFECTS = {"keeps": "keeps it", "loses": "loses it", None: ""}


def tables(fields: Fields, title: str = "", draw: DrawLine | None = None) -> Iterator[TextTable]:
    """Yield the cards, the choice to stop or go on, and the line; `draw` draws a line."""
    title = title or fields["contract"]
    draw = draw or (lambda line, of: line_in_order(line, of, fields["leader"], fields["trick"]))
    if fields["player"] is None:
        lost = fields["lost_at"]
        end = f"played to the end, {flat(fields['value'])}"
        end += " tricks" if fields["unit"] == "tricks" else ""
        if lost is not None:
            end = f"the hand is over: trick {lost} is lost, and all were needed"
        yield TextTable(("",), (), f"{title}: {end}")
        return
    lying = " ".join(fields["table"])
    title += ", trump open" if fields["trump"] is None else ""
    title += f", trick {fields['trick']}, {fields['player']} to play"
    title += f" to {lying}" if lying else ""
    value = {"tricks": "tricks", "outcome": "outcome", "points": "sure points"}[fields["unit"]]
    stake = "contract" if _in_hand(fields) else "defeat"
    headers = ["card", "naming", value, "cost", stake, "score"]
    rows = [
        (
            card["card"] + ("" if _cost(card["cost"]) else " *"),
            card.get("named"),
            flat(card[fields["unit"]]),
            _cost(card["cost"]),
            _effect(card["effect"]),
            flat(card["score"]),
        )
        for card in fields["cards"]
    ]
    decision = fields["decision"]
    surrender = decision is not None and decision["kind"] == "surrender"
    if surrender:
        better = decision["better"] != "played_on"
        row = "surrender" + (" *" if better else "")
        rows.append((row, None, None, None, "", flat(decision["score"])))
    yield TextTable(*filled(headers, rows), title)
    if surrender:
        yield TextTable(("surrender",), [(line,) for line in _surrender(decision)], wraps=True)
    elif decision is not None:
        yield TextTable(("stop or go on",), [(line,) for line in _decision(fields)], wraps=True)
    yield from _lines(fields, draw)


def _decision(fields: Fields) -> Iterator[str]:
    """What the side may choose between here, in words."""
    found = fields["decision"]
    stopped, went_on = found["payoffs"]["stopped"], found["payoffs"]["went_on"]
    who = "+".join(found["counted"])
    yield (
        f"{who} won each of the first tricks: the hand may stop here. Any card goes on for all "
        f"{found['target']} tricks, and the values above are of that."
    )
    better = {"stopped": "stopping is better", "went_on": "going on is better", None: "both alike"}
    yield (
        f"Stopping pays {'+'.join(_side(fields))} {stopped:+d}, going on {went_on:+d}: "
        f"{better[found['better']]}."
    )


def _surrender(found: Fields) -> Iterator[str]:
    """What surrendering pays the declarer, in words."""
    up, on = found["payoffs"]["surrendered"], found["payoffs"]["played_on"]
    better = {"surrendered": "surrendering is better", "played_on": "playing on is better"}
    took = f", as {found['taken_over']} takes over and wins" if found["taken_over"] else ""
    yield (
        f"Surrendering pays {found['seat']} {up:+d}{took}, playing on {on:+d}: "
        f"{better.get(found['better'], 'both alike')}."
    )


def _side(fields: Fields) -> list[str]:
    return [seat for seat in (fields["declarer"], fields["partner"]) if seat]


def _in_hand(fields: Fields) -> bool:
    """Whether it is a contract, not its defeat, that cards can lose."""
    makes = fields["makes"]
    return isinstance(makes, Mapping) or bool(makes)


def _cost(cost: Any) -> Any:
    if isinstance(cost, Mapping):
        return " ".join(f"{seat}:{one}" for seat, one in cost.items() if one)
    return cost or None


def _effect(effect: Any) -> str:
    if isinstance(effect, Mapping):
        return " ".join(f"{seat}:{one}" for seat, one in effect.items() if one == "loses")
    return _EFFECTS[effect]


def _lines(fields: Fields, draw: DrawLine) -> Iterator[TextTable]:
    line = fields.get("line")
    if line is None:
        return
    for seat, tricks in line.items() if isinstance(line, Mapping) else [("", line)]:
        who = f" for {seat}" if seat else ""
        yield draw(tricks, f"A line{who}{naming(fields)}")


def flat(value: Any) -> Any:
    """Write values by seat as one cell."""
    if isinstance(value, Mapping):
        return " ".join(f"{key}:{item}" for key, item in value.items() if item is not None)
    return value
