"""What a contract is worth, as tables; the fields are those of `Result.to_dict`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from spadille.base.card_text import SUIT_NAMES
from spadille.base.input_words import many
from spadille.render.results.common import Fields, trump_text
from spadille.render.tables import Row, TextTable

HEADERS = ("by", "contract", "trump", "with", "tricks", "need", "outcome", "score")
SECURED = ("by", "score", "how")

DrawLine = Callable[[Sequence[Sequence[str]], str], TextTable]


def tables(fields: Fields) -> Iterator[TextTable]:
    """Yield all there is to say."""
    yield TextTable(HEADERS, list(contractors(fields)))
    if fields.get("secured"):
        yield TextTable(SECURED, list(secured_rows(fields)), "What can be secured")
    yield from details(fields, "", lambda line, title: line_in_order(line, title, fields["leader"]))


def contractors(fields: Fields, *, symbols: bool = False) -> Iterator[Row]:
    """One row for each who plays a contract of his own."""
    declarers = as_list(fields["declarer"])
    ids = fields["contract"].split()
    scores = fields["score"] or fields.get("guarantees")
    helpers = (fields["called"], fields["partner"], fields.get("penalty"))
    for number, seat in enumerate(declarers):
        yield (
            seat,
            ids[number % len(ids)],
            trump_text(fields["trump"], symbols),
            " ".join(filter(None, helpers)),
            *(_of(fields[name], seat) for name in ("tricks", "target", "outcome")),
            _of(scores, seat),
        )


def secured_rows(fields: Fields) -> Iterator[Row]:
    """The payoff of each contractor, and how it comes about as far as that is settled.

    Of several contractors it is what each is guaranteed in any case.
    """
    found = fields.get("secured")
    for seat in as_list(fields["declarer"]):
        if found is None:
            sure = _of(fields.get("guarantees"), seat)
            yield seat, "?" if sure is None else sure, ""
            continue
        how = [found["outcome"], found["first_run"] and f"run {found['first_run']}"]
        if found["surrenders"]:
            how.append("surrenders")
        if found["stops"] is not None:
            how.append("stops" if found["stops"] else "goes on")
        score = found["score"][seat] if found["score"] else "?"
        if found.get("bounds") and not fields["partner"]:
            score = "{} to {}".format(*found["bounds"])
        yield seat, score, ", ".join(filter(None, how))


def as_list(value: Any) -> list[Any]:
    """Return the contractors as a list, also where there is one."""
    return value if isinstance(value, list) else [value]


def _of(value: Any, seat: str) -> Any:
    """The value of a contractor, where each has his own."""
    return value.get(seat) if isinstance(value, Mapping) else value


def naming(fields: Fields) -> str:
    """What a line's title adds where the trump was open: the declarer names it on the way."""
    named = fields.get("named")
    if not named:
        return ""
    return f": {fields['declarer']} names {SUIT_NAMES[named]} before his first card"


def details(fields: Fields, title: str, draw: DrawLine) -> Iterator[TextTable]:
    """Yield leads by their value, line of play and swaps of each contractor.

    `draw` draws a line of play under a title.
    """
    several = isinstance(fields["declarer"], list)
    for seat in as_list(fields["declarer"]):
        who = f"{title}, {seat}".removeprefix(", ")
        if leads := fields.get("leads"):
            best = _best(fields, seat)
            by_value: dict[object, list[str]] = {best: []}
            for card, value in (leads[seat] if several else leads).items():
                by_value.setdefault(value, []).append(card)
            rows = [
                (f"{value}{' *' if value == best else ''}", " ".join(cards))
                for value, cards in by_value.items()
                if cards
            ]
            yield TextTable(("value", f"{_to_play(fields)}, * the best"), rows, who, wraps=True)
        if line := fields.get("line"):
            yield draw(line[seat] if several else line, f"{who}, a line{naming(fields)}")
        if swaps := fields.get("swaps"):
            yield from _swaps(who, swaps[seat] if several else swaps)


def _to_play(fields: Fields) -> str:
    """Return the heading of leads: the player to move, and the trick if play has begun."""
    trick, player = fields["trick"], fields["player"]
    if player != fields["leader"]:
        return f"cards of {player} to trick {trick}"
    return f"opening leads of {player}" if trick == 1 else f"leads of {player} to trick {trick}"


def line_in_order(
    line: Sequence[Sequence[str]], title: str, leader: str, number: int = 1
) -> TextTable:
    """Draw a line of play whose hands are not known: the cards of each trick in order of play."""
    rows = [(place, " ".join(trick)) for place, trick in enumerate(line, number)]
    return TextTable(("trick", f"in order of play, {leader} leads"), rows, title)


_SENTENCES = 5


def _swaps(title: str, swaps: Fields | None) -> Iterator[TextTable]:
    """The cards whose place matters, with the number of swaps that turn the contract by seat."""
    if swaps is None:
        return
    turned = "break" if swaps["makes"] else "make"
    number, solved = len(swaps["turning"]), swaps["solved"]
    title += f": {number or 'none'} of {many(solved, 'swap')} {turned}{'s' * (number < 2)} it"
    cards = swaps["cards"]
    seats = sorted(
        {seat for card in cards for seat in (card["seat"], *card["to"])}, key="NESW12345".index
    )
    rows = [
        (
            card["card"],
            card["seat"],
            f"{card['turning']}/{card['solved']}",
            *(len(card["to"].get(seat, ())) or None for seat in seats),
        )
        for card in cards
    ]
    told = [(sentence,) for sentence in swaps["words"][:_SENTENCES]]
    yield TextTable(("in words",), told, title, wraps=True)
    if cards:
        yield TextTable(("card", "of", "swaps", *(f"to {seat}" for seat in seats)), rows)


def _best(fields: Fields, seat: str) -> object:
    """The value of the best leads: what the hand is worth to that contractor."""
    leads = fields["leads"]
    values = (leads[seat] if isinstance(fields["declarer"], list) else leads).values()
    if secured := fields.get("secured"):
        return secured["payoff"]
    if fields.get("penalty"):
        return fields["guarantees"][seat]
    return _of(fields["outcome" if any(isinstance(v, str) for v in values) else "tricks"], seat)
