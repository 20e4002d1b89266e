"""The value of the right to surrender, if values include it (RULES 5).

The declarer may surrender at any time before playing to a certain trick. Then either an opponent
who would gain by taking over does so or nobody does, whichever is worse for the declarer. Thus,
surrendering never pays more than `given_up`, the payoff if nobody takes over. If nobody would take
over, surrendering pays exactly `given_up`, and the declarer secures the better of that and the
payoff of playing on. If an opponent gains by taking over now, this remains so whatever the others
play. A position with such an opponent is searched card by card, up to the last chance to surrender,
but only if playing on pays less than `given_up`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from spadille.base.errors import TooHardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import ContractType, Outcome, Surrender
from spadille.games.model.game import Rules
from spadille.search.encoding import Situation
from spadille.search.limited_search import Search
from spadille.search.payoff_objectives import Goal
from spadille.search.question import Question

_MOST = 20_000  # maximum number of positions searched card by card


class GivenUp(NamedTuple):
    """The payoffs after a surrender."""

    score: Mapping[str, int]
    """The gain of each seat and of the pool."""
    taken_over: str | None = None
    """The opponent who gains by taking over, if any."""


class Right(NamedTuple):
    """The payoff that a declarer with the right to surrender can secure."""

    bounds: tuple[int, int]
    score: Mapping[str, int] | None = None
    """The payoffs to all seats if the declarer surrenders at some point."""
    now: bool = False
    """Whether surrendering at once pays just as much."""


def counts(deal: Deal, contract: Contract, at: Situation) -> bool:
    """Return whether the declarer may surrender here and values include this option.

    If a contract requires the opponents' consent (`surrender_agreed`), values ignore surrenders,
    because opponents refuse if it costs them anything.
    """
    kind = deal.rules.contracts[contract.ids[0]]
    return is_counted(deal.rules, kind) and in_time(contract, at)


def is_counted(rules: Rules, kind: ContractType) -> bool:
    """Return whether the values of a contract include the option to surrender."""
    counted = rules.options.get("surrender") == "counted"
    return counted and bool(kind.surrender_until) and not kind.surrender_agreed


def in_time(contract: Contract, at: Situation) -> bool:
    """Return whether it is still early enough to surrender."""
    kind, problem = at.encoding.rules.contracts[contract.ids[0]], at.problem
    if not kind.surrender_until or not problem.tricks:
        return False
    declarer = at.encoding.player[contract.declarer]
    played = (declarer - problem.leader) % problem.players < len(problem.trick)
    return _trick(at) + played <= kind.surrender_until


def given_up(deal: Deal, contract: Contract, at: Situation) -> Mapping[str, int]:
    """Return each seat's payoff after a surrender if nobody takes over."""
    return given_up_in(deal, contract, _trick(at))


def given_up_in(deal: Deal, contract: Contract, trick: int) -> Mapping[str, int]:
    """Return each seat's payoff after a surrender in a trick if nobody takes over."""
    surrender = Surrender(contract.declarer, trick)
    nothing = dict.fromkeys(deal.rules.seats, 0)
    return deal.rules.score(deal, contract, Outcome(nothing, surrender=surrender))


def _trick(at: Situation) -> int:
    return at.encoding.rules.game.hand_size - at.problem.tricks + 1


def if_surrendered(
    deal: Deal,
    contract: Contract,
    at: Situation,
    search: Search,
    known: dict[object, Mapping[str, int]] | None = None,
) -> GivenUp:
    """Return the payoffs after a surrender if the opponents do what is worst for the declarer.

    `known` stores payoffs for reuse in other positions of the hand. Raises the errors of
    `Question.exact`.
    """
    rules, declarer = deal.rules, contract.declarer
    known = {} if known is None else known
    worst = GivenUp(given_up(deal, contract, at))
    if rules.contracts[contract.ids[0]].surrender_agreed:
        return worst
    for seat in rules.in_turn(declarer)[1:]:
        taken = contract.taken_over(seat)
        question = Question.of_score(deal.taken_over(), taken, at, search)
        goal = question.objective
        gain = bisect_right(goal.values, 0)
        if gain >= len(goal.values) or not question.reaches(gain):
            continue
        value = question.exact(gain)
        key = seat, goal, at.won, value
        score = known.get(key)
        if score is None:
            over = Surrender(declarer, _trick(at), seat)
            ends = (replace(end, surrender=over) for end in goal.ends(taken, at, value))
            scores = (rules.score(deal, contract, end) for end in ends)
            score = known[key] = min(scores, key=lambda gains: gains[declarer])
        if score[declarer] < worst.score[declarer]:
            return GivenUp(score, seat)
    return worst


def secured_by(question: Question[Goal], least: int, most: int) -> Right:
    """Return the payoff secured by the right to surrender; playing on pays `least` to `most`.

    If a limit stops the search, the bounds are those known without a search.
    """
    deal, contract, at = question.deal, question.contract, question.at
    if not counts(deal, contract, at):
        return Right((least, most))
    alone = given_up(deal, contract, at)
    floor = alone[contract.declarer]
    if least >= floor:
        return Right((least, most))
    try:
        return _secured(question, least, most, alone)
    except TooHardError:
        return Right((least, max(most, floor)))


def _secured(question: Question[Goal], least: int, most: int, alone: Mapping[str, int]) -> Right:
    """Return the declarer's secured payoff if surrendering may pay more than playing on.

    `alone` is each seat's payoff after a surrender if nobody takes over.
    """
    deal, contract, at = question.deal, question.contract, question.at
    declarer = contract.declarer
    floor = alone[declarer]
    question.search.limit()
    now = if_surrendered(deal, contract, at, question.search)
    paid = now.score[declarer]
    if most >= floor:
        return Right((max(least, paid), most))
    if paid == floor:
        return Right((floor, floor), now.score, now=True)
    values = {floor, *range(max(least, paid) + 1, floor)}
    walk = _Walk()
    for value in sorted(values, reverse=True):
        if walk.reaches(question, value):
            return Right((value, value), alone if value == floor else now.score)
        if walk.left < 0:
            return Right((max(least, paid), floor), now.score)
    if paid > most:
        return Right((paid, paid), now.score, now=True)
    return Right((least, most))


class _Walk:
    """Searches card by card, with the option to surrender at any time."""

    def __init__(self) -> None:
        self.left = _MOST
        self._known: dict[tuple[object, ...], bool] = {}
        self._paid: dict[tuple[object, ...], int] = {}  # payoffs of surrendering at once
        self._scores: dict[object, Mapping[str, int]] = {}

    def reaches(self, question: Question[Goal], need: int) -> bool:
        """Return whether the declarer can secure `need`; not valid if `left` becomes negative."""
        at, values = question.at, question.objective.values
        key = at.problem, at.won, question.state, need
        reached = self._known.get(key)
        if reached is None:
            self.left -= 1
            value = bisect_left(values, need)
            reached = value < len(values) and question.reaches(value)
            if not reached and self.left >= 0 and in_time(question.contract, at):
                reached = self._surrendering(question, need)
            self._known[key] = reached
        return reached

    def _surrendering(self, question: Question[Goal], need: int) -> bool:
        deal, contract, at = question.deal, question.contract, question.at
        search = question.search
        key = at.problem, at.won, tuple([winner for winner, _ in at.history])
        paid = self._paid.get(key)
        if paid is None:
            given = if_surrendered(deal, contract, at, search, self._scores)
            paid = self._paid[key] = given.score[contract.declarer]
        if paid >= need:
            return True
        gains = question.objective.wants(at.problem)
        cards = search.solver.classes(at.problem)
        return any(self.reaches(question.after(card), need) == gains for card in cards) == gains


def playing_on(question: Question[Goal]) -> int:
    """Return the payoff the declarer secures by not surrendering before the next card."""
    search, values = question.search, question.objective.values
    search.limit()
    value = question.exact()
    payoff = values[value]
    if payoff >= given_up(question.deal, question.contract, question.at)[question.seat]:
        return payoff
    secured = []
    for card in search.solver.classes(question.at.problem):
        after = question.after(card)
        payoff = values[after.exact()]
        secured.append(secured_by(after, payoff, payoff).bounds[0])
    return max(secured) if question.objective.wants(question.at.problem) else min(secured)


def better(
    score: Mapping[str, int] | None,
    deal: Deal,
    contract: Contract,
    at: Situation,
    search: Search,
) -> tuple[Mapping[str, int] | None, bool]:
    """Return the payoffs of the better choice, and whether that choice is to surrender.

    The payoff is None if a limit stopped the search.
    """
    declarer = contract.declarer
    if score is None or not counts(deal, contract, at):
        return score, False
    if score[declarer] >= given_up(deal, contract, at)[declarer]:
        return score, False
    search.limit()
    question = Question.of_score(deal, contract, at, search)
    try:
        payoff = question.objective.values[question.exact()]
    except TooHardError:
        return None, False
    right = secured_by(question, payoff, payoff)
    if right.bounds[0] < right.bounds[1]:
        return None, False
    if right.score is None or right.score[declarer] <= score[declarer]:
        return score, False
    return right.score, True
