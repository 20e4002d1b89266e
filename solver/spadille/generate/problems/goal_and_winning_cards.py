"""The goal that a side must reach or prevent, and the cards that reach it.

A card wins if its player's side still reaches its goal double-dummy: to make the contract or to
defeat it. With several declarers, each of them plays for their own contract; in Nemo, the goal is
to keep the points that were certain before the card. Cards that the engine considers equivalent are
one choice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.search.contract_objective import ContractObjective, helped
from spadille.search.encoding import Situation, situation
from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from spadille.search.first_run import may_stop
from spadille.search.limited_search import Search
from spadille.search.question import Question
from spadille.search.value_names import Grades
from spadille.search.verdict import lost_at

_MEMORY = 1 << 20  # bytes
_NODES = 50_000  # nodes, for a question that usually takes a hundred


@dataclass(frozen=True, slots=True)
class Stake:
    """A value in a declarer's question, to be reached or prevented by the player's side."""

    question: Question[ContractObjective]
    hero: int
    """The index of the player in order of play."""
    need: int
    """The least value that is a success for the declarer."""
    gains: bool
    """Whether the player is on the declarer's side."""
    start: Situation
    """The position in which the state of the question began."""
    together: Solver
    """A second solver for joint results; using the first one would clear its table."""

    @property
    def problem(self) -> EngineProblem:
        """The position."""
        return self.question.at.problem

    @property
    def won(self) -> bool:
        """Whether the player's side reaches its goal with best play."""
        return self.question.reaches(self.need) == self.gains

    @property
    def sure(self) -> bool:
        """Whether the side is certain to reach its goal, however everybody plays."""
        if not self.problem.tricks:
            return self.won
        everybody = 0 if self.gains else (1 << self.problem.players) - 1
        question = self.question
        goal = helped(question.contract, self.start, question.seat, everybody)
        self.together.limit(_NODES)
        reached = goal.reaches(self.together, self.problem, question.state, self.need)
        return reached is self.gains

    @property
    def mine(self) -> bool:
        """Whether the player to move is on the side of the player in question."""
        return self.question.objective.wants(self.problem) == self.gains

    @property
    def choices(self) -> list[list[int]]:
        """The legal cards from high to low, with equivalent ones grouped."""
        groups = self.question.search.solver.classes(self.problem).values()
        return sorted((sorted(group, reverse=True) for group in groups), reverse=True)

    def after(self, card: int) -> Stake:
        """Return the stake after a card."""
        return replace(self, question=self.question.after(card))

    def winning(self, most: int = 0) -> list[list[int]]:
        """List the choices that win, at most `most` of them if that is not 0."""
        winning = []
        for group in self.choices:
            if self.after(group[0]).won:
                winning.append(group)
                if len(winning) == most:
                    break
        return winning

    def names(self, cards: list[int]) -> tuple[str, ...]:
        """Return the names of cards."""
        return tuple([self.question.at.encoding.names[card] for card in cards])

    def seat(self, player: int) -> str:
        """Return the seat of a player."""
        return self.question.deal.rules.turn_order[player]

    def changed(self, **changes: object) -> Stake:
        """Return the same stake after changing fields of the engine's problem."""
        problem = self.problem._replace(**changes)  # type: ignore[arg-type]
        at = self.question.at._replace(problem=problem)
        return replace(self, question=replace(self.question, at=at))


def over(contract: Contract, at: Situation) -> bool:
    """Return whether there is no card to play or another choice comes first.

    Examples of other choices: whether to go on for all tricks, or which suit to name as trumps.
    """
    done = not at.problem.tricks or lost_at(contract, at) is not None
    return done or may_stop(contract, at) or bool(at.trumps and at.problem.trump < 0)


def stake_of(deal: Deal, contract: Contract, at: Situation, search: Search) -> Stake | None:
    """Return the stake of the player to move, or None if nothing is at stake.

    If several players have contracts, nothing is at stake for a player without one. In Nemo,
    nothing is at stake for a player who cannot be sure of a point. Raises the same errors as
    `Question.of` and `Question.exact`.
    """
    hero = at.problem.to_play
    seat, several = contract.declarer, len(contract.declarers) > 1
    if several:
        seat = deal.rules.turn_order[hero]
        if seat not in contract.declarers:
            return None
    question = Question.of(deal, contract, at, seat, search)
    grades = Grades(question)
    if True not in grades.makes:
        return None
    least = grades.makes.index(True)
    if question.kind.aim == "nemo":
        least = max(least, grades.grade(question.exact()))
    gains = question.objective.wants(at.problem)
    return Stake(question, hero, grades.needs[least], gains, at, Solver(_MEMORY))


def position(deal: Deal, contract: Contract, play: tuple[str, ...], search: Search) -> Stake | None:
    """Return the stake after `play`, or None if nothing is at stake or the hand is over."""
    at = situation(deal, contract, play)
    return None if over(contract, at) else stake_of(deal, contract, at, search)
