"""Value decisions to surrender a hand, or to take it over (RULES 5)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from spadille.analysis.result_text_forms import Shown
from spadille.base.words_for_messages import signed
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import Surrender
from spadille.search.encoding import Situation
from spadille.search.engine import ValuesAlongPlay
from spadille.search.limited_search import Search
from spadille.search.question import Question
from spadille.search.surrender_value import (
    GivenUp,
    counts,
    given_up,
    given_up_in,
    if_surrendered,
    playing_on,
)
from spadille.search.values_along_play import Path, along

Choice = Literal["surrendered", "played_on", "took_over", "left"]
_TOLD = {
    "surrendered": "to surrender",
    "played_on": "to play on",
    "took_over": "to take over",
    "left": "to leave it",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Surrendering(Shown):
    """A choice between surrendering and playing on, or between taking over and declining."""

    kind: Literal["surrender", "take-over"]
    decision: Choice | None
    """The actual choice; None if none has been made."""
    seat: str
    trick: int
    """The trick number of the declarer's next card, from 1."""
    card: int | None
    """The number of cards played before the choice; None if the choice has not been made."""
    payoffs: Mapping[Choice, int]
    """The player's gain after each choice."""
    better: Choice | None
    """The choice that pays more; None if it is the actual choice, or if both pay the same."""
    cost: int
    """The cost of the actual choice or, if none has been made, of the worse choice."""
    taken_over: str | None = None
    """The opponent who would gain by taking over after the surrender, if any."""
    score: Mapping[str, int] | None = None
    """The gain of each seat, and of the pool, after the surrender."""

    def __str__(self) -> str:
        payoffs = ", ".join(f"{signed(pays)} {_TOLD[name]}" for name, pays in self.payoffs.items())
        return f"{self.seat} before trick {self.trick}: {payoffs}"


def _weighed(
    kind: Literal["surrender", "take-over"],
    decision: Choice | None,
    payoffs: Mapping[Choice, int],
    **fields: Any,
) -> Surrendering:
    best = max(payoffs, key=lambda choice: payoffs[choice])
    least = min(payoffs.values())
    chosen = least if decision is None else payoffs[decision]
    cost = payoffs[best] - chosen
    return Surrendering(
        kind=kind,
        decision=decision,
        payoffs=payoffs,
        better=best if cost else None,
        cost=cost,
        **fields,
    )


def choice_to_surrender(
    deal: Deal,
    contract: Contract,
    at: Situation,
    search: Search,
    card: int | None = None,
) -> Surrendering | None:
    """Return the payoffs of surrendering and playing on; None if surrender is not an option.

    Surrendering while an opponent is to move is an option only if it may pay more. `card` is the
    index of the card played instead of surrendering; None before it is played.
    """
    if len(contract.declarers) > 1:
        return None
    if card is None and not _moves(contract, at):
        return None
    if not counts(deal, contract, at) or at.total != deal.rules.game.hand_size:
        return None
    search.limit()
    plays = playing_on(Question.of_score(deal, contract, at, search))
    if not _moves(contract, at) and plays >= given_up(deal, contract, at)[contract.declarer]:
        return None
    now = if_surrendered(deal, contract, at, search)
    return _choice(contract.declarer, _next_trick(contract, at), plays, now, card)


def _choice(declarer: str, trick: int, plays: int, now: GivenUp, card: int | None) -> Surrendering:
    """Return the choice between the payoff of playing on and the payoffs of surrendering now."""
    return _weighed(
        "surrender",
        None if card is None else "played_on",
        {"surrendered": now.score[declarer], "played_on": plays},
        seat=declarer,
        trick=trick,
        card=card,
        taken_over=now.taken_over,
        score=now.score,
    )


def _next_trick(contract: Contract, at: Situation) -> int:
    """Return the number of the trick to which the declarer plays next."""
    problem, declarer = at.problem, at.encoding.player[contract.declarer]
    played = (declarer - problem.leader) % problem.players < len(problem.trick)
    return at.encoding.rules.game.hand_size - problem.tricks + 1 + played


def judged_surrenders(
    deal: Deal,
    contract: Contract,
    path: Path,
    given: Surrender | None,
    search: Search,
) -> Iterator[Surrendering]:
    """Judge the declarer's decisions to play on, and the recorded surrender, if any.

    A decision to play on while an opponent is to move is included only if it has a cost.
    """
    if path.start.total != deal.rules.game.hand_size or len(contract.declarers) > 1:
        return
    if counts(deal, contract, path.start):
        yield from _played_on(deal, contract, path, search)
    if given is not None:
        yield from _given_up(deal, contract, path.end, len(path), given, search)


def _played_on(
    deal: Deal, contract: Contract, path: Path, search: Search
) -> Iterator[Surrendering]:
    """Judge the decisions to play on; one search along the play finds all payoffs of playing on."""
    start, declarer = path.start, contract.declarer
    earlier, size, player = sum(start.won), start.problem.players, start.encoding.player[declarer]
    until = deal.rules.contracts[contract.ids[0]].surrender_until - earlier
    own = [i for i, other in enumerate(path.players) if other == player][:until]
    number = own[-1] + 1 if len(own) == until else len(path)
    search.limit()
    question = Question.of_score(deal, contract, start, search)
    payoffs = question.objective.values
    values = along(question, path, range(len(payoffs)), number)
    if not values.settle(question.objective.by_tricks, question.objective.guess):
        raise search.stopped()
    takeovers = [*_takeovers(deal, contract, path, number, search)]
    alone = [given_up_in(deal, contract, earlier + 1 + i) for i in range(until)]
    for i, value in enumerate(values.values[:number]):
        given, plays = alone[i // size], payoffs[value]
        if plays < given[declarer] or (i in own and _is_taken_over(takeovers, i, search)):
            choice = choice_to_surrender(deal, contract, path.situation(i), search, i)
            if choice is not None and (choice.cost or i in own):
                yield choice
        elif i in own:
            yield _choice(declarer, earlier + 1 + i // size, plays, GivenUp(given), i)


def _takeovers(
    deal: Deal, contract: Contract, path: Path, number: int, search: Search
) -> Iterator[tuple[ValuesAlongPlay, int]]:
    """Yield the payoffs of a takeover by each opponent along the play, and the lowest gain."""
    for seat in deal.rules.in_turn(contract.declarer)[1:]:
        taken = contract.taken_over(seat)
        question = Question.of_score(deal.taken_over(), taken, path.start, search)
        payoffs = question.objective.values
        gain = bisect_right(payoffs, 0)
        if gain < len(payoffs):
            yield along(question, path, range(len(payoffs)), number), gain


def _is_taken_over(
    takeovers: Iterable[tuple[ValuesAlongPlay, int]], i: int, search: Search
) -> bool:
    """Return whether an opponent gains by taking over before card `i`."""
    for values, gain in takeovers:
        reached = values.reaches(i, gain)
        if reached is None:
            raise search.stopped()
        if reached:
            return True
    return False


def _moves(contract: Contract, at: Situation) -> bool:
    return at.problem.to_play == at.encoding.player[contract.declarer]


def _given_up(
    deal: Deal,
    contract: Contract,
    at: Situation,
    number: int,
    given: Surrender,
    search: Search,
) -> Iterator[Surrendering]:
    """Judge a surrender, and the decision to take over or not."""
    declarer = contract.declarer
    search.limit()
    now = if_surrendered(deal, contract, at, search)
    question = Question.of_score(deal, contract, at, search)
    payoff = question.objective.values[question.exact()]
    where = {"trick": given.trick, "card": number}
    if counts(deal, contract, at):
        payoff = playing_on(question)
    yield _weighed(
        "surrender",
        "surrendered",
        {"surrendered": now.score[declarer], "played_on": payoff},
        seat=declarer,
        taken_over=now.taken_over,
        score=now.score,
        **where,
    )
    seat = given.taken_over or now.taken_over
    if seat is not None:
        taken = Question.of_score(deal.taken_over(), contract.taken_over(seat), at, search)
        pays = taken.objective.values[taken.exact()]
        decision: Choice = "took_over" if given.taken_over else "left"
        yield _weighed("take-over", decision, {"took_over": pays, "left": 0}, seat=seat, **where)
