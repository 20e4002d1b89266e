"""The value of a contract, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from spadille.analysis.value.solve_result import ContractorResult, Result
from spadille.analysis.value.swaps import Swaps
from spadille.base.card_text import SUIT_NAMES
from spadille.base.words_for_messages import many
from spadille.render.results.shared_cells import trump_text
from spadille.render.tables import Row, TextTable, sentences

HEADERS = (
    *("declarer", "contract", "trump", "call/partner"),
    *("tricks", "needed", "outcome", "payoff"),
)
SECURED = ("declarer", "payoff", "play")

LineOfPlay = Sequence[Sequence[str]]
DrawLine = Callable[[LineOfPlay, str, str | None], TextTable]
"""A function that draws a line of play under a title; the third argument is the trump named in it.
"""


def tables(result: Result) -> Iterator[TextTable]:
    """Yield all tables about the value of a contract."""
    yield TextTable(HEADERS, list(contractors(result)))
    if result.secured is not None:
        yield TextTable(SECURED, list(secured_rows(result)), "What can be secured")
    yield from details(result, "", lambda line, of, _: line_in_order(line, of, result.leader))


def contractors(result: Result, *, symbols: bool = False) -> Iterator[Row]:
    """Yield a row for each declarer."""
    contract = result.contract
    scores = result.score or result.guarantees or {}
    helpers = " ".join(filter(None, (contract.called, contract.partner, contract.penalty)))
    for seat, kind in zip(contract.declarers, contract.ids, strict=True):
        side = result[seat]
        trump = trump_text(contract.trump, symbols)
        tricks = "?" if side.tricks is None and side.bounds[0] != side.bounds[1] else side.tricks
        yield seat, kind, trump, helpers, tricks, side.target, side.outcome, scores.get(seat)


def secured_rows(result: Result) -> Iterator[Row]:
    """Yield each declarer's payoff, with a description of the outcome if it is settled.

    With several declarers, these are their guaranteed payoffs.
    """
    secured = result.secured
    if secured is None:
        for seat, side in result.contractors.items():
            yield seat, "?" if side.guarantee is None else side.guarantee, ""
        return
    score: object = secured.score[result.contract.declarer] if secured.score else "?"
    if secured.payoff is None and not result.contract.partner:
        score = "{} to {}".format(*secured.bounds)
    how = [
        secured.outcome,
        secured.first_run and f"run {secured.first_run}",
        "surrenders" if secured.surrenders else None,
        {True: "stops", False: "goes on", None: None}[secured.stops],
    ]
    yield result.contract.declarer, score, ", ".join(filter(None, how))


def naming(declarer: str, named: str | None) -> str:
    """Return the addition to a line's title if the declarer names the trump in that line."""
    return f": {declarer} names {SUIT_NAMES[named]} before their first card" if named else ""


def details(result: Result, title: str, draw: DrawLine) -> Iterator[TextTable]:
    """Yield the leads by value, the line of play and the swaps of each declarer.

    `draw` draws a line of play under a title.
    """
    for seat, side in result.contractors.items():
        who = f"{title}, {seat}".removeprefix(", ")
        if side.leads:
            best = _best(result, side)
            by_value: dict[object, list[str]] = {best: []}
            for card, value in side.leads.items():
                by_value.setdefault(value, []).append(card)
            rows = [
                (f"{value}{' *' if value == best else ''}", " ".join(cards))
                for value, cards in by_value.items()
                if cards
            ]
            yield TextTable(("value", f"{_to_play(result)}, * the best"), rows, who, wraps=True)
        if side.line:
            yield draw(side.line, f"{who}, a line{naming(seat, side.named)}", side.named)
        if side.swaps is not None:
            yield from _swaps(who, side.swaps)


def _to_play(result: Result) -> str:
    """Return the heading of leads: the player to move, and the trick if play has begun."""
    trick, player = result.trick, result.player
    if player != result.leader:
        return f"cards of {player} to trick {trick}"
    return f"opening leads of {player}" if trick == 1 else f"leads of {player} to trick {trick}"


def line_in_order(line: LineOfPlay, title: str, leader: str, number: int = 1) -> TextTable:
    """Draw a line of play with unknown hands: the cards of each trick in order of play."""
    rows = [(place, " ".join(trick)) for place, trick in enumerate(line, number)]
    return TextTable(("trick", f"in order of play, {leader} leads"), rows, title)


_SENTENCES = 5


def _swaps(title: str, swaps: Swaps) -> Iterator[TextTable]:
    """Return the cards whose place matters, and the number of decisive swaps with each seat."""
    number = len(swaps.turning)
    turned = "break" if swaps.makes else "make"
    verb = f"{turned}s" if number < 2 else turned
    title += f": {number or 'none'} of {many(swaps.solved, 'swap')} {verb} it"
    title += f", {swaps.open} open" if swaps.open else ""
    seats = sorted(
        {seat for place in swaps.places for seat in (place.seat, *place.to)}, key="NESW12345".index
    )
    rows = [
        (
            place.card,
            place.seat,
            f"{place.turning}/{place.solved}",
            *(len(place.to.get(seat, ())) or None for seat in seats),
        )
        for place in swaps.places
    ]
    yield sentences("in words", [*swaps.sentences()][:_SENTENCES])._replace(title=title)
    if rows:
        yield TextTable(("card", "seat", "swaps", *(f"to {seat}" for seat in seats)), rows)


def _best(result: Result, side: ContractorResult) -> object:
    """Return the value of the best leads, which is the value of the hand for that declarer."""
    if result.secured is not None:
        return result.secured.payoff
    if result.contract.penalty:
        return side.guarantee
    named = any(isinstance(value, str) for value in (side.leads or {}).values())
    return side.outcome if named else side.tricks
