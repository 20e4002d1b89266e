"""A review as tables; the fields are those of `Review.to_dict`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from spadille.analysis.review.card_costs import VERDICTS, ReviewedCard
from spadille.analysis.review.refutation import Refutation
from spadille.base.input_words import seat_name, signed
from spadille.core.call_tree import PASS
from spadille.core.position import Trick
from spadille.render.grid import Counted, counted, turns_grid
from spadille.render.results.common import Fields
from spadille.render.tables import Row, TextTable

LEGEND = {
    "tricks": (
        "Values are the tricks the declaring side ends with if nobody errs any more.",
        "?   the card costs the side of its player one or more of them",
        "??  it costs his side the contract, or gives the contract to the other side",
    ),
    "outcome": (
        "Values are the outcome for the declarer if nobody errs any more.",
        "?   the card makes that worse for the side of its player",
        "??  it turns a win into a loss, or gives the declarer the win",
    ),
    "points": (
        "Values are the points each contractor is sure of against all others, in the",
        "order of their seats. Only he himself can spoil his own, and by those he is",
        "judged; the cards of others can but raise them.",
        "?   the card costs points, or gives points to one who plays against all",
        "??  it costs or gives a contract",
    ),
}
_ROWS = ">   leads to the trick, and * wins it; then the tricks won so far, and the value"


def tables(
    fields: Fields,
    name: str = "",
    *,
    told: bool = False,
    game: str = "",
    won: Mapping[str, int] | None = None,
    steps: Iterable[ReviewedCard] = (),
) -> Iterator[TextTable]:
    """Yield all there is to say of the deal called `name`.

    `told`: what values and signs mean has been said before; `game` is named where another meaning
    has; `won` are the tricks before an end position; `steps` are those of the review, where their
    refutations are to be drawn.
    """
    if not told:
        lines = [(line,) for line in (*LEGEND[fields["unit"]], _ROWS)]
        yield TextTable(
            (f"what it means in {game}" if game else "what it means",), lines, wraps=True
        )
    yield from decided(fields, name)
    yield play(fields, won)._replace(title=f"{name}, {_heading(fields)}".removeprefix(", "))
    found = list(mistakes(fields, steps, won))
    rows = [(str(one.trick), one.seat, one.card, one.change, one.better) for one in found]
    headers = ("trick", "by", "card", "value", "better")
    yield from _filled(TextTable(headers, rows, "What cost something", wraps=True))
    for one in found:
        if one.words is not None and one.line is not None:
            yield TextTable(("why",), [(one.words,)], one.title, wraps=True)
            yield one.line
    yield from beside(fields)
    yield TextTable(("the account",), [(line,) for line in account(fields)], wraps=True)


def beside(fields: Fields) -> Iterator[TextTable]:
    """Yield what else there is: choices, special rules, what cards cost whom, and who knew it."""
    yield from _filled(_decisions(fields), _surrenders(fields), _notes(fields))
    yield _summary(fields)
    yield from _filled(*_known(fields))


def decided(fields: Fields, name: str = "") -> Iterator[TextTable]:
    """Yield what was decided before the first card, and the bids there were."""
    title = f"{name}, before the first card, with open hands".removeprefix(", ")
    yield from _filled(_before(fields, title), _bids(fields))


def _filled(*tables: TextTable) -> Iterator[TextTable]:
    """Yield those that say something."""
    yield from (table for table in tables if table.rows)


def play(fields: Fields, won: Mapping[str, int] | None = None) -> TextTable:
    """Draw the tricks with the value after each."""
    after = {card["trick"]: _short(card["after"]) for card in fields["cards"]}
    turn = _turn(fields)
    return turns_grid(
        turn,
        [(trick["leader"], trick["cards"], trick["winner"]) for trick in fields["tricks"]],
        _count(fields, turn),
        won=won,
        marks={card["card"]: card["mark"] for card in fields["cards"]},
        beside={"value": list(after.values())},
    )


def _turn(fields: Fields) -> tuple[str, ...]:
    """The seats in order of turn from the first leader, as the first trick shows them."""
    seats = (card["seat"] for card in fields["cards"])
    return tuple(dict.fromkeys((*seats, *fields["players"])))


def _count(fields: Fields, turn: Sequence[str]) -> Counted:
    declarers, penalty = fields["declarer"], fields["penalty"]
    return counted(
        turn,
        declarers if isinstance(declarers, list) else [declarers],
        fields["partner"],
        penalty,
        everybody=fields["unit"] == "outcome" or penalty is not None,
    )


class Mistake(NamedTuple):
    """A card that cost something, in words, for one who is judged by it."""

    trick: int
    seat: str
    card: str
    """With its mark."""
    change: str
    better: str
    title: str
    words: str | None = None
    """How the other side profits, where that was asked for."""
    line: TextTable | None = None
    """The refutation, the better line beside it, where it is to be drawn."""


def mistakes(
    fields: Fields, steps: Iterable[ReviewedCard] = (), won: Mapping[str, int] | None = None
) -> Iterator[Mistake]:
    """Yield the cards that cost something, in their order; `steps` and `won` as for `tables`."""
    several = isinstance(fields["declarer"], list)
    for card, step in zip_longest(fields["cards"], steps):
        if not card["mark"]:
            continue
        for seat, before, after, cost, best in _by_contractor(fields, card):
            if not cost:
                continue
            name = card["card"] + card["mark"]
            found = Mistake(
                card["trick"],
                card["seat"],
                name,
                f"{seat}: {before} to {after}".removeprefix(": "),
                " ".join(best),
                f"Trick {card['trick']}, {name} by {card['seat']}"
                + (f", for {seat}" if several else ""),
            )
            why = step and step.refutations.get(seat or fields["declarer"])
            if why:
                line = _refutation(fields, step, why, won)
                found = found._replace(words=why.words, line=line)
            yield found


def _refutation(
    fields: Fields, step: ReviewedCard, found: Refutation, won: Mapping[str, int] | None
) -> TextTable:
    """The refutation, the better line beside it."""
    so_far = Counter(dict(won or {}))
    for trick in fields["tricks"][: step.trick - 1]:
        so_far[trick["winner"]] += not any(card[0] == fields["penalty"] for card in trick["cards"])
    turn = _from(_turn(fields), found.tricks[0].leader)
    better = [_line(trick, _from(turn, trick.leader)) for trick in found.better]
    better += [""] * (len(found.tricks) - len(better))
    return turns_grid(
        turn,
        found.tricks,
        _count(fields, turn),
        number=step.trick,
        won=so_far,
        marks={step.card: step.mark},
        beside={f"with {found.instead}": better},
    )


def _from(turn: tuple[str, ...], leader: str) -> tuple[str, ...]:
    first = turn.index(leader)
    return turn[first:] + turn[:first]


def _line(trick: Trick, seats: tuple[str, ...]) -> str:
    """A trick in order of play, who leads to it and a star behind the card that wins."""
    cards = (
        card + "*" * (seat == trick.winner) for seat, card in zip(seats, trick.cards, strict=False)
    )
    return f"{trick.leader}: {' '.join(cards)}"


def _heading(fields: Fields) -> str:
    """Say what was played by whom."""
    declarers = fields["declarer"]
    by = " ".join(declarers) if isinstance(declarers, list) else declarers
    title = f"{fields['contract']} by {by}"
    if fields["partner"]:
        title += f" with {fields['partner']}"
    title += {"NT": ", no trumps", None: ", trump open"}.get(
        fields["trump"], f", trumps {fields['trump']}"
    )
    if fields["penalty"]:
        title += f", penalty {fields['penalty']}"
    return title if fields["target"] is None else f"{title}, needs {fields['target'] or 'none'}"


def _short(value: Any) -> str:
    return " ".join(map(str, value.values())) if isinstance(value, Mapping) else str(value)


def _by_contractor(fields: Fields, card: Fields) -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """Value before and after, cost and best cards, for each contractor the card is judged by."""
    before, after, cost, best = (card[name] for name in ("before", "after", "cost", "best"))
    if not isinstance(cost, Mapping):
        yield "", before, after, cost, best
        return
    own = card["seat"] in cost
    for seat in [card["seat"]] if own else cost:
        yield seat, before[seat], after[seat], cost[seat], best[seat]


_DECIDED = {"call": "call", "trump": "trump", "called": "calls", "exchange": "away"}


def _before(fields: Fields, title: str) -> TextTable:
    """What was decided before the first card, and what was better."""
    rows = []
    for one in fields["decisions"]:
        if one["kind"] not in _DECIDED:
            continue
        choices = {each["choice"]: each for each in one["choices"]}
        name, made, better = _DECIDED[one["kind"]], one["decision"], one["better"]
        pays, more = (each and signed(choices[each]["payoff"]) for each in (made, better))
        then = choices[better or made]["follows"]
        cost = (one["cost"] or None) if one["exact"] else f"{one['cost']} (open)"
        if one["kind"] == "call" and one["call"] is None:
            # What a soloist makes of his bid, and no word of the auction says.
            name, made = "raise", "none" if made == PASS else made
        best = f"{better}: {more}" if better else None
        rows.append((one["seat"], name, f"{made}: {pays}", best, then, cost))
    headers = ("by", "what", "made: pays", "better: pays", "leads to", "cost")
    return TextTable(headers, rows, title, wraps=True)


def _bids(fields: Fields) -> TextTable:
    """The bids each seat could have made its contract with."""
    rows = [(seat, " ".join(bids)) for seat, bids in fields["bids"].items() if bids]
    return TextTable(("seat", "bids it could have made"), rows, wraps=True)


def going_on(fields: Fields) -> Fields | None:
    """Return the choice to stop or go on, if there was one."""
    return next((one for one in fields.get("decisions", ()) if one["kind"] == "going-on"), None)


def _decisions(fields: Fields) -> TextTable:
    """The choice after the first tricks, what it pays and what it cost."""
    words = {"stopped": "stops", "went_on": "goes on for all"}
    rows = []
    if one := going_on(fields):
        chosen = one["decision"]
        payoffs = [f"{one['payoffs'][name]:+d}" for name in ("stopped", "went_on")]
        cost = one["cost"] or None
        rows.append((str(one["trick"]), one["seat"], words[chosen], *payoffs, cost))
    headers = ("before trick", "by", "choice", "stopping pays", "going on pays", "cost")
    side = "+".join(fields["sides"])
    return TextTable(headers, rows, f"Stop or go on, double dummy: chips or points of {side}")


_CHOSEN = {
    "surrendered": "surrenders",
    "played_on": "plays on",
    "took_over": "takes over",
    "left": "leaves it",
}


def _surrenders(fields: Fields) -> TextTable:
    """What surrendering was worth before the declarer's cards, and what the choice cost."""
    rows = []
    for one in fields["decisions"]:
        if one["kind"] not in ("surrender", "take-over"):
            continue
        up, down = one["payoffs"].values()
        choice = _CHOSEN[one["decision"]]
        pays = (f"{up:+d}", f"{down:+d}")
        rows.append((str(one["trick"]), one["seat"], choice, *pays, one["cost"] or None))
    headers = ("before trick", "by", "choice", "surrender pays", "otherwise", "cost")
    title = "To surrender, or to take over, or not, double dummy: chips of the player"
    return TextTable(headers, rows, title)


def _notes(fields: Fields) -> TextTable:
    """What the special rules made of choices."""
    rows = [(str(card["trick"]), card["hint"]) for card in fields["cards"] if card["hint"]]
    return TextTable(("trick", "special rules at work"), rows, wraps=True)


def _summary(fields: Fields) -> TextTable:
    """What the cards of each player and side cost."""
    rows = [_counts(seat, one) for seat, one in fields["players"].items()]
    given = fields["surrender"]
    others = "defenders" if given and given["taken_over"] else "others"
    names = {"declarers": "+".join(fields["sides"]), "defenders": others}
    for name, one in fields["parties"].items():
        if name == "defenders" or fields["partner"]:
            rows.append(_counts(names[name], one))
    header = ("player", "cards", "with a choice", "of them best", "errors", "cost")
    return TextTable(header, rows)


def _known(fields: Fields) -> Iterator[TextTable]:
    """What players could have known: the cards that were more, or less, than they cost."""
    several = isinstance(fields["declarer"], list)
    rows = [
        (
            str(card["trick"]),
            card["seat"],
            card["card"] + card["mark"],
            f"{100 * card['chance']:.0f}",
            card["rank"],
            (card["cost"][card["seat"]] if several else card["cost"]) or None,
            card["verdict"],
        )
        for card in fields["cards"]
        if card.get("verdict", "fine") != "fine"
    ]
    headers = ("trick", "by", "card", "made %", "rank", "cost", "verdict")
    yield TextTable(
        headers, rows, "On what the players knew, in how many layouts the contract makes"
    )
    verdicts = fields.get("verdicts", {})
    counts = [(seat, *counts.values()) for seat, counts in verdicts.items()]
    yield TextTable(("player", *VERDICTS), counts)
    hurried = sum(card.get("ended") == "seconds" for card in fields["cards"])
    asked = sum("verdict" in card for card in fields["cards"])
    if hurried:
        note = (
            f"The time was over before {hurried} of these {asked} decisions were settled: the next "
            "time they may look otherwise."
        )
        yield TextTable(("what this rests on",), [(note,)], wraps=True)


def _left(account: Fields, decision: Fields | None) -> str:
    """How going on changed the value, where only the soloist's tricks count from there."""
    if not account["left"] or decision is None:
        return ""
    return f" - {account['left']} since only tricks of {'+'.join(decision['counted'])} count"


def _counts(who: str, one: Fields) -> Row:
    share = "" if one["share"] is None else f"{one['best']} ({one['share']:.0%})"
    return who, one["cards"], one["choices"], share, one["errors"], one["cost"]


def _surrender(given: Fields) -> str:
    """Say who surrendered, and who took over."""
    took = given["taken_over"]
    rest = f", and {took} takes over" if took else ": the contract is lost"
    return f"{given['seat']} surrenders before trick {given['trick']}{rest}"


def account(fields: Fields) -> Iterator[str]:
    """The identity of the review in words, and the turning point."""
    several = isinstance(fields["declarer"], list)
    given = fields["surrender"]
    decision = going_on(fields)
    misere = fields["target"] == 0
    for seat, one in fields["accounts"].items():
        who = f"{seat}: " if len(fields["accounts"]) > 1 else ""
        took_over = given is not None and seat == given["taken_over"]
        first = "there" if took_over else "the first card"
        if fields["unit"] == "outcome":
            begin = "after that" if took_over else "at the start"
            yield (
                f"{who}{one['start']} {begin}, {one['lost']} worse by the declarer, "
                f"{one['given']} better by the others: {one['result']}"
            )
        else:
            down, up = "+-" if misere else "-+"
            side = "himself" if several else "the declaring side"
            yield (
                f"{who}{one['start']} at the start {down} {one['lost']} by {side} "
                f"{up} {one['given']} by the others{_left(one, decision)} = {one['result']}"
            )
        turn = one["turning_point"]
        if turn is not None:
            start = "makes" if one["made_at_start"] else "fails"
            yield f"{who}The contract {start} with best play of all from {first}."
            card = fields["cards"][turn]
            fate = "made" if one["made"] else "lost"
            # To go on and to go on with a wrong card is one and the same card.
            way = "going on with " if decision and decision["card"] == turn else ""
            yield (
                f"{who}The turning point: {way}{card['card']} by {seat_name(card['seat'])} in "
                f"trick {card['trick']}; the contract is {fate} from there on."
            )
        elif given and seat == given["seat"]:
            yield f"{_surrender(given)}."
        elif not several:
            fate = "made" if one["made"] else "lost"
            yield (f"{who}No card changed whether the contract is made: {fate} from {first} on.")
    if decision and decision["decision"] == "stopped":
        yield f"{decision['seat']} stops after the first tricks, which ends the hand: made."
    if lost := fields["lost_at"]:
        yield f"Trick {lost} is lost, where all are needed; that ends the hand."
    if fields["score"] is not None:
        gains = ", ".join(f"{seat} {gain:+d}" for seat, gain in fields["score"].items())
        yield f"The hand as it was played: {gains}."
    if not fields["finished"]:
        yield "The play is not finished; = gives the value where it stops."
