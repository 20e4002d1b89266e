"""Find the values of a declarer's objective along the play with one transposition table.

Only the player to move can lower the value for their own side. The search works backwards from the
last card. Each value equals the next position's value unless the player could have done better; one
question usually settles that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from spadille.base.errors import TooHardError
from spadille.search.contract_objective import ContractObjective
from spadille.search.encoding import Situation
from spadille.search.question import Question
from spadille.search.value_names import Grades


@dataclass(slots=True)
class Path:
    """Cards that were played, and the situations before, between and after them."""

    situations: list[Situation]
    cards: list[int] = field(default_factory=list)
    choices: list[bool] = field(default_factory=list)
    """Whether the player had a choice; equivalent cards count as one."""

    @property
    def end(self) -> Situation:
        """The situation after the last card."""
        return self.situations[-1]

    def add(self, card: int, choice: bool) -> Situation:
        """Add a card, and return the situation after it."""
        self.situations.append(self.end.played(card))
        self.cards.append(card)
        self.choices.append(choice)
        return self.end

    def cut(self, i: int) -> tuple[Path, Path]:
        """Split the path before card `i`."""
        situations, cards, choices = self.situations, self.cards, self.choices
        before = Path(situations[: i + 1], cards[:i], choices[:i])
        return before, Path(situations[i:], cards[i:], choices[i:])


class Track:
    """The values of one declarer's question along the play, as grades.

    `values` has the value before each card and after the last one, or a lower bound if a limit left
    it open. `most` has the upper bounds.
    """

    def __init__(self, question: Question[ContractObjective], path: Path) -> None:
        self.seat = question.seat
        self.contractors = question.contract.declarers
        self.path = path
        self.grades = Grades(question)
        side = question.objective.side
        self.gains = [bool(side >> at.problem.to_play & 1) for at in path.situations[:-1]]
        self.questions = [question]
        for card, at in zip(path.cards, path.situations[1:], strict=True):
            self.questions.append(self.questions[-1].after(card, at))
        self.values: list[int] = []
        self.most: list[int] = []
        self.best: dict[int, set[int]] = {}

    # Values

    def settle(self) -> None:
        """Find the value of every position, or bounds on the value if a limit stops the search.

        If a search is stopped although there is no limit of nodes or seconds, the error from
        `Search.stopped` is raised.
        """
        self.values = [0] * len(self.questions)
        self.most = [len(self.grades.needs) - 1] * len(self.questions)
        try:
            if self.questions[0].objective.by_tricks:
                self._settle_tricks()
            else:
                self._settle_thresholds()
        except TooHardError:
            if not self.questions[0].search.limited:
                raise
            self._bound()

    def known(self, i: int) -> bool:
        """Return whether the value of position `i` is known."""
        return self.values[i] == self.most[i]

    def _settle_tricks(self) -> None:
        """Find the values, starting with the last position."""
        last = len(self.gains)
        value = self.grades.grade(self.questions[last].exact())
        self.values[last] = self.most[last] = value
        for i in range(last - 1, -1, -1):
            if self.path.choices[i] and self.gains[i]:
                while self._reaches(i, value + 1):
                    value += 1
            elif self.path.choices[i]:
                while not self._reaches(i, value):
                    value -= 1
            self.values[i] = self.most[i] = value

    def _settle_thresholds(self) -> None:
        """Find the values one threshold at a time: the engine's table is for one threshold."""
        last = len(self.gains)
        moves = list(zip(self.gains, self.path.choices, strict=True))
        values = [0] * (last + 1)
        for need in range(1, len(self.grades.needs)):
            reached = False
            for i in range(last, -1, -1):
                gains, choice = moves[i] if i < last else (True, True)
                if choice and gains != reached:
                    reached = values[i] == need - 1 and self._reaches(i, need)
                values[i] += reached
                if reached:
                    self.values[i] = max(self.values[i], need)
                else:
                    self.most[i] = min(self.most[i], need - 1)
        self.values, self.most = values, [*values]

    def _bound(self) -> None:
        """Narrow open bounds by those known without a search, and by the next position's.

        No card raises the value for its player's side.
        """
        for i, question in enumerate(self.questions):
            low, high = question.span()
            self.values[i] = max(self.values[i], self.grades.grade(low))
            self.most[i] = min(self.most[i], self.grades.grade(high))
        for i in range(len(self.gains) - 1, -1, -1):
            if self.gains[i] or not self.path.choices[i]:
                self.values[i] = max(self.values[i], self.values[i + 1])
            if not (self.gains[i] and self.path.choices[i]):
                self.most[i] = min(self.most[i], self.most[i + 1])

    def _reaches(self, i: int, need: int) -> bool:
        """Return whether the value of position `i` is at least the grade `need`."""
        return self._answer(self.questions[i], need)

    def _answer(self, question: Question[ContractObjective], need: int) -> bool:
        if not 0 < need < len(self.grades.needs):
            return need <= 0
        return question.reaches(self.grades.needs[need])

    # Cards

    def compare(self, every: bool) -> None:
        """Find the best cards where a better card was missed or, with `every`, in all positions.

        If values are unknown or a limit stops the comparison, no cards are listed.
        """
        comparisons = []
        for i, (value, after) in enumerate(pairwise(self.values)):
            missed = value != after
            if not (every or missed) or not (self.known(i) and self.known(i + 1)):
                continue
            self.best[i] = kept = set[int]()
            need = value if self.gains[i] else value + 1
            question = self.questions[i]
            for card, group in question.search.solver.classes(question.at.problem).items():
                if self.path.cards[i] in group:
                    kept.update(() if missed else group)
                else:
                    comparisons.append((need, -i, card, group))
        # The engine's table is most useful if the comparisons go threshold by threshold and
        # backwards.
        comparisons.sort()
        for number, (need, back, card, group) in enumerate(comparisons):
            try:
                keeps = self._answer(self.questions[-back].after(card), need) == self.gains[-back]
            except TooHardError:
                if not self.questions[0].search.limited:
                    raise
                for _, left, *_ in comparisons[number:]:
                    self.best.pop(-left, None)
                return
            if keeps:
                self.best[-back].update(group)

    def best_cards(self, i: int) -> tuple[str, ...]:
        """Return the cards that are known to keep the value, by suit and from high to low."""
        best = self.best.get(i)
        if not best:
            return ()
        numbers = self.questions[0].at.encoding.numbers
        return tuple([card for card, number in numbers.items() if number in best])
