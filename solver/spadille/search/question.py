"""Ask about a declarer's hand at one point of its play, and search for the answer.

Every function of `spadille.analysis` creates one `Search` and derives questions from it: what a
contract is worth to a declarer's side (`Question.of`), or what it pays (`Question.of_score`). The
engine returns values of the objective; `named`, `verdict` and `optimum` interpret them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, TypeVar

from spadille.base.errors import TooHardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import ContractType, Outcome
from spadille.search.contract_objective import (
    ContractObjective,
    SideObjective,
    nemo_of,
    objective_of,
)
from spadille.search.encoding import Situation
from spadille.search.first_run import contract_type, run_so_far, target_of
from spadille.search.limited_search import Search
from spadille.search.make_payoff_objective import payoff_objective
from spadille.search.payoff_objectives import ContractGoal, Goal, common
from spadille.search.verdict import Value, Verdict, ended

# In a contract to win the most tricks, the search for the size of a loss gets the hard nodes
# divided by this number. This suffices for two deals out of three, and twice as many nodes would
# solve hardly any more.
_LOST = 2


class Line(NamedTuple):
    """An optimal line to the end of the hand, with cards people would choose.

    csrc/natural_card_order.hpp chooses among cards of equal value.
    """

    tricks: tuple[tuple[str, ...], ...]
    """The tricks, each in order of play; the first one includes the cards on the table."""
    named: str | None = None
    """The suit that the declarer names just before their first card; None if the trump was
    known."""

    @property
    def cards(self) -> list[str]:
        """All cards of the line, in order of play."""
        return [card for trick in self.tricks for card in trick]


Asked = TypeVar("Asked", bound=SideObjective, covariant=True)
Other = TypeVar("Other", bound=SideObjective)
Found = TypeVar("Found")


@dataclass(slots=True)
class Question(Generic[Asked]):
    """A question about the double-dummy value of a position for a declarer's side."""

    deal: Deal
    contract: Contract
    at: Situation
    seat: str
    objective: Asked
    search: Search
    state: int
    """The tricks so far, summarized as a state of the objective."""
    kind: ContractType = field(init=False)
    """The declarer's contract."""

    def __post_init__(self) -> None:
        self.kind = contract_type(self.contract, self.at, self.seat)

    @classmethod
    def of(
        cls, deal: Deal, contract: Contract, at: Situation, seat: str, search: Search
    ) -> Question[ContractObjective]:
        """Return the question about the value of a contract for one of its declarers."""
        objective = objective_of(contract, at, seat)
        return Question(deal, contract, at, seat, objective, search, state=objective.start)

    @classmethod
    def of_score(
        cls, deal: Deal, contract: Contract, at: Situation, search: Search
    ) -> Question[ContractGoal]:
        """Return the question about the payoff of a contract with one declarer.

        Raises the errors of `payoff_objective`.
        """
        goal = payoff_objective(deal, contract, at)
        return Question(deal, contract, at, contract.declarer, goal, search, state=goal.start)

    @classmethod
    def of_payoff(
        cls, deal: Deal, contract: Contract, at: Situation, seat: str, search: Search
    ) -> Question[Goal]:
        """Return the question about a declarer's payoff; each of several declarers plays alone."""
        if len(contract.declarers) == 1:
            return cls.of_score(deal, contract, at, search)
        kind = contract_type(contract, at, seat)
        goal: Goal
        if kind.aim == "nemo":
            goal = nemo_of(contract, at, seat)
        else:
            goal = payoff_objective(deal, replace(contract, declarers=(seat,), ids=(kind.id,)), at)
        return Question(deal, contract, at, seat, goal, search, state=goal.start)

    def asking(self, objective: Other) -> Question[Other]:
        """Return the question with another objective in the same position."""
        deal, contract, at, seat = self.deal, self.contract, self.at, self.seat
        return Question(deal, contract, at, seat, objective, self.search, state=objective.start)

    @property
    def target(self) -> int | None:
        """The number of tricks needed to make the contract; None if there is no fixed number."""
        if not self.kind.counts_tricks:
            return None
        return target_of(self.contract, self.at, self.seat)

    @property
    def accounted(self) -> bool:
        """Whether the winner of each trick so far is known; otherwise, there is no score."""
        return self.at.total == self.deal.rules.game.hand_size

    # The value

    def span(self) -> tuple[int, int]:
        """Return the lowest and the highest possible value."""
        return self.objective.span(self.at.problem, self.state)

    def narrow(self, low: int, high: int, guess: int | None = None) -> tuple[int, int]:
        """Narrow bounds on the value until they are equal or a limit stops the search."""
        guess = self.objective.guess if guess is None else guess
        solver, problem = self.search.solver, self.at.problem
        return self.objective.bounds(solver, problem, self.state, low, high, guess)

    def bounds(self, guess: int | None = None) -> tuple[int, int]:
        """Return bounds on the value; they are equal unless a limit stopped the search.

        `hard_nodes` limits only the search for the number of tricks in a lost Misère, not the
        search that finds out whether the Misère makes.
        """
        low, high = self.span()
        hard = self.search.hard_nodes
        if not hard or self.kind.aim != "misere" or low == high:
            return self.narrow(low, high, guess)
        self.search.limit()
        makes, most = self.narrow(high - 1, high, high)
        self.search.limit()
        if makes == high:
            return high, high
        if most == high:  # interrupted
            return low, high
        self.search.limit(hard)
        bounds = self.narrow(low, high - 1, high - 1)
        self.search.limit()
        return bounds

    def made_bounds(self: Question[ContractObjective]) -> tuple[int, int]:
        """Return bounds on the value, narrowed until it is settled whether the contract makes.

        This takes one search, for the lowest value with which the contract makes.
        """
        low, high = self.span()
        need = self._making(low, high)
        if not low < need <= high:
            return low, high
        least, most = self.narrow(need - 1, need, need)
        return (need if least == need else low), (need - 1 if most < need else high)

    def _making(self: Question[ContractObjective], low: int, high: int) -> int:
        """Return the lowest value with which the contract makes; above `high` means none does."""
        if self.objective.unit == "tricks":
            return target_of(self.contract, self.at, self.seat)
        values = range(low, high + 1)
        return low + bisect_left(
            values, True, key=lambda value: bool(self.verdict(value, value).makes)
        )

    def exact(self, guess: int | None = None) -> int:
        """Return the value; raise the error of `Search.stopped` if the search is stopped."""
        low, high = self.narrow(*self.span(), guess)
        if low < high:
            raise self.search.stopped()
        return low

    def reaches(self, need: int) -> bool:
        """Return whether the value is at least `need`; raises the errors of `exact`."""
        answer = self.objective.reaches(self.search.solver, self.at.problem, self.state, need)
        if answer is None:
            raise self.search.stopped()
        return answer

    def payoff_bounds(self: Question[Goal], guess: int | None = None) -> tuple[int, int]:
        """Return bounds on a payoff; they are equal unless a limit stopped the search.

        In a contract to win the most tricks, `hard_nodes` limits only the search for the size of a
        loss, not the search that finds out whether anything is won.
        """
        low, high = self.span()
        if self.kind.aim != "most" or not self.search.hard_nodes:
            return self.narrow(low, high, guess)
        return self.weigh(low, high, self.search.hard_nodes // _LOST or 1)

    def weigh(self: Question[Goal], low: int, high: int, nodes: int = 0) -> tuple[int, int]:
        """Narrow bounds on a payoff; `nodes` limits only the search among losses.

        The lower and the upper bound may use half of the nodes each; 0 means no limit.
        """
        gain = bisect_right(self.objective.values, 0)
        self.search.limit()
        if gain <= high:
            need = max(gain, low + 1)
            least, most = self.narrow(need - 1, high, need)
            low, high = (least, most) if least >= need else (low, most)
        for guess in (low + 1, high):
            if low < high:
                self.search.limit(nodes and max(nodes // 2, 1))
                low, high = self.narrow(low, high, guess)
        self.search.limit()
        return low, high

    # What it means

    def named(self, value: int) -> Value:
        """Return a value in the form used in results: tricks, an outcome, points or chips."""
        return self.objective.named(value)

    def verdict(self: Question[ContractObjective], low: int, high: int) -> Verdict:
        """Return the verdict on the contract, given bounds on the value."""
        return self.objective.verdict(self.contract, self.at, self.seat, low, high)

    def points(self, verdict: Verdict) -> int | None:
        """Return the points that a verdict guarantees to one of several declarers."""
        sure = {*verdict.bounds}
        if self.objective.unit == "tricks":
            finals = verdict.finals if self.accounted else ()
            rules = self.deal.rules
            sure = {rules.score(self.deal, self.contract, end)[self.seat] for end in finals}
        return int(sure.pop()) if len(sure) == 1 else None

    def optimum(
        self, verdict: Verdict, line: Callable[[], Line | None]
    ) -> Mapping[str, int] | None:
        """Return the payoffs for the optimal number of tricks; None if they are not determined.

        If nobody takes the most tricks, each player's tricks matter, and `line` is called to count
        them.
        """
        if not self.accounted:
            return None
        finals = [*verdict.finals]
        if (
            not finals
            and verdict.tricks is not None
            and (best := line())
            and (end := self.end(best))
        ):
            finals = [Outcome(end.tricks, run_so_far(self.contract, self.at))]
        rules = self.deal.rules
        scores = [rules.score(self.deal, self.contract, final) for final in finals]
        return common(scores) if scores else None

    def end(self, line: Line) -> Outcome | None:
        """Return the outcome if a line is played; None in the same cases as `ended`."""
        at, code = self.at, self.at.encoding
        for card in line.cards[len(at.problem.trick) :]:
            if line.named and at.problem.to_play == code.player[self.contract.declarer]:
                at = at._replace(problem=at.problem.named(code.lanes[line.named]))
            at = at.played(code.numbers[card])
        return ended(self.contract, at)

    # Cards

    def after(self, card: int, at: Situation | None = None) -> Question[Asked]:
        """Return the question after the player to move plays a card; `at` is the new situation."""
        objective, search = self.objective, self.search
        state = objective.step(search.solver, self.at.problem, self.state, card)
        at = self.at.played(card) if at is None else at
        return Question(self.deal, self.contract, at, self.seat, objective, search, state=state)

    def naming(self, card: int, value: int) -> Question[Asked]:
        """Return the question; if the trump is open, name one with which the card has `value`."""
        problems = self.objective.namings(self.at.problem)
        first, *others = [
            replace(self, at=self.at._replace(problem=problem)) for problem in problems
        ]
        for other in others:
            if first.after(card).reaches(value):
                break
            first = other
        return first

    def card_values(self, value: int) -> dict[str, int | None]:
        """Return the value of each legal card, in the order of `Position.legal`.

        `value` must be the position's value. A value is None if a limit stopped the search. Values
        with the same name are not distinguished (see `exact_cards`).
        """
        return self._by_card(self._cards(value))

    def exact_cards(self, value: int) -> dict[str, int]:
        """Return the exact values of the cards; raises the errors of `exact`."""
        values = self._cards(value)
        if None in values.values():
            raise self.search.stopped()
        objective = self.objective
        if objective.unit == "outcome" and not objective.by_tricks:
            values = {card: self.after(card).exact(value) for card in values}
        by_card = self._by_card(values)
        return {card: card_value for card, card_value in by_card.items() if card_value is not None}

    def card_bounds(self, low: int, high: int) -> dict[str, tuple[int, int]]:
        """Return bounds on the value of each card, given bounds on the position's value.

        The bounds of a card differ only if nodes or seconds are limited and the search is stopped.
        Otherwise, the errors of `exact` are raised.
        """
        if not self.search.limited:
            return {card: (value, value) for card, value in self.exact_cards(low).items()}
        problem, objective = self.at.problem, self.objective
        values = self._cards(low) if low == high else {}
        alike = objective.unit == "outcome" and not objective.by_tricks  # see `exact_cards`
        bounds: dict[int, tuple[int, int]] = {}
        for card, group in self.search.solver.classes(problem).items() if problem.tricks else ():
            value = None if alike else values.get(card)
            if value is None:
                named = (
                    self.at._replace(problem=named_problem)
                    for named_problem in objective.namings(problem)
                )
                after = [replace(self, at=at).after(card) for at in named]
                spans = (question.narrow(*question.span(), low) for question in after)
                least, most = map(max, zip(*spans, strict=True))
                # No card is better for the side to move than the position's value.
                if objective.wants(problem):
                    most = min(most, high)
                else:
                    least = max(least, low)
            else:
                least = most = value
            bounds |= dict.fromkeys(group, (least, most))
        numbers = self.at.encoding.numbers
        return {card: bounds[number] for card, number in numbers.items() if number in bounds}

    def _cards(self, value: int) -> dict[int, int | None]:
        if not self.at.problem.tricks:
            return {}
        solver, problem = self.search.solver, self.at.problem
        return self.objective.card_values(solver, problem, self.state, value)

    def _by_card(self, values: Mapping[int, int | None]) -> dict[str, int | None]:
        numbers = self.at.encoding.numbers
        return {card: values[number] for card, number in numbers.items() if number in values}

    def line(self, value: int) -> Line | None:
        """Return an optimal line, given the position's value; None if a limit stops the search."""
        solver, problem = self.search.solver, self.at.problem
        best = self.objective.best_line(solver, problem, self.state, value)
        if best is None:
            return None
        names, size = self.at.encoding.names, problem.players
        cards = [names[card] for card in (*problem.trick, *best[0])]
        tricks = [tuple(cards[start : start + size]) for start in range(0, len(cards), size)]
        return Line(tuple(tricks), self.at.encoding.suit(best[1]))


def answer(
    questions: list[Question[ContractObjective]],
    find: Callable[[list[Question[ContractObjective]]], Found],
) -> Found:
    """Answer questions about a contract; in a Misère, ask a simpler one if the first is too hard.

    If the limit on hard nodes stops the search in a Misère, the answer says only whether it makes.
    """
    question, search = questions[0], questions[0].search
    hard = len(questions) == 1 and question.kind.aim == "misere"
    search.limit(search.hard_nodes if hard else 0)
    try:
        return find(questions)
    except TooHardError:
        if not hard:
            raise
        search.limit()
        return find([question.asking(question.objective.coarse()) for question in questions])
