"""The value of each card, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from spadille.analysis.result_text_forms import range_text
from spadille.analysis.value.card_values import CardValue, CardValues, CardWorth
from spadille.analysis.value.decisions_other_than_cards import Decision
from spadille.analysis.value.surrender_decisions import Surrendering
from spadille.base.words_for_messages import seat_label
from spadille.render.results.shared_cells import known_by_contractor, seat_values
from spadille.render.results.solve import DrawLine, line_in_order, naming
from spadille.render.tables import Cell, Row, TextTable, filled, sentences
from spadille.search.verdict import Unit

_EFFECTS = {"keeps": "keeps it", "loses": "loses it", None: ""}
_VALUES = {"tricks": "tricks", "outcome": "outcome", "points": "sure points"}


def tables(
    values: CardValues, title: str = "", draw: DrawLine | None = None
) -> Iterator[TextTable]:
    """Yield the cards, the choice to stop or go on, and the line; `draw` draws a line."""
    title = title or values.contract.written_ids()
    if values.player is None or values.leader is None:
        yield TextTable(("",), (), f"{title}: {_end(values)}")
        return
    leader = values.leader
    draw = draw or (lambda line, of, _: line_in_order(line, of, leader, values.trick))
    title += ", trump open" if values.contract.trump is None else ""
    title += f", trick {values.trick}, {values.player} to play"
    title += f" to {' '.join(values.table)}" if values.table else ""
    made = values.several or values.one.makes is not False
    stake = "contract" if made else "defeat"
    headers = ["card", "names trump", _VALUES[values.unit], "cost", stake, "score"]
    rows: list[Row] = [
        (
            card.card + ("" if cost_text(card) or card.open else " *"),
            card.named,
            card_value(values, card),
            cost_text(card),
            _effect(card),
            _score(card),
        )
        for card in values.cards
    ]
    decision = values.decision
    if isinstance(decision, Surrendering):
        row = "surrender" + ("" if decision.better == "played_on" else " *")
        rows.append((row, None, None, None, "", decision.score and seat_values(decision.score)))
    yield TextTable(*filled(headers, rows), title)
    if not values.finished:
        yield sentences("limit", [_open(values)])
    if isinstance(decision, Surrendering):
        yield sentences("surrender", [_surrender(decision)])
    elif decision is not None:
        yield sentences("stop or go on", _decision(values, decision))
    for seat, position in values.contractors.items():
        if position.line is not None:
            who = f" for {seat}" if values.several else ""
            title = f"A line{who}{naming(values.contract.declarer, values.named)}"
            yield draw(position.line, title, values.named)


def _end(values: CardValues) -> str:
    if values.lost_at is not None:
        return f"the hand is over: trick {values.lost_at} is lost, and all were needed"
    value = known_by_contractor(values.of_each(lambda position: position.value))
    return f"played to the end, {value}{' tricks' if values.unit == 'tricks' else ''}"


def _open(values: CardValues) -> str:
    """If a limit left values open, yield a sentence with bounds on the value of the position."""
    unit = "" if values.unit == "outcome" else f" {_VALUES[values.unit]}"
    bounds = values.of_each(
        lambda position: position.bounds and f"{range_text(position.bounds)}{unit}"
    )
    worth = seat_values(bounds) if values.several else bounds[values.contract.declarer]
    position = f" With best play: {worth}." if worth else ""
    if not any(card.open for card in values.cards) and not worth:
        scores = any(card.score_open for card in values.cards)
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


def _decision(values: CardValues, decision: Decision) -> Iterator[str]:
    """Describe the side's choice to stop or go on, with its payoffs."""
    stopped, went_on = decision.payoffs["stopped"], decision.payoffs["went_on"]
    side = "+".join(filter(None, (values.contract.declarer, values.contract.partner)))
    better = {
        "stopped": "stopping is better",
        "went_on": "going on is better",
        None: "both are equal",
    }
    yield (
        f"{'+'.join(decision.counted)} won every trick so far: the hand may stop here. Any card "
        f"goes on for all {decision.target} tricks, which the values above assume."
    )
    yield f"Stopping pays {side} {stopped:+d}, going on {went_on:+d}: {better[decision.better]}."


def _surrender(surrender: Surrendering) -> str:
    """Describe the payoff of surrendering."""
    up, on = surrender.payoffs["surrendered"], surrender.payoffs["played_on"]
    better = {"surrendered": "surrendering is better", "played_on": "playing on is better"}
    took = f", as {surrender.taken_over} takes over and wins" if surrender.taken_over else ""
    return (
        f"Surrendering pays {seat_label(surrender.seat)} {up:+d}{took}, playing on {on:+d}: "
        f"{better.get(surrender.better or '', 'both are equal')}."
    )


def card_value(values: CardValues, card: CardValue) -> Cell:
    """Return the result of the contract after a card, in the unit of the values."""
    return known_by_contractor(card.of_each(lambda value: worth(value, values.unit)))


def worth(value: CardWorth, unit: Unit) -> Cell:
    """Return a card's value in the given unit, or its bounds if the value is unknown."""
    if value.bounds is not None:
        return range_text(value.bounds)
    return {"tricks": value.tricks, "outcome": value.outcome, "points": value.points}[unit]


def cost_text(card: CardValue) -> Cell:
    """Return a card's cost as text: None if it costs nothing, "?" if its cost is unknown."""
    costs = card.of_each(lambda value: "?" if value.cost is None else value.cost or None)
    return known_by_contractor(costs) or None


def _effect(card: CardValue) -> Cell:
    if card.several:
        lost = card.of_each(lambda value: value.effect if value.effect == "loses" else None)
        return seat_values(lost)
    return _EFFECTS[card.effect]
