"""The value of each card, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from spadille.analysis.display import range_text
from spadille.analysis.value.card_values import CardValue, CardValues, CardWorth
from spadille.analysis.value.decision_values import Decision
from spadille.analysis.value.surrender_decisions import Surrendering
from spadille.base.input_words import seat_label
from spadille.render.results.common import known_by_contractor, seat_values
from spadille.render.results.solve import DrawLine, line_in_order, naming
from spadille.render.tables import Cell, Row, TextTable, filled, sentences
from spadille.search.verdict import Unit

_EFFECTS = {"keeps": "keeps it", "loses": "loses it", None: ""}
_VALUES = {"tricks": "tricks", "outcome": "outcome", "points": "sure points"}


def tables(found: CardValues, title: str = "", draw: DrawLine | None = None) -> Iterator[TextTable]:
    """Yield the cards, the choice to stop or go on, and the line; `draw` draws a line."""
    title = title or found.contract.written_ids()
    if found.player is None or found.leader is None:
        yield TextTable(("",), (), f"{title}: {_end(found)}")
        return
    leader = found.leader
    draw = draw or (lambda line, of, _: line_in_order(line, of, leader, found.trick))
    title += ", trump open" if found.contract.trump is None else ""
    title += f", trick {found.trick}, {found.player} to play"
    title += f" to {' '.join(found.table)}" if found.table else ""
    made = found.several or found.one.makes is not False
    stake = "contract" if made else "defeat"
    headers = ["card", "names trump", _VALUES[found.unit], "cost", stake, "score"]
    rows: list[Row] = [
        (
            card.card + ("" if cost_text(card) or card.open else " *"),
            card.named,
            card_value(found, card),
            cost_text(card),
            _effect(card),
            _score(card),
        )
        for card in found.cards
    ]
    decision = found.decision
    if isinstance(decision, Surrendering):
        row = "surrender" + ("" if decision.better == "played_on" else " *")
        rows.append((row, None, None, None, "", decision.score and seat_values(decision.score)))
    yield TextTable(*filled(headers, rows), title)
    if not found.finished:
        yield sentences("limit", [_open(found)])
    if isinstance(decision, Surrendering):
        yield sentences("surrender", [_surrender(decision)])
    elif decision is not None:
        yield sentences("stop or go on", _decision(found, decision))
    for seat, position in found.contractors.items():
        if position.line is not None:
            who = f" for {seat}" if found.several else ""
            title = f"A line{who}{naming(found.contract.declarer, found.named)}"
            yield draw(position.line, title, found.named)


def _end(found: CardValues) -> str:
    if found.lost_at is not None:
        return f"the hand is over: trick {found.lost_at} is lost, and all were needed"
    value = known_by_contractor(found.of_each(lambda one: one.value))
    return f"played to the end, {value}{' tricks' if found.unit == 'tricks' else ''}"


def _open(found: CardValues) -> str:
    """If a limit left values open, yield a sentence with bounds on the value of the position."""
    unit = "" if found.unit == "outcome" else f" {_VALUES[found.unit]}"
    bounds = found.of_each(lambda one: one.bounds and f"{range_text(one.bounds)}{unit}")
    worth = seat_values(bounds) if found.several else bounds[found.contract.declarer]
    position = f" With best play: {worth}." if worth else ""
    if not any(card.open for card in found.cards) and not worth:
        scores = any(card.score_open for card in found.cards)
        left = "some scores are unknown (?)" if scores else "no line or decision was found"
        return f"A limit ended the search: {left}."
    return (
        "A limit ended the search: some values have bounds, and their costs are unknown (?)."
        f"{position}"
    )


def _score(card: CardValue) -> Cell:
    if card.score is None:
        return "?" if card.score_open else None
    return seat_values(card.score)


def _decision(values: CardValues, found: Decision) -> Iterator[str]:
    """Describe the side's choice to stop or go on, with its payoffs."""
    stopped, went_on = found.payoffs["stopped"], found.payoffs["went_on"]
    side = "+".join(filter(None, (values.contract.declarer, values.contract.partner)))
    better = {
        "stopped": "stopping is better",
        "went_on": "going on is better",
        None: "both are equal",
    }
    yield (
        f"{'+'.join(found.counted)} won each of the first tricks: the hand may stop here. Any card "
        f"goes on for all {found.target} tricks, which the values above assume."
    )
    yield f"Stopping pays {side} {stopped:+d}, going on {went_on:+d}: {better[found.better]}."


def _surrender(found: Surrendering) -> str:
    """Describe the payoff of surrendering."""
    up, on = found.payoffs["surrendered"], found.payoffs["played_on"]
    better = {"surrendered": "surrendering is better", "played_on": "playing on is better"}
    took = f", as {found.taken_over} takes over and wins" if found.taken_over else ""
    return (
        f"Surrendering pays {seat_label(found.seat)} {up:+d}{took}, playing on {on:+d}: "
        f"{better.get(found.better or '', 'both are equal')}."
    )


def card_value(values: CardValues, card: CardValue) -> Cell:
    """Return the result of the contract after a card, in the unit of the values."""
    return known_by_contractor(card.of_each(lambda one: worth(one, values.unit)))


def worth(found: CardWorth, unit: Unit) -> Cell:
    """Return a card's value in the given unit, or its bounds if the value is unknown."""
    if found.bounds is not None:
        return range_text(found.bounds)
    return {"tricks": found.tricks, "outcome": found.outcome, "points": found.points}[unit]


def cost_text(card: CardValue) -> Cell:
    """Return a card's cost as text: None if it costs nothing, "?" if its cost is unknown."""
    costs = card.of_each(lambda one: "?" if one.cost is None else one.cost or None)
    return known_by_contractor(costs) or None


def _effect(card: CardValue) -> Cell:
    if card.several:
        lost = card.of_each(lambda one: one.effect if one.effect == "loses" else None)
        return seat_values(lost)
    return _EFFECTS[card.effect]
