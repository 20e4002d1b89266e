"""A review as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from spadille.analysis.auction.before_play import BeforePlay
from spadille.analysis.review.card_costs import VERDICTS, Account, CostTally, ReviewedCard
from spadille.analysis.review.refutation import Refutation
from spadille.analysis.review.review import Review
from spadille.analysis.value.decision_values import Decision
from spadille.base.input_words import seat_name, signed
from spadille.core.call_tree import PASS
from spadille.core.position import Trick
from spadille.games.model.contract_kinds import Surrender
from spadille.render.grid import Counted, counted, turns_grid
from spadille.render.tables import Row, TextTable
from spadille.search.verdict import Value

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
    found: Review,
    name: str = "",
    *,
    told: bool = False,
    game: str = "",
    won: Mapping[str, int] | None = None,
) -> Iterator[TextTable]:
    """Yield all there is to say of the deal called `name`.

    `told`: what values and signs mean has been said before; `game` is named where another meaning
    has; `won` are the tricks before an end position.
    """
    if not told:
        lines = [(line,) for line in (*LEGEND[found.unit], _ROWS)]
        yield TextTable(
            (f"what it means in {game}" if game else "what it means",), lines, wraps=True
        )
    yield from decided(found.before, name)
    yield play(found, won)._replace(title=f"{name}, {_heading(found)}".removeprefix(", "))
    costly = list(mistakes(found, won))
    rows = [(str(one.trick), one.seat, one.card, one.change, one.better) for one in costly]
    headers = ("trick", "by", "card", "value", "better")
    yield from _filled(TextTable(headers, rows, "What cost something", wraps=True))
    for one in costly:
        if one.words is not None and one.line is not None:
            yield TextTable(("why",), [(one.words,)], one.title, wraps=True)
            yield one.line
    yield from beside(found)
    yield TextTable(("the account",), [(line,) for line in account(found)], wraps=True)


def beside(found: Review) -> Iterator[TextTable]:
    """Yield what else there is: choices, special rules, what cards cost whom, and who knew it."""
    yield from _filled(_decisions(found), _surrenders(found), _notes(found))
    yield _summary(found)
    yield from _filled(*_known(found))


def decided(found: BeforePlay, name: str = "") -> Iterator[TextTable]:
    """Yield what was decided before the first card, and the bids there were."""
    title = f"{name}, before the first card, with open hands".removeprefix(", ")
    yield from _filled(_before(found, title), _bids(found))


def _filled(*tables: TextTable) -> Iterator[TextTable]:
    """Yield those that say something."""
    yield from (table for table in tables if table.rows)


def play(found: Review, won: Mapping[str, int] | None = None) -> TextTable:
    """Draw the tricks with the value after each."""
    after = {step.trick: " ".join(map(str, _after(step))) for step in found.steps}
    turn = _turn(found)
    return turns_grid(
        turn,
        found.tricks,
        _count(found, turn),
        won=won,
        marks={step.card: step.mark for step in found.steps},
        beside={"value": list(after.values())},
    )


def _after(step: ReviewedCard) -> Iterable[Value]:
    return step.of_each(lambda moved: moved.after).values()


def _turn(found: Review) -> tuple[str, ...]:
    """The seats in order of turn from the first leader, as the first trick shows them."""
    return tuple(dict.fromkeys((*(step.seat for step in found.steps), *found.players)))


def _count(found: Review, turn: Sequence[str]) -> Counted:
    contract = found.contract
    return counted(
        turn,
        contract.declarers,
        contract.partner,
        contract.penalty,
        everybody=found.unit == "outcome" or contract.penalty is not None,
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


def mistakes(found: Review, won: Mapping[str, int] | None = None) -> Iterator[Mistake]:
    """Yield the cards that cost something, in their order; `won` as for `tables`."""
    for step in found.steps:
        if not step.mark:
            continue
        # A contractor is judged by his own contract, everybody else by all.
        for seat in [step.seat] if step.seat in step.contractors else step.contractors:
            moved = step[seat]
            if not moved.cost:
                continue
            change = f"{moved.before} to {moved.after}"
            name = step.card + step.mark
            title = f"Trick {step.trick}, {name} by {step.seat}"
            why = step.refutations.get(seat if step.several else found.contract.declarer)
            yield Mistake(
                trick=step.trick,
                seat=step.seat,
                card=name,
                change=f"{seat}: {change}" if step.several else change,
                better=" ".join(moved.best),
                title=f"{title}, for {seat}" if found.several else title,
                words=None if why is None else why.words,
                line=None if why is None else _refutation(found, step, why, won),
            )


def _refutation(
    review: Review, step: ReviewedCard, found: Refutation, won: Mapping[str, int] | None
) -> TextTable:
    """The refutation, the better line beside it."""
    so_far = Counter(dict(won or {}))
    for _, cards, winner in review.tricks[: step.trick - 1]:
        if winner is not None:
            so_far[winner] += not any(card[0] == review.contract.penalty for card in cards)
    turn = _from(_turn(review), found.tricks[0].leader)
    better = [_line(trick, _from(turn, trick.leader)) for trick in found.better]
    better += [""] * (len(found.tricks) - len(better))
    return turns_grid(
        turn,
        found.tricks,
        _count(review, turn),
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


def _heading(found: Review) -> str:
    """Say what was played by whom."""
    contract = found.contract
    title = f"{contract.written_ids()} by {' '.join(contract.declarers)}"
    if contract.partner:
        title += f" with {contract.partner}"
    title += {"NT": ", no trumps", None: ", trump open"}.get(
        contract.trump, f", trumps {contract.trump}"
    )
    if contract.penalty:
        title += f", penalty {contract.penalty}"
    return title if found.target is None else f"{title}, needs {found.target or 'none'}"


_DECIDED = {"call": "call", "trump": "trump", "called": "calls", "exchange": "away"}


def _before(found: BeforePlay, title: str) -> TextTable:
    """What was decided before the first card, and what was better."""
    rows = []
    for one in found.decisions:
        name, made, better = _DECIDED[one.kind], one.decision, one.better
        pays = signed(one.payoffs[made])
        then = one.follows.get(better or made)
        cost = (one.cost or None) if one.exact else f"{one.cost} (open)"
        if one.kind == "call" and one.call is None:
            # What a soloist makes of his bid, and no word of the auction says.
            name, made = "raise", "none" if made == PASS else made
        best = f"{better}: {signed(one.payoffs[better])}" if better else None
        rows.append((one.seat, name, f"{made}: {pays}", best, then, cost))
    headers = ("by", "what", "made: pays", "better: pays", "leads to", "cost")
    return TextTable(headers, rows, title, wraps=True)


def _bids(found: BeforePlay) -> TextTable:
    """The bids each seat could have made its contract with."""
    rows = [(seat, " ".join(bids)) for seat, bids in found.bids.items() if bids]
    return TextTable(("seat", "bids it could have made"), rows, wraps=True)


def _decisions(found: Review) -> TextTable:
    """The choice after the first tricks, what it pays and what it cost."""
    words = {"stopped": "stops", "went_on": "goes on for all", None: ""}
    rows = [
        (
            str(one.trick),
            one.seat,
            words[one.decision],
            f"{one.payoffs['stopped']:+d}",
            f"{one.payoffs['went_on']:+d}",
            one.cost or None,
        )
        for one in found.decisions[:1]
    ]
    headers = ("before trick", "by", "choice", "stopping pays", "going on pays", "cost")
    side = "+".join(found.sides)
    return TextTable(headers, rows, f"Stop or go on, double dummy: chips or points of {side}")


_CHOSEN = {
    "surrendered": "surrenders",
    "played_on": "plays on",
    "took_over": "takes over",
    "left": "leaves it",
    None: "",
}


def _surrenders(found: Review) -> TextTable:
    """What surrendering was worth before the declarer's cards, and what the choice cost."""
    rows = []
    for one in found.surrenders:
        up, down = one.payoffs.values()
        pays = (f"{up:+d}", f"{down:+d}")
        rows.append((str(one.trick), one.seat, _CHOSEN[one.decision], *pays, one.cost or None))
    headers = ("before trick", "by", "choice", "surrender pays", "otherwise", "cost")
    title = "To surrender, or to take over, or not, double dummy: chips of the player"
    return TextTable(headers, rows, title)


def _notes(found: Review) -> TextTable:
    """What the special rules made of choices."""
    rows = [(str(step.trick), step.hint) for step in found.steps if step.hint]
    return TextTable(("trick", "special rules at work"), rows, wraps=True)


def _summary(found: Review) -> TextTable:
    """What the cards of each player and side cost."""
    rows = [_counts(seat, one) for seat, one in found.players.items()]
    given = found.surrender
    others = "defenders" if given and given.taken_over else "others"
    names = {"declarers": "+".join(found.sides), "defenders": others}
    for name, one in found.parties.items():
        if name == "defenders" or found.contract.partner:
            rows.append(_counts(names[name], one))
    header = ("player", "cards", "with a choice", "of them best", "errors", "cost")
    return TextTable(header, rows)


def _known(found: Review) -> Iterator[TextTable]:
    """What players could have known: the cards that were more, or less, than they cost."""
    judged = [(step, step.judged) for step in found.steps if step.judged]
    rows = [
        (
            str(step.trick),
            step.seat,
            step.card + step.mark,
            f"{100 * one.made:.0f}",
            one.rank,
            (step[step.seat].cost if step.several else step.cost) or None,
            one.verdict,
        )
        for step, one in judged
        if one.verdict != "fine"
    ]
    headers = ("trick", "by", "card", "made %", "rank", "cost", "verdict")
    yield TextTable(
        headers, rows, "On what the players knew, in how many layouts the contract makes"
    )
    counts = [(seat, *counts.values()) for seat, counts in found.verdicts.items()]
    yield TextTable(("player", *VERDICTS), counts)
    hurried = sum(one.ended == "seconds" for _, one in judged)
    if hurried:
        note = (
            f"The time was over before {hurried} of these {len(judged)} decisions were settled: "
            "the next time they may look otherwise."
        )
        yield TextTable(("what this rests on",), [(note,)], wraps=True)


def _left(account: Account, decision: Decision | None) -> str:
    """How going on changed the value, where only the soloist's tricks count from there."""
    if not account.left or decision is None:
        return ""
    return f" - {account.left} since only tricks of {'+'.join(decision.counted)} count"


def _counts(who: str, one: CostTally) -> Row:
    share = "" if one.share is None else f"{one.best} ({one.share:.0%})"
    return who, one.cards, one.choices, share, one.errors, one.cost


def _surrender(given: Surrender) -> str:
    """Say who surrendered, and who took over."""
    took = given.taken_over
    rest = f", and {took} takes over" if took else ": the contract is lost"
    return f"{given.seat} surrenders before trick {given.trick}{rest}"


def account(found: Review) -> Iterator[str]:
    """The identity of the review in words, and the turning point."""
    several, given, decision = found.several, found.surrender, next(iter(found.decisions), None)
    misere = found.target == 0
    for seat, one in found.accounts.items():
        who = f"{seat}: " if len(found.accounts) > 1 else ""
        took_over = given is not None and seat == given.taken_over
        first = "there" if took_over else "the first card"
        if found.unit == "outcome":
            begin = "after that" if took_over else "at the start"
            yield (
                f"{who}{one.start} {begin}, {one.lost} worse by the declarer, "
                f"{one.given} better by the others: {one.result}"
            )
        else:
            down, up = "+-" if misere else "-+"
            side = "himself" if several else "the declaring side"
            yield (
                f"{who}{one.start} at the start {down} {one.lost} by {side} "
                f"{up} {one.given} by the others{_left(one, decision)} = {one.result}"
            )
        turn = one.turning_point
        if turn is not None:
            start = "makes" if one.made_at_start else "fails"
            yield f"{who}The contract {start} with best play of all from {first}."
            step = found.steps[turn]
            fate = "made" if one.made else "lost"
            # To go on and to go on with a wrong card is one and the same card.
            way = "going on with " if decision and decision.card == turn else ""
            yield (
                f"{who}The turning point: {way}{step.card} by {seat_name(step.seat)} in "
                f"trick {step.trick}; the contract is {fate} from there on."
            )
        elif given and seat == given.seat:
            yield f"{_surrender(given)}."
        elif not several:
            fate = "made" if one.made else "lost"
            yield (f"{who}No card changed whether the contract is made: {fate} from {first} on.")
    if decision and decision.decision == "stopped":
        yield f"{decision.seat} stops after the first tricks, which ends the hand: made."
    if lost := found.lost_at:
        yield f"Trick {lost} is lost, where all are needed; that ends the hand."
    if found.score is not None:
        gains = ", ".join(f"{seat} {gain:+d}" for seat, gain in found.score.items())
        yield f"The hand as it was played: {gains}."
    if not found.finished:
        yield "The play is not finished; = gives the value where it stops."
