"""The value of a contract, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from spadille.analysis.value.solve_result import ContractorResult, Result
from spadille.analysis.value.swaps import Swaps
from spadille.base.card_text import SUIT_NAMES
from spadille.base.input_words import many
from spadille.render.results.common import trump_text
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


def tables(found: Result) -> Iterator[TextTable]:
    """Yield all tables about the value of a contract."""
    yield TextTable(HEADERS, list(contractors(found)))
    if found.secured is not None:
        yield TextTable(SECURED, list(secured_rows(found)), "What can be secured")
    yield from details(found, "", lambda line, of, _: line_in_order(line, of, found.leader))


def contractors(found: Result, *, symbols: bool = False) -> Iterator[Row]:
    """Yield a row for each declarer."""
    contract = found.contract
    scores = found.score or found.guarantees or {}
    helpers = " ".join(filter(None, (contract.called, contract.partner, contract.penalty)))
    for seat, kind in zip(contract.declarers, contract.ids, strict=True):
        one = found[seat]
        trump = trump_text(contract.trump, symbols)
        tricks = "?" if one.tricks is None and one.bounds[0] != one.bounds[1] else one.tricks
        yield seat, kind, trump, helpers, tricks, one.target, one.outcome, scores.get(seat)


def secured_rows(found: Result) -> Iterator[Row]:
    """Yield each declarer's payoff, with a description of the outcome if it is settled.

    With several declarers, the payoff is what each can guarantee.
    """
    secured = found.secured
    if secured is None:
        for seat, one in found.contractors.items():
            yield seat, "?" if one.guarantee is None else one.guarantee, ""
        return
    score: object = secured.score[found.contract.declarer] if secured.score else "?"
    if secured.payoff is None and not found.contract.partner:
        score = "{} to {}".format(*secured.bounds)
    how = [
        secured.outcome,
        secured.first_run and f"run {secured.first_run}",
        "surrenders" if secured.surrenders else None,
        {True: "stops", False: "goes on", None: None}[secured.stops],
    ]
    yield found.contract.declarer, score, ", ".join(filter(None, how))


def naming(declarer: str, named: str | None) -> str:
    """Return the addition to a line's title if the declarer names the trump in that line."""
    return f": {declarer} names {SUIT_NAMES[named]} before their first card" if named else ""


def details(found: Result, title: str, draw: DrawLine) -> Iterator[TextTable]:
    """Yield the leads by value, the line of play and the swaps of each declarer.

    `draw` draws a line of play under a title.
    """
    for seat, one in found.contractors.items():
        who = f"{title}, {seat}".removeprefix(", ")
        if one.leads:
            best = _best(found, one)
            by_value: dict[object, list[str]] = {best: []}
            for card, value in one.leads.items():
                by_value.setdefault(value, []).append(card)
            rows = [
                (f"{value}{' *' if value == best else ''}", " ".join(cards))
                for value, cards in by_value.items()
                if cards
            ]
            yield TextTable(("value", f"{_to_play(found)}, * the best"), rows, who, wraps=True)
        if one.line:
            yield draw(one.line, f"{who}, a line{naming(seat, one.named)}", one.named)
        if one.swaps is not None:
            yield from _swaps(who, one.swaps)


def _to_play(found: Result) -> str:
    """Return the heading of leads: the player to move, and the trick if play has begun."""
    trick, player = found.trick, found.player
    if player != found.leader:
        return f"cards of {player} to trick {trick}"
    return f"opening leads of {player}" if trick == 1 else f"leads of {player} to trick {trick}"


def line_in_order(line: LineOfPlay, title: str, leader: str, number: int = 1) -> TextTable:
    """Draw a line of play with unknown hands: the cards of each trick in order of play."""
    rows = [(place, " ".join(trick)) for place, trick in enumerate(line, number)]
    return TextTable(("trick", f"in order of play, {leader} leads"), rows, title)


_SENTENCES = 5


def _swaps(title: str, swaps: Swaps) -> Iterator[TextTable]:
    """Return the cards whose place matters, with the number of decisive swaps with each seat."""
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


def _best(found: Result, one: ContractorResult) -> object:
    """Return the value of the best leads, which is the value of the hand for that declarer."""
    if found.secured is not None:
        return found.secured.payoff
    if found.contract.penalty:
        return one.guarantee
    named = any(isinstance(value, str) for value in (one.leads or {}).values())
    return one.outcome if named else one.tricks
