"""The values of a declarer's objective along a play, from one transposition table.

Only the player to move can lower the value for their side. So, working backwards from the last
card, a value is known from that of the next position except when the player could have done better,
and usually one question settles that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from spadille.search.contract_objective import ContractObjective
from spadille.search.question import Question
from spadille.search.value_names import Grades


@dataclass(slots=True)
class Path:
    """The cards that were played."""

    players: list[int] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    choices: list[bool] = field(default_factory=list)
    """Whether there was more than one card to choose from, counting equivalent cards as one."""

    def cut(self, i: int) -> tuple[Path, Path]:
        """Return the path up to the position before card `i`, and the rest from there."""
        players, cards, choices = self.players, self.cards, self.choices
        return Path(players[:i], cards[:i], choices[:i]), Path(players[i:], cards[i:], choices[i:])


class Track:
    """The values of one declarer's question along the play, as grades.

    `values` are those before each card and after the last.
    """

    def __init__(self, question: Question[ContractObjective], path: Path) -> None:
        self.seat = question.seat
        self.contractors = question.contract.declarers
        self.path = path
        self.grades = Grades(question)
        side = question.objective.side
        self.gains = [bool(side >> player & 1) for player in path.players]
        self.questions = [*accumulate(path.cards, Question.after, initial=question)]
        self.values: list[int] = []
        self.best: dict[int, set[int]] = {}

    # Values

    def settle(self) -> None:
        """Find the value of every position."""
        moves = list(zip(self.gains, self.path.choices, strict=True))
        last = len(moves)
        backwards = range(last - 1, -1, -1)
        self.values = values = [0] * (last + 1)
        if self.questions[0].objective.by_tricks:
            values[last] = value = self.grades.grade(self.questions[last].exact())
            for i in backwards:
                gains, choice = moves[i]
                if choice and gains:
                    while self._reaches(i, value + 1):
                        value += 1
                elif choice:
                    while not self._reaches(i, value):
                        value -= 1
                values[i] = value
            return
        # Each threshold has its own table in the engine.
        for need in range(1, len(self.grades.needs)):
            reached = values[last] == need - 1 and self._reaches(last, need)
            values[last] += reached
            for i in backwards:
                gains, choice = moves[i]
                if choice and gains != reached:
                    reached = values[i] == need - 1 and self._reaches(i, need)
                values[i] += reached

    def _reaches(self, i: int, need: int) -> bool:
        """Whether the value of a position is at least a certain grade."""
        return self._answer(self.questions[i], need)

    def _answer(self, question: Question[ContractObjective], need: int) -> bool:
        if not 0 < need < len(self.grades.needs):
            return need <= 0
        return question.reaches(self.grades.needs[need])

    # Cards

    def compare(self, every: bool) -> None:
        """Find the best cards at positions where a better one was missed, or at all positions."""
        comparisons = []
        for i, (value, after) in enumerate(pairwise(self.values)):
            missed = value != after
            if not (every or missed):
                continue
            self.best[i] = kept = set[int]()
            need = value if self.gains[i] else value + 1
            question = self.questions[i]
            for card, group in question.search.solver.classes(question.at.problem).items():
                if self.path.cards[i] in group:
                    kept.update(() if missed else group)
                else:
                    comparisons.append((need, -i, card, group))
        # By threshold, and backwards, so that the engine's table is useful.
        for need, back, card, group in sorted(comparisons):
            if self._answer(self.questions[-back].after(card), need) == self.gains[-back]:
                self.best[-back].update(group)

    def best_cards(self, i: int) -> tuple[str, ...]:
        """Return the cards that are known to keep the value, by suit and from high to low."""
        best = self.best.get(i)
        if not best:
            return ()
        numbers = self.questions[0].at.encoding.numbers
        return tuple([card for card, number in numbers.items() if number in best])
