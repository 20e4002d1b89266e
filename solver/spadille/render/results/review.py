"""A review as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from spadille.analysis.auction.before_play import BeforePlay
from spadille.analysis.review.card_costs import (
    VERDICTS,
    Account,
    CostTally,
    Judged,
    Moved,
    ReviewedCard,
    or_open,
)
from spadille.analysis.review.refutation import Refutation
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.decisions_other_than_cards import Decision, Preliminary
from spadille.base.words_for_messages import listed, many, seat_name, signed
from spadille.core.call_tree import PASS
from spadille.core.position import Trick
from spadille.games.model.contract_types_and_options import Surrender
from spadille.render.play_and_auction_grids import Counted, counted, turns_grid
from spadille.render.results.shared_cells import hurried
from spadille.render.tables import Column, TextTable, sentences, table_of
from spadille.search.verdict import Unit

LEGEND = {
    "tricks": (
        "Values are the tricks the declaring side takes with best play from there.",
        "?   the card costs its player's side one or more tricks",
        "??  it costs that side the contract, or gives the contract to the other side",
    ),
    "outcome": (
        "Values are the outcome for the declarer with best play from there.",
        "?   the card makes the outcome worse for its player's side",
        "??  it turns a win into a loss, or gives the declarer the win",
    ),
    "points": (
        "Values are the points that each declarer can secure against everybody else, in seat",
        "order. Declarers are judged by their own points, which only their own cards can",
        "reduce; all other players are judged by the points they give away.",
        "?   the card costs points, or gives points to a declarer",
        "??  it costs or gives a contract",
    ),
}
_ROWS = ">   led to the trick, * won it; the last columns are the tricks won so far and the value"


def review_legend(unit: Unit, game: str = "") -> TextTable:
    """Return the legend for values and marks; `game` is named if other games use another unit."""
    return sentences(f"legend for {game}" if game else "legend", (*LEGEND[unit], _ROWS))


def tables(
    review: Review,
    name: str = "",
    *,
    won: Mapping[str, int] | None = None,
    seat: str | None = None,
) -> Iterator[TextTable]:
    """Yield the review of the deal called `name`; `won` has the tricks before an end position.

    With a `seat`, only its mistakes are explained.
    """
    yield from decided(review.before, name)
    yield play(review, won)._replace(title=f"{name}, {_heading(review)}".removeprefix(", "))
    costly = [mistake for mistake in mistakes(review, won) if seat in (None, mistake.seat)]
    yield from _filled(table_of(_MISTAKE, costly, "Costly cards", wraps=True))
    for mistake in costly:
        if mistake.words is not None and mistake.line is not None:
            yield sentences("why", [mistake.words])._replace(title=mistake.title)
            yield mistake.line
    yield from beside(review)
    yield sentences("summary", [*account(review), *unfinished(review)])


def beside(review: Review) -> Iterator[TextTable]:
    """Yield the tables below the play: decisions, special rules, costs, and verdicts."""
    yield from _filled(_going_on(review), _surrenders(review), _special_rules(review))
    yield _costs(review)
    yield from _filled(*_knowledge(review))


def decided(before: BeforePlay, name: str = "") -> Iterator[TextTable]:
    """Yield the decisions before the first card, and the bids that each seat could have made."""
    title = f"{name}, before the first card, double-dummy payoffs".removeprefix(", ")
    bids = [(seat, " ".join(bids)) for seat, bids in before.bids.items() if bids]
    yield from _filled(
        table_of(_BEFORE, before.decisions, title, wraps=True),
        TextTable(("seat", "bids that make"), bids, wraps=True),
    )


def _filled(*tables: TextTable) -> Iterator[TextTable]:
    """Yield the tables that have rows."""
    yield from (table for table in tables if table.rows)


def play(review: Review, won: Mapping[str, int] | None = None) -> TextTable:
    """Draw the tricks with the value after each."""
    after = {step.trick: " ".join(step.of_each(_after).values()) for step in review.steps}
    turn = _turn(review)
    return turns_grid(
        turn,
        review.tricks,
        _count(review, turn),
        won=won,
        marks={step.card: step.mark for step in review.steps},
        beside={"value": list(after.values())},
    )


def _after(moved: Moved) -> str:
    return or_open(moved.after)


def _turn(review: Review) -> tuple[str, ...]:
    """Return the seats in turn order, starting with the leader to the first trick."""
    return tuple(dict.fromkeys((*(step.seat for step in review.steps), *review.players)))


def _count(review: Review, turn: Sequence[str]) -> Counted:
    contract = review.contract
    return counted(
        turn,
        contract.declarers,
        contract.partner,
        contract.penalty,
        everybody=review.unit == "outcome" or contract.penalty is not None,
    )


class Mistake(NamedTuple):
    """An explanation of a costly card, for one of the contracts by which it is judged."""

    trick: int
    seat: str
    card: str
    """The card with its mark."""
    change: str
    better: str
    title: str
    words: str | None = None
    """The explanation of how the other side profits, if the review has one."""
    line: TextTable | None = None
    """A drawing of the refutation next to the better line, if there is one."""


def mistakes(review: Review, won: Mapping[str, int] | None = None) -> Iterator[Mistake]:
    """Yield the costly cards in order; `won` as in `tables`."""
    for step in review.steps:
        if not step.mark:
            continue
        # A declarer is judged by their own contract, everybody else by all contracts.
        for seat in [step.seat] if step.seat in step.contractors else step.contractors:
            moved = step[seat]
            if not moved.cost:
                continue
            change = f"{moved.before} to {moved.after}"
            name = step.card + step.mark
            title = f"Trick {step.trick}, {name} by {step.seat}"
            why = step.refutations.get(seat if step.several else review.contract.declarer)
            yield Mistake(
                trick=step.trick,
                seat=step.seat,
                card=name,
                change=f"{seat}: {change}" if step.several else change,
                better=" ".join(moved.best),
                title=f"{title}, in {seat_name(seat)}'s contract" if review.several else title,
                words=None if why is None else why.words,
                line=None if why is None else _refutation(review, step, why, won),
            )


_MISTAKE: tuple[Column[Mistake], ...] = (
    Column("trick", lambda mistake: str(mistake.trick)),
    Column("player", lambda mistake: mistake.seat),
    Column("card", lambda mistake: mistake.card),
    Column("value", lambda mistake: mistake.change),
    Column("better", lambda mistake: mistake.better),
)


def _refutation(
    review: Review, step: ReviewedCard, refutation: Refutation, won: Mapping[str, int] | None
) -> TextTable:
    """Draw the refutation next to the better line."""
    so_far = Counter(dict(won or {}))
    for _, cards, winner in review.tricks[: step.trick - 1]:
        if winner is not None:
            so_far[winner] += not any(card[0] == review.contract.penalty for card in cards)
    turn = _from(_turn(review), refutation.tricks[0].leader)
    better = [_line(trick, _from(turn, trick.leader)) for trick in refutation.better]
    better += [""] * (len(refutation.tricks) - len(better))
    return turns_grid(
        turn,
        refutation.tricks,
        _count(review, turn),
        number=step.trick,
        won=so_far,
        marks={step.card: step.mark},
        beside={f"with {refutation.instead}": better},
    )


def _from(turn: tuple[str, ...], leader: str) -> tuple[str, ...]:
    first = turn.index(leader)
    return turn[first:] + turn[:first]


def _line(trick: Trick, seats: tuple[str, ...]) -> str:
    """Return a trick as text: its leader, and the cards as played, with a star after the winner."""
    cards = (
        f"{card}*" if seat == trick.winner else card
        for seat, card in zip(seats, trick.cards, strict=False)
    )
    return f"{trick.leader}: {' '.join(cards)}"


def _heading(review: Review) -> str:
    """Describe the contract and its players."""
    contract = review.contract
    title = f"{contract.written_ids()} by {' '.join(contract.declarers)}"
    if contract.partner:
        title += f" with {contract.partner}"
    title += {"NT": ", no trumps", None: ", trump open"}.get(
        contract.trump, f", trumps {contract.trump}"
    )
    if contract.penalty:
        title += f", penalty {contract.penalty}"
    if review.target is None:
        return title
    return f"{title}, {f'needs {review.target}' if review.target else 'must take no trick'}"


_KINDS = {"call": "call", "trump": "trump", "called": "called card", "exchange": "discards"}


def _is_raise(decision: Preliminary) -> bool:
    """Return whether a declarer raised the contract after the auction without a recorded call."""
    return decision.kind == "call" and decision.call is None


def _chosen(decision: Preliminary) -> str:
    made = decision.decision
    name = "none" if _is_raise(decision) and made == PASS else made
    return f"{name}: {signed(decision.payoffs[made])}"


def _better(decision: Preliminary) -> str | None:
    better = decision.better
    return f"{better}: {signed(decision.payoffs[better])}" if better else None


_BEFORE: tuple[Column[Preliminary], ...] = (
    Column("player", lambda decision: decision.seat),
    Column("decision", lambda choice: "raise" if _is_raise(choice) else _KINDS[choice.kind]),
    Column("chosen", _chosen),
    Column("better", _better),
    Column("leads to", lambda decision: decision.follows.get(decision.better or decision.decision)),
    Column(
        "cost", lambda choice: (choice.cost or None) if choice.exact else f"{choice.cost} (open)"
    ),
)


def _going_on(review: Review) -> TextTable:
    """Return the decision after the first run of tricks, with the payoff of each choice."""
    words = {"stopped": "stops", "went_on": "goes on for all", None: ""}
    rows = [
        (
            str(decision.trick),
            decision.seat,
            words[decision.decision],
            f"{decision.payoffs['stopped']:+d}",
            f"{decision.payoffs['went_on']:+d}",
            decision.cost or None,
        )
        for decision in review.decisions[:1]
    ]
    headers = ("before trick", "player", "choice", "payoff: stop", "payoff: go on", "cost")
    side = "+".join(review.sides)
    return TextTable(headers, rows, f"To stop or go on, double-dummy: chips or points of {side}")


_SURRENDERS = {
    "surrendered": "surrenders",
    "played_on": "plays on",
    "took_over": "takes over",
    "left": "does not take over",
    None: "",
}


def _surrenders(review: Review) -> TextTable:
    """Return the decisions to surrender or take over, with the payoff of each choice."""
    rows = []
    for decision in review.surrenders:
        up, down = decision.payoffs.values()
        choice = _SURRENDERS[decision.decision]
        where = (str(decision.trick), decision.seat, choice)
        rows.append((*where, f"{up:+d}", f"{down:+d}", decision.cost or None))
    headers = ("before trick", "player", "choice", "payoff", "otherwise", "cost")
    return TextTable(
        headers,
        rows,
        "Decisions to surrender or take over: the player's double-dummy payoff in chips",
    )


def _special_rules(review: Review) -> TextTable:
    """Return a table of the cards to which special rules applied."""
    rows = [(str(step.trick), step.hint) for step in review.steps if step.hint]
    return TextTable(("trick", "special rules"), rows, wraps=True)


_COSTS: tuple[Column[tuple[str, CostTally]], ...] = (
    Column("player", lambda row: row[0]),
    Column("cards", lambda row: row[1].cards),
    Column("choices", lambda row: row[1].choices),
    Column("best", lambda row: _share(row[1])),
    Column("errors", lambda row: row[1].errors),
    Column("cost", lambda row: row[1].cost),
)


_OPEN: Column[tuple[str, CostTally]] = Column("open", lambda row: row[1].open)


def _share(tally: CostTally) -> str:
    return "" if tally.share is None else f"{tally.best} ({tally.share:.0%})"


def _costs(review: Review) -> TextTable:
    """Return the cost of each player's and each side's cards."""
    given = review.surrender
    others = "defenders" if given and given.taken_over else "others"
    names = {"declarers": "+".join(review.sides), "defenders": others}
    sides = [
        (names[side], tally)
        for side, tally in review.parties.items()
        if side == "defenders" or review.contract.partner
    ]
    rows = [*review.players.items(), *sides]
    columns = (*_COSTS, _OPEN) if any(tally.open for _, tally in rows) else _COSTS
    return table_of(columns, rows)


_JUDGED: tuple[Column[tuple[ReviewedCard, Judged]], ...] = (
    Column("trick", lambda row: str(row[0].trick)),
    Column("player", lambda row: row[0].seat),
    Column("card", lambda row: row[0].card + row[0].mark),
    Column("made %", lambda row: f"{100 * row[1].made:.0f}"),
    Column("without seeing", lambda row: _percent(row[1].without_seeing)),
    Column("rank", lambda row: row[1].rank),
    Column("cost", lambda row: _own_cost(row[0]) or None),
    Column("verdict", lambda row: row[1].verdict),
)


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.0f}"


def _own_cost(step: ReviewedCard) -> int | None:
    return (step[step.seat] if step.several else step.one).cost


def _knowledge(review: Review) -> Iterator[TextTable]:
    """Yield the cards judged given their players' knowledge, and a count of the verdicts."""
    judged = [(step, step.judged) for step in review.steps if step.judged]
    title = "Given each player's knowledge: share of layouts in which the contract makes"
    yield table_of(_JUDGED, [row for row in judged if row[1].verdict != "fine"], title)
    counts = [(seat, *counts.values()) for seat, counts in review.verdicts.items()]
    yield TextTable(("player", *VERDICTS), counts)
    basis = [f"{review.beliefs()}."] if judged else []
    timed_out, unjudged = (sum(counts.values()) for counts in (review.timed_out, review.unjudged))
    if timed_out:
        basis += hurried(timed_out, len(judged), unjudged)
    yield from _filled(sentences("basis", basis))


def _left(account: Account, decision: Decision | None) -> str:
    """If only the declarer's tricks count after going on, describe how that changed the value."""
    if not account.left or decision is None:
        return ""
    return f" - {account.left} since only tricks of {'+'.join(decision.counted)} count"


def _surrender(given: Surrender) -> str:
    """Describe the surrender and any take-over."""
    took = given.taken_over
    rest = f", and {seat_name(took)} takes over" if took else ": the contract is lost"
    who = seat_name(given.seat)
    return f"{who} surrenders before trick {given.trick}{rest}"


def account(review: Review, names: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield sentences about the costs from the first value to the result, and the turning point.

    `names` are players' names by seat, for the payoffs.
    """
    several, given = review.several, review.surrender
    decision = next(iter(review.decisions), None)
    for seat, side in review.accounts.items():
        who = f"{seat_name(seat)}: " if len(review.accounts) > 1 else ""
        took_over = given is not None and seat == given.taken_over
        if side.start is None or side.result is None:
            yield from (f"{who}{sentence}" for sentence in _open_values(review, seat))
        else:
            yield who + _balance(review, side, decision, took_over=took_over)
        first = "there" if took_over else "the first card"
        turn = side.turning_point
        if turn is not None:
            start = "makes" if side.made_at_start else "fails"
            yield f"{who}With best play from {first}, the contract {start}."
            step = review.steps[turn]
            fate = "makes" if side.made else "fails"
            # Say so if playing the wrong card was itself the choice to go on.
            way = "the choice to go on, with " if decision and decision.card == turn else ""
            yield (
                f"{who}The turning point is {way}{seat_name(step.seat)}'s {step.card} in "
                f"trick {step.trick}; after it, the contract {fate}."
            )
        elif given and seat == given.seat:
            yield f"{_surrender(given)}."
        elif review.unit == "outcome" and not (side.lost or side.given):
            continue  # the balance says that the result did not change
        elif not several and side.made_at_start is not None and side.made is not None:
            could = "could be made" if side.made else "could not be made"
            start = "there" if took_over else "the start"
            yield f"{who}From {start}, the contract {could}, and no play changed that."
    if decision and decision.decision == "stopped":
        won = many(decision.trick - 1, "trick")
        yield (
            f"{seat_name(decision.seat)} stops after winning the first {won}, so the hand ends and "
            "the contract makes."
        )
    if lost := review.lost_at:
        yield f"Trick {lost} is lost, and the contract needs every trick, so the hand ends."
    if review.score is not None:
        called = names or {}
        gains = ", ".join(
            f"{called.get(seat) or (seat if seat == 'pool' else seat_name(seat))} {gain:+d}"
            for seat, gain in review.score.items()
        )
        stakes = ", without the stakes paid before it" if "pool" in review.score else ""
        yield f"Payoff of the hand as played{stakes}: {gains}."


def unfinished(review: Review) -> Iterator[str]:
    """Yield a sentence if the play is unfinished; it belongs after the account."""
    if not review.finished and not review.unseen:
        yield "The play is unfinished, so the result is the value of the last position."


def _open_values(review: Review, seat: str) -> Iterator[str]:
    """Yield sentences about a declarer's unknown values, with bounds on the first one."""
    if review.unseen:
        hands = listed([seat_name(unseen) for unseen in review.unseen], "and")
        yield (
            f"The cards have no double-dummy values, since these hands are unknown: {hands}. Cards "
            "of the other hands are judged given their players' knowledge."
        )
        return
    open_steps = [
        (step.trick, bounds)
        for step in review.steps
        if seat in step.contractors and (bounds := step[seat].bounds)
    ]
    if not open_steps:
        yield "A limit ended the search before there was a value."
        return
    (_, ((low, high), _)), (trick, _) = open_steps[0], open_steps[-1]
    cards = many(review.accounts[seat].open, "card")
    yield (
        f"A limit ended the search: values up to trick {trick} are unknown (?), and so is the cost "
        f"of {cards}."
    )
    yield f"The value at the start lies between {low} and {high}."


def _balance(
    review: Review, account: Account, decision: Decision | None, *, took_over: bool
) -> str:
    """Return sentences on the first value, the losses of either side, and the result."""
    if review.unit == "outcome":
        begin = "after that" if took_over else "at the start"
        changes = []
        if account.lost:
            changes.append(f"the declarer's errors made it {many(account.lost, 'step')} worse")
        if account.given:
            changes.append(f"the others' errors made it {many(account.given, 'step')} better")
        if not changes:
            begin = " after that" if took_over else ""
            return f"No play changed the result{begin}: {account.start}."
        return f"{account.start} {begin}; {listed(changes, 'and')}; {account.result} at the end."
    down, up = "+-" if review.target == 0 else "-+"
    side = "declarer's" if review.several else "declaring side's"
    return (
        f"{account.start} at the start {down} {account.lost} ({side} errors) "
        f"{up} {account.given} (others' errors){_left(account, decision)} = {account.result}"
    )
